#!/bin/sh
# Usage: tests/insights.sh
#
# Insights by irdiff's own rules, on real programs under the real Valgrind: each rule speaks where
# a program shows its pattern, and keeps silent where one does not. Costs are those of the tree,
# which is made in another way.
set -eu
. "$(dirname "$0")/scratch.sh"
needs valgrind jq
tests=$source_dir/tests cxx=${CXX:-g++}
cd "$scratch"
unset DEBUGINFOD_URLS
failures=0
count=0

# check WHAT EXPECTED GOT
check() {
	count=$((count + 1))
	if [ "$2" = "$3" ]; then
		echo "ok      $1: $2"
	else
		echo "FAILED  $1: expected '$2', got '$3'"
		failures=$((failures + 1))
	fi
}

# measure LABEL FLAGS...: builds the benchmark as ./program, so that all have one command
measure() {
	label=$1
	shift
	$compiler -O1 -g -pthread "$@" -o program "$tests/insights/patterns.c"
	run "$label"
}

run() {
	"$irdiff" profile -q --label "$1" -- ./program >output 2>errors || {
		cat output errors
		exit 1
	}
}

# diff BASE HEAD [OPTIONS]: JSON
diff() {
	"$irdiff" diff --format=json "$@" 2>/dev/null
}

rules() {
	jq -r '[.insights[].rule] | join(" ")'
}

# speaks RULE BASE HEAD [OPTIONS]: it speaks, alone, and names what grew
speaks() {
	rule=$1
	shift
	check "$*" "$rule" "$(diff "$@" | rules)"
}

# figure TEXT BASE HEAD [OPTIONS]: the number after a text in the evidence
figure() {
	text=$1
	shift
	diff "$@" | jq -r '.insights[].evidence' | sed -n "s/.*$text\([0-9,]*\).*/\1/p" | tr -d ,
}

culprit() {
	diff "$@" | jq -r '.insights[0].function.function'
}

# spent LABEL REGEX: what is spent in functions that match and below them, by the tree: a path
# below one that matches is part of it.
spent() {
	"$irdiff" show "$1" --view=tree --root='' --threshold=0 --format=json 2>/dev/null |
		jq --arg regex "$2" 'reduce .paths[] as $p ({sum: 0, in: []};
			($p.parent != null and .in[$p.parent]) as $below |
			($p.function | test($regex)) as $is |
			.in += [$below or $is] |
			if $is and ($below | not) then .sum += $p.inclusive.Ir else . end) | .sum'
}

measure base
measure more -DSTEPS=120
measure allocate -DALLOCATE=2
measure allocate-more -DALLOCATE=2 -DSTEPS=150
measure allocate-twice -DALLOCATE=4
measure copy -DCOPY=1
measure copy-more -DCOPY=1 -DSTEPS=120
measure clock -DCLOCK
measure clock-more -DCLOCK -DSTEPS=120
measure print -DPRINT
measure print-more -DPRINT -DSTEPS=150
measure print-longer -DPRINT -DWIDTH=300
measure write -DWRITE
measure layers -DLAYERS
measure layers-more -DLAYERS -DSTEPS=120
measure nothing -DNOTHING
measure thread -DTHREAD
measure thread-more -DTHREAD -DSTEPS=120

echo "== nothing but more work"
for view in flat tree causes; do
	speaks "" base more --view=$view
	speaks "" more base --view=$view
done
speaks "" base base

echo "== allocation"
allocator='^(malloc|free|calloc|realloc)$'
for view in flat causes; do
	speaks allocation base allocate --view=$view
	speaks allocation allocate allocate-twice --view=$view
	speaks allocation allocate-twice base --view=$view
	speaks "" allocate allocate-more --view=$view
done
check "who allocates" use_memory "$(culprit base allocate)"
check "who allocates more" use_memory "$(culprit allocate allocate-twice)"
check "how much, by the tree" "$(($(spent allocate-twice "$allocator") - $(spent allocate "$allocator")))" \
	"$(figure 'memory grew by ' allocate allocate-twice)"
check "how often" 8000 "$(($(figure 'in .* → ' allocate allocate-twice) - \
	$(figure 'in .* → ' base allocate)))"

echo "== memory writes"
speaks writes base copy
speaks "" copy copy-more
check "who writes" true "$(diff base copy | jq '.insights[0].function.function |
	test("move_around|one_item|memcpy|memmove")')"

echo "== clock"
speaks clock base clock
speaks clock base clock --view=causes
speaks clock clock base
speaks "" clock clock-more
check "who reads the clock" read_clock "$(culprit base clock)"

echo "== input and output"
speaks io base print
speaks io base print --view=causes
speaks "" print print-more
check "who prints" print_item "$(culprit base print)"
speaks io print print-longer
check "as often" "Each input or output costs more or less" "$(diff print print-longer | jq -r '.insights[].title')"
speaks system-calls base write
check "who writes" write_item "$(culprit base write)"

echo "== deeper stacks"
speaks "" base layers --view=flat
speaks depth base layers
speaks depth base layers --view=tree
speaks depth base layers --view=causes
speaks "" layers base --view=tree
speaks "" layers layers-more --view=tree

echo "== hardly anything measured"
check "show nothing" little-measured "$("$irdiff" show nothing --insights=auto --format=json | rules)"
check "show base" "" "$("$irdiff" show base --insights=auto --format=json | rules)"
check "show thread" "" "$("$irdiff" show thread --insights=auto --format=json | rules)"
check "show without rules" null "$("$irdiff" show base --format=json | jq .insights)"
speaks little-measured base nothing
speaks "" nothing base
speaks "" thread thread-more

echo "== the same code"
measure once
echo 3 >rounds
run thrice
speaks same-code once thrice
speaks same-code thrice once --view=causes
rm rounds

echo "== another build"
$compiler -O0 -g -pthread -o program "$tests/insights/patterns.c"
run unoptimised
"$irdiff" diff once unoptimised --format=json >difference || [ $? -eq 1 ]
check "built with other flags" "-O1 -O0" "$(jq -r '.environment.subject[] | select(.key == "built") |
	.base_short + " " + .head_short' difference | grep -o -e '-O[0-9]' | xargs)"
check "said in words" other-compiler "$(jq -r '.insights[].rule' difference | grep other)"

echo "== one profile"
for pattern in allocate clock print; do
	echo "$pattern: $("$irdiff" show $pattern --insights=auto --format=json | jq -r '.insights[].evidence')"
done
check "show allocate-twice" allocation "$("$irdiff" show allocate-twice --insights=auto --format=json | rules)"

echo "== variants"
$compiler -O1 -fno-builtin -o variants "$tests/insights/variants.c"
for tunables in '' glibc.cpu.hwcaps=-AVX2,-AVX,-AVX2_Usable,-AVX_Fast_Unaligned_Load; do
	GLIBC_TUNABLES=$tunables valgrind -q --tool=callgrind \
		--callgrind-out-file="variants${tunables:+2}.callgrind" ./variants
done
if grep -q '__strlen_avx2' variants.callgrind && grep -q '__strlen_sse2' variants2.callgrind; then
	speaks variants variants.callgrind variants2.callgrind
	speaks variants variants2.callgrind variants.callgrind
else
	skip "variants for processors" "the C library or Valgrind has no two of them here"
fi
speaks "" variants.callgrind variants.callgrind

if has "${cxx%% *}" "C++"; then
	echo "== C++"
	$cxx -O1 -g -o program "$tests/insights/strings.cc"
	run strings
	$cxx -O1 -g -DROUNDS=60 -o program "$tests/insights/strings.cc"
	run more-strings
	$cxx -O1 -g -DCLOCK -o program "$tests/insights/strings.cc"
	run chrono
	speaks allocation strings more-strings
	check "who allocates" 'split(unsigned int)' "$(culprit strings more-strings)"
	speaks clock strings chrono
	check "who reads the clock" 'elapsed()' "$(culprit strings chrono)"
fi

echo "$count checks, $failures failed"
exit $((failures > 0))
