"""The comments of one pull request of GitHub and one merge request of GitLab, on this machine.

A Forge is a server on a port of its own. Its comments are dictionaries with id, body, owner (a name;
ours is "irdiff") and bot; anybody's may be changed, as on GitHub. `requests` has what was asked: method, path, and the document sent.
`faults` are answers that are given instead of what was asked, one for each request, first ones
first: a function of the handler, or None to answer as asked. Who the token is of is asked elsewhere,
which `asked_who` counts and `viewer_faults` are for.
"""

import http.server
import json
import re
import threading
import urllib.parse

TOKEN = "ghs_S3cretS3cretS3cret"
PLACES = {
    "github": ("/repos/o/r/issues/7/comments", "/repos/o/r/issues/comments/", "PATCH"),
    "gitlab": ("/projects/42/merge_requests/7/notes", "/projects/42/merge_requests/7/notes/", "PUT"),
}


class Forge(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, service="github"):
        super().__init__(("127.0.0.1", 0), Handler)
        self.service = service
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.comments, self.requests, self.faults = [], [], []
        self.read_only = False
        self.viewer = "irdiff"  # whose the token is; None: it is not told
        self.viewer_faults = []
        self.asked_who = 0
        self.page_size = 100
        self.next_page = None  # instead of where the next page is
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def add(self, body, owner="irdiff", bot=True):
        self.comments.append({"id": 100 + len(self.comments), "body": body, "owner": owner, "bot": bot})
        return self.comments[-1]

    def asked(self):
        """The methods of all requests."""
        return [method for method, _, _ in self.requests]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, status, document, headers=()):
        text = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(text)
        except OSError:
            self.close_connection = True  # it had enough

    def shown(self, comment):
        forge = self.server
        document = {"id": comment["id"], "body": comment["body"]}
        if forge.service == "github":
            document["html_url"] = f"{forge.url}/o/r/pull/7#issuecomment-{comment['id']}"
            document["user"] = {"login": comment["owner"], "type": "Bot" if comment["bot"] else "User"}
        else:
            document["author"] = {"username": comment["owner"]}
            document["system"] = False
        return document

    def answer(self):
        forge = self.server
        size = int(self.headers.get("Content-Length") or 0)
        sent = json.loads(self.rfile.read(size)) if size else None
        url = urllib.parse.urlsplit(self.path)
        who = (self.command, url.path) == (("POST", "/graphql") if forge.service == "github" else ("GET", "/user"))
        if not who:
            forge.requests.append((self.command, self.path, sent))
        expected = {"github": ("Authorization", f"Bearer {TOKEN}"), "gitlab": ("PRIVATE-TOKEN", TOKEN)}
        name, value = expected[forge.service]
        if not re.fullmatch(r"irdiff/\d.*", self.headers.get("User-Agent", "")):
            return self.send(400, {"message": "no user agent"})
        if self.headers.get(name) != value:
            return self.send(401, {"message": "Bad credentials"})
        if who:
            return self.tell_who(sent)
        fault = forge.faults.pop(0) if forge.faults else None
        if fault:
            return fault(self)
        self.as_asked(url, sent)

    def tell_who(self, sent):
        forge = self.server
        forge.asked_who += 1
        if forge.viewer_faults:
            return forge.viewer_faults.pop(0)(self)
        if forge.service == "gitlab":
            return self.send(200, {"id": 5, "username": forge.viewer})
        if "viewer" not in sent["query"]:
            return self.send(400, {"message": "no such query"})
        if not forge.viewer:
            return self.send(403, {"message": "Resource not accessible by integration"})
        self.send(200, {"data": {"viewer": {"login": forge.viewer}}})

    def as_asked(self, url, sent):
        forge = self.server
        every, one, update = PLACES[forge.service]
        if self.command == "GET" and url.path == every:
            return self.list(urllib.parse.parse_qs(url.query))
        if self.command == "POST" and url.path == every:
            if forge.read_only:
                return self.send(403, {"message": "Resource not accessible by integration"})
            return self.send(201, self.shown(forge.add(sent["body"])))
        if self.command == update and url.path.startswith(one):
            for comment in forge.comments:
                if url.path == one + str(comment["id"]):
                    if forge.read_only:
                        return self.send(403, {"message": "Forbidden"})
                    comment["body"] = sent["body"]
                    return self.send(200, self.shown(comment))
        self.send(404, {"message": "Not Found"})

    def list(self, query):
        forge = self.server
        page, size = int(query.get("page", ["1"])[0]), forge.page_size
        headers = []
        if page * size < len(forge.comments):
            here = f"{forge.url}{PLACES[forge.service][0]}?per_page={size}&page="
            after = forge.next_page or f"{here}{page + 1}"
            headers = [("Link", f'<{here}1>; rel="first", <{after}>; rel="next"')]
        shown = [self.shown(c) for c in forge.comments[(page - 1) * size : page * size]]
        self.send(200, shown, headers)

    do_GET = do_POST = do_PUT = do_PATCH = answer


def says(status, document=None, **headers):
    """A fault: this status."""
    named = [(name.replace("_", "-"), str(value)) for name, value in headers.items()]
    return lambda handler: handler.send(status, document or {"message": "as the test wants"}, named)
