#!/bin/sh
# Usage: tests/processes.sh
#
# Programs of several processes: what they fork counts with them, what does not count is told and compared,
# and no process comes to a bad end unheard, nor goes on unseen.
set -u
. "$(dirname "$0")/repository.sh"
needs valgrind

mkdir "$scratch/project"
cd "$scratch/project"

cp "$source_dir/src/client/irdiff.h" .
echo '#define STEPS "50000"' >steps.h
cat >work.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "irdiff.h"
#include "steps.h"

__attribute__((noinline)) static unsigned scan(unsigned n)
{
	volatile unsigned sum = 0;
	for (unsigned i = 0; i < n; i++)
		sum = sum * 31 + i;
	return sum;
}

/* Each word is something to do: a number is work, + is to go on in a child, & the same without waiting. */
int main(int argc, char **argv)
{
	char *steps[] = { argv[0], STEPS, NULL };
	pid_t child;

	if (argc == 1) {
		argc = sizeof steps / sizeof *steps - 1;
		argv = steps;
	}
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "+") || !strcmp(argv[i], "&")) {
			child = fork();
			if (child > 0 && argv[i][0] == '+')
				waitpid(child, NULL, 0);
			if (child)
				break;
		} else if (!strcmp(argv[i], "crash"))
			raise(SIGSEGV);
		else if (!strcmp(argv[i], "kill"))
			raise(SIGKILL);
		else if (!strcmp(argv[i], "realtime"))
			raise(SIGRTMIN);
		else if (!strcmp(argv[i], "spin"))
			for (;;)
				scan(1);
		else if (!strcmp(argv[i], "exec"))
			execvp(argv[i + 1], argv + i + 1);
		else if (!strcmp(argv[i], "raw"))
			syscall(SYS_execve, argv[i + 1], argv + i + 1, NULL);
		else if (!strcmp(argv[i], "system") && system(argv[++i]) < 0)
			return 9;
		else if (!strcmp(argv[i], "zero"))
			irdiff_ask_(IRDIFF_ZERO_, NULL);
		else if (!strcmp(argv[i], "off"))
			irdiff_ask_(IRDIFF_STOP_, NULL);
		else if (!strcmp(argv[i], "clock"))
			clock();
		else if (!strcmp(argv[i], "random") && getrandom(&child, 3, 0) != 3)
			return 9;
		else if (!strcmp(argv[i], "fail"))
			return 3;
		else
			scan((unsigned)atoi(argv[i]));
	}
	return 0;
}
END
$static -g -O1 -o work work.c && cp work helper
$compiler -g -O1 -o dynamic work.c

# ir LABEL: its total.
ir() {
	sed -n 's/^totals: \([0-9]*\).*/\1/p' "profiles/$1.callgrind"
}

# more LABEL THAN BY: by so much, give or take 10,000 for what processes do besides: a tenth of 10,000 rounds.
more() {
	difference=$(($(ir "$1") - $(ir "$2") - $3))
	[ "$difference" -ge -10000 ] && [ "$difference" -le 10000 ]
}

notes() {
	sed -n 's/^desc: irdiff\.run\.//p' "profiles/$1.callgrind"
}

# noted LABEL TEXT: a line of its notes begins so.
noted() {
	notes "$1" | grep -qF -- "$2"
}

count() {
	label=$1
	shift
	run 0 profile -q --label="$label" "$@"
}

# ---- what counts ----------------------------------------------------------------------------------

# Of 10,000 rounds.
count none -- ./work 0 && count some -- ./work 10000
round=$(($(ir some) - $(ir none)))
verdict "work is counted" $((round < 50000))

count forked -- ./work 10000 + 20000 && more forked none $((3 * round))
verdict "what a program forks counts with it" $?
says "several processes"
verdict "… and nothing is missing" $((! $?))
count again -- ./work 10000 + 20000 && count all --processes=all -- ./work 10000 + 20000 &&
	[ "$(ir again)" = "$(ir forked)" ] && [ "$(ir all)" = "$(ir forked)" ] &&
	[ "$(notes again)" = "$(notes forked)" ]
verdict "… the same in every run, and as all together" $?
count chain -- ./work + 10000 + 20000 + 30000 && more chain none $((6 * round))
verdict "… and what that forks" $?
# What is said of a process whose maker is over before Valgrind asks for its parent.
real=$(command -v valgrind)
[ ! -x "$real.bin" ] || real=$real.bin
cat >../adopted <<END
#!/bin/sh
case \$1 in --version) exec $real --version; esac
$real "\$@"
status=\$?
for option; do
	case \$option in
	--log-file=*) sed -i 's/Parent PID: .*/Parent PID: 1/' "\$(dirname "\${option#*=}")"/\$(basename "\${option#*=}" %p)* ;;
	esac
done
exit \$status
END
chmod +x ../adopted
count adopted --valgrind="$scratch/adopted" -- ./work 10000 + 20000 && more adopted none $((3 * round)) &&
	[ "$(notes adopted)" = "$(notes forked)" ]
verdict "… whoever has adopted it" $?
count shell -- sh -c './work 0; :' && count script -- sh -c './work 10000 + 20000; :' &&
	more script shell $((3 * round))
verdict "… after a shell" $?
count replaced -- ./work 20000 exec ./helper 1000 + 0 && more replaced none $((2 * round)) &&
	noted replaced ': helper'
verdict "… and is kept if that forks as well" $?
count raw -- ./work 20000 raw ./helper 1000 && noted raw 'lost: 1 process: work' && ! noted replaced lost &&
	run 0 diff none raw && says 'work executed another program in a way that loses its counts: never in base, once in head'
verdict "… or is known to be lost, if it makes the system call by itself" $?
count executed -- ./work + 40000 exec true && more executed none $((4 * round))
verdict "what it does before it becomes another program counts" $?
! noted forked uncounted
verdict "nothing is noted where all counts" $?
run 0 show forked --audit && says "totals hold; nothing unexplained"
verdict "the sum agrees with itself" $?
[ "$(sed -n 's/^summary: //p' profiles/forked.callgrind)" = "$(sed -n 's/^totals: //p' profiles/forked.callgrind)" ]
verdict "… and its summary with its totals" $?

count one --processes=one -- ./work 10000 + 20000 && more one none "$round" &&
	noted one 'uncounted: 1 process, ' && noted one ': work'
verdict "--processes=one: what was forked is noted" $?
count parent --processes=one -- ./work + 2000000 && [ "$(ir parent)" -gt $((199 * round)) ]
verdict "--processes=one: a worker that does it all is the one" $?
run 0 profile --label=helped -- ./work 10000 + exec ./helper 5000 && more helped none "$round" &&
	noted helped 'uncounted: 1 process, ' && noted helped ': helper' && says 'not counted: ' && says '/helper ('
verdict "another program does not count, and is noted" $?
count asked --image=helper -- ./work 10000 + exec ./helper 5000 &&
	more asked none $((round / 2)) && noted asked ': work'
verdict "… unless it was asked for" $?

# ---- work that moves out of sight -----------------------------------------------------------------

printf 'work\nhelper\ndynamic\nprofiles/\n.irdiff/\n' >.gitignore
git init -q .
printf '%s\n' "build: {command: '$static -g -O1 -o work \"\$PWD/work.c\" && cp work helper', shell: true}" \
	'benchmarks:' '  b: {command: ./work}' >irdiff.yml
git add -A && git commit -qm 'Work here'
echo '#define STEPS "1000", "system", "./helper 49000"' >steps.h
git commit -qam 'Have a helper do it'
run 4 check HEAD~1..HEAD && says INCONCLUSIVE && says 'Processes that are not counted, such as helper, cost 0 Ir in base'
verdict "work that moves into another program: the verdict is inconclusive" $?
run 4 check HEAD~1..HEAD && says 'such as helper'
verdict "… also by what was measured before" $?
echo '#define STEPS "1000", "+", "49000"' >steps.h
git commit -qam 'Have a child do it'
run 0 check HEAD~2..HEAD && says PASS
verdict "work that moves into a child counts as before" $?
echo '#define STEPS "90000", "zero"' >steps.h
git commit -qam 'Count nothing of it'
run 4 check HEAD~1..HEAD && says 'The program switches counting off, or sets counts to zero: at least 0 Ir in base'
verdict "counts that the program sets to zero are missed" $?
echo '#define STEPS "off", "90000"' >steps.h
git commit -qam 'Switch off'
run 4 check HEAD~2..HEAD && says 'work switched counting off: never in base, once in head'
verdict "… and it does not switch counting off unseen" $?
echo "#define STEPS \"50000\", \"+\", \"system\", \"rm $PWD/.irdiff/tmp/*/callgrind.out.*.1\"" >steps.h
git commit -qam 'Remove counts'
run 4 check HEAD~3..HEAD && says '/work are missing: files that Valgrind had written were removed or replaced'
verdict "… nor do its counts go unmissed" $?
echo '#define STEPS "50000"' >steps.h
sed -i 's/{command: .\/work}/{command: .\/work, processes: each}/' irdiff.yml
git commit -qam 'Each by itself'
echo '#define STEPS "1000", "+", "90000"' >steps.h
git commit -qam 'A new one'
run 4 check HEAD~1..HEAD && says 'base has no such process, and all of b cost ' && says 'set processes: all'
verdict "work that moves into a process with a profile of its own: the same" $?
echo '#define STEPS "1000", "+", "90000", "exec", "true"' >steps.h
git commit -qam 'Replace it'
run 4 check HEAD~2..HEAD && says 'such as work, cost 0 Ir in base'
verdict "… also if another program replaces it" $?
git reset -q --hard HEAD~6
run 0 profile -q b && run 0 baseline save here b && grep -q 'desc: irdiff.run.processes: ' baselines/here/b.callgrind
verdict "a baseline keeps the notes" $?

# ---- bad ends -------------------------------------------------------------------------------------

run 3 profile -- sh -c './work 10 crash || true' && says '/work was killed by signal 11 (Segmentation fault), though'
verdict "a crash after || true is an error" $?
run 3 profile -- ./work 1000 + crash && says 'work was killed by signal 11'
verdict "… in a child that counts, too" $?
run 3 profile -- ./work 1000 + kill && says 'work was killed by signal 9 (Killed)'
verdict "… and a process that left nothing" $?
run 3 profile -- ./work 1000 + crash && says 'add --signals=SEGV' &&
	run 3 profile -- ./work 1000 + realtime && says 'was killed by signal' && ! says --signals
verdict "… with how to allow it, if the signal has a name" $?
printf 'benchmarks:\n  c: {command: [sh, -c, ./work 10 crash || true], signals: [SEGV]}\n' >irdiff.yml
run 0 profile -q c && noted c 'signal.counted: 11 in 1 process: work'
verdict "signals: in irdiff.yml allows it, which is noted" $?
sed -i 's/SEGV/SEGFAULT/' irdiff.yml
run 2 profile c && says 'a list of signals that may end a process'
verdict "… and has only signals" $?
rm irdiff.yml
count crashed -- ./work 20000 + exec ./helper 1000 crash && noted crashed 'signal: 11 in 1 process: helper'
verdict "a crash of another program is noted" $?
count lost -- sh -c './helper kill; ./work 90000' && noted lost 'signal: 9 in 1 process: '
verdict "… however it was killed" $?
count failed -- sh -c './helper fail; ./work 90000 + fail' && noted failed 'status: 3 in 1 process: helper' &&
	noted failed 'status.counted: 3 in 1 process: work'
verdict "exit statuses other than 0 are noted" $?

run 4 profile -- ./work 1000 '&' spin && says 'forked was still running when the benchmark ended'
verdict "a child that outlives the program is an error" $?
run 4 profile -- sh -c './work 1000 "&" spin; :' && says 'still running'
verdict "… after a shell" $?
count late -- ./work 10000 '&' 20000 && [ "$(ir late)" -gt "$(($(ir none) + 3 * round - 3000))" ]
verdict "… one that soon ends is waited for" $?
count daemon -- sh -c 'sleep 100 & ./work 1000' && noted daemon 'left: 1 process: sleep'
verdict "another program that goes on is noted" $?

if $compiler -o refuse "$source_dir/tests/guest/refuse.c" && ./refuse ptrace true; then
	printf '#!/bin/sh\nexec %s/refuse ptrace "%s" "$@"\n' "$PWD" "$irdiff" >../confined
	chmod +x ../confined
	traced=$irdiff
	irdiff=$scratch/confined
	run 3 profile -- sh -c './work 10 crash || true' && says 'was killed by signal 11'
	verdict "untraced: a crash after || true is an error" $?
	count untraced -- ./work 20000 + exec ./helper 1000 crash && noted untraced 'signal: 11 in 1 process: helper'
	verdict "… and another program's is noted" $?
	count untraced2 -- ./work 10000 + 20000 && more untraced2 none $((3 * round))
	verdict "… and what a program forks counts with it" $?
	irdiff=$traced
else
	skip "where tracing is refused" "there are no filters of system calls"
fi

# ---- cases ----------------------------------------------------------------------------------------

cat >cases.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "irdiff.h"
int main(int argc, char **argv)
{
	volatile int sum = 0;
	(void)argv;
	IRDIFF_CASE("forks") {
		for (int i = 0; i < 10000; i++)
			sum += i;
		if (argc > 1) {
			if (fork() == 0)
				_exit(0);
			wait(NULL);
		}
	}
	return 0;
}
END
$static -g -O1 -o cases cases.c && count cases -- ./cases && count cases2 -- ./cases fork &&
	more cases2/forks cases/forks 0
verdict "a case that forks has all that it counts" $?

# ---- what may differ by chance --------------------------------------------------------------------

count random -- ./work random && noted random 'reads: random numbers' && ! noted none reads
verdict "random numbers are noted" $?
count random2 -- ./dynamic 10 && ! noted random2 reads
verdict "… those of the C library's heap are none" $?
count random3 --freeze=random -- ./dynamic random && ! noted random3 reads
verdict "… nor are frozen ones" $?
count device -- dd if=/dev/urandom of=/dev/null count=1 && noted device 'reads: random numbers'
verdict "… nor is the device forgotten" $?
count clock -- ./dynamic clock && run 0 diff none clock && says 'The program reads the clock, so counts'
verdict "a clock is seen in the profile" $?
count clock4 -- ./work clock && run 0 diff none clock4 && says 'The program reads the clock, so counts'
verdict "… also in a static program" $?
count clock2 --freeze=time -- ./dynamic clock && run 0 diff none clock2 && ! says 'reads'
verdict "… unless it is frozen" $?
count clock3 -- ./dynamic 10 && run 0 diff clock3 clock3 && ! says 'reads'
verdict "… and where nobody looks at it there is none" $?

no_workspace_is_left
verdict "nothing is left" $?
[ "$failures" -eq 0 ]
