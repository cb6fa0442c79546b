#!/bin/sh
# Usage: tests/edited.sh
#
# What is executed more because of an edit elsewhere is charged to the function that was edited, as far as
# the sources of both sides are known and nothing else differs.
set -eu
. "$(dirname "$0")/scratch.sh"
needs valgrind jq
cd "$scratch"
unset DEBUGINFOD_URLS

cat >original.h <<'END'
#define PASSES 3
struct item {
	int value;
};
enum { LEAST = 1, MOST = 10 };
END
cat >original.c <<'END'
#include <stdlib.h>
#include "program.h"
#define ROUNDS 4
#define NOINLINE __attribute__((noinline))

NOINLINE static unsigned mix(unsigned n, int rounds)
{
	for (int i = 0; i < rounds; i++)
		n = n * 33 + i;
	return n;
}

NOINLINE static unsigned hash_all(int count)
{
	unsigned hash = 1;
	for (int k = 0; k < count; k++)
		hash ^= mix(hash + k, 10);
	return hash;
}

static const volatile int counts[] = { 5, 1 };
NOINLINE static unsigned tabled(unsigned n)
{
	return mix(n, counts[0]);
}

NOINLINE static unsigned fold(unsigned n)
{
	unsigned sum = 0;
	for (int i = 0; i < ROUNDS; i++)
		sum ^= n >> i * 4;
	return sum;
}

NOINLINE static unsigned pass(unsigned n)
{
	volatile unsigned sum = 0;
	for (int i = 0; i < PASSES; i++)
		sum ^= n;
	return sum;
}

NOINLINE static unsigned fill(unsigned n)
{
	static struct item item;
	for (volatile char *c = (char *)&item; c < (char *)(&item + 1); c++)
		*c = n;
	return item.value;
}

NOINLINE static unsigned repeat(unsigned n)
{
	for (volatile int i = LEAST; i < MOST; i++)
		n += i;
	return n;
}

/* Called only by the C library. */
static int compare(const void *left, const void *right)
{
	return *(const int *)left - *(const int *)right;
}

NOINLINE static int sort(int count)
{
	static int numbers[5000];
	for (int i = 0; i < count; i++)
		numbers[i] = i * 7919 % 4001;
	qsort(numbers, count, sizeof *numbers, compare);
	return numbers[0];
}

int main(void)
{
	unsigned sum = hash_all(1000);
	for (int i = 0; i < 1000; i++)
		sum ^= tabled(i) + fold(i) + pass(i) + fill(i) + repeat(i);
	return (sum + sort(1000)) & 1;
}
END

# measure LABEL SED-SCRIPT [FLAGS]: of the program, edited.
measure() {
	sed "$2" original.c >program.c
	sed "$2" original.h >program.h
	$static -g ${3:--O1} -o program program.c
	"$irdiff" profile -q --label="$1" -- ./program || [ $? -eq 3 ] || return
}

# first BASE HEAD: the first cause.
first() {
	"$irdiff" diff "$1" "$2" --view=causes --format=json >diff.json || [ $? -eq 1 ]
	jq -r '.causes.items[0] | "\(.kind) \(.reason): \(.caller.function // "-") \(.function.function)"' diff.json
}

# is_first WHAT BASE HEAD CAUSE
is_first() {
	found=$(first "$2" "$3")
	[ "$found" = "$4" ] || echo "the first cause is $found"
	check "$1" [ "$found" = "$4" ]
}

measure base ''
measure rounds 's/mix(hash + k, 10)/mix(hash + k, 30)/'
is_first "a function that is given more to do" base rounds 'work more work: hash_all mix'
is_first "... or less" rounds base 'work less work: hash_all mix'
"$irdiff" diff base rounds --view=causes >causes.txt || [ $? -eq 1 ]
check "... in words" grep -q '^  hash_all → mix: more work in 1,000 calls, +.*%)$' causes.txt
check "... with the line of the call, and why" grep -q "program.c:17; only the caller's source differs\$" causes.txt
"$irdiff" diff base rounds --format=markdown >causes.md || [ $? -eq 1 ]
check "... as markdown" grep -q '`hash_all` gives `mix` more work' causes.md

# place DIRECTORY SED-SCRIPT: the program of sources there.
place() {
	mkdir "$1"
	sed "$2" original.c >"$1/placed.c"
	cp original.h "$1/program.h"
	$static -g -O1 -o "$1/program" "$1/placed.c"
	"$irdiff" profile -q --label="$1" -- "./$1/program" || [ $? -eq 3 ]
}
place clone ''
place checkout 's/mix(hash + k, 10)/mix(hash + k, 30)/'
is_first "the sources may be in two directories" clone checkout 'work more work: hash_all mix'

measure sorted 's/sort(1000)/sort(4000)/'
is_first "library functions are not edited" base sorted 'work more work: main sort'

measure macro 's/ROUNDS 4/ROUNDS 8/; s/unsigned sum = hash_all(1000);/& if (sum == 1) abort();/'
is_first "who uses a macro that was edited was edited" base macro 'self self: - fold'

# In each of them main() is edited, too.
harmless='s/unsigned sum = hash_all(1000);/& if (sum == 1) abort();/'
measure header "s/PASSES 3/PASSES 9/; $harmless"
is_first "... in a header" base header 'self self: - pass'
measure member "s/int value;/& int more[20];/; $harmless"
is_first "... or a structure" base member 'self self: - fill'
check "... which is named" jq -e '.causes.items[0].edited_declaration == {name: "item", others: 0, moved: false}' diff.json >/dev/null
measure table "s/{ 5, 1 }/{ 9, 1 }/; $harmless"
is_first "... or a table: then who uses it gives others more to do" base table 'work costs more: tabled mix'
"$irdiff" diff base table --view=causes >causes.txt || [ $? -eq 1 ]
check "... which is only possible" grep -q '^  tabled → mix: costs more in ' causes.txt
check "... and is said" sh -c 'tr -s " \n" " " <causes.txt | grep -q "; both sources are the same; the caller uses counts, which was edited and may be the reason "'
"$irdiff" diff base table --format=markdown >causes.md || [ $? -eq 1 ]
check "... as markdown" grep -q '`mix` costs more where `tabled` calls it' causes.md
measure enumerator "s/MOST = 10/MOST = 30/; $harmless"
is_first "... or an enumerator" base enumerator 'self self: - repeat'
check "... which is named" jq -e '.causes.items[0].edited_declaration == {name: "MOST", others: 0, moved: false}' diff.json >/dev/null
cp original.h plain.h
sed -i 's/MOST = 10/FEW = 9, MOST/' original.h
measure eleven ''
measure inserted "s/FEW = 9/&, MORE = 29/; $harmless"
measure counted "s/FEW = 9/FEW = PASSES * 9/; $harmless"
mv plain.h original.h
is_first "... or one that has another value as others stand before it" eleven inserted 'self self: - repeat'
check "... which is named" jq -e '.causes.items[0].edited_declaration == {name: "MOST", others: 0, moved: true}' diff.json >/dev/null
"$irdiff" diff eleven inserted --view=causes >causes.txt || [ $? -eq 1 ]
check "... and not said to be edited" grep -q '^ *program.c:[0-9]* (uses MOST, whose value changed)$' causes.txt
"$irdiff" diff eleven counted --view=causes >causes.txt || [ $? -eq 1 ]
check "... nor to have another value where that is not seen" grep -q '^ *program.c:[0-9]* (uses MOST, whose value may have changed)$' causes.txt
measure pragma "s/#define NOINLINE/PRAGMA(once)\\n&/; 1s/^/#define PRAGMA(x)\\n/; s/ROUNDS 4/ROUNDS 8/; $harmless"
is_first "... but no macro that follows the call of another one, as it follows no more" base pragma 'self self: - fold'
check "... which is not named" jq -e '[.causes.items[].edited_declaration.name | select(. == "NOINLINE")] == []' diff.json >/dev/null

sed 's/ROUNDS 4/ROUNDS TWICE(4)/; s/define ROUNDS/define TWICE(n) (2 * (n))\n#define WIDTH 4\n#&/; s/i \* 4/i * WIDTH/' original.c >twice.c
mv original.c plain.c
mv twice.c original.c
measure few ''
measure many "s/WIDTH 4/WIDTH 3/; s/2 \* (n)/3 * (n)/"
mv plain.c original.c
is_first "... or several macros, also one that another one uses" few many 'self self: - fold'
check "... whose number is told" jq -e '.causes.items[0].edited_declaration == {name: "TWICE", others: 1, moved: false}' diff.json >/dev/null
"$irdiff" diff few many --view=causes >causes.txt || [ $? -eq 1 ]
check "... also in words" grep -q '^ *program.c:[0-9]* (uses TWICE and 1 more, which were edited)$' causes.txt

measure both 's/mix(hash + k, 10)/mix(hash + k, 30)/; s/i < rounds; i++)/i < rounds + 1; i++)/'
is_first "a function that was edited, too, answers for itself" base both 'self self: - mix'

"$irdiff" diff base both --view=causes >causes.txt || [ $? -eq 1 ]
check "... and is marked" grep -q '^ *program.c:[0-9]* (edited)$' causes.txt
"$irdiff" diff base header --view=causes >causes.txt || [ $? -eq 1 ]
check "... or its declaration" grep -q '^ *program.c:[0-9]* (uses PASSES, which was edited)$' causes.txt
"$irdiff" diff base header --format=markdown >causes.md || [ $? -eq 1 ]
check "... as markdown" grep -q '(uses `PASSES`, which was edited)' causes.md
check "... but nothing else where its text was" sh -c '
	"$1" diff base both --view=causes --format=json >diff.json || [ $? -eq 1 ]
	jq -e ".causes.items[0] | .edited and (has(\"edited_declaration\") | not)" diff.json >/dev/null' - "$irdiff"

measure blanks 's/mix(hash + k, 10)/mix(hash + k, 30)/; s/^{/{ \/* begins *\//; s/return n;/return  n ;/'
is_first "comments and blanks are no edits" base blanks 'work more work: hash_all mix'

measure flags "$harmless" -O2
first base flags >/dev/null
check "other flags explain more than edits" sh -c 'jq -e "[.causes.items[] | select(.kind == \"work\")] == []" diff.json >/dev/null'
# marked BASE HEAD FUNCTION: whether the causes mark it as edited, and its callees as nothing.
marked() {
	"$irdiff" diff "$1" "$2" --view=causes --top=0 --threshold=0 --format=json >diff.json || [ $? -eq 1 ]
	jq -e --arg name "$3" '[.causes.items[] | select(.function.function == $name) | .edited] | unique == [true]' diff.json >/dev/null &&
		jq -e '[.causes.items[] | select(.function.function == "mix" and (.edited or .caller_edited | not))] != []' diff.json >/dev/null
}
check "... but what was edited is marked" marked base flags main
measure other "s/ROUNDS 4/ROUNDS 8/; s/i < rounds; i++)/i < rounds + 1; i++)/" -O2
"$irdiff" diff base other --view=causes --top=0 --threshold=0 >causes.txt || [ $? -eq 1 ]
check "... also what uses a declaration that was" grep -q '(uses ROUNDS, which was edited)$' causes.txt
check "... and nothing is said of what was not" sh -c '! grep -q "source is the same" causes.txt'

# commit LABEL SED-SCRIPT: measures a commit of it.
commit() {
	git add -A .
	git -c user.name=T -c user.email=t@example.org commit -q --allow-empty -m "$1"
	measure "$1" "$2"
	git add -A .
	git -c user.name=T -c user.email=t@example.org commit -q --allow-empty -m "$1"
	"$irdiff" profile -q --label="$1" -- ./program || [ $? -eq 3 ]
}
if has git "commits"; then
	git init -q .
	printf '%s\n' /.irdiff /profiles program '*.json' '*.txt' '*.md' original.c original.h '*.callgrind' >.gitignore
	rounds='s/mix(hash + k, 10)/mix(hash + k, 30)/'
	commit first ''
	echo documentation >manual.rst
	echo 'base: main' >irdiff.yml
	commit second "$rounds"
	is_first "commits that differ in sources, documentation and a first irdiff.yml" first second 'work more work: hash_all mix'
	echo 30 >data.in
	commit third "$rounds; $harmless"
	is_first "commits that differ in data, too: edits explain nothing" first third 'self self: - mix'
	check "... but are marked" marked first third main
fi

# compared FILE [COMMAND]: the first cause of a commit that gives mix() more to do and changes this file as well.
compared() {
	eval "${2:-echo -fno-ident >>'$1'}" # makes another file of the program, which does the same
	sed -i 's/mix(hash + k, [0-9]*)/mix(hash + k, 30)/' program.c
	git add -A .
	git -c user.name=T -c user.email=t@example.org commit -q -m "$1"
	"$irdiff" compare -q HEAD~1..HEAD --format=json >compared.json || [ $? -eq 1 ]
	jq -r '.benchmarks[0].diff.causes.items[0] | "\(.kind) \(.reason)"' compared.json
	git -c user.name=T -c user.email=t@example.org revert --no-edit HEAD >revert.log
}
if has git "files that a build or a program uses"; then
	mkdir built
	cp original.c built/program.c
	cp original.h built/program.h
	cd built
	git init -q .
	printf '%s\n' /.irdiff /profiles program '*.json' '*.log' >.gitignore
	sed -i 's/^int main(void)$/#include <stdio.h>\n&/; s/unsigned sum = hash_all(1000);/FILE *in = fopen("data.in", "r"); if (in) fclose(in); in = fopen("page.md", "r"); fclose(in); in = fopen("input.c", "r"); fclose(in); in = fopen("maybe.in", "r"); if (in) fclose(in); &/' program.c
	cat >irdiff.yml <<-END
		build:
		  command: |
		    ln -s named.in link
		    flags=\$(cat flags flags.mk link)
		    rm link
		    cat README >/dev/null
		    test ! -x mode.in || flags=-Wl,--defsym=changed=2
		    test ! -d new || flags=-Wl,--defsym=changed=3
		    $static -g -O1 \$flags -o program program.c
		  shell: true
		benchmarks: {program: {command: ./program}}
	END
	touch input.c data.in flags flags.mk unused.in named.in mode.in page.md notes.md README
	git add -A .
	git -c user.name=T -c user.email=t@example.org commit -q -m begin
	otherwise='self self'
	check "what a commit changes beside sources, and neither build nor program uses, explains nothing" \
		[ "$(compared unused.in)" = 'work more work' ]
	check "... nor is it named" sh -c '! grep -q unused.in compared.json'
	check "... but what the program reads may" [ "$(compared data.in)" = "$otherwise" ]
	check "... and is named" jq -e '.benchmarks[0].diff.remarks[] | select(.id == "input-files") |
		select(.text == "The build or the program reads data.in, which changed")' compared.json >/dev/null
	check "... and documentation that it reads" [ "$(compared page.md)" = "$otherwise" ]
	check "... and source that only it reads" [ "$(compared input.c 'echo >>input.c')" = "$otherwise" ]
	check "... and is named, too" jq -e '.benchmarks[0].diff.remarks[] | select(.id == "input-files") |
		select(.text == "The build or the program reads input.c, which changed")' compared.json >/dev/null
	check "... but not what nobody reads" [ "$(compared notes.md)" = 'work more work' ]
	check "... or only the build" [ "$(compared README)" = 'work more work' ]
	check "... and what the build reads" [ "$(compared flags)" = "$otherwise" ]
	check "... also if only builds read such files" [ "$(compared flags.mk)" = "$otherwise" ]
	check "... and is named beside the source that changed" jq -e '.benchmarks[0].diff.remarks[] |
		select(.id == "build-files") |
		select(.text == "flags.mk changed, too: the reason may be how the program was built")' compared.json >/dev/null
	check "... also by another name" \
		[ "$(compared named.in 'echo -Wl,--defsym=changed=1 >named.in')" = "$otherwise" ]
	check "... or that only its mode is looked at" [ "$(compared mode.in 'chmod +x mode.in')" = "$otherwise" ]
	check "... or that its directory is new" \
		[ "$(compared new/file 'mkdir new && touch new/file')" = "$otherwise" ]
	check "... or how git checks out what they use" \
		[ "$(compared .gitattributes "echo '*.in eol=crlf' >.gitattributes")" = "$otherwise" ]
	check "... but not what else git knows of files" \
		[ "$(compared .gitattributes "echo '*.c diff=cpp' >.gitattributes")" = 'work more work' ]
	changed_here() {
		sed -i 's/mix(hash + k, [0-9]*)/mix(hash + k, 30)/' program.c
		"$irdiff" compare -q HEAD --format=json "$@" >compared.json || [ $? -eq 1 ]
		git checkout -q program.c
		jq -r '.benchmarks[0].diff.causes.items[0] | "\(.kind) \(.reason)"' compared.json
	}
	named_here() {
		jq -r '.benchmarks[0].diff.remarks[] | select(.id == "input-files") | .text, .advice' compared.json
	}
	head=$(git rev-parse --short=10 HEAD)
	cat >expected.log <<-END
		The build or the program reads data.in, which changed
		To see what changed: git diff $head -- data.in
	END
	echo unused >>unused.in
	check "nor does what a changed work tree has in such files explain anything" \
		[ "$(changed_here)" = 'work more work' ]
	check "... nor is it named" [ -z "$(named_here)" ]
	echo new >maybe.in
	check "... but a new file that the program reads may" [ "$(changed_here)" = "$otherwise" ]
	check "... and is named, without what git does not show of it" \
		[ "$(named_here | tr '\n' ' ')" = "The build or the program reads maybe.in, which is new null " ]
	rm maybe.in
	echo read >>data.in
	check "... but what the program reads there may" [ "$(changed_here)" = "$otherwise" ]
	check "... and is named" sh -c 'diff - expected.log' <<-END
		$(named_here)
	END
	sed -i 's/mix(hash + k, [0-9]*)/mix(hash + k, 30)/' program.c
	git -c user.name=T -c user.email=t@example.org commit -q -a -m here
	"$irdiff" compare -q HEAD~1..HEAD --format=json >compared.json
	sed -i "s/ -- data.in/ $(git rev-parse --short=10 HEAD)&/" expected.log
	check "... as is what a commit has that shares this run" sh -c 'diff - expected.log' <<-END
		$(named_here)
	END
	git -c user.name=T -c user.email=t@example.org revert --no-edit HEAD >revert.log
	mkdir new && touch new/file
	check "... or that its directory is new there" [ "$(changed_here)" = "$otherwise" ]
	rm -r new
	rm data.in
	check "... or what is gone there" [ "$(changed_here)" = "$otherwise" ]
	git checkout -q .
	cp irdiff.yml irdiff.log
	echo 'copy: [new/file]' >>irdiff.yml
	git -c user.name=T -c user.email=t@example.org commit -q -a -m copy
	mkdir new && touch new/file
	check "... but not what copy: gives to both" [ "$(changed_here --fresh)" = 'work more work' ]
	rm -r new
	cp irdiff.log irdiff.yml
	git -c user.name=T -c user.email=t@example.org commit -q -a -m 'no copy'
	git rm -q data.in
	git -c user.name=T -c user.email=t@example.org commit -q -m removed
	check "... or what the program looked for before there was any" [ "$(compared data.in)" = "$otherwise" ]
	check "... or how irdiff.yml says to build" \
		[ "$(compared irdiff.yml "sed -i 's/ -O1 / -O1 -Wl,--defsym=changed=4 /' irdiff.yml")" = "$otherwise" ]
	cd ..
fi

# A source that is put back after the program was built is what that was built from only if it is older.
cat >small.c <<'END'
#define ROUNDS 4
__attribute__((noinline)) static unsigned fold(unsigned n)
{
	unsigned sum = 0;
	for (int i = 0; i < ROUNDS; i++)
		sum ^= n >> i * 4;
	return sum;
}
int main(void)
{
	unsigned sum = 0;
	for (int i = 0; i < 1000; i++)
		sum += fold(i);
	return sum & 1;
}
END
cp small.c put-back.c
$compiler -g -O1 -o small small.c
"$irdiff" profile -q --label=four -- ./small || [ $? -eq 3 ]
sed -i 's/ROUNDS 4/ROUNDS 8/' small.c
$compiler -g -O1 -o small small.c
says_same_source() {
	cp put-back.c small.c
	touch -d "$1" small.c
	"$irdiff" profile -q --label=eight -- ./small || [ $? -eq 3 ]
	"$irdiff" diff four eight >eight.txt || [ $? -eq 1 ]
	grep -q 'Same source, other machine code' eight.txt
}
check "the same source can be compiled to other code" says_same_source 2001-01-01
said=no
says_same_source now && said=yes
check "... but a newer source may not be that of the program" [ $said = no ]

# A function that is folded into a constant leaves no line in the one that it is inlined into.
cat >folded.c <<'END'
static inline int least(void) { return 4; }
static inline int limit(void) { return least(); }
__attribute__((noinline)) static unsigned fold(unsigned n)
{
	unsigned sum = 0;
	for (int i = 0; i < limit(); i++)
		sum ^= n >> i * 4;
	return sum;
}
int main(void)
{
	unsigned sum = 0;
	for (int i = 0; i < 1000; i++)
		sum += fold(i);
	return sum & 1;
}
END
measure_folded() {
	$compiler -g -O1 -o folded folded.c
	"$irdiff" profile -q --label="$1" -- ./folded || [ $? -eq 3 ]
}
measure_folded folded
sed -i 's/return 4/return 8/' folded.c
measure_folded folded-eight
"$irdiff" diff folded folded-eight >folded.txt || [ $? -eq 1 ]
check "nor is the source the same if what is inlined without a trace was edited" sh -c 'grep -q "fold: self" folded.txt && ! grep -q "Same source" folded.txt'

# Each instance has the text of the template, although the name of its lambda's function is in that of the
# instance.
cat >each.cc <<'END'
template <typename F> static inline void for_each_item(int count, F f)
{
	for (int i = 0; i < count; i++)
		f(i);
}
namespace lib
{
__attribute__((noinline)) long add(long start)
{
	for_each_item(100, [&start](int i) { start += i; asm volatile("" : "+r"(start)); });
	return start;
}
} // namespace lib
int main()
{
	long sum = 0;
	for (int i = 0; i < 100; i++)
		sum = lib::add(sum);
	return sum & 1;
}
END
measure_each() {
	$static -O2 -g -o each each.cc
	"$irdiff" profile -q --label="$1" -- ./each || [ $? -eq 3 ]
}
if $compiler -c -o each.o each.cc 2>/dev/null; then
	measure_each each
	sed 's/^\t\tf(i);/\t{ volatile int seen = i; seen = seen + 1; f(i); }/' each.cc >other.cc
	mv other.cc each.cc
	measure_each each-seen
	"$irdiff" diff each each-seen --format=json >diff.json || [ $? -eq 1 ]
	check "a template is edited whatever it is instantiated with" \
		jq -e '.causes.items[0] | select(.function.function | test("^for_each_item<lib::")) | .edited' diff.json >/dev/null
else
	skip "templates" "$compiler does not compile C++"
fi

# A macro, type or static variable of another file, a member and a local variable are other things than a
# declaration of the same name.
cat >scope.h <<'END'
#define LEVEL 3
extern const volatile int shared;
END
cat >scope-other.c <<'END'
#include "scope.h"
static int amount = 3;
#define rest 3
const volatile int shared = LEVEL;
struct pair { int low; };
unsigned next(unsigned n)
{
	struct pair pair = { amount };
	return (n & 1) + rest + pair.low;
}
END
cat >scope-work.c <<'END'
unsigned work(unsigned n, int count)
{
	for (int i = 0; i < count; i++)
		n = n * 33 + i;
	return n;
}
END
cat >scope.c <<'END'
#include "scope.h"
#define NOINLINE __attribute__((noinline))
unsigned next(unsigned), work(unsigned, int);
static int pair;
struct item { int height, width; };
static const int height = 2, width = 2;

NOINLINE static unsigned of_other_file(unsigned n)
{
	for (int amount = 0, rest = 8; amount < rest; amount += pair + 1)
		n = work(n, next(n));
	return n;
}
NOINLINE static unsigned of_member(const struct item *item, unsigned n)
{
	for (int i = 0, width = 4; i < item->height * width; i++)
		n = work(n, next(n));
	return n;
}
NOINLINE static unsigned shares(unsigned n)
{
	for (int i = 0; i < shared; i++)
		n = work(n, next(n));
	return n;
}
int main(void)
{
	struct item item = { height, width };
	unsigned n = 1;
	for (int i = 0; i < 100; i++)
		n = shares(of_member(&item, of_other_file(n)));
	return n == 12345;
}
END
mkdir scope.d
mv scope.h scope.c scope-other.c scope-work.c scope.d

# measure_scope LABEL SED-SCRIPT
measure_scope() {
	mkdir -p scoped
	for file in scope.h scope.c scope-other.c scope-work.c; do
		sed "$2" scope.d/$file >scoped/$file
	done
	$static -g -O1 -o scoped/program scoped/scope.c scoped/scope-other.c scoped/scope-work.c
	"$irdiff" profile -q --label="$1" -- ./scoped/program || [ $? -eq 3 ]
}

measure_scope scope ''
measure_scope scope-names 's/amount = 3/amount = 9/; s/rest 3/rest 9/; s/low; }/low, high; }/'
is_first "names of another file are not those of a caller" scope scope-names 'self self: - work'
measure_scope scope-members 's/height = 2, width = 2/height = 8, width = 2 + 0/'
is_first "... nor are members and local variables" scope scope-members 'work costs more: main of_member'
measure_scope scope-shared 's/LEVEL 3/LEVEL 6/'
is_first "... but variables are whose macro was edited in a header" scope scope-shared 'calls more calls: shares work'
check "... which is said" jq -e '.causes.items[0].caller_edited' diff.json >/dev/null

cp profiles/base.callgrind copy.callgrind
is_first "a copy has no calling contexts, so none are compared" copy.callgrind rounds 'self self: - mix'
check "... and no other cause appears" sh -c 'jq -e ".causes.sum_of_sizes == .causes.delta" diff.json >/dev/null'
"$irdiff" diff base rounds --view=causes --filter=':mix$' >causes.txt || [ $? -eq 1 ]
check "who does the work is found by a filter" grep -q '^  hash_all → mix' causes.txt

rm .irdiff/profiles/base.callgrind/sources.zst
is_first "without the source of base nothing is known" base rounds 'self self: - mix'
finish
