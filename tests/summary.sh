#!/bin/sh
# Usage: tests/summary.sh BUILD-DIRECTORY...
#
# One line about the last `make check` in each of the directories, added up: "N passed, N failed".
# Fails if a test failed or if none ran.
set -eu

for dir; do
	find "$dir/tests" -type f -name '*.trs' 2>/dev/null || :
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
		done <"$trs"
	done
	if [ "$skipped" -gt 0 ]; then
		echo "$passed passed, $failed failed, $skipped skipped"
	else
		echo "$passed passed, $failed failed"
	fi
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
