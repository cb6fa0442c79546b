#!/bin/sh
# Usage: tests/bench/history.sh [OPTION]...
#
# What a long history costs: its database, `irdiff history`, and `irdiff store` with a clone of the
# repository. Run in the directory of a build. Never fails for a time.
#
#   --benchmarks=N    (50)
#   --commits=N       (10000)
#   --environments=N  in each of which all are measured (1)
#   --events=1|9      that each row has counts of (9)
#   --runs=N          medians of N runs, of what can be repeated (5)
#   --tsv             only lines of a name, a time and the peak of memory in MB
#
# Times are of the processor, of irdiff and of git, in seconds:
#   database         its size in MB
#   import           rows that are imported in a second
#   overview         `irdiff history`
#   one benchmark    `irdiff history bench0001`
#   one row          `irdiff history --import` of one, as every measurement adds one
#   site             `irdiff history --format=html`, into an empty directory
#   site again       the same when nothing has changed
#   size of site     in MB
#   push, fetch      of all rows
#   push of commit   of the rows of one more commit
#   fetch of commit  of these
#   fetch of none    when there is nothing new
#   remote           size of the packed repository that has it all, in MB
set -eu
LC_ALL=C
export LC_ALL
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")
tools=$(CDPATH='' cd "${BENCH_TOOLS:-tests/bench}" && pwd)
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
benchmarks=50 commits=10000 environments=1 events=9 runs=5 tsv=

stop() {
	echo "history.sh: $*" >&2
	exit 2
}

# value NAME VALUE PEAK [GOAL]: a line of the table; a goal is the most or, with a plus, the least.
value() {
	if [ -n "$tsv" ]; then
		printf '%s\t%s\t%s\n' "$1" "$2" "$3"
		return
	fi
	awk -v name="$1" -v value="$2" -v peak="$3" -v goal="${4:-}" 'BEGIN {
		at_least = goal ~ /^[+]/
		sub(/^[+]/, "", goal)
		missed = at_least ? value < goal + 0 : value > goal + 0
		relation = at_least ? missed ? "<" : ">=" : missed ? ">" : "<="
		printf "%-16s %10s %2s%-8s %8s\n", name, value, goal == "" ? "" : relation, goal, peak
	}'
}

# timed NAME GOAL RUNS COMMAND...: a line of its processor time.
timed() {
	name=$1 goal=$2 times=$3
	shift 3
	"$tools/measure" "$times" "$@" >"$scratch/measured" || stop "$name cannot be measured"
	read -r _ cpu peak <"$scratch/measured"
	value "$name" "$(echo "$cpu" | awk '{ printf "%.3f", $1 / 1e3 }')" $((peak / 1000)) "$goal"
}

# rows DIRECTORY GIT-LOG-OPTION...
rows() {
	directory=$1
	shift
	git -C "$directory" log --reverse --format='%H %T %ct %s' "$@" |
		awk -v benchmarks="$benchmarks" -v environments="$environments" -v events="$events" -f "$here/rows.awk"
}

while [ $# -gt 0 ]; do
	case $1 in
	--benchmarks=*) benchmarks=${1#*=} ;;
	--commits=*) commits=${1#*=} ;;
	--environments=*) environments=${1#*=} ;;
	--events=*) events=${1#*=} ;;
	--runs=*) runs=${1#*=} ;;
	--tsv) tsv=yes ;;
	-h | --help)
		sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
		exit 0
		;;
	*) stop "unknown option $1 (see --help)" ;;
	esac
	shift
done
for program in "$irdiff" "$tools/measure"; do
	[ -x "$program" ] || stop "no $program: run \`make bench-history\`, or this where that was run"
done

scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null HOME="$scratch"
cd "$scratch"
git init -q --bare -b main remote.git
awk -v commits="$commits" -f "$here/repository.awk" | git -C remote.git fast-import --quiet
git clone -q remote.git here
git clone -q remote.git there
rows here >all
count=$(wc -l <all)
cd here
[ -n "$tsv" ] ||
	printf '%-16s %10s %-10s %8s\n' "$count rows" '' '' 'peak MB'

"$tools/measure" 1 "$irdiff" history --import=../all >../measured || stop "the rows cannot be imported"
read -r _ cpu peak <../measured
value import "$(awk -v rows="$count" -v ms="$cpu" -v tsv=$tsv \
	'BEGIN { if (tsv) print ms / 1e3; else printf "%d", rows / ms * 1e3 }')" $((peak / 1000)) +200000
value database "$(wc -c <.irdiff/history.db | awk '{ printf "%.1f", $1 / 1e6 }')" - 60
timed overview 0.5 "$runs" "$irdiff" history
timed 'one benchmark' 0.2 "$runs" "$irdiff" history bench0001
tail -n 1 ../all >../last
timed 'one row' '' "$runs" "$irdiff" history --import=../last
timed site '' 1 "$irdiff" history --format=html -o ../site
timed 'site again' 5 1 "$irdiff" history --format=html -o ../site
value 'size of site' "$(du -sk --apparent-size ../site | awk '{ printf "%.1f", $1 / 1e3 }')" -
timed push '' 1 "$irdiff" store push origin --history-only
cd ../there
timed fetch '' 1 "$irdiff" store fetch origin --history-only
cd ../here
git -c user.name=a -c user.email=a@b commit -q --allow-empty -m 'One more'
rows . -1 >../one
"$irdiff" history --import=../one >../out
timed 'push of commit' '' 1 "$irdiff" store push origin --history-only
cd ../there
timed 'fetch of commit' '' 1 "$irdiff" store fetch origin --history-only
timed 'fetch of none' '' "$runs" "$irdiff" store fetch origin --history-only
"$irdiff" history --export | cmp -s - ../all && stop "the last commit was not fetched"
"$irdiff" history --export >../fetched
(cd ../here && "$irdiff" history --export) | cmp - ../fetched || stop "both clones have other rows"
git -C ../remote.git gc -q --prune=now
value remote "$(du -sk ../remote.git/objects | awk '{ printf "%.1f", $1 / 1e3 }')" -
