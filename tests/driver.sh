#!/bin/sh
# Usage: tests/driver.sh
#
# Measures real programs with the real Valgrind: counts must be equal to the last instruction
# wherever and however the command is started, and every way to fail must be told apart.
set -eu
. "$(dirname "$0")/scratch.sh"
# Other tests are skipped without it: if all were, nothing would have been measured.
if ! command -v valgrind >/dev/null; then
	echo "FAILED: valgrind is not installed, so nothing can be measured"
	exit 1
fi
cd "$scratch"

cc=$compiler
failures=0
tests=0

# verdict NAME TEST…: TEST… is a command that must succeed.
verdict() {
	name=$1
	shift
	tests=$((tests + 1))
	if "$@"; then
		echo "ok      $name"
	else
		echo "FAILED  $name: $*"
		failures=$((failures + 1))
		sed 's/^/        | /' "$scratch/errors" 2>/dev/null || :
	fi
}

# profile LABEL ARGS…: $status and the file `errors` tell how it went.
profile() {
	label=$1
	shift
	status=0
	"$irdiff" profile --label "$label" "$@" >"$scratch/output" 2>"$scratch/errors" || status=$?
}

# begin LABEL ARGS…: the same of what only takes time, in the background; `end LABEL` waits for it.
begin() {
	label=$1
	shift
	"$irdiff" profile --label "$label" "$@" >/dev/null 2>"$scratch/errors.$label" &
	eval "pid_$label=\$!"
}

end() {
	status=0
	eval "wait \$pid_$1" || status=$?
	mv "$scratch/errors.$1" "$scratch/errors"
}

# All nine totals of a profile.
totals() {
	sed -n 's/^totals: //p' "profiles/$1.callgrind"
}

# equal LABEL…: all of them have the same totals, and they have some.
equal() {
	expected=$(totals "$1")
	for label; do
		test -n "$expected" && test "$(totals "$label")" = "$expected" || return 1
	done
}

says() {
	grep -q -e "$1" "$scratch/errors"
}

executes() {
	grep -q "fn=.*$2" "profiles/$1.callgrind"
}

cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char text[1 << 16];
__attribute__((noinline)) static int work(int n) { return n < 2 ? n : work(n - 1) + work(n - 2); }
int main(int argc, char **argv)
{
	char cwd[4096];
	memset(text, 'x', sizeof text - 1);
	printf("%d %zu %s %s %s %d\n", work(argc > 1 ? atoi(argv[1]) : 12), strlen(text), argv[0],
	       getcwd(cwd, sizeof cwd), getenv("HOME"), argc > 2 ? 0 : (int)getpid());
	return 0;
}
END
cat >fails.c <<'END'
#include <stdio.h>
#include <signal.h>
int main(int argc, char **argv)
{
	for (int i = 0; i < 30; i++)
		fprintf(stderr, "line %d\n", i);
	if (argc > 1)
		raise(SIGSEGV);
	return argv[0] ? 7 : 0;
}
END
cat >spin.c <<'END'
#include <fcntl.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	volatile unsigned long i = 0;
	if (argc > 1 && argv[1] && fork() == 0)
		setsid();
	if (argc > 2)
		close(creat(argv[2], 0600));
	for (;;)
		i++;
}
END
cat >execs.c <<'END'
#include <unistd.h>
__attribute__((noinline)) static int early(int n) { return n < 2 ? n : early(n - 1) + early(n - 2); }
int main(int argc, char **argv)
{
	if (argc > 1 && early(20) > 0)
		execv(argv[1], argv + 1);
	return 1;
}
END
$cc -g -O1 -o prog prog.c
for name in fails spin execs; do
	$static -g -O1 -o $name $name.c
done

# --- the same counts, always ---

for i in 1 2 3; do
	profile repeat$i -- ./prog
	verdict "run $i succeeds" test $status = 0
done
verdict "three runs have equal counts" equal repeat1 repeat2 repeat3
same=yes
for i in 2 3; do
	for n in 1 $i; do
		grep -v -E '^(pid:|desc: .*[Tt]ime)' profiles/repeat$n.callgrind >normal.$n
	done
	cmp -s normal.1 normal.$i || same=no
done
verdict "three runs are equal to the byte, but for the pid" test $same = yes

SOMETHING=$(printf '%5000s' x) OTHER=y PATH=$PATH:/opt/somewhere HOME=/tmp TZ=Asia/Tokyo \
	profile environment -- ./prog
verdict "the environment does not count" equal repeat1 environment

long="$scratch/a rather long directory/with 'quotes' and \"more\"/and still deeper"
mkdir -p "$long" s
cp prog "$long/prog"
cp prog s/prog
profile short -- s/prog
profile long -- "$long/prog"
verdict "the length of the path does not count" equal repeat1 short long
(cd "$long" && profile cwd -- ./prog && test $status = 0)
cp "$long/profiles/cwd.callgrind" profiles/
verdict "the working directory does not count" equal repeat1 cwd

# What a program can ask for besides its arguments.
cat >asks_for.c <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>
int main(void)
{
	volatile unsigned long sum = 0;
	struct rlimit stack;
	cpu_set_t cpus;
	for (long fd = 3; fd < sysconf(_SC_OPEN_MAX); fd++)
		close((int)fd);
	sched_getaffinity(0, sizeof cpus, &cpus);
	for (int i = 0; i < CPU_COUNT(&cpus) * 1000; i++)
		sum += 1;
	getrlimit(RLIMIT_STACK, &stack);
	for (unsigned long i = 0; i < stack.rlim_cur >> 20 && i < 1000; i++)
		sum += 1;
	return sum < 1000;
}
END
$static -g -o asks_for asks_for.c
profile asks1 -- ./asks_for
# shellcheck disable=SC3045
(ulimit -S -n 512 && profile asks2 -- ./asks_for)
verdict "the limit of open files does not count" equal asks1 asks2
# shellcheck disable=SC3045
(ulimit -S -s 4096 && profile asks3 -- ./asks_for)
verdict "the size of the stack does not count" equal asks1 asks3
cpu=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)
taskset -c "$cpu" "$irdiff" profile --label asks4 -- ./asks_for >/dev/null 2>&1 || :
verdict "the CPUs that may be used do not count" equal asks1 asks4
if command -v nproc >/dev/null; then
	profile asks6 -- sh -c 'nproc --all; nproc; cat /sys/devices/system/cpu/online; :'
	verdict "… nor how many there are" test "$(tr '\n' ' ' <.irdiff/profiles/asks6.callgrind/stdout.log)" = "1 1 0 "
fi
# may_use PID...: the CPUs that they may use.
may_use() {
	for process; do
		sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "/proc/$process/status"
	done | paste -sd ' ' -
}
# on_all COMMAND...: runs it on all CPUs there are.
on_all() {
	taskset -c "$(cat /sys/devices/system/cpu/online)" "$@"
}
# used_cpus COMMAND: which ones `sleep 2.51`, which it runs, and the tracer may use.
used_cpus() {
	on_all "$irdiff" profile --label=cpus -- sh -c "$1" >cpus.out 2>&1 &
	for _ in $(seq 400); do
		process=$(grep -lzx '2\.51' /proc/[0-9]*/cmdline 2>/dev/null | head -n 1)
		process=${process%/cmdline}
		tracer=$(sed -n 's/^TracerPid:[[:space:]]*//p' "$process/status" 2>/dev/null) || tracer=0
		if [ "${tracer:-0}" != 0 ]; then
			may_use "${process#/proc/}" "$tracer"
			break
		fi
		sleep 0.05
	done
	wait
}
all=$(on_all sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status 2>/dev/null) || all=
case $all in
*[,-]*)
	one=$(used_cpus 'sleep 2.51; true')
	verdict "a program runs on the CPU of its tracer: $one" eval \
		'expr "$one" : "[0-9]* [0-9]*$" && test "${one% *}" = "${one#* }"'
	two=$(used_cpus 'sleep 2.5 & sleep 2.51; wait')
	verdict "… unless several run at the same time: $two" test "$two" = "$all $all"
	;;
*) skip "the CPU of a program" "there is only one here, or it is not known which there are" ;;
esac
# shellcheck disable=SC3045
(ulimit -n 512 && profile asks5 -- ./asks_for)
verdict "a lower limit that cannot be raised is told" \
	grep -q 'irdiff.env.nofile: 512' profiles/asks5.callgrind
profile in_place --in-place -- ./prog
verdict "… and so is --in-place" grep -q 'irdiff.env.in_place: yes' profiles/in_place.callgrind

mkdir -p walked/sub
for i in 1 2; do
	(cd walked && profile sees$i --cwd . -- ls -Ra .irdiff "$scratch/walked/.irdiff")
done
mv walked/profiles/* profiles/
verdict "what irdiff keeps for itself does not count" equal sees1 sees2
(PATH=$long:$PATH && profile lookup -- prog)
verdict "found on the PATH or by path: the same" equal repeat1 lookup

printf 'input' >data
cat >reads.c <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
	FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
	return f ? getc(f) != 'i' : 2;
}
END
$static -g -o reads reads.c
profile relative -- ./reads data
verdict "relative arguments work" test $status = 0
profile absolute -- ./reads "$scratch/data"
verdict "absolute arguments work" test $status = 0

# --- programs that other programs start ---

# From here on the dynamic loader is not what is tried.
$static -g -O1 -o prog prog.c
printf '#!/bin/sh\n./prog\n' >script
printf '#!/bin/sh\nexec ./prog\n' >execscript
printf '#!/usr/bin/env sh\nsed -n 1,2p prog.c >/dev/null\ncd /\n"$OLDPWD/prog"\n' >envscript
chmod +x script execscript envscript
profile script -- ./script
verdict "a script: the program is measured" executes script work
profile execscript -- ./execscript
verdict "a script that execs: the program is measured" executes execscript work
profile envscript -- ./envscript
verdict "a script started by env: the program is measured" executes envscript work
profile shell -- sh -c 'exec ./prog'
verdict "sh -c 'exec prog': the program is measured" executes shell work
verdict "… with the counts of the script" equal shell execscript
profile execs -- ./execs ./prog
verdict "a program that execs: the costliest image is measured" executes execs early
profile execs2 --image prog -- ./execs ./prog
verdict "… or the one asked for" executes execs2 work
profile execs3 -- sh -c 'exec ./execs ./prog'
verdict "… started by a launcher" executes execs3 early
profile execs4 -- sh -c './execs ./prog; :'
verdict "… that waits for it" executes execs4 early
verdict "… and what was not counted is told" says 'not counted: .*/prog ('
verdict "… in the profile as well" grep -q 'subject.processes: 1 of 2' profiles/execs4.callgrind
mkdir -p 'so me'
cp execs 'so me/exe cs'
profile spaces -- './so me/exe cs' ./prog
verdict "a name with spaces" grep -q 'irdiff.subject.image: so me/exe cs' profiles/spaces.callgrind
verdict "… that can be identified" grep -q 'irdiff.subject.build_id: ' profiles/spaces.callgrind
verdict "… and says how it was built" grep -q 'irdiff.subject.built: .' profiles/spaces.callgrind
profile spaces2 --image 'exe cs' -- './so me/exe cs' ./prog
verdict "… and asked for" test $status = 0
profile killed -- sh -c './prog 50 & ./prog 3'
verdict "a program that is killed at the end: exit 4" test $status = 4
verdict "… which it says" says 'prog was still running'
profile killed2 -- sh -c 'sleep 100 & ./prog'
verdict "… unless it is not the project's" test $status = 0
profile only -- sh -c 'for i in 1 2 3; do :; done'
verdict "only a shell: exit 4" test $status = 4
verdict "… which it says" says 'only .*sh was measured'

mkdir -p libtool/.libs
cp prog libtool/.libs/lt-prog
cat >libtool/prog <<'END'
#! /bin/sh

# prog - temporary wrapper script for .libs/prog
# Generated by libtool (GNU libtool) 2.4.7
thisdir=`printf %s "$0" | sed 's,/[^/]*$,,'`
LD_LIBRARY_PATH="$thisdir/.libs:$LD_LIBRARY_PATH"
export LD_LIBRARY_PATH
exec "$thisdir/.libs/lt-prog" ${1+"$@"}
END
chmod +x libtool/prog
profile libtool -- libtool/prog
verdict "a libtool wrapper: the program is measured" executes libtool work

mkdir -p origin/bin origin/lib
echo 'int answer(void) { return 42; }' >answer.c
echo 'int answer(void); int main(void) { return answer() != 42; }' >asks.c
$cc -g -shared -fPIC -o origin/lib/libanswer.so answer.c
# shellcheck disable=SC2016
$cc -g -o origin/bin/asks asks.c -Lorigin/lib -lanswer '-Wl,-rpath,$ORIGIN/../lib'
profile origin -- origin/bin/asks
verdict "\$ORIGIN is found" executes origin answer

# Python is below, where it is warmed up.
for interpreter in 'perl -e print(1)' 'lua -e print(1)' 'sqlite3 :memory: select(1)'; do
	has "${interpreter%% *}" "measuring ${interpreter%% *}" || continue
	# shellcheck disable=SC2086
	profile interpreter -- $interpreter
	verdict "${interpreter%% *} can be measured" test $status = 0
done

# What takes its time is looked at below.
printf '#!/bin/sh\nsleep 2\n' >sleeps
printf '#!/bin/sh\n(exit 0)\nsleep 30\n' >waits
chmod +x sleeps waits
begin timeout --timeout 1 -- ./spin
begin sleeps --timeout 3 --warm-up -- ./sleeps
begin waits --timeout 10 -- ./waits
mkdir -p project/sub/deeper
printf 'benchmarks:\n  nap: {command: sleep 1.2, timeout: 1s}\n' >project/irdiff.yml
cd project
begin nap nap
begin nap_on --timeout=0 nap
cd ..

# --- debug information that an old Valgrind dies of ---

if has clang "DWARF 5 of clang"; then
	clang -gdwarf-5 -o dwarf5 asks.c answer.c
	profile dwarf5 -- ./dwarf5
	verdict "clang's DWARF 5 can be measured" test $status = 0
	verdict "… with names" executes dwarf5 answer
	case $(valgrind --version) in
	valgrind-3.1[0-9]*) verdict "… and irdiff says why there are no lines" says 'debug information of dwarf5 (DWARF 5 of LLVM)' ;;
	esac
fi

# --- a run before the one that counts ---

cat >counts.c <<'END'
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	FILE *f = fopen("runs", "a");
	if (!f || fprintf(f, "%d\n", argc) < 0 || fclose(f))
		return 1;
	return argc > 1 && argv[1] && access("fail", F_OK) == 0 ? 5 : 0;
}
END
$static -g -o counts counts.c

# runs N: the program has run so often since the last look.
runs() {
	count=$(wc -l <runs)
	rm runs
	test "$count" -eq "$1"
}

printf 'benchmarks:\n  warm: {command: ./counts, warm_up: true}\n  cold: {command: ./counts}\n' \
	>irdiff.yml
profile cold cold
verdict "without warm-up it runs once" runs 1
profile warm warm
verdict "warm_up: it runs twice" runs 2
# Not through a shim of pyenv, which takes half a minute under Valgrind.
if has /usr/bin/python3 "two warm runs of Python"; then
	mkdir python
	echo 'x = 1' >python/module.py
	printf 'import sys\nsys.path.insert(0, "python")\nimport module\n' >python/main.py
	for i in 1 2; do
		profile python$i --warm-up --depth=0 --cache-sim=no -- /usr/bin/python3 -S python/main.py
	done
	verdict "two warm runs are equal" equal python1 python2
	verdict "… and leave nothing in the project" test ! -e python/__pycache__
fi
profile warm2 cold --warm-up
verdict "--warm-up: it runs twice" runs 2
verdict "… and it says so to whoever compares" grep -q 'warm_up: yes' profiles/warm2.callgrind
profile warm3 --warm-up=no warm
verdict "--warm-up=no wins over irdiff.yml" runs 1
verdict "… and the counts are those of the cold run" equal cold warm3
touch fail
profile warm4 --warm-up -- ./counts x
verdict "a warm-up that fails: exit 3" test $status = 3
verdict "… with its status" says 'status 5'
verdict "… and there is no other run" runs 1
rm irdiff.yml fail

# --- what is installed ---

# How many libraries there are does not count: the loader has a list of those that are named.
if [ -x /sbin/ldconfig ] && [ -e /etc/ld.so.cache ]; then
	profile libraries -- sh -c '/sbin/ldconfig -p; :'
	verdict "the program's libraries are listed" grep -q '^.libc\.so\.6 ' .irdiff/profiles/libraries.callgrind/stdout.log
	all=$(/sbin/ldconfig -p | wc -l)
	verdict "… and few others" test "$(wc -l <.irdiff/profiles/libraries.callgrind/stdout.log)" -lt $((all / 2))
	profile listing -- ls
	verdict "… which is a fact" grep -q 'irdiff.subject.loader_cache: fnv1a:' profiles/listing.callgrind
else
	skip "the list of libraries" "this system has none"
fi

# --- where tracing is refused ---

# There are links in the place of what a traced program is told.
if $cc -o refuse "$source_dir/tests/guest/refuse.c" && ./refuse ptrace true; then
	real=$irdiff
	printf '#!/bin/sh\nexec %s/refuse ptrace "%s" "$@"\n' "$scratch" "$real" >irdiff-confined
	chmod +x irdiff-confined
	irdiff=$scratch/irdiff-confined
	begin linkstimeout --timeout 1 -- ./spin
	for i in 1 2; do
		profile links$i -- s/prog 12 without-pid # whose digits would count
		verdict "untraced, run $i succeeds" test $status = 0
	done
	verdict "… and it says so" grep -q 'workspace: links' profiles/links1.callgrind
	profile links3 -- "$long/prog" 12 without-pid
	verdict "… with the same counts, wherever the program lies" \
		equal links1 links2 links3
	profile linksfail -- ./fails
	verdict "… a failing benchmark: exit 3" test $status = 3
	verdict "… with its status" says 'status 7'
	profile linksscript -- ./script
	verdict "… a script: the program is measured" executes linksscript work
	end linkstimeout
	verdict "… a timeout: exit 3" test $status = 3
	irdiff=$real
else
	skip "where tracing is refused" "there are no filters of system calls"
fi

# --- what the command line changes ---

cp data project/sub/deeper/data
(cd project/sub && profile cwd --cwd deeper -- "$scratch/reads" data && test $status = 0)
verdict "--cwd is relative to where one is" test -e project/profiles/cwd.callgrind
end nap
verdict "the timeout of irdiff.yml ends it" test $status = 3
verdict "… which leaves no profile" test ! -e project/profiles/nap.callgrind
end nap_on
verdict "--timeout=0 wins over it" eval 'test $status = 0 && test -e project/profiles/nap_on.callgrind'

# --- every way to fail ---

printf '# callgrind format\ncreator: callgrind-3.19.0\n' >profiles/foreign.callgrind
cp profiles/foreign.callgrind foreign
profile foreign -- ./prog
verdict "a foreign profile of that label: exit 2" test $status = 2
verdict "… which it says" says 'not written by irdiff'
verdict "… and it stays" cmp -s foreign profiles/foreign.callgrind
rm profiles/foreign.callgrind

profile fails -- ./fails
verdict "a failing benchmark: exit 3" test $status = 3
verdict "… with its status" says 'status 7'
verdict "… with the end of its output" says 'line 29'
verdict "… but not all of it" sh -c "! grep -q 'line 3$' '$scratch/errors'"
verdict "… and no profile" test ! -e profiles/fails.callgrind
profile crashes -- ./fails crash
verdict "a crash: exit 3" test $status = 3
verdict "… which names the signal" says 'signal 11'
end timeout
verdict "a timeout: exit 3" test $status = 3
verdict "… which it says" says 'after 1 second'
end sleeps
verdict "a timeout is that of all runs together" test $status = 3
verdict "… which it says" says 'after 3 seconds'
end waits
verdict "… of a script, what was running then" says 'running /.*; measure the program that the script starts'
echo 'echo "x: error while loading shared libraries: y" >&2; exit 127' >no-library
profile library -- /bin/sh ./no-library
verdict "advice for a command names an option" says 'add --env=LD_LIBRARY_PATH$'
printf 'benchmarks:\n  b: {command: [/bin/sh, ../no-library]}\n' >project/irdiff.yml
(cd project && profile library b)
verdict "… for a benchmark what to write into irdiff.yml" says 'add `env: \[LD_LIBRARY_PATH\]`$'
for option in --separate-threads=yes --help --version -h; do
	profile option --valgrind-option=$option -- ./prog
	verdict "Valgrind's $option is refused" says 'irdiff sets this Valgrind option itself'
done
newline='
'
cp prog "prog${newline}desc: irdiff.env.libc: another"
profile newline -- "./prog${newline}desc: irdiff.env.libc: another"
verdict "a line end in a program's name: exit 2" test $status = 2
mkdir "dir${newline}fn=(77) forged${newline}1 1000"
profile newline --cwd "$scratch/dir${newline}fn=(77) forged${newline}1 1000" -- "$scratch/prog"
verdict "… in a directory's: exit 2" test $status = 2
profile missing -- ./missing
verdict "no such program: exit 2" test $status = 2
profile text -- ./prog.c
verdict "not a program: exit 2" test $status = 2
profile function --root no_such_function -- ./prog
verdict "nothing below the function: exit 4" test $status = 4
verdict "… with the likely reason" says 'inlined'
profile root --root work -- ./prog
verdict "below a function" test $status = 0
cat >nested.c <<'END'
#define KEEP __attribute__((noinline, noclone))
KEEP void spin(int n) { __asm__ volatile("1: nop; dec %0; jnz 1b" : "+r"(n)); }
KEEP void deep_inner(int n) { spin(n); __asm__ volatile(""); }
KEEP void deep_outer(int n) { spin(10); deep_inner(n); __asm__ volatile(""); }
KEEP void both_inner(int n) { spin(n); __asm__ volatile(""); }
KEEP void both_outer(int n) { both_inner(n); __asm__ volatile(""); }
int main(void) { deep_outer(1000); both_outer(5); both_inner(7); return 0; }
END
$compiler -g -O1 -fno-optimize-sibling-calls -o nested nested.c
profile root --root deep_outer -- ./nested
cp profiles/root.callgrind.flat.txt outer.txt
profile root --root 'deep_*' -- ./nested
verdict "a root that matches a function and its callee counts all of both" cmp profiles/root.callgrind.flat.txt outer.txt
profile root --root 'both_*' -- ./nested
verdict "… unless the callee has other callers, too: exit 2" test $status = 2
verdict "… which it names" says 'matches both_outer and its callee both_inner'
profile novalgrind --valgrind /nonexistent/valgrind -- ./prog
verdict "no Valgrind: exit 4" test $status = 4
verdict "… naming the package" says 'apt-get install valgrind'
IRDIFF_VALGRIND=/bin/echo profile wrongvalgrind -- ./prog
verdict "not a Valgrind: exit 4" test $status = 4

# --- Ctrl-C, and what is left ---

# Background jobs of a script ignore SIGINT, and those of nohup SIGHUP, which irdiff respects: ask
# for the default.
cat >default.c <<'END'
#include <signal.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	if (argc > 1)
		execvp(argv[1], argv + 1);
	return 127;
}
END
$static -o default default.c
marker=marker.$$

# appears FILE: waits for it.
appears() {
	tries=0
	until [ -e "$1" ]; do
		[ $((tries += 1)) -le 600 ] || return 1
		sleep 0.1
	done
}

# interrupt SIGNAL NUMBER COMMAND…: COMMAND starts irdiff, which gets the signal.
interrupt() {
	signal=$1
	number=$2
	shift 2
	rm -f spins
	"$@" profile --label ctrlc -- ./spin $marker spins >output 2>errors &
	pid=$!
	appears spins || :
	kill "-$signal" $pid
	status=0
	wait $pid || status=$?
	verdict "SIG$signal: exit 128 + $number" test $status = $((128 + number))
	# The pattern is no word that it matches: grep does not find itself.
	left=$(grep -lszx "[m]${marker#m}" /proc/[0-9]*/cmdline | wc -l)
	verdict "… and nothing goes on running" test $left = 0
	verdict "… and nothing is left of the profile" sh -c '! ls profiles | grep -q ctrlc'
}

interrupt INT 2 ./default "$irdiff"
interrupt TERM 15 ./default "$irdiff"
interrupt HUP 1 ./default "$irdiff"
if [ -x irdiff-confined ]; then
	echo "        untraced:"
	interrupt INT 2 ./default ./irdiff-confined
fi

# Signals after the run: while git is asked, and while the profile is put in place. This git is
# slow until it is told to go on.
mkdir slowgit
cat >slowgit/git <<END
#!/bin/sh
touch "$scratch/asked"
while [ ! -e "$scratch/go" ]; do
	sleep 0.1
done
exit 1
END
chmod +x slowgit/git

no_work_directory() {
	test -z "$(ls .irdiff/tmp)"
}

PATH=$scratch/slowgit:$PATH ./default "$irdiff" profile --label ctrlc -- ./prog >output 2>errors &
pid=$!
verdict "git is asked for the commit" appears asked
kill -INT $pid
status=0
wait $pid || status=$?
verdict "SIGINT while git runs: exit 130" test $status = 130
verdict "… and nothing is left of the profile" sh -c '! ls profiles | grep -q ctrlc'
verdict "… nor of the run" no_work_directory

rm -f asked
PATH=$scratch/slowgit:$PATH "$irdiff" profile --label ctrlc -- ./prog >output 2>errors &
pid=$!
appears asked || :
flock .irdiff/lock -c 'touch locked; while [ ! -e release ]; do sleep 0.1; done' &
appears locked || :
touch go
sleep 1
kill -TERM $pid
touch release
status=0
wait $pid || status=$?
verdict "SIGTERM while the profile is put in place: exit 143" test $status = 143
all_or_nothing() {
	test "$(ls profiles .irdiff/profiles/ctrlc.callgrind 2>/dev/null |
		grep -c -e '^ctrlc.callgrind' -e '^raw' -e '^meta' -e 'log$')" = "$1"
}
if [ -e profiles/ctrlc.callgrind ]; then
	verdict "… and it is there as a whole" all_or_nothing 7
else
	verdict "… and nothing is left of the profile" all_or_nothing 0
fi
verdict "… nor of the run" no_work_directory

verdict "no workspace of ours is left" no_workspace_is_left

# --- two at once ---

profile alone -- ./prog
pids=
for i in 1 2 3 4; do
	"$irdiff" profile --label at_once$i -- ./prog >/dev/null 2>&1 &
	pids="$pids $!"
done
for pid in $pids; do
	wait "$pid" || :
done
verdict "four at once do not disturb each other" equal alone at_once1 at_once2 at_once3 at_once4

# Relative paths of the arguments mean what they mean outside, and what irdiff keeps stays hidden.
mkdir -p up/here
echo text >up/data.txt
verdict "an argument above the directory is found" \
	sh -c 'cd up/here && "$0" profile -q --label up -- cat ../data.txt 2>"$1"' "$irdiff" "$scratch/errors"
(cd up/here && for i in 1 2; do
	"$irdiff" profile -q --label "walk$i" -- ls -aR ../here/.irdiff
done) 2>"$scratch/errors"
cp up/here/profiles/walk1.callgrind up/here/profiles/walk2.callgrind profiles/
verdict "what irdiff keeps does not count there either" equal walk1 walk2

# Lines are shown with the source as it was, whatever has become of it.
printf 'int main(void)\n{\n\tvolatile int was_here = 0;\n\treturn was_here;\n}\n' >source.c
$static -g -O0 -o source source.c
profile source -- ./source
echo 'int edited;' >source.c
verdict "the source of a profile is kept with it" sh -c '
	"$0" show --view=source source "^main$" >"$1" 2>&1 && grep -q "was_here" "$1"' "$irdiff" "$scratch/errors"
profile source -- ./source
rm source.c
verdict "… and with the one that it replaced" sh -c '
	"$0" show --view=source source.old "^main$" >"$1" 2>&1 && grep -q "was_here" "$1" &&
	zstd -dc .irdiff/profiles/source.callgrind/sources.zst | grep -q "int edited"' "$irdiff" "$scratch/errors"

# A program that did not execute what is to be measured may have said why.
says_why() {
	! "$irdiff" profile -q "$@" 2>"$scratch/errors" && grep -q "^irdiff: $expected" "$scratch/errors" &&
		grep -qx '  | no benchmark matches' "$scratch/errors"
}
expected='only .* was measured'
verdict "what a program said is shown if another one was to be measured" \
	says_why -- sh -c 'echo no benchmark matches >&2'
expected='nothing was counted below'
verdict "… or a function that it did not call" \
	says_why --root=nowhere --image="$(readlink -f /bin/sh)" -- sh -c 'echo no benchmark matches >&2'
verdict "… which names one that it calls and that is spelled alike" sh -c '
	! "$0" profile -q --root=mian -- ./source 2>"$1" && grep -q "did you mean \"main\"?" "$1"' \
	"$irdiff" "$scratch/errors"

# What is stored beside a profile is not silently left out where it is damaged.
stored=.irdiff/profiles/source.callgrind/lines.callgrind.zst
cp $stored whole.zst
damaged() {
	"$irdiff" show source >/dev/null 2>"$scratch/errors"
	[ $? -eq 2 ] && grep -q "source.callgrind/lines.callgrind.zst: .*$1; measure again, or remove this file" "$scratch/errors"
}
head -c 100 whole.zst >$stored
verdict "a truncated file beside a profile is an error that says what to do" damaged truncated
: >$stored
verdict "… and so is an empty one" damaged empty
{ head -c 40 whole.zst && printf '\377\377' && tail -c +43 whole.zst; } >$stored
verdict "… and one with other bytes" damaged damaged
rm $stored
verdict "… until it is removed" sh -c '"$0" show source >"$1" 2>&1' "$irdiff" "$scratch/errors"

# What a benchmark counts at a commit becomes part of the history, and nothing else does.
mkdir history && cd history
git init -q . && git config user.name a && git config user.email a@b
printf 'benchmarks: {echo: {command: [%s, one]}}\n' "$scratch/prog" >irdiff.yml
echo profiles/ >.gitignore
git add . && git commit -qm "$(printf 'Begin: \033[31mred')"
rows() {
	test "$("$irdiff" history --export | wc -l)" = "$1" && test ! -s "$scratch/errors"
}
profile_in() {
	"$irdiff" profile -q "$@" 2>"$scratch/errors"
}
verdict "a commit that was measured is in the history" \
	eval 'profile_in echo && rows 1 && "$irdiff" history echo | grep -q "Begin: .x1b"'
verdict "measured again, it is one row" eval 'profile_in echo && profile_in echo --label=other && rows 1'
echo 'build: [make]' >>irdiff.yml && git commit -qam built
verdict "where irdiff builds commits, other builds are not" eval 'profile_in echo && rows 1'
git reset -q --hard HEAD~1
verdict "with other arguments, or of a command, it is none" \
	eval 'profile_in echo -- two && profile_in --label=echo -- ../prog three && rows 1'
sed -i 's/, one/, another one, much longer than the first one/' irdiff.yml
verdict "a work tree with changes is no commit" eval 'profile_in echo && rows 1'
git commit -qam 'Say more' && "$irdiff" profile -q echo 2>"$scratch/errors"
verdict "two commits are two rows" rows 2
git commit -q --allow-empty -m 'Say the same' && "$irdiff" profile -q echo 2>"$scratch/errors"
verdict "the report has both that the same was measured of" \
	eval '"$irdiff" report -o report.html echo.old echo 2>"$scratch/errors" && grep -q "\"history\":{\"metric\":\"Ir\",\"level\":[a-z]*,\"older\":0,.*\"commit\":\[\"[0-9a-f]*\",\"[0-9a-f]*\"\]" report.html'
mv ../prog ../prog.kept && cp ../source ../prog && "$irdiff" profile -q echo 2>"$scratch/errors"
mv ../prog.kept ../prog
verdict "another program at the same commit is not claimed to be a stale build" \
	grep -q "at the same commit, .*not deterministic .*, or its builds differ, .* path of another directory" "$scratch/errors"
rm .irdiff/history.db
verdict "what is measured to be compared is in it, too" \
	eval '"$irdiff" compare HEAD~2..HEAD >output 2>"$scratch/said" && : >"$scratch/errors" && rows 2'
verdict "… with the counts that a profile has" eval '"$irdiff" profile -q echo 2>"$scratch/errors" && rows 2'
git commit -qm 'Change nothing' --allow-empty
echo damaged >.irdiff/history.db
verdict "a damaged history fails no measurement" \
	eval '"$irdiff" profile -q echo 2>"$scratch/errors" && grep -q "warning: this run was not added to the history" "$scratch/errors"'
verdict "… and stays where it is" grep -q damaged .irdiff/history.db
cd ..

echo "$tests tests, $failures failed"
test $failures = 0
