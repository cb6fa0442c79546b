#!/bin/sh
# Usage: tests/exits.sh
#
# The exit code of every command where Valgrind is missing, and where there is no room for what it writes: on
# standard output, in a file, on the disk of the project. irdiff(1) says what codes mean.
set -u
# A disk of a few pages needs mounts that only this test sees.
if [ -z "${OWN_MOUNTS:-}" ] && unshare -m true 2>/dev/null; then
	OWN_MOUNTS=yes exec unshare -m sh "$0"
fi
. "$(dirname "$0")/repository.sh"
needs valgrind
if grep -qa '__asan_init\|__tsan_init' "$irdiff"; then
	skip_all "this is built with a sanitizer, which needs more than a small disk"
fi

# project: in the directory that it is, with profiles `plain` and `old`, a baseline x, and a comparison.
project() {
	cat >main.c <<-'END'
		int main(void)
		{
			for (volatile int i = 0; i < ROUNDS; i++)
				;
			return 0;
		}
	END
	cat >irdiff.yml <<-END
		build: {command: "$static -g -O1 -DROUNDS=\$(cat rounds) -o prog main.c", shell: true}
		benchmarks: {plain: {command: ./prog}}
		limits: {Ir: "+1%"}
	END
	printf '/prog\n/profiles/\n/baselines/\n' >.gitignore
	git init -q .
	for rounds in 1000 2000; do
		echo $rounds >rounds
		git add -A
		git commit -qm "$rounds rounds"
		$static -g -O1 -DROUNDS=$rounds -o prog main.c
		"$irdiff" profile plain >/dev/null
		cp profiles/plain.callgrind ../old.callgrind.new
		[ $rounds = 2000 ] || mv ../old.callgrind.new ../old.callgrind
	done 2>/dev/null
	"$irdiff" baseline save x plain >/dev/null
	"$irdiff" check HEAD~1 >/dev/null 2>&1
	[ $? -eq 1 ] || echo "FAILED  the project is not as it should be"
}

# All that measures.
measuring='profile plain
profile --label=other -- ./prog
compare HEAD~1 --fresh
compare HEAD~1 --fresh --jobs=2
check HEAD~1 --fresh
check --baseline=x --fresh
verify plain'
# All that writes a file, ../report but for what has a place of its own.
writing='show plain --output=../report
diff ../old.callgrind plain --output=../report
report ../old.callgrind plain --output=../report
flame plain --output=../report
convert plain ../report.json --to=speedscope
baseline save other plain
baseline accept --why=why
init --force'
# All that writes to standard output.
printing='show plain
diff ../old.callgrind plain
report ../old.callgrind plain --format=text
flame plain --output=-
convert plain - --to=speedscope
check HEAD~1
compare HEAD~1
verify plain
doctor
history
history --export
cache list
baseline list
--help
--version
show --help'

# table CODE WHAT COMMANDS HOW: all of them, called by HOW, end with this code.
table() {
	echo "$3" | while read -r line; do
		got=0
		# Its words.
		"$4" $line </dev/null >"$scratch/out" 2>&1 || got=$?
		rm -rf ../report ../report.json baselines/other irdiff-accepted.yml .irdiff/cache/failed/*
		git checkout -q .
		[ "$got" -eq "$1" ] || echo "$got irdiff $line: $(head -n 1 "$scratch/out")"
	done >"$scratch/wrong"
	cp "$scratch/wrong" "$scratch/out"
	: >"$scratch/err"
	[ ! -s "$scratch/wrong" ]
	verdict "$2" $?
}

without_stdout() {
	"$irdiff" "$@" >/dev/full
}

# No file may have a byte.
without_files() {
	(
		ulimit -f 0
		exec "$irdiff" "$@" >/dev/null 2>&1
	)
}

# All but so many pages of the disk are used.
without_disk() {
	head -c 100000000 /dev/zero >../p/fill 2>/dev/null
	truncate -s -$((pages * 4096)) ../p/fill
	code=0
	"$irdiff" "$@" >/dev/null 2>"$scratch/said" || code=$?
	rm -f ../p/fill
	cat "$scratch/said"
	return $code
}

mkdir "$scratch/p"
mounted=no
if [ -n "${OWN_MOUNTS:-}" ] && mount -t tmpfs -o size=32m none "$scratch/p" 2>/dev/null; then
	mounted=yes
	trap 'cd /; umount "$scratch/p"; rm -rf "$scratch"' EXIT
fi
cd "$scratch/p" || exit 1
project

IRDIFF_VALGRIND=/nonexistent/valgrind
export IRDIFF_VALGRIND
table 4 "without Valgrind all that measures ends with 4" "$measuring
bisect plain --good=HEAD~1 --bad=HEAD
history --measure=HEAD~1..HEAD
doctor
doctor plain" "$irdiff"
unset IRDIFF_VALGRIND

if [ -c /dev/full ]; then
	table 3 "without room on standard output all that prints ends with 3" "$printing" without_stdout
else
	skip "standard output without room" "there is no /dev/full"
fi
table 3 "without room for a file all that writes one ends with 3" "$writing" without_files

if [ $mounted = yes ]; then
	for pages in 0 6; do
		table 3 "with $pages pages left on the disk all that measures ends with 3" "$measuring" without_disk
	done
else
	skip "a full disk" "mounts are refused here"
fi
[ "$failures" -eq 0 ]
