#!/bin/sh
# Usage: tests/planted.sh
#
# The benchmark of causes works: in the program of data/demo each planted function is named first.
set -eu
. "$(dirname "$0")/skip.sh"
LC_ALL=C
export LC_ALL

needs jq valgrind gcc

# A line of a case: name, kind, d, d self, perhaps "=", and the rank.
table=$(sh "${srcdir:-.}/tests/bench/planted.sh" --case='demo-*')
echo "$table"
echo "$table" | awk '
	/^demo-/ { cases++; first += $5 == "=" ? $6 == 1 : $5 == 1 }
	END {
		if (cases < 3 || first < cases) {
			print first + 0 " of " cases + 0 " planted functions are named first"
			exit 1
		}
	}'
