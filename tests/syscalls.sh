#!/bin/sh
# Usage: tests/syscalls.sh
#
# Counting system calls: their number against a program that makes a known number of them, in which functions and
# paths, what limits them, and that no times are kept. Needs Valgrind.
set -u
. "$(dirname "$0")/repository.sh"
needs jq

make_lean
cd "$scratch" || exit 1
git init -q .
cat >work.c <<-'END'
	#include <stdlib.h>
	#include <unistd.h>

	static volatile unsigned sink;

	__attribute__((noinline)) static void ask(void)
	{
		sink += (unsigned)getppid();
	}

	__attribute__((noinline)) static void serve(int requests)
	{
		for (int i = 0; i < requests; i++) {
			for (int k = 0; k < 2000; k++)
				sink += (unsigned)k;
			if (i < ASKS)
				ask();
		}
	}

	int main(int argc, char **argv)
	{
		serve(argc > 1 ? atoi(argv[1]) : 1);
		return 0;
	}
END
printf 'work\n.irdiff/\nprofiles/\n' >.gitignore
cat >irdiff.yml <<-END
	build: {command: '$static -g -O1 -DASKS=0 -o work work.c', shell: true}
	benchmarks:
	  serve: {command: ./work 200, count: [syscalls], limits: {syscalls: "+0"}}
END
git add -A
git commit -qm base
sed -i 's/ASKS=0/ASKS=100/' irdiff.yml
git commit -qam head

run 1 check HEAD~1..HEAD
verdict "a system call that enters a loop exceeds the limit" $?
says 'syscalls limit +0'
verdict "… which names the metric" $?
"$irdiff" check HEAD~1..HEAD --format=html -o page.html >"$scratch/out" 2>"$scratch/err"
sed -n 's/.*id="data">\(.*\)<\/script>$/\1/p' page.html >page.json
jq -e '.benches[0] | .metric as $m | .metrics[] | select(.name == $m) | .name == "sysCount" and .head - .base == 100' page.json >"$scratch/jq"
verdict "… as does the page, in that metric" $?
jq -e '.benches[0] | .causesDelta == 100 and (.limits | map(select(.fails)) | map([.metric, .base, .head]) == [["sysCount", 13, 113]])' page.json >"$scratch/jq"
verdict "… with its causes and limit" $?
run 0 compare HEAD~1..HEAD --metric=syscalls
says '13 → 113 sysCount' && says 'serve → ask: new, 100 calls'
verdict "compare names the cause" $?
says 'System calls in a hot path' && says '; ask accounts for ' && says 'of that, with 0 → 100 of the calls'
verdict "… and an insight the caller" $?

sed -i 's/ASKS=100/ASKS=2/; s/^  serve:.*/&\n  again: {command: .\/work 300, count: [syscalls], limits: {syscalls: "+0"}}/' irdiff.yml
git commit -qam "Two calls, two benchmarks"
run 1 check HEAD~2..HEAD -b serve
says '13 → 15 sysCount' && says 'serve → ask: new, 2 calls, +2 (100%)' && ! says 'also  sysCount'
verdict "each call counts" $?
sed -i 's/ASKS=2/ASKS=3/' irdiff.yml
git commit -qam "One more call"
run 1 check HEAD~1..HEAD
says 'serve → ask: 4 → 6 calls, +2 sysCount (100% of the changes) at work.c:17 in 2 benchmarks: serve, again'
verdict "… also in several benchmarks, which name the cause" $?
run 0 history serve --metric=syscalls && says '13' && says '15' && [ "$(grep -c regressed "$scratch/out")" -ge 2 ]
verdict "… and is a step of the history" $?

# Of a program without the C library, which makes no other calls than these, and a last one.
cat >bare.c <<-'END'
	#include <sys/syscall.h>

	static long call(long number, long argument)
	{
	#if defined(__x86_64__)
		long result;
		__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(argument) : "rcx", "r11", "memory");
		return result;
	#else
		register long x8 __asm__("x8") = number, x0 __asm__("x0") = argument;
		__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8) : "memory");
		return x0;
	#endif
	}

	void _start(void)
	{
		for (int i = 0; i < 42; i++)
			call(SYS_getppid, 0);
		call(SYS_exit_group, 0);
	}
END
$static -g -O1 -nostdlib -nostartfiles -fno-stack-protector -o bare bare.c || exit 1
for label in bare again; do
	run 0 profile -q --count=syscalls,branches --label=$label -- ./bare
done
verdict "a program is profiled with them" $?
! says 'forked'
verdict "… of which Valgrind reads no object: nothing forked it" $?
run 0 show bare --format=json
[ "$(jq .totals.sysCount "$scratch/out")" = 42 ]
verdict "each call that returned is counted" $?
grep -q '^events:.* Bc .*sysCount$' profiles/bare.callgrind
verdict "no times are kept, branches are" $?
grep -v '^\(desc\|creator\|version\|cmd\|pid\)' profiles/bare.callgrind >one
grep -v '^\(desc\|creator\|version\|cmd\|pid\)' profiles/again.callgrind >two
cmp one two
verdict "two runs count the same" $?
run 0 profile -q --cache-sim=no --label=timed --valgrind-option=--collect-systime=nsec -- ./bare
! grep -q '^events:.*Time' profiles/timed.callgrind
verdict "… also by Valgrind's own option" $?

run 2 profile --count=syscals -- ./bare
verdict "an unknown counter is refused" $?
says "expected branches, bus, heap, jumps and syscalls, separated by commas, but found 'syscals'"
verdict "… and those that exist are named" $?

[ "$failures" -eq 0 ]
