#!/bin/sh
# Usage: tests/damaged.sh [COUNT [FIRST]]
#
# Damaged debug information may be misunderstood, but must not crash irdiff or keep it busy
# (tests/inlines/damage.c), in each of COUNT ways.
set -eu
. "$(dirname "$0")/scratch.sh"
tests=$source_dir/tests damage=$(dirname "$irdiff")/tests/inlines/damage
cd "$scratch"
unset DEBUGINFOD_URLS
failures=0

# try NAME COUNT FIRST COMMAND...: the command makes the object, the same one each time.
try() {
	name=$1 count=$2 first=$3
	shift 3
	if ! "$@" "-fdebug-prefix-map=$scratch=." -o object >log 2>&1; then
		skip "$name" "it cannot be built here: $(head -n 1 log)"
		return
	fi
	if "$damage" object damaged "$count" "$first" >result 2>&1; then
		echo "ok    $name: $(tr '\r' '\n' <result | tail -n 1)"
	else
		echo "FAILED  $name, on the last number below"
		tr '\r' '\n' <result | tail -n 20
		failures=$((failures + 1))
	fi
}

count=${1:-150} first=${2:-0}
c="$tests/inlines/work.c $tests/inlines/mix.c"
cxx="-w -std=c++17 $tests/inlines/shapes.cc $tests/inlines/mix.c"
# Unquoted: several words.
# shellcheck disable=SC2086
{
	try 'gcc' "$count" "$first" gcc -O2 -g $c
	try 'gcc -gdwarf-4' "$count" "$first" gcc -O2 -g -gdwarf-4 $c
	try 'g++ types' "$count" "$first" g++ -O2 -g -fdebug-types-section $cxx
	try 'g++ lambdas' "$count" "$first" g++ -O2 -g -std=c++17 "$tests/inlines/lambdas.cc"
	if has clang clang; then
		try 'clang' "$count" "$first" clang -O2 -g $c
	fi
	if has clang++ 'clang++'; then
		try 'clang++ lambdas' "$count" "$first" clang++ -O2 -g -std=c++17 "$tests/inlines/lambdas.cc"
	fi
}

# Entries that lead back to themselves, where they are followed.
if gcc -nostdlib -static "$tests/inlines/circles.s" -o circles >log 2>&1; then
	nm circles | awk '/_start/ { print "0x" $1 }' >addresses
	if timeout 300 "${damage%damage}chains" ./circles <addresses >result 2>&1 &&
		grep -q damaged result && grep -q "$(printf '\tf\t')" result; then
		echo "ok    circles: $(head -n 1 result)"
	else
		echo "FAILED  circles"
		cat result
		failures=$((failures + 1))
	fi
else
	skip "circles" "they cannot be built here: $(head -n 1 log)"
fi
test $failures = 0
