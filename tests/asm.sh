#!/bin/sh
# Usage: tests/asm.sh
#
# Instructions of real programs: with what other tools disassemble and count, of a loop that is no longer
# vectorised, and of programs that are gone, changed or damaged.
set -eu
. "$(dirname "$0")/scratch.sh"
needs valgrind jq
cd "$scratch"
unset DEBUGINFOD_URLS

cat >vec.c <<'END'
#include <stdio.h>
#define N 2048

static float in[N], out[N];

static inline float scale(float x)
{
	return x * 2.5f;
}

__attribute__((noinline)) static float add_scaled(const float *x, float *y, int n)
{
	for (int i = 0; i < n; i++) {
		KEEP_ORDER;
		y[i] += scale(x[i]);
	}
	return y[n / 2];
}

int main(int argc, char **argv)
{
	(void)argv;
	float sum = 0;
	for (int i = 0; i < N; i++)
		in[i] = i;
	for (int k = 0; k < 20; k++)
		sum += add_scaled(in, out, N - argc + 1);
	return sum < 0 ? puts("negative") : 0;
}
END

# holds CONDITION FILE: whether it does in JSON.
holds() {
	jq -e "$1" "$2" >holds
}

# measure LABEL FLAG...: the same program with other flags, at the same path.
measure() {
	label=$1
	shift
	$static -g -O3 "$@" -o vec vec.c
	"$irdiff" profile --label="$label" -- ./vec >out 2>err
}
check "the loop is vectorised" measure base '-DKEEP_ORDER='
check "the loop is not" measure head '-DKEEP_ORDER=__asm__ volatile("" ::: "memory")'
cp vec vec.head
rm vec

# share SIDE FUNCTION: how much of a function's cost are vector instructions, in percent.
share() {
	jq -r --arg side "$1" '.instructions[0][$side] | 100 * .self_of_vectors / .self | floor' diff.json
}
check "both are shown when the programs are gone" sh -c \
	'"$1" diff --view=asm --format=json base head add_scaled >diff.json' sh "$irdiff"
check "base works on several values at once" test "$(share base)" -ge 30
check "head does not" test "$(share head)" -eq 0
check "nothing is missing" holds '[.instructions[] | .base.missing, .head.missing | length] | add == 0' diff.json
check "the text shows it" sh -c '"$1" diff --view=asm base head add_scaled >out 2>err &&
	grep -q "^   base: .*vector instructions: [3-9]" out && grep -q "^   head: .*vector instructions: 0%" out &&
	grep -q "^[^~]*[0-9]  - .*vec.c" out && grep -q "^[^~]*[0-9]  + .*(scale)" out' sh "$irdiff"
# Removed instructions come before added ones, and padding that was not executed is not shown.
check "what only base has comes first" awk '
	match($0, /[-+~ ] 0x[0-9a-f]+  /) { mark = substr($0, RSTART, 1); rows++; wrong += last == "+" && mark == "-"; last = mark }
	/0x[0-9a-f]+  nop/ && !/[0-9] .*0x/ { wrong++ }
	END { exit wrong || rows < 20 }' out
check "all changes add up to that of the function" holds '.instructions[0] |
	([.instructions[].delta_self] | add) == .head.self - .base.self' diff.json

# make_page BASE HEAD: page.json has its data.
make_page() {
	"$irdiff" report "$1" "$2" -o page.html
	sed -n 's/^<script type="application\/json" id="data">//p' page.html | sed 's/<\/script>$//' >page.json
}
make_page base head
check "the page has data" test -s page.json
holds_code() {
	jq -e "[.benches[].sources[] | select(.code) | .code][0] | $1" page.json >holds
}
check "the page has the instructions" holds_code '(.base.vector[0] > 0) and .head.vector[0] == 0'
check "… of which each costs what it costs" holds_code '([.rows[] | .[1][0] // 0] | add) == .base.self[0]'
check "… and both sides are matched" holds_code '[.rows[] | select(.[0] == "" and .[1] and .[2])] | length > 3'

mkdir none && for n in 3 4 5 6; do : >none/libcapstone.so.$n; done
(export LD_LIBRARY_PATH="$PWD/none" && make_page base head)
check "without the library that disassembles, the page says so" \
	holds '.benches[].noCode | test("Capstone could not be loaded")' page.json

check "a report leads to the instructions where the source is the same" sh -c \
	'"$1" diff base head >out 2>err && grep -q "^Code:    irdiff diff --view=asm .base. .head." out' sh "$irdiff"

# insight BASE HEAD CONDITION [OPTION]: about the one that other code of the same source gives, or null.
insight() {
	"$irdiff" diff --format=json "$1" "$2" ${4:+"$4"} >insights.json 2>err &&
		holds "[.insights[] | select(.rule == \"other-code\")][0] | $3" insights.json
}
check "an insight names the function and what differs" insight base head \
	'.function.function == "add_scaled" and (.evidence | test("vector instructions [3-9][0-9.]*% → 0%"))'
check "… but not if what is inlined into it counts for it" insight base head '. == null' --inlines=no
sed -i 's/return sum < 0/return sum < 1/' vec.c
measure edited '-DKEEP_ORDER=__asm__ volatile("" ::: "memory")'
check "… if another function was edited" insight base edited '.function.function == "add_scaled"'
sed -i 's/N - argc + 1/N - argc - 1000/' vec.c
measure fewer '-DKEEP_ORDER=__asm__ volatile("" ::: "memory")'
check "none if the same code has less to do" insight edited fewer '. == null'
sed -i 's/k < 20/k < 40/' vec.c
measure calls '-DKEEP_ORDER='
check "none if there are more calls" insight fewer calls '. == null'
sed -i 's/k < 40/k < 20/; s/N - argc - 1000/N - argc + 1/; s/2.5f/3.5f/' vec.c
measure other '-DKEEP_ORDER='
check "none if what is inlined was edited" insight head other '. == null'
lost() {
	"$irdiff" diff --format=json "$1" "$2" >insights.json 2>err &&
		holds "[.insights[] | select(.rule == \"lost-vectors\")][0] | $3" insights.json
}
check "… and another one if it lost its vector instructions" lost other head \
	'.function.function == "add_scaled" and (.evidence | test("vector instructions [3-9][0-9.]*% → 0%"))'
check "… which leads to the instructions" sh -c \
	'"$1" diff other head >out 2>err && grep -q "^Code:    irdiff diff --view=asm .other. .head. .^add_scaled" out' sh "$irdiff"
check "none if it gained them" lost head other '. == null'
check "none if it was not edited" lost base head '. == null'
sed 's/3.5f/2.5f/' vec.c >copy.c
measure copied '-DKEEP_ORDER=__asm__ volatile("" ::: "memory")'
sed -i 's/3.5f/2.5f/' vec.c
sed 's/2.5f/3.5f/' vec.c >copy.c
measure exchanged '-DKEEP_ORDER='
check "… also where a copy in another file has the text" insight copied exchanged '. == null'
check "… and not where that tells" sh -c \
	'"$1" diff head other >out 2>err && grep -q "^Source: " out && ! grep -q "^Code: " out' sh "$irdiff"
rm vec

shown() {
	"$irdiff" show --view=asm "$1" main | sed '1,/^$/d'
}
path_is_label() {
	shown base >base.out && test -s base.out && shown profiles/base.callgrind | cmp - base.out &&
		shown "$PWD/profiles/base.callgrind" | cmp - base.out
}
check "the path of a label's file is read like the label" path_is_label
cp profiles/base.callgrind copied.callgrind
check "… and a copy leads to the label" sh -c '! "$1" show --view=asm copied.callgrind main >out 2>err &&
	grep -q "name the label instead of the file" err' sh "$irdiff"
sed 's/^desc: Trigger: .*/&, once more/' copied.callgrind >profiles/base.callgrind
check "… as does a file that somebody put in its place" sh -c '
	! cmp -s copied.callgrind profiles/base.callgrind &&
		! "$1" show --view=asm profiles/base.callgrind main >out 2>err &&
		grep -q "name the label instead of the file" err' sh "$irdiff"
mv copied.callgrind profiles/base.callgrind

# ---- calls ----

cat >calls.c <<'END'
__attribute__((noinline)) int foo(int x) { return x * 3; }
__attribute__((noinline)) int bar(int x)
{
	int s = 0;
	for (int i = 0; i < 40; i++)
		s += x * i ^ s;
	return s;
}
__attribute__((noinline)) int run(int n)
{
	int t = 0;
	for (int i = 0; i < n; i++)
		t += CALL(i);
	return t;
}
int main(void) { return run(1000) + bar(1) + foo(1) == 0; }
END
for called in foo bar; do
	cc -g -O2 -DCALL=$called -o calls calls.c && "$irdiff" profile -q --label="$called" -- ./calls
done >/dev/null 2>err
"$irdiff" diff --view=asm foo bar '^run$' --threshold=0 >out 2>err
check "calls of two functions are two rows" sh -c \
	'grep -A1 "^1,000 *– *-1,000 .* call " out | grep -qF "=> foo (1,000x)" &&
	grep -A1 "^ *– *1,000 *+1,000 .* call " out | grep -qF "=> bar (1,000x)"'
"$irdiff" show --view=asm --top=0 foo . 2>err | grep '^-- ' >out
check "stubs for functions of libraries have no code, as their addresses may be others" sh -c \
	'"$1" show --threshold=0 --top=0 foo | grep -q "@plt" && [ -s out ] && ! grep "@plt" out' sh "$irdiff"

# ---- what others know ----

"$irdiff" show --view=asm --format=json head add_scaled >asm.json
check "costs add up to those of the function and of what is inlined" sh -c '
	"$1" show --format=json head "^(add_scaled|scale)(\.|$)" --threshold=0 >flat.json &&
	test "$(jq "[.functions[].self.Ir] | add" flat.json)" -eq "$(jq "[.functions[].self.Ir] | add" asm.json)" &&
	test "$(jq "[.functions[].instructions[].self.Ir] | add" asm.json)" -eq "$(jq "[.functions[].self.Ir] | add" asm.json)"
	' sh "$irdiff"
check "the loop is executed for each value" holds '[.functions[].instructions[].self.Ir] | max == 20 * 2048' asm.json
check "the inlined function is named" holds '[.functions[].instructions[].inlined[]] | unique == ["scale"]' asm.json

# objdump has the same instructions at the same addresses; some of them it calls by other names.
if has objdump "what objdump disassembles"; then
	jq -r '.functions[0].instructions[] | select(.executed) | .address[2:] + " " + .text' asm.json | cut -d' ' -f1 | sort >ours
	objdump -d --no-show-raw-insn vec.head | sed -n 's/^ *\([0-9a-f]*\):.*/\1/p' | sort >all
	check "objdump has instructions at all of these addresses" sh -c '[ -s ours ] && [ -z "$(comm -23 ours all)" ]'
	jq -r '.functions[0].instructions[] | select(.executed) | .address[2:] + " " + .text' asm.json |
		awk '{ print $1, $2 }' | sort >ours
	objdump -M intel -d --no-show-raw-insn vec.head | sed -n 's/^ *\([0-9a-f]*\):[[:space:]]*\([a-z0-9.]*\).*/\1 \2/p' |
		sort >all
	check "and nearly all have the same name" sh -c \
		'test "$(comm -12 ours all | wc -l)" -ge "$(($(wc -l <ours) * 9 / 10))"'
fi

# ---- which functions ----

cat >around.c <<'END'
static inline __attribute__((always_inline)) int step(int x) { MORE; return x * 3 ^ 5; }
__attribute__((noinline)) int outer(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += step(i);
	return s;
}
__attribute__((noinline)) int second(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s ^= step(i * 7);
	return s;
}
__attribute__((noinline)) int same(int n) { return n * 5 + 1; }
int main(void) { return outer(1000) + second(500) + same(3) == 0; }
END
for side in less more; do
	more=
	[ $side = less ] || more='x ^= x << 7; x += x >> 3'
	$static -g -O2 -fno-tree-vectorize -DMORE="$more" -o around around.c &&
		"$irdiff" profile -q --label=$side -- ./around
done >/dev/null 2>err
# listed OPTION...: the functions of the program whose instructions are shown, in their order.
listed() {
	"$irdiff" diff --view=asm less more "$@" 2>err | sed -n 's/^-- \([a-z]*\) \[.*/\1/p' | paste -sd' ' -
}
check "a function changed if what is inlined into it did" test "$(listed '^outer$')" = outer
check "… and is found by what is inlined" test "$(listed '^step$' --top=0)" = 'outer second'
check "… which is said" sh -c '"$1" diff --view=asm less more "^step\$" >out 2>err &&
	grep -qxF "   step is inlined here (*); this is all of outer" out && grep -q "[*]0x[0-9a-f]*  " out' sh "$irdiff"
"$irdiff" show --view=asm --format=json more '^step$' --top=1 >step.json 2>err
"$irdiff" show --view=asm more '^step$' --top=1 >out 2>err
check "… and its instructions are marked" test "$(grep -c '\*0x' out)" = \
	"$(jq '[.functions[0].instructions[] | select(.inlined | index("step"))] | length' step.json)"
check "… unless what contains it was asked for" sh -c '"$1" show --view=asm more "^(step|outer)\$" --top=1 >out 2>err &&
	grep -q "^-- outer" out && ! grep -q "inlined here\|\*0x" out' sh "$irdiff"
check "the one that changed most with it comes first" test "$(listed)" = outer
check "… and others are counted" sh -c '"$1" diff --view=asm less more 2>err | grep -q "instructions of 1 more function;"' \
	sh "$irdiff"
check "one that did not change is not shown" test -z "$(listed '^same$')"
check "… which the text says" sh -c '"$1" diff --view=asm less more "^same$" 2>err | grep -q "^No matching function changed"' \
	sh "$irdiff"

# ---- where functions end ----

cat >ends.c <<'END'
#define AWAY __attribute__((noinline, aligned(64)))
AWAY int first(int x) { return x * 3 ^ 5; }
AWAY int never(int x) { return x * 7 ^ 9; }
AWAY int seldom(int x)
{
	if (x < 0) {
		x += first(x);
		x ^= x >> 3;
	}
	return x + 1;
}
AWAY int last(int x) { return x ? first(x) + seldom(x) : never(x); }
int main(int argc, char **argv) { return last(argc) + last(argc + 1) == (long)argv; }
END
# between_ends PROGRAM: the addresses that objdump has within the functions that are called.
between_ends() {
	nm -S --defined-only "$1" | awk 'NF == 4 && ($4 ~ /^(first|seldom|last|main)$/) { print $1, $2 }' |
		while read -r at size; do
			objdump -d --no-show-raw-insn --start-address=0x$at --stop-address=$((0x$at + 0x$size)) "$1"
		done | sed -n 's/^ *\([0-9a-f]*\):[[:space:]].*/\1/p' | sort
}
if has objdump "where functions end"; then
	cc -g -O2 -o ends ends.c && "$irdiff" profile -q --label=ends -- ./ends >out 2>err
	between_ends ends >all
	"$irdiff" show --view=asm --top=0 --format=json ends '^(first|seldom|last|main)$' 2>err |
		jq -r '.functions[].instructions[].address[2:]' | sort >ours
	check "functions are listed up to their ends, and no further" sh -c '[ "$(wc -l <all)" -gt 20 ] && cmp all ours'
	strip -o ends.stripped ends
	valgrind -q --tool=callgrind --dump-instr=yes --callgrind-out-file=stripped.out ./ends.stripped 2>err
	"$irdiff" show --view=asm --top=0 --format=json stripped.out . 2>err | jq -r --arg own "$scratch/ends.stripped" \
		'.functions[] | select(.object == $own) | .instructions[] | .address[2:] + " " + .text' >ours
	objdump -d --no-show-raw-insn ends | sed -n 's/^ *\([0-9a-f]*\):[[:space:]].*/\1/p' | sort >all
	check "without symbols, no instruction is cut" sh -c '[ "$(wc -l <ours)" -gt 20 ] && ! grep -q "\.byte" ours &&
		[ -z "$(cut -d" " -f1 ours | sort | comm -23 - all)" ]'
fi

# ---- jumps ----

cat >jumps.c <<'END'
__attribute__((noinline)) int repeat(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++) {
		__asm__ volatile("" ::: "memory");
		s += i;
	}
	return s;
}
__attribute__((noinline)) int rare(int n) { return n == ROUNDS ? repeat(1) : n; }
__attribute__((noinline)) int choose(int n)
{
	switch (n & 7) {
	case 0: return 7;
	case 1: return n * 13;
	case 2: return n * 3 + 1;
	case 3: return n ^ 4;
	case 4: return n - 7;
	case 5: return n | 3;
	}
	return 1;
}
int main(void)
{
	int s = repeat(ROUNDS);
	for (int i = 0; i < 20; i++)
		s += choose(i) + rare(i);
	return s == 1;
}
END
jumps() {
	label=$1
	shift
	$static -g -O1 "$@" -o jumps jumps.c && "$irdiff" profile -q --count=jumps --label="$label" -- ./jumps >out 2>err
}
jumps hundred -DROUNDS=100
"$irdiff" show --view=asm --format=json hundred '^repeat$' 2>err >jumps.json
check "a loop jumps back each time but the last" holds '[.functions[0].instructions[].jumps | select(.executed == 100)] |
	map(.to | map(.count)) == [[99]]' jumps.json
check "… as its text says" sh -c '"$1" show --view=asm hundred "^repeat$" >out 2>err && grep -q "^ *jumped 99 of 100 times$" out' \
	sh "$irdiff"
if has objdump "where jumps lead to"; then
	jq -r '.functions[0].instructions[] | select(.jumps.executed == 100) | .address[2:] + " " + .jumps.to[0].target[2:]' \
		jumps.json >ours
	objdump -d --no-show-raw-insn jumps | sed -n 's/^ *\([0-9a-f]*\):.*[[:space:]]\([0-9a-f]*\) <repeat+.*/\1 \2/p' >all
	check "… to where objdump says" sh -c '[ -s ours ] && [ -z "$(sort all | comm -23 ours -)" ]'
fi
# An instruction that no jump leads to is executed as often as the jump before it was not made.
"$irdiff" show --view=asm --top=0 --format=json hundred . 2>err | jq -r --arg own "$scratch/jumps" '.functions[] |
	select(.object == $own) | .instructions[] | [.address, .self.Ir, .target // "-", ([.jumps.to[]?.target] | join(" ")),
	if .jumps and .calls == [] and (.text | test("^(jmp|b|br) ") | not)
	then .jumps.executed - ([.jumps.to[].count] | add // 0) else "-" end] | join(",")' >rows
check "what does not jump goes on" awk -F, '
	NR == FNR { cost[$1] += $2; reached[$3] = 1; n = split($4, to, " "); while (n) reached[to[n--]] = 1; next }
	left != "" && !($1 in reached) { looked++; wrong += cost[$1] != left }
	{ left = $5 == "-" ? "" : $5 }
	END { exit wrong || looked < 100 }' rows rows
check "a jump to an address that is computed has all places" sh -c '
	"$1" show --view=asm --format=json hundred "^choose$" 2>err |
		jq -e "[.functions[0].instructions[].jumps | select(.) | .to | map(.count)] | any(length > 3 and add == 16)" \
			>holds' sh "$irdiff"
check "… as its text says" sh -c '"$1" show --view=asm hundred "^choose$" >out 2>err &&
	[ "$(grep -cE "^ *jumped [0-9]+ of 16 times to 0x[0-9a-f]+$" out)" -gt 3 ]' sh "$irdiff"
check "a jump that is never made" sh -c '"$1" show --view=asm --format=json hundred "^(rare|repeat)$" --top=0 2>err |
	jq -e "[.functions[].instructions[].jumps | select(.) | select(.executed > 0 and .to == [])] | length > 0" >holds' \
	sh "$irdiff"
jumps thousand -DROUNDS=1000
check "both sides of a comparison" sh -c '"$1" diff --view=asm hundred thousand "^repeat$" >out 2>err &&
	grep -q "^ *jumped 99 of 100 times in base$" out && grep -q "^ *jumped 999 of 1,000 times in head$" out' sh "$irdiff"
make_page hundred thousand
check "… on the page" jq -e '[.benches[].sources[] | .code.rows[]? | select(.)[5]] |
	any(. == [[99, 100], [999, 1000]])' page.json
rm jumps
check "… when the program is gone" sh -c '"$1" show --view=asm thousand "^repeat$" 2>err | grep -q "jumped 999 of 1,000 times"' \
	sh "$irdiff"
jumps thousand -DROUNDS=1000
check "… not of a part of the profile, as they are those of the whole" sh -c '
	"$1" show --view=asm thousand "^repeat$" --parts=1 >out 2>err && grep -q "^-- repeat" out &&
	! grep -q "jumped .* of 1,000 times" out' sh "$irdiff"
valgrind -q --tool=callgrind --dump-instr=yes --collect-jumps=yes --callgrind-out-file=jumps.out ./jumps 2>err
check "jumps of Valgrind's profile" sh -c '"$1" show --view=asm jumps.out "^repeat$" 2>err | grep -q "jumped 999 of 1,000 times"' \
	sh "$irdiff"
valgrind -q --tool=callgrind --dump-instr=yes --collect-jumps=yes --toggle-collect=rare --callgrind-out-file=part.out \
	./jumps 2>err
check "… are not shown where it counted others" sh -c '"$1" show --view=asm part.out "^rare$" >out 2>err &&
	! grep -q "jumped" out' sh "$irdiff"
check "jumps of a part of a program are not counted" sh -c '
	! "$1" profile --count=jumps --root=repeat --label=part -- ./jumps >out 2>err && grep -q "leave out jumps" err' \
	sh "$irdiff"
check "other profiles have none" holds '[.functions[].instructions[].jumps] | unique == [null]' asm.json

# ---- constants that are addresses ----

if [ "$(uname -m)" = x86_64 ]; then
	cat >fixed.c <<'END'
int table[64] = { 1 };
#ifdef BEFORE
int before[BEFORE] = { 1 };
#endif
int values[64] = { 1 };
__attribute__((noinline)) int add(int *from, int n) { return *from += n; }
__attribute__((noinline)) int sum(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += add(values, MASK) ^ values[i & 63];
	return s;
}
int main(void) { return sum(COUNT) == 1; }
END
	fixed() {
		label=$1
		shift
		cc -g -O2 -no-pie -fno-pie -fno-toplevel-reorder "$@" -o fixed fixed.c && "$irdiff" profile -q --label="$label" -- ./fixed >out 2>err
	}
	fixed near -DCOUNT=40 -DMASK=0x1234567
	fixed far -DCOUNT=50 -DMASK=0x1234567 -DBEFORE=500
	fixed mask -DCOUNT=50 -DMASK=0x1234568 -DBEFORE=500
	# unmatched BASE HEAD: how many instructions of `sum` only one side has.
	unmatched() {
		"$irdiff" diff --view=asm --format=json "$1" "$2" '^sum$' --threshold=0 >diff.json 2>err &&
			jq '[.instructions[0].instructions[] | select(.base == null or .head == null)] | length' diff.json
	}
	check "addresses of data differ, and instructions match" test "$(unmatched near far)" -eq 0
	check "… which have such constants" holds '[.instructions[0].instructions[] | select(.base.text != .head.text and
		(.base.text | test("0x40[0-9a-f]{4}$|0x40[0-9a-f]{4}]") and test("^(mov|xor)")))] | length == 2' diff.json
	check "another constant is another instruction" test "$(unmatched near mask)" -eq 2
fi

# ---- profiles of Valgrind, and objects that are not what was measured ----

cp vec.head vec
valgrind -q --tool=callgrind --dump-instr=yes --callgrind-out-file=raw.out ./vec 2>err
check "a profile of Valgrind" sh -c '"$1" show --view=asm --format=json raw.out add_scaled >raw.json' sh "$irdiff"
check "… has the same instructions" sh -c \
	'for f in asm raw; do jq -c "[.functions[0].instructions[] | {address, text}]" $f.json >$f.list; done &&
	cmp asm.list raw.list'
says() {
	"$irdiff" show --view=asm raw.out add_scaled >out 2>err && grep -qF -e "$1" out err
}
touch -d '+1 hour' vec
check "an object that was written later" says "was written after raw.out"
rm vec
check "an object that is missing" says "no code of $scratch/vec: the file cannot be opened"
check "… has no share of vectors" sh -c '! grep -q "vector instructions" out'
head -c 3000 vec.head >vec
check "an object that is truncated" sh -c '"$1" show --view=asm raw.out add_scaled >out 2>err &&
	grep -q "no code of" out' sh "$irdiff"
echo garbage >vec
check "garbage" says "no code of $scratch/vec: the file is not an object for x86-64 or ARM64"
rm vec
mkfifo vec
check "a pipe is not waited for" says "no code of $scratch/vec: the file cannot be opened"
rm vec

valgrind -q --tool=callgrind --callgrind-out-file=plain.out ./vec.head 2>err
check "a profile without addresses" sh -c '! "$1" show --view=asm plain.out main >out 2>err &&
	grep -q "has no addresses of instructions" err' sh "$irdiff"

# ---- crowded addresses ----

head='version: 1\npositions: instr line\nevents: Ir\nob=/nowhere\n'
printf "$head"'fn=m\n0x1000 1 1\ncfn=g\ncalls=2 0x2000 1\n0x1000 1 2\ncfn=h\ncalls=5 0x3000 1\n0x1000 1 5
'"cfn=g'2\\ncalls=3 0x2000 1\\n0x1000 1 3\\nfn=g\\n0x2000 1 2\\nfn=g'2\\n0x2000 1 3\\nfn=h\\n0x3000 1 5\\n" >levels.out
check "calls of a function are one, whatever its level" sh -c '"$1" show --view=asm levels.out "^m\$" >out 2>err &&
	grep -q "=> g (5x)" out && grep -q "=> h (5x)" out && [ "$(grep -c "=>" out)" = 2 ]' sh "$irdiff"
{
	printf "$head"'fn=m\n0x1000 1 1\n'
	seq 300000 | sed 's/.*/cfn=g&\ncalls=1 0x2000 1\n0x1000 1 1/'
	seq 150000 | sed 's/.*/fn=g&\n0x2000 1 1/'
} >crowded.out
check "an instruction calls many functions" sh -c 'timeout 15 "$1" show --view=asm crowded.out "^m\$" >out 2>err &&
	[ "$(grep -c "=>" out)" = 300000 ]; status=$?; : >out; exit $status' sh "$irdiff"
check "many functions have one address" sh -c 'timeout 15 "$1" show --view=asm crowded.out "^g" --top=0 >out 2>err &&
	[ "$(grep -c "^-- g" out)" -ge 150000 ]; status=$?; : >out; exit $status' sh "$irdiff"

finish
