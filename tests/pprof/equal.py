"""Usage: equal.py self|inclusive|change TOP JSON EVENT

Fails unless `irdiff show --format=json` (change: `irdiff diff`) has the costs of each function that
`go tool pprof -top` has, and no others."""
import collections
import json
import re
import sys

what, top, path, event = sys.argv[1:]
theirs, ours = collections.Counter(), collections.Counter()

for line in open(top):
    row = re.match(r"\s*(-?\d+)\S*\s+\S+%\s+\S+%\s+(-?\d+)\S*\s+\S+%\s+(.*?)( \((?:partial-)?inline\))?$", line)
    if row:
        theirs[row[3]] += int(row[2 if what == "inclusive" else 1])
for row in json.load(open(path))["functions"]:
    cost = row["delta_self"] if what == "change" else row[what][event]
    ours[row["function"]] += cost

theirs = {name: cost for name, cost in theirs.items() if cost}
ours = {name: cost for name, cost in ours.items() if cost}
if not theirs or theirs != ours:
    for name in sorted(theirs.keys() | ours.keys()):
        if theirs.get(name) != ours.get(name):
            print(f"{name}: pprof {theirs.get(name)}, irdiff {ours.get(name)}")
    sys.exit(1)
