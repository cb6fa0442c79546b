#!/bin/sh
# Usage: tests/bench/planted.sh [--PROGRAM=DIRECTORY...] [--case=PATTERN] [--keep=DIRECTORY]
#
# How well `irdiff diff --view=causes` names the function that made a program slower: plants known
# regressions in real programs, measures each program before and after, and looks for the function
# that was edited. Run in the directory of a build; needs Valgrind, gcc and jq.
#
# PROGRAM is lua (5.4), zlib, bzip2, cjson, yaml (libyaml), lz4, xxhash or sqlite, DIRECTORY its
# unpacked source, for example from `apt-get source lua5.4`. Of SQLite it is the directory that
# `make .target_source` calls tsrc. Without any, only the program in data/demo is measured, which
# always is. --case measures only the cases whose names match a pattern of the shell; --keep keeps
# what was built and measured, and does not measure it again. CC is the compiler, gcc if not set.
#
# planted/cases.list says what is planted; here are the columns:
#
#	kind    where the additional cost is measured (see cases.list)
#	d       the difference of the program, in % of base
#	d self  that of the planted function itself, in % of d; "=" if its self cost is the same
#	        within 1 % of itself or of d
#	rank    the first cause that names the planted function: its self cost, or
#	        that it calls something more often, newly, or no longer; – if none does
#	share   of d in all causes that do
#	sum/d   the sum of the sizes of all causes, in times of d; 1 is best
#	flat    its rank in a table of functions by the size of d self
#
# The mean and the median are of shares between 0 and 100 %. The exit status is 1 if a program says something else after the edit than before, or a case of
# the kind "calls" is not one.
# Functions and variables go by the names of programs.
# shellcheck disable=SC2154,SC2317
set -eu
LC_ALL=C
export LC_ALL

fail() {
	echo "planted.sh: $*" >&2
	exit 2
}

here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
demo=$(CDPATH='' cd "$here/../../data/demo" && pwd)
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")
cc=${CC:-gcc}
programs=' demo ' keep='' wanted='*'
known=' lua zlib bzip2 cjson yaml lz4 xxhash sqlite '

for option; do
	value=${option#*=}
	name=${option%%=*}
	name=${name#--}
	case $option in
	--keep=?*) keep=$value ;;
	--case=?*) wanted=$value ;;
	--*=?*)
		case $known in
		*" $name "*) ;;
		*) fail "'$option' is no option; see the first lines of this script" ;;
		esac
		[ -d "$value" ] || fail "$value is not a directory"
		programs="$programs$name "
		eval "source_$name=\$(CDPATH='' cd \"\$value\" && pwd)"
		;;
	*) fail "'$option' is no option; see the first lines of this script" ;;
	esac
done
for tool in "$irdiff" valgrind jq "${cc%% *}"; do
	command -v "$tool" >/dev/null || fail "$tool is missing"
done

[ -z "$keep" ] || mkdir -p "$keep"
scratch=$(CDPATH='' cd "${keep:-$(mktemp -d "${TMPDIR:-/tmp}/irdiff-planted.XXXXXX")}" && pwd)
[ -n "$keep" ] || trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP

# ---- programs ----

# copy FILE... to the sources of the program.
copy() {
	cp "$@" "$scratch/$program/src"
}

# leave_out PATTERN...: what is not needed, is no source of its own or has another main().
leave_out() {
	for pattern; do
		# shellcheck disable=SC2086 # patterns
		rm -f "$scratch/$program/src"/$pattern
	done
}

# Sets flags and command of the program, and with the word "sources" takes those.
program_demo() {
	flags='' command=./program
	[ -z "$*" ] || sed 's/RECORDS = 20000/RECORDS = 1000/' "$demo/parser-v1.c" \
		>"$scratch/demo/src/parser.c"
}

program_lua() {
	flags='-D_GNU_SOURCE -DLUA_USE_POSIX -Dluai_makeseed(L)=42u' command='./program work.lua'
	[ -n "$*" ] || return 0
	copy "$source_lua"/src/*.[ch]
	leave_out luac.c
	cp "$here/planted/lua.lua" "$scratch/lua/work.lua"
}

program_zlib() {
	flags='' command=./program
	[ -n "$*" ] || return 0
	copy "$source_zlib"/*.h
	for file in adler32 crc32 deflate trees zutil inflate inftrees inffast; do
		copy "$source_zlib/$file.c"
	done
}

program_bzip2() {
	flags='-DBZ_NO_STDIO' command=./program
	[ -n "$*" ] || return 0
	copy "$source_bzip2"/*.h
	for file in blocksort bzlib compress crctable decompress huffman randtable; do
		copy "$source_bzip2/$file.c"
	done
}

program_cjson() {
	flags='' command=./program
	[ -z "$*" ] || copy "$source_cjson"/cJSON.[ch]
}

program_yaml() {
	flags='-DYAML_VERSION_STRING="0" -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=0'
	flags="$flags -DYAML_VERSION_PATCH=0" command=./program
	[ -z "$*" ] || copy "$source_yaml"/src/*.[ch] "$source_yaml/include/yaml.h"
}

program_lz4() {
	flags='' command=./program
	[ -z "$*" ] || copy "$source_lz4"/lib/lz4.[ch]
}

program_xxhash() {
	flags=-DXXH_NO_XXH3 command=./program
	[ -z "$*" ] || copy "$source_xxhash"/xxhash.[ch]
}

program_sqlite() {
	flags='-DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION' command=./program
	[ -n "$*" ] || return 0
	copy "$source_sqlite"/*.[ch]
	leave_out 'fts*.c' geopoly.c icu.c rtree.c shell.c 'sqlite3?*.c' tclsqlite.c userauth.c
}

# ---- building and measuring ----

# compile FILE... in the directory of the sources, to $objects. A file has the same name each time:
# it is in the debug information.
compile() {
	# shellcheck disable=SC2086 # words
	printf '%s\n' "$@" | sed 's/^\.\///; s/\.c$//' | xargs -P 2 -I '{}' \
		$cc -O2 -g -w $flags -I. -idirafter "$here/../.." -c '{}.c' -o "$objects/{}.o"
}

# measure LABEL: links $objects and measures the program, always by the same name.
measure() {
	# shellcheck disable=SC2086 # words
	(cd "$scratch/$program" && $cc -o program "$objects"/*.o -lm &&
		"$irdiff" profile -q --cache-sim=no --timeout=60 --label="$1" -- $command) ||
		fail "$program cannot be measured"
}

# What the program was before any edit.
prepare() {
	objects=$scratch/$program/base
	[ ! -f "$scratch/$program/profiles/base.callgrind" ] || return 0
	mkdir -p "$scratch/$program/src" "$objects"
	[ ! -f "$here/planted/$program.c" ] ||
		cp "$here/planted/$program.c" "$scratch/$program/src/workload.c"
	"program_$program" sources
	(cd "$scratch/$program/src" && compile ./*.c) || fail "$program cannot be built"
	measure base
}

# plant LABEL FILE: edits a file by $scratch/edit, builds and measures, and undoes it.
plant() {
	file=$scratch/$program/src/$2
	objects=$scratch/$program/head
	[ ! -f "$scratch/$program/profiles/$1.callgrind" ] || return 0
	[ -f "$file" ] || fail "$1: $program has no $2"
	rm -rf "$objects"
	cp -r "$scratch/$program/base" "$objects"
	cp -p "$file" "$file.before"
	sed -E -i -f "$scratch/edit" "$file"
	if cmp -s "$file" "$file.before"; then
		fail "$1: $2 is not as expected: nothing to edit"
	fi
	# A header is compiled where its program's files include it.
	case $2 in
	*.h) changed=$(cd "$scratch/$program/src" && grep -l "\"$2\"" ./*.c) ;;
	*) changed=$2 ;;
	esac
	# shellcheck disable=SC2086 # words
	(cd "$scratch/$program/src" && compile $changed) || fail "$1: $program cannot be built"
	mv "$file.before" "$file"
	measure "$1"
}

# ---- judging ----

# Prints the columns after "kind", separated by tabs, in numbers; "-" is none.
cat >"$scratch/judge.jq" <<'JQ'
def plain: sub("[.](constprop|isra|part|cold|lto_priv).*$"; "");
def size: if . < 0 then -. else . end;
def rank: map(.) | index(true) | if . == null then "-" else . + 1 end;
.[0] as $causes | .[1] as $flat
| ($causes.metrics[] | select(.name == "Ir")) as $total
| [$causes.causes.items[]
	| { delta, mine: ((if .kind == "self" then .function else .caller end)
		| . != null and (.function | plain) == $planted) }] as $items
| ($flat.functions | sort_by(-(.delta_self | size))) as $rows
| [$rows[] | select((.function | plain) == $planted)] as $own
| ([$own[].delta_self] | add // 0) as $self
| ([$own[] | .base.self // 0] | add // 0) as $was
| if $total.delta == 0 then error("the edit has no effect") else . end
| [100 * $total.delta / $total.base,
   100 * $self / ($total.delta | size),
   (if ($self | size) * 100 <= ([$was, ($total.delta | size)] | max) then "=" else "" end),
   ([$items[].mine] | rank),
   100 * ([$items[] | select(.mine) | .delta] | add // 0) / $total.delta,
   $causes.causes.sum_of_sizes / ($total.delta | size),
   ([$rows[] | (.function | plain) == $planted and .delta_self != 0] | rank)]
| map(tostring) | join("\t")
JQ

# diff_json LABEL VIEW
diff_json() {
	(cd "$scratch/$program" && "$irdiff" diff base "$1" --view="$2" --format=json --metric=Ir \
		--top=0 --threshold=0 --min-delta=0)
}

# judge NAME FUNCTION KIND: one line of the table.
judge() {
	diff_json "$1" causes >"$scratch/causes.json"
	diff_json "$1" flat >"$scratch/flat.json"
	jq -rs --arg planted "$2" -f "$scratch/judge.jq" "$scratch/causes.json" \
		"$scratch/flat.json" >"$scratch/judged" || fail "$1 cannot be judged"
	remark=''
	(cd "$scratch/$program/.irdiff/profiles" && cmp -s base.callgrind/stdout.log "$1.callgrind/stdout.log") ||
		remark='says something else'
	[ "$3" != calls ] || awk -F '\t' '{ exit $3 != "=" }' "$scratch/judged" ||
		remark="$remark its self cost changed"
	[ -z "$remark" ] || wrong=1
	printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$3" "$2" "$(cat "$scratch/judged")" "$remark" |
		tee -a "$scratch/table" |
		awk -F '\t' '{
			printf "%-27s%-10s%8.2f%9.1f%-2s%5s%9.1f%7.2f%6s  %s%s\n", $1, $2, $4, $5,
				" " $6, $7, $8, $9, $10, $3, $11 == "" ? "" : "  !" $11
		}'
}

# A line for each kind and for all.
summarize() {
	awk -F '\t' '
	{
		if ($2 != "elsewhere") kinds = "not-elsewhere"
		else kinds = ""
		explained = $8 < 0 ? 0 : $8 > 100 ? 100 : $8
		split($2 " all " kinds, in_kinds, " ")
		for (k in in_kinds) {
			kind = in_kinds[k]
			share[kind, ++n[kind]] = explained
			sum[kind] += explained
			same[kind] += $6 == "="
			first[kind] += $7 == 1
			third[kind] += $7 != "-" && $7 <= 3
			flat_first[kind] += $10 == 1
			flat_third[kind] += $10 != "-" && $10 <= 3
		}
	}
	function median(kind,    i, k, x) {
		for (i = 2; i <= n[kind]; i++) {
			x = share[kind, i]
			for (k = i - 1; k && share[kind, k] > x; k--)
			share[kind, k + 1] = share[kind, k]
			share[kind, k + 1] = x
		}
		k = int((n[kind] + 1) / 2)
		i = int(n[kind] / 2) + 1
		return (share[kind, k] + share[kind, i]) / 2
	}
	END {
		printf "\n%-14s%6s%9s%7s%13s%12s%13s%9s%10s\n", "kind", "cases", "self =",
			"first", "first three", "mean share", "median share", "flat: 1", "flat: 1-3"
		count = split("calls both own not-elsewhere elsewhere all", order, " ")
		for (i = 1; i <= count; i++)
			if (n[kind = order[i]])
				printf "%-14s%6d%9d%7d%13d%12.1f%13.1f%9d%10d\n",
					kind, n[kind],
					same[kind], first[kind], third[kind],
					sum[kind] / n[kind], median(kind),
					flat_first[kind], flat_third[kind]
	}' "$scratch/table"
}

# ---- all cases ----

# One case: $name $program $file $function $kind, and its edit in $scratch/edit.
run_case() {
	case $programs in
	*" $program "*) ;;
	*) return 0 ;;
	esac
	# shellcheck disable=SC2254 # a pattern
	case $name in
	$wanted) ;;
	*) return 0 ;;
	esac
	"program_$program"
	prepare
	plant "$name" "$edited"
	judge "$name" "$function" "$kind"
}

wrong=0
: >"$scratch/table"
printf '%-27s%-10s%8s%9s  %5s%9s%7s%6s  %s\n' case kind 'd %' 'd self %' rank 'share %' 'sum/d' flat \
	'planted function'
sed -n 's/^case //p' "$here/planted/cases.list" >"$scratch/cases"
while read -r name program edited function kind <&3; do
	# From the line after the words to the next case.
	awk -v name="$name" '$1 == "case" { found = $2 == name; next }
		found && sub(/^\t/, "") && n++' "$here/planted/cases.list" >"$scratch/edit"
	run_case
done 3<"$scratch/cases"
[ -s "$scratch/table" ] || fail "no case is called $wanted"
summarize
exit "$wrong"
