#!/bin/sh
# Usage: tests/inlined-calls.sh
#
# How often inlined functions are called is what callgrind counts where nothing is inlined, or it
# is not known; and causes use it.
set -eu
. "$(dirname "$0")/scratch.sh"
needs valgrind jq python3
tests=$source_dir/tests
cd "$scratch"
unset DEBUGINFOD_URLS

# run_callgrind FILE PROGRAM
run_callgrind() {
	valgrind --tool=callgrind --dump-instr=yes --callgrind-out-file="$1" "./$2" 300 900 >log 2>&1 || {
		cat log
		exit 1
	}
}

build() {
	name=$1
	shift
	$static -g "$@" -o "$name" "$tests/inlines/calls.c"
	run_callgrind "$name.out" "$name"
}

build plain -O0 -fno-inline
build called -O2 -fno-inline

# Where statements begin is only marked by GCC, and branches are only decoded of x86-64. What other
# compilers inlined has numbers where it is executed once in each call of its caller: once.c.
gcc=''
if $compiler --version | grep -q 'Free Software' && [ "$(uname -m)" = x86_64 ]; then
	gcc='main:draw main:put main:get put:probe get:probe probe:hash main:rarely'
fi
for level in -O1 -O2 -O3 -Os -Og; do
	build inlined $level
	needed=''
	[ $level != -O2 ] || needed=$gcc
	# shellcheck disable=SC2086 # words
	check "$level" python3 "$tests/inlines/calls.py" "$irdiff" inlined.out plain.out called.out -- $needed
done
if [ -n "$gcc" ]; then
	build program -O2
	"$irdiff" profile -q --label base -- ./program 300 900 >output 2>&1
	"$irdiff" profile -q --label head -- ./program 300 50000 >output 2>&1
	"$irdiff" diff --view=causes --format=json base head >causes.json 2>errors || [ $? = 1 ]
	check 'causes count calls of inlined functions' jq -e '
		.causes.items[] | select(.kind == "calls" and .function.function == "get") |
		.caller.function == "main" and .base.calls == 900 and .head.calls == 50000' causes.json >found
fi

# once NAME NEEDED FILE COMPILER...: a program that is built with the options $quick, and, where
# nothing is inlined, with $plain. It must be known how often NEEDED are called.
once() {
	name=$1 needed=$2 file=$3
	shift 3
	if ! command -v "$1" >/dev/null; then
		skip "$name" "$1 is not installed"
		return
	fi
	for optimised in no yes; do
		options=$plain
		[ $optimised = no ] || options=$quick
		# shellcheck disable=SC2086 # words
		if ! "$@" -g $options "$tests/inlines/$file" -o "$name-$optimised" >log 2>&1; then
			skip "$name" "it cannot be built here: $(head -n 1 log)"
			return
		fi
		run_callgrind "$name-$optimised.out" "$name-$optimised"
	done
	# shellcheck disable=SC2086 # words
	check "$name" python3 "$tests/inlines/calls.py" "$irdiff" "$name-yes.out" "$name-no.out" -- $needed
}

needed=''
[ "$(uname -m)" != x86_64 ] || needed='always:mix twice:mix'
# Valgrind does not read all that LLVM writes by default.
for level in -O1 -O2 -O3 -Os; do
	plain='-static -O0 -fno-inline -gdwarf-4' quick="-static $level -gdwarf-4"
	once "clang$level" "$needed" once.c clang
done
plain='-C opt-level=0 -C overflow-checks=off -C target-feature=+crt-static'
needed=$(printf '%s\n' "$needed" | sed 's/[a-z][a-z]*/once::&/g')
for level in 1 2 3 s; do
	quick="-C opt-level=$level -C target-feature=+crt-static"
	once "rustc$level" "$needed" once.rs rustc
done
finish
