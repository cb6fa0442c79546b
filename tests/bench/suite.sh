#!/bin/sh
# Usage: tests/bench/suite.sh [OPTION]...
#
# What irdiff itself costs for each benchmark of a project when all of them are in the cache, and how that
# grows: `irdiff check` of two commits. Run in the directory of a build. Never fails for a time.
#
#   --benchmarks=LIST  ("50 200")
#   --runs=N           medians of N runs (5)
#
# For each number of benchmarks it prints, in milliseconds:
#   measure     what measuring base and head takes for each benchmark, most of it Valgrind
#   check       processor time of `irdiff check` for each benchmark, to be below 10
#   wall        the time that it takes
set -eu
LC_ALL=C
export LC_ALL
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")
tools=$(CDPATH='' cd "${BENCH_TOOLS:-tests/bench}" && pwd)
numbers='50 200' runs=5

stop() {
	echo "suite.sh: $*" >&2
	exit 2
}

while [ $# -gt 0 ]; do
	case $1 in
	--benchmarks=*) numbers=${1#*=} ;;
	--runs=*) runs=${1#*=} ;;
	-h | --help)
		sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
		exit 0
		;;
	*) stop "unknown option $1 (see --help)" ;;
	esac
	shift
done
for program in "$irdiff" "$tools/measure"; do
	[ -x "$program" ] || stop "no $program: run \`make bench-suite\`, or this where that was run"
done

scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/irdiff-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null HOME="$scratch"

commit() {
	git add -A
	git -c user.name=a -c user.email=a@b commit -qm "$1"
}

# project DIRECTORY BENCHMARKS
project() {
	mkdir "$1" && cd "$1" && git init -q .
	cat >work.c <<-'END'
		#include <stdlib.h>
		int main(int argc, char **argv)
		{
			volatile long sum = 0;
			for (long i = 0; argc == 2 && i < 1000 + atol(argv[1]); i++)
				sum += i;
			return 0;
		}
	END
	{
		echo "build: ${CC:-gcc} -static -g -O1 work.c -o work"
		echo 'benchmarks:'
		seq "$2" | sed 's/.*/  bench&: { command: .\/work & }/'
	} >irdiff.yml
	printf '.irdiff\nwork\n' >.gitignore
	commit One
	echo '/* a comment */' >>work.c
	commit Two
}

printf '%10s %10s %10s %10s\n' benchmarks measure check wall
for number in $numbers; do
	(
		project "$scratch/$number" "$number"
		"$tools/measure" 1 "$irdiff" check HEAD~1...HEAD --quiet >"$scratch/first"
		"$tools/measure" "$runs" "$irdiff" check HEAD~1...HEAD --quiet >"$scratch/again"
	) || stop "the benchmarks cannot be measured"
	cat "$scratch/first" "$scratch/again" | awk -v n="$number" '
	NR == 1 { measure = $1 / n }
	NR == 2 { printf "%10d %10.1f %10.2f %10.2f\n", n, measure, $2 / n, $1 / n }'
done
