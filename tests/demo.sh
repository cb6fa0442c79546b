#!/bin/sh
# Usage: tests/demo.sh
#
# The demo does what it says: the first cause of the change is get_field, which calls skip_field more often,
# nothing is doubted, and what README.md shows of its commands is what they print, but for counts, which
# depend on the compiler.
set -eu
LC_ALL=C.UTF-8
export LC_ALL
. "$(dirname "$0")/skip.sh"
needs git
needs python3

top=$(CDPATH='' cd "${srcdir:-.}" && pwd)
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-demo-test.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP

# Another repository, where a hook runs this.
if ! GIT_DIR=/nowhere IRDIFF=$irdiff sh "$top/data/demo/run" "$scratch/demo" >"$scratch/output" 2>&1; then
	cat "$scratch/output"
	echo "the demo failed"
	exit 1
fi
cat "$scratch/output"
if IRDIFF=$irdiff sh "$top/data/demo/run" "$scratch/demo" 2>"$scratch/errors"; then
	echo "the demo ran in a directory with files"
	exit 1
fi
grep -q 'is not empty' "$scratch/errors"

python3 - "$top/README.md" "$scratch/output" <<'END'
import re
import sys


def normalised(line):
    """Counts as N, commits and words as they are; how wide columns are does not matter."""
    line = re.sub(r"(?<![\w@])[-+]?\d[\d,.]*%?", "N", line)
    return re.sub(r"\s+", " ", line).strip()


readme, printed = (open(path, encoding="utf-8").read() for path in sys.argv[1:])
section = readme.split("## Five commands")[1].split("\n## ")[0]
shown = [line.strip() for line in re.findall(r"^    (.*)$", section, re.M)]
shown = [line for line in shown if line != "…" and not line.startswith("$ cd")]
left = [normalised(line) for line in printed.splitlines()]
failures = []
for line in shown:
    wanted = normalised(line.removesuffix("…"))
    at = next((i for i, text in enumerate(left) if text.startswith(wanted)), None)
    if at is None:
        failures.append(f"README.md shows what the demo does not print: {line}")
    else:
        left = left[at + 1:]
if len(shown) < 15:
    failures.append(f"README.md shows {len(shown)} lines")
first = re.search(r"^Causes of the change.*\n(.*\n.*)", printed, re.M)[1]
if not re.search(r"get_field → skip_field: [\d,]+ → [\d,]+ calls, .*\n +parser\.c:94 \(edited\); in base called by parse_record", first):
    failures.append(f"the first cause is {first}")
if re.search("^  (base|head) ", printed.split("$ irdiff compare main")[1].split("$ irdiff diff")[0], re.M):
    failures.append("compare names base and head twice")
for verdict in re.findall(r"^\$ irdiff check.*?^exit code", printed, re.M | re.S):
    if verdict.count("REGRESSION") != 1:
        failures.append("check repeats its verdict")
if "WARNING" in printed:
    failures.append("the demo is doubted")
print("\n".join(failures))
sys.exit(bool(failures))
END
