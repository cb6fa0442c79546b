#!/bin/sh
# Usage: tests/globals.sh [LIBRARY...]
#
# Fails when a library of the build (by default both) holds a variable that outlives the functions
# and can be written: no mutable globals, and no mutable statics either. Skipped in instrumented
# builds, which add variables of their own.
set -eu
. "$(dirname "$0")/skip.sh"
LC_ALL=C
export LC_ALL
[ $# -gt 0 ] || set -- libcgprofile.a libirdiff.a

symbols=$(objdump -t "$@")
case $symbols in
*__asan_* | *__ubsan_* | *__gcov_*)
	skip_all "this build is instrumented, which adds variables"
	;;
esac

# A line is "ADDRESS FLAGS SECTION<tab>SIZE NAME"; the flag d marks the section's own symbol.
# Constants with addresses in them lie in .data.rel.ro.
printf '%s\n' "$symbols" | awk -F '\t' '
/file format/ { file = $1; sub(/:.*/, "", file) }
NF == 2 {
	n = split($1, field, " ")
	section = field[n]
	if (section !~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ || section ~ /^\.data\.rel\.ro/)
		next
	if (n > 2 && field[n - 1] == "d")
		next
	split($2, name, " ")
	print file ": " name[2] " can be written"
	variables++
}
END { exit variables > 0 }'
