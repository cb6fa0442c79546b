#!/bin/sh
# Usage: tests/unchanged.sh
#
# A benchmark is not run again if no file that it uses has changed; what irdiff then says is what running it says.
set -u
. "$(dirname "$0")/repository.sh"
needs valgrind jq

mkdir "$scratch/project" && cd "$scratch/project" && git init -q .
cat >work.c <<-'END'
	#include <dirent.h>
	#include <stdio.h>
	#include <stdlib.h>

	static volatile unsigned sink;

	static int list(const char *directory)
	{
		DIR *dir = opendir(directory);

		for (int n = 0; n < 100 && dir && readdir(dir); n++)
			sink++;
		return dir ? closedir(dir) : 1;
	}

	/* As often as the files say, one after the other; "+FILE" gets what the last one says, "?FILE" need
	 * not be there, "-FILE" is removed, and "@DIRECTORY" is listed. */
	int main(int argc, char **argv)
	{
		char line[20] = "";

		for (int i = 1; i < argc; i++) {
			if (argv[i][0] == '@' || argv[i][0] == '-') {
				if (argv[i][0] == '@' ? list(argv[i] + 1) : remove(argv[i] + 1))
					return 1;
				continue;
			}
			FILE *file = argv[i][0] == '+'	 ? fopen(argv[i] + 1, "w")
				     : argv[i][0] == '?' ? fopen(argv[i] + 1, "r")
							 : fopen(argv[i], "r");
			if (argv[i][0] == '?' && !file)
				continue;
			if (argv[i][0] == '+') {
				if (!file || fputs(line, file) < 0 || fclose(file))
					return 1;
				continue;
			}
			if (!file || !fgets(line, sizeof line, file))
				return 1;
			fclose(file);
			for (int n = atoi(line) * SPEED; n > 0; n--)
				sink++;
		}
		return 0;
	}
END
mkdir data && echo 1000 >data/a && echo 2000 >data/b && echo 500 >more && echo 1 >state
mkdir one two && echo 100 >one/n && echo 100 >two/n && ln -s one chosen
mkdir "$scratch/installed"
cat >irdiff.yml <<-END
	build: {command: "$static -g -O1 -DSPEED=\$(cat speed) -o work work.c && ${CC:-cc} -g -O1 -DSPEED=\$(cat speed) -o dynamic work.c && cp work $scratch/installed", shell: true}
	benchmarks:
	  plain: {command: ./work data/a data/b "?maybe" chosen/n}
	  heap: {command: ./dynamic data/a, count: [heap]}
	  shell: {command: ./work data/a more, shell: true}
	  names: {command: ./work @data}
	  cases: {command: ./work data/a; ./dynamic more; true, shell: true, processes: each}
	  maker: {command: ./work data/a +made/n -made/n}
	  leaver: {command: ./work data/a +out}
	  keeper: {command: ./work state +state}
	  outside: {command: $scratch/installed/work data/a}
	limits: {Ir: "+1%"}
END
mkdir made copied && touch copied/.keep made/.keep
printf 'work\ndynamic\nout\n.irdiff/\n' >.gitignore
echo 10 >speed
echo one >notes
git add -A
git commit -qm base

# next SUBJECT: the change is committed.
next() {
	git add -A
	git commit -qm "$1"
}

runs() {
	! grep -q "$1.*measured earlier\|, measured earlier .* $1\$\|not run.*: .*$1" "$scratch/out"
}

# The report of one benchmark, and that of a range.
not_run() {
	grep -q ", measured earlier .* $1\$\|^$1@.*, measured earlier$" "$scratch/out" ||
		grep -q "not run, as no file that they use has changed (--fresh runs them): .*$1" "$scratch/out"
}

# entries BENCH: how many profiles of it were measured.
entries() {
	find .irdiff/cache -path "*/$1@*/profile.callgrind" -execdir test ! -e same_run.txt \; -print | wc -l
}

echo two >notes
next "Not the program"
# On many CPUs, base and head are measured at the same time, so neither spares the other.
run 0 check HEAD~..HEAD -j2
not_run plain && not_run heap && not_run shell && [ "$(entries plain)" -eq 1 ]
verdict "what uses the same files is not run again" $?
grep -qE '^ *([0-9,]+) +\1 +0%  PASS, measured earlier +Ir +plain$' "$scratch/out"
verdict "… and counts the same" $?
grep -qE '^ *([0-9,]+) +\1 +0%  PASS, measured earlier +AllocBlocks +heap/heap$' "$scratch/out"
verdict "… also its heap" $?
not_run cases/work && not_run cases/dynamic
verdict "… and its cases" $?
not_run maker && not_run names && not_run outside
verdict "… and what makes and removes files, lists a directory, or uses files elsewhere" $?
runs leaver && [ "$(entries leaver)" -eq 2 ]
verdict "what leaves a file always runs, as another benchmark may read that" $?
runs keeper && [ "$(entries keeper)" -eq 2 ]
verdict "what changes a file that was there always runs" $?
"$irdiff" check HEAD~..HEAD -b plain -b keeper --results="$scratch/results" --format=json 2>/dev/null >"$scratch/json"
jq -e '[.benchmarks[] | select(.diff.not_run).name] == ["plain"]' "$scratch/json" >"$scratch/jq"
verdict "… which JSON says" $?
"$irdiff" merge "$scratch/results" --format=json 2>/dev/null | jq .benchmarks >"$scratch/merged"
jq .benchmarks "$scratch/json" | cmp - "$scratch/merged"
verdict "… also when it is merged with other results" $?

sed "s/PASS, measured earlier /PASS                   /" "$scratch/out" >"$scratch/skipped"
run 0 check HEAD~..HEAD --fresh
runs plain && [ "$(entries plain)" -eq 2 ]
verdict "--fresh runs it" $?
diff -b "$scratch/skipped" "$scratch/out" >"$scratch/differences"
verdict "… and says the same" $?

# check_run BENCH CODE SUBJECT WORDS: a change of this kind makes it run.
check_run() {
	next "$3"
	run "$2" check HEAD~..HEAD -b "$1"
	runs "$1"
	verdict "$4" $?
}

echo 2001 >data/b
check_run plain 0 "Another file" "a file that changed makes it run"
echo 3000 >data/b
check_run plain 1 "A larger file" "… and exceed its limit"
echo 1000 >maybe
check_run plain 1 "A file that it looks for" "… as does one that was not there"
rm maybe
next "It is gone"
run 0 check HEAD~..HEAD -b plain && not_run plain
verdict "without it, it is not run again" $?
echo 200 >two/n
next "A file that it does not use"
run 0 check HEAD~..HEAD -b plain && not_run plain
verdict "… nor if a file changes that it does not use" $?
ln -sfn two chosen
check_run plain 0 "Another link" "a directory that a link leads to makes it run"
echo 1 >data/c
check_run names 0 "A new file" "a new file in a directory that is listed makes it run"
echo 2 >data/c
next "Not its name"
run 0 check HEAD~..HEAD -b names && not_run names
verdict "… but not its contents" $?
echo 1 >made/n
check_run maker 0 "A file that it makes" "a file that is there now makes it run"
git rm -qf made/n
chmod +x data/b
check_run plain 0 "A mode" "a file that can be executed now makes it run"
echo 11 >speed
next "A slower program"
run 1 check HEAD~..HEAD -b plain -b outside && runs plain
verdict "another program makes it run" $?
runs outside
verdict "… also if the build installs it elsewhere" $?
echo four >notes
next "Nothing again"
run 0 check HEAD~..HEAD -b plain && not_run plain
verdict "then it is not run again" $?
sed -i 's/"?maybe" chosen\/n/&, env: {N: "1"}/' irdiff.yml
next "Other settings"
before=$(entries plain)
run 0 check HEAD~..HEAD -b plain && [ "$(entries plain)" -gt "$before" ]
verdict "other settings make it run" $?
git reset -q --hard HEAD~
run 0 history plain --format=csv && [ "$(grep -c '^plain' "$scratch/out")" -ge 10 ]
verdict "the history has the commits" $?
run 0 history --format=html -o "$scratch/site" && [ "$(cat "$scratch"/site/bench/*/bench.js | grep -c '"page":"')" -ge 2 ] &&
	! grep -q 'were not kept' "$scratch"/site/bench/*/bench.js
verdict "… and its site has a report on each step, also from a commit that was not run" $?
shared=$(basename "$(dirname "$(ls .irdiff/cache/plain@*/same_run.txt | head -1)")")
run 0 show "$shared" && says "commit $(echo "$shared" | sed 's/.*@\(.*\)-.*/\1/')"
verdict "… whose profile is shown with its own commit" $?

rm .irdiff/history.db
run 0 check HEAD~..HEAD -b plain
run 0 history plain --format=csv
grep -q "$(git rev-parse HEAD)" "$scratch/out" && grep -q "$(git rev-parse HEAD~)" "$scratch/out"
verdict "… also one that was lost, by what the cache has of commits that were not run" $?
run 0 check HEAD~..HEAD -b plain --fresh

# ---- work trees, commits long ago, several at a time ----

echo five >notes
run 0 check HEAD -b plain && not_run plain
verdict "a work tree with other changes does not make it run" $?
git checkout -q notes
echo 10 >speed
echo six >notes
next "As it was at first"
run 0 compare HEAD~..HEAD -b heap && not_run heap
verdict "a commit like an earlier one does not make it run" $?
echo seven >notes
next "Several at a time"
run 0 check HEAD~..HEAD -j2
not_run plain && not_run heap && runs keeper
verdict "several at a time" $?

# ---- entries of another commit ----

# Base has that of an earlier commit, whose environment is not head's.
for entry in .irdiff/cache/plain@*; do
	[ -f "$entry/profile.callgrind" ] || continue
	of_another_cpu "$entry"
done
echo 2002 >data/b
next "Another file again"
run 1 check HEAD~..HEAD -b plain
says "measuring it again" && ! says "different environments"
verdict "what was measured in another environment is measured again, and used" $?

make_lean
# A program that reads the clock is run after all if it exceeds a limit.
cat >clock.c <<-'END'
	#include <stdio.h>
	#include <stdlib.h>
	#include <time.h>
	static volatile unsigned sink;
	int main(void)
	{
		char line[20] = "";
		FILE *file = fopen("data/a", "r");
		for (int n = file && fgets(line, sizeof line, file) ? atoi(line) * 100 : 0; n > 0; n--)
			sink++;
		return clock() == (clock_t)-2;
	}
END
sed -i "s|^build: .*|build: [sh, -c, \"$lean -g -O1 -o clock clock.c\"]|; s|^limits|  clock: {command: ./clock}\nlimits|" irdiff.yml
echo clock >>.gitignore
next "Slow"
run 0 check HEAD~..HEAD -b clock
echo 900 >data/a
next "Fast"
run 0 check HEAD~..HEAD -b clock
echo 1000 >data/a
next "Slow again"
run 1 check HEAD~..HEAD -b clock && says 'measuring it once more' && runs clock
verdict "what is measured once more did run" $?
git reset -q --hard HEAD~3

# ---- what need not be built ----

mkdir "$scratch/other" && cd "$scratch/other" && git init -q .
cat >work.c <<-'END'
	#include "size.h"
	int main(void)
	{
		for (volatile int i = 0; i < SIZE;)
			i++;
		return 0;
	}
END
echo '#define SIZE 1000' >size.h
touch notes flag asked script.sh made.y .gitattributes
cat >build.sh <<-END
	echo >>$scratch/builds
	[ ! -f flag ] || flags=-DFLAG
	[ ! -s asked ] || git describe --always >version
	sed '1i #line 1 "made.y"' work.c >made.c
	cat $scratch/version >/dev/null
	$static -g -O1 \$flags -o work made.c
END
cat >irdiff.yml <<-'END'
	build: [sh, build.sh]
	benchmarks: {w: {command: ./work}, x: {command: ./work}}
	limits: {Ir: "+1%"}
END
printf 'work\nmade.c\nversion\n.irdiff/\n' >.gitignore
echo 1 >"$scratch/version"
next base

# builds COUNT SUBJECT ARGUMENTS...: check of the next commit builds so often.
builds() {
	count=$1
	next "$2"
	shift 2
	: >"$scratch/builds"
	run 0 check HEAD~..HEAD -j1 "$@"
	[ "$(wc -l <"$scratch/builds")" -eq "$count" ]
}

echo one >notes
builds 1 Notes && not_run w && not_run x
verdict "base is built, but not head, which changes only what is in files that nothing names" $?
echo more >notes
builds 0 "More notes" && not_run w && not_run x
verdict "… nor is the next one" $?
echo two >notes
builds 2 "Notes again" --fresh && runs w
verdict "--fresh builds it" $?
echo three >notes
builds 0 "A lot of notes" -j2 && not_run w
verdict "several at a time are not built either" $?
echo four >notes
run 0 check HEAD && [ "$(wc -l <"$scratch/builds")" -eq 0 ] && not_run w
verdict "… nor a work tree" $?
next "What was in the work tree"
run 0 check HEAD~..HEAD && run 0 show "w@$(git rev-parse --short=10 HEAD)" &&
	says "commit $(git rev-parse --short=10 HEAD)" && ! says "with changes"
verdict "… and a commit that shares its run is no work tree with changes" $?
echo '#define SIZE 1001' >size.h
builds 1 "A header" && runs w
verdict "a file that the build reads has it built" $?
echo yes >flag
builds 1 "A flag"
verdict "… and one that it only looks for" $?
echo new >new
builds 1 "A file"
verdict "… and a new one, as builds may list it" $?
chmod +x notes
builds 1 "A mode"
verdict "… and another mode" $?
echo '* text' >.gitattributes
builds 1 "Attributes"
verdict "… and .gitattributes, which may change all files" $?
echo '/* Its source. */' >made.y
builds 1 "A source"
verdict "… and a source that the profile names, though nobody reads it" $?
echo five >notes
builds 0 "Nothing else"
verdict "then it is not built again" $?
sed -i '1i cat link/size >read; rm link; cat other/size >>read; ln -sfn made.y other' build.sh
echo read >>.gitignore
mkdir one two && echo 1 >one/size && echo 2 >two/size && ln -s one link && ln -s two other
builds 1 Links
echo three >one/size
builds 1 "What one led to"
verdict "a file that the build reads through a link, which it then removes, has it built" $?
echo three >two/size
builds 1 "What the other led to"
verdict "… or replaces" $?
echo yes >asked
builds 1 "Ask git"
echo six >notes
builds 1 "Notes for git"
verdict "a build that asks git for its version is made" $?
cd "$scratch/project" || exit

# ---- what was kept ----

echo eight >notes
next "Nothing once more"
for entry in .irdiff/cache/heap@*; do
	[ -f "$entry/dependencies.zst" ] && echo "absent ./elsewhere" >"$entry/dependencies.zst"
done
before=$(entries heap)
run 0 check HEAD~..HEAD -b heap
[ "$(entries heap)" -gt "$before" ]
verdict "a list of files that was changed is not used" $?

echo "$failures failed"
[ "$failures" -eq 0 ]
