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

make_lean
$lean -g -O1 -D_GNU_SOURCE -pthread -o asks "$source_dir/tests/freeze/asks.c" || exit 1
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
$lean -g -O1 -o early early.c || exit 1
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
$static -g -O0 -o turns turns.c || exit 1
cat >threads.c <<'END'
#include <pthread.h>

static void *work(void *steps)
{
	for (volatile int i = 0; i < *(int *)steps; i++)
		;
	return NULL;
}

/* Most of it is not measured below work, where no thread is begun. */
int main(void)
{
	int steps = 1000;
	pthread_t other;

	if (pthread_create(&other, NULL, work, &steps) != 0 || pthread_join(other, NULL) != 0)
		return 1;
	return work(&steps) != NULL;
}
END
$static -g -O1 -pthread -o threads threads.c || exit 1
cat >irdiff.yml <<'END'
benchmarks:
  equal: {command: ./asks}
  looks: {command: ./looks}
  looks-frozen: {command: ./looks, freeze: [time]}
  seed: {command: ./asks random device, freeze: [time]}
  both: {command: ./asks random time}
  never: {command: ./early}
  fails: {command: ./asks nonsense}
  threads: {command: ./threads, root: work}
END

check "an equal one" verifies 0 equal -n 3
check "says so" says '^equal: byte-equal over 3 runs, [0-9,]* Ir$'
check "says nothing else" [ "$(wc -l <out)" = 1 ]

# The C library is asked, as the program is not static.
cat >looks.c <<'END'
#include <time.h>

int main(void)
{
	struct timespec now;
	return clock_gettime(CLOCK_MONOTONIC, &now);
}
END
cc -g -O1 -o looks looks.c || exit 1
check "a program that is newer than its source" verifies 0 looks -n 2
check "says nothing of that" [ ! -s err ]
touch looks.c
check "one that is older" verifies 0 looks -n 2
check "is said to be" grep -qx 'irdiff: warning: looks: the program is older than looks.c; build first' err
check "one that reads the clock" verifies 0 looks -n 2 --cache-sim=no
check "is said to" says '^looks: byte-equal over 2 runs' && says '^It reads the clock, so its counts could differ by chance'
check "with what prevents that" says '^    freeze: \[time\]$'
check "it prevents it" verifies 0 looks-frozen -n 2 --cache-sim=no
check "... so it is not said" says_not 'the clock'

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
check "its options" says '^This makes it deterministic: irdiff profile --freeze=random$'

check "without simulated caches" verifies 4 seed -n 2 --remedies=no --cache-sim=no
check "instructions alone" says_not '^ .* Dr$'
check "without remedies" verifies 4 never -n 2 --remedies=no
check "none are tried" says_not 'Tried'
check "which" says ' main$'
check "nothing helps" verifies 4 never -n 2
check "says so" says '^Nothing irdiff tried makes it deterministic'
check "of no interpreter that it is not" says_not '^  .*\(presets\|PYTHON\|PERL\)'
check "by how much it varies" says '^    tolerance: {Ir: [0-9]*\(, [A-Z1a-z]*: [0-9]*\)*}$'
sed -n 's/^    tolerance: //p' out >tolerance

check "other lines" verifies 4 -n 2 --remedies=no -- ./turns
check "which is said" says '^turns: 2 runs differ, with equal totals, in self costs of lines$'
check "and no empty table" says_not 'ppm'
check "nor a limit that needs room" says 'Every function counts the same in all runs, so limits are reliable'
check "other functions" verifies 4 -n 2 --remedies=no -- ./turns 1
check "which is said" says '^turns: 2 runs differ, with equal totals, in self costs of functions, numbers of calls$'
check "and what that means" says 'Totals are equal, so limits on totals are reliable'

check "a benchmark that fails" verifies 3 fails -n 2
check "an unknown one" verifies 2 nothing -n 2
check "one run is none" verifies 2 equal -n 1

check "nothing is kept" [ -z "$(ls -A .irdiff/tmp .irdiff/profiles 2>/dev/null | grep -v : ; ls profiles 2>/dev/null)" ]
check "no history" [ ! -e .irdiff/history.db ]

# A runtime without its preset: with it, what is left varies by a few steps per run.
cat >node.c <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* By this, and its name, irdiff knows Node.js, which has threads of its own. */
int _ZN4node5Start(void) { return 0; }

static void *wait(void *unused) { return unused; }

int main(int argc, char **argv)
{
	struct stat st;
	pthread_t thread;
	int seeded = 0, file = open("node.txt", O_WRONLY | O_CREAT | O_APPEND, 0600);

	for (int i = 1; i < argc; i++)
		seeded |= strcmp(argv[i], "--hash-seed=1") == 0;
	if (file < 0 || fstat(file, &st) || write(file, "x", 1) != 1 ||
	    pthread_create(&thread, NULL, wait, NULL) || pthread_join(thread, NULL))
		return 1;
	for (volatile long i = seeded ? 0 : st.st_size * 10000; i > 0; i--)
		;
	for (volatile long i = st.st_size; i > 0; i--)
		;
	return 0;
}
END
$lean -O1 -D_GNU_SOURCE -pthread -o node node.c || exit 1
sed -i 's/^  threads:/  node: {command: [.\/node, my file.js], freeze: [time, random], presets: false}\n&/' irdiff.yml
check "node" verifies 4 node -n 2
check "with its preset" says '^  presets: differs after 2 runs'
check "it varies less" says '^in 2 runs by [1-9][0-9]* Ir ([0-9.]* ppm) instead of [0-9,]* Ir ([0-9.]* ppm)\. '
check "which is to be set" says '^    presets: true$'
check "and nothing else" says_not '^    env'
check "and with a tolerance of what is left" says '^    tolerance: {Ir: [1-9][0-9]\{0,2\}[,}]'
sed -n 's/^    \(presets\|tolerance\)/\1/p' out | sed '1s/^/  node: {command: .\/node, /; 1s/$/,/; $s/$/}/' | tr '\n' ' ' >line
{ grep -v '^  node:' irdiff.yml && cat line && echo; } >new.yml && mv new.yml irdiff.yml
check "these lines are valid" verifies 4 node -n 2
check "it is not tried again" says_not '^  presets'
check "and whose threads they are" says '^Node.js has threads of its own'
check "what it set is said" grep -q 'set for Node.js: --single-threaded --hash-seed=1' err

# A seed that irdiff.yml has changed is a remedy.
if perl=$(command -v perl); then
	cat >keys.pl <<'END'
my %h = map { $_ => 1 } 1 .. 200; my $n = 0; my $i = 0;
for (keys %h) { $i++; $n += $_ if $i < $_ }
END
	check "perl with random seeds" verifies 4 -n 3 -e PERL_HASH_SEED=random -e PERL_PERTURB_KEYS=1 -- "$perl" keys.pl
	check "fixed ones help" says '--env=PERL_HASH_SEED=0 --env=PERL_PERTURB_KEYS=0$'
fi

# A command that becomes another program, and one that starts several.
printf '#!/bin/sh\n./asks\n./asks random\n./still\n' >script
chmod +x script
cp /bin/true still
check "a program of a script" verifies 4 -n 2 --remedies=no --image=asks -- ./script
check "which function of it" says ' work$'
check "another one" verifies 0 -n 2 --image=still -- ./script
check "a program that it does not start" verifies 4 -n 2 --image=nothing -- ./script
check "which is said" grep -q 'nothing' err

# What is proposed is what irdiff.yml takes: two runs of the same program do not differ by more.
sed -i "s/never: {command: .\/early/&, tolerance: $(cat tolerance)/" irdiff.yml
profiles() {
	"$irdiff" profile "$1" -q >out 2>errors && "$irdiff" profile "$1" -q >>out 2>>errors
}
differs() {
	"$irdiff" diff "$1.old" "$1" >out 2>errors
}
check "two profiles" profiles never
check "they are compared" differs never
check "they do not differ by more" says '^never: .* WITHIN TOLERANCE$'
check "the tolerance is said" says '^Tolerance: [0-9,]* Ir; '

# A clock that stands still lets no batch of this one take long enough: a trial that freezes it never ends.
cat >batches.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static int64_t nanoseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

int main(void)
{
	FILE *runs = fopen("batches", "a");
	volatile long i, n = 1000;
	int64_t begun, ended;

	for (i = 100 * ftell(runs); i > 0; i--)
		;
	fputs("x", runs);
	fclose(runs);
	do {
		begun = nanoseconds();
		for (i = n *= 2; i > 0; i--)
			;
		ended = nanoseconds();
	} while (ended - begun < 20000000);
	return 0;
}
END
$lean -g -O1 -o batches batches.c || exit 1
check "a clock that it waits for" verifies 4 -n 2 --format=json -- ./batches
check "a trial that does not end is said to be" \
	says '"remedies":\["freeze time"\],"result":"timed out","runs":0,"limit":[5-9]'
check "and is left out of others" [ "$(grep -c 'freeze time' out)" = 1 ]
check "Qt, threads and other runtimes are none of its business" says_not 'hash seeds\|single thread\|HASH'
check "all trials together end" verifies 4 -n 2 --trials-timeout=1 -- ./batches
check "it is said for which there is no time" says '^  freeze time: no time left$'
check "and how to give them more" says '^All trials together may take 1 s; --trials-timeout=SECONDS changes that\.$'

# The cases of a command, if it has any.
check "cases of a command that has none" verifies 4 -n 2 --cases=irdiff -- ./asks
check "which is said" grep -q 'irdiff_begin() and irdiff_end()' err

# Where threads begin is not measured, but how many there are is known all the same.
check "threads" profiles threads
check "how many" grep -q '^desc: irdiff.subject.threads: 2$' profiles/threads.callgrind
check "one" grep -q '^desc: irdiff.subject.threads: 1$' profiles/never.callgrind
check "a difference of them" differs threads
check "is marked, once" [ "$(grep -c 'WARNING: 2 threads: .* may differ by chance' out)" = 1 ]
check "with what to do" says "irdiff verify 'threads'$"
check "of which two runs prove little" verifies 0 threads -n 2
check "which is said" says 'To see more of them, run irdiff verify -n 20 threads$'
check "and no tolerance is recommended" says_not 'tolerance'
check "more say what they count" verifies 0 threads -n 20
check "with a tolerance of nothing" says '^    tolerance: {Ir: 0}$'

# What varies with threads: to freeze what the program never read helps by chance only.
cat >scheduled.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <sys/random.h>

static void *wait(void *unused) { return unused; }

/* With an argument by random numbers, else by how often it has run. */
int main(int argc, char **argv)
{
	pthread_t thread;
	unsigned n = 0;
	FILE *runs = fopen("scheduled", "a");

	(void)argv;
	if (argc > 1)
		getrandom(&n, sizeof n, 0);
	else
		n = (unsigned)ftell(runs);
	fputs("x", runs);
	fclose(runs);
	for (volatile unsigned i = 0; i < n % 5000; i++)
		;
	return pthread_create(&thread, NULL, wait, NULL) || pthread_join(thread, NULL);
}
END
$lean -g -O1 -pthread -o scheduled scheduled.c || exit 1
# As if another thread had ended before the memory was allocated, or had not.
cat >arenas.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *wait(void *unused) { return unused; }

int main(void)
{
	pthread_t thread;
	FILE *runs = fopen("allocated", "a");
	const size_t size = __builtin_popcountl((unsigned long)ftell(runs)) % 2 ? 1000 : 1500;

	fputs("x", runs);
	fclose(runs);
	for (int i = 0; i < 20; i++) {
		void *volatile first = malloc(size), *volatile second = malloc(size);
		free(first);
		free(second);
	}
	return pthread_create(&thread, NULL, wait, NULL) || pthread_join(thread, NULL);
}
END
$lean -g -O1 -fno-builtin -pthread -o arenas arenas.c || exit 1
mkdir project && cd project
printf 'build: make -j2 tool\nbenchmarks: {tool: {command: ./tool}}\n' >irdiff.yml
check "what was not built yet is an error" verifies 2 tool
check "which says what builds it" grep -q 'tool does not exist; verify does not build, so run this first, in .*: make -j2 tool$' err
mkdir bin other && cd other
echo 'int main(void) { return 0; }' | $lean -O1 -x c -o ../bin/tool - || exit 1
printf 'benchmarks: {tool: {command: ./tool, cwd: bin}}\n' >../irdiff.yml
check "where it starts is relative to irdiff.yml" verifies 0 -n 2 tool
cd ../..
mkdir several && cd several
printf 'benchmarks: {one: {command: ../asks}, fails: {command: ../asks nonsense}, other: {command: ../asks}}\n' >irdiff.yml
check "without a name, each benchmark is run, and the worst decides" verifies 3 -n 2
check "... with a report on each that could be" [ "$(sed 's/ [0-9,]* Ir$//' out | tr '\n' ';')" = 'one: byte-equal over 2 runs,;;other: byte-equal over 2 runs,;' ]
check "... and a message on others" grep -q 'fails' err
sed -i 's/fails: {command: ..\/asks nonsense}, //' irdiff.yml
check "... in one file" verifies 0 -n 2 -o file
check "... of all" [ "$(grep -c byte-equal file)" = 2 ]
check "but none if no command follows --" verifies 2 --
check "... which is said" grep -q 'or put a command after --; available: one, other' err
check "a file that cannot be written" verifies 2 -n 2 -o none/file
check "... ends it at the first one" [ "$(grep -c 'cannot create' err)" = 1 ]
cp file before
printf 'benchmarks: {one: {command: ../asks}, waits: {command: [/bin/sh, -c, ": >started; exec sleep 60"]}}\n' >irdiff.yml
"$irdiff" verify -n 2 -o file >out 2>err &
interrupted=$!
for _ in $(seq 600); do
	[ -e started ] && break
	sleep 0.1
done
kill -TERM $interrupted
wait $interrupted
check "a signal ends it" [ $? = 143 ]
check "... and what was reported so far replaces no file" cmp file before
cd ..
check "threads that vary" verifies 4 -n 2 -- ./scheduled
check "nothing is frozen in vain" says_not 'freeze [^m]'
check "what may help is tried" says '^  single thread: differs after 2 runs'
check "threads and random numbers" verifies 4 -n 2 -- ./scheduled 1
# Whether a remedy is found depends on how the threads ran.
check "a remedy takes more runs" says_not 'byte-equal over [23] runs'
check "the clock was not read" says_not 'time'
check "and is probable at best" says_not 'This makes it deterministic'

check "memory that threads leave" verifies 4 -n 4 -- ./arenas
check "is allocated in another way" says '^  freeze malloc: '
check "... which leaves less variation, or none" says '^  irdiff profile --freeze=malloc$'

finish
