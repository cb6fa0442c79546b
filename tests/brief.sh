#!/bin/sh
# Usage: tests/brief.sh
#
# The markdown report of programs that were measured is short, and begins with the answer: the demo, and an
# interpreter in C++ of which some thirty functions changed. Tables in blocks are tables (needs cmark-gfm),
# and a function that is inlined has a cost per call only where its calls are counted.
set -u
. "$(dirname "$0")/skip.sh"
LC_ALL=C.UTF-8
export LC_ALL
source_dir=$(CDPATH='' cd "${srcdir:-.}" && pwd)
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")
cc=${CC:-gcc} cxx=${CXX:-g++}

needs valgrind "${cc%% *}" "${cxx%% *}"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-brief.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
cd "$scratch" || exit
failed=0

# verdict WHAT STATUS
verdict() {
	if [ "$2" -eq 0 ]; then
		echo "ok      $1"
	else
		echo "FAILED  $1"
		sed 's/^/  | /' report.md
		failed=1
	fi
}

# The interpreter, version $1. Template arguments make long names; in version 2 handlers do more, and some
# of them look up a second name.
interpreter() {
	cat <<-'END'
		#include <string>
		#include <unordered_map>
		#include <vector>
		namespace lua { namespace vm {
		struct Value { double number = 0; long kind = 0; };
		template <typename Key, typename Mapped, typename Hash = std::hash<Key>> struct BasicTable {
			__attribute__((noinline)) Mapped &get(const Key &key) { return map[key]; }
			std::unordered_map<Key, Mapped, Hash> map;
		};
		using Table = BasicTable<std::string, Value>;
		struct Instruction { int op, a, b; };
		template <int op> struct Handler;
		static inline double twice(volatile double *sum, int n)
		{
			for (int i = 0; i < n; i++)
				*sum = *sum + 2;
			return *sum;
		}
	END
	awk -v version="$1" 'BEGIN {
		for (i = 0; i < 30; i++) {
			print "template <> struct Handler<" i "> {"
			print "__attribute__((noinline)) static Value execute(std::vector<Value> &registers,"
			print "\tTable &globals, const Instruction &instruction) {"
			print "\tvolatile double sum = registers[instruction.a % registers.size()].number;"
			print "\ttwice(&sum, " 3 + i + (version - 1) * (i % 5 + 1) ");"
			if (i % 6 == 0) {
				print "\tglobals.get(\"the_name_of_global_" i "\").number += sum;"
				if (version == 2)
					print "\tglobals.get(\"the_name_of_another_global_" i "\").number += sum;"
			}
			print "\tValue result; result.number = sum; return result;\n}\n};"
		}
		print "struct Interpreter {\n\tstd::vector<Value> registers{64}; Table globals;"
		print "\t__attribute__((noinline)) void run(const std::vector<Instruction> &code) {"
		print "\t\tfor (const Instruction &i : code) switch (i.op) {"
		for (i = 0; i < 30; i++)
			print "\t\tcase " i ": registers[i.b % 64] = Handler<" i ">::execute(registers, globals, i); break;"
		print "\t\t}\n\t}\n};\n} }"
		print "int main() {\n\tstd::vector<lua::vm::Instruction> code;"
		print "\tfor (int i = 0; i < 6000; i++) code.push_back({ i % 30, i, i * 7 });"
		print "\tlua::vm::Interpreter().run(code);\n}"
	}'
}

# measure LABEL COMMAND...
measure() {
	label=$1
	shift
	"$irdiff" profile --quiet --label "$label" -- "$@" >log 2>&1 || {
		cat log
		exit 1
	}
}

# report BASE HEAD [OPTIONS]
report() {
	"$irdiff" diff "$@" --format=markdown >report.md
}

# is_brief WHAT HEAD
is_brief() {
	bytes=$(wc -c <report.md)
	[ "$bytes" -le 4096 ]
	verdict "$1: $bytes bytes" $?
	head -n 1 report.md | grep -qE "^## ⚠️ REGRESSION: \`$2\` \+[0-9.]+% \`Ir\`\$" &&
		[ "$(sed '/^<details>/,$d' report.md | grep -c '^- ')" -le 3 ]
	verdict "… with the answer first" $?
}

for version in 1 2; do
	# Unquoted, as make has it: CC may have options, or ccache in front.
	# shellcheck disable=SC2086
	$cc -O2 -g -o parser "$source_dir/data/demo/parser-v$version.c" || exit
	measure "demo-v$version" ./parser
	interpreter "$version" >interpreter.cc
	# shellcheck disable=SC2086
	$cxx -O2 -g -o interpreter interpreter.cc || exit
	measure "lua-v$version" ./interpreter
done

report demo-v1 demo-v2
is_brief "the demo" demo-v2
grep -q '^- `parse_record` calls `skip_field` .*: \*\*+[0-9,]*\*\*, [0-9.]*% of the change\. `parser-v2\.c' report.md ||
	grep -q '^- `get_field` .*calls `skip_field`' report.md
verdict "… and what to look at" $?

report lua-v1 lua-v2
is_brief "an interpreter in C++" lua-v2
[ "$("$irdiff" diff lua-v1 lua-v2 --format=csv | grep -c regressed)" -ge 30 ]
verdict "… of which thirty functions changed" $?
# calls_known: whether all calls of twice() could be counted, 6,000 as of the handlers: that depends on the
# compiler.
calls_known() {
	"$irdiff" diff lua-v1 lua-v2 --view=causes --top=0 --threshold=0 --format=csv |
		grep -q ',self,.*,lua::vm::twice,.*,Ir,6000,6000,'
}
! grep -E 'twice.*per call' report.md || calls_known
verdict "… with no cost of calls that are not counted" $?
report lua-v1 lua-v2 --top=0
[ "$(sed -n '/<summary>Functions/,/<.details>/p' report.md | grep -c '^| `')" -ge 30 ] &&
	! grep -q 'shows all' report.md
verdict "… all of it with --top=0" $?

if has cmark-gfm "what GitHub makes of it"; then
	cmark-gfm --unsafe -e table report.md >report.html
	[ "$(grep -c '^<table>' report.html)" -eq "$(grep -c '^|--' report.md)" ] && ! grep -q '^|' report.html &&
		[ "$(grep -c '^<details>' report.html)" -eq "$(grep -c '^</details>' report.html)" ]
	verdict "tables in blocks are tables" $?
fi

report demo-v1 demo-v1
[ "$(grep -c . report.md)" -le 4 ] && ! grep -q '<details>' report.md
verdict "without a change there is next to nothing to read" $?
exit "$failed"
