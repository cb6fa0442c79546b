#!/bin/sh
# Usage: tests/unchanged.sh
#
# A benchmark whose inputs have not changed is not run again; what irdiff then says is what running it says.
set -u
. "$(dirname "$0")/repository.sh"
needs valgrind jq

mkdir "$scratch/project" && cd "$scratch/project" && git init -q .
cat >work.c <<-'END'
	#include <stdio.h>
	#include <stdlib.h>

	static volatile unsigned sink;

	/* As often as the files say, one after the other; "+FILE" gets what the last one says. */
	int main(int argc, char **argv)
	{
		char line[20] = "";

		for (int i = 1; i < argc; i++) {
			FILE *file = argv[i][0] == '+' ? fopen(argv[i] + 1, "w") : fopen(argv[i], "r");
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
mkdir data && echo 1000 >data/a && echo 2000 >data/b && echo 500 >more
cat >irdiff.yml <<-END
	build: {command: "$static -g -O1 -DSPEED=\$(cat speed) -o work work.c && ${CC:-cc} -g -O1 -DSPEED=\$(cat speed) -o dynamic work.c", shell: true}
	benchmarks:
	  listed: {command: ./work data/a data/b, inputs: [work, data]}
	  heap: {command: ./dynamic data/a, count: [heap], inputs: [dynamic, "d*/a"]}
	  incomplete: {command: ./work data/a more, shell: true, inputs: [data]}
	  mistaken: {command: ./work data/a more, inputs: [work, dato]}
	  always: {command: ./work data/a more}
	limits: {Ir: "+1%"}
END
mkdir copied && touch copied/.keep
printf 'work\ndynamic\n.irdiff/\n' >.gitignore
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
	! grep -q "$1.*not run\|not run.*: .*$1" "$scratch/out"
}

# The report of one benchmark, and that of a range.
not_run() {
	grep -q ", not run .* $1\$\|^$1@.*, not run$" "$scratch/out" ||
		grep -q "not run, as the files of inputs: have not changed (--fresh runs them): .*$1" "$scratch/out"
}

# entries BENCH: how many profiles of it were measured.
entries() {
	find .irdiff/cache -name "$1@*" ! -name '*@inputs-*' | wc -l
}

echo two >notes
next "Not the program"
run 0 check HEAD~..HEAD
not_run listed && not_run heap && [ "$(entries listed)" -eq 1 ]
verdict "what has the same inputs is not run again" $?
grep -qE '^ *([0-9,]+) +\1 +0%  PASS, not run +Ir +listed$' "$scratch/out"
verdict "… and counts the same" $?
grep -qE '^ *([0-9,]+) +\1 +0%  PASS, not run +AllocBlocks +heap/heap$' "$scratch/out"
verdict "… also its heap" $?
"$irdiff" check HEAD~..HEAD -b listed -b always --results="$scratch/results" --format=json 2>/dev/null >"$scratch/json"
jq -e '[.benchmarks[] | select(.diff.not_run).name] == ["listed"]' "$scratch/json" >"$scratch/jq"
verdict "… which JSON says" $?
"$irdiff" merge "$scratch/results" --format=json 2>/dev/null | jq .benchmarks >"$scratch/merged"
jq .benchmarks "$scratch/json" | cmp - "$scratch/merged"
verdict "… also when it is merged with other results" $?
runs incomplete && says "incomplete always runs: inputs: does not list 'work', whose code it runs" &&
	[ "$(entries incomplete)" -eq 2 ]
verdict "a program that is not listed is noticed" $?
[ "$(cat "$scratch/out" "$scratch/err" | grep -c "incomplete always runs")" -eq 1 ]
verdict "… which is said once" $?
runs mistaken && says "mistaken always runs: inputs: 'dato' does not exist" && [ "$(entries mistaken)" -eq 2 ]
verdict "… and so is a file that does not exist" $?
runs always && [ "$(entries always)" -eq 2 ]
verdict "without inputs, a benchmark always runs" $?

sed "s/PASS, not run /PASS          /" "$scratch/out" >"$scratch/skipped"
run 0 check HEAD~..HEAD --fresh
runs listed && [ "$(entries listed)" -eq 2 ]
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
check_run listed 0 "Another file" "a file that changed makes it run"
echo 3000 >data/b
check_run listed 1 "A larger file" "… and exceed its limit"
echo 3000 >data/c
check_run listed 0 "A new file" "a new file in a directory makes it run"
git mv data/c data/d
check_run listed 0 "Another name" "… as does another name"
chmod +x data/d
check_run listed 0 "A mode" "… and a file that can be run"
rm data/d && ln -s ../notes data/d
check_run listed 0 "A link" "… and a link"
echo three >notes
check_run listed 0 "Where it leads" "… and where it leads to"
rm data/d && ln -s ../copied data/d
next "A link to a directory"
run 0 check HEAD~..HEAD -b listed
runs listed && says "listed always runs: " && says "leads to no regular file"
verdict "a link to a directory is refused" $?
git rm -qf data/d
echo 11 >speed
check_run listed 1 "A slower program" "another program makes it run"
echo four >notes
next "Nothing again"
run 0 check HEAD~..HEAD -b listed && not_run listed
verdict "then it is not run again" $?
run 0 history listed --format=csv && [ "$(grep -c '^listed' "$scratch/out")" -eq "$(git rev-list --count HEAD)" ]
verdict "the history has all commits" $?

# ---- work trees, commits long ago, several at a time ----

echo five >notes
run 0 check HEAD -b listed && not_run listed
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
[ "$(entries always)" -ge 4 ] && not_run listed && not_run heap
verdict "several at a time" $?

# ---- entries of another commit ----

# Base has that of an earlier commit, whose environment is not head's.
for entry in .irdiff/cache/listed@*; do
	[ -f "$entry/profile.callgrind" ] || continue
	of_another_cpu "$entry"
done
echo 2002 >data/b
next "Another file again"
run 0 check HEAD~..HEAD -b listed && says "measuring it again" && ! says "different environments"
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
sed -i "s|^build: .*|build: [sh, -c, \"$lean -g -O1 -o clock clock.c\"]|; s|^limits|  clock: {command: ./clock, inputs: [clock, data]}\nlimits|" irdiff.yml
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

# ---- benchmarks that write to inputs ----

mkdir made && echo 1 >made/n
sed -i 's/^limits/  writer: {command: .\/work more +made\/n}\n  reader: {command: .\/work made\/n +out, inputs: [work, made]}\nlimits/' irdiff.yml
next "A benchmark that writes"
echo eight >notes
next "Nothing once more"
run 0 check HEAD~..HEAD -b writer -b reader -j2 && runs reader &&
	says "reader always runs: inputs: a benchmark has written to these files"
verdict "inputs that another benchmark writes to are not those that it read" $?

# ---- who decides ----

sed -i 's/inputs: \[work, data\]/inputs: [work]/' irdiff.yml
next "Fewer inputs"
run 0 check HEAD~..HEAD -b listed
says "Head changes the rules of listed" && says 'inputs: was "work, data" and is "work"'
verdict "a change of the inputs is said" $?
says "listed always runs: inputs: does not list 'data/a', which its command names"
verdict "… and a file that the command names is missed" $?
other=$(find .irdiff/cache -name 'always@*' -printf '%f\n' | head -n 1)
for entry in .irdiff/cache/heap@inputs-*; do
	sed -i "1s/.*/$other/" "$entry/cases.txt"
done
before=$(entries heap)
run 0 check HEAD~..HEAD -b heap
[ "$(entries heap)" -eq $((before + 1)) ] && not_run heap
verdict "a list that was changed is not used" $?

echo "$failures failed"
[ "$failures" -eq 0 ]
