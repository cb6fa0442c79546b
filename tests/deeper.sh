#!/bin/sh
# Usage: tests/deeper.sh
#
# An interpreter is measured without contexts, and again with contexts if its causes would be
# estimates. What is an interpreter is known by its name, so ours is a small program of that name,
# and Python, if it is there.
set -u
. "$(dirname "$0")/repository.sh"
needs valgrind

said_again='another run of base and head, which records 10 callers of each call'

# how_often TEXT: in how many lines irdiff said it.
how_often() {
	cat "$scratch/out" "$scratch/err" | tr '\n' ' ' | grep -oF -- "$1" | wc -l
}

# ~ is in a cause.
is_estimated() {
	sed -n '/^Causes/,/^$/p' "$scratch/out" | grep -q ', ~[+-]'
}

is_exact() {
	grep -q '^Causes' "$scratch/out" && ! is_estimated
}

# One of two callers does more: what `step` costs for whom is only known with contexts. The clock adds less than
# that, so what changed stays the same.
mkdir "$scratch/project" && cd "$scratch/project" && git init -q .
cat >work.c <<-'END'
	#include <stdlib.h>
	#include <time.h>

	static volatile unsigned sink;

	__attribute__((noinline)) void spin(unsigned n)
	{
		for (unsigned i = 0; i < n; i++)
			sink += i;
	}

	__attribute__((noinline)) void step(unsigned n)
	{
		spin(n);
		sink++;
	}

	__attribute__((noinline)) void parse(unsigned n)
	{
		for (unsigned i = 0; i < PARSED; i++)
			step(n);
	}

	__attribute__((noinline)) void render(void)
	{
		for (unsigned i = 0; i < 500; i++)
			step(5);
	}

	int main(int argc, char **argv)
	{
		struct timespec now;

		parse(argc > 1 ? (unsigned)atoi(argv[1]) : 1);
		render();
		if (argc > 2 && !clock_gettime(CLOCK_MONOTONIC, &now))
			spin((unsigned)(now.tv_nsec % 1000));
		return 0;
	}
END
cat >irdiff.yml <<-END
	build: {command: "$static -g -O1 -DPARSED=\$(cat parsed) -o guile \$PWD/work.c", shell: true}
	benchmarks:
	  deep: {command: ./guile 100}
	  too: {command: ./guile 120}
	  chosen: {command: ./guile 100, depth: 0}
	  vague: {command: ./guile 100 clock}
	limits: {Ir: "+5%"}
END
echo guile >.gitignore
echo 100 >parsed
git add -A
git commit -qm "First"
echo 150 >parsed
git commit -qam "Parse more"
echo >>work.c
git commit -qam "Change nothing"

# ---- a change ----

run 0 compare HEAD~2..HEAD~1 -b deep
verdict "a change is measured again" $?
[ "$(how_often "irdiff: deep: estimates make up")" -eq 1 ] && says "$said_again" &&
	says "(depth: in irdiff.yml prevents that)"
verdict "… which is said once, and why" $?
is_exact
verdict "… so no cause is an estimate" $?
grep -qE 'parse → step: 100 → 150 calls, [+][0-9,]+ \((9[0-9]\.[0-9]|100)%\)' "$scratch/out"
verdict "… and the first one is the caller that does more" $?
change=$(grep -E '^deep@' "$scratch/out" | sed 's/^[^:]*//')

run 0 compare HEAD~2..HEAD~1 -b deep --format=html -o page.html &&
	says "$said_again" && grep -q '"code":{"base":{"executed":[1-9]' page.html
verdict "… also on a page, with its machine code" $?
grep -q '"history":{' page.html
verdict "… and with the history" $?

run 0 compare HEAD~2..HEAD~1 -b chosen
! says "$said_again" && is_estimated
verdict "depth: in irdiff.yml prevents that, and leaves estimates" $?
says 'parse → step: 100 → 150 calls, ~'
verdict "… but numbers of calls are exact there" $?
[ -n "$change" ] && [ "$change" = "$(grep -E '^chosen@' "$scratch/out" | sed 's/^[^:]*//')" ]
verdict "… of the same counts, with the same verdict" $?

stamps() {
	(cd .irdiff/cache && find . -name meta.json -exec stat -c '%n %i' {} + | sort)
}
before=$(stamps)
run 0 compare HEAD~2..HEAD~1 -b deep && is_exact && [ "$before" = "$(stamps)" ]
verdict "what was measured is not measured again" $?
grep -q "^deep@$(git rev-parse --short=10 HEAD~): " "$scratch/out"
verdict "… and is called by its short name" $?
run 0 history deep && says "Ir of 2 commits" && ! says "another definition"
verdict "the history has each commit once" $?

# Base with callers is of another environment than head, which is measured now.
for entry in .irdiff/cache/deep@"$(git rev-parse --short=10 HEAD~2)"*; do
	grep -q '^desc: irdiff.env.depth: 10' "$entry/profile.callgrind" || continue
	of_another_cpu "$entry"
	other=$entry
done
for entry in .irdiff/cache/deep@"$(git rev-parse --short=10 HEAD~)"*; do
	! grep -q '^desc: irdiff.env.depth: 10' "$entry/profile.callgrind" || rm -r "$entry"
done
run 1 check HEAD~2..HEAD~1 -b deep && ! says "different environments" && is_exact &&
	! grep -q 'env.cpu: another' "$other/profile.callgrind"
verdict "what was measured in another environment is measured again" $?

# ---- no reason to ----

run 0 compare HEAD~1..HEAD -b deep && says NEUTRAL && ! says "$said_again"
verdict "no change: not measured again" $?
git checkout -qb little HEAD~2
sed -i 's/i < 500/i < 505/' work.c
git commit -qam "Render a little more"
run 0 compare HEAD~..HEAD -b deep
grep -q '^deep@.* Ir  [+]0\.[1-4]' "$scratch/out" && is_estimated && ! says "$said_again"
verdict "a change by less than 0.5 %: not measured again" $?
run 1 check HEAD~..HEAD -b deep --limit=Ir=+0 && says "$said_again"
verdict "… unless a limit fails" $?
git checkout -q -
run 0 baseline save old deep --commit=HEAD~2 && run 1 check --baseline=old -b deep && ! says "$said_again"
verdict "a baseline is not measured again" $?

# ---- counts that do not repeat ----

run 0 compare HEAD~2..HEAD~1 -b vague
says "$said_again" && says "vague counted something else in that run, so its causes remain estimates"
verdict "other counts are not taken" $?
is_estimated
verdict "… so the causes are estimates" $?

cp "$scratch/out" "$scratch/report"
run 0 show "vague@$(git rev-parse --short=10 HEAD~)" &&
	grep -q "→ $(sed -n '1s/^[^:]*: \([0-9,]*\) Ir.*/\1/p' "$scratch/out") Ir" "$scratch/report"
verdict "… and the names in the report are of the first run" $?

# ---- check, several at a time ----

run 1 check HEAD~2..HEAD~1 -b deep -b too --fresh -j2 --format=json
verdict "check fails as it does without" $?
[ "$(how_often "$said_again")" -eq 2 ]
verdict "… after both were measured again" $?
[ "$(grep -o '"causes":{"exact":true' "$scratch/out" | wc -l)" -eq 2 ]
verdict "… and no cause is an estimate" $?

# ---- bisect, a command ----

run 0 bisect deep --good=HEAD~2 --bad=HEAD
says "$said_again" && is_exact && says 'parse → step: 100 → 150 calls'
verdict "bisect shows such causes, too" $?
run 0 compare HEAD~2..HEAD~1 -- ./guile 90 && says "(--depth prevents that)" && is_exact
verdict "a command is measured again" $?
run 0 compare HEAD~2..HEAD~1 --depth=1 -- ./guile 80 && ! says "$said_again"
verdict "… and --depth prevents that" $?

# ---- Python ----

if has /usr/bin/python3 "Python"; then
	mkdir "$scratch/python" && cd "$scratch/python" && git init -q .
	cat >irdiff.yml <<-END
		benchmarks:
		  sum:
		    command: /usr/bin/python3 -S -c 'import work'
		    env: {PYTHONPERFSUPPORT: "0", PYTHONHASHSEED: "0", PYTHONPATH: .}
		    warm_up: true
	END
	echo 'print(sum(len(str(i)) for i in range(30)))' >work.py
	git add -A
	git commit -qm "First"
	echo 'print(sorted(map(str, range(300)), key=lambda s: s[::-1])[0])' >>work.py
	git commit -qam "Sort"
	run 0 compare HEAD~..HEAD && says "$said_again" && ! says "counted something else in that run"
	verdict "Python whose functions have no names counts the same with contexts" $?
	says "Python functions have no names" && says "The build or the program reads work.py, which changed."
	verdict "… and the insights say what helps" $?
	run 0 compare HEAD~..HEAD --depth=0 -- /usr/bin/python3 -S work.py
	grep -q '~[0-9].* calls, ~' "$scratch/out"
	verdict "… without them, also numbers of calls are marked as estimates" $?
	run 0 compare HEAD~..HEAD -- /usr/bin/python3 -S work.py
	if says "py::"; then
		says "(--depth prevents that)" && ! says "counted something else in that run"
		verdict "Python whose functions have names is measured again, too" $?
	fi
fi

echo "$failures failed"
[ "$failures" -eq 0 ]
