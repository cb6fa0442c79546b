#!/usr/bin/env python3
"""Usage: make.py DIRECTORY [COMMITS]

Makes a git repository in a new DIRECTORY, with irdiff.yml, and DIRECTORY/rows with what benchmarks counted at
its commits: for irdiff history --import. DIRECTORY/truth.json says what a site of it has to show. Names,
subjects, authors and tags are hostile.

Without COMMITS there are 40 on main, of which every seventh was not measured, and one of a merged branch.
"""
import json
import os
import subprocess
import sys

EVIL = "</script><img src=x onerror=alert(1)>"
AUTHORS = ["Jane Doe", "Eve '\"&\u202e" + EVIL.replace("<", "\u2039").replace(">", "\u203a") + " {alert(1)}"]
TAGS = {10: "v1.0", 25: "v2<img-src=x-onerror=alert(1)>", 26: "v2.1"}
BENCHES = ["parse/small", "parse/large", "sort", "x" + EVIL, "quote'\"&%", "long-" + "n" * 150]
METRICS = {"Ir": 1, "Dr": 4}


def run(directory, *words, text=None):
    clean = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    done = subprocess.run(words, cwd=directory, input=text, capture_output=True, check=True,
                          env={**clean, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"})
    return done.stdout.decode()


def subject_of(i):
    return f"Change {i}" + (f": {EVIL} \u202e\u2028 \\ \" end" if i % 5 == 0 else "")


def data(text):
    return f"data {len(text.encode())}\n{text}\n"


def commit(i, ref, mark, merged=None):
    person = f"{AUTHORS[i % 2]} <secret@example.com> {1700000000 + 86400 * i} +0000"
    return (f"commit {ref}\nmark :{mark}\nauthor {person}\ncommitter {person}\n" + data(subject_of(i)) +
            (f"merge {merged}\n" if merged else "") + "M 644 inline file\n" + data(str(i)))


def stream(count):
    """Commit 20 merges a branch with one commit."""
    out = []
    for i in range(count):
        if i == 20:
            side = commit(1000, "refs/heads/side", 5000)
            out.append(side.replace("M 644", f"from :{i}\nM 644", 1))
        out.append(commit(i, "refs/heads/main", i + 1, ":5000" if i == 20 else None))
        if i == 25:
            out.append(f"tag v1.0\nfrom :11\ntagger T <t@t> 1700000000 +0000\n" + data("The first"))
    for i, name in TAGS.items():
        if i < count and i != 10:
            out.append(f"reset refs/tags/{name}\nfrom :{i + 1}\n\n")
    return "".join(out)


def ir_of(bench, i):
    """Level, with a step up at 15, one down at 30, and in `sort` noise that its tolerance allows."""
    base = 1_000_000 + 1000 * BENCHES.index(bench)
    noise = 400 * (i % 2) if bench == "sort" else 0
    return base + noise + (250_000 if i >= 15 else 0) - (50_000 if i >= 30 else 0)


def row(bench, commit_id, i, subject, environment, definition, counts):
    return json.dumps({
        "schema": "irdiff/run", "version": 2, "benchmark": bench, "definition": definition, "commit": commit_id,
        "tree": None, "committed": 1700000000 + 86400 * i, "subject": subject, "environment": environment,
        "irdiff": "0.1.0", "valgrind": "3.19.0", "measured": 1800000000 + i, "counts": dict(sorted(counts.items())),
    }, ensure_ascii=False, separators=(",", ":"))


def history_subject(subject):
    """As irdiff profile writes it."""
    return subject.replace("\u202e", "\\xe2\\x80\\xae").replace("\u2028", "\\xe2\\x80\\xa8")


def main():
    directory = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    os.makedirs(directory)
    run(directory, "git", "init", "-q", "-b", "main", ".")
    run(directory, "git", "fast-import", "--quiet", text=stream(count).encode())
    run(directory, "git", "reset", "-q", "--hard")
    ids = run(directory, "git", "rev-list", "--first-parent", "--reverse", "main").split()
    side = run(directory, "git", "rev-parse", "side").strip()
    with open(f"{directory}/irdiff.yml", "w") as f:
        f.write("benchmarks: {sort: {command: [./sort], tolerance: {Ir: 500}, tags: [quick, slow]},\n"
                "             parse: {command: [./parse], tags: [slow]}}\n")
    rows, truth = [], {"ids": ids, "benches": {}}
    for bench in BENCHES:
        points = []
        for i, commit_id in enumerate(ids):
            if i % 7 == 3:
                continue
            counts = {metric: ir_of(bench, i) // part for metric, part in METRICS.items() if metric == "Ir" or i >= 5}
            rows.append(row(bench, commit_id, i, history_subject(subject_of(i)), {"cpu": "new<b>", "freeze_library": "9dd709a98c12c1bd9670237b8c056ab135e8d7d1", "valgrind": "3.19.0"}, "0123456789abcdef", counts))
            points.append([i, counts])
        truth["benches"][bench] = points
        rows.append(row(bench, side, 1000, history_subject(subject_of(1000)), {"cpu": "new<b>", "freeze_library": "9dd709a98c12c1bd9670237b8c056ab135e8d7d1", "valgrind": "3.19.0"}, "0123456789abcdef", {"Ir": 5}))
    for i, commit_id in enumerate(ids[:5]):  # what was measured elsewhere, and by another definition
        rows.append(row("sort", commit_id, i - 1000, f"Old {i}", {"cpu": "old", "freeze_library": "739e9dfa1ed3a4b574947bf1791fc97c754b7bdc", "valgrind": "3.19.0"}, "0123456789abcdef", {"Ir": 77 + i})
                    .replace(f'"subject":"Old {i}"', '"subject":' + json.dumps(history_subject(subject_of(i)), ensure_ascii=False))
                    .replace(f'"committed":{1700000000 + 86400 * (i - 1000)}', f'"committed":{1700000000 + 86400 * i}'))
    with open(f"{directory}/rows", "w") as f:
        f.write("\n".join(rows) + "\n")
    with open(f"{directory}/truth.json", "w") as f:
        json.dump(truth, f)


if __name__ == "__main__":
    main()
