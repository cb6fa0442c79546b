#!/bin/sh
# Usage: tests/bench/reading.sh [OPTION]... [FILE]...
#
# How fast irdiff reads profiles: those that it generates, and FILEs, which may be compressed
# (.gz, .xz, .zst). Run in the directory of a build. Fails when a total is wrong, never for a time.
#
#   --sizes=LIST      what to generate: sizes in bytes (k, M, G), each perhaps with a kind; by
#                     default "1M 10M 20M/full 100M/contexts 1G/contexts"; "" for FILEs only
#   --apart=N         functions of each profile of the third table (48000); 0: none
#   --runs=N          medians of N runs (5)
#   --annotate=SIZE   callgrind_annotate reads files of up to SIZE (25M); 0: none
#   --cpu             compares processor time, of all threads, instead of wall time
#
# Kinds: plain, the usual one, has lines and one event; full has instructions, 13 events and jumps;
# contexts has instructions, one event, jumps, and functions in contexts of six callers.
#
# The columns, of files in the page cache and commands that take turns; times in milliseconds:
#   MB          size of the file, in millions of bytes
#   wc md5sum   `wc -l` and `md5sum`: how fast the file is read at all
#   show        `irdiff show`
#   /md5sum     show in times of md5sum; to be at most 0.5 from 100 MB on, 1.0 from 20 MB on
#   annotate    `callgrind_annotate --auto=no`, run once
#   /show       annotate in times of show
#   peak        most memory that show was resident in, in MB; to be at most 64 or 25 % of the file
#   %           peak as a share of the file
#   diff        `irdiff diff --view=flat FILE FILE`
#   /show       diff in times of show; to be at most 2.1
#   causes      `irdiff diff --view=causes FILE FILE`
#   /2show      causes in times of two shows; to be at most 3
#   peak, %     most memory that causes was resident in, and as a share of both files; to be at most 25 %
#               from 100 MB on
#   changed     causes of FILE and a copy in which all numbers of calls differ: no path is what it was,
#               which is the worst case
#   /2show      changed in times of two shows
#   peak        most memory that it was resident in, in MB
# What was reached stands before what was to be, "0.41 <=0.5" or, if it was missed, "0.62 > 0.5".
# The second table has `irdiff show` on the first file of 10 MB or more when that is compressed,
# and the program that decompresses it without reading it. The third has the flat diff of two profiles that
# have no function in common, and with the sides exchanged, each in times of `show` of both; to be at most
# 2.1.
set -eu
LC_ALL=C
export LC_ALL
irdiff=${IRDIFF:-./irdiff}
tools=${BENCH_TOOLS:-tests/bench}
sizes='1M 10M 20M/full 100M/contexts 1G/contexts'
runs=5 annotate=25M apart=48000 clock=wall wrong=0

stop() {
	echo "reading.sh: $*" >&2
	exit 2
}

# bytes SIZE
bytes() {
	case ${1%[kMG]} in
	'' | *[!0-9]*) stop "'$1' is not a size" ;;
	esac
	case $1 in
	*k) echo "${1%k}000" ;;
	*M) echo "${1%M}000000" ;;
	*G) echo "${1%G}000000000" ;;
	*) echo "$1" ;;
	esac
}

# generate SIZE[/KIND] FILE
generate() {
	case $1 in
	*/full) options='--instr --jumps --events=13' ;;
	*/contexts) options='--instr --jumps --contexts' ;;
	*/plain | *[0-9kMG]) options= ;;
	*) stop "'${1#*/}' is not a kind of profile" ;;
	esac
	# shellcheck disable=SC2086
	"$tools/generate" $options "${1%/*}" >"$2" || exit 2
}

# unpack FILE TO: true if FILE was compressed.
unpack() {
	case $1 in
	*.gz) gzip -dc "$1" >"$2" ;;
	*.xz) xz -dc "$1" >"$2" ;;
	*.zst) zstd -qdc "$1" >"$2" ;;
	*) return 1 ;;
	esac
}

# The totals that irdiff finds in FILE, and those the file ends with if it has one part; without
# zeros at the end, which may be left off.
found_totals() {
	"$irdiff" show --format=json --top=1 "$1" | jq -r '.totals[]' | tr '\n' ' ' |
		sed 's/\( 0\)* *$//'
}

stated_totals() {
	if [ "$(grep -c '^totals: ' "$1")" = 1 ]; then
		tail -n 1 "$1" | sed -n 's/^totals: //; s/\( 0\)* *$//p'
	fi
}

# check NAME FILE
check() {
	stated=$(stated_totals "$2")
	found=$(found_totals "$2")
	if [ -z "$found" ] || [ "$found" != "${stated:-$found}" ]; then
		echo "$1: the totals are ${stated:-unknown}, but irdiff finds ${found:-none}" >&2
		wrong=$((wrong + 1))
	fi
}

# measure RUNS COMMAND [, COMMAND]...: a line of time, in ms, and peak, in MB, for each.
measure() {
	"$tools/measure" "$@" >"$scratch/measured" || exit 2
	awk -v clock=$clock '{ print clock == "wall" ? $1 : $2, $3 * 1024 / 1e6 }' "$scratch/measured"
}

print_head() {
	printf '%-18s %8s %6s %7s %8s %10s %9s %6s %10s %4s %8s %10s %8s %8s %6s %8s %8s %6s %6s\n' \
		"$clock time in ms" MB wc md5sum show /md5sum annotate /show peak % diff /show \
		causes /2show peak % changed /2show peak
}

# print_row NAME BYTES <MEASURES: of wc, md5sum, show, diff, causes, changed, and perhaps annotate.
print_row() {
	awk -v name="$1" -v size="$2" '
	# What was reached, and what was to be.
	function held(format, value, target) {
		return sprintf(format " %2s%s", value, value > target + 0 ? ">" : "<=", target)
	}

	{ time[NR] = $1; peak[NR] = $2 }

	END {
		mb = size / 1e6
		ratio = time[3] / time[2]
		# Generated files have about the size that they are to have.
		if (mb < 0.95 * 20)
			ratio = sprintf("%.2f      ", ratio)
		else
			ratio = held("%.2f", ratio, mb < 0.95 * 100 ? "1.0" : "0.5")
		room = mb > 256 ? int(mb / 4) : 64
		share = 100 * peak[5] / (2 * mb)
		printf "%-18s %8.1f %6.1f %7.1f %8.1f ", name, mb, time[1], time[2], time[3]
		printf "%11s %9s ", ratio, NR < 7 ? "-" : sprintf("%.0f", time[7])
		printf "%6s ", NR < 7 ? "-" : sprintf("%.1f", time[7] / time[3])
		printf "%10s %4.0f ", held("%.0f", peak[3], room), 100 * peak[3] / mb
		printf "%8.1f %10s ", time[4], held("%.2f", time[4] / time[3], 2.1)
		printf "%8.1f %8s ", time[5], held("%.1f", time[5] / (2 * time[3]), 3)
		printf "%6.0f %8s ", peak[5], mb < 0.95 * 100 ? int(share) : held("%.0f", share, 25)
		printf "%8.1f %6.1f %6.0f\n", time[6], time[6] / (2 * time[3]), peak[6]
	}'
}

# bench NAME FILE: a row of the first table.
bench() {
	check "$1" "$2"
	size=$(wc -c <"$2")
	sed 's/^calls=\([0-9]*\)/calls=\11/' "$2" >"$scratch/changed"
	cat "$2" >/dev/null
	measure "$runs" wc -l "$2" , md5sum "$2" , "$irdiff" show "$2" , \
		"$irdiff" diff --view=flat "$2" "$2" , "$irdiff" diff --view=causes "$2" "$2" , \
		"$irdiff" diff --view=causes "$2" "$scratch/changed" >"$scratch/row"
	rm "$scratch/changed"
	if [ "$size" -le "$annotate" ]; then
		measure 1 callgrind_annotate --auto=no "$2" >>"$scratch/row"
	fi
	print_row "$1" "$size" <"$scratch/row"
	if [ "$size" -ge 10000000 ] && [ ! -f "$scratch/compressible" ]; then
		cp "$2" "$scratch/compressible"
		compressible=$1
	fi
}

# bench_compressed NAME: the second table.
bench_compressed() {
	printf '\n%-24s %8s %8s %10s %8s\n' "$clock time in ms" MB show decompress peak
	for program in gzip zstd; do
		command -v $program >/dev/null || continue
		packed=$scratch/packed
		$program -c <"$scratch/compressible" >"$packed"
		measure "$runs" "$irdiff" show "$packed" , $program -dc "$packed" >"$scratch/row"
		awk -v name="$1, $program" -v size="$(wc -c <"$packed")" '
		{ time[NR] = $1; peak[NR] = $2 }
		END { printf "%-24s %8.1f %8.1f %10.1f %8.0f\n", name, size / 1e6, time[1], time[2], peak[1] }
		' "$scratch/row"
	done
}

# generate_apart FORMAT: a profile of functions whose names are FORMAT with their numbers.
generate_apart() {
	awk -v functions="$apart" -v format="$1" 'BEGIN {
		print "events: Ir\nob=/bin/apart\nfl=apart.cc"
		for (i = 0; i < functions; i++)
			printf "fn=" format "\n1 5\n", i
		print "totals: " 5 * functions
	}'
}

# bench_apart: the third table.
bench_apart() {
	generate_apart 'f%d' >"$scratch/base"
	generate_apart 'ns%d::same(int)' >"$scratch/head"
	measure "$runs" "$irdiff" show "$scratch/base" , "$irdiff" show "$scratch/head" , \
		"$irdiff" diff --view=flat "$scratch/base" "$scratch/head" , \
		"$irdiff" diff --view=flat "$scratch/head" "$scratch/base" >"$scratch/row"
	printf '\n%-24s %8s %8s %10s %8s %10s\n' "$clock time in ms" show diff /show exchanged /show
	awk -v name="$apart functions apart" '
	function held(value) {
		return sprintf("%.2f %2s2.1", value, value > 2.1 ? ">" : "<=")
	}

	{ time[NR] = $1 }

	END {
		both = time[1] + time[2]
		printf "%-24s %8.1f %8.1f %10s ", name, both, time[3], held(time[3] / both)
		printf "%8.1f %10s\n", time[4], held(time[4] / both)
	}' "$scratch/row"
}

while [ $# -gt 0 ]; do
	case $1 in
	--sizes=*) sizes=${1#*=} ;;
	--apart=*) apart=${1#*=} ;;
	--runs=*) runs=${1#*=} ;;
	--annotate=*) annotate=${1#*=} ;;
	--cpu) clock=cpu ;;
	-h | --help)
		sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
		exit 0
		;;
	-*) stop "unknown option $1 (see --help)" ;;
	*) break ;;
	esac
	shift
done
annotate=$(bytes "$annotate")
command -v callgrind_annotate >/dev/null || annotate=0
for program in "$irdiff" "$tools/generate" "$tools/measure"; do
	[ -x "$program" ] || stop "no $program: run \`make bench\`, or this where that was run"
done

for file; do
	[ -r "$file" ] || stop "cannot read $file"
done

scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
profile=$scratch/profile

print_head
# A profile may be large: there is one at a time.
for size_and_kind in $sizes; do
	generate "$size_and_kind" "$profile"
	bench "$size_and_kind" "$profile"
done
for file; do
	if unpack "$file" "$profile"; then
		bench "$(basename "$file")" "$profile"
	else
		bench "$(basename "$file")" "$file"
	fi
done
rm -f "$profile"
[ ! -f "$scratch/compressible" ] || bench_compressed "$compressible"
[ "$apart" = 0 ] || bench_apart

if [ "$wrong" -gt 0 ]; then
	echo "$wrong totals are wrong" >&2
	exit 1
fi
