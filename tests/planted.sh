#!/bin/sh
# Usage: tests/planted.sh
#
# The benchmark of causes works, and so do causes, in the program of data/demo: of each function that was
# edited, and is not inlined anew, a cause is the first. If nothing changed in what the program does, no
# cause is shown. Two runs of the benchmark can be compared.
set -eu
. "$(dirname "$0")/skip.sh"
LC_ALL=C
export LC_ALL

needs jq valgrind gcc

benchmark=${srcdir:-.}/tests/bench/planted.sh
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-test.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP

sh "$benchmark" --case='demo-*' --keep="$scratch/keep" --tsv="$scratch/table.tsv"
awk -F '\t' '
	NR == 1 {
		for (i = 1; i <= NF; i++)
			column[$i] = i
		next
	}
	{
		kind = $(column["kind"]); mechanism = $(column["mechanism"])
	}
	kind == "none" {
		nothing++
		if ($(column["sum"]) != 0) {
			print $1 ": something is shown where nothing changed"
			failed = 1
		}
	}
	kind != "none" && mechanism != "inlining" {
		cases++
		if ($(column["rank"]) != 1) {
			print $1 ": the planted function is not named first"
			failed = 1
		}
	}
	END { exit failed || cases < 5 || nothing < 7 }' "$scratch/table.tsv"

# What is kept is not measured again, and a row that got worse is told from one that is the same.
sed -E 's/^(demo-powers(\t[^\t]*){8})\t1\t/\1\t3\t/' "$scratch/table.tsv" >"$scratch/old.tsv"
sh "$benchmark" --case='demo-p*' --keep="$scratch/keep" --compare="$scratch/old.tsv" >"$scratch/compared"
grep -q '^better  demo-powers  rank 3 → 1$' "$scratch/compared"
grep -q '^missing demo-rename$' "$scratch/compared"
grep -q ' 0 worse' "$scratch/compared"
