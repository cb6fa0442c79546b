#!/bin/sh
# Usage: tests/verify.sh
#
# What `irdiff verify` says of programs that count the same in every run, that do with something frozen,
# and that never do; and that nothing is kept of its runs. Needs Valgrind.
set -u
. "$(dirname "$0")/scratch.sh"
needs valgrind
cd "$scratch" || exit 1

# verifies STATUS ARGUMENTS...
verifies() {
	wanted=$1
	shift
	"$irdiff" verify "$@" >out 2>err
	status=$?
	[ $status = "$wanted" ]
}

says() {
	grep -q -e "$1" out
}

says_not() {
	! grep -q -e "$1" out
}

$compiler -g -O1 -D_GNU_SOURCE -pthread -o asks "$source_dir/tests/freeze/asks.c" || exit 1
cat >early.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

/* What nothing can make constant: where others can write, it counts its runs. */
int main(void)
{
	unsigned n = 0;
	FILE *file = fopen("runs", "r");

	if (file && fscanf(file, "%u", &n) == 1)
		fclose(file);
	if ((file = fopen("runs", "w"))) {
		fprintf(file, "%u\n", n + 1);
		fclose(file);
	}
	for (volatile unsigned i = 0; i < 100 * n; i++)
		;
	return 0;
}
END
$compiler -g -O1 -o early early.c || exit 1
cat >turns.c <<'END'
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

__attribute__((noinline)) int leaf(volatile int *n) { return ++*n; }
__attribute__((noinline)) int one(volatile int *n) { return leaf(n); }
__attribute__((noinline)) int two(volatile int *n) { return leaf(n); }

/* The same is done in either line. */
static void call(int which, volatile int *n)
{
	void *const labels[] = { &&first, &&second, &&third };
	goto *labels[which];
first:	leaf(n); goto end;
second:	leaf(n); goto end;
third:	leaf(n);
end:	;
}

/* In turns one or the other, with as many instructions: functions with an argument, else lines. */
int main(int argc, char **argv)
{
	int (*const functions[])(volatile int *) = { one, two };
	volatile int n = 0;
	struct stat st;
	int file = open("turns.txt", O_WRONLY | O_CREAT | O_APPEND, 0600);
	(void)argv;
	if (file < 0 || fstat(file, &st) || write(file, "x", 1) != 1)
		return 1;
	call(0, &n), call(1, &n), one(&n), two(&n);
	if (argc == 1)
		call((int)st.st_size & 1, &n);
	else
		functions[st.st_size & 1](&n);
	return 0;
}
END
$compiler -g -O0 -o turns turns.c || exit 1
cat >irdiff.yml <<'END'
benchmarks:
  equal: {command: ./asks}
  seed: {command: ./asks random device, freeze: [time]}
  both: {command: ./asks random time}
  never: {command: ./early}
  fails: {command: ./asks nonsense}
END

check "an equal one" verifies 0 equal -n 3
check "says so" says '^equal: byte-equal over 3 runs, [0-9,]* Ir$'
check "says nothing else" [ "$(wc -l <out)" = 1 ]

check "random numbers" verifies 4 seed -n 2
check "how many" says '^seed: 2 runs differ$'
check "which function" says ' work$'
check "what makes it equal" says '^  freeze random: byte-equal over 2 runs$'
check "the line, with what is frozen already" says '^    freeze: \[random, time\]$'
check "the first that helps is enough" says_not 'warm-up'

check "random numbers and the time" verifies 4 both -n 2
check "one is not enough" says '^  freeze random: differs after 2 runs'
check "all together are" says '^  freeze random, freeze time, .*: byte-equal over 2 runs$'
check "the least that is" says '^    freeze: \[random, time\]$'
check "and no more" says_not '^    env\|^    warm_up: true'

check "a command" verifies 4 -n 2 -- ./asks random
check "its options" says '^This makes it equal: irdiff profile --freeze=random$'

check "without remedies" verifies 4 never -n 2 --remedies=no
check "none are tried" says_not 'Tried'
check "which" says ' main$'
check "nothing helps" verifies 4 never -n 2
check "says so" says '^Nothing that was tried makes it equal'
check "what a limit needs" says '^    limits: {Ir: "+[0-9.]*%"}$'

check "other lines" verifies 4 -n 2 --remedies=no -- ./turns
check "which is said" says '^turns: 2 runs differ, with equal totals, in own costs of lines$'
check "and no empty table" says_not 'ppm'
check "nor a limit that needs room" says 'Every function counts the same in all runs, so limits hold'
check "other functions" verifies 4 -n 2 --remedies=no -- ./turns 1
check "which is said" says '^turns: 2 runs differ, with equal totals, in own costs of functions, numbers of calls$'
check "and what that means" says 'Totals are equal, so limits on them hold'

check "a benchmark that fails" verifies 3 fails -n 2
check "an unknown one" verifies 2 nothing -n 2
check "one run is none" verifies 2 equal -n 1

check "nothing is kept" [ -z "$(ls -A .irdiff/tmp .irdiff/profiles 2>/dev/null | grep -v : ; ls profiles 2>/dev/null)" ]
check "no history" [ ! -e .irdiff/history.db ]

finish
