# Sourced by tests:  . "$(dirname "$0")/scratch.sh"
#
# Sets irdiff, source_dir and compiler, and makes a directory $scratch that goes at the end. `check`
# counts what was tried, `skip` says what is not (tests/skip.sh), `finish` ends the test.

. "$(dirname "$0")/skip.sh"

LC_ALL=C.UTF-8
export LC_ALL
source_dir=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")
compiler=${CC:-gcc}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-test.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
passed=0 failed=0

# Valgrind reads a program that has no shared libraries, and their debug information, in a fifth of
# the time: this compiler is for programs of which only their own code matters.
static=$compiler
if echo 'int main(void) { return 0; }' | $compiler -static -x c -o "$scratch/empty" - 2>/dev/null; then
	static="$compiler -static"
	rm "$scratch/empty"
fi

# make_lean: sets $lean, a compiler of programs that are dynamic and start in half the time, as nothing
# leads from their copy of the C library to its debug information.
make_lean() {
	lean=$compiler
	mkdir "$scratch/lean"
	echo 'int main(void) { return 0; }' | $compiler -x c -o "$scratch/empty" -
	for file in $(ldd "$scratch/empty" 2>/dev/null | sed -n 's#.*[[:space:]]\(/.*\) (.*#\1#p'); do
		objcopy -R .note.gnu.build-id -R .gnu_debuglink "$file" "$scratch/lean/${file##*/}" 2>/dev/null || return 0
	done
	loader=$(cd "$scratch/lean" && ls -d "$PWD"/ld* 2>/dev/null)
	[ -n "$loader" ] || return 0
	lean="$compiler -Wl,--dynamic-linker=$loader -Wl,-rpath,$scratch/lean"
	echo 'int main(void) { return 0; }' | $lean -x c -o "$scratch/empty" - && "$scratch/empty" || lean=$compiler
}

# needs PROGRAM...: what a test cannot do without.
needs() {
	for tool; do
		command -v "$tool" >/dev/null || skip_all "$tool is not installed"
		# A shim in front of Python takes longer than what is mostly asked of it.
		if [ "$tool" = python3 ]; then
			python=$(command python3 -c 'import sys; print(sys.executable)')
			python3() {
				"$python" "$@"
			}
		fi
	done
}

# Whether irdiff has left nothing outside of the project. What is in use belongs to another test, and what
# one has left that was killed is gone when it runs again. flock makes a file of a name that is there no more,
# which nobody removes; below it, it cannot.
no_workspace_is_left() {
	for _ in $(seq 600); do
		left=$(find /var/tmp /tmp -mindepth 2 -maxdepth 2 -path "*/irdiff-$(printf %010d "$(id -u)")/*" \
			-exec flock -n {}/. true \; -print 2>/dev/null)
		[ -n "$left" ] || return 0
		sleep 0.1
	done
	return 1
}

# check WHAT COMMAND...
check() {
	what=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $what"
		(cd "$scratch" && sed 's/^/  | /' out err 2>/dev/null)
	fi
}

finish() {
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ]
	exit
}
