#!/bin/sh
# Usage: tests/coverage.sh [TEST...]
#
# Prints which share of the lines of callgrind/ is executed by the unit tests, and by the fuzz
# targets on their inputs: the seeds, what fuzzing found, and the corpora of tests/fuzz/run.sh where
# there are some. With TESTs, as tests/unit/test_reader, only by these and the fuzz targets. Fails
# below the limits at the end.
#
#   COVERAGE_BUILD   where to build (coverage-build)
#   FUZZ_BUILD       where the corpora are (fuzz-build)
#   SHOW             lists the lines of this file that are not executed, as callgrind/reader.c
set -eu
top=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
build=${COVERAGE_BUILD:-coverage-build}
corpora=${FUZZ_BUILD:-fuzz-build}/corpus
if [ -d "$corpora" ]; then
	corpora=$(CDPATH='' cd "$corpora" && pwd)
fi

mkdir -p "$build"
cd "$build"
if [ ! -f Makefile ]; then
	"$top/configure" --quiet --disable-shared --enable-coverage CC="${CC:-gcc}" CFLAGS='-g -O1' CXXFLAGS='-g -O1'
fi
find . -name '*.gcda' -exec rm {} +
if [ $# -eq 0 ]; then
	# Words.
	# shellcheck disable=SC2046
	set -- $(cd "$top" && ls tests/unit/test_*.c | sed 's/\.c$//')
fi
make --quiet check TESTS="$* tests/fuzz/replay.sh" >coverage.log 2>&1 ||
	echo "some tests fail: see $PWD/coverage.log" >&2
for corpus in "$corpora"/*; do
	target=tests/fuzz/fuzz_${corpus##*/}
	if [ -x "$target" ]; then
		"$target" "$corpus" >>coverage.log 2>&1 || echo "$target fails on $corpus" >&2
	fi
done

if [ -n "${SHOW:-}" ]; then
	gcov -t -o "$(dirname "$SHOW")" "${SHOW%.c}.gcda" 2>/dev/null | grep '#####:' |
		grep -v "Source:.*\.h$" || :
	exit 0
fi

# Each file, and its lines and those of them that were executed.
find callgrind -name '*.gcno' | sort | while read -r notes; do
	gcov -n -o "$(dirname "$notes")" "$notes" 2>/dev/null
done | awk -v top="$top/" '
	/^File / {
		gsub(/^File .|.$/, "")
		sub(top, "")
		file = $0
	}
	/^Lines executed:/ && file ~ /^callgrind\/.*\.c$/ {
		split($2, share, /[:%]/)
		lines = $4
		printf "%s %d %d\n", file, lines, int(share[2] * lines / 100 + 0.5)
		file = ""
	}
' >coverage.txt

awk '
	function line(name, lines, executed) {
		printf "%6.1f %%  %6d lines  %s\n", 100 * executed / lines, lines, name
		return 100 * executed / lines
	}
	{
		line($1, $2, $3)
		all += $2
		all_executed += $3
	}
	/inlines_dwarf/ {
		dwarf += $2
		dwarf_executed += $3
	}
	END {
		if (line("callgrind/: at least 95 %", all, all_executed) < 95)
			low = 1
		if (line("callgrind/inlines_dwarf*.c: at least 90 %", dwarf, dwarf_executed) < 90)
			low = 1
		exit low
	}
' coverage.txt
