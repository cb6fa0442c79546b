#!/bin/sh
# Usage: tests/other-tools.sh
#
# Files that other tools have just written: the totals are those that Valgrind prints for DHAT, that
# massif states of its peak, and of perf as many samples as it prints. Per function, DHAT's numbers
# are added up again by another program.
set -eu
. "$(dirname "$0")/scratch.sh"
needs valgrind jq python3
cd "$scratch"
cat >work.c <<'END'
#include <stdlib.h>
#include <string.h>
static inline __attribute__((always_inline)) char *fill(size_t n) { return memset(malloc(n), 1, n); }
__attribute__((noinline)) char *walk(int n)
{
	char *low = n ? walk(n - 1) : fill(70);
	char *mine = fill(10 * (size_t)n + 1);
	low[0] = mine[0];
	free(mine);
	return low;
}
__attribute__((noinline)) void leak(void) { char *volatile lost = calloc(3, 1000); lost[1] = 2; }
int main(void)
{
	char *kept = walk(8);
	leak();
	kept = realloc(kept, 5000);
	kept[4999] = 1;
	free(kept);
	return 0;
}
END
$compiler -O1 -g -fno-builtin-malloc work.c -o work
valgrind --tool=dhat --dhat-out-file=work.dhat ./work 2>dhat.log
"$irdiff" show --format=json -i --threshold=0 --top=0 work.dhat >work.json

# What of the log's numbers are in a line: "==1== Total:     5,007 bytes in 2 blocks"
logged() {
	sed -n "s/^==[0-9]*== $1: *//p" dhat.log | tr -d , | awk -v column="$2" '{ print $column }'
}
total() {
	jq ".totals.$1" work.json
}
check "DHAT: bytes" [ "$(total AllocBytes)" = "$(logged Total 1)" ]
check "DHAT: blocks" [ "$(total AllocBlocks)" = "$(logged Total 4)" ]
check "DHAT: bytes at the peak" [ "$(total PeakBytes)" = "$(logged 'At t-gmax' 1)" ]
check "DHAT: bytes read" [ "$(total ReadBytes)" = "$(logged Reads 1)" ]
check "DHAT: bytes written" [ "$(total WrittenBytes)" = "$(logged Writes 1)" ]
check "DHAT: each allocation is in the program" sh -c '! jq -e ".functions[] | select(.function == \"malloc\")" work.json >out'

# Functions count once per stack, however often they are in it.
add_up() {
	python3 - <<'END'
import collections, json, re, sys
dhat, shown = json.load(open("work.dhat")), json.load(open("work.json"))
frames = [re.match(r"(?:0x\w+: )?(.*?)(?: \((?:in )?([^()]*)\))?$", f) for f in dhat["ftbl"]]
costs = collections.Counter()
for point in dhat["pps"]:
    for name in {frames[f][1] for f in point["fs"] if "vgpreload" not in (frames[f][2] or "")}:
        costs[name] += point["tb"]
ours = {f["function"]: f["inclusive"]["AllocBytes"] for f in shown["functions"]}
for name in "main", "walk", "fill", "leak":
    if not costs[name] or costs[name] != ours.get(name):
        sys.exit(f"{name}: {costs[name]} in the file, {ours.get(name)} shown")
END
}
check "DHAT: inclusive costs" add_up

valgrind --tool=massif --massif-out-file=work.massif --detailed-freq=1 --peak-inaccuracy=0.0 ./work 2>log
peak=$(awk -F= '/^mem_heap_B=/ { heap = $2 } /^heap_tree=peak/ { peak = heap } END { print peak }' work.massif)
check "massif: the peak" [ "$("$irdiff" show --format=json work.massif | jq .totals.PeakBytes)" = "${peak:-none}" ]

if has perf "perf script" && perf record -q -g -e cpu-clock -o perf.data ./work >log 2>&1 &&
	perf script -i perf.data >perf.txt 2>log && [ -s perf.txt ]; then
	samples=$(grep -c 'cpu-clock' perf.txt)
	check "perf: samples" [ "$("$irdiff" show --format=json perf.txt | jq .totals.samples)" = "$samples" ]
	check "perf: … and those that irdiff states" \
		[ "$("$irdiff" show --format=json perf.txt | jq '.profile.samples["cpu-clock"]')" = "$samples" ]
else
	skip "perf script" "perf cannot record here"
fi
finish
