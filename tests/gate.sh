#!/bin/sh
# Usage: tests/gate.sh
#
# Ways past `irdiff check` that must not exist: what is measured no more, what is compared with itself,
# rules that a change bends for itself, and reports of another run.
set -u
. "$(dirname "$0")/repository.sh"

# benchmarks LINES...: commits an irdiff.yml with them.
benchmarks() {
	{
		echo "build: {command: '$static -g -O1 -o work \"\$PWD/work.c\"', shell: true}"
		printf 'benchmarks:\n'
		printf '  %s\n' "$@"
	} >irdiff.yml
	git add -A
	git commit -qm "${subject:-Change}"
}

# What the last run has left for `irdiff comment`.
left() {
	grep -qF "$1" .irdiff/last/report.md
}

make_lean
mkdir -p "$scratch/one" "$scratch/quick"
cd "$scratch/one"
git init -q .
# What fails is measured in a moment.
echo 'int main(void) { return 1; }' | $static -s -x c -o "$scratch/quick/false" -
PATH=$scratch/quick:$PATH
cat >work.c <<-'END'
	#include <stdio.h>
	#include <stdlib.h>

	__attribute__((noinline)) static unsigned scan(unsigned n)
	{
		unsigned sum = 0;
		for (unsigned i = 0; i < n; i++)
			sum = sum * 31 + i;
		return sum;
	}

	int main(int argc, char **argv)
	{
		printf("%u\n", scan(argc > 1 ? atoi(argv[1]) : 100));
		return 0;
	}
END
printf 'work\n.irdiff/\n' >.gitignore
benchmarks 'short: {command: ./work 10000, limits: {"fn:^scan$": {Ir: +1%}}}' 'long: {command: ./work 50000}'

# ---- what head lacks ----

benchmarks 'long: {command: ./work 50000}' 'brief: {command: ./work 10050}'
run 1 check HEAD~1..HEAD
verdict "a benchmark that was deleted from irdiff.yml fails the gate" $?
grep -qE 'MISSING IN HEAD +short' "$scratch/out" && grep -qE 'PASS(, measured earlier)? +brief' "$scratch/out"
verdict "… as missing" $?
says 'brief is new (' && says 'may have replaced it'
verdict "… which may have replaced it" $?
left 'MISSING IN HEAD'
verdict "… as the comment says" $?
run 0 check HEAD~1..HEAD --allow-removed
verdict "unless that is allowed" $?
grep -qE 'REMOVED +short' "$scratch/out"
verdict "… and shown" $?
run 0 check HEAD~1..HEAD -b long
verdict "what was not asked for is not missed" $?
run 1 check HEAD~1..HEAD --format=junit && says '<failure message="' && says 'missing in head'
verdict "JUnit has it as a failure" $?
run 0 baseline accept short --why='brief does it'
verdict "it can be accepted" $?
run 0 check HEAD~1..HEAD && says 'accepted'
verdict "… for this transition" $?
rm irdiff-accepted.yml

run 1 check HEAD~1..HEAD --shard=1/2 --results="$scratch/r1"

run 1 check HEAD~1..HEAD --shard=2/2 --results="$scratch/r2"
run 1 merge "$scratch/r1" "$scratch/r2" && grep -qE 'MISSING IN HEAD +short' "$scratch/out"
verdict "shards know it as well" $?
for file in "$scratch"/r?/long@*/lines.callgrind.zst; do
	truncate -s 100 "$file"
done
run 2 merge "$scratch/r1" "$scratch/r2" && says 'its lines.callgrind.zst does not match its checksum; copy the results once more'
verdict "… and damaged ones are refused" $?
git checkout -q HEAD~1
run 0 baseline save old --commit=HEAD
git checkout -q -
run 1 check --baseline=old --shard=1/2 --results="$scratch/r1"
run 1 check --baseline=old --shard=2/2 --results="$scratch/r2"
run 1 merge "$scratch/r1" "$scratch/r2" && grep -qE 'MISSING IN HEAD +short' "$scratch/out"
verdict "… also of what only a baseline has" $?
rm -r baselines

benchmarks 'a: {command: "false"}' 'b: {command: "false"}' 'c: {command: "false"}' 'd: {command: "false"}' 'long: {command: ./work 50000}'
benchmarks 'long: {command: ./work 50000}'
run 0 check HEAD~1..HEAD --allow-removed --shard=1/2 && run 0 check HEAD~1..HEAD --allow-removed --shard=2/2
verdict "what cannot even be measured at base may be removed, in any shard" $?

sed -i 's/scan/skim/g' work.c
benchmarks 'short: {command: ./work 10000, limits: {"fn:^scan$": {Ir: +1%}}}'
subject='Measure again' benchmarks 'short: {command: ./work 10000, limits: {"fn:^scan$": {Ir: +1%}}}' 'more: {command: ./work 5}'
run 1 check HEAD~1..HEAD && says 'no match' && grep -qE 'LIMIT NOT JUDGED(, measured earlier)? +short' "$scratch/out"
verdict "a limit that matches no function fails" $?
sed -i 's/^benchmarks/limits: {"fn:^scan$": {Ir: +1%}}\n&/; s/, limits: {"fn:^scan$": {Ir: +1%}}//' irdiff.yml
git commit -qam 'General'
run 1 check HEAD~1..HEAD && says 'no match'
verdict "… also a general one, if it matches in no benchmark" $?
run 0 check HEAD~1..HEAD -b short && says 'matches no function'
verdict "… but not while some benchmarks are looked at" $?
run 0 check HEAD~1..HEAD -b short -b more --results="$scratch/r1" && run 0 merge "$scratch/r1"
verdict "… and no more when these are merged" $?
sed -i 's/scan/main/' irdiff.yml
git commit -qam 'Another function'
run 0 check HEAD~1..HEAD
verdict "… and not if it matches in one" $?

# ---- nothing is compared ----

run 2 check HEAD..HEAD && says 'the same commit'
verdict "a commit is not judged against itself" $?
left 'exit code 2'
verdict "… and the report of that run says that it failed" $?
run 2 check HEAD..HEAD --bench='hots*' && says "unknown benchmark 'hots*'"
verdict "… but a misspelt benchmark is reported first" $?
run 2 check .. && says 'the same commit'
verdict "… nor by an empty range" $?
run 2 check HEAD && says 'the same commit'
verdict "… nor by the work tree, without changes" $?
echo >left-by-a-job
run 0 check && says 'base  HEAD~1'
verdict "files that git does not know are no change to be judged against HEAD" $?
rm left-by-a-job
git branch same HEAD~1
run 0 check same..HEAD
verdict "two commits of different files are" $?

# ---- rules that are bent ----

benchmarks 'long: {command: ./work 50000, limits: {Ir: +1%}}'
sed -i 's/sum \* 31 + i/sum * 31 + i % 7/' work.c
benchmarks 'long: {command: ./work 50000, limits: {Ir: +500%}, tolerance: {Ir: 50%}}'
run 0 check HEAD~1..HEAD
says 'Head changes the rules of long in irdiff.yml: the limit on Ir was +1% and is +500%; the tolerance on Ir was none and is 50%'
verdict "limits and tolerances that head changes are said" $?
left 'Head changes the rules of long'
verdict "… in the comment" $?
for format in json junit github html; do
	run 0 check HEAD~1..HEAD --format=$format -o "$scratch/report" && grep -q 'Head changes the rules of long' "$scratch/report"
	verdict "… and as $format" $?
done
run 0 check HEAD~1..HEAD --results="$scratch/r1" && run 0 merge "$scratch/r1" && left 'Head changes the rules of long'
verdict "… and by merge" $?
benchmarks 'long: {command: ./work 5, limits: {Ir: +500%}, tolerance: {Ir: 50%}}'
run 0 check HEAD~1..HEAD && says 'the benchmark is defined differently (command was "./work 50000" and is "./work 5")'
verdict "another definition is said as well" $?
run 0 compare HEAD~1..HEAD && says 'Head changes long in irdiff.yml: the benchmark is defined differently' && ! says 'the rules'
verdict "… also where nothing is judged" $?
git rm -q irdiff.yml && git commit -qm 'No rules'
run 2 check HEAD~1..HEAD && ! says PASS
verdict "no irdiff.yml is no PASS" $?
git reset -q --hard HEAD~1

# ---- what the history keeps ----

sed 's/sum \* 31/sum * 31 ^ sum >> 3/' work.c >"$scratch/other.c"
$static -g -O1 -o work "$scratch/other.c"
run 0 history --format=json long && cp "$scratch/out" "$scratch/history.json"
run 0 profile long && says "in irdiff's own build at the same commit" && says 'the history keeps that count'
verdict "a build of the work tree that counts otherwise than that of its commit is said to be stale" $?
run 0 history --format=json long && cmp -s "$scratch/out" "$scratch/history.json"
verdict "… and does not replace its row of the history" $?
$static -g -O1 -o work "$PWD/work.c"
sed -i 's/: 100)/: 101)/' work.c
sed -i '/^build:/d' irdiff.yml
git commit -qam 'Commit what is not built'
run 0 profile long && says 'long: the program is older than work.c; build first. ' && says 'not added to the history'
verdict "a program that is older than its source is said to be" $?
run 0 history --format=json long && ! says "$(git rev-parse HEAD)"
verdict "… and is no count of the commit" $?
$static -g -O1 -o work "$PWD/work.c"
run 0 profile long && ! says 'the program is older' && run 0 history --format=json long && says "$(git rev-parse HEAD)"
verdict "… until it is built" $?
git checkout -q HEAD~1 -- irdiff.yml && git commit -qm 'Commit what irdiff builds'
run 0 profile long && run 0 history --format=json long && ! says "$(git rev-parse HEAD)"
verdict "… where irdiff cannot build it itself" $?
git reset -q --hard HEAD~1
git reset -q --hard HEAD~1

# ---- counts that chance may decide ----

# What calls a C library of its own is not seen to read the clock.
saved=$static static=$lean
cp work.c "$scratch/work.c"
sed -i 's/return 0;/return clock() == (clock_t)-2;/; s/scan([0-9a-z() >?:[\]]*)/&/; 1i #include <time.h>' work.c
benchmarks 'long: {command: ./work 50000}'
sed -i 's/i % 7/i % 7 % 5/' work.c
benchmarks 'long: {command: ./work 50000}'
run 1 check HEAD~1..HEAD && says 'measuring it once more' && says 'REGRESSION'
verdict "a program that reads the clock and counts the same is judged" $?
! says 'by chance, ' && ! left 'by chance'
verdict "… without doubts" $?
run 1 check HEAD~1..HEAD && ! says 'measuring it once more' && says 'REGRESSION' && ! left 'by chance'
verdict "… and not measured a third time" $?
# It does more in each run, as the clock might tell it.
sed -i "s/i % 7 % 5/i % 7/; s|return clock() == (clock_t)-2;|FILE *runs = fopen(\"$scratch/runs\", \"a\"); fputc(1, runs); return skim(ftell(runs) * 30000 + (clock() == (clock_t)-2)) == 1;|" work.c
benchmarks 'long: {command: ./work 50000}'
sed -i 's/i % 7/i % 7 % 5/' work.c
benchmarks 'long: {command: ./work 50000}'
run 4 check HEAD~1..HEAD && says 'INCONCLUSIVE' && says 'measured twice' && says 'irdiff verify'
verdict "one that counts otherwise each time is inconclusive" $?
! says 'not deterministic (try'
verdict "… and no count that is measured once more is said to be stale" $?
run 4 check HEAD~1..HEAD --results=shard && run 4 merge shard && says 'INCONCLUSIVE' && says 'measured twice' && ! says PASS
verdict "… also where its results are merged" $?
sed -i 's/i % 7 % 5/i % 7/; s/ftell(runs) \* 30000/ftell(runs) % 10/' work.c
benchmarks 'long: {command: ./work 50000}'
sed -i 's/i % 7/i % 7 % 5/' work.c
benchmarks 'long: {command: ./work 50000}'
run 1 check HEAD~1..HEAD && says 'REGRESSION' && ! says 'INCONCLUSIVE'
verdict "… but not if a limit is exceeded by far more than its counts differ" $?
static=$saved
cp "$scratch/work.c" work.c
benchmarks 'long: {command: ./work 50000, limits: {Ir: +500%}}'
sed -i 's/i % 7/i % 7 % 5/' work.c
git commit -qam 'More'

# ---- sources that a commit puts into its base ----

benchmarks 'long: {command: ./work 50000}'
sed -i 's/sum \* 31/sum * 31 + i * i + i \/ 3/' work.c
sed -i '1i copy: [work.c]' irdiff.yml
git commit -qam 'Copied'
run 1 check HEAD~1..HEAD && says 'REGRESSION' && says 'but HEAD~1 has its own, which is kept'
verdict "copy: replaces no file of base" $?
git replace HEAD~1 HEAD
run 1 check HEAD~1..HEAD && says 'REGRESSION'
verdict "… nor does git replace" $?
git replace -d HEAD~1 >/dev/null
run 1 check HEAD~1..HEAD
says 'copy: was none and is "work.c"'
verdict "… and that head names one is said" $?
git reset -q --hard HEAD~1

# ---- measurements that a commit brings along ----

git add -f .irdiff/cache
git commit -qm 'A cache'
run 2 check HEAD~1..HEAD && says 'tracked by git, so' && ! says PASS
verdict "a cache in the repository is not used" $?
git reset -q --hard HEAD~1

# ---- limits that only one of two measurements breaks ----

mkdir "$scratch/luck"
cd "$scratch/luck"
git init -q .
cat >work.c <<-'END'
	#include <stdio.h>
	#include <time.h>

	int main(void)
	{
		volatile unsigned sum = 0;
		unsigned n = 100000;
	#ifdef HEAD
		if (!fopen(HEAD, "r") && fopen(HEAD, "w"))
			n += 50000;
	#endif
		for (unsigned i = 0; i < n; i++)
			sum += i;
		return clock() == (clock_t)-2;
	}
END
printf 'work\n.irdiff/\n' >.gitignore
saved=$static static=$lean
benchmarks 'long: {command: ./work}'
sed -i "1i #define HEAD \"$scratch/again\"" work.c
subject=Head benchmarks 'long: {command: ./work}'
run 4 check HEAD~1..HEAD && says 'measured twice, head counted' && says INCONCLUSIVE && left 'INCONCLUSIVE'
verdict "a limit that holds only the second time is inconclusive" $?
run 4 check HEAD~1..HEAD && ! says 'measuring it once more' && says 'measured twice, head counted' && says INCONCLUSIVE
verdict "… and stays so" $?
echo more >README && git add README && git commit -qm "Docs"
run 4 check HEAD~2..HEAD && says INCONCLUSIVE
verdict "… also for a commit that need not run" $?
git reset -q --hard HEAD~1
git tag head && git checkout -qb other HEAD~1
echo more >README && git add README && git commit -qm "Docs" && git cherry-pick head >/dev/null
run 4 check HEAD~1..HEAD && says INCONCLUSIVE && ! says 'measuring it once more'
verdict "… also after a rebase onto one" $?
git checkout -q -
run 4 check HEAD~1..HEAD && says INCONCLUSIVE && run 0 check HEAD~1..HEAD --limit Ir=+90% && says PASS
verdict "… but not by other limits" $?
run 4 check HEAD~1..HEAD --results="$scratch/anew" && run 0 check HEAD~1..HEAD --fresh --results="$scratch/anew" && says PASS
verdict "… until it is measured anew" $?
run 0 merge "$scratch/anew" && run 0 check HEAD~1..HEAD && says PASS
verdict "… also where results replace older ones" $?
# Both do the same, but head the first time.
sed -i "s|/again\"|/other\"|" work.c && touch "$scratch/other" && git commit -qam "Base"
sed -i "s|/other\"|/first\"|" work.c && git commit -qam "Head"
run 4 check HEAD~1..HEAD && run 4 check HEAD~1..HEAD && says ' 0%  INCONCLUSIVE' && says 'measured twice, head counted'
verdict "… even if both count the same then" $?
# Both benchmarks break their limits the first time. The second one waits in the second run, in which
# the check is killed.
cat >work.c <<-END
	#include <stdio.h>
	#include <time.h>
	#include <unistd.h>
	#define SIDE "base"

	int main(int argc, char **argv)
	{
		FILE *runs = fopen(argc > 1 ? "$scratch/slow-" SIDE : "$scratch/quick-" SIDE, "a");
		fputc(1, runs);
		long odd = SIDE[0] == 'h' ? ftell(runs) : 0;
		fclose(runs);
		if (argc > 1 && odd == 2) {
			fclose(fopen("$scratch/waits", "w"));
			for (int i = 0; i < 100 && access("$scratch/goes-on", F_OK) != 0; i++)
				sleep(1);
		}
		for (volatile long i = 0; i < 100000 + (odd == 1) * 50000; i++)
			;
		return clock() == (clock_t)-2;
	}
END
benchmarks 'long: {command: ./work}' 'slow: {command: ./work x}'
sed -i 's/SIDE "base"/SIDE "head"/' work.c && git commit -qam Head
"$irdiff" check HEAD~1..HEAD >"$scratch/interrupted" 2>&1 &
pid=$!
tries=600
until [ -e "$scratch/waits" ] || [ $((tries -= 1)) -eq 0 ]; do sleep 0.1; done
kill -KILL $pid
touch "$scratch/goes-on"
wait $pid
[ $? -eq 137 ] && run 4 check HEAD~1..HEAD -b long && ! says 'measuring it once more' && says INCONCLUSIVE
verdict "… even if the check is killed that measures twice" $?
# Of two cases, the first breaks its limit the first time, and the second the second time.
cp "$source_dir/src/client/irdiff.h" .
cat >work.c <<-END
	#include <stdio.h>
	#include <time.h>
	#include "irdiff.h"
	#define SIDE "base"

	static void count(long n)
	{
		for (volatile long i = 0; i < n; i++)
			;
	}

	int main(void)
	{
		FILE *runs = fopen("$scratch/runs-" SIDE, "a");
		fputc(1, runs);
		long odd = SIDE[0] == 'h' ? ftell(runs) : 0;
		IRDIFF_CASE("a")
			count(100000 + (odd == 1) * 50000 + (clock() == (clock_t)-2));
		IRDIFF_CASE("b")
			count(100000 + (odd == 2) * 50000 + (clock() == (clock_t)-2));
		IRDIFF_CASE("c")
			count(100000 + (odd == 2) * 5 + (clock() == (clock_t)-2));
		IRDIFF_CASE("d") /* which does not seem to be a matter of chance */
			count(100000 + (odd == 1) * 50000);
		IRDIFF_CASE("e")
			count(100000 + (odd == 2) * 50000);
		return 0;
	}
END
printf 'shard\n' >>.gitignore
benchmarks 'long: {command: ./work, cases: irdiff}'
sed -i 's/SIDE "base"/SIDE "head"/' work.c
benchmarks 'long: {command: ./work, cases: irdiff}'
judged() { [ "$(grep -cE '(INCONCLUSIVE[a-z, ]* long/[abde]|PASS[a-z, ]* long/c)$' "$scratch/out")" = 5 ]; }
judged_case() { grep -qE "INCONCLUSIVE[a-z, ]* long/$1\$" "$scratch/out"; }
# judged_alike WHAT: by the check that measures twice, the next one, and whoever merges the results.
judged_alike() {
	run 4 check HEAD~1..HEAD --results=shard && judged
	verdict "$1" $?
	run 4 check HEAD~1..HEAD && ! says 'measuring it once more' && judged
	verdict "… which stays so" $?
	run 4 merge shard && judged
	verdict "… also where its results are merged" $?
}
judged_alike "… or if another case breaks its limit then"
run 4 check HEAD~1..HEAD && ! says 'measuring it once more' && judged
verdict "… and in the check after that" $?
# What one case has counted first is lost, so that all are measured a third time.
rm .irdiff/cache/long%2Fb@*/counted_before.txt
run 4 check HEAD~1..HEAD && says 'measuring it once more' && judged
verdict "… or where another case has it measured a third time" $?
run 4 check HEAD~1..HEAD && ! says 'measuring it once more' && judged
verdict "… which stays so, too" $?
# The first case breaks its limit the first and the third time, and the second case the second time.
sed -i 's/odd == 1) \* 50000 + /odd % 2) * 50000 + /; s/SIDE "head"/SIDE "base"/' work.c
rm -f "$scratch"/runs-*
benchmarks 'long: {command: ./work, cases: irdiff}'
sed -i 's/SIDE "base"/SIDE "head"/' work.c && git commit -qam 'Head'
run 4 check HEAD~1..HEAD -b long/a && run 4 check HEAD~1..HEAD && says 'measuring it once more' && judged_case a
verdict "what holds the second of three times is not said to break its limit each time" $?
run 4 check HEAD~1..HEAD && ! says 'measuring it once more' && judged_case a
verdict "… also later" $?
# The same of cases that are not compared each time.
rm -f "$scratch"/runs-*
sed -i '$a /* again */' work.c && sed -i 's/SIDE "head"/SIDE "base"/; s/odd % 2)/odd == 1)/' work.c && git commit -qam 'Base'
sed -i 's/SIDE "base"/SIDE "head"/' work.c && git commit -qam 'Head'
run 4 check HEAD~1..HEAD -b long/a && run 4 check HEAD~1..HEAD -b long/b && says 'measuring it once more'
run 4 check HEAD~1..HEAD -b long/a && ! says 'measuring it once more' && says INCONCLUSIVE
verdict "… nor if it was measured a third time for a case that was compared alone" $?
sed -i 's/odd == 1) \* 50000 + /odd % 2) * 50000 + /' work.c
# Base counts a little more each time it is measured.
sed -i "s/'h' ? ftell(runs) : 0/'h' ? ftell(runs) : ftell(runs) * 10 + 100/; s/odd % 2)/odd == 1)/" work.c
sed -i 's/count(1/count(odd \/ 100 * odd + 1/; s/SIDE "head"/SIDE "base"/' work.c
rm -f "$scratch"/runs-*
benchmarks 'long: {command: ./work, cases: irdiff}'
sed -i 's/SIDE "base"/SIDE "head"/' work.c && git commit -qam 'Head'
run 4 check HEAD~1..HEAD -b long/a && says INCONCLUSIVE && run 0 check HEAD~2..HEAD~1 -b long/a --fresh
run 4 check HEAD~1..HEAD -b long/a && says INCONCLUSIVE && ! says 'measuring it once more'
verdict "what head counted first is known although base is measured anew" $?
sed -i "s/'h' ? ftell(runs) : ftell(runs) \* 10 + 100/'h' ? ftell(runs) : 0/" work.c
# Only the first case has a limit without a tolerance, and the fourth breaks its own one.
sed -i 's/SIDE "head"/SIDE "base"/' work.c
rm -f "$scratch"/runs-*
benchmarks 'long: {command: ./work, cases: irdiff, tolerance: {Ir: 2%}, limits: {Ir: +1%, "case:a": {Ir: +90%, Dr: +1%}, "case:[be]": {Ir: +90%}}}'
sed -i 's/SIDE "base"/SIDE "head"/' work.c && git commit -qam 'Head'
run 4 check HEAD~1..HEAD --results=shard && judged_case d && run 4 merge shard && judged_case d
verdict "a tolerance that is exceeded once is inconclusive if it was measured twice for another case" $?
run 4 check HEAD~1..HEAD && judged_case d && run 4 check HEAD~1..HEAD -b long/d
verdict "… also later" $?
sed -i 's/Ir: 2%/Ir: 90%/' irdiff.yml && git commit -qam 'Tolerate more'
run 0 check HEAD~2..HEAD -b long/d && says PASS
verdict "… but not with another tolerance" $?
# The fourth is new and has a ceiling, which it breaks the first time.
sed -i 's|IRDIFF_CASE("d").*|if (SIDE[0] == 0x68) IRDIFF_CASE("d")|; s/SIDE "head"/SIDE "base"/' work.c
rm -f "$scratch"/runs-*
benchmarks 'long: {command: ./work, cases: irdiff, limits: {"case:d": {Ir: 700k}}}'
sed -i 's/SIDE "base"/SIDE "head"/' work.c && git commit -qam 'Head'
judged() { grep -q ' INCONCLUSIVE[a-z, ]* long/d$' "$scratch/out" && says 'long/d: Counts vary by chance; measured twice, head counted'; }
judged_alike "a ceiling that what is new breaks only the first time is inconclusive"
static=$saved
cd "$scratch/one"

# ---- instructions alone ----

run 0 check HEAD~1..HEAD -q --format=json && grep -q '"D1mr":' "$scratch/out"
verdict "caches are simulated" $?
sed -i '/^build/!s/{command: /{cache_sim: false, command: /' irdiff.yml && git commit -qam 'Instructions alone'
run 0 check HEAD~1..HEAD -q --format=json && ! grep -q '"D1mr":' "$scratch/out" && grep -q '"name":"Ir"' "$scratch/out"
verdict "… unless the benchmark says no" $?
run 2 check HEAD~1..HEAD --limit 'EstCycles=+1%' && says 'does not count; cache_sim: true in the benchmark counts it'
verdict "… which leaves nothing to limit" $?
git reset -q --hard HEAD~1

# ---- reports of another run ----

run 0 check HEAD~1..HEAD && left 'PASS'
verdict "a run leaves its report" $?
sed -i 's/int main/int broken main/' work.c
git commit -qam 'Does not build'
run 3 check HEAD~1..HEAD
verdict "a build that fails" $?
! left 'PASS' && left 'FAILED' && left 'could not be measured at'
verdict "… leaves a report that says so, and none of another run" $?
run 2 baseline accept --why=x && says 'no verdicts of a check that finished'
verdict "… and no verdicts" $?
git reset -q --hard HEAD~1
for command in 'check --no-such-option' 'check --top=few' 'compare HEAD~1 HEAD' 'compare --format=github --views=causes'; do
	run 0 check HEAD~1..HEAD && left PASS && run 2 $command && run 2 comment --service=github --dry-run &&
		says "last command line was wrong" && [ ! -e .irdiff/last/report.md ]
	verdict "a wrong command line, $command, is no result, and nothing is commented" $?
done
run 0 check HEAD~1..HEAD && run 0 check --help && left PASS
verdict "help is no run" $?
run 0 check HEAD~1..HEAD && PATH=/nowhere run 2 check nonsense && ! left 'PASS'
verdict "a commit that does not exist leaves no report of another run" $?

[ "$failures" -eq 0 ]
