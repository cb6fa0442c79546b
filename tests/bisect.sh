#!/bin/sh
# Usage: tests/bisect.sh
#
# `irdiff bisect`, `irdiff history --measure` and baselines of commits, on a repository of which is known
# what each commit does: some cost more, one less, some do not build, some come by a merge.
set -u
. "$(dirname "$0")/repository.sh"

builds() {
	wc -l <"$scratch/builds"
}

# ---- a history ----

mkdir "$scratch/project"
cd "$scratch/project" || exit 1
git init -q .
kept_of_builds="find '$PWD/.irdiff' -name 'build.log-*' -o -name 'names-*' | wc -l >>'$scratch/kept'"
cat >irdiff.yml <<END
build:
  command: echo built >>'$scratch/builds'; $kept_of_builds; $static -g -O1 -o work work.c
  shell: true
benchmarks:
  sum: {command: ./work}
END
echo work >.gitignore

# source ROUNDS MORE LINE: a program that runs so many rounds.
source_of() {
	cat >work.c <<-END
		static volatile unsigned sum;
		static __attribute__((noinline)) void step(void) { for (unsigned i = 0; i < $2; i++) sum += i; }
		int main(void)
		{
			for (int i = 0; i < $1; i++)
				step();
			return 0;
		}
		$3
	END
}

# commit SUBJECT ROUNDS STEPS [LINE]
commit() {
	source_of "$2" "$3" "${4:-/* $1 */}"
	git add -A
	git commit -qm "$1"
}

commit "One" 100 50
git tag one
commit "Two" 100 50
commit "Three, broken" 100 50 'int x'
commit "Four, still broken" 100 50 'int y'
commit "Five" 100 50
commit "Six, slower" 150 50
slower=$(git rev-parse HEAD)
commit "Seven" 150 50
git tag seven
git checkout -q -b side
commit "Side one" 150 50
commit "Side two, slower" 150 80
side=$(git rev-parse HEAD)
commit "Side three" 150 80
git checkout -q main
echo text >notes
git add -A
git commit -qm "Eight"
git merge -q --no-ff -m "Merge of side" side
merge=$(git rev-parse HEAD)
commit "Nine" 150 80
commit "Ten, faster" 60 80
faster=$(git rev-parse HEAD)
commit "Eleven" 60 80
git tag eleven
commit "Twelve, broken" 60 90 'int z'
commit "Thirteen" 60 90
thirteen=$(git rev-parse HEAD)

# ---- bisect ----

before=$(find .git -type f | sort | xargs sha256sum | sha256sum)
run 0 bisect sum --good=one --bad=seven
verdict "a regression among commits that do not build" $?
says "The count changed in commit $slower"
verdict "… is the commit that is slower" $?
says "skipped"
verdict "… and those are skipped" $?
says "main → step: 100 → 150 calls"
verdict "… with what it did" $?
[ "$(find .git -type f | sort | xargs sha256sum | sha256sum)" = "$before" ] && [ ! -e .git/BISECT_LOG ]
verdict "the repository was not touched" $?
[ "$(sort -n "$scratch/kept" | tail -n 1)" -eq 2 ]
verdict "what builds tell does not add up" $?
count=$(builds)
run 0 bisect sum --good=one --bad=seven && says "$slower" && [ "$(builds)" -eq "$count" ]
verdict "again, without building" $?

# elsewhere COMMIT: its entry of the cache is of another CPU.
elsewhere() {
	for entry in .irdiff/cache/sum@"$(git rev-parse --short=10 "$1")"*; do
		of_another_cpu "$entry"
	done
}
elsewhere "$slower"
run 0 bisect sum --good=one --bad=seven && says "$slower" && ! says "once more" &&
	says "sum@$(git rev-parse --short=10 "$slower") was measured in another environment; measuring it again"
verdict "what was measured in another environment is measured again" $?
elsewhere one
run 0 bisect sum --good=one --bad=seven && says "The count changed in commit $slower" && says "once more" &&
	[ "$(builds)" -eq $((count + 3)) ]
verdict "… and good, if bad cannot be measured there" $?
count=$(builds)
run 0 bisect sum --good=one --bad=seven && ! says "another environment" && [ "$(builds)" -eq "$count" ]
verdict "… but only once" $?
run 0 bisect sum --good=seven --bad="$merge" && says "The count changed in commit $side"
verdict "a regression on a branch that was merged" $?
run 0 bisect sum --good=seven --bad="$merge" --first-parent && says "The count changed in commit $merge"
verdict "… or the merge, with --first-parent" $?
run 0 bisect sum --old="$merge" --new=eleven && ! says " bad " && says "The count changed in commit $faster"
verdict "an improvement, which is not bad" $?
run 0 bisect sum --good=one --bad="$merge" --threshold=5 && says "The count changed in commit $slower"
verdict "the first of two, by a threshold" $?
says "other commits changed the" && says "irdiff history 'sum' --measure="
verdict "… which says that there are others" $?
run 2 bisect sum --good="$merge" --bad=one && says "swap them"
verdict "good and bad swapped" $?
run 0 bisect sum --good=one --bad="$merge" --metric=Dw --format=json && says '"irdiff/bisect"'
verdict "for machines" $?
run 3 bisect sum --good=eleven --bad="$thirteen" && says "in one of these 2 commits" && says "irdiff compare"
verdict "what was skipped may leave a doubt" $?
run 2 bisect sum --good=one --bad=one~0 && says "good and bad have the same count, " && ! says "  new  "
verdict "nothing to find" $?
run 2 bisect sum --good="$side" --bad="$merge^1" && says "is not an ancestor"
verdict "good is no ancestor of bad" $?
run 2 bisect nothing --good=one && says "unknown benchmark 'nothing'"
verdict "an unknown benchmark" $?

run 0 cache prune --all
"$irdiff" bisect sum --good=one --bad="$merge" >"$scratch/out" 2>"$scratch/err" &
pid=$!
while [ "$(wc -l <"$scratch/out")" -lt 2 ] && kill -0 "$pid" 2>/dev/null; do
	sleep 0.1
done
kill -s TERM "$pid"
status=0
wait "$pid" || status=$?
[ "$status" -eq 143 ] && says "irdiff: interrupted; "
verdict "interrupted" $?
count=$(builds)
run 0 bisect sum --good=one --bad="$merge"
verdict "… it goes on" $?
rm -rf .irdiff/cache
again=$(builds)
run 0 bisect sum --good=one --bad="$merge"
[ $(($(builds) - again)) -gt $((again - count)) ]
verdict "… where it was" $?

# ---- history ----

run 0 history sum --measure=one
verdict "a range is measured" $?
says "▲ regressed" && says "Six, slower" && says "▼ improved"
verdict "… and its steps are named" $?
! grep -q broken "$scratch/out"
verdict "… without what does not build" $?
# How many the search had measured when it was interrupted depends on the machine.
counts=$(sed -n 's/ not run, as no file that they use has changed,/ already known,/
	s/^irdiff: \([0-9]*\) measured, \([0-9]*\) already known, 3 skipped$/\1 + \2/p
	s/^irdiff: \([0-9]*\) measured, \([0-9]*\) already known, \([0-9]*\) already known, 3 skipped$/\1 + \2 + \3/p' "$scratch/out" "$scratch/err")
[ "$((${counts:-0}))" -eq 11 ]
verdict "… and each is counted once" $?
run 0 cache prune --failed && run 0 cache list && ! says failed/ && says sum@
verdict "builds that failed can be forgotten" $?
run 0 history sum --measure=one && says "0 measured, 11 already known, 3 skipped"
verdict "what is known already is not said to be measured" $?
count=$(builds)
run 0 history sum --measure=one..HEAD && [ "$(builds)" -eq "$count" ]
verdict "… once" $?
run 2 history sum --measure=HEAD..one && says "the range 'HEAD..one' is empty: one is not later than HEAD; did you mean 'one..HEAD'?"
verdict "an empty range is none" $?
run 2 history sum --measure=one -- irdiff.yml && says "no commit of the range 'one' changes irdiff.yml"
verdict "no commit changes what no commit changes" $?
mkdir sub && cd sub && run 0 history sum --measure=seven..HEAD -- ../notes nothing &&
	says "0 measured, 2 already known, 0 skipped"
verdict "only commits that change a path are measured, which is relative to the directory" $?
cd .. && rmdir sub
run 0 history sum --measure=HEAD && says "1 measured, 0 already known" || says "0 measured, 1 already known"
verdict "a commit alone is one" $?
run 0 history sum --steps --format=csv && [ "$(grep -c , "$scratch/out")" -eq 5 ]
verdict "steps only" $?

# Commits that all fail for one reason.
git checkout -q -b hopeless
cp irdiff.yml working.yml
sed -i 's/^  command: echo built.*/  command: echo it fails here; false/' irdiff.yml
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	git commit -qam "Hopeless $i" --allow-empty
done
run 3 history sum --measure=HEAD~11 && says "9 more commits failed in the same way" &&
	[ "$(grep -c 'it fails here' "$scratch/out" "$scratch/err" | awk -F: '{ n += $2 } END { print n }')" -eq 1 ]
verdict "the reason for which all fail is told once" $?
says "stopped, as the first commits all failed in the same way: 2 more were not tried"
verdict "… and the others are not tried" $?
mv working.yml irdiff.yml
git checkout -q -f -

# ---- baselines of commits ----

run 0 baseline save start --commit=one && [ -s baselines/start/sum.callgrind ]
verdict "a baseline of a commit" $?
run 0 check --baseline=start --limit=Ir=+500%
verdict "the work tree is checked against it" $?
run 1 check --baseline=start --limit=Ir==
verdict "… and fails" $?
run 0 baseline accept --why="It does more" && [ -s irdiff-accepted.yml ]
verdict "… which can be accepted" $?
run 0 check --baseline=start --limit=Ir== && says "It does more"
verdict "… and then passes" $?
source_of 61 90 ''
run 1 check --baseline=start --limit=Ir== && says "the acceptance of"
verdict "… until the count changes again" $?

echo "$failures failed"
[ "$failures" -eq 0 ]
