#!/bin/sh
# Usage: tests/compare.sh
#
# `irdiff compare` and `irdiff check` on real repositories: what is built where, what is measured
# again and what is not, what of the user's repository is touched (nothing), and what is said when
# something is missing.
set -u
. "$(dirname "$0")/repository.sh"
junit=$(CDPATH='' cd "$(dirname "$0")" && pwd)/data/junit.xsd

built() {
	[ ! -f "$scratch/builds" ] || wc -l <"$scratch/builds"
}

# What there is of the repository: a digest of every file in .git but for access to it.
repository() {
	(cd "$1" && find .git -type f | sort | xargs sha256sum | sha256sum)
}

project() {
	mkdir -p "$1"
	cd "$1"
	git init -q .
	cat >work.c <<-'END'
		#include <stdio.h>
		#include <stdlib.h>

		static unsigned hash(const char *text)
		{
			unsigned h = 5381;
			while (*text)
				h = h * 33 + (unsigned char)*text++;
			return h;
		}

		int main(int argc, char **argv)
		{
			unsigned sum = 0;
			int rounds = argc > 1 ? atoi(argv[1]) : 100;
			for (int i = 0; i < rounds; i++)
				sum += hash(__FILE__);
			printf("%u\n", sum);
			return 0;
		}
	END
	cat >irdiff.yml <<-END
		build:
		  command: echo built >>'$scratch/builds'; $static -g -O1 -o work "\$PWD/work.c"
		  shell: true
		benchmarks:
		  short: {command: ./work 100}
		  long: {command: ./work 900}
		limits: {Ir: "+1%"}
	END
	echo work >.gitignore
	git add -A
	git commit -qm "First"
	sed -i 's/sum += hash(__FILE__)/sum += hash(__FILE__) + hash("again and again")/' work.c
	git commit -qam "Hash more"
}

project "$scratch/one"
before=$(repository .)

# ---- two commits ----

run 0 compare HEAD~1..HEAD
verdict "two commits are compared" $?
says 'REGRESSION  long' && says 'REGRESSION  short'
verdict "… all benchmarks of irdiff.yml" $?
says 'Geometric mean of head / base'
verdict "… with their mean" $?
says 'irdiff diff long@'
verdict "… and what to do next" $?
[ "$(built)" -eq 2 ]
verdict "each was built once" $?
[ "$(repository .)" = "$before" ] && [ -z "$(git status --porcelain)" ]
verdict "the repository was not touched" $?
no_workspace_is_left
verdict "nothing is left where they were built" $?

run 0 compare HEAD~1..HEAD -b long
verdict "one benchmark again" $?
says ': self '
verdict "… with the causes" $?
says '] work.c' && ! says "] $PWD/"
verdict "… and files as they are called in the project" $?
[ "$(built)" -eq 2 ]
verdict "… without building or measuring" $?
run 0 diff "long@$(git rev-parse --short=8 HEAD~1)" "long@$(git rev-parse --short=10 HEAD)"
verdict "what was measured works as a profile" $?
run 0 compare HEAD..HEAD --fresh -b long && says '0%  NEUTRAL'
verdict "a commit is equal to itself" $?
[ "$(built)" -eq 3 ]
verdict "… and --fresh builds" $?
[ ! -s "$scratch/err" ]
verdict "… as was asked, without a word" $?
export OPTION=1
run 0 compare HEAD..HEAD -b long -q && ! says 'is not used' && run 0 compare HEAD~1..HEAD &&
	[ "$(cat "$scratch/err")" = 'irdiff: the cached measurement of short at HEAD~1 is not used, as it differs in variable OPTION' ]
verdict "why the cache is not used is said once" $?
run 0 compare HEAD~1..HEAD && [ ! -s "$scratch/err" ]
verdict "… and not where it is" $?
OPTION=2
run 0 compare HEAD..HEAD -b long && says 'as it differs in environment variables'
verdict "… nor what has the value of a variable" $?
unset OPTION

# ---- the work tree ----

cat >more.c <<-'END'
	unsigned more(unsigned n)
	{
		unsigned sum = 0;
		for (unsigned i = 0; i < n; i++)
			sum ^= sum * 33 + i;
		return sum;
	}
END
sed -i 's/^int main/unsigned more(unsigned);\n\nint main/; s/printf("%u.n", sum)/printf("%u\\n", sum + more(50000))/' work.c
sed -i 's/work.c"$/work.c" more.c/' irdiff.yml
$compiler -c -o stale.o more.c
before=$(repository .)
run 0 compare main -b long
verdict "the work tree is compared, with a new file" $?
says 'work tree, with changes on'
verdict "… and called so" $?
says 'more'
verdict "… which is the cause" $?
says '1 untracked object file or archive of the work tree (stale.o)'
verdict "what was built elsewhere is not copied" $?
[ "$(repository .)" = "$before" ] && [ -f stale.o ] && [ -f more.c ]
verdict "the work tree and its index are as they were" $?
git stash -qu
run 0 compare main
says 'work tree  '"$(git rev-parse --short=10 HEAD)"
verdict "without changes the work tree is its commit" $?
git stash pop -q
git checkout -q -- . && rm -f more.c stale.o

# ---- the gate ----

run 1 check
verdict "check fails where a limit is broken" $?
says 'HEAD~1'
verdict "… against the commit before, on the main branch" $?
run 0 check --limit='Ir=+500%'
verdict "… and passes with another limit" $?
git checkout -q -b feature HEAD~1
echo '/* A comment. */' >>work.c
git commit -qam "A comment"
run 0 check
verdict "check of a branch passes" $?
says "merge base with main" || says "base  main"
verdict "… against where it left main" $?
GITHUB_BASE_REF=feature run 0 check && says "HEAD~1"
verdict "… or what the CI system says" $?
GITHUB_BASE_REF=nowhere run 2 check && says "name another base" && ! says "git fetch"
verdict "… which may not be there" $?
git remote add origin "$scratch/elsewhere"
GITHUB_BASE_REF=nowhere run 2 check && says "git fetch origin 'nowhere'"
verdict "… but where this was cloned from" $?
git remote remove origin
run 0 check HEAD~1..HEAD --format=json && says '"irdiff/suite"'
verdict "machines can read it" $?
[ -s .irdiff/last/report.md ]
verdict "a report is kept" $?
git checkout -q main

# ---- what goes wrong ----

run 2 compare '--upload-pack=touch pwned' && run 2 compare 'HEAD..--upload-pack=touch pwned' &&
	says 'invalid commit name' && GITHUB_BASE_REF='--upload-pack=touch pwned' run 2 check && [ ! -e pwned ]
verdict "a name that looks like an option of git is none" $?
git branch -q ahead HEAD
git update-ref refs/remotes/origin/ahead HEAD~1
sed -i 's/^limits:/base: ahead\n&/' irdiff.yml
git checkout -q -b later && git commit -q --allow-empty -m "Later"
run 0 compare && says 'base  ahead  '
verdict "a branch with more commits than that of origin is what is compared with" $?
git update-ref refs/remotes/origin/ahead HEAD~1 && git branch -q -f ahead HEAD~2
run 0 compare && says 'base  origin/ahead  '
verdict "… or else that of origin, which is called so" $?
git checkout -q -f main && git branch -q -D later ahead && git update-ref -d refs/remotes/origin/ahead

run 2 compare nowhere && says "unknown commit 'nowhere'"
verdict "an unknown commit" $?
run 2 compare mian && says "unknown commit 'mian'; did you mean 'main'?"
verdict "… and one that is nearly the name of a branch" $?
run 2 compare HEAD~999 && says "unknown commit 'HEAD~999': HEAD has too few ancestors"
verdict "… and one before the first" $?
# Before anything is built: the build would fail.
run 2 compare HEAD~1 --check -l 'Irr=+5%' --build=false && says "a limit on 'Irr', which irdiff does not measure" &&
	says "did you mean 'Ir'" && run 2 compare HEAD~1 --check -l 'Ir=+5% fn:(' --build=false && says 'bad pattern "("'
verdict "a limit that nothing can be judged by" $?
run 2 compare main -b shrt && says "did you mean 'short'"
verdict "an unknown benchmark" $?
run 3 compare main --build='echo it is broken; false' && says 'it is broken' && says 'status 1'
verdict "a build that fails" $?
[ -s "$(sed -n "s/.*its log is //p" "$scratch/err")" ]
verdict "… leaves its log" $?
run 3 compare main --build='echo "x.c:3: error: first"; seq -f "line %g" 60; false' && says '| x.c:3: error: first' &&
	says '| line 60' && ! says 'line 9'
verdict "… of which the first error is shown, and the end" $?
run 3 compare main --build="echo 'it is \`\`\`\` broken @all'; false" && grep -qx '`````text' .irdiff/last/report.md &&
	grep -qx 'it is ```` broken @all' .irdiff/last/report.md && grep -qx '`````' .irdiff/last/report.md
verdict "… whose output is in the report for a comment" $?
for command in compare 'compare --check' check; do
	GITHUB_STEP_SUMMARY=$scratch/summary run 3 $command HEAD~1 --format=github --step-summary --build='echo "at 100%"; false'
	[ "$(wc -l <"$scratch/out")" -eq 1 ] &&
		grep -q "^::error title=irdiff ${command%% *}%3A FAILED::.*the build of HEAD~1 ([0-9a-f]*) failed with status 1; .*%0Aat 100%25$" "$scratch/out"
	verdict "… and is an annotation of $command" $?
	grep -q "^.irdiff ${command%% *}. ended with exit code 3" "$scratch/summary" && grep -qx 'at 100%' "$scratch/summary"
	verdict "… and the summary of the step" $?
	rm -f "$scratch/summary"
done
run 3 compare main --format=github -- false &&
	[ "$(cat "$scratch/out")" = "::error title=irdiff compare%3A FAILED::$(sed 's/^irdiff: //' "$scratch/err" | sed -z 's/\n$//; s/\n/%0A/g')" ]
verdict "a benchmark that fails is an annotation in the words of its messages" $?
run 2 check no-such-commit --format=github &&
	[ "$(cat "$scratch/out")" = "::error title=irdiff check%3A FAILED::unknown commit 'no-such-commit'" ]
verdict "… and so is what was not even built" $?
run 2 merge nowhere --format=github &&
	[ "$(cat "$scratch/out")" = '::error title=irdiff merge%3A FAILED::nowhere/results.json: cannot open: No such file or directory' ]
verdict "… and what cannot be merged" $?
run 3 compare main --format=junit -o failed.xml --build='echo "at <1 %>"; false' && [ ! -s "$scratch/out" ] &&
	grep -q '<error message="nothing could be compared" type="failed">' failed.xml &&
	grep -q '^the build of main ([0-9a-f]*) failed with status 1; ' failed.xml && grep -qx 'at &lt;1 %&gt;' failed.xml
verdict "… and a failed test in JUnit's format" $?
if has xmllint "the schema of JUnit's format"; then
	xmllint --noout --nonet --schema "$junit" failed.xml 2>"$scratch/err"
	verdict "… as its schema says" $?
fi
rm -f failed.xml
no_workspace_is_left
verdict "… and nothing else" $?
run 2 compare main..HEAD -b long -- ./work && says '--bench cannot be used with -- COMMAND'
verdict "benchmarks and a command" $?
run 1 compare HEAD~1 --limit=Ir=+1% --check --format=json -- ./work 500 && says '"./work 500"'
verdict "a command is compared" $?
run 1 compare HEAD~1 --image=work --limit=Ir=+1% --check -- /bin/sh -c '/bin/true; ./work 500' &&
	run 4 compare HEAD~1 --image=nothing -- /bin/sh -c './work 500' && says nothing &&
	run 4 compare HEAD~1 --cases=irdiff -- ./work 500 && says 'irdiff_begin() and irdiff_end()' &&
	run 2 compare HEAD~1 --cases=irdiff && says '--cases requires -- COMMAND' &&
	run 2 compare HEAD~1 --cache-sim=no && says '--cache-sim requires -- COMMAND'
verdict "… the program and the cases that options name" $?
(cd "$scratch" && mkdir -p nothing && cd nothing && run 2 compare && says 'not a git repository')
verdict "no repository" $?

cat >irdiff.yml <<-END
	build: $static -g -O1 -o work work.c
	benchmarks:
	  fresh: {command: ./work 700}
	  broken: {command: ./nothing}
END
run 3 compare main && says 'broken is new: the irdiff.yml of main does not define it' && says './nothing: broken of work tree'
verdict "a benchmark that fails" $?
says 'fresh'
verdict "… takes nothing from the others" $?
says 'FAILED  broken: could not be measured at work tree'
verdict "… and is in the report" $?
for format in json:'"failed"' markdown:'FAILED' github:'::error title=broken%3A FAILED' junit:'errors="1"'; do
	run 3 compare main --format="${format%%:*}" && says "${format#*:}" && says broken
	verdict "… as ${format%%:*}" $?
done
git checkout -q -- .

# ---- killed ----

before=$(repository .)
for signal in TERM KILL; do
	rm -f "$scratch/begun"
	"$irdiff" compare main --build="touch '$scratch/begun'; sleep 60" --fresh >"$scratch/out" \
		2>"$scratch/err" </dev/null &
	pid=$! tries=0
	until [ -e "$scratch/begun" ] || [ $((tries += 1)) -gt 600 ]; do
		sleep 0.1
	done
	[ -e "$scratch/begun" ]
	verdict "a build that takes long" $?
	kill -s "$signal" "$pid"
	status=0
	wait "$pid" || status=$?
	[ "$status" -gt 128 ]
	verdict "it ends by SIG$signal" $?
done
run 0 compare main
verdict "the next one works" $?
no_workspace_is_left && [ -z "$(find .irdiff/tmp -mindepth 1)" ]
verdict "… and removes what was left" $?
[ "$(repository .)" = "$before" ] && [ -z "$(git status --porcelain)" ]
verdict "… and the repository is as it was" $?

# ---- clones ----

git clone -q --depth=1 "file://$scratch/one" "$scratch/shallow"
(cd "$scratch/shallow" && run 2 compare HEAD~1 && says 'git fetch --unshallow')
verdict "a shallow clone says what to fetch" $?
(cd "$scratch/shallow" && run 2 check && says 'fetch-depth: 0')
verdict "… and how in CI" $?

long=$scratch/a/much/longer/path/than/that/of/the/other/one
project "$long"
run 0 compare HEAD..HEAD -b short --format=json
there=$(sed -n '/"name":"Ir"/p' "$scratch/out")
cd "$scratch/one"
run 0 compare HEAD~1..HEAD -b short --format=json
cd "$long" && run 0 compare HEAD~1..HEAD -b short --format=json && mv "$scratch/out" "$scratch/long.json"
cd "$scratch/one" && run 0 compare HEAD~1..HEAD -b short --format=json
counts() {
	grep -oE '"(base|head|delta)":-?[0-9]+' "$1" | head -n 40
}
[ -n "$there" ] && [ "$(counts "$scratch/out")" = "$(counts "$scratch/long.json")" ]
verdict "__FILE__ is as long everywhere" $?

# ---- submodules, Git LFS, copied files, a project below the top ----

mkdir "$scratch/part" && cd "$scratch/part" && git init -q . && echo 'enum { PART = 200 };' >part.h &&
	git add -A && git commit -qm "Part"
mkdir "$scratch/two" && cd "$scratch/two" && git init -q . && mkdir -p inner/data
git submodule --quiet add "$scratch/part" part
printf 'data/\nwork\n' >inner/.gitignore
echo '*.bin filter=lfs' >.gitattributes
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n' >big.bin
cat >inner/work.c <<-'END'
	#include <stdio.h>
	#include "../part/part.h"
	int main(void)
	{
		unsigned sum = 0;
		FILE *from = fopen("data/input", "r");
		if (!from)
			return 1;
		for (int c; (c = getc(from)) != EOF;)
			for (int i = 0; i < PART; i++)
				sum = sum * 33 + (unsigned)c;
		return sum == 1;
	}
END
cat >inner/irdiff.yml <<-END
	build: $static -g -O1 -o work work.c
	copy: [data]
	benchmarks: {read: {command: ./work}}
END
head -c 1000 /dev/zero >inner/data/input
git add -A && git commit -qm "Two"
cd inner
run 0 compare HEAD
verdict "a project below the top, with a submodule and copied files" $?
says 'big.bin' && says 'Git LFS'
verdict "pointers of Git LFS are reported" $?
(cd ../part && echo 'enum { PART = 400 };' >part.h)
run 0 compare HEAD && says 'REGRESSION'
verdict "changes in a submodule are changes" $?
run 2 history read && says "no history of 'read' yet"
verdict "what lacks files is not recorded in the history, also not from the cache" $?
git -C ../part checkout -q -- .
head -c 2000 /dev/zero >data/input
run 0 compare HEAD && says 'NEUTRAL'
verdict "copied files are the same on both sides" $?
git clone -q "$scratch/two" "$scratch/three" && mkdir "$scratch/three/inner/data" &&
	cp data/input "$scratch/three/inner/data/"
(cd "$scratch/three/inner" && run 3 compare HEAD && says 'the submodule part')
verdict "a submodule that is not here is reported" $?

# What was measured without some files is not what the commit counts.
mkdir "$scratch/gaps" && cd "$scratch/gaps" && git init -q .
git submodule --quiet add "$scratch/part" part
cat >work.c <<-'END'
	#include <stdio.h>
	int main(void)
	{
		FILE *from = fopen("part/part.h", "r");
		unsigned sum = 0;
		for (unsigned i = 0; i < (from ? 5000 : 1000); i++)
			sum = sum * 33 + i;
		return sum == 1;
	}
END
cat >irdiff.yml <<-END
	build: $static -g -O0 -o work work.c
	benchmarks: {read: {command: ./work}}
END
echo work >.gitignore
git add -A && git commit -qm "Four"
git clone -q "$scratch/gaps" "$scratch/gaps-clone" && cd "$scratch/gaps-clone" || exit 1
entries() {
	(cd .irdiff/cache && ls -d read@* | wc -l)
}
run 0 compare HEAD && says 'the submodule part' && [ "$(entries)" -eq 1 ] &&
	run 0 compare HEAD && says 'the submodule part' && [ "$(entries)" -eq 1 ]
verdict "what lacks files is found in the cache as long as they are missing" $?
git -c protocol.file.allow=always submodule --quiet update --init &&
	run 0 compare HEAD && [ "$(entries)" -eq 2 ] && ! says 'the submodule part'
verdict "what was measured without a submodule is not used when it is there" $?

# Nor is it compared with what the cache has of all files, here of base.
mkdir "$scratch/pointers" && cd "$scratch/pointers" && git init -q .
git config filter.lfs.clean cat
git config filter.lfs.smudge "if [ -e '$scratch/objects' ]; then head -c 20000 /dev/zero; else cat; fi"
cat >work.c <<-'END'
	#include <stdio.h>
	int main(void)
	{
		FILE *from = fopen("data.bin", "r");
		unsigned sum = 0;
		while (from && getc(from) != EOF)
			for (int i = 0; i < SPEED; i++)
				sum = sum * 33 + 1;
		return sum == 1;
	}
END
cat >irdiff.yml <<-END
	build: {command: "$static -g -O0 -DSPEED=\$(cat speed) -o work work.c", shell: true}
	benchmarks: {one: {command: ./work}, two: {command: ./work 2}}
	limits: {Ir: "+1%"}
END
echo work >.gitignore && echo '*.bin filter=lfs -text' >.gitattributes
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 20000\n' 0 >data.bin
echo 1 >speed && git add -A && git commit -qm "Five"
echo 10 >speed && git commit -qam "Slower"
touch "$scratch/objects"
run 1 check HEAD~..HEAD
rm -r .irdiff/cache/*@"$(git rev-parse --short=10 HEAD)"* "$scratch/objects"
run 1 check HEAD~..HEAD && [ "$(grep -c REGRESSION "$scratch/out")" -eq 2 ]
verdict "what was measured with all files is not compared with what lacks some" $?
rm -r .irdiff/cache/one@* .irdiff/cache/two@"$(git rev-parse --short=10 HEAD)"*
run 1 check HEAD~..HEAD -j1 && [ "$(grep -c REGRESSION "$scratch/out")" -eq 2 ]
verdict "… nor if the files of base are seen to be missing after some were found" $?

# As many other files may be missing later.
git config filter.lfs.smudge "if [ %f = \$(cat '$scratch/object') ]; then head -c 20000 /dev/zero; else cat; fi"
cp data.bin also.bin && cp data.bin last.bin && git add -A && git commit -qm "More" && rm -r .irdiff/cache
for there in last.bin data.bin last.bin; do
	echo "$there" >"$scratch/object"
	run 0 compare HEAD --bench=one && says '2 files of ' && (cd .irdiff/cache && ls -d one@* | wc -l)
done >"$scratch/entries"
[ "$(tr '\n' ' ' <"$scratch/entries")" = '1 2 2 ' ]
verdict "what lacks some files is not used where it lacks others" $?
cd "$scratch/two/inner" || exit 1

# ---- what must not be taken for something else ----

mkdir "$scratch/four" && cd "$scratch/four" && git init -q .
printf 'int main(void) { for (volatile int i = 0; i < 1000; i++); return 0; }\n' >work.c
cat >irdiff.yml <<-END
	build: {command: echo built >>'$scratch/builds'; $static -g \$OPT -o work work.c, shell: true}
	benchmarks: {b: {command: ./work}}
END
echo work >.gitignore
git add -A && git commit -qm "One"
sed -i 's/1000/2000/' work.c
run 0 compare HEAD && says 'REGRESSION'
verdict "a change as young as the index is seen" $?
git commit -qam "Two"
OPT=-O0 run 0 compare HEAD~1..HEAD && cp "$scratch/out" "$scratch/slow" &&
	OPT=-O2 run 0 compare HEAD~1..HEAD && ! cmp -s "$scratch/out" "$scratch/slow"
verdict "variables that a build may heed are heeded" $?
run 0 compare HEAD~1..HEAD && : >"$scratch/builds" &&
	TERM_PROGRAM_VERSION=9 SHLVL=77 STY=1 BUILD_NUMBER=5 SLURM_ARRAY_TASK_ID=3 ENVIRONMENT=BATCH TMPDIR=/tmp/ PARALLEL_SEQ=3 JOB_COMPLETION_INDEX=2 run 0 compare HEAD~1..HEAD && [ "$(built)" -eq 0 ] &&
	BUILD_TYPE=fast run 0 compare HEAD~1..HEAD && [ "$(built)" -eq 2 ]
verdict "… but not those that terminals and CI systems set anew each time" $?
touch -d 2020-01-01 work.c
run 1 check
verdict "a file that was only touched has not changed" $?
run 0 profile --label "b@$(git rev-parse --short=10 HEAD)" -- /bin/true
run 0 compare HEAD~1..HEAD --format=json && says '"./work"' && ! says '/bin/true'
verdict "a label of that name is not what was measured" $?
run 2 compare HEAD~1..HEAD -- "$PWD/work" && says 'use a relative path'
verdict "a program of the work tree is not both sides" $?
run 2 compare '' && says 'the range of commits is empty'
verdict "an empty word is no range" $?

mkdir "$scratch/elsewhere" && echo mine >"$scratch/elsewhere/input"
ln -s "$scratch/elsewhere" data
git add -f data && git commit -qm "A link"
rm data && mkdir data && echo copied >data/input
printf 'data\n' >>.gitignore
sed -i '1i copy: [data]' irdiff.yml
git add -A && git rm -q --cached data 2>/dev/null
git commit -qam "No link"
run 2 compare HEAD~1..HEAD && says 'through a symbolic link' && [ "$(cat "$scratch/elsewhere/input")" = mine ]
verdict "what is copied does not leave the project" $?
mkfifo data/pipe
run 2 compare HEAD && says 'not a regular file'
verdict "a pipe is not copied" $?
rm data/pipe && ln -s nowhere data/link && ln -s . data/dot
run 0 compare HEAD
verdict "links are copied as links" $?

mkdir "$scratch/stubborn" && cd "$scratch/stubborn" && git init -q .
printf 'benchmarks: {b: {command: ./work}}\nbuild: {command: %s -o work work.c; mkdir -p a/b; touch a/b/c; chmod 0 a/b a, shell: true}\n' \
	"$static" >irdiff.yml
echo 'int main(void) { return 0; }' >work.c
git add -A && git commit -qm "One"
run 0 compare HEAD && no_workspace_is_left
verdict "what a build has locked is removed" $?

# Once, whatever is missing on both sides; not where there is a build.
mkdir "$scratch/unbuilt" && cd "$scratch/unbuilt" && git init -q .
printf 'benchmarks: {a: {command: ./a, tags: [slow]}, b: {command: ./b}}\n' >irdiff.yml
git add -A && git commit -qm "One" && git commit -q --allow-empty -m "Two"
run 3 compare HEAD~1..HEAD && [ "$(grep -cF 'nothing was built before measuring, because irdiff.yml has no build:' "$scratch/err")" -eq 1 ]
verdict "that nothing is built is said once" $?
echo 'build: "true"' >>irdiff.yml && git commit -qam "Three"
run 3 compare HEAD && ! says 'nothing was built before measuring' && says './a: a of ' && says 'the build did not create it' &&
	! says '/var/tmp'
verdict "… and not after a build, which has not made it" $?

run 3 compare HEAD -b tag:slow && says './a: a of ' && ! says './b'
verdict "a tag stands for the benchmarks that have it" $?
run 2 compare HEAD -b tag:slwo && says "no benchmark has the tag 'slwo'; did you mean 'slow'?"
verdict "… and one that none has is an error" $?
run 2 check --baseline=main -b tag:slow && says '--bench=tag:slow cannot be used with --baseline, which has no tags'
verdict "… as is one where tags are not known" $?

# The first commit with an irdiff.yml: nothing of base can be run, and nothing failed.
mkdir "$scratch/first" && cd "$scratch/first" && git init -q .
echo 'int main(void) { return 0; }' >work.c
git add -A && git commit -qm "Zero" && git tag zero
cat >irdiff.yml <<-END
	build: {command: "[ ! -f more.c ] || { $static -o a more.c && cp a b; }", shell: true}
	benchmarks: {a: {command: ./a}, b: {command: ./b}}
END
cp work.c more.c && git add -A && git commit -qm "One"
for jobs in 1 2; do
	run 0 check zero..HEAD --jobs=$jobs --fresh && says 'NEW  a' &&
		[ "$(cat "$scratch/err")" = 'irdiff: a and 1 more are new: zero has no irdiff.yml, and their programs do not exist there' ]
	verdict "what base lacks before it has an irdiff.yml is said once, $jobs at a time" $?
done
run 1 check zero..HEAD --require-base
verdict "… and fails where a base is required" $?
sed -i 's/b: {command: .*}/b: {command: test -f more.c}}/' irdiff.yml && git commit -qam "Two"
run 0 check zero..HEAD && says 'a is new: zero has no irdiff.yml, and its program does not exist there' &&
	says 'b of zero' && says 'warning: b cannot be measured at zero and counts as new: zero has no irdiff.yml'
verdict "… but another failure is reported" $?
sed -i 's/test -f more.c/false/' irdiff.yml && git commit -qam "Worse"
run 3 check zero..HEAD -b b && says 'b of zero' && says 'b of HEAD' && ! says ' new'
verdict "… and what fails at head as well is not said to be new" $?
git reset -q --hard HEAD~1
git rm -q more.c && git commit -qm "Three"
run 3 check HEAD~1..HEAD -b a && says './a: a of HEAD' && says 'the build did not create it'
verdict "… as is a program that head lacks" $?
git checkout -q HEAD~1 -- . && git commit -qm "Four" && git tag four
git rm -q more.c && echo 'benchmarks: [' >irdiff.yml && git commit -qam "Bad" && git tag bad && git checkout -q four
run 0 check bad..four -b a && says 'ignoring the irdiff.yml of bad' && says './a: a of bad' &&
	says 'a cannot be measured at bad and counts as new: the irdiff.yml of bad cannot be read'
verdict "… and one that a bad irdiff.yml may define" $?

# What cannot be read of a repository is no reason to take a benchmark for new.
mkdir "$scratch/unreadable" && cd "$scratch/unreadable" && git init -q . && echo one >data && git add data &&
	git commit -qm "One" && git tag one
object=$(git rev-parse one:data)
echo 'benchmarks: {a: {command: /bin/true}}' >irdiff.yml && echo two >data && git add -A && git commit -qm "Two"
rm -f ".git/objects/$(echo "$object" | cut -c1-2)/$(echo "$object" | cut -c3-)"
for jobs in 1 2; do
	run 2 check one..HEAD --jobs=$jobs && [ "$(grep -c "$object" "$scratch/err")" -eq 1 ]
	verdict "a base whose files cannot be read fails, and says so once, $jobs at a time" $?
done

# What older commits do not have, as it came later. The program that is missing is not copied.
cd "$scratch/unbuilt" && mkdir bench && echo one >bench/more && echo word >bench/input
cp /bin/true ./a && chmod +x a
printf 'benchmarks: {a: {command: ./a}, b: {command: cat bench/more bench/input}}\n' >irdiff.yml
printf '.irdiff\na\n' >.gitignore && git add -A && git commit -qm "Four"
run 3 history --measure=HEAD~3..HEAD b
grep -F 'does not have bench/more, bench/input, but the work tree does; list them in copy:' "$scratch/err" >said
[ "$(wc -l <said)" -eq 1 ] && says '2 more commits failed in the same way'
verdict "files that came later are named, with copy:, once in a range" $?
run 3 history --measure=HEAD~1..HEAD a && ! says 'but the work tree does'
verdict "… but no programs" $?
sed -i '1i copy: [bench/more, bench/input]' irdiff.yml && git commit -qam "Five"
run 0 history --measure=HEAD~3..HEAD b && says '0 skipped' && ! says 'has its own'
verdict "… and get there, and those that have the same are not worth a note" $?
sed -i '1s/.*/build: "true"/' irdiff.yml && echo bench >>.gitignore && git rm -qr --cached bench && git add -A && git commit -qm "Six"
run 3 compare HEAD~1..HEAD -b b && says 'bench/input, but the work tree does; unless the build should make them, list them in copy:'
verdict "… but a build may have to make what git ignores" $?
sed -i '1s/.*/build: {shell: true, command: "mkdir -p bench; echo word >bench\/input; echo one >bench\/more"}/' irdiff.yml
git commit -qam "Seven" && run 3 compare -j2 HEAD~1..HEAD -b b && ! says "list them in copy:"
verdict "… as the build of another commit does" $?

# Of one edit, what a benchmark inlines shows in another form than where it is called.
mkdir "$scratch/forms" && cd "$scratch/forms" && git init -q .
cat >mix.h <<-'END'
	static int mix(const int *v, int n)
	{
		int s = 0;
		for (int i = 0; i < n; i++)
			s += v[i] * 3;
		return s;
	}
END
cat >work.c <<-'END'
	#include "mix.h"
	int main(int argc, char **argv)
	{
		(void)argv;
		static int data[100];
		volatile int sum = 0;
		for (int i = 0; i < 1000; i++)
			sum += mix(data, 60 + i % 3 + argc);
		return 0;
	}
END
cat >irdiff.yml <<-END
	build: {command: '$compiler -g -O1 -fno-inline -o called work.c && $compiler -g -O2 -o inlined work.c', shell: true}
	benchmarks: {a: {command: ./called}, b: {command: ./inlined}}
	limits: {Ir: "+1%"}
END
git add -A && git commit -qm "One"
sed -i 's|return s;|return s ^ (n / 3) ^ (n % 7);|; s/^static/__attribute__((noinline)) static/' mix.h
git commit -qam "Two"
run 1 check HEAD~1..HEAD && grep -q '^  mix: edited, +[0-9,]* Ir ([0-9.]*% of the changes) at mix.h:[0-9] in 2 benchmarks: a, b$' "$scratch/out"
verdict "one edit that shows in two forms is one cause" $?
run 1 check HEAD~1..HEAD --format=markdown && says '`mix` was edited and costs more, in 2 benchmarks'
verdict "… in Markdown, too" $?

cd "$scratch/four" && rm -rf .irdiff/cache/failed && ln -s "$scratch/elsewhere" .irdiff/cache/failed
run 2 cache prune --all && [ -f "$scratch/elsewhere/input" ]
verdict "the cache is pruned in the project only" $?

# ---- the cache ----

cd "$scratch/one"
run 0 cache list && says "long@$(git rev-parse --short=10 HEAD)"
verdict "the cache lists what was measured" $?
run 0 cache prune --all && run 0 cache list && says '0 entries'
verdict "… and forgets it" $?

echo "$failures failed"
[ "$failures" -eq 0 ]
