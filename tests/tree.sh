#!/bin/sh
# Usage: tests/tree.sh [COMMAND [ARGUMENT…]]
#
# The tree of a real program, recorded by the real Valgrind, costs on every path what it should.
# The truth is read off the raw file, without irdiff: where callgrind records every caller, the
# name of each record is its path. A command of C code, such as "lua script.lua" or
# "sqlite3 :memory: '.read script.sql'", takes the place of the program that is built here.
set -eu
. "$(dirname "$0")/skip.sh"
LC_ALL=C
export LC_ALL
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")

needs valgrind
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-tree.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP

# A calculator by recursive descent, functions that call each other in turns and themselves, ways
# to leave a stack: all that makes paths hard to tell.
cat >"$scratch/program.c" <<'END_OF_PROGRAM'
#include <setjmp.h>
#include <stdlib.h>

static volatile long sink;
static const char *at;
static jmp_buf out;

#define KEPT __attribute__((noinline, noclone))

KEPT static void leaf(long n)
{
	for (long i = 0; i < n; i++)
		sink += i;
}

KEPT static void blank(void)
{
	leaf(2);
	while (*at == ' ')
		at++;
}

static long sum(void);

KEPT static long primary(void)
{
	blank();
	if (*at == '-') {
		at++;
		return 1 - primary();
	}
	if (*at == '(') {
		at++;
		long value = sum();
		at++;
		return value + 1;
	}
	leaf(*at & 7);
	return *at++ - '0';
}

KEPT static long product(void)
{
	long value = primary();
	for (blank(); *at == '*'; blank()) {
		at++;
		value = value * primary() % 1009;
	}
	return value;
}

KEPT static long sum(void)
{
	long value = product();
	for (blank(); *at == '+'; blank()) {
		at++;
		value += product();
	}
	return value;
}

KEPT static long odd(long n);

KEPT static long even(long n)
{
	leaf(n % 5);
	return n <= 0 ? 1 : n % 7 == 3 ? 1 + even(n - 1) : 1 + odd(n - 1);
}

KEPT static long odd(long n)
{
	leaf(n % 3);
	if (n % 11 == 5)
		blank();
	return n <= 0 ? 2 : n % 5 == 2 ? odd(n - 1) + 3 : even(n - 1) + 3;
}

KEPT static long split(long n)
{
	leaf(n);
	return n < 2 ? n : split(n - 1) + split(n - 2) + (n % 4 ? 0 : even(n));
}

KEPT static void give_up(long depth)
{
	leaf(depth);
	if (depth == 0)
		longjmp(out, 1);
	give_up(depth - 1);
	sink++;
}

KEPT static long apply(long (*f)(long), long n)
{
	return f(n); /* perhaps a jump */
}

int main(int argc, char **argv)
{
	long depth = argc > 1 ? atol(argv[1]) : 30;

	at = "1+(2*(3+-(-4+5*(6+(7*8)))))*((((1))))+--(2*3)";
	sink += sum();
	sink += split(9) + apply(even, depth) + apply(odd, depth / 2);
	if (!setjmp(out))
		give_up(4);
	leaf(3);
	return 0;
}
END_OF_PROGRAM

# Folded stacks of a raw file in which no context was cut: a recursion level stands after the
# callee, whose name comes first.
cat >"$scratch/truth.awk" <<'END_OF_SCRIPT'
function path(name,   part, n, i, text) {
	n = split(name, part, "'")
	if (n > longest)
		longest = n
	for (i = n; i > 1; i--)
		if (i > 2 || part[i] !~ /^[0-9]+$/)
			text = text part[i] ";"
	return text part[1]
}
/^c?fn=/ {
	id = substr($0, index($0, "=") + 1)
	defined = index(id, ") ")
	if (defined) {
		text = substr(id, defined + 2)
		id = substr(id, 1, defined)
		name[id] = text
	}
	if (/^fn=/)
		current = path(name[id])
	next
}
/^calls=/ {
	getline
	next
}
/^[0-9+*-]/ { cost[current] += $2 }
END {
	for (p in cost)
		if (cost[p])
			print p " " cost[p]
	if (longest >= 999)
		print "contexts were cut" >"/dev/stderr"
	exit longest >= 999
}
END_OF_SCRIPT

# The sizes of all differences between two files of folded stacks, and what the first costs in all.
cat >"$scratch/error.awk" <<'END_OF_SCRIPT'
{
	cost = $NF
	sub(/ [0-9]+$/, "")
}
inside != "" && index(";" $0 ";", ";" inside ";") == 0 { next }
NR == FNR {
	truth[$0] = cost
	total += cost
	next
}
{
	error += cost > truth[$0] ? cost - truth[$0] : truth[$0] - cost
	delete truth[$0]
}
END {
	for (p in truth)
		error += truth[p]
	print error + 0, total + 0
}
END_OF_SCRIPT

if [ $# -eq 0 ]; then
	cd "$scratch"
	${CC:-cc} -g -O2 -o program program.c
	set -- ./program
	ours=yes
else
	ours=
fi
failed=0

# record NAME CALLERS LEVELS COMMAND…
record() {
	name=$1 callers=$2 levels=$3
	shift 3
	valgrind -q --tool=callgrind --callgrind-out-file="$scratch/$name" \
		--separate-callers="$callers" --separate-recs="$levels" "$@" \
		>"$scratch/log" 2>&1 </dev/null || {
		cat "$scratch/log"
		exit 1
	}
	"$irdiff" convert "$scratch/$name" "$scratch/$name.folded" --force 2>"$scratch/$name.warnings"
}

# compare NAME MOST [INSIDE]: against the truth; the sum of errors is to be at most MOST millionths.
compare() {
	set -- "$1" "$2" "${3:-}" \
		$(awk -v inside="${3:-}" -f "$scratch/error.awk" "$scratch/truth" "$scratch/$1.folded")
	echo "$1: $(wc -l <"$scratch/$1.folded") stacks, an error of $4 in $5${3:+ below $3}" \
		"$(sed 's/^irdiff: warning: [^ ]*/-/' "$scratch/$1.warnings")"
	if [ "$(($4 * 1000000))" -gt "$(($5 * $2))" ]; then
		echo "FAIL: $1"
		failed=1
	fi
}

says_exact() {
	"$irdiff" show "$scratch/$1" --view=tree | grep -q '^Paths: *exact$' || {
		echo "FAIL: the tree of $1 is not said to be exact"
		failed=1
	}
}

record whole 1000 1000 "$@"
awk -f "$scratch/truth.awk" "$scratch/whole" >"$scratch/truth"
compare whole 0
says_exact whole

# What irdiff profile records. Two runs differ by some instructions before main.
record usual 100 10 "$@"
if [ "$ours" ]; then
	compare usual 0 main
	says_exact usual
	# Deeper than that: what cannot be told apart is marked, and nothing is lost.
	record deep 100 10 "$@" 400
	record flat 0 1 "$@" 400
	for name in deep flat; do
		total=$(awk '/^totals: / { print $2 }' "$scratch/$name")
		sum=$(awk '{ sum += $NF } END { print sum }' "$scratch/$name.folded")
		echo "$name: $sum of $total" "$(sed 's/^irdiff: warning: [^ ]*/-/' "$scratch/$name.warnings")"
		if [ "$sum" != "$total" ] || [ ! -s "$scratch/$name.warnings" ]; then
			echo "FAIL: $name"
			failed=1
		fi
	done
elif [ -s "$scratch/usual.warnings" ]; then
	compare usual 2000000 # deeper than recorded, and irdiff says so
else
	compare usual 100
fi
exit $failed
