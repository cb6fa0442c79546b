#!/bin/sh
# Usage: tests/library.sh
#
# libcgprofile as others link it: each public header compiles alone, as C and as C++, without warnings; the shared
# library exports the functions that these headers declare and nothing else; all that the static one defines
# begins with cg_.
set -eu
. "$(dirname "$0")/scratch.sh"
LC_ALL=C
export LC_ALL

: >"$scratch/out"
: >"$scratch/err"
headers=$source_dir/callgrind/include
shared=$(pwd)/.libs/libcgprofile.so.0
static=$(pwd)/libcgprofile.a
cc=${CC:-cc}
cxx=${CXX:-c++}

# compiles LANGUAGE STANDARD COMPILER HEADER
compiles() {
	echo "#include <cgprofile/$4>" >"$scratch/alone.$1"
	# shellcheck disable=SC2086
	$3 "-std=$2" -I "$headers" -Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only "$scratch/alone.$1"
}

# declared HEADER...: names of the functions that are declared in them, without those that are inline.
declared() {
	for header; do
		# shellcheck disable=SC2086
		echo "#include <cgprofile/${header##*/}>" | $cc -I "$headers" -E -P -x c -
	done | awk '
	{ text = text $0 "\n" }
	END {
		# Bodies of functions that are inline.
		while (match(text, /static inline[^;{]*\{[^{}]*\}/))
			text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
		while (match(text, /cg_[a-z0-9_]+\(/)) {
			print substr(text, RSTART, RLENGTH - 1)
			text = substr(text, RSTART + RLENGTH)
		}
	}' | sort -u
}

for header in "$headers"/cgprofile/*.h; do
	name=${header##*/}
	check "$name alone is C" compiles c c99 "$cc" "$name"
	if command -v "${cxx%% *}" >/dev/null; then
		check "$name alone is C++" compiles cc c++11 "$cxx" "$name"
	fi
	check "$name begins and ends declarations" [ "$(grep -c '^CG_BEGIN_DECLS$\|^CG_END_DECLS$' "$header")" -eq 2 ]
done
command -v "${cxx%% *}" >/dev/null || skip "headers as C++" "there is no C++ compiler"

declared "$headers"/cgprofile/*.h >"$scratch/declared"
check "headers declare functions" [ "$(grep -c '^cg_' "$scratch/declared")" -gt 40 ]

if [ -e "$shared" ]; then
	nm -D --defined-only "$shared" | awk '{ print $NF }' | sort >"$scratch/exported"
	check "what is exported is what headers declare" diff "$scratch/declared" "$scratch/exported"
	check "its name has a version" sh -c 'readelf -d "$0" | grep -q "SONAME.*\[libcgprofile\.so\.[0-9]*\]"' "$shared"
else
	skip "exported functions" "this build has no shared library (--disable-shared)"
fi

# Names that begin with __ are what a compiler adds, as sanitizers do.
nm -g --defined-only "$static" | awk 'NF == 3 && $3 !~ /^__/ { print $3 }' | sort -u >"$scratch/defined"
check "the static library defines what is declared" [ -z "$(comm -23 "$scratch/declared" "$scratch/defined")" ]
check "its names begin with cg_" [ -z "$(grep -v '^cg_' "$scratch/defined")" ]

finish
