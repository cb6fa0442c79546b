#!/bin/sh
# Usage: tests/harness.sh
#
# Programs that behave like those of Google Benchmark, criterion and divan are run once for each of their cases,
# and only the cases are counted: neither what the harness does, nor the other cases.
set -eu
. "$(dirname "$0")/scratch.sh"
needs valgrind jq
cd "$scratch"

# work(n) executes 3 instructions n times, and a few more.
cat >harness.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define NAMED(name) __asm__(name) __attribute__((noinline, noclone))
#define BUSY(n) for (volatile int i = 0; i < (n); i++)
void start(void) NAMED("_ZN9benchmark5State16StartKeepRunningEv");
void finish(void) NAMED("_ZN9benchmark5State17FinishKeepRunningEv");
void stop(void) NAMED("_ZN9benchmark5State11PauseTimingEv");
void go_on(void) NAMED("_ZN9benchmark5State12ResumeTimingEv");
void iter(int n, int reads) NAMED("_ZN9criterion7bencher7Bencher4iter17h0123456789abcdefE");
void sync(void) NAMED("_ZN5divan9benchmark12BenchContext15sample_recorder9sync_impl17h0123456789abcdefE");
__attribute__((noinline, noclone)) void work(int n)
{
	__asm__ volatile("1: nop; dec %0; jnz 1b" : "+r"(n));
}
void go_on(void) { BUSY(1000); }
void stop(void) { BUSY(1000); }
void start(void) { BUSY(500); go_on(); }
void finish(void) { stop(); }
void sync(void) { BUSY(10); }
static void read_clock(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); }
void iter(int n, int reads)
{
	read_clock();
	BUSY(700);
	read_clock();
	work(n);
	for (; reads; reads--)
		read_clock();
	read_clock();
	BUSY(700);
	read_clock();
}
static int google(const char *name)
{
	int n = strstr(name, "1000") ? 1000 : 10;
	_Bool pauses = strstr(name, "paused");

	if (!*name)
		return 3;
	for (int round = 0; round < 2; round++) {
		BUSY(5000);
		start();
		work(n);
		if (pauses) {
			stop();
			BUSY(3000);
			go_on();
			work(n);
		}
		finish();
	}
	return 0;
}
int main(int argc, char **argv)
{
	static const char *const names[] = { "sum/10", "sum/1000", "paused (x.y)" };
	const char *last = argc > 1 ? argv[argc - 1] : "";
	const char *program = strrchr(argv[0], '/') + 1;
	char name[100] = "";
	read_clock();
	if (strstr(last, "fail") || getenv("FAIL"))
		return 7;
	if (strstr(last, "list") || !strcmp(last, "terse")) {
		for (int i = 0; i < 3; i++)
			printf("%s%s\n", names[i], *program == 'g' ? "" : ": benchmark");
		return 0;
	}
	for (int i = 1; i < argc; i++)
		if (!strncmp(argv[i], "--benchmark_filter=^", 20)) {
			char *to = name;
			for (const char *p = argv[i] + 20; p[1]; p++)
				if (*p != '\\')
					*to++ = *p;
			*to = '\0';
		}
	if (*program == 'g')
		return google(name);
	for (int i = 0; i < 3; i++)
		if (!strcmp(last, names[i])) {
			int n = i == 1 ? 1000 : 10;
			BUSY(5000);
			if (*program == 'c')
				iter(n, i == 2);
			else {
				sync();
				work(n);
				sync();
			}
			return 0;
		}
	return 9;
}
END
$compiler -g -O1 -o google harness.c
cp google criterion
cp google divan
cat >irdiff.yml <<'END'
benchmarks:
  google: {command: [./google], cases: google-benchmark}
  warm: {command: [./google], cases: google-benchmark, warm_up: true}
  root: {command: [./google], cases: google-benchmark, root: "work*"}
  criterion: {command: [./criterion], cases: criterion}
  divan: {command: [./divan], cases: divan}
  other: {command: [./divan], cases: criterion}
  none: {command: [/bin/echo], cases: criterion}
  fails: {command: [./criterion], cases: criterion, env: {FAIL: "yes"}}
END

# cost CASE: its total.
cost() {
	"$irdiff" show "$1" --format=json | jq .totals.Ir
}

# between CASE LEAST MOST
between() {
	count=$(cost "$1")
	[ -n "$count" ] && [ "$count" -ge "$2" ] && [ "$count" -le "$3" ] || {
		echo "$1 counts '$count', not $2 to $3"
		return 1
	}
}

profile() {
	"$irdiff" profile "$@" >out 2>err
}

check "Google Benchmark: the program is measured" profile google
check "a case of 10" between google/sum/10 60 90
check "a case of 1,000" between google/sum/1000 6000 6030
check "time that is paused does not count" between "google/paused (x.y)" 120 180
check "each case is warmed up by itself" profile warm
check "a case that was warmed up" between warm/sum/10 60 90
check "criterion: the program is measured" profile criterion
check "a case of 10 between two reads of the clock" between criterion/sum/10 30 80
check "a case of 1,000 between two reads of the clock" between criterion/sum/1000 3000 3050
check "if the code reads the clock, all of iter counts" between "criterion/paused (x.y)" 5000 20000
check "divan: the program is measured" profile divan
check "a case of 10 between two calls of a function" between divan/sum/10 30 150
check "a case of 1,000 between two calls of a function" between divan/sum/1000 3000 3150

# refuses WORDS BENCHMARK
refuses() {
	if "$irdiff" profile "$2" >out 2>err; then
		echo "it succeeded"
		return 1
	fi
	grep -qF -- "$1" err || { cat err; return 1; }
}
check "a program of another harness" refuses 'the functions of its harness' other
check "a program that lists nothing" refuses '`/bin/echo --bench --list` did not list the cases: it listed none' none
check "a root below cases" refuses 'root: cannot be used with cases: google-benchmark' root
check "a program that fails" refuses 'did not list the cases: it failed with status 7' fails

# A benchmark that hardly executes the project's own code says so; one that does, does not.
mkdir project lib
cat >lib/other.c <<'END'
void other(int n) { for (volatile int i = 0; i < n; i++) ; }
END
cat >project/main.c <<'END'
#include <stdlib.h>
void other(int n);
__attribute__((noinline)) int own(int n) { int sum = 0; for (volatile int i = 0; i < n; i++) sum += i; return sum; }
int main(int argc, char **argv) { other(200000); return own(atoi(argv[argc - 1])) == 1; }
END
$compiler -g -O1 -shared -fPIC -o lib/libother.so lib/other.c
$compiler -g -O1 -o project/main project/main.c -Llib -lother -Wl,-rpath,"$PWD/lib"
cd project
echo 'benchmarks: {little: {command: ./main 100}, much: {command: ./main 100000}}' >irdiff.yml
# warns BENCHMARK COUNT: how often a comparison of it does.
warns() {
	profile "$1" && profile "$1" && "$irdiff" diff "$1.old" "$1" >out 2>err &&
		test "$(grep -c "only [0-4]\.[0-9]% of Ir is spent in the project's functions" out)" -eq "$2"
}
check "hardly any of the project's functions" warns little 1
check "enough of it" warns much 0
cd ..

# Two runs are equal.
for label in google criterion divan; do
	mkdir -p "first/$label"
	for case in sum/10 sum/1000 "paused (x.y)"; do
		cost "$label/$case"
	done >"first/$label/costs"
	profile "$label"
	for case in sum/10 sum/1000 "paused (x.y)"; do
		cost "$label/$case"
	done >"first/$label/again"
	check "counts of $label repeat" cmp "first/$label/costs" "first/$label/again"
done
finish
