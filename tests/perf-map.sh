#!/bin/sh
# Usage: tests/perf-map.sh
#
# Programs that generate code and describe it in /tmp/perf-PID.map: their functions have names in every
# view, in limits, and in a comparison of runs in which they are at other addresses. No map is left in
# /tmp. A small program does as a JIT compiler does; CPython 3.12 and later is tried if it is installed.
set -u
. "$(dirname "$0")/scratch.sh"
needs valgrind
[ "$(uname -m)" = x86_64 ] || skip_all "the generated code is for x86-64"
mkdir "$scratch/project"
cd "$scratch/project" || exit 1
git init -q .

# Each argument is a function and how many times its loop runs; it calls the next one. A function called
# "fork" is the rest in a child, "again" leaves the map as it is, "gap" moves what follows.
cat >jit.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned char *memory;

static FILE *open_map(void)
{
	char path[64];
	snprintf(path, sizeof path, "/tmp/perf-%d.map", getpid());
	return fopen(path, "a");
}

/* int f(int n): counts n down. */
static int call(const char *name, int n)
{
	static const unsigned char code[] = { 0x89, 0xf8, 0xff, 0xc8, 0x75, 0xfc, 0xc3 };
	char directory[4096];
	FILE *map = open_map();
	int (*function)(int);

	if (!map || !getcwd(directory, sizeof directory))
		return 1;
	memcpy(memory, code, sizeof code);
	if (strncmp(name, "py::", 4) == 0)
		fprintf(map, "%lx %zx %s:%s/app.py\n", (long)memory, sizeof code, name, directory);
	else if (strncmp(name, "JS:", 3) == 0)
		fprintf(map, "%lx %zx %s %s/app.js:2:1\n", (long)memory, sizeof code, name, directory);
	else
		fprintf(map, "%lx %zx %s\n", (long)memory, sizeof code, name);
	fclose(map);
	memcpy(&function, &memory, sizeof function);
	memory += 64;
	return function(n);
}

int main(int argc, char **argv)
{
	int status;
	memory = mmap(NULL, 65536, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return 1;
	for (int i = 1; i + 1 < argc; i += 2)
		if (strcmp(argv[i], "gap") == 0)
			memory += atoi(argv[i + 1]);
		else if (strcmp(argv[i], "fork") == 0) {
			if (fork())
				return wait(&status) < 0 || status;
		} else if (call(argv[i], atoi(argv[i + 1])))
			return 1;
	return 0;
}
END
$static -O1 -g -o jit jit.c || exit 1
printf '// application\nfunction hot() { }\n' >app.js

profile() {
	label=$1
	shift
	"$irdiff" profile -q --label="$label" -- ./jit "$@" >"$scratch/out" 2>"$scratch/err"
}

# shows LABEL PATTERN OPTIONS...: whether a line of what it shows matches.
shows() {
	label=$1 pattern=$2
	shift 2
	"$irdiff" show "$label" --wide "$@" >"$scratch/out" 2>"$scratch/err"
	grep -q -- "$pattern" "$scratch/out"
}

ls /tmp >"$scratch/before"
check "a program with generated code" profile a JS:~hot 1000 cold 100 RegExp:it\'s 50
check "has names" shows a '^  2,002 .* JS:hot$\|^ *2,002 .*JS:hot .*/project/app.js' --threshold=0
check "also without a file" shows a ' 202 .* cold' --threshold=0
check "an apostrophe does not end one" shows a ' 102 .* RegExp:it`s' --threshold=0
check "no address is left" [ "$("$irdiff" show a --format=csv | grep -c '0x0000')" = 0 ]
check "in the tree" shows a '2,002 .* JS:hot' --view=tree --threshold=0
check "in calls" shows a '> .*JS:hot .*(1x)' --view=calls
check "in the source" shows a '^ *2,002.* function hot() { }' --view=source JS:hot
check "its file is the real one" grep -q "fl=.* $PWD/app.js$" profiles/a.callgrind
check "none of a workspace" [ "$(grep -c irdiff-run/w profiles/a.callgrind)" = 0 ]

check "a slower one at another place" profile b gap 4096 JS:*hot 2000 cold 100 RegExp:it\'s 50
"$irdiff" diff a b >"$scratch/out" 2>&1
check "is the same function" grep -q 'JS:hot: self 2,002 → 4,002 Ir' "$scratch/out"
check "with its place" grep -q '^ *app.js:2$' "$scratch/out"
"$irdiff" diff --check --limit 'Ir=+10% fn:^JS:hot$' --limit 'Ir=+10% fn:^cold' a b >"$scratch/out" 2>&1
check "a limit on it is exceeded" [ $? = 1 ]
check "it is named" grep -q 'exceeded .*JS:hot' "$scratch/out"
check "the other one is kept" grep -q 'pass .*cold' "$scratch/out"

# A child has the code of its parent, and describes its own.
check "a child" profile f old 100 fork 0 new 200
check "has names of its own" shows f ' 402 .* new'
check "with those of its parent" shows f ' 202 .* old'

# Functions of an interpreter: a trampoline is a function in generated code that calls one.
cat >interpreter.c <<'END'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef int evaluator(int);
typedef int trampoline(int, evaluator *);
static trampoline *main_code, *f_code;

__attribute__((noinline, noipa)) int builtin(int n)
{
	volatile int s = 0;
	for (int i = 0; i < n; i++)
		s += i;
	return s;
}

__attribute__((noinline, noipa)) int _PyEval_EvalFrameDefault(int n);
__attribute__((noinline, noipa)) int py_trampoline_evaluator(trampoline *code, int n)
{
	int s = code(n, _PyEval_EvalFrameDefault);
	return s + 1;
}

int _PyEval_EvalFrameDefault(int n)
{
	volatile int s = 0;
	if (n == 0) /* main() calls f(1), and f() what is built in */
		return py_trampoline_evaluator(f_code, 1) + builtin(5);
	for (int i = 0; i < LOOPS; i++)
		s += i;
	return s + builtin(100);
}

int main(void)
{
	/* sub $8,%rsp; call *%rsi; add $8,%rsp; ret */
	static const unsigned char code[] = { 0x48, 0x83, 0xec, 8, 0xff, 0xd6, 0x48, 0x83, 0xc4, 8, 0xc3 };
	unsigned char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned char *second = memory + 16;
	char path[64];
	snprintf(path, sizeof path, "/tmp/perf-%d.map", getpid());
	FILE *map = fopen(path, "a");
	if (memory == MAP_FAILED || !map)
		return 1;
	memcpy(memory, code, sizeof code);
	memcpy(second, code, sizeof code);
	memcpy(&main_code, &memory, sizeof memory);
	memcpy(&f_code, &second, sizeof second);
	fprintf(map, "%lx b py::main:/src/main.py\n%lx b py::f:/src/f.py\n", (long)memory, (long)second);
	fclose(map);
	return py_trampoline_evaluator(main_code, 0) == 12345;
}
END
for loops in 50 500; do
	$static -O1 -g -DLOOPS=$loops -o interpreter interpreter.c || exit 1
	"$irdiff" profile -q --label=i$loops -- ./interpreter >"$scratch/out" 2>"$scratch/err" || failed=$((failed + 1))
done
self() {
	"$irdiff" show "$1" --filter=":$2\$" "$3" | sed -n 's/^ *\([0-9,]*\) .* '"$2"'\( (inlined)\)\{0,1\}  .*/\1/p' | tr -d ,
}
check "a Python function has the costs of its interpreter" [ "$(self i50 py::f --inlines=auto)" -gt 200 ]
check "which has none of its own" [ "$(self i50 _PyEval_EvalFrameDefault --inlines=auto)" = "" ]
check "unless they are kept apart" [ "$(self i50 _PyEval_EvalFrameDefault --inlines=all)" -gt 200 ]
check "then it has but its trampoline's" [ "$(self i50 py::f --inlines=all)" = 4 ]
check "its source is its own" shows i50 '^-- .src.f.py' --view=source py::f
check "without that of the interpreter" [ "$(grep -c interpreter.c "$scratch/out")" = 1 ]
check "the tree has no interpreter" shows i50 ' py::f$\|py::f ' --view=tree --root=main --threshold=0
check "not at all" [ "$(grep -c _PyEval "$scratch/out")" = 0 ]
check "totals are the same" [ "$("$irdiff" show i50 | head -1)" = "$("$irdiff" show i50 --inlines=all | head -1)" ]
"$irdiff" diff i50 i500 >"$scratch/out" 2>&1
check "the first cause is the Python function" \
	sh -c "sed -n '/^Causes/{n;p;}' '$scratch/out' | grep -q 'py::f: self'"

# Valgrind's own files there have the same names in runs at the same time.
"$irdiff" profile -q --label=own -- /bin/sh -c 'echo >/tmp/valgrind_proc_$$_x' >"$scratch/out" 2>"$scratch/err"
check "a file that Valgrind names is the run's own" [ ! -e /tmp/valgrind_proc_4194306_x ]

# Without tracing, the map is in /tmp until it is taken from there.
$compiler -o refuse "$source_dir/tests/guest/refuse.c" || exit 1
if ./refuse ptrace true; then
	./refuse ptrace "$irdiff" profile -q --label=u -- ./jit JS:~hot 1000 fork 0 cold 100 >"$scratch/out" 2>"$scratch/err"
	check "untraced" shows u '2,002 .*JS:hot'
	check "it was" grep -q "env.workspace: links" profiles/u.callgrind
	check "with a child" shows u ' 202 .* cold'
	make_lean
	$lean -O1 -g -o dynamic jit.c
	./refuse ptrace "$irdiff" profile -q --freeze=pid --label=v -- ./dynamic JS:~hot 1000 >"$scratch/out" 2>"$scratch/err"
	check "untraced, with a frozen pid" shows v '2,002 .*JS:hot'
else
	skip "where tracing is refused" "there are no filters of system calls"
fi
maps_are_gone() {
	[ -z "$(find /tmp -maxdepth 1 -name 'perf-*.map' -user "$(id -u)" -newer "$scratch/before" 2>/dev/null)" ]
}
check "no map is left in /tmp" maps_are_gone

# What Python functions cost themselves and with their callees.
python_costs() {
	"$irdiff" show "$1" --filter=':py::' --top=0 --threshold=0 --format=csv | grep ^py:: | sort
}
python=$(ls /usr/bin/python3.1[2-9] 2>/dev/null | head -1)
if [ -n "$python" ] || { command -v python3 >/dev/null && python3 -c 'import sys; sys.exit(sys.version_info < (3, 12))' &&
	python=$(python3 -c 'import sys; print(sys.executable)'); }; then
	printf 'def parse(text):\n    n = 0\n    for c in text:\n        n += ord(c)\n    return n\n\nparse("words " * 900)\n' >app.py
	"$irdiff" profile -q --cache-sim=no --label=py -- "$python" -S app.py >"$scratch/out" 2>"$scratch/err"
	check "Python's functions have names" shows py ' py::parse .*project/app.py'
	check "few callers are recorded" grep -q '^desc: irdiff.env.depth: 0$' profiles/py.callgrind
	"$irdiff" profile -q --cache-sim=no --depth=8 --label=deep -- "$python" -S app.py >"$scratch/out" 2>"$scratch/err"
	check "more callers change no cost of a Python function" [ "$(python_costs py)" = "$(python_costs deep)" ]
	check "and there are some" [ -n "$(python_costs py)" ]
	"$irdiff" profile -q --cache-sim=no --label=py2 --env PYTHONPERFSUPPORT=0 -- "$python" -S app.py >"$scratch/out" 2>"$scratch/err"
	check "unless a variable says otherwise" [ "$("$irdiff" show py2 | grep -c py::)" = 0 ]
else
	skip "Python's functions" "Python 3.12 is not installed"
fi
finish
