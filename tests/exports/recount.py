"""What another program would count in files that irdiff convert wrote, held against the JSON of
`irdiff show --threshold=0` of the same profile: its tree, or its flat table.

Usage: recount.py FORMAT FILE SHOWN [SOURCE]

FORMAT: speedscope (its JSON), pprof (the text that protoc decodes), top (what go tool pprof -top
prints of the first event) or dom (the table of the first event that speedscope has in its page).

Totals, self costs and inclusive costs must be the same. Functions that call themselves have
inclusive costs once. With SOURCE, the name of a source file, only its functions are compared.
"""
import ast
import collections
import html
import json
import re
import sys

OUTSIDE = "[outside]"
FIRST = ""  # the first event, where it is not named


class Counts:
    """Costs by event, then by function: (name, file), or just (name,)."""

    def __init__(self):
        self.self = collections.defaultdict(collections.Counter)
        self.inclusive = collections.defaultdict(collections.Counter)
        self.totals = collections.Counter()

    def add(self, event, stack, cost):
        """One stack, outermost function first."""
        self.totals[event] += cost
        self.self[event][stack[-1]] += cost
        for function in set(stack):
            self.inclusive[event][function] += cost


def only_inside(stack):
    """irdiff shows what is outside of main as one row."""
    return stack[:1] if stack[0][0] == OUTSIDE else stack


def read_speedscope(path):
    document = json.load(open(path))
    frames = [(f["name"], f.get("file", "")) for f in document["shared"]["frames"]]
    if any("line" in f and f["line"] < 1 for f in document["shared"]["frames"]):
        sys.exit(f"{path}: a line below 1")
    counts = Counts()
    for profile in document["profiles"]:
        if profile["unit"] != "none" or profile["startValue"] != 0:
            sys.exit(f"{path}: not a plain count from 0 on")
        at, stack = 0, []
        for event in profile["events"]:
            if event["at"] > at:
                counts.add(profile["name"], only_inside(stack), event["at"] - at)
            elif event["at"] < at:
                sys.exit(f"{path}: goes back from {at} to {event['at']}")
            at = event["at"]
            frame = frames[event["frame"]]
            if event["type"] == "O":
                stack.append(frame)
            elif stack.pop() != frame:
                sys.exit(f"{path}: closes {frame} that is not the innermost")
        if stack or at != profile["endValue"]:
            sys.exit(f"{path}: {profile['name']} ends at {at} with {len(stack)} open frames")
    return counts


def parse_message(lines):
    """Text of protoc up to the end of a message: a list of values for each field."""
    fields = collections.defaultdict(list)
    for line in lines:
        line = line.strip()
        if line == "}":
            break
        if line.endswith(" {"):
            fields[line[:-2]].append(parse_message(lines))
            continue
        name, value = line.split(": ", 1)
        if value.startswith('"'):
            value = ast.literal_eval("b" + value).decode()
        fields[name].append(value if isinstance(value, str) and not re.fullmatch(r"-?\d+", value)
                            else int(value))
    return fields


def one(message, field):
    return message[field][0] if message[field] else 0


def read_pprof(path):
    p = parse_message(iter(open(path).read().splitlines()))
    texts = [str(text) for text in p["string_table"]]
    if texts[0] != "" or len(set(texts)) < len(texts) - len(p["mapping"]) - 2:
        sys.exit(f"{path}: the table of strings")
    events = [texts[one(t, "type")] for t in p["sample_type"]]
    functions = {one(f, "id"): (texts[one(f, "name")], texts[one(f, "filename")])
                 for f in p["function"]}
    locations = {one(l, "id"): l for l in p["location"]}
    mappings = {one(m, "id") for m in p["mapping"]}
    if len(functions) != len(p["function"]) or len(locations) != len(p["location"]):
        sys.exit(f"{path}: an id twice")
    if any(one(l, "mapping_id") not in mappings | {0} for l in p["location"]):
        sys.exit(f"{path}: a mapping that is not there")
    counts = Counts()
    for sample in p["sample"]:
        # Locations and lines of one: the innermost first.
        stack = [functions[one(line, "function_id")]
                 for id in sample["location_id"] for line in locations[id]["line"]]
        for event, value in zip(events, sample["value"], strict=True):
            counts.add(event, stack[::-1], value)
    return counts


def read_top(path):
    counts = Counts()
    for line in open(path):
        row = re.match(r" *(-?\d+) +\S+% +\S+% +(-?\d+) +\S+%  (.*?)( \((partial-)?inline\))?$", line)
        if row:
            name = (row[3],)
            counts.self[FIRST][name] += int(row[1])
            counts.inclusive[FIRST][name] += int(row[2])
            counts.totals[FIRST] += int(row[1])
    return counts


def read_dom(path):
    text = re.sub(r"<style.*?</style>", "", open(path).read(), flags=re.S)
    cells = [html.unescape(c) for c in re.split(r"(?:<[^>]*>)+", text)]
    number = r"([\d,]+)(?: \((?:<?[\d.]+)%\))?"
    counts = Counts()
    for first, second, third in zip(cells, cells[1:], cells[2:]):
        a, b = re.fullmatch(number, first), re.fullmatch(number, second)
        total = re.fullmatch(r"[\d,]+", third)
        if first.isdigit() and total and second:
            counts.totals[second] = int(third.replace(",", ""))
        elif a and b and "%" in first and "%" in second:
            counts.self[FIRST][(third,)] += int(b[1].replace(",", ""))
            counts.inclusive[FIRST][(third,)] += int(a[1].replace(",", ""))
    return counts


def key_of(row, names_only):
    return (row["function"],) if names_only else (row["function"], row["file"] or "")


def shown_tree(document, names_only):
    counts, stacks = Counts(), []
    for row in document["paths"]:
        above = stacks[row["parent"]] if row["parent"] is not None else []
        stacks.append(above + [key_of(row, names_only)])
        for event, cost in row["inclusive" if row["outside"] else "self"].items():
            counts.add(event, stacks[-1], cost)
    return counts


def only_functions(document):
    """Names that are those of one function."""
    functions = {(row["function"], row["file"], row["object"]) for row in document["paths"]}
    often = collections.Counter(function[0] for function in functions)
    return {(name,) for name, times in often.items() if times == 1}


def shown_flat(document, names_only, source):
    """Functions of one name in several files or objects have no common inclusive cost."""
    counts, seen = Counts(), set()
    for row in document["functions"]:
        key = key_of(row, names_only)
        if key in seen:
            sys.exit(f"two functions are {key}")
        if not source or (row["file"] or "").rsplit("/", 1)[-1] == source:
            seen.add(key)
            for event, cost in row["self"].items():
                counts.self[event][key] += cost
                counts.inclusive[event][key] += row["inclusive"][event]
    counts.totals.update(document["totals"])
    return counts


def main():
    format, path, shown_path, *rest = sys.argv[1:]
    document = json.load(open(shown_path))
    names_only = format in ("top", "dom")
    found = {"speedscope": read_speedscope, "pprof": read_pprof, "top": read_top,
             "dom": read_dom}[format](path)
    if "paths" in document:
        expected = shown_tree(document, names_only)
    else:
        expected = shown_flat(document, names_only, rest[0] if rest else "")
    wrong = compared = 0

    def compare(what, theirs, ours):
        nonlocal wrong, compared
        compared += 1
        if theirs != ours:
            print(f"{what}: {theirs}, not {ours}")
            wrong += 1

    for event, total in found.totals.items():
        event = event or next(iter(expected.totals))
        compare(f"total {event}", total, expected.totals[event])
    for what, all_theirs, all_ours in (("self", found.self, expected.self),
                                       ("inclusive", found.inclusive, expected.inclusive)):
        for event, theirs in all_theirs.items():
            event = event or next(iter(expected.totals))
            ours = all_ours[event]
            functions = set(ours) if rest else set(theirs) | set(ours)
            if format == "dom":  # as many rows as fit, one for each function
                functions = set(theirs) & only_functions(document)
            for f in functions:
                compare(f"{what} {event} of {' '.join(f)}", theirs[f], ours[f])
    if compared < 4:
        print("hardly anything was compared")
        wrong += 1
    sys.exit(wrong > 0)


main()
