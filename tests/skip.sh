# Sourced by tests:  . "$(dirname "$0")/skip.sh"
#
# What a test does not try is said in one form, "SKIP: WHAT: WHY", which tests/summary.sh looks for in the
# logs and repeats at the end. It is said only of what this machine lacks or refuses.

# skip WHAT WHY
skip() {
	echo "SKIP: $1: $2"
}

# skip_all WHY: ends the test.
skip_all() {
	skip "all of it" "$1"
	exit 77
}

# has PROGRAM WHAT: fails, and says so, where WHAT cannot be tried for want of the program.
has() {
	command -v "$1" >/dev/null || {
		skip "$2" "$1 is not installed"
		return 1
	}
}

# needs PROGRAM...: what a test cannot do without.
needs() {
	for tool; do
		command -v "$tool" >/dev/null || skip_all "$tool is not installed"
	done
}
