#!/bin/sh
# Usage: tests/inlines.sh [--all | OBJECT...]
#
# Inlined functions as irdiff finds them, and as llvm-symbolizer does: both must agree about the
# chain of every instruction, in its length, in names, in files, and in the lines of calls
# (tests/inlines/compare.py). The test builds its programs in many ways, with --all in more of them,
# or compares OBJECTs. $MOST is how many addresses of an object are compared at most.
set -eu
. "$(dirname "$0")/scratch.sh"
needs llvm-symbolizer nm objdump objcopy readelf c++filt python3
tests=$source_dir/tests chains=$(dirname "$irdiff")/tests/inlines/chains
most=${MOST:-4000}
all=no
if [ "${1:-}" = --all ]; then
	all=yes
	shift
fi

start=$(pwd)
cd "$scratch"
unset DEBUGINFOD_URLS
failures=0
builds=0

fail() {
	echo "WRONG $*"
	failures=$((failures + 1))
}

# addresses_of OBJECT: of all its instructions, or of some everywhere.
addresses_of() {
	objdump -d --no-show-raw-insn "$1" |
		awk -F: '/^ *[0-9a-f]+:\t/ { sub(/^ */, "", $1); print "0x" $1 }' >every
	awk -v most="$most" -v count="$(wc -l <every)" '
		int(NR * most / count) != int((NR - 1) * most / count) || count <= most' every
}

# compare NAME OBJECT [WITH-DEBUG-INFORMATION]: the symbolizer reads the other one.
compare() {
	builds=$((builds + 1))
	addresses_of "$2" >addresses
	"$chains" "$2" <addresses >ours
	python3 "$tests/inlines/hide_symbols.py" "${3:-$2}" hidden
	llvm-symbolizer --obj=hidden --inlines --no-demangle --verbose <addresses |
		c++filt -i >theirs
	nm --defined-only "${3:-$2}" 2>log | c++filt -i >symbols
	python3 "$tests/inlines/compare.py" "$1" addresses ours theirs symbols || failures=$((failures + 1))
}

# state NAME OBJECT WORDS: nothing is found, and that is why.
state() {
	builds=$((builds + 1))
	addresses_of "${4:-$2}" >addresses
	"$chains" "$2" <addresses >ours
	if [ "$(cat ours)" = "$3" ]; then
		printf '%-6s%-32s%8d%63s\n' ok "$1" "$(wc -l <addresses)" "$3"
	else
		fail "$1: not '$3' but $(head -n 3 ours)"
	fi
}

# made NAME COMMAND...: whether there is what the command makes.
made() {
	name=$1
	shift
	if "$@" >log 2>&1; then
		return 0
	fi
	skip "$name" "it cannot be built here: $(grep -m 1 -e error -e cannot log || head -n 1 log)"
	return 1
}

# c NAME COMPILER OPTION...
c() {
	name=$1
	shift
	if made "$name" "$@" "$tests/inlines/work.c" "$tests/inlines/mix.c" -o "$name"; then
		compare "$name" "./$name"
	fi
}

# cxx NAME COMPILER OPTION...
cxx() {
	name=$1
	shift
	if made "$name" "$@" -w -std=c++17 "$tests/inlines/shapes.cc" "$tests/inlines/mix.c" \
		-o "$name"; then
		compare "$name" "./$name"
	fi
}

lambdas() {
	name=$1
	shift
	if made "$name" "$@" -w -std=c++17 "$tests/inlines/lambdas.cc" -o "$name"; then
		compare "$name" "./$name"
	fi
}

rust() {
	name=$1
	shift
	if made "$name" "$@" "$tests/inlines/shapes.rs" -o "$name"; then
		compare "$name" "./$name"
	fi
}

# Debug information that is not in the object.
elsewhere() {
	gcc -O2 -g "$tests/inlines/work.c" "$tests/inlines/mix.c" -o whole
	strip -o stripped whole
	state stripped ./stripped 'no debug information' whole
	objcopy --only-keep-debug whole linked.debug
	objcopy --add-gnu-debuglink=linked.debug stripped linked
	compare debuglink ./linked ./whole
	rm linked.debug
	state 'debuglink, file missing' ./linked 'no debug information' whole
	printf 'not an object\n' >text
	state 'not an object' ./text 'no such file' whole
	state 'no file' ./missing 'no such file' whole

}

# Debug information that several units share, and several objects.
shared() {
	has dwz "dwz" || return 0
	mv 'g++ -O2' whole
	cp whole units
	cp whole objects
	cp whole other
	dwz units
	dwz -m common objects other
	compare dwz ./units ./whole
	compare 'dwz -m' ./objects ./whole
}

# split COMPILER: debug information in .dwo files. The code is that of a build that has it in the
# object, which the symbolizer reads: LLVM 14 misses ranges that clang wrote to a .dwo file.
split() {
	mkdir "$1-split"
	made "$1 -gsplit-dwarf" split_build "$1" || return 0
	compare "$1 -gsplit-dwarf" "$1-split/split" "$1-split/whole"
	rm "$1-split/mix.dwo"
	"$chains" "$1-split/split" <addresses >ours
	if ! grep -q 'work.c	' ours || grep -q 'mix.c	' ours; then
		fail "$1 -gsplit-dwarf: not only what was in a .dwo file is missing with it"
	fi
	rm "$1-split/work.dwo"
	state "$1 -gsplit-dwarf, no .dwo" "$1-split/split" 'some .dwo files are missing'
}

split_build() {
	(
		cd "$1-split"
		"$1" -O2 -g -gsplit-dwarf -c "$tests/inlines/work.c" "$tests/inlines/mix.c"
		"$1" work.o mix.o -o split
		"$1" -O2 -g -c "$tests/inlines/work.c" "$tests/inlines/mix.c"
		"$1" work.o mix.o -o whole
	)
}

# debug_file_of OBJECT: where distributions install its debug information; itself if they did not.
debug_file_of() {
	id=$(readelf -n "$1" | sed -n 's/.*Build ID: *//p')
	rest=${id#??}
	file=/usr/lib/debug/.build-id/${id%"$rest"}/$rest.debug
	if [ -e "$file" ]; then
		echo "$file"
	else
		echo "$1"
	fi
}

usual_builds() {
	if has gcc "gcc"; then
		c 'gcc -O2' gcc -O2 -g
		c 'gcc -g1 -no-pie' gcc -O2 -g1 -no-pie
		c 'gcc -flto' gcc -O2 -g -flto
		most=20000
		c 'gcc -static' gcc -O2 -g -static
		most=${MOST:-4000}
		c 'gcc --gc-sections' gcc -O2 -g -ffunction-sections -Wl,--gc-sections
		c 'gcc --icf=all' gcc -O2 -g -ffunction-sections -fuse-ld=gold -Wl,--icf=all
		cxx 'g++ -O2' g++ -O2 -g
		cxx 'g++ -gdwarf-4, types' g++ -O2 -g -gdwarf-4 -fdebug-types-section
		lambdas 'g++, lambdas' g++ -O2 -g
		elsewhere
		split gcc
		shared
	fi
	if has clang "clang"; then
		c 'clang -O2' clang -O2 -g
		c 'clang -flto' clang -O2 -g -flto
		cxx 'clang++ -gdwarf-4 -g1' clang++ -O2 -g1 -gdwarf-4
		split clang
	fi
	if has rustc "Rust"; then
		rust rust rustc -C opt-level=2 -g
	fi
}

other_builds() {
	for o in -O0 -O1 -Os -O3 -g3 -gdwarf-3 -gz; do
		c "gcc $o" gcc -O2 -g $o
		cxx "g++ $o" g++ -O2 -g $o
		lambdas "g++ $o, lambdas" g++ -O2 -g $o
	done
	for o in -O0 -O1 -Os -O3 -g3 -gdwarf-3 -gz; do
		c "clang $o" clang -O2 -g $o
		cxx "clang++ $o" clang++ -O2 -g $o
		lambdas "clang++ $o, lambdas" clang++ -O2 -g $o
	done
	c 'gcc -O3 -gdwarf-4' gcc -O3 -g -gdwarf-4
	c 'gcc -shared' gcc -O2 -g -fPIC -shared
	cxx 'clang++ -O2' clang++ -O2 -g
	c 'gcc -static-pie' gcc -O2 -g -static-pie
	c 'clang -static -no-pie' clang -O2 -g -static -no-pie
	cxx 'g++ -flto' g++ -O2 -g -flto
	cxx 'g++ -fPIC -shared' g++ -O2 -g -fPIC -shared
	cxx 'clang++ -flto' clang++ -O2 -g -flto
	cxx 'clang++ types' clang++ -O2 -g -fdebug-types-section
	cxx 'clang++ -gsimple-template-names' clang++ -O2 -g -gsimple-template-names
	if has rustc "Rust"; then
		for o in 0 1 3 s; do
			rust "rust $o" rustc -C opt-level=$o -g
		done
		rust 'rust -C lto' rustc -C opt-level=3 -C lto -g
		rust 'rust -C debuginfo=1' rustc -C opt-level=3 -C debuginfo=1
	fi
}

printf '%-38s%8s%9s%9s%9s%9s%9s%9s  %s\n' '' asked covered inlined length names files calls state
if [ $# -eq 0 ]; then
	usual_builds
fi
if [ $all = yes ]; then
	other_builds
fi
for object; do
	case $object in
	/*) ;;
	*) object=$start/$object ;;
	esac
	compare "$(basename "$object")" "$object" "$(debug_file_of "$object")"
done

echo "$builds objects, $failures disagree"
test $failures = 0
