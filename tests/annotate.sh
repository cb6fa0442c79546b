#!/bin/sh
# Usage: tests/annotate.sh
#
# irdiff and callgrind_annotate read the same files and must give every function the same self
# cost, to the instruction. callgrind_annotate prints a function once for each source file, level
# of recursion and context of its lines, and mixes up the objects of functions that share file and
# name (strdup of libc and of ld.so): all rows of one name are added up. The same holds for what
# `irdiff convert` makes of a file, with inlined functions too, and the model of that is the same.
set -eu
. "$(dirname "$0")/scratch.sh"
needs valgrind callgrind_annotate python3
cd "$scratch"

# Inlined code of another file, recursion, mutual recursion, statics of one name, callbacks.
cat >inline.h <<'END'
static inline unsigned mix(unsigned x)
{
	for (int i = 0; i < 3; i++)
		x = x * 1664525u + 1013904223u;
	return x;
}
END
cat >one.c <<'END'
#include "inline.h"
static unsigned step(unsigned x)
{
	return mix(x) ^ 1;
}
unsigned one(unsigned x)
{
	return step(x) + step(x + 1);
}
END
cat >two.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inline.h"

unsigned one(unsigned x);
static unsigned odd(unsigned n);

static unsigned step(unsigned x)
{
	return x > 10 ? mix(x) : one(x);
}

static unsigned even(unsigned n)
{
	return n == 0 ? 1 : odd(n - 1);
}

static unsigned odd(unsigned n)
{
	return n == 0 ? 0 : even(n - 1) + step(n);
}

static unsigned fib(unsigned n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(void)
{
	char *names[64];
	for (unsigned i = 0; i < 64; i++) {
		char text[40];
		snprintf(text, sizeof text, "%u-%u", mix(i) % 100, even(i % 7));
		names[i] = strdup(text);
	}
	qsort(names, 64, sizeof *names, compare);
	unsigned sum = fib(12) + strlen(names[0]);
	for (unsigned i = 0; i < 64; i++)
		free(names[i]);
	return sum == 0;
}
END
# Unquoted, as make has it: CC may come with options.
$compiler -g -O1 -fno-inline-functions-called-once -o program one.c two.c

cat >compare.py <<'END'
import json, re, subprocess, sys
from collections import Counter

irdiff, path = sys.argv[1:]

def name_of(packed):
    """The C function of a record: neither level nor context."""
    return packed.split("'")[0]

annotate = subprocess.run(
    ["callgrind_annotate", "--threshold=100", "--show-percs=no", "--auto=no", "--show=Ir", path],
    check=True, capture_output=True, text=True).stdout
theirs = Counter()
for line in annotate.splitlines():
    row = re.fullmatch(r"\s*([\d,]+)\s+[^:]*:(.*?)(?: \[[^\]]*\])?", line)
    if row and not line.endswith("PROGRAM TOTALS"):
        cost, name = row.groups()
        theirs[name_of(name)] += int(cost.replace(",", ""))

shown = json.loads(subprocess.run(
    [irdiff, "show", path, "--inlines=no", "--threshold=0", "--format=json"],
    check=True, capture_output=True, text=True).stdout)
ours = Counter()
for f in shown["functions"]:
    ours[f["function"]] += f["self"]["Ir"]
ours = +ours

if not {"main", "fib", "even", "step", "compare"} <= set(ours):
    sys.exit("the program's own functions are missing")
if sum(ours.values()) != shown["totals"]["Ir"]:
    sys.exit("the functions do not add up to the total")
if len(theirs) < 50:
    sys.exit(f"callgrind_annotate prints only {len(theirs)} functions: has its format changed?")
wrong = [name for name in sorted(set(ours) | set(theirs)) if ours[name] != theirs[name]]
for name in wrong:
    print(f"{name}: irdiff {ours[name]}, callgrind_annotate {theirs[name]}")
print(f"{len(ours)} functions, {sum(ours.values())} Ir")
sys.exit(bool(wrong))
END

run() {
	valgrind --tool=callgrind --callgrind-out-file=out.callgrind "$@" ./program >log 2>&1 || {
		cat log
		exit 1
	}
	printf '%s: ' "${*:-no options}"
	python3 compare.py "$irdiff" out.callgrind
	"$irdiff" convert --force out.callgrind converted.callgrind.gz
	gzip -dc converted.callgrind.gz >converted.callgrind
	printf '  converted: '
	python3 compare.py "$irdiff" converted.callgrind
	"$irdiff" convert converted.callgrind - | cmp - converted.callgrind
	for view in flat calls tree source; do
		for file in out converted; do
			"$irdiff" show --view=$view --threshold=0 $file.callgrind |
				sed "s/^$file.callgrind: //; /^Profile: /d; /written /d; /^Written: /d; /^Trigger: /d" >$file.$view
		done
		cmp out.$view converted.$view
	done
}

cat >same.py <<'END'
import json, sys

def functions_of(path):
    with open(path) as file:
        return sorted((f["file"] or "", f["function"], f["self"]["Ir"], f["inclusive"]["Ir"], f["calls"])
                      for f in json.load(file)["functions"])

first, copy = map(functions_of, sys.argv[1:])
if not any(f[1] == "mix" and f[4] == 0 for f in first):
    sys.exit("mix was not inlined")
# Inlined code becomes calls, of which some are counted.
if [f[:4] for f in first] != [f[:4] for f in copy] or any(f[4] > g[4] for f, g in zip(first, copy)):
    sys.exit("the functions read back are not those that were converted")
END

run_inlined() {
	valgrind --tool=callgrind --dump-instr=yes --callgrind-out-file=out.callgrind ./program \
		>log 2>&1 || {
		cat log
		exit 1
	}
	"$irdiff" convert --force --inlines=yes out.callgrind inlined.callgrind
	printf 'inlined functions: '
	python3 compare.py "$irdiff" inlined.callgrind
	"$irdiff" show --inlines=yes --threshold=0 --format=json out.callgrind >functions.out
	"$irdiff" show --threshold=0 --format=json inlined.callgrind >functions.inlined
	python3 same.py functions.out functions.inlined
}

run
run_inlined
run --dump-instr=yes
run --dump-instr=yes --collect-jumps=yes --cache-sim=yes --branch-sim=yes
run --separate-callers=3 --separate-recs=4
run --separate-recs=1
run --compress-strings=no --compress-pos=no
run --dump-line=no
