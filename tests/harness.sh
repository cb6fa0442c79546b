#!/bin/sh
# Usage: tests/harness.sh
#
# Programs that behave like those of Google Benchmark, criterion, divan, gungraun, Catch2 and nanobench are run for their
# cases, and only the cases are counted: neither what the harness does, nor the other cases.
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
	FILE *ran = getenv("RAN") ? fopen(getenv("RAN"), "a") : NULL;
	if (ran && (fprintf(ran, "%s\n", last) < 0 || fclose(ran)))
		return 8;
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

# Only the cases that are asked for run.
mkdir only
cp divan only
cat >only/irdiff.yml <<END
benchmarks:
  b: {command: [./divan], cases: divan, env: {RAN: "$PWD/ran"}}
build: cc -g -O1 -o divan harness.c
END
cp harness.c only

# runs WANTED COMMAND...: the cases that a command of irdiff runs.
runs() {
	wanted=$1
	shift
	: >ran
	(cd only && "$irdiff" "$@") >out 2>err
	status=$?
	[ "$(tr '\n' ' ' <ran)" = "$wanted" ] || {
		echo "status $status, ran: $(cat ran)"
		return 1
	}
}

check "profile of one case" runs "sum/10 " profile b/sum/10
check "and of a pattern" runs "sum/10 sum/1000 " profile 'b/sum/*'
check "of none" runs "" profile b/sum/11
check "which is said" grep -q "unknown case b/sum/11.*sum/10" err
check "verify" runs "sum/10 sum/10 " verify -n 2 b/sum/10
(cd only && git init -q && git add harness.c irdiff.yml && git commit -qm one &&
	sed -i 's/sync();/& work(3);/' harness.c && git commit -qam two) >out 2>&1 ||
	cat out
check "compare" runs "sum/10 sum/10 " compare HEAD~1..HEAD -b b/sum/10
check "finds the change" grep -q '^b/sum/10.*: .* Ir  *+' out
check "which is in the cache" runs "" compare HEAD~1..HEAD -b b/sum/10
check "another case is not" runs "sum/1000 sum/1000 " compare HEAD~1..HEAD -b b/sum/1000
check "nor are all" runs "sum/10 sum/1000 paused (x.y) sum/10 sum/1000 paused (x.y) " compare HEAD~1..HEAD
check "which then have this one" runs "" compare HEAD~1..HEAD -b b/sum/10
touch "$(echo only/.irdiff/cache/b@"$(git -C only rev-parse --short=10 HEAD)"-*)/fetched"
check "where others listed the cases, a gate has its own case" runs "" check HEAD~1..HEAD -b b/sum/10
check "but not all" runs "sum/10 sum/1000 paused (x.y) " check HEAD~1..HEAD
sed -i 's,"sum/10",ADDED,; 1i #define ADDED "sum/11"' only/harness.c
check "a case that base does not have" runs "sum/11 " compare HEAD -b b/sum/11
check "is new" grep -q 'b/sum/11.* NEW' out

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
__attribute__((noinline)) void calls(int n) { for (volatile double sum = 0; n > 0; n--) sum += strtod("3.14159e-17", NULL); }
int main(int argc, char **argv) { other(200000); calls(argc > 2 ? 1000 : 0); return own(atoi(argv[argc - 1])) == 1; }
END
$compiler -g -O1 -shared -fPIC -o lib/libother.so lib/other.c
$compiler -g -O1 -o project/main project/main.c -Llib -lother -Wl,-rpath,"$PWD/lib"
cd project
cp "$source_dir/src/client/irdiff.h" .
cat >cased.c <<'END'
#include "irdiff.h"
void other(int n);
int main(void)
{
	IRDIFF_CASE("other")
		other(200000);
	return 0;
}
END
$compiler -g -O1 -o cased cased.c -L../lib -lother -Wl,-rpath,"$PWD/../lib"
echo 'benchmarks: {little: {command: ./main 100}, much: {command: ./main 100000}, library: {command: ./main x 100}, cased: {command: ./cased, cases: irdiff}}' >irdiff.yml
# warns BENCHMARK COUNT: how often a comparison of it does.
warns() {
	profile "$1" && profile "$1" && "$irdiff" diff "$1.old" "$1" >out 2>err &&
		test "$(grep -c "only [0-4]\.[0-9]% of Ir is spent in the project's functions" out)" -eq "$2"
}
check "hardly any of the project's functions" warns little 1
# A command outside of a repository is of no project, wherever it was run.
nowhere() {
	"$irdiff" profile -q --label=command -- ./main 100 && "$irdiff" diff command command >out 2>err &&
		! grep "is spent in the project's functions" out
}
check "… but not of a command, without a repository" nowhere
check "enough of it" warns much 0
check "enough of what they call of the C library" warns library 0
of_case() {
	profile cased && "$irdiff" diff cased/other cased/other >out 2>err && ! grep "is spent in the project's functions" out
}
check "nor of one case, of which only the code in question is counted" of_case
cd ..

# ---- harnesses that run all cases together ----------------------------------------------------------

# They read steady_clock like Catch2 and nanobench: again and again in one place, then around rounds of
# twice as many iterations each, until one takes a thousand times as long as such a read.
cat >rounds.cc <<'END'
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define KEPT __attribute__((noinline, noclone))
using Clock = std::chrono::steady_clock;
static const char *program;
static Clock::duration resolution;
KEPT void work(int n) { __asm__ volatile("1: nop; dec %0; jnz 1b" : "+r"(n)); }
namespace Catch {
namespace Benchmark::Detail::BenchmarkFunction {
template <typename T> struct model { KEPT void call() { __asm__ volatile(""); } };
}
struct XmlReporter { KEPT void benchmarkEnded(int) { __asm__ volatile(""); } };
}
namespace ankerl::nanobench::detail {
KEPT void performanceCounters() { __asm__ volatile(""); }
struct IterationLogic {
	KEPT void add(int) { __asm__ volatile(""); }
	KEPT ~IterationLogic() { __asm__ volatile(""); }
};
}
static bool measure(int n, int iterations, bool reads)
{
	Clock::time_point before = Clock::now();
	for (int i = 0; i < iterations; i++) {
		work(n);
		if (reads && Clock::now() < before)
			exit(5);
	}
	Clock::time_point after = Clock::now();
	return (after - before) / resolution >= 1000;
}
static void run(const char *name, int n, bool reads)
{
	ankerl::nanobench::detail::IterationLogic logic;
	int iterations = 1;
	bool last = false;
	ankerl::nanobench::detail::performanceCounters();
	do {
		Catch::Benchmark::Detail::BenchmarkFunction::model<int>().call();
		last = measure(n, iterations, reads);
		logic.add(1);
		iterations *= last ? 1 : 2;
	} while (!last);
	Catch::Benchmark::Detail::BenchmarkFunction::model<int>().call();
	measure(n, iterations, reads);
	logic.add(1);
	if (getenv("QUIET") && n == 1000)
		return;
	if (program[0] == 'c')
		printf("    <BenchmarkResults name=\"%s\" samples=\"1\" iterations=\"%d\">\n", name, iterations);
	else
		printf("|   1.0 | `%s`\n", name);
	Catch::XmlReporter().benchmarkEnded(1);
}
int main(int, char **argv)
{
	const char *slow = getenv("SLOW");
	Clock::time_point begin = Clock::now();
	program = strrchr(argv[0], '/') + 1;
	for (int i = 0; i < 10000; i++)
		resolution = Clock::now() - begin;
	resolution /= 10000;
	if (!resolution.count())
		return 4;
	if (program[0] == 'c')
		puts("  <TestCase name=\"a &lt;b&gt;\" tags=\"[x]\">");
	run("ten", 10, false);
	run("thousand", 1000 + (slow ? atoi(slow) : 0), false);
	run("reads", 100, true);
	run("ten", 10, false);
}
END
cat >>irdiff.yml <<'END'
  catch2: {command: [./catch2], cases: catch2}
  nanobench: {command: [./nanobench], cases: nanobench}
  slow: {command: [./nanobench], cases: nanobench, env: {SLOW: "100"}}
  quiet: {command: [./nanobench], cases: nanobench, env: {QUIET: "yes"}}
  thawed: {command: [./catch2], cases: catch2, freeze: [random]}
  unlike: {command: [./google], cases: nanobench}
  hidden: {command: [./hidden], cases: nanobench}
END
if has g++ "harnesses of C++"; then
	g++ -std=c++17 -g -O1 -o nanobench rounds.cc
	g++ -std=c++17 -g -O1 -static-libstdc++ -o hidden rounds.cc
	cp nanobench catch2
	for label in catch2 nanobench; do
		before=''
		[ $label = nanobench ] || before='a <b>/'
		# costs FILE: those of all cases.
		costs() {
			for case in ten thousand reads "ten #2"; do
				cost "$label/$before$case"
			done >"$1"
		}
		check "$label: the program is measured" profile $label
		check "$label: one iteration of 10" between "$label/${before}ten" 30 120
		check "$label: a name that occurs again" between "$label/${before}ten #2" 30 120
		check "$label: one of 1,000" between "$label/${before}thousand" 3000 3100
		check "$label: one that reads the clock itself" between "$label/${before}reads" 310 800
		costs first.costs
		profile $label
		costs again.costs
		check "counts of $label repeat" cmp first.costs again.costs
	done
	check "a slower program is measured" profile slow
	check "300 instructions more" test $(($(cost slow/thousand) - $(cost nanobench/thousand))) = 300
	check "the other cases are the same" test "$(cost slow/reads)" = "$(cost nanobench/reads)"
	check "a case without a result" refuses 'printed the results of 3 cases, but ran 4' quiet
	check "a clock that is not frozen" refuses 'iterations, not one' thawed
	check "a program that prints no results" refuses 'did not list the cases' unlike
	check "a clock that cannot be replaced" refuses 'the functions of its harness' hidden
fi

# ---- the real ones -----------------------------------------------------------------------------------

mkdir real
cd real
cat >real.cc <<'END'
#include <cstdint>
#include <cstdlib>
#include <string>
#ifdef CATCH
#define CATCH_CONFIG_MAIN
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
#else
#define ANKERL_NANOBENCH_IMPLEMENT
#include <nanobench.h>
#endif
__attribute__((noinline)) uint64_t mix(int n)
{
	uint64_t x = 1;
	for (int i = 0; i < n; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	return x;
}
static int rounds() { return getenv("SLOW") ? 1100 : 1000; }
static std::string append() { std::string s; for (int i = 0; i < 500; i++) s += 'x'; return s; }
#ifdef CATCH
TEST_CASE("mixing")
{
	int n = rounds();
	BENCHMARK("mix") { return mix(n); };
	BENCHMARK_ADVANCED("append")(Catch::Benchmark::Chronometer meter)
	{
		mix(50000);
		meter.measure([] { return append(); });
	};
}
#else
int main()
{
	int n = rounds();
	uint64_t sum = 0;
	ankerl::nanobench::Bench().epochs(1).run("mix", [&] { ankerl::nanobench::doNotOptimizeAway(sum += mix(n)); });
	ankerl::nanobench::Bench().warmup(3).run("append", [] { ankerl::nanobench::doNotOptimizeAway(append()); });
}
#endif
END
# real NAME PREFIX: a tenth more work is found in its case, and nothing in the other.
real() {
	printf 'benchmarks: {before: {command: ./%s, cases: %s}, after: {command: ./%s, cases: %s, env: {SLOW: "1"}}}\n' \
		"$1" "$1" "$1" "$1" >irdiff.yml
	check "$1: measured" profile before
	check "$1: slower" profile after
	check "$1: one iteration" between "before/$2mix" 6000 13000
	tenth=$(($(cost "after/$2mix") * 1000 / $(cost "before/$2mix")))
	check "$1: +10 %" test "$tenth" -ge 1098 -a "$tenth" -le 1101
	check "$1: the other case" test "$(cost "before/${2}append")" = "$(cost "after/${2}append")"
	check "$1: no setup, no harness" between "before/${2}append" 3000 20000
}
if has g++ "Catch2 and nanobench"; then
	if g++ -std=c++17 -O1 -DCATCH -o catch2 real.cc -lCatch2 2>/dev/null ||
		g++ -std=c++17 -O1 -DCATCH -o catch2 real.cc 2>/dev/null; then
		real catch2 mixing/
	else
		skip Catch2 "it is not installed"
	fi
	if g++ -std=c++17 -O2 -o nanobench real.cc 2>/dev/null; then
		real nanobench ''
	else
		skip nanobench "its header is not installed"
	fi
fi
if python3 -c 'import pytest_benchmark, pytest_codspeed' 2>/dev/null; then
	cat >test_bench.py <<'END'
def work(n):
    for i in range(n):
        pass
def test_plain(benchmark):
    benchmark(work, 1000)
def test_pedantic(benchmark):
    benchmark.pedantic(work, setup=lambda: ((100,), {}), rounds=3)
END
	command='[python3, -m, pytest, -q, -p, "no:cacheprovider", --codspeed, test_bench.py]'
	echo "benchmarks: {python: {command: $command, cases: codspeed}}" >irdiff.yml
	check "pytest-benchmark: measured by pytest-codspeed" profile python
	check "pytest-benchmark: both cases" test "$(find profiles -name 'test_bench.py::*.callgrind' | wc -l)" = 2
else
	skip pytest-benchmark "it is not installed, or pytest-codspeed is not"
fi
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

# A program of gungraun 0.20 tells its runner of two groups, of which the second one is set up before.
cat >gungraun.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define NAMED(name) __asm__(name) __attribute__((noinline, noclone))
void sums(int n) NAMED("_ZN5bench4sums22__gungraun_wrapper_mod4sums17h0123456789abcdefE");
void calls(int n) NAMED("_ZN5bench5calls22__gungraun_wrapper_mod5calls17h0123456789abcdefE");
void closure(int n) NAMED("_ZN5bench5calls22__gungraun_wrapper_mod5calls28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE");
__attribute__((noinline, noclone)) void work(int n)
{
	__asm__ volatile("1: nop; dec %0; jnz 1b" : "+r"(n));
}
static int executes;
void sums(int n)
{
	char *words[] = { "missing", NULL };
	work(n);
	if (executes)
		execv("/missing", words);
}
void closure(int n) { work(n); __asm__ volatile(""); }
void calls(int n) { closure(n); __asm__ volatile(""); }
static FILE *to;
static void none(int n) { for (; n; n--) putc(0, to); }
static void number(int n, int size) { putc(n, to); none(size - 1); }
static void text(const char *s) { number(strlen(s), 8); fputs(s, to); }
static void config(const char *variable)
{
	none(3);
	number(!!variable, 8);
	if (variable) {
		none(4);
		text(variable);
		putc(1, to);
		none(4);
		text("yes");
	}
	none(2 + 8 + 1 + 8);
}
static void bench(const char *function, const char *id, const char *variable)
{
	none(1);
	putc(!!variable, to);
	if (variable)
		config(variable);
	none(1);
	text(function);
	putc(1, to);
	text(id);
	none(1);
}
static void group(const char *name, int assisted, int benches)
{
	none(2);
	putc(assisted, to);
	putc(assisted, to);
	text(name);
	number(1, 8);
	number(benches, 8);
}
static int tell(void)
{
	char command[200];
	snprintf(command, sizeof command, "gungraun-runner %s %s /p p benches/bench.rs bench x86_64 tools ./gungraun 9",
		 getenv("VERSION") ? getenv("VERSION") : "0.20.0", getenv("KIND") ? getenv("KIND") : "--lib-bench");
	to = popen(command, "w");
	none(8);
	config(NULL);
	none(4);
	number(2, 8);
	group("first", 0, 2);
	bench("sums", "short", NULL);
	bench("sums", "long", NULL);
	none(2);
	group("second", 1, 1);
	bench("calls", "all", "VARIABLE");
	none(2);
	putc(1, to);
	none(getenv("MORE") ? 2 : 1);
	return pclose(to) != 0;
}
static int assist(const char *group, int teardown)
{
	FILE *log = fopen("log", "a");
	fprintf(log, "%s %s\n", group, teardown ? "down" : "up");
	return fclose(log);
}
int main(int argc, char **argv)
{
	const char *last = argv[argc - 1];
	if (argc < 2 || strcmp(argv[1], "--gungraun-run"))
		return getenv("SILENT") ? 0 : tell();
	if (!strcmp(last, "setup") || !strcmp(last, "teardown"))
		return assist(argc == 5 ? argv[3] : "all", *last == 't');
	if (argc != 6 || strcmp(argv[2], "d:d:000000"))
		return 9;
	work(5000);
	executes = getenv("EXECUTES") != NULL;
	if (strcmp(argv[3], "00000"))
		calls(getenv("VARIABLE") ? atoi(getenv("VARIABLE")) + 1000 : 1);
	else
		sums(strcmp(argv[5], "00000") ? 1000 : 10);
	work(5000);
	return 0;
}
END
$compiler -g -O1 -o gungraun gungraun.c
cat >irdiff.yml <<'END'
benchmarks:
  g: {command: [./gungraun], cases: gungraun}
  user: {command: [./gungraun], cases: gungraun, env: {VARIABLE: "1000"}}
  executes: {command: [./gungraun], cases: gungraun, env: {EXECUTES: "yes"}}
  later: {command: [./gungraun], cases: gungraun, env: {VERSION: "0.99.0"}}
  binary: {command: [./gungraun], cases: gungraun, env: {KIND: "--bin-bench"}}
  form: {command: [./gungraun], cases: gungraun, env: {MORE: "yes"}}
  silent: {command: [./gungraun], cases: gungraun, env: {SILENT: "yes"}}
  arguments: {command: [./gungraun, sums], cases: gungraun}
END
check "gungraun: the program is measured" profile g
check "a case of 10 below its function" between "g/bench::first::sums short" 30 50
check "a case of 1,000 below its function" between "g/bench::first::sums long" 3000 3020
check "a closure of the function counts, and the case has its environment" between "g/bench::second::calls all" 3000 3030
printf 'all up\n1 up\n1 down\n' >expected
check "groups are set up and torn down" cmp expected log
check "irdiff.yml sets a variable" profile user
check "and overrides that of the case" between "user/bench::second::calls all" 6000 6030
check "a program that wrote counts before groups are set up and torn down" profile executes
check "which are still there" between "executes/bench::first::sums long" 3000 10000
check "a later version of gungraun" refuses 'uses gungraun 0.99.0; irdiff knows' later
check "binary benchmarks" refuses 'measure each of these as an ordinary command' binary
check "another form" refuses 'in a form that irdiff does not know' form
check "a program that starts no runner" refuses 'built without GUNGRAUN_RUNNER' silent
check "an argument" refuses 'the command has no arguments: sums' arguments

# ---- Go ----

cat >gotest.c <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
	FILE *to = fopen("given", "a");
	for (int i = 1; i < argc; i++)
		fprintf(to, "%s%s", argv[i], i + 1 < argc ? " " : "\n");
	puts("BenchmarkMine \t 1 \t 5 ns/op");
	return fclose(to) != 0;
}
END
$static -O1 -o gotest gotest.c
"$irdiff" profile --cases=go -- ./gotest -test.bench=Mine >out 2>err || :
check "arguments of the command win over what selects all benchmarks" test "$(head -n 1 given)" = \
	'-test.bench=. -test.bench=Mine -test.run=^$ -test.benchtime=1x'
check "a benchmark alone wins over them" test "$(sed -n '$s/.* //p' given)" = '-test.bench=^BenchmarkMine$'
finish
