#!/bin/sh
# Usage: tests/terminal.sh
#
# What a person sees in a terminal of some width: aligned rows that do not wrap, names that say what
# they are, colours only where they are wanted, the whole of a diff at once, and a pager for what is longer.
# Terminals are pseudo-terminals of Python's.
set -eu
. "$(dirname "$0")/skip.sh"
LC_ALL=C.UTF-8
export LC_ALL
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")

needs python3
python3 -c 'import pty; pty.openpty()' 2>/dev/null ||
	skip_all "no pseudo-terminal can be opened (is /dev/pts mounted?)"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-terminal.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
cd "$scratch"

IRDIFF=$irdiff exec python3 - <<'END'
import fcntl, json, os, pty, re, shutil, signal, struct, subprocess, sys, termios, threading, time

irdiff = os.environ.pop("IRDIFF")
failures = 0

NAMES = [
    "long company::project::storage::detail::weigh<std::pair<std::string, unsigned long> >"
    "(company::project::storage::detail::record<std::pair<std::string, unsigned long> > const&)",
    "company::project::storage::detail::index<std::pair<std::string, std::string>, "
    "std::greater<std::pair<std::string, std::string> > >::append(std::string const&) [clone .isra.0]",
    "<company_storage::index::Index<alloc::string::String, u64> as company_storage::Table>::lookup",
    "sqlite3VdbeMemMakeWriteable",
]
END = b"\x04the end\x04"
WANTED = ["weigh<", "append(", "::lookup", "sqlite3"]


def write(name, factor):
    """Functions of long names, and thirty more to have too many of."""
    rows = [(n, 40000 * (i + 2) + 1000 * factor * (5 - i)) for i, n in enumerate(NAMES)]
    rows += [(f"function_{i}", 3000 + 200 * factor + i) for i in range(30)]
    with open(name, "w") as f:
        print("cmd: ./storage\nevents: Ir Dr\nob=/opt/company/bin/storage\nfl=src/storage.cc", file=f)
        for n, cost in rows:
            print(f"fn={n}\n7 {cost} {cost // 3}", file=f)
        print("fn=main\n1 100 10", file=f)
        for n, cost in rows:
            print(f"cfn={n}\ncalls={cost // 100} 7\n2 {cost} {cost // 3}", file=f)


def verdict(what, ok, *found):
    global failures
    print("ok     " if ok else "FAILED ", what)
    for text in [] if ok else found:
        print(text)
    failures += not ok


def own(terminal, closed=()):
    """The terminal becomes that of this process, to read keys from."""
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    for descriptor in closed:
        os.close(descriptor)


def session_of(pid):
    """Who is left of it."""
    left = []
    for name in os.listdir("/proc"):
        try:
            fields = open(f"/proc/{name}/stat").read().rpartition(")")[2].split()
        except OSError:
            continue
        if name.isdigit() and int(fields[3]) == pid and fields[0] != "Z":
            left.append(name)
    return left


def run(words, columns=80, lines=60, env={}, keys=None):
    return run_for_status(words, columns, lines, env, keys)[0]


def run_for_status(words, columns=80, lines=60, env={}, keys=None, closed=(), killed_by=None):
    """What is on the terminal, where after some time a key is pressed, or irdiff killed, and the exit
    code."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    env = {"TERM": "xterm", "IRDIFF_PAGER": "", "PATH": os.environ["PATH"], **env}
    process = subprocess.Popen([irdiff, *words], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs
                               if keys or killed_by else subprocess.DEVNULL, preexec_fn=lambda: own(theirs, closed),
                               env={k: v for k, v in env.items() if v is not None})

    # What was written just before the last writer closes a terminal can be lost: it is closed after
    # its end has been read.
    def end():
        process.wait()
        os.write(theirs, END)

    threading.Thread(target=end).start()
    output = b""
    if keys or killed_by:
        while b":" not in output:  # less asks for a key
            output += os.read(ours, 65536)
        if keys:
            os.write(ours, keys)
        else:
            process.send_signal(killed_by)
    while not output.endswith(END):
        output += os.read(ours, 65536)
    os.close(theirs)
    os.close(ours)
    if killed_by:
        for _ in range(200):  # they are told to end, and do so when they have a processor
            if not session_of(process.pid):
                break
            time.sleep(0.05)
        verdict("who ends irdiff ends the pager and the work", session_of(process.pid) == [], process.pid)
    return output.removesuffix(END).decode().replace("\r\n", "\n"), process.returncode


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


write("base", 0)
write("head", 7)
COMMANDS = [["diff", "base", "head"], ["diff", "base", "head", "--view=flat"], ["diff", "base", "head", "--view=tree"],
            ["diff", "base", "head", "--view=causes"], ["show", "head"],
            ["show", "head", "--view=tree"], ["show", "head", "--view=calls"]]
for words in COMMANDS:
    name = " ".join(words)
    for columns in (80, 120, 160):
        text = plain(run(words, columns))
        wide = [line for line in text.split("\n") if len(line) > columns]
        verdict(f"{name}: no line is wider than {columns} columns", text and not wide, *wide)
        missing = [w for w in WANTED if w not in text]
        verdict(f"{name}: names say what they are in {columns} columns", not missing, missing, text)
    text = run(words + ["--wide"])
    verdict(f"{name}: --wide has whole names", all(n.replace(" [clone .isra.0]", "") in plain(text)
                                                  for n in NAMES), text)
    verdict(f"{name}: colours in a terminal", "\x1b[" in run(words))
    verdict(f"{name}: … but not with NO_COLOR", "\x1b" not in run(words, env={"NO_COLOR": "1"}))
    verdict(f"{name}: … nor with --color=never", "\x1b" not in run(words + ["--color=never"]))
    piped = subprocess.run([irdiff, *words], capture_output=True, text=True).stdout
    verdict(f"{name}: … nor where there is none", "\x1b" not in piped and piped, piped)
    forced = subprocess.run([irdiff, *words, "--color=always"], capture_output=True, text=True).stdout
    verdict(f"{name}: --color=always", plain(forced) == piped and forced != piped, forced)

# Functions that nothing calls are listed by an audit, one of them with its callers.
with open("roots", "w") as f:
    text = open("head").read()
    f.write(text[:text.index("fn=main")].replace(NAMES[1] + "\n", NAMES[1] + "'main'start\n"))
    print("fn=main\n1 100 10\ncfn=function_0\ncalls=1 7\n2 3200 1066", file=f)
for columns in (80, 120):
    text = plain(run(["show", "roots", "--audit"], columns))
    lines = [line for line in text.split("\n") if any(w in line for w in WANTED)]
    verdict(f"audit: names say what they are in {columns} columns", all(w in text for w in WANTED), text)
    verdict(f"audit: no row is wider than {columns} columns", all(len(line) <= columns for line in lines), *lines)
text = plain(run(["show", "roots", "--audit", "--wide"]))
verdict("audit: --wide has whole names", all(n.replace(" [clone .isra.0]", "") in text for n in NAMES), text)

# What has long names of Rust, paths, lines of source and facts about where it comes from.
RUST = [
    "<company_storage::index::Index<alloc::string::String, u64> as company_storage::Table>::lookup",
    "core::iter::traits::iterator::Iterator::try_for_each::call::{{closure}}",
    "<wordcount::token::Lexer<wordcount::token::Separator> as core::iter::traits::iterator::Iterator>::next",
]
os.makedirs("a_directory_of_a_long_name/and_one_below", exist_ok=True)
SOURCE = os.path.abspath("a_directory_of_a_long_name/and_one_below/lookup_table.rs")
with open(SOURCE, "w") as f:
    for i in range(40):
        print(f"\tlet row_{i} = table.rows.iter().filter(|row| row.key == key && row.is_alive()).map(|row|"
              " row.value.clone()).collect::<Vec<_>>();", file=f)


def write_rust(name, factor):
    """Returns its path, which is long."""
    path = f"a_directory_of_a_long_name/and_one_below/{name}.callgrind"
    with open(path, "w") as f:
        print("cmd: ./target/release/deps/storage --bench --test\n"
              "desc: irdiff.subject.commit: 0123456789abcdef0123456789abcdef01234567\nevents: Ir Dr\n"
              f"ob=/opt/company/bin/storage\nfl={SOURCE}", file=f)
        for i, n in enumerate(RUST):
            print(f"fn={n}\n{7 + i} {45983041 * factor + i} 17653801\n9 {factor} 0", file=f)
        print("fn=main\n1 100 10", file=f)
        for i, n in enumerate(RUST):
            print(f"cfn={n}\ncalls={1234567 * factor} 7\n2 {45983041 * factor + i} 17653801", file=f)
    return path


old, new, third = write_rust("old", 1), write_rust("new", 3), write_rust("third", 2)
for words in (["diff", old, new], ["diff", old, new, "--view=tree"], ["diff", old, new, "--view=causes"],
              ["diff", old, new, "--view=source"], ["diff", old, new, "--fix", third], ["show", new],
              ["show", new, "--view=tree"], ["show", new, "--view=calls"], ["show", new, "--view=source"]):
    name = " ".join(words[:1] + [w for w in words if w.startswith("--")])
    for columns in (80, 100, 140):
        text = plain(run(words, columns))
        wide = [line for line in text.split("\n") if len(line) > columns and "  irdiff " not in line]
        verdict(f"{name}: of long names no line is wider than {columns} columns", text and not wide, *wide)
    text = plain(run(words + ["--wide"]))
    piped = subprocess.run([irdiff, *words], capture_output=True, text=True).stdout
    verdict(f"{name}: --wide, and where there is no terminal, all is whole",
            text.count("…") == piped.count("…") and max(map(len, piped.split("\n"))) > 80, text)

# Events of long names, several bytes each, more than there is room for.
EVENTS = ["Ir", "Dr", "Dw", "I1mr", "größenordnungsmäßige_Zählung_der_Zugriffe_auf_den_Hauptspeicher", "DLmw"]


def write_events(name, factor, environment):
    with open(name, "w") as f:
        print(f"desc: irdiff.env.cpu: {environment}\ndesc: irdiff.env.kernel: {environment} of a long, long name\n"
              "desc: irdiff.subject.threads: 4\ncmd: ./storage", file=f)
        print("events:", " ".join(EVENTS), f"\nob=/opt/company/bin/storage\nfl={SOURCE}", file=f)
        for i, n in enumerate(NAMES):
            print(f"fn={n}\n{7 + i}", " ".join(str(12345678 * (i + 1) * factor + e) for e in range(6)), file=f)
        print("fn=main\n1 100", file=f)
        for i, n in enumerate(NAMES):
            print(f"cfn={n}\ncalls=1000 7\n2", " ".join(str(12345678 * (i + 1) * factor) for _ in EVENTS), file=f)


def fits(what, words, wanted=(), columns=(80, 120), env={}):
    """Nothing is wider, but commands to copy."""
    for width in columns:
        text = plain(run(words, width, env=env))
        wide = [line for line in text.split("\n") if len(line) > width and "  irdiff " not in line]
        verdict(f"{what}: no line is wider than {width} columns", text and not wide, *wide)
    missing = [w for w in wanted if w not in plain(run(words, columns[0], env=env))]
    verdict(f"{what}: … and says what it says", not missing, missing, plain(run(words, columns[0], env=env)))


write_events("few", 1, "one")
write_events("many", 3, "another")
for show in (",".join(EVENTS), ",".join(reversed(EVENTS)), EVENTS[4]):
    n = "one" if show == EVENTS[4] else f"{show.count(',') + 1} from {show[:2]}"
    for view in ("flat", "calls", "source"):
        fits(f"show --view={view} of events, {n}", ["show", "many", f"--view={view}", f"--show={show}"],
             () if n == "one" else ["see them with --wide"])
    fits(f"show --inclusive of events, {n}", ["show", "many", "--inclusive", f"--show={show}"])
    for view in ("flat", "tree", "source"):
        fits(f"diff --view={view} of events, {n}", ["diff", "few", "many", f"--view={view}", f"--show={show}"],
             () if n == "one" else ["more events; see them with --wide"])
whole = plain(run(["diff", "few", "many", "--wide", f"--show={','.join(EVENTS)}"]))
verdict("--wide has all events", all(f"{e} head" in whole for e in EVENTS if len(e) < 20) and
        "more event" not in whole, whole)
title = next(line for line in whole.split("\n") if "Ir head" in line)
verdict("… whose titles are cut between characters", "größenordnu…auptspeicher head" in title, title)

# The answer is on the first screen.
screen = plain(run(["diff", "base", "head"], lines=24)).split("\n")[:24]
at = {word: next((i for i, line in enumerate(screen) if word in line), 99)
      for word in (" → ", "  base ", "Causes of the change", "Largest changes in self cost")}
verdict("the verdict, then the causes, then self costs", list(at.values()) == sorted(at.values()) and
        max(at.values()) < 22, at, *screen)

# Limits, and warnings.
LIMITS = ["Ir=+0.5%", "Ir=+1% fn:weigh", "Ir=+1% fn:lookup", "Dw=+2.5%"]
fits("limits", ["diff", "few", "many", "--check", *(w for limit in LIMITS for w in ("-l", limit))],
     ["WARNING: base and head were measured in different environments", "WARNING: 4 threads: counts depend",
      "exceeded    Ir limit +0.5%: ", "allowed up to", "NOT COMPARABLE"])
fits("a fix", ["diff", "few", "many", "--fix", "many"], ["WARNING: the profiles were measured in different environments"])

# The history of several benchmarks, environments and definitions.
os.makedirs("project", exist_ok=True)
LONG = "storage_of_many_records_with_a_long_name_that_says_more_than_there_is_room_for"
with open("project/irdiff.yml", "w") as f:
    print(f"benchmarks: {{{LONG}: {{command: ./a}}, short: {{command: ./b}}}}", file=f)
with open("project/rows", "w") as f:
    for i in range(12):
        counts = {"Ir": 9123456789 + 987654321 * (i % 5), EVENTS[4]: 7 + i}
        for bench, cpu, definition in ((LONG, "x", "0" * 16), ("short", "x", "0" * 16), (LONG, f"y{i % 5}", "0" * 16),
                                       (LONG, "x", f"{1 + i % 4}" * 16)):
            print(json.dumps({
                "schema": "irdiff/run", "version": 2, "benchmark": bench, "definition": definition,
                "commit": f"{i + 1:x}" * 40, "tree": None, "committed": 1000000000 + 100000 * i,
                "subject": f"Überarbeite die Suche, Teil {i}, so dass sie in jedem Fall ein Ergebnis liefert, und schnell",
                "environment": {"cpu": cpu}, "irdiff": "0.1.0", "valgrind": "3.19.0 of a very long name, from Debian",
                "measured": 1000000000 + (99 if cpu == "x" and definition == "0" * 16 else i), "counts": counts},
                separators=(",", ":"), ensure_ascii=False), file=f)
os.chdir("project")
subprocess.run([irdiff, "history", "--import=rows"], check=True, capture_output=True)
fits("history of all", ["history"], ["storag…oom_for", "short", "over time"])
fits("history", ["history", LONG], ["commits, in environment", "regressed", "Überarbeite di…", "see it with --wide",
                                    "from other environments", "by other definitions"])
fits("history of an event", ["history", LONG, f"--metric={EVENTS[4]}"], ["commits, in environment"])
fits("history in ASCII", ["history", LONG], env={"LC_ALL": "C"})
fits("history of steps", ["history", "short", "--steps"], ["regressed"])
os.chdir("..")

# Names begin in one column, and the numbers before them end in one.
rows = [line for line in plain(run(["diff", "base", "head", "--view=flat"])).split("\n") if "more calls" in line]
verdict("rows are aligned", len({line.index("more calls") for line in rows}) == 1, *rows)

text = plain(run(["diff", "base", "head"]))
verdict("columns without room are named", "… and 2 more columns (Δ incl., self per call); see them with --wide"
        in text, text)
verdict("… if there are any", "more column" not in plain(run(["diff", "base", "head"], 140)))

for lines in (36, 40, 50):
    text = plain(run(["diff", "base", "head"], lines=lines))
    verdict(f"a diff is seen at once in {lines} lines", text.count("\n") < lines, text)
    verdict("… with what is left out and what to do next",
            "more; see them with --top=0" in text and "Source:  irdiff " in text, text)
verdict("--top counts, whatever the screen", "… and 4 more" in
        plain(run(["diff", "base", "head", "--top=30"], lines=36)))

# The command is one that works, and shows what it is about: main itself did not change.
os.makedirs("src", exist_ok=True)
with open("src/storage.cc", "w") as f:
    f.write("int main(void);\n" * 9)
text = plain(run(["diff", "base", "head", "--view=flat"]))
command = re.search(r"Source:  irdiff (.*)", text)[1]
shown = subprocess.run(f"'{irdiff}' {command}", shell=True, capture_output=True, text=True).stdout
verdict("the next step is short enough to copy", len(command) < 70, command)
verdict("… and shows that function", "storage.cc" in shown and "Lines whose self cost changed" in shown, command, shown)

command = re.search(r"Source:  irdiff (.*)", plain(run(["diff", "base", "head"])))[1]
verdict("source that did not change is shown alone", command == "show --view=source 'head' '^main$'", command)

# A pager.
def seen(words=["show", "head"], pager="cat >seen", **env):
    """What the pager is given, None if it is not called; what is on the terminal; the exit code."""
    if os.path.exists("seen"):
        os.remove("seen")
    text, status = run_for_status(words, env={"IRDIFF_PAGER": pager, **env})
    return open("seen").read() if os.path.exists("seen") else None, text, status


whole = run(["show", "head"])
given, text, status = seen()
verdict("a pager is given all, with its colours", given == whole and text == "" and "\x1b[" in given, text)
given, text, status = seen(pager=None, PAGER="cat >seen")
verdict("PAGER is heeded", given == whole and text == "", text)
given, text, status = seen(PAGER="false")
verdict("… but IRDIFF_PAGER before it", given == whole, text)
for pager in ("", "cat"):
    given, text, status = seen(pager=pager, PAGER="cat >seen")
    verdict(f"IRDIFF_PAGER={pager} is none", given is None and text == whole, text)
given, text, status = seen(["--no-pager", "show", "head"])
verdict("--no-pager is none", given is None and text == whole, text)
given, text, status = seen(TERM="dumb")
verdict("a terminal that cannot place text has none", given is None and text == whole, text)
given, text, status = seen(["convert", "--help"])
verdict("what is not to be read in a table has none", given is None and text, text)
given, text, status = seen(pager="no-such-pager")
verdict("without the pager it is written as it is", text == whole and status == 0, text, status)
given, text, status = seen(pager="./base")
verdict("… and if it cannot be executed", text == whole and status == 0, text, status)
text, status = run_for_status(["show", "head"], env={"IRDIFF_PAGER": "cat "}, closed=[0])
verdict("it reads what it is given where standard input is closed", text == whole and status == 0, text)
if os.path.exists("seen"):
    os.remove("seen")
piped = subprocess.run([irdiff, "show", "head"], capture_output=True, text=True,
                       env={**os.environ, "IRDIFF_PAGER": "cat >seen", "TERM": "xterm"}).stdout
verdict("there is none where there is no terminal", not os.path.exists("seen") and piped)
check = ["diff", "base", "head", "--check", "-l", "Ir=+0"]
for pager in ("cat >seen", "true", "head -n 1", "no-such-pager", ""):
    text, status = run_for_status(check, env={"IRDIFF_PAGER": pager})
    verdict(f"the exit code is kept with the pager '{pager}'", status == 1 and "cannot write" not in text,
            status, text)
text, status = run_for_status(["show", "nothing"], env={"IRDIFF_PAGER": "cat >seen"})
verdict("… and that of an error, with nothing to read", status == 2 and text == "", status, text)
if shutil.which("less"):
    text, status = run_for_status(["show", "head"], env={"IRDIFF_PAGER": None})
    verdict("less does not ask about what fits", plain(text).count("sqlite3") and status == 0, status)
    text, status = run_for_status(["show", "head", "--threshold=0"], lines=6, env={"IRDIFF_PAGER": None}, keys=b"q")
    verdict("less is quit by a key, which is no error", status == 0 and "storage" in text and "main" not in text,
            status, text)
    text, status = run_for_status(["show", "head"], lines=12, env={"IRDIFF_PAGER": None},
                                  killed_by=signal.SIGTERM)
    verdict("… and it ends by that signal", status == -signal.SIGTERM, status)
else:
    print("less is not installed (apt-get install less): it is not tried")

print(f"{failures} failed")
sys.exit(failures > 0)
END
