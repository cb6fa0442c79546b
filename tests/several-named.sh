#!/bin/sh
# Usage: tests/several-named.sh
#
# Benchmarks with several cases as people meet them: cases that count nothing, or have not begun, beside
# others that do; limits of some cases; a benchmark that is named as a whole; a forked process that is
# the one to measure.
set -u
. "$(dirname "$0")/repository.sh"
needs valgrind

mkdir "$scratch/project"
cd "$scratch/project"
git init -q .
cp "$source_dir/src/client/irdiff.h" .
cat >bench.c <<'EOF'
#include "irdiff.h"

__attribute__((noinline)) int sum(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += irdiff_opaque(i) & 3;
	return s;
}

int main(int argc, char **argv)
{
	(void)argv;
	IRDIFF_CASE("small")
		irdiff_keep(sum(irdiff_opaque(10)));
	if (irdiff_opaque(argc) > LOSES)
		irdiff_begin();
	irdiff_keep(sum(irdiff_opaque(50)));
	irdiff_end("taken");
	IRDIFF_CASE("big/one")
		irdiff_keep(sum(irdiff_opaque(SIZE)));
	irdiff_begin();
#if LOSES
	irdiff_begin();
	irdiff_end("inner");
#endif
	irdiff_keep(sum(irdiff_opaque(5)));
	irdiff_end("outer");
	return 0;
}
EOF
cat >irdiff.yml <<'EOF'
build: make -s
benchmarks:
  b:
    command: ./bench
    limits:
      Ir: "+1%"
      "case:big/*": {Ir: "+500%", "fn:^sum$": {Ir: "+1k"}}
EOF
printf 'bench: bench.c\n\t%s -g -O2 -DSIZE=100 -DLOSES=0 -o $@ $<\n' "$static" >Makefile
printf '%s\n' bench fork clone site >.gitignore
git add -A
git commit -q -m one
make -s

# shown EXIT-CODE ARGUMENTS...: what it says is only on standard output.
shown() {
	run "$@" && [ ! -s "$scratch/err" ]
}

# ---- named as a whole -------------------------------------------------------------------------------

run 0 profile b -q && run 0 profile --label=other -q -- ./bench &&
	shown 0 show b && says " b/small" && says " b/big/one" && says "irdiff show 'b/*'" && ! says "sum"
verdict "show BENCH: its cases, and how to see one" $?
shown 0 show 'b/*' '^sum$' && [ "$(grep -c ' sum  ' "$scratch/out")" -eq 4 ] && says "b/taken" &&
	shown 0 show b --view=tree && [ "$(grep -c '^Profile\|^Paths' "$scratch/out")" -ge 4 ]
verdict "show 'BENCH/*', and BENCH with what is to be shown: each" $?
run 2 show b --format=json && says "such as b/big/one" && shown 0 show 'b/s*' --format=csv && run 2 flame b && says "name one of them: b/big/one, b/outer"
verdict "what requires one profile says which there are" $?

run 0 diff b other && says "other/taken" && says "other/big/one"
verdict "diff of two benchmarks: case by case" $?
run 2 diff b b/small && says "b has cases (big/one, outer, small, taken), but b/small is a single profile"
verdict "diff of cases with one profile" $?

run 0 baseline save mine b && says "b/small" && run 0 baseline show mine b && says "b/taken" &&
	run 0 diff --baseline=mine b && says "b/outer" && run 0 show baseline:mine/b && says "baseline:mine/b/small" &&
	run 0 diff baseline:mine/b b && run 0 report --baseline=mine b --format=text && says "b/outer" &&
	run 0 baseline rm mine b && run 0 baseline list && says "No baselines yet"
verdict "baselines of all cases of a benchmark" $?

# ---- limits, bisect ------------------------------------------------------------------------------------

sed -i 's/SIZE=100/SIZE=300/' Makefile
git commit -q -a -m two
run 0 compare HEAD~ -b b/small --check && run 1 compare HEAD~ -b b --check &&
	says "PASS        b/small" && says "REGRESSION  b/big/one" && says "Ir of sum limit +1k"
verdict "limits of cases: of the one whose pattern matches, also on functions" $?
run 0 baseline accept b --why=larger && says "Accepted b/big/one" && run 0 compare HEAD~ -b b --check
verdict "accept: of all cases of a benchmark" $?
rm irdiff-accepted.yml
sed -i 's/, "fn:^sum$": {Ir: "+1k"}//; s|case:big/\*|case:bih*|' irdiff.yml
run 2 compare HEAD~ -b b --check && says '"case:bih*" matches no case of b'
verdict "limits of cases: a pattern that matches none is said" $?
sed -i 's|case:bih\*|case:\\e[31mbih*|' irdiff.yml
run 2 compare HEAD~ -b b --check && says '"case:\x1b[31mbih*" matches no case of b'
verdict "… with what a terminal would act on escaped" $?
sed -i 's|case:[^"]*bih\*|case:big*|' irdiff.yml
run 0 compare HEAD~ -b b --check && ! says "matches no case"
verdict "limits of cases: they go before those of the benchmark" $?

run 2 profile b/smal && says "did you mean 'small'?" && run 2 compare HEAD~ -b b/smal && says "did you mean 'b/small'?" &&
	run 2 history b/smal && says "did you mean 'b/small'?"
verdict "a case that is not there: which may have been meant" $?
run 0 bisect b --good HEAD~ && says "b/big/one changed most of 4 cases" && says "two" &&
	run 2 bisect b/smal --good HEAD~ && says "did you mean 'b/small'?" &&
	run 2 bisect b --good HEAD --bad HEAD && says "no case of b changed between good and bad"
verdict "bisect BENCH: by the case that changed most" $?
sed -i 's/SIZE=300/SIZE=900/' Makefile
sed -i 's/irdiff_opaque(5)/irdiff_opaque(SIZE)/' bench.c
git commit -q -a -m both
run 0 bisect b --good HEAD~ && says "b/outer changed most" && says "This commit also changed other cases:" &&
	says "  b/big/one: " && ! says "  b/small: "
verdict "… which names the others" $?
sed 's/^    limits:/    tolerance: {Ir: 1M}\n&/' irdiff.yml >varying.yml && mv varying.yml irdiff.yml
run 2 bisect b --good HEAD~ && says "no case of b changed between good and bad" &&
	run 2 bisect b/outer --good HEAD~ && says "the tolerance in irdiff.yml is "
verdict "bisect: a difference within the tolerance is none" $?
git reset -q --hard HEAD~

# ---- cases that are lost ---------------------------------------------------------------------------------

sed -i 's/LOSES=0/LOSES=1/; s/SIZE=300/SIZE=310/' Makefile
git commit -q -a -m three
make -s -B
run 4 profile b && says "b/taken had not begun when it ended" && says "b/inner counted no instructions" &&
	says "b/outer had not begun when it ended" && [ -e profiles/b/small.callgrind ] &&
	[ ! -e profiles/b/taken.callgrind ] && [ -e profiles/b/taken.old.callgrind ] &&
	[ -e .irdiff/profiles/b/taken.old.callgrind ] && [ ! -e .irdiff/profiles/b/taken.callgrind ] &&
	says "b/taken: the previous profile is now b/taken.old" &&
	run 0 baseline save lost b && ! says "b/taken" && run 0 baseline rm lost
verdict "a case that counts nothing or has not begun is named, and the others are kept" $?
run 4 profile b -q -j2 && [ -e profiles/b/big/one.callgrind ] && run 0 profile b/small -q &&
	run 4 profile b/taken -q
verdict "the same of several jobs, and where it is not asked for" $?
run 4 compare HEAD~ -b b --check && says "PASS  b/small" && says "b/taken: could not be measured at" &&
	! says "REMOVED" && run 0 compare HEAD~ -b b/small --check
verdict "compare: the other cases are compared" $?
for profile in .irdiff/cache/b*@"$(git rev-parse --short=10 HEAD~)"*/profile.callgrind; do
	sed -i 's/^desc: irdiff.env.cpu: .*/desc: irdiff.env.cpu: another/' "$profile"
	cp "$profile" "${profile%/*}/lines.callgrind.zst"
	sum_up "${profile%/*}"
done
run 4 check HEAD~..HEAD -b b && says "measured in another environment; measuring it again" &&
	says "PASS  b/small" && ! says "b (" && ! says "different environments"
verdict "check: base is measured again, where head has lost a case" $?
run 0 verify b/small -n 2 --remedies=no && says "b/small: byte-equal" &&
	run 4 verify b/taken -n 2 && says "had not begun when it ended" && run 2 verify b/none -n 2 && says "unknown case"
verdict "verify BENCH/CASE: of this one alone" $?

# Names of cases often have brackets.
cat >index.c <<'EOF'
#include "irdiff.h"

int main(void)
{
	IRDIFF_CASE("a[1]")
		for (int i = 0; i < 10; i++)
			irdiff_keep(i);
	IRDIFF_CASE("a1")
		for (int i = 0; i < 100; i++)
			irdiff_keep(i);
	return 0;
}
EOF
$static -g -o index index.c
printf '  i:\n    command: ./index\n' >>irdiff.yml
run 0 profile 'i/a[1]' -q && [ "$(ls profiles/i | grep -c 'callgrind$')" -eq 1 ] &&
	run 0 verify 'i/a[1]' -n 2 && cp "$scratch/out" "$scratch/one" && run 0 verify i/a1 -n 2 &&
	! cmp -s "$scratch/one" "$scratch/out" && run 0 profile 'i/a[0-9]' -q && [ -e profiles/i/a1.callgrind ]
verdict "BENCH/CASE with brackets: the case of this name, and a pattern only if there is none" $?
git add index index.c irdiff.yml
git commit -q -m four

# Whatever cases are called, each has files of its own, below profiles/BENCH/.
cat >hostile.c <<'EOF'
#include <string.h>
#include "irdiff.h"

int main(void)
{
	static char longest[300];
	const char *names[] = { "x", "x/meta.json", "x/y", "x.callgrind", "x.callgrind/y", "x.callgrind.flat.txt/y",
				"../../up", "/top", "a//b", ".hidden", "-dash/ blank ", "50%", "50%25", "line\nend",
				"x.old", "x%2Fy", longest };
	memset(longest, 'l', sizeof longest - 1);
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
		irdiff_begin();
		for (unsigned k = 0; k < 1000 * (i + 1); k++)
			irdiff_keep(k);
		irdiff_end(names[i]);
	}
	return 0;
}
EOF
$static -g -O2 -o hostile hostile.c
cp irdiff.yml "$scratch/irdiff.yml"
printf '  h:\n    command: ./hostile\n' >>irdiff.yml
cases=17
# counts OPERAND: lists all cases, each with a count of its own.
counts() {
	run 0 show "$1" && sed -n 's/^ *\([0-9,]*\)  .*h\/.*/\1/p' "$scratch/out" >"$scratch/counts" &&
		[ "$(wc -l <"$scratch/counts")" -eq $cases ] && [ "$(sort -u "$scratch/counts" | wc -l)" -eq $cases ]
}
# files DIRECTORY: how many profiles are in it, and of how many cases that is one that was replaced.
files() {
	echo "$(find "$1" -type f -name '*.callgrind' | wc -l) $(find "$1" -type f -name '*.old.callgrind' | wc -l)"
}
run 0 profile h -q && run 0 profile h -q && counts h && [ "$(files profiles/h)" = "$((2 * cases)) $cases" ] &&
	[ -z "$(find "$scratch" -name '*up*.callgrind' ! -path '*/profiles/h/*')" ] &&
	[ -e profiles/h/x%2Ecallgrind/y.callgrind.flat.txt ] && [ -e .irdiff/profiles/h/x.callgrind/meta.json ] &&
	[ -e .irdiff/profiles/h/x/meta.json.callgrind/meta.json ]
verdict "names of cases that are no names of files" $?
run 0 diff h/x.callgrind/y.old h/x.callgrind/y && run 0 report h/x.callgrind/y -o "$scratch/report.html"
verdict "... are compared with what they replaced" $?
run 0 baseline save kept h && [ "$(files baselines/kept/h)" = "$cases 0" ] && counts baseline:kept/h &&
	run 0 baseline rm kept h/x.callgrind/y && [ ! -e baselines/kept/h/x%2Ecallgrind ] &&
	run 0 baseline rm kept && [ ! -e baselines/kept ]
verdict "... and are kept as a baseline, whose directories go with it" $?
cp profiles/h/x.callgrind profiles/h%2Fold.callgrind && ln -s .. profiles/h/up && counts h && run 2 show h%2Fold
verdict "... what older versions left is no label, and no link is followed" $?
rm -r profiles/h profiles/h%2Fold.callgrind && echo mine >profiles/h && run 2 profile h -q &&
	says "profiles/h: not a directory" && [ "$(cat profiles/h)" = mine ]
verdict "... a file in the way of their directory stays" $?
rm profiles/h
mv "$scratch/irdiff.yml" irdiff.yml
run 0 compare HEAD..HEAD -b 'i/a[1]' && says "i/a[1]" && ! says "i/a1" && run 0 compare HEAD..HEAD -b 'i/a[0-9]' &&
	says "i/a1"
verdict "… also where commits are compared" $?

run 0 profile --label='p[1]' -q -- ./index && run 0 show 'p[1]' && says " p[1]/a1" &&
	run 0 diff i 'p[1]' && says "p[1]/a1"
verdict "a benchmark with brackets is named as a whole" $?

sed 's/"a1"/"a2"/' index.c >other.c
$static -g -o index other.c
run 0 profile i -q && says "i/a1: the previous profile is now i/a1.old" && run 0 show i && says " i/a2" &&
	! says " i/a1"
verdict "cases that are gone are not taken for those of this run" $?
run 0 diff b.old b && says "b/small" && says "b/taken" && run 2 diff nothing b && says "nothing is neither a file nor"
verdict "BENCH.old: what the cases of the last run have replaced" $?

# ---- a forked process that is the one to measure -----------------------------------------------------------

cat >fork.c <<'EOF'
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "irdiff.h"

__attribute__((noinline)) int sum(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += irdiff_opaque(i) & 3;
	return s;
}

int main(int argc, char **argv)
{
	(void)argv;
	irdiff_keep(sum(10000));
	if ((argc == 1 ? fork() : (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)) == 0) {
		irdiff_keep(sum(2000000));
		_exit(0);
	}
	wait(NULL);
	return 0;
}
EOF
$static -g -O2 -o fork fork.c
run 0 profile --label=own --processes=one -- ./fork && run 0 profile --processes=each --label=each -- ./fork &&
	"$irdiff" show own --show=Ir >"$scratch/own" && "$irdiff" show 'each/fork#2' --show=Ir >"$scratch/each" &&
	[ "$(grep 'PROGRAM TOTALS\|:sum ' "$scratch/own")" = "$(grep 'PROGRAM TOTALS\|:sum ' "$scratch/each")" ]
verdict "a forked process that is chosen counts what it does itself" $?
run 0 profile --label=copy --processes=one -- ./fork clone && says "its counts begin with a copy of its parent's" &&
	run 0 profile --label=copy -- ./fork clone && says "their counts begin with a copy of their parent's and are left out"
verdict "where that cannot be told apart it is said" $?
cat >fails.c <<'EOF'
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int ran = open("ran", O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (write(ran, "once\n", 5) == 5 && fork() == 0) {
		for (volatile int i = 0; i < 1000000; i++)
			;
		_exit(0);
	}
	wait(NULL);
	return 1;
}
EOF
$static -g -o fails fails.c
run 3 profile --label=fails -- ./fails && [ "$(cat ran)" = once ]
verdict "a benchmark that fails is not run again for what it has forked" $?

# ---- a base that is measured again, and has one case less ---------------------------------------------------

mkdir "$scratch/again" && cd "$scratch/again" || exit 1
git init -q .
cp "$source_dir/src/client/irdiff.h" .
cat >again.c <<'EOF'
#include <unistd.h>
#include "irdiff.h"

int main(void)
{
	IRDIFF_CASE("stays")
		irdiff_keep(1);
	if (access(FLAG, F_OK) != 0)
		irdiff_begin();
	for (volatile int i = 0; i < 10000; i++)
		;
	irdiff_end("goes");
	return 0;
}
EOF
cat >irdiff.yml <<EOF
build: $static -g -DFLAG="\\"$scratch/flag\\"" -o again again.c
benchmarks:
  b: {command: ./again}
EOF
printf 'again\n' >.gitignore
git add -A
git commit -q -m one
sed -i 's/i < 10000/i < 10001/' again.c
git commit -q -a -m two
run 0 check HEAD~..HEAD && says "PASS  b/goes"
verdict "a benchmark with two cases" $?
touch "$scratch/flag"
for profile in .irdiff/cache/b*@"$(git rev-parse --short=10 HEAD~)"*/profile.callgrind; do
	sed -i 's/^desc: irdiff.env.cpu: .*/desc: irdiff.env.cpu: another/' "$profile"
	cp "$profile" "${profile%/*}/lines.callgrind.zst"
	sum_up "${profile%/*}"
done
run 4 check HEAD~..HEAD && says "measured in another environment; measuring it again" && says "b/stays@" && says "%  PASS" &&
	says "b/goes: could not be measured at" && ! says "different environments" && ! says "NOT COMPARABLE"
verdict "… of which one is lost when it is measured again: that is said" $?

[ "$failures" -eq 0 ]
