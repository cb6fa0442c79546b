#!/bin/sh
# Usage: tests/fuzz/run.sh TARGET [SECONDS] [SEED-DIRECTORY...]
#
# Builds a fuzz target (fuzz_TARGET.c here) with clang's libFuzzer, AddressSanitizer and
# UndefinedBehaviorSanitizer, and runs it for ten minutes or SECONDS. What it finds is made small and
# stored in tests/fuzz/found/TARGET, where `make check` replays it.
#
#   FUZZ_BUILD   where to build and to keep the corpora (fuzz-build)
#   CC           the compiler (clang)
set -eu
top=$(CDPATH='' cd "$(dirname "$0")/../.." && pwd)
inputs=$top/tests/fuzz

target=${1:-}
if [ ! -f "$inputs/fuzz_$target.c" ]; then
	sed -n 's/^# \(Usage: \)/\1/p' "$0" >&2
	exit 2
fi
seconds=${2:-600}
shift "$(($# < 2 ? $# : 2))"

build=${FUZZ_BUILD:-fuzz-build}
corpus=$build/corpus/$target
raw=$build/found/$target
mkdir -p "$corpus" "$raw"
build=$(CDPATH='' cd "$build" && pwd)
program=$build/tests/fuzz/fuzz_$target

if [ ! -f "$build/Makefile" ]; then
	(cd "$build" && "$top/configure" --quiet --disable-shared --enable-asan --enable-ubsan CC="${CC:-clang}" \
		CPPFLAGS=-DLIBFUZZER CFLAGS='-g -O1 -fsanitize=fuzzer-no-link,address,undefined')
fi
# First, as configure links programs of its own.
make -C "$build" --quiet Makefile
make -C "$build" --quiet "tests/fuzz/fuzz_$target" LDFLAGS=-fsanitize=fuzzer

# Directories of inputs after the corpus are read, not written.
set -- "$corpus" "$inputs/seeds/$target" "$@"
if [ -d "$inputs/found/$target" ]; then
	set -- "$@" "$inputs/found/$target"
fi

# Most of the grammar fits in a few lines; long inputs are slow. Objects and databases are larger, and
# after each key a screen is drawn.
most=4096
case $target in
inlines | history_db) most=16384 ;;
browse) most=64 ;;
esac
if [ -f "$inputs/$target.dict" ]; then
	set -- -dict="$inputs/$target.dict" "$@"
fi
status=0
"$program" -max_total_time="$seconds" -max_len="$most" -timeout=20 -rss_limit_mb=2048 \
	-malloc_limit_mb=512 -artifact_prefix="$raw/" \
	-print_final_stats=1 "$@" || status=$?

for finding in "$raw"/crash-* "$raw"/leak-* "$raw"/timeout-* "$raw"/oom-*; do
	case $finding in *.log) continue ;; esac
	[ -f "$finding" ] || continue
	mkdir -p "$inputs/found/$target"
	stored=$inputs/found/$target/$(basename "$finding" | cut -c 1-18)
	cp "$finding" "$stored"
	# What only takes long or much memory is not made smaller.
	case $finding in
	*/crash-* | */leak-*)
		mkdir -p "$raw/smaller"
		"$program" -minimize_crash=1 -max_total_time=60 -artifact_prefix="$raw/smaller/" \
			-exact_artifact_path="$raw/smaller/least" "$finding" >"$finding.log" 2>&1 || :
		[ ! -f "$raw/smaller/least" ] || mv "$raw/smaller/least" "$stored"
		;;
	esac
	mv "$finding" "$raw/done-$(basename "$finding")"
	echo "stored $stored: replay it with $program $stored"
done
exit "$status"
