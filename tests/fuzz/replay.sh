#!/bin/sh
# Usage: tests/fuzz/replay.sh
#
# Runs every fuzz target of the build on its seeds and on what fuzzing found before.
set -eu
inputs=${srcdir:-.}/tests/fuzz
failures=0

for seeds in "$inputs"/seeds/*; do
	target=${seeds##*/}
	set -- "$seeds"
	if [ -d "$inputs/found/$target" ]; then
		set -- "$@" "$inputs/found/$target"
	fi
	if ! "tests/fuzz/fuzz_$target" "$@"; then
		echo "FAIL: $target, on the last file above"
		failures=$((failures + 1))
	fi
done
[ "$failures" -eq 0 ]
