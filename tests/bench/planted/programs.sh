# Sourced by ../planted.sh: how each program is unpacked, built and measured.
#
# program_NAME sets what the program is built with, and with the word "sources" copies its sources to
# $scratch/NAME/original:
#
#	language  c, cxx or rust
#	flags     of the compiler
#	crates    of Rust: NAME:EDITION[:FEATURE...], each after those that it uses
#	command   what is measured
#	options   of irdiff profile
#
# Functions and variables go by the names of programs.
# shellcheck shell=sh disable=SC2034,SC2154,SC2317

known=' demo lua zlib bzip2 cjson yaml lz4 xxhash sqlite expat tinyxml2 pugixml fmt rapidjson hashbrown miniz regex '

# Where each program is if all sources are in one directory: patterns of the shell.
found_in='lua:lua5.4-* zlib:zlib-* bzip2:bzip2-* cjson:cjson-* yaml:libyaml-* lz4:lz4-* xxhash:xxhash-*
sqlite:*/tsrc expat:expat-* tinyxml2:tinyxml2-* pugixml:pugixml-* fmt:fmtlib-* rapidjson:rapidjson-*
hashbrown:registry miniz:registry regex:registry'

# copy FILE... to the sources of the program.
copy() {
	cp -r "$@" "$scratch/$program/original"
}

# leave_out PATTERN...: what is not needed, is no source of its own or has another main().
leave_out() {
	for pattern; do
		# shellcheck disable=SC2086 # patterns
		rm -f "$scratch/$program/original"/$pattern
	done
}

# copy_crates: each from its directory NAME-VERSION.
copy_crates() {
	eval "registry=\$source_$program"
	for crate in $crates; do
		crate=${crate%%:*}
		copy "$registry/$crate"-[0-9]*/src
		mv "$scratch/$program/original/src" "$scratch/$program/original/$crate"
	done
}

program_demo() {
	[ -z "$*" ] || sed 's/RECORDS = 20000/RECORDS = 1000/' "$demo/parser-v1.c" \
		>"$scratch/demo/original/parser.c"
}

program_lua() {
	flags='-D_GNU_SOURCE -DLUA_USE_POSIX -Dluai_makeseed(L)=42u' command='./program work.lua'
	[ -n "$*" ] || return 0
	copy "$source_lua"/src/*.[ch]
	leave_out luac.c
	# Debian's package has a path in it.
	echo '#define DEB_HOST_MULTIARCH "lib"' >"$scratch/lua/original/lua5.4-deb-multiarch.h"
	cp "$here/planted/lua.lua" "$scratch/lua/work.lua"
}

program_zlib() {
	[ -n "$*" ] || return 0
	copy "$source_zlib"/*.h
	for file in adler32 crc32 deflate trees zutil inflate inftrees inffast; do
		copy "$source_zlib/$file.c"
	done
}

program_bzip2() {
	flags='-DBZ_NO_STDIO'
	[ -n "$*" ] || return 0
	copy "$source_bzip2"/*.h
	for file in blocksort bzlib compress crctable decompress huffman randtable; do
		copy "$source_bzip2/$file.c"
	done
}

program_cjson() {
	[ -z "$*" ] || copy "$source_cjson"/cJSON.[ch]
}

program_yaml() {
	flags='-DYAML_VERSION_STRING="0" -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=0'
	flags="$flags -DYAML_VERSION_PATCH=0"
	[ -z "$*" ] || copy "$source_yaml"/src/*.[ch] "$source_yaml/include/yaml.h"
}

program_lz4() {
	[ -z "$*" ] || copy "$source_lz4"/lib/lz4.[ch]
}

program_xxhash() {
	flags=-DXXH_NO_XXH3
	[ -z "$*" ] || copy "$source_xxhash"/xxhash.[ch]
}

program_sqlite() {
	flags='-DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION'
	[ -n "$*" ] || return 0
	copy "$source_sqlite"/*.[ch]
	leave_out 'fts*.c' geopoly.c icu.c rtree.c shell.c 'sqlite3?*.c' tclsqlite.c userauth.c
}

program_expat() {
	flags='-DXML_NS=1 -DXML_DTD=1 -DXML_CONTEXT_BYTES=1024 -DBYTEORDER=1234 -DHAVE_GETRANDOM'
	[ -n "$*" ] || return 0
	copy "$source_expat"/expat/lib/*.[ch]
	# These are included by xmltok.c.
	for file in xmltok_impl xmltok_ns; do
		mv "$scratch/expat/original/$file.c" "$scratch/expat/original/$file.inc"
	done
	sed -i 's/"\(xmltok_impl\|xmltok_ns\)\.c"/"\1.inc"/' "$scratch/expat/original/xmltok.c"
	: >"$scratch/expat/original/expat_config.h"
}

program_tinyxml2() {
	language=cxx
	[ -z "$*" ] || copy "$source_tinyxml2"/tinyxml2.cpp "$source_tinyxml2"/tinyxml2.h
}

program_pugixml() {
	language=cxx
	[ -z "$*" ] || copy "$source_pugixml"/src/pugi*
}

program_fmt() {
	language=cxx
	[ -z "$*" ] || copy "$source_fmt"/include/fmt "$source_fmt"/src/format.cc
}

program_rapidjson() {
	language=cxx
	[ -z "$*" ] || copy "$source_rapidjson"/include/rapidjson
}

program_hashbrown() {
	language=rust crates=hashbrown:2021:inline-more
	[ -z "$*" ] || copy_crates
}

program_miniz() {
	language=rust crates='adler:2015 miniz_oxide:2018:with-alloc'
	[ -z "$*" ] || copy_crates
}

program_regex() {
	language=rust crates='regex-syntax:2018 regex:2018:std:perf-dfa:perf-inline:perf-cache'
	options=--freeze=random
	[ -z "$*" ] || copy_crates
}

# ---- building ----

# compile COMPILER FILE... in the directory of the sources, to $objects. A file has the same name each
# time: it is in the debug information. What it includes is written beside the object.
compile() {
	compiler=$1
	shift
	# shellcheck disable=SC2086 # words
	printf '%s\n' "$@" | sed 's/^\.\///' | xargs -P "$jobs" -I '{}' \
		$compiler -O2 -g -w $flags -I. -idirafter "$here/../.." -MMD -MF "$objects/{}.d" \
		-c '{}' -o "$objects/{}.o"
}

# affected SUFFIX CHANGED...: the sources whose objects are missing, or made from what has changed.
affected() {
	for affected in *."$1"; do
		[ -f "$affected" ] || continue
		for changed; do
			if [ ! -f "$objects/$affected.d" ] ||
				tr ' ' '\n' <"$objects/$affected.d" | grep -qxF -e "$changed" -e "./$changed"; then
				echo "$affected"
				break
			fi
		done
	done
}

# build_LANGUAGE CHANGED...: builds $objects/program in the directory of the sources.
build_c() {
	# shellcheck disable=SC2046 # names of files
	set -- $(affected c "$@")
	[ $# -eq 0 ] || compile "$cc" "$@"
	$cc -o "$objects/program" "$objects"/*.o -lm
}

build_cxx() {
	# shellcheck disable=SC2046 # names of files
	set -- $(affected cc "$@") $(affected cpp "$@")
	[ $# -eq 0 ] || compile "$cxx -std=c++17" "$@"
	$cxx -o "$objects/program" "$objects"/*.o
}

# A crate is built again if its sources or a crate before it changed.
# shellcheck disable=SC2086 # words
build_rust() {
	rustc="rustc -C opt-level=2 -g -C codegen-units=1 --cap-lints=allow -L dependency=$objects"
	externs='' stale=''
	for crate in $crates; do
		directory=${crate%%:*} edition=${crate#*:}
		name=$(echo "$directory" | tr - _)
		library=$objects/lib$name.rlib
		[ -f "$library" ] && ! printf '%s\n' "$@" | grep -q "^$directory/" || stale=yes
		features=$(echo "$edition:" | cut -d: -f2- | tr ':' '\n' | sed 's/..*/--cfg=feature="&"/')
		[ -z "$stale" ] ||
			$rustc --edition "${edition%%:*}" --crate-type rlib --crate-name "$name" $features \
				$externs "$directory/lib.rs" -o "$library" || return
		externs="$externs --extern $name=$library"
	done
	$rustc --edition 2021 --crate-name program $externs workload.rs -o "$objects/program"
}

# build CHANGED...: as above, with no more output than errors.
build() {
	"build_$language" "$@" >"$temporary/build.log" 2>&1 || {
		head -n 20 "$temporary/build.log" >&2
		return 1
	}
}
