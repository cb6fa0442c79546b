#!/usr/bin/env python3
"""Usage: mock.py [--source=DIRECTORY] SHAPE OUT.html
       mock.py --list

Fills the page of the HTML report with made-up data: shapes that real profiles rarely have. The
report's own writer fills it in the same way; what the data has to look like is said in
data/page/model.js, and what is in it by the functions below.
"""
import base64
import hashlib
import html
import json
import pathlib
import random
import re
import sys

EVENTS = [("Ir", "Instructions"), ("Dr", "Data reads"), ("Dw", "Data writes"),
          ("I1mr", "L1 instruction misses"), ("D1mr", "L1 read misses"), ("D1mw", "L1 write misses"),
          ("ILmr", "LL instruction misses"), ("DLmr", "LL read misses"), ("DLmw", "LL write misses")]
DERIVED = [("L1hits", "L1 hits", [1, 1, 1, -1, -1, -1, 0, 0, 0]),
           ("LLhits", "LL hits", [0, 0, 0, 1, 1, 1, -1, -1, -1]),
           ("RAMhits", "RAM hits", [0, 0, 0, 0, 0, 0, 1, 1, 1]),
           ("EstCycles", "Estimated cycles", [1, 1, 1, 4, 4, 4, 30, 30, 30])]
IN_BASE, IN_HEAD, INLINED_BASE, INLINED_HEAD, ESTIMATED, REST = 1, 2, 4, 8, 16, 32


# ---- the page ----

def scripts(source):
    """The files of the script in their order, which data/sources.am knows."""
    makefile = (source / "data/sources.am").read_text().replace("%D%", "data")
    listed = re.search(r"^page_scripts = \\\n((?:.*\\\n)*.*)", makefile, re.M).group(1)
    return [source / path for path in listed.replace("\\", " ").split()]


def digest(text):
    return "'sha256-%s'" % base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def fill(source, report):
    """The whole page. Placeholders are found in the template only, not in what replaces them."""
    style = "".join((source / "data/page" / name).read_text() for name in ("base.css", "page.css"))
    script = "".join(path.read_text() for path in scripts(source))
    csp = ("default-src 'none'; script-src %s; style-src %s; img-src data:; base-uri 'none'; "
           "form-action 'none'" % (digest(script), digest(style)))
    data = json.dumps(report, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    values = {"CSP": csp, "TITLE": html.escape(report["title"]), "STYLE": style, "DATA": data,
              "SCRIPT": script}
    template = (source / "data/page/page.html").read_text()
    used = re.findall(r"@([A-Z]+)@", template)
    assert sorted(used) == sorted(values), f"placeholders: {used}"
    return re.sub(r"@([A-Z]+)@", lambda match: values[match.group(1)], template)


# ---- making reports ----

class Report:
    """Texts, and benches that share them."""

    def __init__(self, title="parse", **more):
        self.strings, self.numbers = [""], {"": 0}
        self.benches = []
        self.more = {"version": 2, "generator": "irdiff 0.1", "title": title,
                     "created": "2026-11-21 10:00", "rounded": False, "failed": [], **more}

    def text(self, text):
        if text not in self.numbers:
            self.numbers[text] = len(self.strings)
            self.strings.append(text)
        return self.numbers[text]

    def data(self):
        return {**self.more, "strings": self.strings, "benches": self.benches}


class Node:
    """A path: costs of its own on both sides (None: not on that side) and what it calls."""

    def __init__(self, fn, base, head, calls=(1, 1), flags=0, note=None, rest=0):
        self.fn, self.base, self.head, self.calls = fn, base, head, calls
        self.flags = flags | (IN_BASE if base else 0) | (IN_HEAD if head else 0)
        self.note, self.rest, self.children = note, rest, []

    def add(self, *args, **kwargs):
        child = Node(*args, **kwargs)
        self.children.append(child)
        return child


def machine_code(rows, missing=()):
    """The code of a function of which base is vectorised: `rows` are [mark, Ir of base, Ir of head, text, place] and perhaps the jumps, or None."""
    side = lambda which: {"executed": sum(1 for row in rows if row and row[which]), "self": events_of(sum(row[which] or 0 for row in rows if row)),
                          "vector": events_of(300 if which == 1 else 0), "missing": list(missing)}
    costs = lambda n: None if n is None else events_of(n)
    return {"base": side(1), "head": side(2), "cut": None in rows,
            "rows": [row and [row[0], costs(row[1]), costs(row[2]), *row[3:]] for row in rows]}


def events_of(instructions, seed=0):
    """Believable other events for a number of instructions."""
    n = int(instructions)
    parts = [1, 0.24, 0.11, 0.0004, 0.006, 0.002, 0.0002, 0.0008, 0.0006]
    wobble = 1 + (seed * 37 % 17) / 40
    return [n] + [int(n * part * wobble) for part in parts[1:]]


def walk(root):
    """(node, index of its parent) in pre-order, without recursion."""
    stack, index = [(root, -1)], 0
    while stack:
        node, parent = stack.pop()
        yield node, parent
        stack.extend((child, index) for child in reversed(node.children))
        index += 1


def columns(rows):
    return [list(column) for column in zip(*rows)] if rows else [[] for _ in EVENTS]


ZERO = [0] * len(EVENTS)


def encode_tree(root, side):
    tree = {"function": [], "up": [], "flags": [], "rest": {}, "notes": {}}
    base, delta, calls = [], [], ([], [])
    kept = {}
    for index, (node, parent) in enumerate(walk(root)):
        here = {"base": node.base, "head": node.head, "diff": True}[side]
        if not here:
            continue
        at = kept[index] = len(tree["function"])
        tree["function"].append(node.fn)
        tree["up"].append(0 if parent < 0 else at - kept[parent])
        tree["flags"].append(node.flags | (REST if node.rest else 0))
        for k in range(2):
            calls[k].append(node.calls[k])
        b, h = node.base or ZERO, node.head or ZERO
        base.append(b if side != "head" else h)
        delta.append([y - x for x, y in zip(b, h)])
        if node.rest:
            tree["rest"][str(at)] = node.rest
        if node.note:
            tree["notes"][str(at)] = node.note
    if side != "head":
        tree["baseCalls"], tree["base"] = calls[0], columns(base)
    if side != "base":
        tree["headCalls"] = calls[1]
        tree["head"] = columns(delta if side == "diff" else base)
    return tree


def inclusive(root):
    """Of every node: (base, head) of Ir and all other events."""
    order = list(walk(root))
    sums = [[list(node.base or ZERO), list(node.head or ZERO)] for node, _ in order]
    for index in range(len(order) - 1, 0, -1):
        parent = order[index][1]
        for side in range(2):
            sums[parent][side] = [a + b for a, b in zip(sums[parent][side], sums[index][side])]
    return sums


def encode_flat(report, root, every):
    """One row per function, those that changed first; of recursion, inclusive has what is outermost."""
    rows, above = {}, []  # above: of each node, the functions of its callers
    for index, ((node, parent), both) in enumerate(zip(walk(root), inclusive(root))):
        above.append(above[parent] if parent >= 0 else frozenset())
        outermost = node.fn not in above[index]
        above[index] |= {node.fn}
        if node.rest:
            continue
        row = rows.setdefault(node.fn, {"self": [list(ZERO), list(ZERO)], "incl": [list(ZERO), list(ZERO)],
                                        "calls": [0, 0], "flags": 0})
        row["flags"] |= node.flags & 15
        for side, own in enumerate((node.base or ZERO, node.head or ZERO)):
            row["self"][side] = [a + b for a, b in zip(row["self"][side], own)]
            if outermost:
                row["incl"][side] = [a + b for a, b in zip(row["incl"][side], both[side])]
            row["calls"][side] += node.calls[side] or 0
    change = lambda row: abs(row["self"][1][0] - row["self"][0][0])
    chosen = sorted((fn for fn in rows if every or change(rows[fn])), key=lambda fn: (-change(rows[fn]), fn))
    take = lambda key, side: columns([rows[fn][key][side] for fn in chosen])
    delta = lambda key: columns([[b - a for a, b in zip(*rows[fn][key])] for fn in chosen])
    return {"function": chosen, "baseFunction": chosen, "match": [0] * len(chosen),
            "flags": [rows[fn]["flags"] for fn in chosen],
            "baseCalls": [rows[fn]["calls"][0] for fn in chosen], "headCalls": [rows[fn]["calls"][1] for fn in chosen],
            "baseSelf": take("self", 0), "headSelf": delta("self"),
            "baseInclusive": take("incl", 0), "headInclusive": delta("incl"),
            "reason": [report.text(reason_of(rows[fn])) for fn in chosen]}


def reason_of(row):
    base, head = row["self"][0][0], row["self"][1][0]
    if not row["flags"] & IN_BASE:
        return "new"
    if not row["flags"] & IN_HEAD:
        return "removed"
    if row["calls"][0] != row["calls"][1]:
        return "more calls" if head > base else "fewer calls"
    return "costs more per call" if head > base else "costs less per call" if head < base else "equal"


def metrics_of(base, head):
    count = len(EVENTS)
    metrics = [(name, long, [int(i == k) for i in range(count)]) for k, (name, long) in enumerate(EVENTS)]
    weigh = lambda weights, costs: costs and sum(w * c for w, c in zip(weights, costs))
    return [{"name": name, "long": long, "weights": weights, "base": weigh(weights, base), "head": weigh(weights, head)}
            for name, long, weights in metrics + DERIVED]


def causes_of(root):
    """A cause for each path whose own cost changed: good enough to look at."""
    causes = []
    order = list(walk(root))
    for node, parent in order:
        b, h = (node.base or ZERO)[0], (node.head or ZERO)[0]
        if b == h or node.rest:
            continue
        kind, reason = "self", "self"
        if not node.base:
            kind, reason = "new", "calls something new"
        elif not node.head:
            kind, reason = "removed", "no longer calls it"
        elif node.calls[0] != node.calls[1]:
            kind, reason = "calls", f"calls it {'more' if h > b else 'less'} often"
        causes.append({"kind": kind, "reason": reason, "function": node.fn,
                       "caller": order[parent][0].fn if parent >= 0 and kind != "self" else -1,
                       "baseCalls": node.calls[0] or 0, "headCalls": node.calls[1] or 0,
                       "delta": h - b, "paths": 1,
                       "estimated": bool(node.flags & ESTIMATED),
                       **({"note": node.note} if node.note else {})})
    causes.sort(key=lambda cause: -abs(cause["delta"]))
    return causes[:40]


def origin(name, when):
    return {"name": name, "path": f"profiles/{name}.callgrind", "command": f"./bench-{name} parse data/big.json",
            "commit": hashlib.sha1(name.encode()).hexdigest(), "when": when, "inlining": "exact"}


def add_bench(report, name, functions, root, single=False, every=True, **more):
    """`functions`: (name, object, file); `root`: Node or None for no calls at all."""
    sums = inclusive(root)[0] if root else [list(ZERO), list(ZERO)]
    base, head = sums
    verdict = "regressed" if head[0] > base[0] else "improved" if head[0] < base[0] else "unchanged"
    table = {"name": [], "object": [], "file": []}
    for row in functions:
        for key, text in zip(table, row):
            table[key].append(report.text(text))
    flat = encode_flat(report, root, every) if root else encode_flat(report, Node(-1, ZERO, ZERO, rest=1), True)
    if single:
        for key in ("Self", "Inclusive"):
            flat["head" + key] = [[a + b for a, b in zip(x, y)] for x, y in zip(flat["base" + key], flat["head" + key])]
            flat["base" + key] = []
    sides = [] if not root else ["head"] if single else ["base", "head", "diff"]
    bench = {"name": name, "base": None if single else origin("main", "2026-11-20 17:02"),
             "head": origin("branch", "2026-11-21 09:58"), "metric": "Ir",
             "verdict": "none" if single else verdict, "limits": [],
             "events": [{"name": event, "long": long} for event, long in EVENTS],
             "metrics": metrics_of(None if single else base, head), "functions": table, "flat": flat,
             "trees": {side: encode_tree(root, side) if side in sides else None for side in ("base", "head", "diff")},
             "causes": causes_of(root) if root and not single else [], "causesDelta": head[0] - base[0],
             "sources": [], "environment": [], "insights": [], "notes": []}
    bench.update(more)
    report.benches.append(bench)
    return bench


# ---- shapes ----

def demo(report=None, name="parse"):
    """What a regression usually looks like, with a little of everything."""
    report = report or Report("parse")
    files = ["main", "read_file", "parse_document", "parse_record", "skip_field", "get_field", "hash_key",
             "write_summary", "format_number", "compare_keys", "sort_keys", "old_scan", "trim", "push_back"]
    functions = [(fn, "/usr/local/bin/parser", "src/parser.c") for fn in files]
    functions += [("malloc", "/usr/lib/x86_64-linux-gnu/libc.so.6", "malloc.c"),
                  ("_int_malloc", "/usr/lib/x86_64-linux-gnu/libc.so.6", "malloc.c"),
                  ("memcpy@@GLIBC_2.14", "/usr/lib/x86_64-linux-gnu/libc.so.6", ""),
                  ("vfprintf", "/usr/lib/x86_64-linux-gnu/libc.so.6", "vfprintf-internal.c"),
                  ("std::vector<std::pair<int, std::string>, std::allocator<std::pair<int, std::string>>>::push_back(std::pair<int, std::string> const&)",
                   "/usr/local/bin/parser", "/usr/include/c++/12/bits/stl_vector.h")]
    ids = {fn: i for i, (fn, _, _) in enumerate(functions)}
    e = lambda n, seed=1: events_of(n, seed)
    root = Node(ids["main"], e(52000), e(52000))
    read = root.add(ids["read_file"], e(1240000), e(1240000), (12, 12))
    read.add(ids["memcpy@@GLIBC_2.14"], e(2100000, 5), e(2100000, 5), (480, 480))
    document = root.add(ids["parse_document"], e(810000), e(812000), (12, 12))
    record = document.add(ids["parse_record"], e(2160000), e(2500000), (20000, 20000))
    record.add(ids["skip_field"], e(11520000, 2), e(7200000, 2), (160000, 100000))
    get = record.add(ids["get_field"], None, e(3960000), (0, 160000))
    get.add(ids["skip_field"], None, e(40320000, 2), (0, 560000), flags=ESTIMATED)
    record.add(ids["old_scan"], e(3120000, 3), None, (20000, 0))
    record.add(ids["trim"], e(940000), e(690000), (40000, 40000), flags=INLINED_BASE | INLINED_HEAD,
               note="was strip, called by parse_record in base")
    push = record.add(len(functions) - 1, e(1850000, 4), e(1850000, 4), (20000, 20000), flags=INLINED_HEAD)
    malloc = push.add(ids["malloc"], e(420000), e(505000), (20000, 24000))
    malloc.add(ids["_int_malloc"], e(1230000), e(1480000), (20000, 24000))
    document.add(ids["hash_key"], e(2480000), e(2480000), (60000, 60000))
    sort = root.add(ids["sort_keys"], e(1920000), e(1690000), (12, 12))
    sort.add(ids["compare_keys"], e(3340000), e(2820000), (180000, 152000))
    out = root.add(ids["write_summary"], e(130000), e(130000), (1, 1))
    out.add(ids["vfprintf"], e(960000), e(960000), (5200, 5200))
    out.add(ids["format_number"], e(310000), e(402000), (5200, 5200))
    root.add(-1, e(88000), e(90500), rest=214)
    bench = add_bench(report, name, functions, root, verdict="exceeded")
    total = {side: bench["metrics"][0][side] for side in ("base", "head")}
    bench["limits"] = [
        {"status": "exceeded", "fails": True, "metric": "Ir", "function": None, "limit": "+1%", "name": None, **total},
        {"status": "pass", "metric": "Dw", "function": None, "limit": "+200%", "name": None,
         "base": bench["metrics"][2]["base"], "head": bench["metrics"][2]["head"]},
        {"status": "no base", "metric": "Ir", "function": "^get_", "limit": "+0.5%", "name": "get_field", "place": "libscan.so", "inclusive": True,
         "base": None, "head": 3960000},
        {"status": "no match", "metric": "Ir", "function": "libgone.so", "isModule": True, "limit": "+2%", "name": None, "base": None, "head": None}]
    bench["cancelled"] = [{"function": ids["old_scan"], "inlined": True, "how": "removed", "delta": -3120000},
                          {"function": ids["get_field"], "inlined": False, "how": "new", "delta": 3960000}]
    bench["sources"] = [demo_source(ids["parse_record"], "src/parser.c"), demo_source(ids["skip_field"], "src/scan.c")]
    bench["environment"] = [{"key": "cpu", "base": "AMD EPYC 7763", "head": "Intel Xeon Platinum 8370C",
                             "effect": "Libraries choose functions by it.", "remedy": "measure both on one machine"},
                            {"key": "glibc", "base": "2.36-9+deb12u10", "head": "2.36-9+deb12u13"},
                            {"key": "LD_BIND_NOW", "base": None, "head": "1"}]
    bench["insights"] = [
        {"title": "Allocation in a hot path", "evidence": "malloc and what it calls are 2.6% of head; parse_record calls it 24,000 times.",
         "advice": "Reserve room for the records once, or reuse them.", "function": ids["malloc"]},
        {"title": "Deeper call stacks", "evidence": "The deepest path has 6 frames in head and 5 in base.",
         "advice": "get_field stands between parse_record and skip_field.", "function": ids["get_field"]}]
    flat = bench["flat"]
    flat["match"][flat["function"].index(ids["trim"])] = report.text("moved")
    bench["remarks"] = [{"id": "threads", "effect": "chance", "text": "2 threads: counts may differ by chance", "advice": "Run irdiff verify"}]
    bench["notes"] = ["214 frames below 0.01% of the whole are shown as one beside those they belong to."]
    return report


def history_of(bench, counts, subjects=None, gaps=()):
    """Commits of one day each; `counts` in the order of time. `gaps`: before which some were left out."""
    delta = [None] + [b - a for a, b in zip(counts, counts[1:])]
    big = lambda i: delta[i] is not None and abs(delta[i]) >= max(100, counts[i - 1] / 2000)
    bench["history"] = {
        "metric": "Ir", "level": max(counts, default=0) - min(counts, default=0) < max(100, min(counts, default=0) / 2000), "older": 0, "base": None, "head": None,
        "commit": [hashlib.sha1(f"{bench['name']} {i}".encode()).hexdigest() for i in range(len(counts))],
        "date": [f"2026-{1 + i // 28 % 12:02}-{1 + i % 28:02}" for i in range(len(counts))],
        "subject": subjects or [f"Change {i}: parse what is there once, and not twice" for i in range(len(counts))],
        "count": counts, "delta": delta,
        "step": [(1 if delta[i] > 0 else -1) if big(i) else 0 for i in range(len(counts))],
        "skipped": [3 if i in gaps else 0 for i in range(len(counts))]}


def past():
    """The demo with a history: quiet, slower, faster again, and slower at last."""
    report = demo(Report("past"), "past")
    quiet = random.Random(7)
    levels = [30000000] * 14 + [36000000] * 11 + [33500000] * 9 + [34670000] * 5 + [71281500]
    history_of(report.benches[0], [level + quiet.randrange(60) for level in levels], gaps=(25,))
    return report


def constant():
    """A history in which nothing happened, of subjects that are not to be trusted."""
    report = demo(Report("constant"), "constant")
    subject = "</script><img src=x onerror=alert(1)> \u202eevil\u202c \x1b[31mred"
    history_of(report.benches[0], [71281500] * 3, [subject] * 3)
    return report


def short_past():
    """A history of base and head alone."""
    report = demo(Report("short past"), "short past")
    history_of(report.benches[0], [34670000, 71281500])
    return report


def long_past():
    """More commits than a phone has pixels."""
    report = demo(Report("long past"), "long past")
    quiet = random.Random(8)
    history_of(report.benches[0], [10 ** 12 + (i // 90) * 10 ** 9 + quiet.randrange(1000) for i in range(500)])
    report.benches[0]["history"]["older"] = 1200
    return report


def demo_source(fn, path):
    text = ["static int parse_record(struct parser *p, struct record *r)", "{", "\tint n = 0;",
            "\twhile (n < FIELDS) {", "\t\tskip_field(p);", "\t\tr->fields[n++] = p->at;", "\t}",
            "\treturn n == FIELDS ? 0 : -1;", "}"]
    after = text[:4] + ["\t\t/* Each field is looked for from the start of the record. */",
                        "\t\tconst char *at = get_field(p, n);", "\t\tr->fields[n++] = at;"] + text[6:]
    costs = [60000, 0, 20000, 340000, 1100000, 520000, 0, 100000, 20000]
    costs_after = [60000, 0, 20000, 360000, 0, 1300000, 640000, 0, 100000, 20000]
    lines = lambda texts, costs, at: [[at + i, events_of(cost), text] for i, (text, cost) in enumerate(zip(texts, costs))]
    return {"function": fn, "base": {"file": path, "lines": lines(text, costs, 101), "note": None},
            "head": {"file": path, "lines": lines(after, costs_after, 118) + [[140, events_of(42000), None]],
                     "note": "The file is newer than the profile: lines may have moved."}}


LANGUAGES = {
    "code.rs": ["fn run<'a>(names: &'a str) -> char {", '    let c = \'\\n\'; // the "end"', "    c", "}"],
    "code.py": ["def run(x):", '    """Says', "    what if does.", '    """', "    return 'if' + x  # for"],
    "code.js": ["const a = `one", "if two`, b = 0x1F;", "return b; // `"],
    "code.go": ["func run() int {", "\treturn 1_000 // go", "}"],
    "code.cpp": ["of a comment that began earlier */", "template <typename T> T twice(T x) { return 2.5e3 * x; }"],
    "code.txt": ["if (x) return 1; // no language"],
}


def code():
    """Source: a long function, lines of both sides that are not listed, and some languages."""
    names = ["small", "long", "huge"] + list(LANGUAGES)
    functions = [(name, "/bin/code", "code.c") for name in names]
    root = Node(0, events_of(1000), events_of(1500), (1, 1))
    root.add(1, events_of(2400), events_of(92000), (9, 9))
    report = Report("code")
    bench = add_bench(report, "code", functions, root)
    line = lambda number, cost, text: [number, events_of(cost), text]
    plain = lambda numbers, shift: [line(i + shift, 10, f"\twork({i});") for i in numbers]
    edit = line(150, 400, "\tif (a) { /* it costs less */ b = \"x\"; } " + "and_more(); " * 30)
    base = plain(range(1, 150), 0) + [edit, line(151, 90, "\tgone();")] + plain(range(152, 201), 0)
    head = plain(range(1, 150), 5) + [line(155, 90000, "\tif (a) { /* it costs more"), line(156, 20, "\t\t * and more */ b = \"y\"; }")]
    head += [line(157, 5, "\tis_new();")] + plain(range(152, 181), 6) + plain(range(196, 201), 6)
    few = [line(1, 100, "int small(void)"), line(2, 50, "{"), line(9, 5, "}")]
    more = [line(1, 100, "int small(void)"), line(2, 50, "{"), line(5, 70, "\tnot_listed_in_base();"), line(9, 5, "}")]
    code = machine_code([["", 1, 1, "xorps xmm1, xmm1", "code.c:1"], None, ["-", 300, None, "movups xmm0, xmmword ptr [rdi]", "code.c:5 (scale)"],
                         ["+", None, 1200, "movss xmm0, dword ptr [rdi]", "code.c:5 (scale)"], ["~", 100, 400, "cmp rdi, rdx", "code.c:9"],
                         ["", 100, 100, "jne 0x1120", "code.c:9", [[99, 100], [50, 100]]], ["+", None, 20, "je 0x1180", "code.c:9", [None, [0, 20]]],
                         ["", 0, 0, None, ""]])
    bench["sources"] = [{"function": 0, "base": {"file": "code.c", "lines": few, "note": None}, "head": {"file": "code.c", "lines": more, "note": None}, "code": code},
                        {"function": 1, "base": {"file": "code.c", "lines": base, "note": None}, "head": {"file": "code.c", "lines": head, "note": None}}]
    huge = [[line(200_000 + i, 1, f"\tcall_{i}({side if i in (10, 1200) else 0});") for i in range(1, 1300)] for side in (1, 2)]
    huge[1] = huge[1][:10] + [line(200_011, 1, "\tadded();")] + [[number + 1, costs, text] for number, costs, text in huge[1][10:]]
    bench["sources"] += [{"function": 2, "base": {"file": "code.c", "lines": huge[0], "note": None}, "head": {"file": "code.c", "lines": huge[1], "note": None}}]
    bench["sources"] += [{"function": names.index(file), "base": None, "head": {"file": file, "note": None, "lines": [line(i + 7, 5, text) for i, text in enumerate(texts)]}}
                         for file, texts in LANGUAGES.items()]
    return report


def none():
    """No difference and no calls."""
    report = Report("nothing changed")
    add_bench(report, "nothing changed", [], None)
    return report


def one():
    """One function that changed."""
    report = Report("one: f12ce4029d \u2192 b117bdb344, of the commit before")
    root = Node(0, events_of(1000000), events_of(1010000), (1, 1))
    root.add(1, events_of(500000), events_of(500000), (7, 7))
    add_bench(report, "one", [("main", "/bin/one", "one.c"), ("work", "/bin/one", "one.c")], root, every=False)
    return report


def improved():
    """Only improvements."""
    functions = [(f"stage_{i}", "/bin/pipeline", f"stage{i % 3}.rs") for i in range(30)]
    root, at = Node(0, events_of(5000), events_of(5000)), None
    for i in range(1, 30):
        at = (at if at and i % 4 else root).add(i, events_of(90000 + 1000 * i, i), events_of((90000 + 1000 * i) * (1 - (i % 7) / 9), i), (i, i))
    report = Report("improved")
    add_bench(report, "improved", functions, root)
    return report


def long():
    """Names of 300 characters and more."""
    inner = "std::map<std::string, std::vector<std::shared_ptr<acme::net::Connection>>, std::less<std::string>>"
    functions = []
    for i in range(14):
        name = f"acme::engine::detail::Visitor{i}<{inner}, acme::policy::Threaded<{i}>>::operator()({inner} const&, unsigned long, bool (*)({inner}&&)) const"
        functions.append((name + " [clone .isra.0]" * (i % 2), f"/opt/acme/lib/libengine-with-a-rather-long-name-{i % 3}.so.1.2.3",
                          f"/build/acme-engine-4.5.6/src/detail/visitor/implementation_{i}.hpp"))
    root = Node(0, events_of(10000), events_of(10000))
    at = root
    for i in range(1, 14):
        at = (at if i % 3 else root).add(i, events_of(400000 + i * 31000, i), events_of(400000 + i * 47000, i), (i * 100, i * 130))
    report = Report(functions[3][0])
    bench = add_bench(report, functions[3][0], functions, root)
    bench["base"]["command"] = "./bench " + "--option=value " * 60
    bench["insights"] = [{"title": "Memory writes grow faster than instructions", "evidence": functions[5][0], "advice": "Move large values less often.", "function": 5}]
    return report


def rust():
    """Names of Rust, of which an impl is a part and generic arguments are not."""
    functions = [(name, "/bin/rust", "rust.rs") for name in (
        "main", "core::ptr::const_ptr::<impl *const T>::offset_from", "core::slice::index::<impl core::ops::Index<I> for [T]>::index",
        "alloc::vec::Vec<T>::push", "<alloc::vec::Vec<T> as core::ops::Drop>::drop")]
    root = Node(0, events_of(10000), events_of(10000))
    for i in range(1, len(functions)):
        root.add(i, events_of(400000), events_of(400000 + i * 47000), (100, 130))
    report = Report("rust")
    add_bench(report, "rust", functions, root)
    return report


def full():
    """One frame that is everything."""
    report = Report("full")
    add_bench(report, "full", [("main", "/bin/full", "full.c")], Node(0, events_of(1234567), events_of(1234567), (1, 1)))
    return report


WORDS = "read write parse scan hash copy move find insert erase flush merge split encode decode visit emit fold map sort".split()


def grow(rng, functions, total, depth_most=60):
    """A tree of `total` frames that branches as programs do: few paths are hot."""
    cost = lambda: int(rng.paretovariate(1.1) * 800)
    root, nodes = Node(0, events_of(1000), events_of(1000)), []
    nodes.append((root, 0))
    while len(nodes) < total:
        parent, depth = nodes[min(len(nodes) - 1, int(rng.random() ** 0.6 * len(nodes)))]
        if depth >= depth_most:
            continue
        fn, b = rng.randrange(1, len(functions)), cost()
        kind = rng.random()
        h = b if kind < 0.6 else int(b * rng.uniform(1, 1.9)) if kind < 0.8 else int(b * rng.uniform(0.4, 1))
        base = events_of(b, fn) if parent.base and kind < 0.985 else None
        head = events_of(h, fn) if parent.head and (kind < 0.97 or not base) else None
        if not base and not head:
            continue
        calls = (rng.randrange(1, 5000) if base else 0, 0)
        calls = (calls[0], calls[0] if base and kind < 0.7 else rng.randrange(1, 6000) if head else 0)
        child = parent.add(fn, base, head, calls, flags=(INLINED_HEAD | INLINED_BASE) if kind > 0.3 and kind < 0.36 else 0)
        nodes.append((child, depth + 1))
    return root


def many_functions(rng, count):
    objects = ["/opt/app/bin/server", "/opt/app/lib/libcore.so", "/usr/lib/x86_64-linux-gnu/libc.so.6",
               "/usr/lib/x86_64-linux-gnu/libstdc++.so.6", "/usr/lib/x86_64-linux-gnu/libssl.so.3"]
    pick = lambda: rng.choice(WORDS)
    return [("main", objects[0], "main.cpp")] + [
        (f"app::{pick()}::{pick()}_{pick()}_{i}({rng.choice(['int', 'char const*', 'std::string const&', ''])})",
         objects[min(4, int(rng.expovariate(0.9)))], f"src/{pick()}/{pick()}.cpp") for i in range(1, count)]


def big():
    """50,000 frames."""
    rng = random.Random(7)
    functions = many_functions(rng, 6000)
    report = Report("server")
    bench = add_bench(report, "server", functions, grow(rng, functions, 50000))
    bench["trees"]["base"] = bench["trees"]["head"] = None
    return report


def suite():
    """Twenty benchmarks, and two that could not be measured."""
    rng = random.Random(11)
    report = Report("all benchmarks", failed=[{"name": "broken/build", "where": "main (1a2b3c4d5e)"}, {"name": "broken/run", "where": "the work tree"}])
    demo(report, "parse/big-document")
    for i in range(19):
        functions = many_functions(rng, 60)
        name = f"{rng.choice(WORDS)}/{rng.choice(WORDS)}_{i}" + ("<std::vector<acme::Record, acme::Allocator<acme::Record>>>" if i == 4 else "")
        bench = add_bench(report, name, functions, grow(rng, functions, 150, 12))
        if i % 5 == 0:
            bench["metrics"] = [{**metric, "head": metric["base"]} for metric in bench["metrics"]]
            bench["verdict"] = "unchanged"
    return report


def shared():
    """Benchmarks with a cause in common, in checkouts of their own; two that fail; histories of some."""
    report = Report("shared")
    for i, verdict in enumerate(("improved", "regressed", "exceeded", "unchanged", "inconclusive")):
        functions = [("main", "/bin/b", "/home/a/main.c"), ("StringEqual", "/bin/b", f"/home/{i}/compare.cpp"),
                     ("std::string", "/bin/b", f"/home/{i}/string.h"), ("other", "/bin/b", f"/home/{i}/other{i}.c")]
        root = Node(0, events_of(10000), events_of(10000))
        factor = {"improved": 0.5, "unchanged": 1}.get(verdict, 2)
        equal = root.add(1, events_of(5000), events_of(5000), (5, 5))
        equal.add(2, events_of(100000 * (i + 1)), events_of(100000 * (i + 1) * factor), (10, 10 * factor))
        root.add(3, events_of(1000), events_of(1000 if verdict == "unchanged" else 1100), (1, 1))
        bench = add_bench(report, f"bench {i}", functions, root, verdict=verdict)
        history_of(bench, [500000 + (1000 if i > 3 else 50) * k for k in range(i)])
    return report


def singles():
    """Several profiles, none of which is compared."""
    report = Report("singles")
    rng = random.Random(4)
    for i in range(3):
        functions = many_functions(rng, 30)
        add_bench(report, f"run {i}", functions, grow(rng, functions, 60, 9), single=True)
    return report


def single():
    """One profile, without a base."""
    report = Report("profile of a run")
    rng = random.Random(3)
    functions = many_functions(rng, 300)
    add_bench(report, "profile of a run", functions, grow(rng, functions, 1200, 20), single=True)
    return report


def hostile():
    """Names and texts that try to be something else."""
    names = ["</script><img src=x onerror=alert(1)>", "\u202eevil\u202c rtl", "esc\x1b[31mred\x07", "a" * 300, "@DATA@ @SCRIPT@", "$& $1 $`",
             "__proto__", "constructor", "\u200b", "", "&lt;b&gt;", "<!--", "]]>", "'\"`", "\ud800".encode("utf-8", "replace").decode(), "(?:", "\u0430dmin", "x\ny"]
    functions = [(name, names[0], names[1]) for name in names]
    root = Node(0, events_of(1000), events_of(1000))
    for i in range(1, len(names)):
        root.add(i, events_of(1000 * i), events_of(1400 * i), (i, i), note=names[0])
    report = Report("</title><script>alert(2)</script>", failed=[{"name": names[0], "where": names[1]}])
    bench = add_bench(report, names[0], functions, root, verdict="exceeded")
    bench["metrics"][1].update(name=names[0], long=names[1])
    for side in ("base", "head"):
        bench[side] = {key: names[k % 3] for k, key in enumerate(bench[side])}
    bench["environment"] = [{"key": names[0], "base": names[1], "head": None}]
    bench["insights"] = [{"title": names[0], "evidence": names[1], "advice": names[2], "function": 0}]
    report.more["remarks"] = bench["remarks"] = [{"id": "x", "effect": "warning", "text": names[0], "advice": names[1]}]
    bench["limits"] = [{"status": "exceeded", "fails": True, "metric": "Ir", "function": names[15], "limit": names[0], "name": names[1], "base": 1, "head": 2}]
    bench["notes"] = [names[0], names[1]]
    bench["sources"] = [{"function": 0, "base": {"file": names[0], "lines": [[1, events_of(1), names[0]]], "note": names[1]},
                         "head": {"file": names[1], "lines": [[1, events_of(2), names[2]]], "note": names[0]},
                         "code": machine_code([["~", 1, 2, names[0], names[1]], ["-", 3, None, names[2], names[3]]], missing=[names[0], names[2]])}]
    return report


def deep():
    """A path of 700 frames, and costs that cancel each other."""
    functions = [("main", "/bin/deep", "deep.c")] + [(f"descend_{i % 5}", "/bin/deep", "deep.c") for i in range(700)]
    root = Node(0, events_of(1000), events_of(1000))
    at = root
    for i in range(1, 700):
        at = at.add(i, events_of(500), events_of(500 + (i % 9) - 4), (1, 1))
    at.add(1, [-200000] + events_of(0)[1:], [100000] + events_of(0)[1:])
    report = Report("deep", rounded=True)
    add_bench(report, "deep", functions, root)
    return report


def paths():
    """A chain of 14 frames; below it f, which calls itself, has two callers and calls g. Small enough to add up by hand."""
    names = ["main"] + [f"step_{i}" for i in range(1, 14)] + ["work", "a", "b", "f", "g"]
    at = root = Node(0, events_of(0), events_of(0))
    for i in range(1, 14):
        at = at.add(i, events_of(0), events_of(0))
    number = names.index

    def call(caller, name, base, head, calls=(1, 1)):
        return caller.add(number(name), events_of(base), events_of(head), calls)
    work = call(at, "work", 1000, 1000)
    first = call(call(work, "a", 2000, 2000), "f", 10000, 20000, (2, 4))
    call(first, "g", 5000, 5000, (10, 10))
    call(call(first, "f", 3000, 3000, (1, 1)), "g", 1000, 1000, (2, 2))
    call(call(call(work, "b", 2000, 2000), "f", 4000, 4000), "g", 500, 9500, (3, 30))
    report = Report("paths")
    add_bench(report, "paths", [(name, "/bin/paths", "paths.c") for name in names], root, threshold={"share": 0.0005, "delta": 100})
    return report


def twins():
    """A chain that is shorter in Dr, no cost in Dw; below it two functions of one name, of which one is tiny, and a new one."""
    names = ["main", "c1", "c2", "c3", "c4", "c5", "c6", "a_start", "b_start", "init", "init", "helper", "fresh", "other"]
    files = {9: "a.c", 10: "b.c", 12: "fresh.c"}
    cost = lambda n, reads=0: [n, reads] + [0] * 7
    at = root = Node(0, cost(0), cost(0))
    for i in range(1, 7):
        at = at.add(i, cost(0, 1000 * (i == 5)), cost(0, 1000 * (i == 5)))
    at.add(7, cost(0), cost(0)).add(9, cost(1), cost(1))
    at.add(8, cost(100000), cost(100000)).add(10, cost(400000), cost(450000)).add(11, cost(100000), cost(100000))
    at.add(12, None, cost(50000), (0, 1))
    at.add(13, cost(400000), cost(400000))
    report = Report("twins")
    functions = [(name, "/bin/twins", files.get(i, "twins.c")) for i, name in enumerate(names)]
    bench = add_bench(report, "twins", functions, root, threshold={"share": 0.0005, "delta": 100})
    row = bench["flat"]["function"].index(10)
    bench["flat"]["baseSelf"][0][row] += 30000  # of frames that are too small to be shown
    bench["sources"] = [{"function": 11, "base": None, "head": None}, demo_source(10, "b.c")]
    return report


def removed(report=None):
    """A benchmark that head does not have, with source."""
    report = report or Report("removed")
    functions = [("main", "/bin/removed", "removed.c"), ("work", "/bin/removed", "removed.c")]
    root = Node(0, events_of(1000), None, (1, 0))
    root.add(1, events_of(9000), None, (3, 0))
    bench = add_bench(report, "removed", functions, root, verdict="removed", head=None, causes=[])
    bench["trees"]["head"] = bench["trees"]["diff"] = None
    for metric in bench["metrics"]:
        metric["head"] = None
    bench["base"] = origin("main", "2026-11-20 17:02")
    bench["sources"] = [{"function": 1, "base": {"file": "removed.c", "note": None, "lines": [[3, events_of(9000), "work();"]]}, "head": None}]
    return report


def sides():
    """Benchmarks that only base or only head has, and one that changed by less than the threshold."""
    report = removed(Report("sides"))
    functions = [("main", "/bin/sides", "sides.c")]
    add_bench(report, "new", functions, Node(0, None, events_of(5000), (0, 1)), single=True, verdict="new")
    add_bench(report, "same", functions, Node(0, events_of(1000000), events_of(1000010), (1, 1)), verdict="unchanged", causes=[],
              threshold={"share": 0.0005, "delta": 100})
    return report


SHAPES = {shape.__name__: shape for shape in (demo, code, paths, none, one, improved, long, rust, full, big, suite, shared, singles, single, hostile, deep, past, constant, short_past, long_past, twins, removed, sides)}


def main():
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    options = [argument for argument in sys.argv[1:] if argument.startswith("--")]
    source = pathlib.Path(__file__).resolve().parents[2]
    for option in options:
        if option.startswith("--source="):
            source = pathlib.Path(option.split("=", 1)[1])
    if "--list" in options:
        print("\n".join(SHAPES))
    elif len(arguments) == 2 and arguments[0] in SHAPES:
        pathlib.Path(arguments[1]).write_text(fill(source, SHAPES[arguments[0]]().data()), errors="replace")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
