#!/bin/sh
# Usage: tests/embed.sh
#
# What build-aux/embed.sh turns into C is, compiled, the same bytes again.
set -eu
LC_ALL=C
export LC_ALL

embed=$(CDPATH='' cd "$(dirname "$0")/../build-aux" && pwd)/embed.sh
CC=${CC:-cc}
directory=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-embed.XXXXXX")
trap 'rm -rf "$directory"' EXIT
trap 'exit 130' INT TERM HUP
cd "$directory"
failures=0

cat >print.c <<'END'
#include <stdio.h>
extern const char bytes[];
extern const size_t bytes_size;
int main(void)
{
	return bytes[bytes_size] != 0 || fwrite(bytes, 1, bytes_size, stdout) != bytes_size;
}
END

# same WHAT FILE...: for chars with and without a sign, and no warning.
same() {
	what=$1
	shift
	sh "$embed" bytes "$@" >bytes.c
	for sign in -fsigned-char -funsigned-char; do
		if ! $CC -Wall -Wextra -Wpedantic -Werror "$sign" -o print print.c bytes.c ||
			! ./print >got || ! cat "$@" | cmp - got; then
			echo "FAIL: $what ($sign)"
			failures=$((failures + 1))
		fi
	done
}

# refused WHAT EXIT-CODE ARGUMENTS...
refused() {
	what=$1 expected=$2 code=0
	shift 2
	sh "$embed" "$@" >bytes.c 2>message || code=$?
	if [ "$code" -ne "$expected" ] || ! [ -s message ]; then
		echo "FAIL: $what: exit code $code instead of $expected"
		failures=$((failures + 1))
	fi
}

: >empty
awk 'BEGIN { for (i = 0; i < 256; i++) printf "%c", i }' </dev/null >every # without 0 in some awks
printf '\000\r\n\\"%%\377??/\n' >hostile
printf 'no line end' >open
awk 'BEGIN { for (i = 0; i < 5000; i++) print "line " i " of more than a string may have" }' >long

same "an empty file" empty
same "bytes of every value" every hostile
same "a file without line end" open
same "several files" open empty hostile
same "a long file" long
refused "no file" 2 bytes
refused "a name that is none" 2 1st open
refused "a missing file" 1 bytes open missing
refused "a directory" 1 bytes .
exit "$failures"
