#!/bin/sh
# Usage: tests/installed.sh LIBDIR GUIDEDIR
#
# Every chapter of the guide is in GUIDEDIR, and nothing else is.
#
# libcgprofile as it was installed in LIBDIR, for `make installcheck`: a program compiles as C and as C++ with the
# headers and flags that pkg-config says, links with the shared and with the static library, and works; the
# example finds what irdiff finds. CC, CXX, PKG_CONFIG and IRDIFF are what is used.
set -eu

source_dir=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
libdir=$1 guidedir=$2
cc=${CC:-cc}
cxx=${CXX:-c++}
irdiff=${IRDIFF:-irdiff}
export PKG_CONFIG_PATH="$libdir/pkgconfig"
export LD_LIBRARY_PATH="$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-installed.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP

for chapter in "$source_dir"/man/guide/*.md; do
	cmp "$chapter" "$guidedir/${chapter##*/}"
done
[ "$(find "$guidedir" -type f | wc -l)" -eq "$(find "$source_dir/man/guide" -type f -name '*.md' | wc -l)" ]

profile=$source_dir/tests/data/base.callgrind
sed -n 's/^totals: \([0-9]*\).*/\1/p' "$profile" >"$scratch/total"

flags() {
	${PKG_CONFIG:-pkg-config} "$@" libcgprofile
}

# try COMPILER... -- FLAG...: the program compiles and links with these, and prints a total.
try() {
	compiler=
	while [ "$1" != -- ]; do
		compiler="$compiler $1"
		shift
	done
	shift
	# shellcheck disable=SC2086
	$compiler -Wall -Wextra -Werror -o "$scratch/use" "$source_dir/tests/library/use.c" -x none "$@"
	"$scratch/use" "$profile" >"$scratch/printed"
	cmp "$scratch/total" "$scratch/printed"
}

# needs_library PROGRAM: whether it looks for the shared one when it starts.
needs_library() {
	readelf -d "$1" | grep -q 'NEEDED.*\[libcgprofile\.so'
}

languages=$cc
if command -v "${cxx%% *}" >/dev/null; then
	languages="$cc|$cxx -x c++"
else
	echo "tests/installed.sh: there is no C++ compiler ($cxx), so only C was tried"
fi

tried=
IFS='|'
for language in $languages; do
	IFS=' '
	if [ -e "$libdir/libcgprofile.so" ]; then
		# shellcheck disable=SC2086,SC2046
		try $language -- $(flags --cflags --libs)
		needs_library "$scratch/use"
		tried="$tried shared"
	fi
	if [ -e "$libdir/libcgprofile.a" ]; then
		# shellcheck disable=SC2086,SC2046
		try $language -- $(flags --static --cflags --libs | sed 's/-lcgprofile\>/-l:libcgprofile.a/')
		if needs_library "$scratch/use"; then
			echo "tests/installed.sh: the static library was not linked" >&2
			exit 1
		fi
		tried="$tried static"
	fi
	IFS='|'
done
IFS=' '
[ -n "$tried" ]

# shellcheck disable=SC2046,SC2086
$cc -Wall -Wextra -Wshadow -Werror -o "$scratch/hottest" "$source_dir/data/examples/hottest.c" $(flags --cflags --libs)
IRDIFF=$irdiff sh "$source_dir/tests/example.sh" "$scratch/hottest"
echo "programs link with libcgprofile:$tried"
