#!/bin/sh
# Usage: tests/heap.sh
#
# Counting the heap: allocations against a program that makes a known number of them, what they cost where, that
# limits apply to the right one of a benchmark's two profiles, and what cannot be measured. Needs Valgrind.
set -u
. "$(dirname "$0")/repository.sh"
needs valgrind jq

cd "$scratch" || exit 1
git init -q .
cat >work.c <<-'END'
	#include <stdlib.h>
	#include <string.h>

	static volatile unsigned sink;

	static inline char *copy(const char *text)
	{
		return strcpy(malloc(16), text);
	}

	__attribute__((noinline)) static void parse(int items)
	{
		for (int i = 0; i < items; i++) {
			for (int k = 0; k < 2000; k++)
				sink += (unsigned)k;
			if (i < COPIES) {
				char *text = copy("item");
				sink += (unsigned)text[0];
				free(text);
			}
		}
	}

	int main(int argc, char **argv)
	{
		char *kept = BYTES ? malloc(BYTES) : NULL;

		if (kept)
			sink += (unsigned)(kept[0] = 1);
		parse(argc > 1 ? atoi(argv[1]) : 200);
		free(kept);
		return 0;
	}
END
printf 'work\n.irdiff/\nprofiles/\n' >.gitignore
# commit SUBJECT COPIES BYTES: the program allocates that.
commit() {
	cat >irdiff.yml <<-END
		build: {command: '$compiler -g -O1 -DCOPIES=$2 -DBYTES=$3 -o work work.c', shell: true}
		benchmarks:
		  parse: {command: ./work 200, count: [heap]}
		limits: {Ir: "+5%", allocs: "+0", "fn:^parse$": {Ir: "+5%"}, "fn:^copy$": {alloc_bytes: "+0"}}
	END
	git add -A
	git commit -qm "$1"
}

# total PROFILE EVENT
total() {
	"$irdiff" show "$1" --format=json 2>/dev/null | jq ".totals.$2"
}

commit base 2 1000
commit head 42 1000
commit nothing 0 0

run 1 check HEAD~2..HEAD~1
verdict "an allocation that enters a loop exceeds the limit" $?
says 'allocs limit +0: allowed up to 3 ' && says 'inclusive alloc_bytes of copy limit +0: 32 → 672'
verdict "… on blocks, and on the bytes of a function that was inlined" $?
grep -q '^ .* PASS .* Ir  *parse$' "$scratch/out" && grep -q '^ .* REGRESSION .* AllocBlocks  *parse/heap$' "$scratch/out"
verdict "… while the instructions are within theirs" $?
grep -A1 '^Causes' "$scratch/out" | grep -q 'copy .inlined.*+40 AllocBlocks (100% of the change) at work.c:[0-9]* in parse/heap'
verdict "… and the first cause is who allocates" $?
"$irdiff" check HEAD~2..HEAD~1 >whole 2>&1
for shard in 1 2; do
	"$irdiff" check HEAD~2..HEAD~1 --shard=$shard/2 --results=shard$shard >/dev/null 2>&1
done
run 1 merge shard1 shard2 && cmp -s "$scratch/out" whole
verdict "shards are merged with their heaps" $?
for shard in 1 2; do
	"$irdiff" compare HEAD~2..HEAD~1 -m alloc_bytes --shard=$shard/2 --results=shard$shard >/dev/null 2>&1
done
run 0 merge shard1 shard2 && says ' AllocBytes  parse/heap'
verdict "… by a metric of the heap, too" $?
run 1 check HEAD~2..HEAD~1 --bench=parse/heap && ! says ' Ir'
verdict "it is selected like a case" $?
run 2 check HEAD~2..HEAD~1 --bench=parse/heap --limit=Ir=+1% && says 'a limit on Ir, which was not measured for parse/heap'
verdict "… and then a limit on instructions is on nothing" $?
run 0 compare HEAD~2..HEAD~1 --metric=alloc_bytes && grep -q '^ *2,5[0-9][0-9],.* Ir  *parse$' "$scratch/out" && says ' AllocBytes  parse/heap'
verdict "a metric of the heap leaves the instructions as they are" $?
run 2 compare HEAD~2..HEAD~1 --metric=alloc_byte && says "no metric 'alloc_byte'"
verdict "… if it is one" $?
run 0 check HEAD~1..HEAD --limit='alloc_bytes=+0 fn:^parse$' --allow-removed &&
	grep -q '^ *43  *0 .* parse/heap$' "$scratch/out" && ! says 'counted nothing'
verdict "a program need not allocate anything, nor a function with a limit" $?
run 1 check HEAD~1..HEAD --limit='alloc_bytes=+0 fn:^parse$' &&
	says 'alloc_bytes of copy limit +0: 672 in base, missing in head' && ! says 'alloc_bytes of parse .* missing'
verdict "… if it is still there" $?
run 1 check HEAD..HEAD~1 && says 'allocs limit +0: allowed up to 0 '
verdict "… until it does" $?

$compiler -g -O1 -DCOPIES=42 -DBYTES=1000 -o work work.c || exit 1
run 0 profile parse
[ "$(total parse/heap AllocBlocks)" = 43 ] && [ "$(total parse/heap AllocBytes)" = 1672 ] &&
	[ "$(total parse/heap PeakBytes)" = 1016 ]
verdict "blocks, bytes and the peak are those of the program" $?
[ "$(total parse/heap WrittenBytes)" -ge $((42 * 5)) ] && [ "$(total parse/heap ReadBytes)" -ge 42 ]
verdict "… and so are reads and writes" $?
says 'parse/heap' && [ "$(total parse AllocBlocks)" = null ] && [ "$(total parse/heap Ir)" = null ]
verdict "instructions and heap have a profile each" $?
"$irdiff" show parse/heap --view=source '^copy$' 2>/dev/null | grep -q '^42 .*malloc(16)'
verdict "… with source lines" $?
run 0 show parse/heap --sort=peak_bytes --show=peak_bytes,allocs --top=1 && grep -q '^ *1,000 .* main' "$scratch/out"
verdict "… and other names of the events" $?
run 0 flame parse/heap parse/heap -o both.svg && grep -q '<title>main' both.svg && grep -q '/work.c$' both.svg && ! grep -qF '???' both.svg
verdict "an object that is not known has no name in flame graphs" $?
cp profiles/parse/heap.callgrind one
run 0 profile parse/heap && ! says 'Ir' && cmp -s one profiles/parse/heap.callgrind
verdict "alone it counts the same" $?
[ -e profiles/parse.callgrind ] && [ ! -e profiles/parse/heap.old.old.callgrind ]
verdict "… and leaves the other profile" $?

# The first of two runs leaves "spoilt", with which the second one fails.
worn="test ! -e spoilt && { test ! -e spoil || touch spoilt; } && ./work 42"
run 0 profile --count=heap --label=worn -- sh -c "$worn" && touch spoil &&
	run 3 profile --count=heap --label=worn -- sh -c "$worn" &&
	says 'worn/heap: the previous profile is now worn/heap.old' && [ "$(total worn Ir)" -gt 0 ] &&
	run 2 show worn/heap && [ "$(total worn/heap.old AllocBlocks)" = 43 ]
verdict "no heap of an earlier run stays beside a newer profile" $?
rm -f spoilt spoil
run 0 profile --count=heap --label=worn -- sh -c "$worn" && [ "$(total worn/heap AllocBlocks)" = 43 ] &&
	[ "$(total worn/heap.old AllocBlocks)" = 43 ]
verdict "… until it is measured again" $?

run 1 diff parse parse --check --limit='calls=0 fn:^parse$' && says 'calls of parse limit 0: 1 → 1'
verdict "calls of a function have a limit" $?
run 1 diff parse parse --check --limit='calls=+0 fn:^copy$' && says 'not counted  calls of copy limit +0: inlined in head' && says 'LIMIT NOT JUDGED'
verdict "… unless it is inlined" $?

run 0 verify -n 2 parse/heap && says '43 AllocBlocks' && says 'byte-equal over 2 runs'
verdict "verify measures it again" $?
run 0 profile --count=heap --label=child -- sh -c './work; ./work 100'
[ "$(total child/heap AllocBlocks)" = 43 ] && says 'several processes ran' && says '(43 AllocBlocks)'
verdict "it is the heap of one process" $?
run 0 profile --count=heap --label=deep --valgrind-option=--num-callers=2 --valgrind-option=--dump-every-bb=100000000 -- ./work &&
	grep -q '^desc: irdiff.env.options: --num-callers=100 --num-callers=2$' profiles/deep/heap.callgrind &&
	grep -q 'dump-every-bb' profiles/deep.callgrind
verdict "DHAT takes the options of all tools" $?
cat >main.c <<-'END'
	#include <stdlib.h>
	#include <sys/wait.h>
	#include <unistd.h>

	static volatile unsigned sink;
	static void *volatile kept;

	/* Works without the heap, while its child, or another program, allocates. */
	int main(int argc, char **argv)
	{
		kept = malloc(7);
		for (int i = 0; i < 300000; i++)
			sink += (unsigned)i;
		if (fork() == 0) {
			if (argc > 1)
				execv(argv[1], argv + 1);
			for (int i = 0; i < 300; i++)
				kept = malloc(8);
			_exit(0);
		}
		wait(NULL);
		return 0;
	}
END
$compiler -g -O1 -o main main.c || exit 1
run 0 profile --count=heap --label=main -- ./main
[ "$(total main/heap AllocBlocks)" = 1 ] && says 'main (301 AllocBlocks)'
verdict "… of that which has forked the others" $?
run 0 profile --count=heap --label=main -- ./main ./work 42
[ "$(total main/heap AllocBlocks)" = 1 ] && says 'work (43 AllocBlocks)'
verdict "… of the one that works, not of the one that allocates" $?
cat >own.c <<-'END'
	static char pool[100000];
	static unsigned used;

	__attribute__((noinline, used)) void *OWN(unsigned long size)
	{
		used += size;
		return pool + used - size;
	}

	int main(void)
	{
		volatile char *kept;

		for (int i = 0; i < 300; i++) {
			kept = OWN(16);
			*kept = 1;
		}
		return 0;
	}
END
$compiler -g -O1 -DOWN=pool_alloc -o own own.c || exit 1
run 0 profile --count=heap -- ./own && says 'own/heap: no allocation was seen; if the program has an allocator of its own'
verdict "that no allocation was seen is said" $?
$compiler -g -O1 -DOWN=_rjem_malloc -o own own.c || exit 1
run 0 profile --count=heap -- ./own && says 'own/heap lacks what jemalloc allocated in 300 calls' &&
	says 'limit the calls: "fn:^_rjem_malloc$": {calls: "+0"}' && ! says 'no allocation was seen'
verdict "… and, of an allocator that is known, how many" $?
$compiler -static -g -O1 -DCOPIES=1 -DBYTES=1 -o still work.c 2>/dev/null &&
	run 4 profile --count=heap -- ./still
verdict "a static program is refused" $?
says 'still cannot be counted: Valgrind sees the allocations of dynamic programs only'
verdict "… with the reason" $?
run 2 profile --count=heap --cases=go -- ./work && says 'count: [heap] cannot be used with cases: go'
verdict "so is a harness, which would allocate as often as it likes" $?
run 2 verify --cases=go parse/heap && says 'parse: count: [heap] cannot be used with cases: go'
verdict "… by verify as well" $?
run 0 baseline save base && says 'Saved parse, parse/heap as'
verdict "a baseline has both profiles" $?
sed -i 's/-DCOPIES=0/-DCOPIES=44/' irdiff.yml
$compiler -g -O1 -DCOPIES=44 -DBYTES=0 -o work work.c && "$irdiff" profile -q parse 2>/dev/null
run 1 check --baseline=base && says 'allocs limit +0: allowed up to 43 ' && says 'Details: irdiff diff baseline:base/parse/heap parse/heap'
verdict "… with which both are compared" $?
run 1 check --baseline=base --format=markdown &&
	grep -m 1 '^- ' "$scratch/out" | grep -q '`copy` allocates more blocks.*`AllocBlocks`' &&
	says '1 regressed, 1 within limits of 2 measurements'
verdict "… and what exceeds a limit is said first in a comment, with its metric" $?
run 2 diff baseline:base/parse parse --check --limit=allocs=+0 && says 'a limit on allocs, which was not measured for parse'
verdict "a limit of the command line that is on nothing is an error" $?
run 1 diff baseline:base/parse/heap parse/heap --check && says 'allocs limit +0'
verdict "the heap alone has its limits, too" $?
run 1 diff parse/heap baseline:base/parse/heap --check --limit=allocs=+50% --limit=peak_bytes=+0 &&
	says '16 → 1,016 PeakBytes' && says 'peak_bytes limit +0: allowed up to 16'
verdict "if only the peak exceeds its limit, the peak is what is compared" $?
grep -q '+1,000 .* regressed  main' "$scratch/out"
verdict "… in the functions, too" $?
sed -i 's/\^copy\$/^cpoy$/' irdiff.yml
run 1 check HEAD && says 'parse: inclusive alloc_bytes of fn:^cpoy$ limit +0: matches no function' && ! says 'parse/heap: inclusive alloc_bytes of fn'
verdict "a limit on a function of another name fails" $?
sed -i 's/, count: \[heap\]//' irdiff.yml
run 2 check HEAD && says 'a limit on allocs, which parse does not count' && ! says 'measuring' && [ ! -s "$scratch/out" ]
verdict "a limit on what is not counted is an error, before anything is measured" $?
run 2 doctor && says 'a limit on allocs, which parse does not count'
verdict "… which doctor finds, too" $?
cp irdiff.yml one.yml
sed -i 's/^  parse: .*/&\n  also: {command: .\/work 100, count: [heap]}/' irdiff.yml
run 0 doctor && ! says 'does not count'
verdict "a limit of all benchmarks is on those that count the heap" $?
mv one.yml irdiff.yml

sed -i 's/^limits:.*/limits: {Ir: "+50%"}/; s/parse: {/parse: {count: [heap], /' irdiff.yml
run 1 diff baseline:base/parse/heap parse/heap --check && says 'allocs limit +1%'
verdict "without a limit on it, allocs may grow by 1 %" $?

cat >look.c <<-'END'
	#include <stdlib.h>

	static volatile unsigned sink;

	__attribute__((noinline)) static void look(unsigned n)
	{
		if (ALLOCATES) {
			char *key = malloc(n);
			sink += (unsigned)(key[0] = 1);
			free(key);
		}
		sink += n;
	}

	int main(void)
	{
		char *kept = malloc(1);

		sink += (unsigned)(kept[0] = 1);
		for (unsigned i = 1; i < 8; i++)
			look(i);
		free(kept);
		return 0;
	}
END
for allocates in 0 1; do
	$compiler -g -O1 -DALLOCATES=$allocates -o look look.c && run 0 profile --count=heap --label=look$allocates -- ./look
done
run 0 diff look0/heap look1/heap && says '  look: new allocations, +7 (100%)' && says '      look.c:8' &&
	says "Source:  irdiff show --view=source 'look1/heap' '^look\$'" && run 0 show --view=source look1/heap '^look$' && says 'malloc(n)'
verdict "a function that newly allocates is no new call, and is shown where it allocates" $?
run 0 diff look1/heap look0/heap && says '  look: removed allocations, -7' && says '      look.c:8 in base' && ! says 'view=asm'
verdict "… also if it no longer does" $?
run 0 diff look0/heap look1/heap --format=markdown && says '`look` has new allocations: **+7** `AllocBlocks`'
verdict "… and so says Markdown" $?
run 0 diff look0/heap look1/heap --format=json &&
	[ "$(jq -c '.causes.items[0] | [.kind, .reason, .function.function, .place.line]' "$scratch/out")" = '["allocates","new allocations","look",8]' ]
verdict "… and JSON" $?

[ "$failures" -eq 0 ]
