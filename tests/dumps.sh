#!/bin/sh
# Usage: tests/dumps.sh
#
# The sets of files that Valgrind writes for one program - several dumps, combined dumps, threads,
# forked children - are read as one profile that costs what a single run costs. The start of a
# program costs a little more or less from run to run; the function `work` never does.
set -eu
. "$(dirname "$0")/skip.sh"
LC_ALL=C
export LC_ALL
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")

needs valgrind
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-dumps.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
cd "$scratch"

cat >program.c <<'END_OF_PROGRAM'
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long sink;

__attribute__((noinline)) void work(long n)
{
	for (long i = 0; i < n; i++)
		sink += i;
}

__attribute__((noinline)) void step(long n)
{
	work(n);
}

static void *run(void *n)
{
	work(*(long *)n);
	return NULL;
}

int main(int argc, char **argv)
{
	long few = 5000, many = 7000;
	pthread_t one, two;

	step(1000);
	step(2000);
	if (argc > 1 && strcmp(argv[1], "threads") == 0) {
		pthread_create(&one, NULL, run, &few);
		pthread_create(&two, NULL, run, &many);
		pthread_join(one, NULL);
		pthread_join(two, NULL);
	}
	if (argc > 1 && strcmp(argv[1], "fork") == 0) {
		pid_t child = fork();
		if (child == 0) {
			step(9000);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	step(3000);
	return 0;
}
END_OF_PROGRAM
${CC:-cc} -g -O1 -o program program.c -pthread

failed=0

fails() {
	echo "FAIL: $*"
	failed=1
}

# Runs the program with Valgrind's options in a directory of its own: record DIRECTORY MODE OPTION…
record() {
	dir=$1 mode=$2
	shift 2
	mkdir "$dir"
	(cd "$dir" && valgrind -q --tool=callgrind "$@" ../program "$mode" >log 2>&1) || {
		cat "$dir/log"
		exit 1
	}
	ls "$dir" | sed "s/^/$dir\//"
}

# The cost of `work` in a profile, without commas: work_in OPERAND…
work_in() {
	"$irdiff" show --format=annotate "$@" --filter='^work$' --threshold=0 |
		sed -n 's/^ *\([0-9,]*\) .*:work \[.*/\1/p' | tr -d ,
}

total_of() {
	"$irdiff" show --format=annotate "$@" | sed -n 's/^ *\([0-9,]*\) .*PROGRAM TOTALS/\1/p' | tr -d ,
}

# What Valgrind says that the files cost.
stated() {
	awk '/^totals: / { sum += $2 } END { print sum }' "$@"
}

# The files of a directory are one profile, in which `work` costs $2, and all what they state.
check() {
	work=$(work_in "$1/callgrind.out.*")
	total=$(total_of "$1"/callgrind.out.*)
	[ "$work" = "$2" ] || fails "$1: work costs $work, in one file $2"
	[ "$total" = "$(stated "$1"/callgrind.out.*)" ] || fails "$1: $total is not what Valgrind states"
	echo "$1: work $work, total $total"
}

# The files of $1 are refused with a message that says $2.
refused() {
	if "$irdiff" show --format=annotate "$1/callgrind.out.*" >"$1/shown" 2>&1; then
		fails "$1 was not refused"
	fi
	grep -q -e "$2" "$1/shown" || fails "$1: $(cat "$1/shown")"
}

record single steps
single=$(work_in 'single/callgrind.out.*')
[ "$single" -gt 6000 ] || fails "work costs $single"

record dumps steps --dump-before=step
check dumps "$single"
one=$(work_in 'dumps/callgrind.out.*' --parts=2)
two=$(work_in 'dumps/callgrind.out.*' --parts=3,4)
[ $((one + two)) = "$single" ] || fails "parts cost $one and $two, together $single"
[ "$(work_in 'dumps/callgrind.out.*' --parts='--dump*,Program*')" = "$single" ] || fails "triggers"

record combined steps --dump-before=step --combine-dumps=yes
check combined "$single"
[ "$(work_in 'combined/callgrind.out.*' --parts=2)" = "$one" ] || fails "a combined part"
sed "s/^pid: .*/$(grep '^pid: ' dumps/callgrind.out.*.1)/" combined/callgrind.out.* \
	>dumps/callgrind.out.again
refused dumps 'counted twice'

record blocks steps --dump-every-bb=15000
check blocks "$single"

record threads threads
threads=$(work_in 'threads/callgrind.out.*')
record separate threads --separate-threads=yes
check separate "$threads"
# The third thread is the second again if that has ended when it begins.
ls separate/callgrind.out.*-02 >/dev/null || fails "no file of a second thread"
one=$(work_in 'separate/callgrind.out.*' --thread=1)
two=$(work_in 'separate/callgrind.out.*' --thread=2-3)
[ "$one" = "$single" ] || fails "the first thread costs $one, not $single"
[ $((one + two)) = "$threads" ] || fails "threads cost $one and $two, together $threads"
record both threads --separate-threads=yes --dump-before=step
check both "$threads"
record joined threads --separate-threads=yes --combine-dumps=yes --dump-before=step
check joined "$threads"

# The child's file holds what its parent did before the fork.
record forked fork --trace-children=yes
refused forked '--pid=all'
found=0
for pid in $(sed -n 's/^pid: //p' forked/callgrind.out.*); do
	[ "$(work_in 'forked/callgrind.out.*' --pid="$pid")" != "$single" ] || found=$((found + 1))
done
[ "$found" -eq 1 ] || fails "$found processes cost what the parent does"
all=$(total_of 'forked/callgrind.out.*' --pid=all)
[ "$all" = "$(stated forked/callgrind.out.*)" ] || fails "all processes cost $all"
record appended fork --callgrind-out-file=callgrind.out.x --combine-dumps=yes
refused appended '--pid=all'
exit $failed
