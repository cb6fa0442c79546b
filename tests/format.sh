#!/bin/sh
# Usage: tests/format.sh [--fix]
#
# Every C file is formatted as .clang-format says, and its comments are at most 100 columns wide, which clang-format
# leaves to their authors. Lines with a text in quotes may be longer, so that a search finds a message. Versions of clang-format differ, so it is version 14, which Debian
# 12 has; where that is not installed, this is skipped. --fix formats what is not, except comments.
set -eu
. "$(dirname "$0")/skip.sh"
cd "${srcdir:-.}"

files() {
	find src callgrind freeze tests/unit tests/bench tests/fuzz -name '*.[ch]' ! -path '*/planted/*' -print0
}

# Tabs go to the next multiple of 8; of a character of UTF-8 the first byte counts.
files | LC_ALL=C xargs -0 -n 200 awk '
length >= 40 && (!/"/ || /^[ \t]*\/?\*/) {
	text = $0
	gsub(/[\200-\277]/, "", text)
	columns = 0
	while (at = index(text, "\t")) {
		columns += at - 1
		columns += 8 - columns % 8
		text = substr(text, at + 1)
	}
	columns += length(text)
	if (columns > 100) {
		printf "%s:%d: %d columns, more than 100\n", FILENAME, FNR, columns
		long = 1
	}
}
END { exit long }'

formatter=$(command -v clang-format-14 || command -v clang-format || :)
case $([ -z "$formatter" ] || "$formatter" --version) in
*"version 14."*) ;;
*)
	skip_all "clang-format 14 is not installed"
	;;
esac
how='--dry-run -Werror'
[ "${1-}" != --fix ] || how=-i
files | xargs -0 -n 50 "$formatter" $how --style=file
echo "every file is formatted"
