#!/bin/sh
# Usage: tests/summary.sh BUILD-DIRECTORY...
#
# What the last `make check` in each of the directories has said, added up. First a line for each test that
# did not try all it can, with the reasons (tests/skip.sh); the last line is "N passed, N failed". Fails if a
# test failed or if none ran.
set -eu

# skipped TEST RESULT: the line of a test that skipped something.
skipped() {
	reasons=$(sed -n 's/^SKIP: //p' "$1.log" 2>/dev/null | awk '!seen[$0]++ { printf "%s%s", sep, $0; sep = "; " }')
	if [ "$2" = SKIP ] && [ -z "$reasons" ]; then
		reasons="all of it, without a reason"
	fi
	if [ -n "$reasons" ]; then
		echo "skipped in $1: $reasons"
	fi
}

for dir; do
	find "$dir/tests" -type f -name '*.trs' 2>/dev/null | sort
done | {
	passed=0 failed=0 skipped=0
	while IFS= read -r trs; do
		while read -r field result; do
			[ "$field" = :test-result: ] || continue
			case $result in
			PASS | XFAIL) passed=$((passed + 1)) ;;
			SKIP) skipped=$((skipped + 1)) ;;
			*) failed=$((failed + 1)) ;;
			esac
			skipped "${trs%.trs}" "$result"
		done <"$trs"
	done
	if [ "$skipped" -gt 0 ]; then
		echo "$passed passed, $failed failed, $skipped skipped"
	else
		echo "$passed passed, $failed failed"
	fi
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
