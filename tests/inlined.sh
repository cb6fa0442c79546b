#!/bin/sh
# Usage: tests/inlined.sh
#
# Programs with inlined code under the real Valgrind: what irdiff shows for each function is what
# another count by addresses gives (tests/inlines/costs.py), whatever becomes of the program
# afterwards.
set -eu
. "$(dirname "$0")/scratch.sh"
needs valgrind llvm-symbolizer c++filt strip zstd python3
tests=$source_dir/tests cc=$compiler cxx=${CXX:-g++}
needs "${cxx%% *}"
cd "$scratch"
unset DEBUGINFOD_URLS
failures=0
count=0

# verdict WHAT COMMAND...
verdict() {
	what=$1
	shift
	count=$((count + 1))
	if "$@"; then
		echo "ok      $what"
	else
		echo "FAILED  $what: $*"
		failures=$((failures + 1))
	fi
}

profile() {
	label=$1
	shift
	"$irdiff" profile -q --label "$label" -- "$@" >output 2>errors || {
		cat output errors
		exit 1
	}
}

show() {
	"$irdiff" show --format=annotate --threshold=0 "$@" 2>/dev/null
}

# agrees LABEL OBJECT: all its functions cost what is counted from the file that Valgrind wrote.
agrees() {
	python3 "$tests/inlines/hide_symbols.py" "$2" hidden
	zstd -qdcf ".irdiff/profiles/$1.callgrind/raw.callgrind.zst" >raw
	show "$1" --format=json | python3 "$tests/inlines/costs.py" raw "$2" hidden
}

# calls_agree LABEL OBJECT: so does what is inlined, by the lines that call it.
calls_agree() {
	zstd -qdcf ".irdiff/profiles/$1.callgrind/lines.callgrind.zst" >kept
	python3 "$tests/inlines/sites.py" raw "$2" hidden kept
}

totals() {
	show "$@" --format=json | python3 -c 'import json, sys; print(json.load(sys.stdin)["totals"])'
}

same_totals() {
	test "$(totals "$1" --inlines=yes)" = "$(totals "$1" --inlines=no)"
}

# calls PROFILE FUNCTION: how often it was called.
calls() {
	show "$1" --format=json | python3 -c '
import json, sys
print(*(f["calls"] for f in json.load(sys.stdin)["functions"] if f["function"] == sys.argv[1]))' "$2"
}

mentions() {
	grep -q -e "$1" "$2"
}

$cc -O2 -g "$tests/inlines/work.c" "$tests/inlines/mix.c" -o work
profile work ./work
verdict "every function of C" agrees work work
verdict "… and every line that calls inlined ones" calls_agree work work
verdict "totals are the same without inlined functions" same_totals work
verdict "Valgrind sees a cold part" mentions 'work\.cold' raw
show work >before
verdict "… which is its function's" sh -c '! grep -q "work\.cold" before'
verdict "… whose calls alone count" test "$(calls work work)" = 300
verdict "it says that inlined functions count" mentions 'counts for the inlined functions' before
"$irdiff" baseline save text work >/dev/null
"$irdiff" diff --baseline=text work >shown 2>warned
verdict "the text of a baseline has the same functions" mentions '^No function changed' shown
verdict "… and no warning" test ! -s warned
"$irdiff" diff --baseline=text work --inlines=no >shown 2>warned
verdict "… even if they are not wanted" mentions '^No function changed' shown
verdict "… with a warning" mentions '--inlines=no has no effect: baseline:text/work' warned

$cxx -w -std=c++17 -O2 -g "$tests/inlines/shapes.cc" "$tests/inlines/mix.c" -o shapes
profile shapes ./shapes
verdict "every function of C++" agrees shapes shapes
verdict "… and every line that calls inlined ones" calls_agree shapes shapes
verdict "totals are the same without inlined functions" same_totals shapes

valgrind --tool=callgrind --dump-instr=yes --callgrind-out-file=file.callgrind ./work >log 2>&1
show file.callgrind >shown
verdict "a file with addresses is looked up" mentions 'innermost' shown
verdict "… in objects that may be others" mentions 'current objects, which may have changed' shown
verdict "… with the same totals" same_totals file.callgrind

$cc -O1 -g -fno-inline "$tests/inlines/work.c" "$tests/inlines/mix.c" -o work
show work >after
verdict "another program in its place changes nothing" cmp before after
"$irdiff" show --format=annotate file.callgrind >shown
verdict "of a file it is not taken for the one that ran" mentions \
	'not in .*/work, [0-9.]*% of Ir: another build than the one measured' shown
rm work
show work >after
verdict "… nor does none" cmp before after

$cc -O2 "$tests/inlines/work.c" "$tests/inlines/mix.c" -s -o stripped
profile stripped ./stripped
show stripped >shown
verdict "a stripped program is named" mentions \
	'not in .*/stripped, [0-9.]*% of Ir: no debug information' shown
verdict "totals are the same without inlined functions" same_totals stripped
printf 'build: make\nbenchmarks: {bare: {command: ./stripped}, whole: {command: ./plain}}\n' >irdiff.yml
$cc -O2 -g "$tests/inlines/work.c" "$tests/inlines/mix.c" -o plain
"$irdiff" profile bare >/dev/null 2>shown
verdict "a build that strips is named" mentions \
	'/stripped has neither symbols nor debug information, .*, and do not strip it .*, .*/irdiff.yml:1$' shown
"$irdiff" profile whole >/dev/null 2>shown
verdict "… not if only a library has none" test ! -s shown

# A makefile that sets CFLAGS hides those of the build command.
mkdir makefile
(
	cd makefile
	cp "$tests/inlines/work.c" "$tests/inlines/mix.c" "$tests/inlines"/*.h . 2>/dev/null || :
	printf 'CFLAGS = -O2\nbare: work.c mix.c\n\t$(CC) $(CFLAGS) -o $@ work.c mix.c\n' >Makefile
	printf "build: env CFLAGS=-g make\nbenchmarks: {bare: {command: ./bare}}\n" >irdiff.yml
	git init -q && git config user.name Tester && git config user.email tester@example.org
	git add . && git commit -q -m bare
	sed 's/env CFLAGS=-g make/make CC="cc -g"/' irdiff.yml >../fixed
)
(cd makefile && make -s && "$irdiff" profile bare) >/dev/null 2>shown
verdict "a profile, too" mentions 'add -g to the build, .*/irdiff.yml:1: Makefile:1 sets CFLAGS without -g$' shown
(cd makefile && echo >>mix.c && "$irdiff" check HEAD) >shown
verdict "a check says that a makefile hides -g" mentions \
	'WARNING: bare has no debug information, .* share of Ir are unknown' shown
verdict "… and in which line" mentions \
	'Makefile:1 sets CFLAGS without -g, which hides that of .build:.' shown
cp fixed makefile/irdiff.yml
(cd makefile && git commit -q -a -m fixed && echo >>mix.c && "$irdiff" check HEAD) >shown
verdict "… and not when it is passed with CC" eval '! mentions "no debug information" shown'
rm irdiff.yml plain

# rows NAME FILE: how many rows of a table end in a function of this name, whatever its parameters.
rows() {
	grep -c -e "[ :]$1\(([^)]*)\)\{0,1\}\( (\(partly \)\{0,1\}inlined)\)\{0,1\} \[" "$2"
}

# Functions that one file of C++ knows alone, built in another directory by a relative path.
mkdir -p elsewhere/deep source
cp "$tests/inlines/statics.cc" source
build() {
	(cd elsewhere/deep && $cxx -O2 "$@" ../../source/statics.cc -o ../../statics)
}
build -g
profile inside ./statics
valgrind --tool=callgrind --callgrind-out-file=lines.out ./statics >log 2>&1
show inside >shown
verdict "a static function that is partly inlined is one row" \
	mentions 'blend(unsigned int, int) (partly inlined)' shown
verdict "… and another one of its name is not in it" mentions ':blend (inlined)' shown
verdict "a static function that is inlined everywhere is one" test "$(rows mix shown)" = 1
verdict "paths of source files are the same, inlined or not" test "$(
	show inside --format=json | python3 -c '
import json, sys
print(len({f["file"] for f in json.load(sys.stdin)["functions"]
           if f["function"].split("(")[0] in ("blend", "mix", "each")}))')" = 1
verdict "by lines alone, totals are the same" \
	test "$(totals lines.out --inlines=approximate)" = "$(totals lines.out --inlines=no)"
show lines.out --inlines=approximate >shown
verdict "… and the functions are there" mentions ':mix (inlined)' shown

build -g -DAPART
profile apart ./statics
cp statics statics-v2
profile renamed ./statics-v2
for head in apart renamed; do
	"$irdiff" diff inside "$head" >shown
	verdict "one row: no longer inlined ($head)" mentions 'regressed, no longer inlined *mix(' shown
	verdict "… and no other" test "$(rows mix shown)" = 1
	"$irdiff" diff "$head" inside >shown
	verdict "one row: now inlined ($head)" mentions 'improved, now inlined *mix ' shown
	verdict "… and no other" test "$(rows mix shown)" = 1
done

# file PROFILE FUNCTION: where it is defined, once for each row of it.
file() {
	show "$1" --format=json | python3 -c '
import json, sys
print(*(f["file"] for f in json.load(sys.stdin)["functions"]
        if f["function"].split(".")[0] == sys.argv[1]))' "$2"
}

# Functions that begin with what is inlined from another file.
mkdir -p source/tests/inlines
cp "$tests/inlines/first.c" "$tests/inlines/first.h" source/tests/inlines
(cd elsewhere/deep && $cc -O2 -g -I../../source ../../source/tests/inlines/first.c -o ../../first)
profile first ./first
verdict "a function is of its file, whatever it begins with" \
	sh -c 'case $1 in *" "*) exit 1 ;; *first.c) ;; *) exit 1 ;; esac' - "$(file first product)"
verdict "… under the path of all others" \
	test "$(file first product) $(file first sum)" = "$(file first main) $(file first main)"
verdict "… which one of a header is not of" \
	test "$(basename "$(file first rest)")" = first.h
verdict "… and is called" test "$(calls first product)" = 50
verdict "totals are the same without inlined functions" same_totals first
valgrind --tool=callgrind --dump-instr=yes --callgrind-out-file=first.callgrind ./first >log 2>&1
verdict "… as in a file with addresses" test "$(file first product)" = "$(file first.callgrind product)"

# Debug information that does not say where functions are defined.
if command -v clang >/dev/null; then
	(cd elsewhere/deep && clang -O2 -gline-tables-only -I../../source ../../source/tests/inlines/first.c -o ../../lines)
	valgrind --tool=callgrind --dump-instr=yes --callgrind-out-file=lines.callgrind ./lines >log 2>&1
	verdict "functions have the file of their lines, if nothing says where they are defined" \
		test "$(basename "$(file lines.callgrind begin)") $(basename "$(file lines.callgrind product)")" = \
		"first.h first.c"
else
	skip "functions have the file of their lines" "clang is missing"
fi

# Stubs in .plt.sec, which Valgrind calls by addresses where the program was loaded.
if [ "$(uname -m)" = x86_64 ]; then
	cat >stubs.c <<-'END'
		#include <string.h>
		int main(int argc, char **argv)
		{
			volatile size_t sum = 0;
			for (int i = 0; i < 50 * argc; i++)
				sum += strlen(argv[0]);
			return sum == 0;
		}
	END
	$cc -O1 -g -fno-builtin -fcf-protection=full -Wl,-z,ibtplt stubs.c -o stubs
	valgrind --tool=callgrind --dump-instr=yes --callgrind-out-file=stubs.callgrind ./stubs >log 2>&1
	verdict "a stub has the name of its symbol" test "$(calls stubs.callgrind strlen@plt)" = 50
	verdict "… and the object of the program" test "$("$irdiff" show stubs.callgrind --top=0 --threshold=0 --format=json |
		python3 -c 'import json, sys
print(*(f["object"].split("/")[-1] for f in json.load(sys.stdin)["functions"] if f["function"] == "strlen@plt"))')" = stubs
fi

# decisions BASE HEAD: calls that somebody of the program is said to have added or removed.
decisions() {
	"$irdiff" diff --view=causes --threshold=0 --min-delta=0 --top=0 "$1" "$2" --format=json |
		python3 -c '
import json, sys
causes = json.load(sys.stdin)["causes"]
assert sum(c["delta"] for c in causes["items"]) == causes["delta"]
of_program = [c for c in causes["items"] if "instances" in c.get("caller", {}).get("file", c["function"]["file"])]
assert of_program
for c in of_program:
    if c["kind"] not in ("self", "inlining"):
        print(c["reason"], c["caller"]["function"], c["function"]["function"], c["delta"])'
}

# Functions under other names in debug information than in the table of symbols.
$cxx -g -O2 -DCOMPILED='__attribute__((noinline))' "$tests/inlines/instances.cc" -o called
$cxx -g -O2 -DCOMPILED='__attribute__((always_inline))' -w "$tests/inlines/instances.cc" -o within
profile called ./called
profile within ./within
verdict "nobody decided what the compiler inlined" test -z "$(decisions called within)"
verdict "… or no longer inlined" test -z "$(decisions within called)"

# of_lambdas PROFILE: functions in the file of lambdas, without parameters at their ends.
of_lambdas() {
	show "$1" --format=json | python3 -c '
import json, re, sys
def plain(name):
    name = re.sub(r" \[clone.*", "", name)
    name = re.sub(r"(operator\(\)(?:<.*?>)?|get)\(.*?\)( const)?(?=$|::)", r"\1", name)
    name = re.sub(r"^(auto|long) |(?<=\})>\(.*", "", name.replace("} >", "}>"))
    return name.replace("apart(long)", "apart")
names = [f["function"] for f in json.load(sys.stdin)["functions"] if "lambdas.cc" in (f["file"] or "")]
print(*sorted(plain(name) for name in names), sep="\n")'
}

# Lambdas and local classes: what has no symbol is called as if it had one.
for compiler in $cxx clang++; do
	has "${compiler%% *}" "lambdas of ${compiler%% *}" || continue
	for kind in noinline always_inline; do
		$compiler -w -std=c++17 -O2 -g "-DCOMPILED=__attribute__(($kind))" \
			"$tests/inlines/lambdas.cc" -o lambdas
		profile "$kind" ./lambdas
		of_lambdas "$kind" >"names.$kind"
	done
	verdict "every function with lambdas ($compiler)" agrees always_inline lambdas
	verdict "lambdas are called the same, inlined or not ($compiler)" \
		test -z "$(comm -13 names.noinline names.always_inline)"
	verdict "… each by where it is ($compiler)" test "$(grep -c '::operator()$' names.always_inline)" -ge 6
	"$irdiff" diff noinline always_inline >shown
	verdict "… and one row each ($compiler)" sh -c '! grep -e " new  " -e " removed " shown | grep -q lambdas'
	show always_inline --by=namespace >shown
	verdict "… of the namespace of their function ($compiler)" \
		sh -c 'grep -q " first$" shown && grep -q " second$" shown'
done

# Compilers number lambdas in ways of their own, whatever there is of them.
lambdas() {
	# Unquoted: what $static has after the compiler, if anything.
	# shellcheck disable=SC2086
	$1 -w -std=c++17 -O1 -g ${static#"$cc"} '-DCOMPILED=__attribute__((noinline))' \
		"$tests/inlines/lambdas.cc" -o numbered
	profile "by.$1" ./numbered
	strip -g numbered
	profile "bare.$1" ./numbered
}

# unpaired BASE HEAD: lambdas, and what is called with them, that only one has.
unpaired() {
	"$irdiff" diff "$1" "$2" --threshold=0 --min-delta=0 --top=0 --format=json 2>/dev/null | python3 -c '
import json, re, sys
of_lambdas = [f for f in json.load(sys.stdin)["functions"] if re.search(r"lambda|\$_", f["function"])]
assert len(of_lambdas) > 12
for f in of_lambdas:
    if f["reason"] in ("new", "removed"):
        print(f["reason"], f["function"])'
}

first=${cxx%% *}
lambdas "$first"
for compiler in $(echo "$PATH" | tr : '\n' | while read -r directory; do
	find "$directory/" -maxdepth 1 \( -name 'g++-[1-9]*' -o -name 'clang++*' \)
done 2>/dev/null | sed 's|.*/||' | sort -u); do
	lambdas "$compiler"
	verdict "lambdas of $compiler are those of $first" test -z "$(unpaired "by.$first" "by.$compiler")"
	# Which variable is one of no function, symbols of clang do not say.
	verdict "… by their symbols, too" test -z "$(unpaired "bare.$first" "bare.$compiler" |
		grep -v -e 'global::' -e 'second::other' -e ' \$_' -e ' second::\$_')"
done

build
profile plain ./statics
"$irdiff" diff inside plain >shown 2>warned
verdict "without debug information on one side, functions are the same" \
	mentions '^No function changed' shown
verdict "… with a warning" mentions 'the inlined functions of .* are not known in head, so' warned
verdict "… which names the object" mentions '/statics' warned
sed '/^desc: irdiff.inlines/d' profiles/plain.callgrind >unknown.out
"$irdiff" diff unknown.out inside >shown 2>warned || :
verdict "… also where a file says nothing of it" mentions 'functions of [^ ]*/statics are not known in base, so' warned
"$irdiff" diff plain inside >shown 2>warned
verdict "the other way round, too" mentions '^No function changed' shown
"$irdiff" baseline save text inside >/dev/null
"$irdiff" diff baseline:text/inside plain >shown 2>warned
verdict "what a baseline knows alone is named" mentions '/statics are known in only one of' warned
cp profiles/inside.callgrind profiles/copied.callgrind
"$irdiff" baseline save text copied >/dev/null
"$irdiff" diff baseline:text/copied inside >shown 2>warned
verdict "to compare with one that knows none, inlined functions are folded" \
	mentions '^No function changed' shown

echo "$count tests, $failures failed"
test $failures = 0
