#!/bin/sh
# Usage: tests/bench/planted.sh [--sources=DIRECTORY] [--PROGRAM=DIRECTORY...] [--case=PATTERN]
#	[--keep=DIRECTORY] [--tsv=FILE] [--compare=OLD.tsv]
#
# How well `irdiff diff --view=causes` names the function that made a program slower: plants known
# changes in real programs, measures each program before and after, and looks for the function that
# was edited. Run in the directory of a build; needs Valgrind, gcc, g++, jq, and rustc for Rust.
#
# PROGRAM is one of those in C (lua 5.4, zlib, bzip2, cjson, yaml for libyaml, lz4, xxhash, sqlite,
# expat), in C++ (tinyxml2, pugixml, fmt 9, rapidjson) or in Rust (hashbrown, miniz, regex). DIRECTORY
# is its unpacked source, for example from `apt-get source lua5.4`. Of SQLite it is the directory that
# `make .target_source` calls tsrc; of Rust it has the crates adler, hashbrown, miniz_oxide, regex and
# regex-syntax, each in NAME-VERSION, as in the packages librust-*-dev. --sources is a directory that
# has them all, as those commands name them, and the crates in a directory registry. Programs without
# sources are left out. The program in data/demo is always measured.
#
# --case measures only the cases whose names match a pattern of the shell. --keep keeps what was built
# and measured, and measures a case again only if its edit in the lists has changed; remove a program's
# directory there if its workload has. --tsv also writes all numbers to a file, and --compare prints what
# got better or worse since such a file was written. CC and CXX are the compilers, gcc and g++ if not
# set. JOBS is the number of files to compile at a time, 1 if not set.
#
# planted/*.list says what is planted; here are the columns:
#
#	kind     where the additional cost is measured (see cases.list)
#	d        the difference of the program, in % of base
#	d self   that of the planted function itself, in % of d; "=" if its self cost is the same
#	         within 1 % of itself or of d
#	rank     the first cause of the planted function (the decider): its self cost, that it is
#	         inlined, or a call that it makes more often, newly, or no longer; - if none is
#	named    the first cause that names it, also as the function that is called
#	share    of d in all causes of the planted function
#	sum/d    the sum of the sizes of all causes, in times of d; 1 is best
#	flat     its rank in a table of functions by the size of d self
#
# Of a case that changes nothing, it prints d, the sum of the sizes of all causes, and how many causes
# `irdiff diff --view=causes` shows by default; it is loud if it shows any. Of a program whose counts
# vary, it prints the verdict of a limit that allows no change: it should be INCONCLUSIVE.
#
# The median is of shares between 0 and 100 %. The exit status is 1 if a program says something else
# after the edit than before, a case of the kind "calls" is not one, an edit has no effect, or one that
# should change nothing changes more than 0.1 % of base.
# Functions and variables go by the names of programs.
# shellcheck disable=SC2154,SC2317
set -eu
LC_ALL=C.UTF-8
export LC_ALL

fail() {
	echo "planted.sh: $*" >&2
	exit 2
}

here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
demo=$(CDPATH='' cd "$here/../../data/demo" && pwd)
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")
cc=${CC:-gcc} cxx=${CXX:-g++} jobs=${JOBS:-1}
programs=' demo ' keep='' wanted='*' tsv='' old=''

. "$here/planted/programs.sh"

# add_program NAME DIRECTORY
add_program() {
	[ -d "$2" ] || fail "$2 is not a directory"
	programs="$programs$1 "
	eval "source_$1=\$(CDPATH='' cd \"\$2\" && pwd)"
}

# add_programs DIRECTORY: those that are there.
add_programs() {
	[ -d "$1" ] || fail "$1 is not a directory"
	for pair in $found_in; do
		for directory in "$1"/${pair#*:}; do
			[ ! -d "$directory" ] || add_program "${pair%%:*}" "$directory"
		done
	done
}

for option; do
	value=${option#*=}
	name=${option%%=*}
	name=${name#--}
	case $option in
	--keep=?*) keep=$value ;;
	--case=?*) wanted=$value ;;
	--tsv=?*) tsv=$value ;;
	--compare=?*) old=$value ;;
	--sources=?*) add_programs "$value" ;;
	--*=?*)
		case $known in
		*" $name "*) ;;
		*) fail "'$option' is no option; see the first lines of this script" ;;
		esac
		add_program "$name" "$value"
		;;
	*) fail "'$option' is no option; see the first lines of this script" ;;
	esac
done
[ -z "$old" ] || [ -f "$old" ] || fail "$old is not a file"
for tool in "$irdiff" valgrind jq "${cc%% *}"; do
	command -v "$tool" >/dev/null || fail "$tool is missing"
done

temporary=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-planted.XXXXXX")
trap 'rm -rf "$temporary"' EXIT
scratch=${keep:-$temporary/programs}
mkdir -p "$scratch"
scratch=$(CDPATH='' cd "$scratch" && pwd)
trap 'exit 130' INT TERM HUP

# ---- planting and measuring ----

# measure LABEL: measures $objects/program, always by the same name.
measure() {
	# shellcheck disable=SC2086 # words
	(cd "$scratch/$program" && cp "$objects/program" program &&
		"$irdiff" profile -q --cache-sim=no --timeout=300 $options --label="$1" -- $command) ||
		fail "$program cannot be measured"
}

measured() {
	[ -f "$scratch/$program/profiles/$1.callgrind" ]
}

# The sources as they were before any edit, in the directory in which all are built.
restore() {
	rm -rf "$scratch/$program/src" "$scratch/$program/moved"
	cp -r "$scratch/$program/original" "$scratch/$program/src"
}

# What the program was before any edit.
prepare() {
	objects=$scratch/$program/base
	! measured base || return 0
	rm -rf "$scratch/$program"
	mkdir -p "$scratch/$program/original" "$objects"
	for workload in "$here/planted/$program".c "$here/planted/$program".cc "$here/planted/$program".rs; do
		[ ! -f "$workload" ] || cp "$workload" "$scratch/$program/original/workload.${workload##*.}"
	done
	"program_$program" sources
	restore
	(cd "$scratch/$program/src" && build .) || fail "$program cannot be built"
	measure base
}

# edit LABEL: edits the sources by $temporary/edits, in the directory of the sources; prints what changed.
edit() {
	number=0
	while read -r edited; do
		number=$((number + 1))
		[ -f "$edited" ] || fail "$1: $program has no $edited"
		sed -E -i -f "$temporary/edits/$number" "$edited" || fail "$1: sed failed"
		! cmp -s "$edited" "../original/$edited" || fail "$1: $edited is not as expected: nothing to edit"
	done <"$temporary/edits/files"
	# sed can write to other files, too.
	diff -rq ../original . | sed -n 's/^Files .* and \.\/\(.*\) differ$/\1/p; s/^Only in \.: //p'
}

# plant LABEL: edits, builds and measures, unless the same edit is kept.
plant() {
	objects=$scratch/$program/head
	find "$temporary/edits" -type f | LC_ALL=C sort | xargs -r cat >"$temporary/edit"
	if measured "$1" && cmp -s "$temporary/edit" "$scratch/$program/$1.edit"; then
		return 0
	fi
	rm -f "$scratch/$program/profiles/$1-again.callgrind"
	rm -rf "$objects"
	restore
	if [ "$mechanism" = path ]; then
		mkdir "$objects"
		(cd "$scratch/$program" && mv src moved && cd moved && build .) || fail "$1: $program cannot be built"
	else
		cp -r "$scratch/$program/base" "$objects"
		(
			cd "$scratch/$program/src"
			# shellcheck disable=SC2086 # names of files
			changed=$(edit "$1") && build $changed
		) || fail "$1: $program cannot be built"
	fi
	measure "$1"
	cp "$temporary/edit" "$scratch/$program/$1.edit"
}

# ---- judging ----

# diff_json BASE HEAD OPTION...
diff_json() {
	base=$1 head=$2
	shift 2
	(cd "$scratch/$program" && "$irdiff" diff "$base" "$head" --format=json --metric=Ir "$@") || [ $? -ne 2 ]
}

# says LABEL: what the program printed.
says() {
	cat "$scratch/$program/.irdiff/profiles/$1.callgrind/stdout.log"
}

# judge BASE NAME FUNCTION KIND: one line of the table.
judge() {
	for view in causes flat; do
		diff_json "$1" "$2" --view=$view --top=0 --threshold=0 --min-delta=0 >"$temporary/$view.json"
	done
	diff_json "$1" "$2" --view=causes --top=20 >"$temporary/shown.json"
	echo '{}' >"$temporary/checked.json"
	[ "$4" != random ] || diff_json "$1" "$2" --check --limit='Ir==' >"$temporary/checked.json"
	jq -rs --arg planted "$3" -f "$here/planted/judge.jq" "$temporary/causes.json" "$temporary/flat.json" \
		"$temporary/shown.json" "$temporary/checked.json" >"$temporary/judged" || fail "$2 cannot be judged"
	says "$1" >"$temporary/said"
	remark=''
	says "$2" | cmp -s - "$temporary/said" || remark='says something else'
	remark=$remark$(awk -F '\t' -v kind="$4" '
		{ delta = $2 < 0 ? -$2 : $2 }
		kind == "calls" && $4 != "=" { print " its self cost changed" }
		kind == "none" && 1000 * delta > $1 { print " it changes something" }
		kind != "none" && !delta { print " it changes nothing" }' "$temporary/judged")
	[ -z "$remark" ] || wrong=1
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$2" "$language" "$4" "$mechanism" "$3" "$(cat "$temporary/judged")" \
		"${remark:--}" >"$temporary/row"
	cat "$temporary/row" >>"$temporary/table"
	awk -F '\t' '
		function part(x) { return $7 ? 100 * x / ($7 < 0 ? -$7 : $7) : 0 }
		{
			printf "%-28s%-15s%-10s%8.2f", $1, $4, $3, 100 * $7 / $6
			if ($3 == "none")
				printf "  %d Ir, Σ %d, %s", $7, $13, $15 ? $15 " causes" : "nothing shown"
			else if ($3 == "random")
				printf "  Σ/d %.2f, %s", part($13) / 100, $16
			else
				printf "%9.1f%-2s%5s%6s%9.1f%7.2f%6s  %s", part($8), $9 == "=" ? " =" : "",
					$10, $11, $12, part($13) / 100, $14, $5
			print $17 == "-" ? "" : "  !" $17
		}' "$temporary/row"
}

# ---- all cases ----

# One case: $name $program $file $function $kind $mechanism, and its edit in $temporary/edits.
run_case() {
	language=c flags='' crates='' options='' command=./program
	"program_$program"
	prepare
	plant "$name"
	before=base
	if [ "$kind" = random ]; then
		# The same program again.
		measured "$name-again" || measure "$name-again"
		before=$name-again
	fi
	judge "$before" "$name" "$function" "$kind"
}

# is_wanted: whether the case is to be measured.
is_wanted() {
	# shellcheck disable=SC2254 # a pattern
	case $name in
	$wanted) ;;
	*) return 1 ;;
	esac
	case $programs in
	*" $program "*) ;;
	*) return 1 ;;
	esac
}

wrong=0
printf '%s\t' case language kind mechanism function base delta self same rank named share sum flat rows \
	verdict >"$temporary/table"
echo remark >>"$temporary/table"
printf '%-28s%-15s%-10s%8s%9s  %5s%6s%9s%7s%6s  %s\n' case mechanism kind 'd %' 'd self %' rank named 'share %' \
	'sum/d' flat 'planted function'
cat "$here"/planted/*.list >"$temporary/list"
sed -n 's/^case //p' "$temporary/list" >"$temporary/cases"
[ "$(cut -d' ' -f1 "$temporary/cases" | sort | uniq -d)" = '' ] || fail "two cases have one name"
while read -r name program edited function kind mechanism <&3; do
	is_wanted || continue
	mechanism=${mechanism:-plain}
	# From the line after the words to the next case; "in FILE" begins the edit of another file.
	rm -rf "$temporary/edits"
	mkdir "$temporary/edits"
	awk -v name="$name" -v edited="$edited" -v directory="$temporary/edits" '
		$1 == "case" { found = $2 == name; next }
		!found || !sub(/^\t/, "") || !n++ { next }
		$1 == "in" && NF == 2 { edited = $2; files++; print edited >(directory "/files"); next }
		!files { files++; print edited >(directory "/files") }
		{ print >(directory "/" files) }' "$temporary/list"
	run_case
done 3<"$temporary/cases"
[ "$(wc -l <"$temporary/table")" -gt 1 ] || fail "no case is called $wanted"
awk -f "$here/planted/summarize.awk" "$temporary/table"
if [ -n "$old" ]; then
	echo
	awk -f "$here/planted/compare.awk" "$old" "$temporary/table"
fi
[ -z "$tsv" ] || cp "$temporary/table" "$tsv"
exit "$wrong"
