#!/usr/bin/env python3
"""Usage: sites.py RAW OBJECT HIDDEN KEPT

Counts what the inlined functions of an object cost by the lines that call them: the cost lines of a
callgrind file with addresses, those of calls, too, by the chain that llvm-symbolizer knows at the
address. HIDDEN is the object without its symbol table. Fails unless KEPT, the profile by lines that
irdiff made of it, has the same numbers.
"""
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # beside the sources
import costs  # noqa: E402

SITE = "# inlined at: "
FILE = re.compile(r"c?f[lie]=\((\d+)\)(?: (.*))?$")
LOCATION = re.compile(r"(.*):(\d+):\d+$")


class Calls(costs.Raw):
    """All that is at an address, also what it calls."""

    def read_name(self, key, number, text):
        names = self.names[key[-2:]]
        name = names.setdefault(number, text) if number else text
        if key == "cfn":
            self.callee = name
        else:
            super().read_name(key, number, text)

    def read_cost(self, words, wanted):
        if self.of_call and not (costs.own_name(self.callee) == costs.own_name(self.function) and
                                 ".cold" in self.callee.split("'")[0]):
            self.of_call = False
        super().read_cost(words, wanted)


def chains(addresses, hidden):
    """The places of the functions at each address, the innermost first."""
    command = ["llvm-symbolizer", "--obj=" + hidden, "--inlines", "--no-demangle"]
    asked = "".join(f"{address:#x}\n" for address in addresses)
    symbols = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    return [block.split("\n")[1::2] for block in symbols.stdout.split("\n\n")]


def count_sites(path, wanted, hidden):
    by_address, counted = {}, {}
    for (_, address), cost in Calls(path, wanted).costs.items():
        costs.add(by_address, address, cost)
    for cost, places in zip(by_address.values(), chains(by_address, hidden)):
        for place in places[1:]:
            file, line = LOCATION.match(place).groups()
            if line != "0":
                costs.add(counted, f"{os.path.basename(file)}:{line}", cost)
    return counted


def kept_sites(path, wanted):
    files, objects, kept, file, inside = {}, {}, {}, "", False
    with open(path) as lines:
        for line in lines:
            line = line.rstrip("\n")
            match = FILE.match(line)
            if match:
                name = files.setdefault(match[1], match[2])
                file = file if line[0] == "c" else name
            elif line.startswith("events:"):
                events = len(line.split()) - 1
            elif match := re.match(r"c?ob=\((\d+)\)(?: (.*))?$", line):
                name = objects.setdefault(match[1], match[2])
                if line[0] == "o":
                    inside = os.path.basename(name) == wanted
            elif line.startswith(SITE) and inside:
                number, _, *cost = map(int, line[len(SITE):].split())
                costs.add(kept, f"{os.path.basename(file)}:{number}",
                          cost + [0] * (events - len(cost)))
    return kept


def main():
    raw, wanted, hidden, path = sys.argv[1:]
    counted = {site: cost for site, cost in count_sites(raw, wanted, hidden).items() if any(cost)}
    kept = kept_sites(path, wanted)
    wrong = [site for site in {**counted, **kept} if counted.get(site) != kept.get(site)]
    for site in wrong[:9]:
        print(f"{site}: {kept.get(site)}, not {counted.get(site)}")
    print(f"{wanted}: {len(counted)} lines call inlined functions, {len(wrong)} wrong")
    return bool(wrong) or not counted


sys.exit(main())
