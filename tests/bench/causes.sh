#!/bin/sh
# Usage: tests/bench/causes.sh [--lua=DIRECTORY] [--zlib=DIRECTORY] [--keep=DIRECTORY]
#
# How well irdiff finds out who decided a difference, on programs that were built in two ways or
# changed in one place. Needs Valgrind, gcc, and the sources of Lua 5.4 and zlib where they are to
# be measured; run in the directory of a build. A profile that is kept is not measured again.
#
# The columns: the sum of the sizes of all causes in times of the difference (1 is perfect), with
# paths matched by names alone, and after each further step; the difference itself.
set -eu
LC_ALL=C
export LC_ALL
tools=${BENCH_TOOLS:-tests/bench}
lua='' zlib='' keep=''

for option; do
	case $option in
	--lua=*) lua=${option#*=} ;;
	--zlib=*) zlib=${option#*=} ;;
	--keep=*) keep=${option#*=} ;;
	*)
		echo "causes.sh: '$option' is no option; see the first lines of this script" >&2
		exit 2
		;;
	esac
done
scratch=${keep:-$(mktemp -d "${TMPDIR:-/tmp}/irdiff-causes.XXXXXX")}
[ -n "$keep" ] || trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
mkdir -p "$scratch"

# measure NAME COMMAND...: $scratch/NAME.callgrind, with the whole path of calls.
measure() {
	[ -f "$scratch/$1.callgrind" ] && return
	name=$1
	shift
	(cd "$scratch" && env -i PATH=/usr/bin:/bin valgrind -q --tool=callgrind --dump-instr=yes \
		--dump-line=yes --separate-callers=100 --separate-recs=10 --cache-sim=no \
		--callgrind-out-file="$name.part" "$@" >"$name.out")
	mv "$scratch/$name.part" "$scratch/$name.callgrind"
}

# compare TITLE BASE HEAD
compare() {
	printf '%-22s' "$1"
	"$tools/causes" "$scratch/$2.callgrind" "$scratch/$3.callgrind"
}

# build NAME FLAGS...: from the sources in $scratch/PROGRAM-src, where NAME begins with PROGRAM-
build() {
	[ -x "$scratch/$1" ] && return
	name=$1
	shift
	gcc -g -std=gnu99 -D_GNU_SOURCE "$@" -I"$scratch/${name%%-*}-src" -o "$scratch/$name" \
		"$scratch/${name%%-*}-src"/*.c -lm
}

# change PROGRAM FILE EXPRESSION NAME: builds it with one source edited by sed, and only that.
change() {
	file=$scratch/$1-src/$2
	cp "$file" "$file.before"
	sed -i "$3" "$file"
	if cmp -s "$file" "$file.before"; then
		echo "causes.sh: $2 is not as expected: nothing to change" >&2
		exit 2
	fi
	build "$4" -O2
	mv "$file.before" "$file"
}

measure_lua() {
	mkdir -p "$scratch/lua-src"
	[ -f "$scratch/lua-src/lvm.c" ] || cp "$lua"/src/*.[ch] "$scratch/lua-src"
	rm -f "$scratch/lua-src/luac.c"
	cat >"$scratch/work.lua" <<'LUA'
local words, counts = {}, {}
for i = 1, 3000 do words[i] = ("w%d"):format(i * 7919 % 1000) end
for _, w in ipairs(words) do counts[w] = (counts[w] or 0) + 1 end
local names = {}
for w in pairs(counts) do names[#names + 1] = w end
table.sort(names, function(a, b) return a < b end)
local function compose(f, g) return function(x) return g(f(x)) end end
local f = function(x) return x + 1 end
for _ = 1, 6 do f = compose(f, f) end
local sum = 0
for i = 1, 100 do sum = sum + f(i) end
local text = table.concat(names, " ")
for i = 1, 20 do text = text:gsub("w(%d)", "v%1"):upper():lower() end
for a, b in text:gmatch("(%w+) (%w+)") do sum = sum + #a * #b end
local Point = setmetatable({}, { __call = function(c, x) return setmetatable({ x = x }, c) end })
Point.__index, Point.__add = Point, function(a, b) return Point(a.x + b.x) end
local p = Point(0)
for i = 1, 2000 do p = p + Point(i) end
print(sum, p.x, #text)
LUA
	for level in 2 3; do
		build lua-O$level -O$level
		measure lua-O$level ./lua-O$level work.lua
	done
	# The collector starts sooner; strings are hashed twice, which changes the order of tables.
	change lua lgc.h 's/LUAI_GCPAUSE[ 	]*200/LUAI_GCPAUSE 100/' lua-collects
	measure lua-collects ./lua-collects work.lua
	change lua lstring.c \
		's/^\( *\)unsigned int h = luaS_hash(str, l, g->seed);/&\1h ^= luaS_hash(str, l, h);/' \
		lua-hashes
	measure lua-hashes ./lua-hashes work.lua
	compare 'lua -O2 -> -O3' lua-O2 lua-O3
	compare 'lua -O3 -> -O2' lua-O3 lua-O2
	compare 'lua, collects sooner' lua-O2 lua-collects
	compare 'lua, hashes twice' lua-O2 lua-hashes
}

measure_zlib() {
	mkdir -p "$scratch/zlib-src"
	for file in adler32 crc32 deflate trees zutil inflate inftrees inffast; do
		[ -f "$scratch/zlib-src/$file.c" ] || cp "$zlib/$file.c" "$scratch/zlib-src"
	done
	cp "$zlib"/*.h "$scratch/zlib-src"
	cat >"$scratch/zlib-src/driver.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include "zlib.h"
static unsigned char in[200000], packed[300000], out[200000];
int main(int argc, char **argv)
{
	unsigned seed = 1;
	z_stream z = {0};
	for (size_t i = 0; i < sizeof in; i++) {
		seed = seed * 1664525u + 1013904223u;
		in[i] = seed >> 30 ? "etaoin shrdlu\n"[(seed >> 24) % 14] : in[i / 2];
	}
	deflateInit(&z, argc > 1 ? atoi(argv[1]) : 6);
	z.next_in = in, z.avail_in = sizeof in, z.next_out = packed, z.avail_out = sizeof packed;
	deflate(&z, Z_FINISH);
	size_t size = z.total_out;
	deflateEnd(&z);
	z = (z_stream){0};
	inflateInit(&z);
	z.next_in = packed, z.avail_in = size, z.next_out = out, z.avail_out = sizeof out;
	inflate(&z, Z_FINISH);
	inflateEnd(&z);
	printf("%zu %lu\n", size, crc32(0, out, sizeof out));
}
END
	for level in 2 3; do
		build zlib-O$level -O$level
		measure zlib-O$level ./zlib-O$level 6
	done
	measure zlib-1 ./zlib-O2 1
	# Matches are looked for in chains of twice the length.
	change zlib deflate.c 's/chain_length = s->max_chain_length;/chain_length = 2 * s->max_chain_length;/' \
		zlib-chains
	measure zlib-chains ./zlib-chains 6
	compare 'zlib -O2 -> -O3' zlib-O2 zlib-O3
	compare 'zlib -O3 -> -O2' zlib-O3 zlib-O2
	compare 'zlib level 6 -> 1' zlib-O2 zlib-1
	compare 'zlib level 1 -> 6' zlib-1 zlib-O2
	compare 'zlib, longer chains' zlib-O2 zlib-chains
}

printf '%-22spath\tsplice\trename\tabsorb\tΔ\n' ''
[ -z "$lua" ] || measure_lua
[ -z "$zlib" ] || measure_zlib
