#!/bin/sh
# Usage: tests/conformance.sh DIRECTORY
#
# Reads every profile of a collection and compares its total with what is known of it.
# DIRECTORY/expected.tsv has a head line and a line per file with tab-separated columns, among
# them `file` (below DIRECTORY/files) and `self_total_of_first_event`.
# Prints the files that are read wrongly or not at all, then a count; fails if there are any.
set -eu
LC_ALL=C
export LC_ALL
irdiff=${IRDIFF:-./irdiff}
dir=${1:?the directory of a collection of profiles}
tab=$(printf '\t')
passed=0 failed=0

# The first number of the object "totals" is that of the first event.
total() {
	"$irdiff" show --format=json --top=1 "$1" 2>&1 |
		sed -n -e '/^irdiff: warning: /d; /^irdiff: /p' -e '/"totals": {/{s/[^{]*{"[^"]*":"\{0,1\}\(-\{0,1\}[0-9]*\).*/\1/p;q;}'
}

column() {
	head -n 1 "$dir/expected.tsv" | tr '\t' '\n' | grep -nx "$1" | cut -d: -f1
}

file_column=$(column file)
total_column=$(column self_total_of_first_event)
tail -n +2 "$dir/expected.tsv" | cut -f "$file_column,$total_column" >"${TMPDIR:-/tmp}/conformance.$$"
trap 'rm -f "${TMPDIR:-/tmp}/conformance.$$"' EXIT
while IFS=$tab read -r file expected; do
	found=$(total "$dir/files/$file")
	if [ "$found" = "$expected" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$file: expected $expected, found $found"
	fi
done <"${TMPDIR:-/tmp}/conformance.$$"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
