#!/bin/sh
# Usage: tests/bench/driver.sh [OPTION]... [-- COMMAND [ARGUMENT]...]
#
# What irdiff itself takes around a run: `irdiff profile` with a stand-in for Valgrind, which only copies
# what Valgrind has written in such a run before. Beside it Valgrind alone, with the options and the
# environment that irdiff gives it. Of COMMAND, or of some programs that are nearly everywhere. Run in the
# directory of a build. Never fails for a time.
#
#   --runs=N      medians of N runs of each, in turns (5)
#   --cpu         compares processor time, of all threads, instead of wall time
#
# The columns, in milliseconds:
#   valgrind    Valgrind alone, as irdiff calls it
#   own         irdiff without it: finding and starting everything, then reading what was written, looking
#               inlined functions up, and writing the files of the label; to be at most 50
#   %           of Valgrind's; to be at most 1
#   files       what Valgrind wrote, in MB, which is what the second half of `own` grows with
set -eu
LC_ALL=C
export LC_ALL
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")
tools=$(CDPATH='' cd "${BENCH_TOOLS:-tests/bench}" && pwd)
runs=5 column=1 clock=wall

stop() {
	echo "driver.sh: $*" >&2
	exit 2
}

# bench NAME PATH [ARGUMENT]...: a row of the table.
bench() {
	name=$1
	shift
	rm -rf ../o ../kept && mkdir ../o ../kept
	IRDIFF_VALGRIND=$scratch/record "$irdiff" profile -q --label bench -- "$@" >/dev/null 2>errors || true
	[ -s ../kept/callgrind.out.2 ] || { cat errors >&2; return 0; }
	sed -i "s|/irdiff-run/p|$(dirname "$1")|g" ../alone
	"$tools/measure" "$runs" sh ../alone . , env IRDIFF_VALGRIND="$scratch/replay" \
		"$irdiff" profile -q --label bench -- "$@" , cp -r ../kept ../o >measured ||
		stop "$name cannot be measured"
	bytes=$(wc -c <../kept/callgrind.out.2)
	awk -v name="$name" -v column=$column -v bytes="$bytes" '
	{ time[NR] = $column }
	END {
		own = time[2] - time[3]
		share = 100 * own / time[1]
		printf "%-16s %10.1f %8.1f %2s50 %8.2f %2s1 %8.1f\n", name, time[1], own,
			(own > 50 ? ">" : "<="), share, (share > 1 ? ">" : "<="), bytes / 1e6
	}' measured
}

while [ $# -gt 0 ]; do
	case $1 in
	--runs=*) runs=${1#*=} ;;
	--cpu) column=2 clock=cpu ;;
	-h | --help)
		sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
		exit 0
		;;
	--)
		shift
		break
		;;
	*) stop "unknown option $1 (see --help)" ;;
	esac
	shift
done
command -v valgrind >/dev/null || stop "valgrind is missing: apt-get install valgrind"
[ -x "$irdiff" ] && [ -x "$tools/measure" ] || stop "run \`make bench-driver\`, or this where that was run"

scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
valgrind=$(realpath "$(command -v valgrind)")
[ ! -x "$valgrind.bin" ] || valgrind=$valgrind.bin # Debian's script

cd "$scratch"

# Called by irdiff once: keeps what Valgrind writes, as if it had been started in its place, and writes down
# how it is called, as a script that does the same outside of irdiff's place.
cat >record <<END_OF_RECORD
#!/bin/sh
[ "\$1" != --version ] || exec '$valgrind' --version
quote() {
	for word; do
		printf "'%s' " "\$(printf %s "\$word" | sed "s/'/'\\\\\\\\''/g")"
	done
}
{
	printf 'cd "\$1" && exec env -i '
	env | while read -r variable; do quote "\$variable"; done
	quote '$valgrind' "\$@"
	echo '>/dev/null 2>&1 </dev/null'
} | sed "s|/irdiff-run/o|$scratch/o|g; s|/irdiff-run/w|.|g" >'$scratch/alone'
'$valgrind' "\$@"
for file in /irdiff-run/o/*.[0-9]*; do
	pid=\${file##*.} name=\${file##*/}
	sed "s/^pid: \$pid\$/pid: \$\$/; s/==\$pid==/==\$\$==/" "\$file" >"$scratch/kept/\${name%.*}.\$\$"
done
END_OF_RECORD
cat >replay <<END_OF_REPLAY
#!/bin/sh
[ "\$1" != --version ] || exec '$valgrind' --version
exec cp '$scratch/kept/'*.2 /irdiff-run/o
END_OF_REPLAY
chmod +x record replay
mkdir project
cd project

printf '%-16s %10s %8s %4s %8s %3s %8s\n' "$clock time in ms" valgrind own '' % '' files
if [ $# -gt 0 ]; then
	program=$(command -v "$1") || stop "$1 is not found"
	case $program in
	*/*) ;;
	*) stop "$1 is a word of the shell: give the program's path" ;;
	esac
	shift
	bench "$(basename "$program")" "$program" "$@"
	exit
fi
cat >work.c <<-'END'
	#include <stdio.h>
	#include <stdlib.h>

	int main(int argc, char **argv)
	{
		unsigned sum = 0;
		long rounds = argc > 1 ? atol(argv[1]) : 1000;
		for (long i = 0; i < rounds; i++)
			sum = sum * 33 + (unsigned)i;
		printf("%u\n", sum);
		return 0;
	}
END
${CC:-cc} -g -O1 -o work work.c
bench true /bin/true
bench 'C, short' ./work
bench 'C, long' ./work 100000000
printf 'create table t(a, b);\nwith recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)\ninsert into t select i, i * 7 %% 1000 from n;\nselect b, count(*), sum(a) from t group by b order by 3;\n' >t.sql
[ ! -x /usr/bin/sqlite3 ] || bench sqlite3 /usr/bin/sqlite3 :memory: '.read t.sql'
[ ! -x /usr/bin/python3 ] ||
	bench python3 /usr/bin/python3 -c 'import json; print(len(json.dumps(list(range(20000)))))'
