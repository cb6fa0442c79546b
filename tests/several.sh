#!/bin/sh
# Usage: tests/several.sh
#
# Benchmarks that measure several cases in one run: by irdiff.h, by dumps with names, and as CodSpeed's
# integrations do, by a program that says the same to callgrind as they do. Their counts are those of
# plain callgrind (--toggle-collect), they are compared, cached, remembered and judged one by one.
set -u
. "$(dirname "$0")/repository.sh"
needs valgrind python3

mkdir "$scratch/project"
cd "$scratch/project"
git init -q .
cp "$source_dir/src/client/irdiff.h" .
cat >sum.h <<'END'
#include "irdiff.h"

__attribute__((noinline)) int sum(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += irdiff_opaque(i) & 3;
	return s;
}
END
cat >bench.c <<'END'
#include "sum.h"

int main(void)
{
	irdiff_keep(sum(irdiff_opaque(777))); /* counts for nothing */
	IRDIFF_CASE("small")
		irdiff_keep(sum(irdiff_opaque(10)));
	irdiff_begin();
	irdiff_keep(sum(irdiff_opaque(SIZE)));
	irdiff_end("big/of two parts");
	IRDIFF_CASE(EXTRA)
		irdiff_keep(sum(irdiff_opaque(20)));
	IRDIFF_CASE("big/of two parts")
		irdiff_keep(sum(irdiff_opaque(SIZE)));
	return 0;
}
END
cat >plain.c <<'END'
#include "sum.h"
int main(int argc, char **argv)
{
	(void)argv;
	return sum(argc == 1 ? 10 : 1000) < 0;
}
END
cat >irdiff.yml <<'END'
build: make -s
benchmarks:
  b:
    command: ./bench
    limits: {Ir: "+10%"}
  known:
    command: ./bench
    cases: irdiff
  whole:
    command: ./bench
    cases: none
  none:
    command: ./plain
    cases: irdiff
END
printf 'bench: bench.c\n\t%s -g -O2 -DSIZE=100 -DEXTRA=%s -o $@ $<\n' "$static" \
	"'\"old only\"'" >Makefile
printf '%s\n' bench plain whole dumps codspeed silent plus slow straight family threads lost open >.gitignore
git add -A
git commit -q -m one
make -s
$static -g -O2 -o plain plain.c

# The total of what a label has, by irdiff.
total() {
	"$irdiff" show "$1" --format=json |
		python3 -c 'import json, sys; print(json.load(sys.stdin)["totals"]["Ir"])'
}

# What plain callgrind counts below a function, of a program and its arguments.
plain() {
	valgrind -q --tool=callgrind --vgdb=no --toggle-collect=sum \
		--callgrind-out-file="$scratch/plain.out" "$@"
	sed -n 's/^totals: *//p; s/^summary: *//p' "$scratch/plain.out" | sort -n | tail -n 1
}

# ---- irdiff.h -------------------------------------------------------------------------------------

run 0 profile b && says "b/small" && says "b/big/of two parts" && says "b/old only" &&
	[ ! -e profiles/b.callgrind ] && [ -e "profiles/b/small.callgrind" ]
verdict "irdiff.h: each case has a profile, and the benchmark itself none" $?

small=$(total b/small) inner=$(plain ./plain)
difference=$((small - inner))
[ "$inner" -gt 10 ] && [ "$difference" -ge 0 ] && [ "$difference" -le 20 ]
verdict "irdiff.h: nothing but the case is counted ($small, callgrind below sum: $inner)" $?

run 0 profile known && [ "$(total known/small)" = "$small" ] &&
	[ "$(total "known/big/of two parts")" = "$(total "b/big/of two parts")" ]
verdict "irdiff.h: cases: irdiff counts the same, and only that" $?

run 0 diff b/small known/small && says "0%" && says "No function changed."
verdict "irdiff.h: a case has a tree and functions, which can be compared" $?

run 0 profile whole && [ "$(total whole)" -gt "$((small * 10))" ]
verdict "irdiff.h: cases: none adds up what there is" $?

run 4 profile none && says "irdiff_begin() and irdiff_end()"
verdict "irdiff.h: a program without cases is refused where they are expected" $?

run 0 profile b/small && says "b/small" && ! says "b/big" &&
	run 0 profile 'b/big*' && says "b/big" && ! says "b/small" &&
	run 2 profile b/nothing && says "unknown case b/nothing; available: small, big/of two parts, old only"
verdict "profile BENCH/CASE: only these, also by a pattern" $?

cat >../straight.c <<'END'
#include "irdiff.h"
#define NOPS(n) __asm__ volatile(".rept " n "\n\tnop\n\t.endr")
int main(void)
{
	IRDIFF_CASE("few") NOPS("7");
	IRDIFF_CASE("many") NOPS("1000");
	return 0;
}
END
$static -O1 -I. -o straight ../straight.c && run 0 profile -- ./straight &&
	[ "$(total straight/few) $(total straight/many)" = "8 1001" ]
verdict "irdiff.h: code without jumps is counted, too, and one instruction of our own" $?

./bench && $static -DNVALGRIND -DSIZE=100 '-DEXTRA="x"' -o silent bench.c && ./silent &&
	run 0 profile -- ./silent && [ -e profiles/silent.callgrind ]
verdict "irdiff.h: outside Valgrind, and with NVALGRIND, nothing happens" $?

if has g++ "irdiff.h in C++"; then
	g++ -x c++ -std=c++98 -pedantic -Wall -Wextra -Werror -O2 -DSIZE=100 '-DEXTRA="x"' -o plus bench.c &&
		run 0 profile --label=plus -- ./plus && [ "$(total plus/small)" = "$small" ]
	verdict "irdiff.h: in C++, too" $?
fi
$static -std=c99 -pedantic -Wall -Wextra -Werror -O0 -DSIZE=100 '-DEXTRA="x"' -o slow bench.c &&
	run 0 profile --label=slow -- ./slow && says "slow/small"
verdict "irdiff.h: without optimisation, as strict C99" $?

# ---- compared, cached, remembered, judged -----------------------------------------------------------

sed -i 's/SIZE=100/SIZE=200/; s/old only/new only/' Makefile
git commit -q -a -m two
# First of all: whatever is kept of this one must not be taken for all.
run 0 compare HEAD~ -b b/small --check && says "b/small" && ! says "b/big"
verdict "compare -b BENCH/CASE" $?

run 1 compare HEAD~ -b b --check && says "PASS             b/small" && says "REGRESSION       b/big/of two parts" &&
	says "NEW              b/new only" && says "MISSING IN HEAD  b/old only"
verdict "compare: every case is compared, judged by the benchmark's limits, new or removed" $?

PATH=/nonexistent:$PATH run 1 compare HEAD~ -b b --check -q && [ ! -s "$scratch/err" ]
verdict "compare: a second time nothing is built or run" $?

rm -rf .irdiff/cache/b%2Fsmall@*
run 1 compare HEAD~ -b b --check && says "PASS             b/small"
verdict "compare: a case that is missing in the cache is measured again" $?

run 0 history b && says "b/small" && says "b/old only" && ! says "known" &&
	run 0 history b/small && says "one" && says "two" && run 0 history &&
	says "b/big/of two parts" && says "regressed"
verdict "history: each case has its own" $?

run 0 bisect "b/big/of two parts" --good HEAD~ && says "two"
verdict "bisect: of a case" $?

run 2 baseline save all && says "has not been measured" # whole is of old, none cannot be
run 0 profile b -q && run 0 baseline save mine b/small && [ -e baselines/mine/b/small.callgrind ] &&
	run 0 compare --baseline=mine -b b/small && says "0%  NEUTRAL" &&
	run 0 diff baseline:mine/b/small b/small && run 0 baseline list && says "mine"
verdict "baselines of a case" $?

run 0 check HEAD~ -b b/small --format=junit && says 'b/small'
verdict "check: as junit" $?

# ---- cases that do not end --------------------------------------------------------------------------

cat >open.c <<'END'
#include "irdiff.h"
int main(int argc, char **argv)
{
	(void)argv;
	IRDIFF_CASE("ends")
		irdiff_keep(irdiff_opaque(argc) + 1);
	IRDIFF_CASE("does not")
		if (irdiff_opaque(argc))
			return 0;
	return 1;
}
END
$static -g -O2 -o open open.c
run 4 profile -- ./open && says 'the case after "ends" began but did not end; break' &&
	run 4 profile --cases=irdiff -- ./open && says "began but did not end"
verdict "irdiff.h: a case that is left is an error" $?

cat >continued.c <<'END'
#include "irdiff.h"
int main(void)
{
	static const char *const names[] = { "first", "second", "third", "last" };
	for (int i = 0; i < 4; i++) {
		irdiff_begin();
		irdiff_keep(irdiff_opaque(i) * 3);
		if (irdiff_opaque(i) % 2 == 1 && i < 3)
			continue;
		irdiff_end(names[i]);
	}
	return 0;
}
END
$static -g -O2 -o continued continued.c
run 0 profile --label continued -- ./continued && says "continued: 1 case had not ended when the next began" &&
	says "the first one follows first" && [ -e profiles/continued/last.callgrind ] &&
	[ "$(ls profiles/continued/*.callgrind | wc -l)" = 3 ]
verdict "irdiff.h: a case that was left before the next began is said to be left out" $?

sed 's/% 2 == 1 && i < 3/< 4/' continued.c >never.c
$static -g -O2 -o never never.c
run 4 profile -- ./never && says "3 cases had not ended when the next began, and no case ended" &&
	run 4 profile --cases=irdiff -- ./never && says "and no case ended" && [ ! -e profiles/never.callgrind ]
verdict "irdiff.h: cases of which none has ended are no profile of the whole" $?

# ---- dumps with names ------------------------------------------------------------------------------

cat >dumps.c <<'END'
#include <stdint.h>
#include <string.h>
#include "sum.h"

static void dump(const char *name)
{
	(void)irdiff_ask_(0x43540003, name);
}

int main(void)
{
	dump("start");
	irdiff_keep(sum(10));
	dump("first phase");
	irdiff_keep(sum(1000));
	dump("second/phase");
	return 0;
}
END
$static -g -O2 -o dumps dumps.c
run 0 profile --cases=dumps -- ./dumps && says "dumps/first phase" && says "dumps/second/phase" &&
	[ "$(total "dumps/second/phase")" -gt "$(total "dumps/first phase")" ]
verdict "--cases=dumps: what a program dumps under a name" $?
run 0 profile -- ./dumps && [ -e profiles/dumps.callgrind ]
verdict "without it, its parts are added up" $?

# ---- CodSpeed's contract ----------------------------------------------------------------------------

# What the integrations do: they ask the environment, name themselves, and run every case below a function
# of a known name; codspeed-rust from version 6 on in a process of its own.
cat >codspeed.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "sum.h"

#define ASK(what, text) (void)irdiff_ask_(0x43540000 + (what), (text))

__attribute__((noinline)) int __codspeed_root_frame__iter(int n)
{
	int s = sum(n);
	irdiff_keep(s);
	return s;
}

static void measure(const char *uri, int n)
{
	ASK(1, NULL); /* zero */
	ASK(4, NULL); /* start */
	irdiff_keep(__codspeed_root_frame__iter(irdiff_opaque(n)));
	ASK(5, NULL); /* stop */
	ASK(3, uri);
}

static int is(const char *variable, const char *value)
{
	const char *found = getenv(variable);
	return found && strcmp(found, value) == 0;
}

static void isolate(char *self, const char *uri)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		setenv("CODSPEED_ISOLATED_BENCHMARK", uri, 1);
		execl(self, self, (char *)NULL);
		_exit(127);
	}
	if (waitpid(child, &status, 0) != child || status)
		exit(1);
}

int main(int argc, char **argv)
{
	const char *only = getenv("CODSPEED_ISOLATED_BENCHMARK");
	char path[4096];

	(void)argc;
	if (!is("CODSPEED_ENV", "runner") || !is("CODSPEED_RUNNER_MODE", "instrumentation") ||
	    !getenv("CODSPEED_PROFILE_FOLDER") || !getenv("ARCH") || !is("PYTHONHASHSEED", "0") ||
	    getenv("PYTHONMALLOC") || !is("PYTHON_PERF_JIT_SUPPORT", "0"))
		return 3;
	snprintf(path, sizeof path, "%s/environment-%d.json", getenv("CODSPEED_PROFILE_FOLDER"),
		 (int)getpid());
	FILE *own = fopen(path, "w");
	if (!own || fclose(own))
		return 4;
	ASK(3, "Metadata: codspeed-c 1.2.3");
	if (!only)
		measure("src/b.c::sum[10]", 10);
	if (only)
		measure(only, 100);
	else
		isolate(argv[0], "src/b.c::isolated");
	return 0;
}
END
$static -g -O2 -o codspeed codspeed.c
run 0 profile --cases=codspeed --label=cs -- ./codspeed && says "cs/src/b.c::sum[10]" &&
	says "cs/src/b.c::isolated" && ! says "Metadata"
verdict "CodSpeed: a program finds its environment, and each case has a profile" $?
[ "$(total 'cs/src/b.c::isolated')" -gt "$(total 'cs/src/b.c::sum[10]')" ]
verdict "CodSpeed: what runs in a process of its own counts" $?
run 0 show --view=tree 'cs/src/b.c::sum[10]' && says "__codspeed_root_frame__iter" && ! says " main"
verdict "CodSpeed: trees begin at the function that every integration calls" $?
grep -q '^desc: irdiff.subject.integration: codspeed-c 1.2.3' 'profiles/cs/src/b.c::sum[10].callgrind'
verdict "CodSpeed: the integration's name and version are kept" $?
run 3 profile -- ./codspeed
verdict "CodSpeed: without --cases=codspeed the environment is not there" $?
run 4 profile --cases=codspeed -- ./plain && says "build it for CodSpeed"
verdict "CodSpeed: a program that does not know it is refused with words" $?

# ---- processes and threads ---------------------------------------------------------------------------

cat >family.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "sum.h"

int main(int argc, char **argv)
{
	int children = argc > 1 ? atoi(argv[1]) : 2;
	irdiff_keep(sum(10000));
	for (int i = 1; i <= children; i++) {
		if (fork() == 0) {
			irdiff_keep(sum(1000 * i));
			_exit(0);
		}
		wait(NULL);
	}
	return argc > 1 ? 0 : system("./plain");
}
END
$static -g -O2 -o family family.c
run 0 profile --processes=each --label=each -- ./family && says "each/family" && says "each/family#3" &&
	says "each/plain" && ! says "each/sh" && ! says "each/dash"
verdict "processes: each is a case, the shell between is not" $?
forked=$(($(total each/family#3) - $(total each/family#2)))
[ "$forked" -eq "$(($(plain ./plain 1000) - 0 > 0 ? 7000 : 0))" ]
verdict "processes: a forked one counts what it does, without its parent's ($forked more for 1,000 turns)" $?
run 0 profile --processes=all --label=all -- ./family &&
	[ "$(total all)" -eq "$(($(total each/family) + $(total each/family#2) + $(total each/family#3) + \
		$(total each/plain)))" ]
verdict "processes: all is the sum of each" $?
sorted="./family && sort family.c"
run 0 profile --processes=each --label=sorted -- sh -c "$sorted" && [ "$(total sorted/sort)" -gt 0 ] &&
	run 0 profile --processes=project --label=project -- sh -c "$sorted" && ! says "several processes" &&
	[ "$(total project)" -eq "$(($(total sorted/family) + $(total sorted/family#2) + $(total sorted/family#3) + \
		$(total sorted/plain)))" ]
verdict "processes: project is the sum without other programs" $?
run 0 profile --processes=project --label=none -- sort family.c &&
	run 0 profile --processes=all --label=sort -- sort family.c && [ "$(total none)" -eq "$(total sort)" ]
verdict "processes: project is all of them if none is the project's" $?
run 0 profile --processes=each --label=none -- ./family 0 && run 0 profile --label=one -- ./family 0 &&
	[ "$(total none/family)" -eq "$(total one)" ]
verdict "processes: that they are told apart changes no count" $?

cat >lost.c <<'END'
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "sum.h"

int main(int argc, char **argv)
{
	int there[2];
	char byte;
	(void)argv;
	if (pipe(there))
		return 1;
	pid_t child = fork();
	if (child == 0) {
		irdiff_keep(sum(100000));
		if (argc > 1 && write(there[1], "x", 1) == 1)
			pause();
		_exit(0);
	}
	if (argc > 1 && read(there[0], &byte, 1) == 1)
		kill(child, SIGKILL);
	wait(NULL);
	irdiff_keep(sum(100000));
	if (argc == 1 && syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0)
		_exit(0);
	wait(NULL);
	return 0;
}
END
$static -g -O2 -o lost lost.c
run 4 profile --processes=all -- ./lost killed && says "was killed"
verdict "processes: one that was killed is missed" $?
run 4 profile --processes=all -- ./lost && says "cannot be separated from"
verdict "processes: a copy of what the parent has counted is no count" $?
run 2 profile --processes=each --threads=each -- ./family && says "processes: each, all or project cannot be used with threads: each" &&
	run 2 profile --processes=all --cases=dumps -- ./dumps && says "cases: cannot be used with" &&
	run 2 profile --processes=all -- ./bench && says "irdiff.h"
verdict "processes, threads and cases are refused where they make no sense together" $?
run 4 diff one all --check && says "how processes are measured: (absent) → all"
verdict "processes: one is not judged by all" $?

cat >threads.c <<'END'
#include <pthread.h>
#include "sum.h"

static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER; /* of them are there */

static void *work(void *n)
{
	pthread_mutex_lock(&all);
	pthread_mutex_unlock(&all);
	irdiff_keep(sum(*(int *)n));
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	int n[2] = { 1000, 3000 };
	pthread_mutex_lock(&all);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, &n[i]);
	pthread_mutex_unlock(&all);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
END
$static -g -O2 -o threads threads.c -pthread
run 0 profile --threads=each --label=th -- ./threads && run 0 profile --label=together -- ./threads
sum=$(($(total "th/thread 1") + $(total "th/thread 2") + $(total "th/thread 3")))
difference=$((sum - $(total together)))
# Which thread waits for which is not the same in every run.
[ "${difference#-}" -le 300 ] && [ "$(total "th/thread 3")" -gt "$(total "th/thread 2")" ]
verdict "threads: each is a case, and together they are their sum (within $difference)" $?
# Of several processes it is not known whose the threads are, of their sum it is.
run 0 profile --processes=all --label=all -- /bin/sh -c './threads & ./threads; wait' &&
	run 0 profile --label=one -- /bin/sh -c './threads & ./threads; wait' &&
	! grep -q '^desc: irdiff.subject.threads' profiles/one.callgrind &&
	grep -q '^desc: irdiff.subject.threads: 5$' profiles/all.callgrind
verdict "threads: of several processes, those of all" $?
run 4 diff together "th/thread 1" --check && says "how threads are measured: (absent) → each"
verdict "threads: one is not judged by all" $?

# ---- libraries ------------------------------------------------------------------------------------

cat >binds.c <<'END'
#include <stdlib.h>
#include "irdiff.h"

__attribute__((noinline)) static void work(void)
{
	irdiff_keep(strtol("12", NULL, irdiff_opaque(10)));
}

int main(void)
{
	IRDIFF_CASE("first")
		work();
	IRDIFF_CASE("second")
		work();
	return 0;
}
END
make_lean
# With full RELRO, as some compilers have it by default, the program would bind at the start by itself.
$lean -g -O2 -Wl,-z,lazy -o binds binds.c
binding() {
	sed -n 's/^desc: irdiff.env.binding: //p' "profiles/$1.callgrind"
}
run 0 profile -- ./binds && first=$(total binds/first) && [ "$first" = "$(total binds/second)" ] &&
	[ "$(binding binds/first)" = "at the start" ]
verdict "libraries: a case does not count the binding of what it calls first ($first)" $?
run 0 profile -e LD_BIND_NOW= --label=lazy -- ./binds &&
	[ "$(total lazy/second)" = "$first" ] && [ "$(total lazy/first)" -gt "$((first + 200))" ] &&
	[ -z "$(binding lazy/first)" ]
verdict "libraries: it does if the user says so" $?
run 0 diff binds/first lazy/first && says "binding of library functions: at the start → (absent)"
verdict "libraries: a comparison of both names that" $?
run 0 profile --cases=none --label=whole2 -- ./binds && [ -z "$(binding whole2)" ]
verdict "libraries: a program that counts as a whole binds as elsewhere" $?
run 0 profile --cases=none --root=work --label=root -- ./binds &&
	[ "$(binding root)" = "at the start" ] && [ "$(total root)" -lt "$((2 * first + 50))" ]
verdict "libraries: a root function does not count binding either" $?

[ "$failures" -eq 0 ]
