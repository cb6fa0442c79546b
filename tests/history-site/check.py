#!/usr/bin/env python3
"""Usage: check.py SITE TRUTH [HISTORY.json]

The files of a site are well-formed and say what make.py made, and steps as `irdiff history --format=json` has them.
"""
import json
import pathlib
import re
import sys
import xml.dom.minidom

problems = []


def expect(condition, words):
    if not condition:
        problems.append(words)


class Site:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.index = self.script("data")

    def script(self, name):
        """The value of a script, which must be one call with JSON that JavaScript reads in the same way."""
        text = (self.path / f"{name}.js").read_text()
        begin = f'irdiff("{name}",'
        expect(text.startswith(begin) and text.endswith(");\n") and "<" not in text and "__proto__" not in text, f"{name}.js: {text[:60]}")
        return json.loads(text[len(begin):-3])

    def pieces(self, flat, name):
        for chunk, version in zip(flat[::2], flat[1::2]):
            expect(re.fullmatch("[0-9a-f]{10}", version), f"version {version}")
            yield chunk * self.index["chunk"], self.script(f"{name}{chunk}")

    def commits(self):
        found = {}
        for _, piece in self.pieces(self.index["commits"], "commits/"):
            for i, number in enumerate(piece["number"]):
                found[number] = {key: piece[key][i] for key in ("id", "subject", "author", "committed")}
        return found

    def series(self, bench, raw):
        """{metric: {commit number: (count, step)}}"""
        found = {}
        for number, piece in self.pieces(raw["pieces"], f"bench/{bench}/{raw['id']}-"):
            numbers = []
            for distance in piece["at"]:
                number += distance
                numbers.append(number)
            for metric in piece["metrics"]:
                steps, count = dict(zip(metric["steps"][::2], metric["steps"][1::2])), 0
                expect(len(metric["counts"]) == len(numbers), f"{bench}: a count for each commit")
                for i, value in enumerate(metric["counts"]):
                    if value is None:
                        continue
                    count = int(value) if isinstance(value, str) else count + value
                    found.setdefault(metric["name"], {})[numbers[i]] = (count, steps.get(i, 0))
        return found


def check_files(site):
    page = (site.path / "index.html").read_text()
    expect("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'\"" in page, "the policy")
    expect(not re.search(r"<script(?![^>]*\ssrc=)|\son\w+=|<style|\sstyle=|javascript:", page), "nothing inline in the page")
    expect(not re.search(r"(?:https?:)?//", page), "nothing from elsewhere in the page")
    for badge in site.path.rglob("*.svg"):
        root = xml.dom.minidom.parse(str(badge)).documentElement
        expect(root.tagName == "svg" and not root.getElementsByTagName("img") and not root.getElementsByTagName("script"), f"{badge}")
    listed = (site.path / "irdiff-files.txt").read_text().splitlines()[1:]
    there = sorted(str(p.relative_to(site.path)) for p in site.path.rglob("*") if p.is_file())
    expect(listed == sorted(listed), "the list is sorted")
    expect(set(there) - set(listed) <= {"irdiff-files.txt", "CNAME"} and not set(listed) - set(there), f"the list: {set(listed) ^ set(there)}")
    for path in there:
        expect(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._/-]*", path) and ".." not in path, f"the name {path}")
        expect("secret@" not in (site.path / path).read_text(errors="replace"), f"an address in {path}")


def check_bench(site, name, points, commits, truth):
    summary = next((b for b in site.index["benches"] if b["name"] == name), None)
    if not summary:
        expect(False, f"{name} is missing")
        return None
    bench = site.script(f"bench/{summary['id']}/bench")
    shown = site.series(summary["id"], bench["series"][bench["shown"]])
    expect(bench["metric"] == "Ir" and summary["metric"] == "Ir", f"{name}: Ir is shown")
    for metric in "Ir", "Dr":
        wanted = {i: counts[metric] for i, counts in points if metric in counts}
        expect({i: count for i, (count, _) in shown[metric].items()} == wanted, f"{name}: {metric}")
    steps = {i: step for i, (_, step) in shown["Ir"].items() if step}
    expect(steps == {15: 1, 30: -1}, f"{name}: steps {steps}")
    last = points[-1][1]["Ir"]
    expect(summary["count"] == last and summary["commits"] == len(points), f"{name}: {summary}")
    since = [value for tag in site.index["tags"][1::2] for value in
             ([c["Ir"] for i, c in points if i <= tag][-1], 1 if tag < 15 else -1)]
    expect(summary["since"] == since and summary["level"] is False, f"{name}: since tags {summary['since']}, not {since}")
    step = summary["step"]
    expect((step["number"], step["count"], step["id"]) == (30, dict(points)[30]["Ir"], truth["ids"][30]) and
           step["author"] == "Jane Doe" and step["before"] == dict(points)[29]["Ir"], f"{name}: last step {step}")
    expect(set(commits) >= set(shown["Ir"]) and all(commits[i]["id"] == truth["ids"][i] for i in shown["Ir"]), f"{name}: ids")
    expect(re.fullmatch(r"[a-z0-9-]{1,61}", summary["id"]), f"{name}: {summary['id']}")
    return bench, shown


def check_history(shown, name, history):
    """Counts and steps are those of `irdiff history`."""
    series = next(b for b in history["benchmarks"] if b["name"] == name)
    kinds = {"regressed": 1, "improved": -1, None: 0}
    wanted = [(p["count"], kinds[p["step"]]) for p in series["points"]]
    expect([shown["Ir"][i] for i in sorted(shown["Ir"])] == wanted, f"{name}: not as in irdiff history")


def main():
    site, truth = Site(sys.argv[1]), json.loads(pathlib.Path(sys.argv[2]).read_text())
    commits = site.commits()
    check_files(site)
    expect(len(site.index["benches"]) == len(truth["benches"]), "all benchmarks")
    expect(site.index["tags"] == ["v1.0", 10, "v2<img-src=x-onerror=alert(1)>", 25, "v2.1", 26], f"tags {site.index['tags']}")
    history = json.loads(pathlib.Path(sys.argv[3]).read_text()) if len(sys.argv) > 3 else None
    for name, points in truth["benches"].items():
        found = check_bench(site, name, points, commits, truth)
        if found and history:
            check_history(found[1], name, history)
        if found and name == "sort":
            bench, _ = found
            expect(len(bench["series"]) == 2 and bench["series"][bench["shown"]]["facts"] == ["cpu", "CPU features", "new<b>", "freeze_library", "freeze library", "9dd709a98c12c1bd9670237b8c056ab135e8d7d1", "valgrind", "Valgrind", "3.19.0"], "sort: two environments")
            expect(bench["series"][0]["metrics"][0] == {"name": "Ir", "tolerance": 500, "share": 0.0, "threshold": 0.0005, "least": 100}, "sort: its tolerance")
            other = next(s for i, s in enumerate(bench["series"]) if i != bench["shown"])
            expect(site.series(site_id(site, name), other)["Ir"] == {i: (77 + i, 0) for i in range(5)}, "sort: the other environment")
    for problem in problems:
        print(problem)
    sys.exit(bool(problems))


def site_id(site, name):
    return next(b["id"] for b in site.index["benches"] if b["name"] == name)


if __name__ == "__main__":
    main()
