#!/bin/sh
# Usage: tests/measure-new.sh
#
# `irdiff history --measure=new`: which commits it measures when pushes were left out, a branch was reset, a
# commit does not build, or a clone is shallow. Which ones have counts is read from the history.
set -u
. "$(dirname "$0")/repository.sh"
needs valgrind

mkdir "$scratch/project"
cd "$scratch/project" || exit 1
git init -q .
cat >irdiff.yml <<END
build:
  command: $static -g -O1 -o work work.c
  shell: true
benchmarks:
  sum: {command: ./work}
  other: {command: ./work}
END
echo work >.gitignore

bench=sum

# commits SUBJECT...: one for each; what begins with "broken" does not build.
commits() {
	for subject; do
		echo "char subject[] = \"$subject\"; int main(void) { return 0; }" >work.c
		case $subject in broken*) echo 'int x' >>work.c ;; esac
		git add -A
		git commit -qm "$subject"
	done
}

# has SUBJECT,...: these commits of the branch have counts of $bench, the oldest first, and no others.
has() {
	"$irdiff" history "$bench" --format=csv --all >"$scratch/counts"
	[ "$(git log --first-parent --reverse --format=%H%x09%s |
		while IFS="$(printf '\t')" read -r id subject; do
			grep -q "$id" "$scratch/counts" && echo "$subject"
		done | paste -sd,)" = "$1" ]
}

# new EXIT-CODE OPTION MESSAGE
new() {
	# shellcheck disable=SC2086
	run "$1" history --measure=new $2 && says "$3"
}

commits one two three four
new 0 --newest=2 'measuring the newest 2 of 4 commits, as none has counts yet; --newest=4 measures all of them' && has three,four
verdict "the first time, only the newest" $?
commits five six seven
new 0 '' 'measuring 3 commits without counts, and 1 before them to compare with' && says "6 measured, 2 already known" &&
	has three,four,five,six,seven
verdict "later, all since then, and none before" $?
git log -n 3 --format=%H | cut -c1-10 | awk '{ print "irdiff: commit " NR " of 4, " $1 ": 2 measured" }' >"$scratch/lines"
grep '^irdiff: commit ' "$scratch/err" | cmp -s - "$scratch/lines"
verdict "… each with a line, where no terminal shows progress, but not what was known" $?
if ! command -v python3 >/dev/null; then
	skip "progress on a terminal" "python3 is not installed"
else
	cp -r . "$scratch/terminal"
	(cd "$scratch/terminal" && rm -r .irdiff/cache && TERM=xterm python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' \
		"$irdiff" history --measure=HEAD~3..HEAD </dev/null >"$scratch/out" 2>&1)
	grep -q '8 measured, 0 already known' "$scratch/out" && ! grep -q 'commit 1 of' "$scratch/out"
	verdict "… which a terminal need not have" $?
fi
new 0 '' 'no commit is new: all have counts' && ! says measured
verdict "nothing new is fine" $?

commits eight nine
run 0 history --measure=HEAD
new 0 '' 'measuring 1 commit without counts, and 1 before it to compare with' && has three,four,five,six,seven,eight,nine
verdict "a commit is not lost because a later one was measured first" $?

git reset -q --hard HEAD~2
commits ten
new 0 '' 'measuring 1 commit without counts' && has three,four,five,six,seven,ten
verdict "what was measured may be gone from the branch" $?

commits broken
new 0 '' 'without counts' && says '2 already known, 2 skipped'
verdict "a commit that does not build is skipped" $?
commits eleven
new 0 '' 'measuring 2 commits without counts, and 1 before them' && has three,four,five,six,seven,ten,eleven
verdict "… and the next one is measured" $?

commits a b c d
new 0 --newest=2 'measuring the newest 2 of 4 commits after ' && says '; --newest=4 measures all of them' && has three,four,five,six,seven,ten,eleven,c,d
verdict "of too many, the newest, and it is said how to have the others" $?
new 0 --newest=4 'measuring 2 commits without counts' && has three,four,five,six,seven,ten,eleven,a,b,c,d
verdict "… which then come, too" $?
new 0 --newest=0 'measuring 1 commit without counts'
verdict "0 is all since the history begins" $?

commits twelve
run 0 history sum --measure=HEAD
bench=other
new 0 '' 'measuring 1 commit without counts' && ! has three,four,five,six,seven,ten,eleven,a,b,c,d,twelve
verdict "a commit with counts of any benchmark has counts, so that only the broken one is tried again" $?
run 0 history other --measure=new && says 'measuring 2 commits without counts' &&
	has three,four,five,six,seven,ten,eleven,a,b,c,d,twelve
verdict "… but a benchmark that is named wants its own" $?
bench=sum

echo text >notes && git add notes && git commit -qm notes && commits thirteen &&
	echo more >>notes && git commit -qam 'more notes'
mkdir sub && cd sub && run 0 history --measure=new -- ../notes && says 'measuring the newest 2 of 2 commits' && cd .. && rmdir sub &&
	has three,four,five,six,seven,ten,eleven,a,b,c,d,twelve,notes,"more notes"
verdict "only commits that change a path" $?
run 2 history --newest=3 && says '--newest requires --measure=new' && run 2 history --measure=HEAD --newest=3
verdict "--newest alone is refused" $?
git branch new HEAD~2
run 0 history sum --measure=refs/heads/new..HEAD && says '2 already known, 0 skipped'
verdict "a branch may have that name, too" $?

run 0 history --measure=new -- misspelt && says 'no commit is new: none changes these paths' && ! says 'measuring the newest'
verdict "paths that no commit changes leave nothing to measure" $?

# ---- shallow clones ----

git clone -q --bare . "$scratch/bare.git"
clone() {
	cd "$scratch" || exit 1
	rm -rf "$scratch/shallow"
	git clone -q --depth="$1" "file://$scratch/bare.git" "$scratch/shallow"
	cd "$scratch/shallow" || exit 1
	"$irdiff" history --import="$scratch/rows" >"$scratch/out"
}

"$irdiff" history --export -o "$scratch/rows"
commits 14 15 && git push -q "$scratch/bare.git" HEAD:main
clone 2
new 2 '' 'this clone is shallow' && says 'fetch-depth: 0' && ! says skipped
verdict "a clone that may lack new commits is refused" $?
clone 3
new 0 '' 'measuring 2 commits without counts, and 1 before them to compare with'
verdict "… but not one that has the last measured one" $?
clone 1
rm -r .irdiff
new 2 '' 'this clone is shallow'
verdict "… and neither one that may have no history yet" $?

# ---- the first time, and nothing can be built ----

cd "$scratch/project" || exit 1
rm -rf .irdiff
commits broken1 broken2
new 3 --newest=2 'measuring the newest 2 of ' && says '0 measured, 0 already known, 4 skipped'
verdict "if nothing can be measured, that is a failure" $?

echo "$failures failed"
[ "$failures" -eq 0 ]
