"""`irdiff comment` against a mock of GitHub and GitLab. Usage: comment.py IRDIFF, in an empty directory."""

import os
import socket
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mock_forge import TOKEN, Forge, says  # noqa: E402

irdiff = sys.argv[1]
MARKER = "<!-- irdiff:comment:irdiff -->"
REPORT = "### irdiff: REGRESSION\n\n| a | b |\n"
failures = checks = 0


def verdict(what, ok, *found):
    global failures, checks
    checks += 1
    failures += not ok
    print("ok     " if ok else "FAILED ", what, *([] if ok else map(repr, found)))


def environment(forge, url=None):
    url = url or forge.url
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS")}
    if forge.service == "github":
        return kept | {"GITHUB_REPOSITORY": "o/r", "GITHUB_API_URL": url, "GITHUB_TOKEN": TOKEN,
                       "GITHUB_REF": "refs/pull/7/merge"}
    return kept | {"CI_API_V4_URL": url, "CI_PROJECT_ID": "42", "IRDIFF_GITLAB_TOKEN": TOKEN,
                   "CI_MERGE_REQUEST_IID": "7", "CI_PROJECT_URL": "https://gitlab.example/o/r"}


def run(forge, *options, report=REPORT, url=None, **variables):
    """Exit code, standard output and error. The token is in neither."""
    env = environment(forge, url) | variables
    env = {name: value for name, value in env.items() if value is not None}
    report = report if isinstance(report, bytes) else report.encode()
    done = subprocess.run([irdiff, "comment", "--from=-", *options], input=report, env=env,
                          capture_output=True, timeout=300)
    out, errors = done.stdout.decode(), done.stderr.decode()
    verdict(f"  the token is not shown: {errors.strip()[:60]}", TOKEN not in out + errors, out, errors)
    return done.returncode, out, errors


def printed(what, result, code, *words):
    """It could not comment: the report is not lost, and what is wrong is said."""
    verdict(f"{what}: exit {code}", result[0] == code, result)
    verdict(f"{what}: the report is printed", result[1] == f"{MARKER}\n{REPORT}", result[1])
    verdict(f"{what}: it says {words}", all(word in result[2] for word in words), result[2])


def bodies(forge):
    return [comment["body"] for comment in forge.comments]


# ---- what works ----

for service, method, where in (("github", "PATCH", "/o/r/pull/7#issuecomment-101"),
                               ("gitlab", "PUT", "https://gitlab.example/o/r/-/merge_requests/7#note_101")):
    forge = Forge(service)
    forge.add("Looks good to me", owner="someone", bot=False)
    code, out, errors = run(forge)
    verdict(f"{service}: creates", (code, out) == (0, "") and "created the comment: " in errors
            and where in errors, code, out, errors)
    verdict(f"{service}: … the report after the marker", bodies(forge)[1:] == [f"{MARKER}\n{REPORT}"],
            bodies(forge))
    code, out, errors = run(forge, report="new\n")
    verdict(f"{service}: updates", (code, out) == (0, "") and "updated the comment: " in errors
            and where in errors, code, out, errors)
    verdict(f"{service}: … that one", bodies(forge)[1:] == [f"{MARKER}\nnew\n"], bodies(forge))
    verdict(f"{service}: … by its method", forge.asked() == ["GET", "POST", "GET", method], forge.asked())
    run(forge, "--name=other")
    verdict(f"{service}: another name is another comment", len(forge.comments) == 3, bodies(forge))

    # Some pages later.
    forge = Forge(service)
    forge.page_size = 2
    for i in range(7):
        forge.add(MARKER + " old" if i in (1, 4) else f"Talk number {i}")
    run(forge)
    verdict(f"{service}: the newest of several pages is updated",
            [i for i, body in enumerate(bodies(forge)) if body == f"{MARKER}\n{REPORT}"] == [4]
            and forge.asked() == ["GET"] * 4 + [method], bodies(forge), forge.asked())

    # Somebody else's comments.
    forge = Forge(service)
    forge.add(f"What is {MARKER}?", owner="someone", bot=False)
    forge.add(f"{MARKER}\nmine", owner="someone", bot=False)
    code, out, errors = run(forge)
    verdict(f"{service}: one of somebody else is left, and a new one created",
            code == 0 and "created" in errors and len(forge.comments) == 3 and
            forge.comments[1]["body"] == f"{MARKER}\nmine", errors, bodies(forge))

    forge = Forge(service)
    forge.read_only = True
    printed(f"{service}: a token that may only read", run(forge), 0, "403", "fork")
    printed(f"{service}: … is a failure if required", run(forge, "--require"), 3, "403", "fork")

forge = Forge()
forge.add(f"{MARKER}\nours")
forge.add(f"{MARKER}\nspoofed", owner="someone", bot=False)
run(forge)
verdict("a comment of a person with our marker is not preferred to ours",
        bodies(forge) == [f"{MARKER}\n{REPORT}", f"{MARKER}\nspoofed"], bodies(forge))

# Who writes our marker first, or as another program, gets nothing.
for service in "github", "gitlab":
    forge = Forge(service)
    forge.add(f"{MARKER}\nspoofed", owner="someone", bot=False)
    forge.add(f"{MARKER}\nechoed", owner="dependabot[bot]")
    forge.add(f"{MARKER}\nalike", owner="irdiff2")
    run(forge), run(forge, report="new\n")
    verdict(f"{service}: comments of others with our marker stay as they are",
            bodies(forge) == [f"{MARKER}\nspoofed", f"{MARKER}\nechoed", f"{MARKER}\nalike", f"{MARKER}\nnew\n"],
            bodies(forge))
    verdict(f"{service}: … whose the token is was asked once for each", forge.asked_who == 2, forge.asked_who)
    forge = Forge(service)
    forge.add("Fine")
    run(forge)
    verdict(f"{service}: without a marker it is not asked", forge.asked_who == 0, forge.asked_who)
    forge.viewer_faults = [says(502)]
    code, _, errors = run(forge, "--retries=1")
    verdict(f"{service}: a failure to tell passes", code == 0 and "updated" in errors and len(forge.comments) == 2,
            errors)

# An app writes as NAME[bot]; a token that is not told who it is is that of a job.
forge = Forge()
forge.add(f"{MARKER}\nours", owner="irdiff[bot]")
run(forge)
verdict("the comment of an app is its own", bodies(forge) == [f"{MARKER}\n{REPORT}"], bodies(forge))
forge = Forge()
forge.viewer = None
forge.add(f"{MARKER}\nspoofed", owner="someone", bot=False)
forge.add(f"{MARKER}\nours", owner="github-actions[bot]")
run(forge)
verdict("… and that of a job", bodies(forge) == [f"{MARKER}\nspoofed", f"{MARKER}\n{REPORT}"], bodies(forge))
forge = Forge("gitlab")
forge.viewer_faults = [says(403)]
forge.add(f"{MARKER}\nours")
printed("GitLab does not tell", run(forge), 0, "look up the owner of the token", "403")

forge = Forge()
for i in range(30):
    forge.add(f"{MARKER}\n{i}", owner="someone", bot=False)
code, _, errors = run(forge)
verdict("many foreign ones: none is tried", code == 0 and forge.asked() == ["GET", "POST"], forge.asked())

# ---- which pull request ----

forge = Forge()
open("event.json", "w").write('{"number": 7, "pull_request": {"number": 7}}')
run(forge, GITHUB_REF="refs/heads/x", GITHUB_EVENT_PATH="event.json")
verdict("the number is that of the event", len(forge.comments) == 1, forge.requests)
run(forge, "--pull-request=7", GITHUB_REF=None, GITHUB_TOKEN=None, GH_TOKEN=TOKEN)
verdict("… or that of the option", forge.asked() == ["GET", "POST", "GET", "PATCH"], forge.requests)
open("event.json", "w").write('{"ref": "refs/heads/main"}')
printed("no pull request", run(forge, GITHUB_REF="refs/heads/x", GITHUB_EVENT_PATH="event.json"), 0,
        "not for a pull request", "--pull-request")
open("event.json", "w").write('{"number": 7, "pull')
printed("a damaged event", run(forge, GITHUB_REF=None, GITHUB_EVENT_PATH="event.json"), 0, "event.json",
        "JSON")
printed("no such event", run(forge, GITHUB_REF=None, GITHUB_EVENT_PATH="nowhere"), 0, "nowhere")
printed("no token", run(forge, GITHUB_TOKEN=None), 0, "no token", "GITHUB_TOKEN")
printed("a token with a line end", run(forge, GITHUB_TOKEN=TOKEN + "\nX-Evil: 1"), 0, "line break")
printed("no repository", run(forge, GITHUB_REPOSITORY="../../user"), 0, "OWNER/NAME")
printed("no merge request", run(Forge("gitlab"), CI_MERGE_REQUEST_IID=None), 0, "not for a merge request")
printed("no project", run(Forge("gitlab"), CI_PROJECT_ID="4/../2"), 0, "project")
verdict("none of these asked anything", len(forge.requests) == 4, forge.requests)
printed("outside of any service", run(forge, GITHUB_REPOSITORY=None), 0)
printed("… required", run(forge, "--require", GITHUB_REPOSITORY=None), 3, "--service")

code, out, errors = run(forge, "--dry-run")
verdict("--dry-run only says it", code == 0 and "would create or update" in errors and
        "/repos/o/r/issues/7/comments" in errors and out == f"{MARKER}\n{REPORT}" and
        len(forge.requests) == 4, errors, forge.requests)

# ---- where a token goes ----

printed("http to another machine", run(forge, url="http://api.example.org"), 0, "which is not https")
printed("http to what begins like this one", run(forge, url="http://localhost.example.org"), 0,
        "which is not https")
result = run(forge, url="https://user:pa55word@api.example.org")
printed("an address with a password", result, 0, "user or password")
verdict("… which is not shown", "pa55word" not in result[2], result[2])
printed("no URL at all", run(forge, url="file:///etc/passwd"), 0, "URL")

elsewhere = Forge()
forge = Forge()
forge.page_size = 1
forge.add("a"), forge.add("b")
forge.next_page = elsewhere.url + "/repos/o/r/issues/7/comments?page=2"
printed("a next page elsewhere", run(forge), 0, "refusing to send the token there")
forge.faults = [says(302, Location=elsewhere.url + "/repos/o/r/issues/7/comments")]
printed("a redirection elsewhere", run(forge), 0, "302", "moved")
verdict("nobody went there", elsewhere.requests == [], elsewhere.requests)
run(forge, "--retries=0", HTTP_PROXY=elsewhere.url, http_proxy=elsewhere.url, ALL_PROXY=elsewhere.url)
verdict("nor to a proxy, unencrypted", elsewhere.requests == [], elsewhere.requests)

# ---- what fails ----

forge = Forge()
printed("a wrong token", run(forge, GITHUB_TOKEN="other"), 0, "401", "Bad credentials", "token")
printed("no such request", run(forge, "--pull-request=8"), 0, "404", "Not Found", "number")

forge.faults = [says(429, Retry_After=1), says(403, Retry_After=0)]
code, out, errors = run(forge)
verdict("too many requests, then it works", code == 0 and "created" in errors and
        [r[0] for r in forge.requests[-4:]] == ["GET", "GET", "GET", "POST"], errors)
before = len(forge.requests)
forge.faults = [says(429, Retry_After=3600)]
printed("to wait an hour is too long", run(forge), 0, "429", "3600 s", "later")
forge.faults = [says(403, X_RateLimit_Remaining=0, X_RateLimit_Reset=4102444800)]
printed("a limit until the next century", run(forge), 0, "no more requests", "later")
verdict("… is asked for once", len(forge.requests) == before + 2, forge.requests[before:])
forge.faults = [says(429, Retry_After=0)] * 20
printed("a limit for good", run(forge), 0, "no more requests", "after 4 attempts")
forge.faults = []

forge.comments = []
forge.faults = [says(502)]
code, out, errors = run(forge, "--retries=1")
verdict("one failure passes", code == 0 and "created" in errors, errors)
forge.faults = [says(500)] * 20
printed("all is broken", run(forge, "--retries=1"), 0, "500", "as the test wants", "after 2 attempts")
printed("… and no retries", run(forge, "--retries=0", "--require"), 3, "500")
forge.faults = []


def lost(handler):
    """It is done, but the answer gets lost."""
    handler.server.add(f"{MARKER}\n{REPORT}")
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


forge = Forge()
forge.faults = [None, lost]
code, out, errors = run(forge)
verdict("a comment whose answer was lost is not created twice",
        code == 0 and "updated" in errors and len(forge.comments) == 1, errors, bodies(forge))

forge = Forge()
closed = socket.socket()
closed.bind(("127.0.0.1", 0))  # not listening
printed("nobody is there", run(forge, "--retries=0", url=f"http://127.0.0.1:{closed.getsockname()[1]}"), 0,
        "no response from http://127.0.0.1")
closed.listen(8)  # takes connections and says nothing
printed("nobody answers", run(forge, "--retries=0", "--timeout=1",
                              url=f"http://127.0.0.1:{closed.getsockname()[1]}"), 0, "within 1 s")

for name, document in (("malformed", b'[{"id": 1, "body": '), ("no list", b'{"comments": []}'),
                       ("HTML", b"<html>sign in"), ("empty", b""), ("deep", b"[" * 100000)):
    forge.faults = [says(200, document or b" ")]
    printed(f"an answer that is {name}", run(forge, "--retries=0"), 0, "check the API address")
forge.faults = [says(200, b'[null, 5, {}, {"id": "x", "body": 7}, {"body": "' + MARKER.encode() +
                     b'"}, {"id": -1, "body": "' + MARKER.encode() + b'\\u0000"}]')]
code, out, errors = run(forge)
verdict("comments without number or text are none of ours", code == 0 and "created" in errors, errors)
forge.faults = [says(500, {"message": "\x1b[31mred\n\u202e" + "x" * 1000})]
code, out, errors = run(forge, "--retries=0")
verdict("what the service says cannot harm a terminal",
        code == 0 and "red" in errors and "\x1b" not in errors and "\u202e" not in errors and
        len(errors) < 700 and errors.count("\n") == 1, errors)


def endless(handler):
    handler.send_response(200)
    handler.end_headers()
    handler.close_connection = True
    try:
        while True:
            handler.wfile.write(b"[" + b" " * 1000000)
    except OSError:
        pass


forge.faults = [endless]
printed("an answer without an end", run(forge), 0, "larger than")

# ---- what is sent ----

forge = Forge()
hostile = f"a\n{MARKER}\n-->\n\x1b[2J\x00\x07 \u0085 \u202e".encode() + b"\xff\xfe {\"body\": \"x\"}\r\nb\n"
run(forge, report=hostile)
verdict("control characters and what is no UTF-8 are replaced",
        bodies(forge) == [f"{MARKER}\na\n{MARKER}\n-->\n\ufffd[2J\ufffd\ufffd \ufffd \u202e\ufffd\ufffd "
                          '{"body": "x"}\nb\n'], bodies(forge))
run(forge, report="b\n")
verdict("a marker in a report means nothing", bodies(forge) == [f"{MARKER}\nb\n"], bodies(forge))

for service, limit in (("github", 65536), ("gitlab", 1000000)):
    forge = Forge(service)
    run(forge, report="<details>\n\n```c\n" + "\U0001f600 line\n" * limit)
    text = bodies(forge)[0]
    units = len(text.encode("utf-16-le")) // 2
    verdict(f"{service}: what is too long is cut at a line", limit - 300 < units <= limit and
            text.endswith(" line\n\n```\n\n</details>\n\n*The report is cut here: it is too long for a "
                          "comment.*\n"), units, text[-200:])
    run(forge, report="x" * (limit - len(MARKER) - 1))
    verdict(f"{service}: what just fits is not", len(bodies(forge)[0]) == limit and
            bodies(forge)[0].endswith("x"), len(bodies(forge)[0]))

print(f"{checks - failures} passed, {failures} failed")
sys.exit(failures > 0)
