#!/bin/sh
# Usage: tests/self-test.sh
#
# Proves that the checks of tests/ can fail: breaks one rule at a time in a small tree of its own
# and expects the check to say so.
set -eu
LC_ALL=C
export LC_ALL

tests=$(CDPATH='' cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-self-test.XXXXXX")
trap 'rm -rf "$tree"' EXIT
trap 'exit 130' INT TERM HUP
cd "$tree"
unset srcdir
failures=0

# expect_ok WHAT COMMAND...
expect_ok() {
	what=$1
	shift
	if ! "$@" >output 2>&1; then
		echo "FAIL: $what should pass, but:"
		cat output
		failures=$((failures + 1))
	fi
}

# expect_failure WHAT TEXT COMMAND...
expect_failure() {
	what=$1 text=$2
	shift 2
	if "$@" >output 2>&1; then
		echo "FAIL: $what goes unnoticed"
		failures=$((failures + 1))
	elif ! grep -qF -- "$text" output; then
		echo "FAIL: $what is noticed, but not for '$text':"
		cat output
		failures=$((failures + 1))
	fi
}

# The tree every layer check starts from: each file keeps the rules.
fresh_tree() {
	rm -rf house
	mkdir -p house/callgrind/support house/src/cmd house/src/run house/src/config \
		house/src/diff house/src/report house/src/store house/src/view house/tests/unit \
		house/tests/cases house/data
	cd house
	for header in callgrind/support/error callgrind/reader src/cmd/command src/run/run \
		src/config/config src/diff/diff src/diff/limit src/report/report src/store/label \
		src/view/flat src/view/pattern; do
		echo "int $(basename "$header")(void);" >$header.h
	done
	cat >callgrind/reader.c <<-'END'
		#include "callgrind/reader.h"
		#include <zlib.h>
		#include "callgrind/support/error.h"
		/* never calls exit(), abort() or printf() */
		const char *help = "printf(\"stdout\")"; // sprintf(
		int reader(void) { return snprintf(0, 0, "%d", cg_exit(1)); }
	END
	cat >src/diff/diff.c <<-'END'
		#include "src/diff/diff.h"
		#include "callgrind/support/error.h"
		#include "src/view/pattern.h"
	END
	cat >src/report/report.c <<-'END'
		#include "src/report/report.h"
		#include "src/diff/diff.h"
		#include "callgrind/support/error.h"
	END
	cat >src/config/config.c <<-'END'
		#include "src/config/config.h"
		#include "src/diff/limit.h"
	END
	cat >src/run/run.c <<-'END'
		#include "src/run/run.h"
		#include "callgrind/support/error.h"
		void child(void) { _exit(127); }
	END
	cat >src/cmd/cmd_diff.c <<-'END'
		#include "src/run/run.h"
		#include "src/report/report.h"
		int cmd_diff(void) { return printf("1") + fputs("", stdout); }
	END
	cat >src/main.c <<-'END'
		#include "src/cmd/command.h"
		int main(void) { exit(0); }
	END
	cat >tests/unit/test_reader.c <<-'END'
		#include "callgrind/reader.h"
		int main(void) { printf(""); }
	END
	cat >Makefile.am <<-'END'
		sources = callgrind/support/error.h callgrind/reader.h callgrind/reader.c \
			src/cmd/command.h src/cmd/cmd_diff.c src/run/run.h src/run/run.c \
			src/config/config.h src/config/config.c src/diff/diff.h src/diff/limit.h \
			src/diff/diff.c src/report/report.h src/report/report.c src/store/label.h \
			src/view/flat.h src/view/pattern.h src/main.c # src/forgotten.c
		unit_tests = tests/unit/test_reader
		EXTRA_DIST = data
	END
	cd ..
}

# breaks FILE LINE TEXT: with LINE added to FILE, layers.sh must say TEXT.
breaks() {
	fresh_tree
	mkdir -p "$(dirname "house/$1")"
	echo "$2" >>"house/$1"
	expect_failure "'$2' in $1" "$3" sh "$tests/layers.sh" house
}

fresh_tree
expect_ok "a tree that keeps the rules" sh "$tests/layers.sh" house
mkdir -p house/freeze
expect_failure "a tree without names" "no definitions found" sh "$tests/names.sh" house
printf 'static int\nadd_twice(int a,\n\tint b)\n{\n\treturn a + b;\n}\n' >house/src/run/twice.c
expect_ok "names of their own" sh "$tests/names.sh" house
cp house/src/run/twice.c house/src/run/again.c
expect_failure "a static function that two files define" "add_twice is also defined in" \
	sh "$tests/names.sh" house
printf 'struct twice {\n\tint a;\n};\n' | tee house/src/run/again.c >house/src/run/twice.c
expect_failure "a structure that two files define" "struct twice is also defined in" \
	sh "$tests/names.sh" house
rm house/src/run/again.c house/src/run/twice.c
breaks callgrind/support/error.h '#include "callgrind/reader.h"' 'may not know callgrind'
breaks callgrind/reader.c '#include "src/diff/diff.h"' 'may not know src/diff'
breaks src/diff/diff.h '#include "src/report/report.h"' 'may not know src/report'
breaks src/view/flat.h '#include "src/diff/diff.h"' 'may not know src/diff'
breaks src/diff/diff.c '#include "callgrind/reader.h"' 'may not know callgrind'
breaks src/diff/diff.c '  #  include "src/cmd/command.h"' 'may not know src/cmd'
breaks src/report/report.c '#include "src/run/run.h"' 'may not know src/run'
breaks src/config/config.c '#include "src/report/report.h"' 'may not know src/report'
breaks src/run/run.c '#include "src/config/config.h"' 'may not know src/config'
breaks src/store/label.h '#include "src/config/config.h"' 'may not know src/config'
breaks src/main.c '#include "src/diff/diff.h"' 'may not know src/diff'
breaks src/other/new.c 'int x;' 'no rule for directory src/other'
breaks src/main.c '#include "command.h"' 'not a path from the top directory'
breaks src/view/flat.h '#include "src/view/flat.h"' 'includes itself'
breaks src/cmd/cmd_diff.c '#include "src/run/run.c"' 'includes a .c file'
breaks src/run/run.c '#include <zlib.h>' 'zlib is included in callgrind/reader.c already'
breaks callgrind/reader.h '#include <zstd.h>' 'zstd is included in a header'
breaks tests/unit/test_reader.c '#include <CUnit/Basic.h>' 'only in tests/unit/harness.h'
breaks callgrind/reader.c 'void f(void) { exit(1); }' 'ends the process'
breaks callgrind/reader.c 'void f(void) { _exit(1); }' 'ends the process'
breaks src/diff/diff.c '/* so */ abort ();' 'ends the process'
breaks src/report/report.c 'void f(void) { printf("x"); }' 'prints'
breaks src/run/run.c 'void f(void) { fputs("x", stderr); }' 'prints'
breaks src/store/cache.c 'int f(void) { return mkdir("x", 0777); }' 'out of the project'
breaks src/cmd/cmd_diff.c 'void f(char *s) { strcpy(s, "x"); }' 'without knowing its size'
breaks src/main.c 'void f(char *s) { sprintf(s, "x"); }' 'without knowing its size'

fresh_tree
expect_ok "a tree that lists its files" sh "$tests/listed.sh" house
lists() {
	echo "		things|have thing|libthing-dev|thing-devel|=|=|=" >house/setup
	mkdir -p house/debian
	echo "libthing-dev" | tee house/debian/control house/Containerfile >house/tests/packages.sh
	echo "EXTRA_DIST += tests/packages.sh" >>house/Makefile.am
}
lists
expect_ok "lists of packages that agree" sh "$tests/listed.sh" house
: >house/Containerfile
expect_failure "a library missing in one of them" "libthing-dev in Containerfile" sh "$tests/listed.sh" house
for file in src/forgotten.c callgrind/new.h tests/unit/test_new.c tests/cases/new.case \
	tests/new.sh tests/fuzz/new.dict tests/fuzz/seeds/new; do
	fresh_tree
	mkdir -p "$(dirname "house/$file")"
	: >house/$file
	expect_failure "$file missing from Makefile.am" "$file is not listed" \
		sh "$tests/listed.sh" house
done

fresh_tree
echo '/* As in src/gone.h. */' >>house/callgrind/reader.c
expect_failure "a comment that names no file" "there is no file src/gone.h" sh "$tests/listed.sh" house
fresh_tree
echo '/* As in <src/gone.h>, cmd_NAME.c and run/run.h. */' >>house/callgrind/reader.c
expect_ok "comments that name files" sh "$tests/listed.sh" house

fresh_tree
git -C house init -q
mkdir house/b
echo object >house/b/object.o
git -C house add -f b Makefile.am
expect_failure "a build directory that was committed" "b is committed" sh "$tests/listed.sh" house

# Comments that are too wide. The tab counts 8 columns, the ellipsis one.
fresh_tree
printf '/*\t%093d… */\n' 0 >>house/callgrind/reader.c
expect_failure "a comment of 105 columns" ": 105 columns, more than 100" env srcdir=house sh "$tests/format.sh"

# Variables that can be written, wherever they hide.
globals() {
	rm -f some.a some.o
	# Unquoted, as make has it: CC may come with options.
	# shellcheck disable=SC2086
	echo "$1" | ${CC:-cc} -x c -c -o some.o - && ar crD some.a some.o &&
		sh "$tests/globals.sh" some.a
}
expect_ok "a library of constants" globals \
	'extern int f(void); int (*const table[])(void) = { f }; static const int n = 1; int g(void) { return n; }'
expect_failure "a global variable" "n can be written" globals 'int n;'
expect_failure "an initialised variable" "n can be written" globals 'int n = 1;'
expect_failure "a static variable" "n can be written" globals 'static int n; int g(void) { return n++; }'
expect_failure "a variable in a function" "can be written" globals \
	'int g(void) { static int n = 3; return n++; }'
expect_failure "a variable of a thread" "n can be written" globals '_Thread_local int n;'
expect_failure "a table of pointers" "table can be written" globals \
	'extern int f(void); int (*table[])(void) = { f };'

# The runner of golden cases, with a program of one line for irdiff.
cat >program <<'END'
#!/bin/sh
echo "saw $*; TERM=$TERM LC_ALL=$LC_ALL NO_COLOR=${NO_COLOR-unset} IRDIFF_X=${IRDIFF_X-unset}"
exit "${1:-0}"
END
chmod +x program
IRDIFF=./program IRDIFF_X=1 NO_COLOR=1
export IRDIFF IRDIFF_X NO_COLOR
run_case() {
	sh "$tests/cases/run.sh" "$@" cli.case
}

cat >good.case <<'END'
A case that passes: words, status, continuation, files, missing newline, paths.
$ irdiff
saw ; TERM=dumb LC_ALL=C NO_COLOR=unset IRDIFF_X=unset
$ irdiff 3 >&2
saw 3; TERM=dumb LC_ALL=C NO_COLOR=unset IRDIFF_X=unset
[exit 3]
$ cat >file <<X
> one
>
> two
> X
$ # nothing happens here
$ x=$(cat file); printf '%s' "$x"
one

two
[no newline at end]
$ echo "in $PWD:"
in $WORK:
$ false
[exit 1]
END
cp good.case cli.case
expect_ok "a good case" run_case
printf '$ irdiff\n' >cli.case
expect_failure "a case without expectations" "nothing is expected" run_case
expect_ok "updating it" run_case --update
expect_ok "a case as updated" run_case
printf '$ irdiff\nsaw ; TERM=dumb LC_ALL=C NO_COLOR=unset IRDIFF_X=unset\n' >expected
if ! cmp -s expected cli.case; then
	echo "FAIL: --update does not write what was printed"
	failures=$((failures + 1))
fi
: >cli.case
expect_failure "an empty case" "no command" run_case
sed 's/^one/eins/' good.case >cli.case
expect_failure "other output" "+one" run_case
cp good.case cli.case
sed 's/^one$/eins/; s/^\[exit 3\]/[exit 4]/' good.case >cli.case
expect_ok "updating a case" run_case --update
expect_ok "an updated case" cmp good.case cli.case
grep -v 'exit 3' good.case >cli.case
expect_failure "another exit status" "+[exit 3]" run_case
grep -v 'no newline' good.case >cli.case
expect_failure "a missing newline" "+[no newline at end]" run_case
echo 'more' >>cli.case
expect_failure "missing output" "-more" run_case
printf '$ exit 3\nx\n' >cli.case
expect_failure "a shell that ends" "the shell ended in command 1" run_case
printf '$ echo "(\nx\n' >cli.case
expect_failure "a syntax error" "the shell ended in command 1" run_case
printf '$ printf "%%s\\n" "$ x"\nx\n' >cli.case
expect_failure "output like a command" "looks like a command" run_case --update
rm -f cli.case
expect_failure "a case that does not exist" "no case" run_case

# The closing line.
mkdir -p build/tests
printf ':test-result: PASS\n' >build/tests/a.trs
expect_ok "a run without failures" sh "$tests/summary.sh" build
printf ':test-result: FAIL\n' >build/tests/b.trs
expect_failure "a failed test" "1 passed, 1 failed" sh "$tests/summary.sh" build
# What was skipped is told before the last line, with the reasons.
tells() {
	sh "$tests/summary.sh" build >told && [ "$(cat told)" = "$1" ]
}
rm build/tests/b.trs
printf 'SKIP: a thing: it is not there\nok\nSKIP: another: there is none\nSKIP: a thing: it is not there\n' >build/tests/a.log
expect_ok "parts that are skipped" tells "skipped in build/tests/a: a thing: it is not there; another: there is none
1 passed, 0 failed"
printf ':test-result: SKIP\n' >build/tests/b.trs
: >build/tests/a.log
expect_ok "a test that is skipped without a reason" tells "skipped in build/tests/b: all of it, without a reason
1 passed, 0 failed, 1 skipped"
rm -f build/tests/*
expect_failure "a run without tests" "0 passed, 0 failed" sh "$tests/summary.sh" build

if [ "$failures" -gt 0 ]; then
	echo "$failures checks do not check"
	exit 1
fi
echo "every check can fail"
