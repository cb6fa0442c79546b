#!/bin/sh
# Usage: tests/bench/smoke.sh
#
# The benchmarks of reading and of the history work: what is generated is as announced, by this script's own
# count and by irdiff's, and their scripts measure a small profile and a short history. Run in the directory of
# a build.
set -eu
LC_ALL=C
export LC_ALL
bench=$(dirname "$0")
irdiff=${IRDIFF:-./irdiff}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-smoke.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
profile=$scratch/profile

# Adds costs up, per event and per function; all but the last function must cost what its callers
# pay.
cat >"$scratch/count.awk" <<'AWK'
function number(name) {
	sub(/^[a-z]*=\(/, "", name)
	sub(/\).*/, "", name)
	return name
}
/^positions: / { first = NF }
/^events: / { n = NF - 1 }
/^fn=/ { here = number($0); functions++ }
/^cfn=/ { callee = number($0) }
/^[-+*0-9]/ {
	if (after ~ /^calls=/) {
		spent[here] += $first
		paid[callee] += $first
	} else if (after !~ /^(jump|jcnd)=/) {
		spent[here] += $first
		for (i = first; i <= NF; i++)
			total[i - first + 1] += $i
	}
}
/^(summary|totals):/ { said[$1] = substr($0, length($1) + 2) }
{ after = $0 }
END {
	found = total[1] + 0
	for (i = 2; i <= n; i++)
		found = found " " total[i] + 0
	if (said["summary:"] != found || said["totals:"] != found)
		print "the sums are not " found
	for (f in spent)
		if (spent[f] != paid[f] && f != here)
			print "function " f " costs " spent[f] ", its callers pay " paid[f] + 0
	if (functions != expected)
		print functions " functions, not " expected
}
AWK

# generates SIZE FUNCTIONS OPTIONS...
generates() {
	size=$1 functions=$2
	shift 2
	tests/bench/generate "$@" --functions="$functions" "$size" >"$profile"
	awk -v expected="$functions" -f "$scratch/count.awk" "$profile" >"$scratch/wrong"
	"$irdiff" show "$profile" 2>>"$scratch/wrong" >"$scratch/shown"
	bytes=$(wc -c <"$profile")
	if [ "$bytes" -lt $((size * 9 / 10)) ] || [ "$bytes" -gt $((size * 11 / 10)) ]; then
		echo "$bytes bytes" >>"$scratch/wrong"
	fi
	if [ -s "$scratch/wrong" ]; then
		echo "FAIL: generate $* --functions=$functions $size:"
		head "$scratch/wrong"
		exit 1
	fi
}

generates 100000 250
generates 100000 3
generates 100000 40 --events=13 --instr --jumps
generates 200000 200 --instr --jumps --contexts
generates 100000 250 --events=2 --jumps

IRDIFF=$irdiff sh "$bench/reading.sh" --sizes='100k 100k/full' --apart=100 --runs=1 "$profile"

IRDIFF=$irdiff sh "$bench/history.sh" --benchmarks=2 --commits=9 --environments=2 --runs=1
