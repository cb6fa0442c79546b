#!/bin/sh
# Usage: tests/same-program.sh
#
# Two commits of different sources that run one program are compared with a warning: it was copied to both,
# or is not what build: makes.
set -u
. "$(dirname "$0")/repository.sh"
needs valgrind

mkdir "$scratch/project"
cd "$scratch/project"
git init -q .
mkdir elsewhere

# commit LOOPS WORDS: work.c with so many, and a README with these.
commit() {
	cat >work.c <<-END
		int main(void)
		{
			volatile int sum = 0;
			for (int i = 0; i < $1; i++)
				sum += i;
			return 0;
		}
	END
	echo "$2" >README
	git add -A && git commit -qm "$2"
}

# configured LINES...: irdiff.yml has them.
configured() {
	printf '%s\n' "$@" 'benchmarks:' '  b: {command: ./work}' >irdiff.yml
}

printf 'work\nelsewhere/\nprofiles/\n.irdiff/\n' >.gitignore
configured 'copy: [work]'
commit 1000 one
commit 50000 two

# ---- copied ----

$static -g -O1 -o work work.c
run 4 check HEAD~1..HEAD -j1 && says INCONCLUSIVE && says 'WARNING: Base and head ran the same program, work, although their sources differ: it was copied to both.'
verdict "a program that is copied to both sides" $?
says 'remove it from copy:'
verdict "… with what to do" $?
run 4 check HEAD~1..HEAD && says 'ran the same program'
verdict "… also of what was measured before" $?
grep -q '^desc: irdiff.run.copied: work$' .irdiff/cache/b@*/profile.callgrind
verdict "… as the profile says" $?
run 4 check HEAD~1..HEAD -j2 --fresh && says 'it was copied to both'
verdict "… where another process measured it" $?
$static -O1 -s -o work work.c
run 0 check HEAD~1..HEAD && says 'it was copied to both'
verdict "without debug information" $?
run 0 check HEAD~1..HEAD --format=json && says '"id":"same-program"' && says '"effect":"warning"'
verdict "as json" $?
run 0 check HEAD~1..HEAD --format=markdown && says 'ran the same program, work'
verdict "as markdown" $?
run 0 check HEAD~1..HEAD --format=github && says '::warning title=b%3A same-program::'
verdict "as github" $?
run 0 check HEAD~1..HEAD --format=junit && says 'ran the same program, work'
verdict "as junit" $?

# ---- made of other files than those beside it ----

cp work.c elsewhere/work.c
configured "build: {command: '$static -g -O1 -o work -ffile-prefix-map=$PWD/elsewhere=. $PWD/elsewhere/work.c', shell: true}"
git commit -qam 'Build of other files'
commit 60000 three
run 0 check HEAD~1..HEAD -j1 && says 'ran the same program, work, although their sources differ.' && says 'Check that build: in irdiff.yml builds it'
verdict "a program that is made of other files" $?

# ---- what is no such thing ----

configured "build: {command: '$static -g -O1 -o work work.c', shell: true}"
commit 1000 four
commit 1010 five
run 0 check HEAD~1..HEAD && ! says 'ran the same program'
verdict "a program that is built on each side" $?
commit 1010 six
run 0 check HEAD~1..HEAD && ! says 'ran the same program'
verdict "a commit that changes no source of it" $?
echo '/* A comment. */' >>work.c && git commit -qam 'Comment'
run 0 check HEAD~1..HEAD && ! says 'ran the same program'
verdict "a commit that changes a comment" $?
printf 'benchmarks:\n  b: {command: "true"}\n' >irdiff.yml
commit 1010 seven
commit 1020 eight
run 0 check HEAD~1..HEAD && ! says 'ran the same program'
verdict "a program that is not the project's" $?

[ "$failures" -eq 0 ]
