#!/usr/bin/env python3
"""Usage: costs.py RAW OBJECT HIDDEN <SHOW

Counts what each function of an object costs: the cost lines of a callgrind file with addresses, by
the innermost function that llvm-symbolizer knows at the address, or the function that callgrind
names if nothing is inlined there. HIDDEN is the object without its symbol table. Fails unless the
output of `irdiff show --threshold=0 --format=json` has the same numbers, event by event.
"""
import json
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # beside the sources
import lambdas  # noqa: E402

NAME = re.compile(r"(c?(?:fn|ob))=(?:\((\d+)\))?(?: ?(.*))?$")


def position(text, before):
    if text == "*":
        return before
    if text[0] in "+-":
        return before + int(text, 0)
    return int(text, 0)


def own_name(text):
    """Without callers, and without the suffix of a part that was split off."""
    return re.sub(r"\.cold(\.\d+)?$|( \[clone \.cold(\.\d+)?\])$", "", text.split("'")[0])


class Raw:
    def __init__(self, path, wanted):
        self.names = {"fn": {}, "ob": {}}
        self.events = []
        self.costs = {}  # by function and address
        self.object = self.function = ""
        self.address = 0
        self.of_call = False
        with open(path) as lines:
            for line in lines:
                self.read(line.rstrip("\n"), wanted)

    def read(self, line, wanted):
        match = NAME.match(line)
        if match:
            self.read_name(*match.groups())
        elif line.startswith("events:"):
            self.events = line.split()[1:]
        elif line.startswith("calls="):
            self.of_call = True
        elif re.match(r"[0-9+*-]", line):
            self.read_cost(line.split(), wanted)

    def read_name(self, key, number, text):
        names = self.names[key[-2:]]
        name = names.setdefault(number, text) if number else text
        if key == "fn":
            self.function = name
        elif key == "ob":
            self.object = name

    def read_cost(self, words, wanted):
        self.address = position(words[0], self.address)
        if not self.of_call and os.path.basename(self.object) == wanted:
            costs = [int(word) for word in words[2:]]
            costs += [0] * (len(self.events) - len(costs))
            add(self.costs, (own_name(self.function), self.address), costs)
        self.of_call = False


def add(sums, key, costs):
    sums[key] = [a + b for a, b in zip(sums.get(key, [0] * len(costs)), costs)]


def innermost(addresses, hidden):
    """The innermost inlined function of each address, None where nothing is inlined."""
    command = ["llvm-symbolizer", "--obj=" + hidden, "--inlines", "--no-demangle"]
    asked = "".join(f"{address:#x}\n" for address in addresses)
    symbols = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    names = subprocess.run(["c++filt", "-i"], input=symbols.stdout, capture_output=True, text=True,
                           check=True)
    chains = [block.split("\n")[0::2] for block in names.stdout.split("\n\n")]
    return [chain[0] if len(chain) > 1 else None for chain in chains]


def pair_lambdas(counted, shown):
    """Calls functions with lambdas as they are shown, if that is but another name: the costs are the same."""
    for name in [n for n in shown if n not in counted and lambdas.has_lambda(n)]:
        others = [n for n in counted if n not in shown and counted[n] == shown[name] and
                  lambdas.same(name, n)]
        if others:
            counted[name] = counted.pop(others[0])


def main():
    path, wanted, hidden = sys.argv[1:]
    raw = Raw(path, wanted)
    places = sorted(raw.costs)
    counted, inlined = {}, 0
    for place, name in zip(places, innermost([address for _, address in places], hidden)):
        add(counted, name or place[0], raw.costs[place])
        inlined += raw.costs[place][0] if name else 0

    shown = {}
    for row in json.load(sys.stdin)["functions"]:
        if os.path.basename(row["object"] or "") != wanted or row["function"].endswith("@plt"):
            continue  # Valgrind does not know the object of stubs
        name = row["function"]
        if name not in counted:  # the symbolizer's are bare if they have no linkage name
            name = next((n for n in counted if name.endswith("::" + n)), name)
        add(shown, name, [row["self"][event] for event in raw.events])

    pair_lambdas(counted, shown)
    wrong = [name for name in {**counted, **shown}
             if any(counted.get(name, [])) and counted.get(name) != shown.get(name)
             or name not in counted and any(shown[name])]
    for name in wrong:
        print(f"{name}: {shown.get(name)}, not {counted.get(name)}")
    total = sum(costs[0] for costs in counted.values())
    print(f"{wanted}: {len(counted)} functions, {len(wrong)} wrong; {inlined} of {total} "
          f"{raw.events[0]} inlined")
    return bool(wrong) or not inlined


if __name__ == "__main__":
    sys.exit(main())
