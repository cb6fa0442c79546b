#!/bin/sh
# Usage: tests/bench/growth.sh [OPTION]...
#
# How time and memory grow: each of these is doubled four times.
#
#   commits       of a history of 10 benchmarks, from 500 on
#   benchmarks    at 500 commits, from 5 on
#   environments  in each of which 5 benchmarks are measured at 500 commits, from 1 on
#   profile       the size of a profile with jumps and events, from 4 MB on
#   files         of the threads of one process, from 2000 on
#
#   --only=LIST   only those dimensions
#   --from=N      begin with N times as much (1)
#
# For each command (history.sh explains those of a history) it prints processor time in seconds at each
# size, and the exponents of time and of the peak of memory over the last two doublings: 1 is in proportion,
# to be at most 1.1. What takes less than 20 ms, most of it the start of programs, has none. Run in the directory
# of a build. Never fails for a time.
set -eu
LC_ALL=C
export LC_ALL
irdiff=${IRDIFF:-./irdiff}
tools=${BENCH_TOOLS:-tests/bench}
here=$(dirname "$0")
only='commits benchmarks environments profile files' from=1

stop() {
	echo "growth.sh: $*" >&2
	exit 2
}

while [ $# -gt 0 ]; do
	case $1 in
	--only=*) only=${1#*=} ;;
	--from=*) from=${1#*=} ;;
	-h | --help)
		sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
		exit 0
		;;
	*) stop "unknown option $1 (see --help)" ;;
	esac
	shift
done
for program in "$irdiff" "$tools/generate" "$tools/measure"; do
	[ -x "$program" ] || stop "no $program: run \`make bench-growth\`, or this where that was run"
done

scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP

# profile MEGABYTES: lines of a name, a time and the peak of memory.
profile() {
	"$tools/generate" --instr --jumps --events=5 "${1}000000" >"$scratch/profile"
	"$tools/measure" 3 "$irdiff" show "$scratch/profile" , \
		"$irdiff" show --view=tree "$scratch/profile" , \
		"$irdiff" diff "$scratch/profile" "$scratch/profile" , \
		"$irdiff" convert --to=folded "$scratch/profile" - |
		awk 'BEGIN { split("show,show --view=tree,diff,convert --to=folded", names, ",") }
		{ printf "%s\t%.3f\t%d\n", names[NR], $2 / 1e3, $3 / 1e3 }'
}

# files NUMBER: as profile.
files() {
	rm -rf "$scratch/threads"
	mkdir "$scratch/threads"
	awk -v n="$1" -v to="$scratch/threads/out-" 'BEGIN {
		for (i = 1; i <= n; i++) {
			printf "version: 1\ncreator: callgrind-3.19.0\npid: 7\ncmd: ./a\npart: 1\nthread: %d\n" \
				"positions: line\nevents: Ir\n\nfl=(1) a.c\nfn=(1) main\n3 %d\ncfn=(2) f\n" \
				"calls=1 5\n4 7\n\nfn=(2)\n5 7\n\ntotals: %d\n", i, i, i + 7 >(to i)
			close(to i)
		}
	}'
	"$tools/measure" 3 "$irdiff" show "$scratch/threads/"* |
		awk '{ printf "show\t%.3f\t%d\n", $2 / 1e3, $3 / 1e3 }'
}

# at DIMENSION SIZE
at() {
	case $1 in
	commits) set -- --commits=$((500 * $2)) --benchmarks=10 ;;
	benchmarks) set -- --commits=500 --benchmarks=$((5 * $2)) ;;
	environments) set -- --commits=500 --benchmarks=5 --environments="$2" ;;
	profile)
		profile $((4 * $2))
		return
		;;
	files)
		files $((2000 * $2))
		return
		;;
	*) stop "'$1' is not a dimension" ;;
	esac
	IRDIFF=$irdiff BENCH_TOOLS=$tools sh "$here/history.sh" --tsv --runs=3 "$@"
}

for dimension in $only; do
	printf '%-24s %8s %8s %8s %8s %8s %9s %9s\n' "$dimension" 1 2 4 8 16 time memory
	for size in 1 2 4 8 16; do
		at "$dimension" $((size * from)) >"$scratch/values"
		cat "$scratch/values"
	done | awk -F '\t' '
	function exponent(large, small, least) {
		if (small < least)
			return "-"
		large = log(large / small) / log(4)
		return sprintf("%.2f%s", large, large > 1.1 ? " >" : "  ")
	}

	$3 == "-" { next }

	{
		if (!($1 in count))
			order[++names] = $1
		time[$1, ++count[$1]] = $2
		peak[$1, count[$1]] = $3
	}

	END {
		for (i = 1; i <= names; i++) {
			name = order[i]
			printf "  %-22s", name
			for (k = 1; k <= 5; k++)
				printf " %8.3f", time[name, k]
			printf " %9s %9s\n", exponent(time[name, 5], time[name, 3], 0.02),
				exponent(peak[name, 5], peak[name, 3], 5)
		}
	}'
done
