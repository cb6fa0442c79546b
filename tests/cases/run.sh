#!/bin/sh
# Usage: tests/cases/run.sh [--update] [CASE...]
#
# Runs golden cases of the command line: all of this directory, or those named. A case is a text
# file that reads like a terminal session:
#
#	Words about the case, up to the first command.
#	$ irdiff show nonsense
#	irdiff: nonsense: no such file
#	[exit 2]
#	$ cat >limits.yml <<END
#	> limits: {Ir: "+1%"}
#	> END
#
# "$ " starts a command, "> " right below it continues it. What follows, up to the next command,
# is what it prints, stdout and stderr as they come, to the byte; then "[exit N]" if the exit
# status N is not 0. "[no newline at end]" follows output that lacks one. The commands of a case
# share one shell, a directory of their own and nothing else: the environment is empty but for
# the variables set below.
#
# In the output, the paths of $DATA (tests/data) and $WORK (where the case runs) appear as these
# words. $DATA is a link beside $WORK, so that its length, which decides where a report shortens a
# name, does not depend on where the sources are. --update rewrites what the commands print; read the difference before keeping it. A case
# in which nothing is expected fails, so that none passes for want of being written.
#
# IRDIFF is the program to test, ./irdiff if not set.
set -eu
LC_ALL=C
export LC_ALL

fail_usage() {
	echo "run.sh: $*" >&2
	exit 2
}

here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
data=$(CDPATH='' cd "$here/../data" 2>/dev/null && pwd) || data=/nonexistent
irdiff=${IRDIFF:-./irdiff}
update=no
if [ "${1:-}" = --update ]; then
	update=yes
	shift
fi
[ $# -gt 0 ] || set -- "$here"/*.case
[ -x "$irdiff" ] || fail_usage "$irdiff is not a program: build it, or say where it is with IRDIFF="
irdiff=$(CDPATH='' cd "$(dirname "$irdiff")" && pwd)/$(basename "$irdiff")

scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-case.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
scratch=$(CDPATH='' cd "$scratch" && pwd -P)

# Turns the case $2 into the shell script $1/script, which runs command N with its output in
# $1/out.N and its status in $1/status.N. Prints how many commands there are and how many lines
# are expected of them.
split_case() {
	awk -v script="$1/script" '
	function finish() {
		if (n)
			printf "\n} >$CASE/out.%d 2>&1 </dev/null\necho $? >$CASE/status.%d\n", n, n >script
	}
	/^\$ / { finish(); n++; in_command = 1; print "{ :" >script; print substr($0, 3) >script; next }
	in_command && /^>( |$)/ { print substr($0, 3) >script; next }
	n { in_command = 0; expected++ }
	END { finish(); print n + 0, expected + 0 }' "$2"
}

# What command $2 of the case that ran in $1 printed, as it stands in a case file; fails if it
# could not be told from the case's own lines.
output_of() {
	awk -v data="$1/data" -v linked="$data" -v work="$1/work" '
	function replace(line, path, word,    at, out) {
		while ((at = index(line, path))) {
			out = out substr(line, 1, at - 1) word
			line = substr(line, at + length(path))
		}
		return out line
	}
	/^\$ / || (NR == 1 && /^>( |$)/) { ambiguous = 1 }
	{ print replace(replace(replace($0, data, "$DATA"), linked, "$DATA"), work, "$WORK") }
	END { exit ambiguous }' "$1/out.$2" || {
		echo "[output that looks like a command: pipe it through sed]"
		return 1
	}
	if [ -s "$1/out.$2" ] && [ -n "$(tail -c 1 "$1/out.$2" | tr '\0' x)" ]; then
		echo "[no newline at end]"
	fi
	read -r status <"$1/status.$2"
	[ "$status" -eq 0 ] || echo "[exit $status]"
}

# Prints the case $2 with what its commands printed in place of what they should have.
actual_case() {
	awk -v dir="$1" '
	function result(    line) {
		while ((getline line <(dir "/result." n)) > 0)
			print line
	}
	/^\$ / { if (n) result(); n++; in_command = 1; print; next }
	!n || (in_command && /^>( |$)/) { print; next }
	{ in_command = 0 }
	END { result() }' "$2"
}

# Runs the case $1 in the new directory $2; prints nothing if it passes.
run_case() {
	mkdir -p "$2/work" "$2/home" "$2/bin" "$2/tmp"
	ln -s "$irdiff" "$2/bin/irdiff"
	ln -s "$data" "$2/data"
	split_case "$2" "$1" >"$2/counts"
	read -r commands expected <"$2/counts"
	if [ "$commands" -eq 0 ]; then
		echo "$1: no command"
		return 1
	fi
	if [ "$expected" -eq 0 ] && [ "$update" = no ]; then
		echo "$1: nothing is expected: run it with --update and read what it wrote"
		return 1
	fi

	(
		cd "$2/work"
		exec env -i PATH="$2/bin:/usr/local/bin:/usr/bin:/bin" HOME="$2/home" \
			TMPDIR="$2/tmp" LC_ALL=C TZ=UTC0 TERM=dumb \
			CASE="$2" WORK="$2/work" DATA="$2/data" \
			GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES="$2" \
			GIT_AUTHOR_NAME=author GIT_AUTHOR_EMAIL=author@example.org \
			GIT_AUTHOR_DATE='2001-02-03T04:05:06Z' \
			GIT_COMMITTER_NAME=author GIT_COMMITTER_EMAIL=author@example.org \
			GIT_COMMITTER_DATE='2001-02-03T04:05:06Z' \
			ASAN_OPTIONS="${ASAN_OPTIONS:-}" UBSAN_OPTIONS="${UBSAN_OPTIONS:-}" \
			/bin/sh "$2/script"
	) >"$2/shell" 2>&1 || :

	i=1
	while [ "$i" -le "$commands" ]; do
		if [ ! -s "$2/status.$i" ]; then
			echo "$1: the shell ended in command $i"
			cat "$2/shell"
			return 1
		fi
		if ! output_of "$2" "$i" >"$2/result.$i"; then
			echo "$1: command $i:"
			cat "$2/result.$i"
			return 1
		fi
		i=$((i + 1))
	done
	actual_case "$2" "$1" >"$2/actual"
	cmp -s "$1" "$2/actual" && return 0
	if [ "$update" = yes ]; then
		cat "$2/actual" >"$1"
		echo "$1: rewritten"
		return 0
	fi
	diff -u -L "$1, expected" -L "$1, actual" "$1" "$2/actual" || :
	return 1
}

passed=0 failed=0
for case; do
	[ -f "$case" ] || fail_usage "no case $case"
	if run_case "$case" "$scratch/$((passed + failed))"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
