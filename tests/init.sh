#!/bin/sh
# Usage: tests/init.sh
#
# `irdiff init` in small projects of every kind: irdiff reads what it writes, also with all examples in
# it made settings; the build it states builds the program that the first benchmark runs, where there are
# the tools for that; nothing is replaced; and no name in a project becomes more than a name.
set -eu
. "$(dirname "$0")/skip.sh"
LC_ALL=C.UTF-8
export LC_ALL
source_dir=$(CDPATH='' cd "${srcdir:-.}" && pwd)
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-init.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
cd "$scratch"
export GIT_CEILING_DIRECTORIES="$scratch"
failures=0

fail() {
	echo "FAIL: $*"
	failures=$((failures + 1))
}

# Whether irdiff reads the irdiff.yml of this directory.
is_read() {
	"$irdiff" show "$source_dir/tests/data/base.callgrind" --top=1 >/dev/null
}

# What stands after "command:" of the build and of the first benchmark, and where that runs.
build_of() {
	sed -n '/^build:/,/^$/s/^    //p' irdiff.yml
}
program_of() {
	sed -n 's/^    command: \["\([^"]*\)".*/\1/p' irdiff.yml | head -n 1
}
cwd_of() {
	sed -n 's/^    cwd: "\([^"]*\)".*/\1/p' irdiff.yml | head -n 1
}

# init KIND [TOOL]: in the directory of that name; if there is the tool, the project is built.
init() {
	cd "$1"
	"$irdiff" init --ci=none >../said || fail "$1: init failed"
	is_read || fail "$1: what was written is not read"
	sed 's/^\( *\)#\([a-z"]\)/\1\2/' irdiff.yml >../examples
	cp irdiff.yml ../written
	mv ../examples irdiff.yml
	is_read || fail "$1: its examples are not read"
	mv ../written irdiff.yml
	if [ $# -gt 1 ] && has "$2" "building a project of $1"; then
		sh -c "$(build_of)" >../built 2>&1 || {
			fail "$1: does not build:"
			cat ../built
		}
		program=$(program_of)
		(cd "./$(cwd_of)" && [ -x "$program" ]) || fail "$1: $program was not built"
	fi
	cd ..
	echo "$1: tried"
}

main='int main(void) { return 0; }'

mkdir -p cmake/bench
cat >cmake/CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.10)
project(x C)
enable_testing()
# add_executable(bench_that_was x.c)
add_subdirectory(bench)
EOF
cat >cmake/bench/CMakeLists.txt <<'EOF'
add_executable(runner runner.c)
add_executable(other_bench runner.c)
add_test(NAME bench-parse COMMAND runner --fast "data/x.json"
	WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
add_test(NAME bench-late WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" COMMAND runner --late)
add_test(NAME unit COMMAND runner)
EOF
echo "$main" >cmake/bench/runner.c
init cmake cmake
grep -q '^  "bench-parse":' cmake/irdiff.yml || fail "cmake: bench-parse is not the first"
grep -qF 'command: ["../build/bench/runner", "--fast", "data/x.json"]' cmake/irdiff.yml &&
	grep -q '^    cwd: "bench"' cmake/irdiff.yml || fail "cmake: arguments or the directory are lost"
grep -q '^  "other_bench":' cmake/irdiff.yml || fail "cmake: other_bench is not there"
if grep -q 'unit\|that_was' cmake/irdiff.yml; then
	fail "cmake: has what is no benchmark"
fi

mkdir -p meson/b
printf "project('x', 'c')\nsubdir('b')\n" >meson/meson.build
cat >meson/b/meson.build <<'EOF'
p = executable('parser', 'p.c')
benchmark('parse', p, args: ['--n', '3'], timeout: 30)
benchmark('file', p, args: [files('in.txt'), '-q'])
benchmark('inner', executable('inner-program', 'p.c'))
EOF
echo "$main" >meson/b/p.c
echo input >meson/b/in.txt
init meson meson
grep -qF 'command: ["./build/b/parser", "--n", "3"]' meson/irdiff.yml || fail "meson: parse"
grep -qF '    command: ["./build/b/parser", "b/in.txt", "-q"]' meson/irdiff.yml || fail "meson: files"
grep -qF '    command: ["./build/b/inner-program"]' meson/irdiff.yml || fail "meson: inner"

mkdir -p cargo/benches cargo/src
cat >cargo/Cargo.toml <<'EOF'
[package]
name = "x"
version = "0.1.0"
edition = "2021"

[[bench]]
name = "json"   # not "y"
harness = false
EOF
echo 'fn main() {}' | tee cargo/src/main.rs cargo/benches/json.rs >cargo/benches/xml-big.rs
init cargo
grep -q '^  "json":' cargo/irdiff.yml && grep -q '^  "xml-big":' cargo/irdiff.yml || fail "cargo: benches"
mkdir -p cargo/target/release/deps tools
echo 'echo of the benchmark: "$@"' >cargo/target/release/deps/json-0123
# The tests of a library with that name, built last.
echo 'echo of the library' >cargo/target/release/deps/json-4567
echo 'echo dashes' >cargo/target/release/deps/xml_big-89
chmod +x cargo/target/release/deps/*-*
cat >tools/cargo <<'EOF'
#!/bin/sh
case $* in
*--message-format=json*) ;;
*) exit 1 ;;
esac
built() {
	printf '{"reason":"compiler-artifact","target":{"kind":["%s"],"name":"%s"},"profile":{"test":true},"executable":"%s"}\n' \
		"$1" "$2" "$PWD/target/release/deps/$3"
}
built bench json json-0123
built bench xml-big xml_big-89
built lib json json-4567
echo '{"reason":"build-finished","success":true}'
EOF
chmod +x tools/cargo
ran=$(cd cargo && PATH=$scratch/tools:$PATH sh -c "$(build_of)" && "$(program_of)" --bench --test)
[ "$ran" = "of the benchmark: --bench --test" ] || fail "cargo: runs '$ran'"
[ -x cargo/target/irdiff/xml_big ] || fail "cargo: xml-big is not there"

mkdir -p make
printf '.PHONY: all \\\n  bench clean\nall: prog\nbench-all: prog-bench other-bench\nprog-bench: prog.c\n\t$(CC) $(CFLAGS) -o $@ $<\n' >make/Makefile
printf 'second-bench: prog.c\n\t$(CC) -o $@ $<\n' >>make/Makefile
printf 'bench: prog-bench\n\t./prog-bench\nbench.o: x\n%%.bench: x\nbench2 := 3\nprog:\n' >>make/Makefile
mkdir make/sub
printf 'sub-bench: ../prog.c\n\t$(CC) $(CFLAGS) -o $@ $<\n' >make/sub/Makefile
echo "$main" >make/prog.c
init make make
[ "$(grep -c '^  "' make/irdiff.yml)" = 3 ] || fail "make: not three benchmarks"
[ -x make/second-bench ] && [ -x make/sub/sub-bench ] || fail "make: not all benchmarks are built"

mkdir -p auto
cat >auto/configure <<'EOF'
printf 'all:\nbench_x: x.c\n\t$(CC) -o $@ x.c\n' >Makefile
EOF
chmod +x auto/configure
printf 'bin_PROGRAMS = tool\nnoinst_PROGRAMS = \\\n\tbench_x t\n' >auto/Makefile.am
echo "$main" >auto/x.c
init auto make

mkdir -p none
init none
grep -q '^  #parse:' none/irdiff.yml || fail "none: no example"

# Nothing is replaced, and then nothing is written.
cp cmake/irdiff.yml before
for ci in none github; do
	if (cd cmake && "$irdiff" init --ci=$ci) >said 2>&1; then
		fail "irdiff.yml is replaced"
	fi
	grep -q 'irdiff.yml: already exists; use --force' said || fail "it is not said what is there"
done
cmp -s before cmake/irdiff.yml && [ ! -e cmake/.github ] || fail "something was written nevertheless"
rm make/irdiff.yml
ln -s nowhere make/irdiff.yml
if (cd make && "$irdiff" init) >said 2>&1; then
	fail "a link to nowhere is replaced"
fi
"$irdiff" init none --ci=github --force >said || fail "--force"
cmp -s "$source_dir/data/ci/github.yml" none/.github/workflows/irdiff.yml || fail "another workflow"
"$irdiff" init none --ci=gitlab --force >said || fail "--force"
cmp -s "$source_dir/data/ci/gitlab.yml" none/irdiff.gitlab-ci.yml || fail "another job"

# needs PROJECT FOUND PACKAGES [NPM]: the jobs install that; in the workflow that of the site does, too.
needs() {
	"$irdiff" init "$1" --ci=github --force >said && "$irdiff" init "$1" --ci=gitlab --force >said || fail "$1: --ci"
	line="- run: $2 || { sudo apt-get update && sudo apt-get install -y $3${4:+ && sudo npm install -g $4}; }"
	sed 's/^  # *#* *//; s/^ *//' "$1/.github/workflows/irdiff.yml" | grep -cxF -e "$line" >count || :
	[ "$(cat count)" -eq 2 ] && grep -qxF "      $line" "$1/.github/workflows/irdiff.yml" &&
		! grep -q '^ *# .*apt-get install -y cmake$' "$1/.github/workflows/irdiff.yml" ||
		fail "$1: the workflow does not install $3"
	grep -qx "    - apt-get update && apt-get install .* ca-certificates git $3${4:+ && npm install -g $4}" "$1/irdiff.gitlab-ci.yml" ||
		fail "$1: the job does not install $3"
}
mkdir ci
for name in pnpm yarn npm; do
	mkdir "ci/$name"
	echo '{"dependencies": {"a": "1"}, "scripts": {"bench": "node bench.js"}}' >"ci/$name/package.json"
done
: >ci/pnpm/pnpm-lock.yaml
: >ci/yarn/yarn.lock
mkdir ci/c ci/c++ ci/plain ci/package ci/go ci/java ci/gradle ci/meson++ ci/autotools ci/release
printf 'bench: bench.c\n\t$(CC) -g -o $@ $<\n' | tee ci/c/Makefile >ci/c++/Makefile
: >ci/c++/bench.cpp
: >ci/meson++/bench.cc
echo "project('x', 'cpp')" >ci/meson++/meson.build
echo 'print(sum(range(1000)))' >ci/plain/bench_sum.py
printf '[build-system]\nrequires = []\n' >ci/package/pyproject.toml
echo 'def test_sum(): pass' >ci/package/test_sum.py
echo 'module example.com/x' >ci/go/go.mod
echo '<project/>' >ci/java/pom.xml
: >ci/gradle/build.gradle
: >ci/autotools/configure.ac
: >ci/release/configure
needs cmake 'type cmake g++' 'cmake g++'
needs meson 'type meson' meson
needs cargo 'type cargo' cargo
needs ci/meson++ 'type meson g++' 'meson g++'
needs ci/c++ 'type g++' g++
needs ci/autotools 'type autoreconf automake libtoolize' 'autoconf automake libtool'
needs ci/go 'type go' golang-go
needs ci/package "python3 -c 'import ensurepip'" 'python3-dev python3-venv'
needs ci/plain 'type python3' python3
needs ci/npm 'type npm' npm
needs ci/pnpm 'type npm pnpm' npm pnpm
needs ci/yarn 'type npm yarn' npm yarn
needs ci/java 'type mvn' 'default-jdk-headless maven'
needs ci/gradle 'type gradle' 'default-jdk-headless gradle'
for name in c release; do
	"$irdiff" init "ci/$name" --ci=gitlab >said || fail "$name: --ci"
	cmp -s "$source_dir/data/ci/gitlab.yml" "ci/$name/irdiff.gitlab-ci.yml" || fail "$name needs nothing"
done

# Which CI it is.
mkdir -p auto-github/.github auto-gitlab auto-remote/.git auto-none
: >auto-gitlab/.gitlab-ci.yml
printf '[remote "origin"]\n\turl = git@github.com:o/r.git\n' >auto-remote/.git/config
for dir in auto-*; do
	"$irdiff" init "$dir" >said || fail "$dir"
done
[ -e auto-github/.github/workflows/irdiff.yml ] && [ -e auto-remote/.github/workflows/irdiff.yml ] &&
	[ -e auto-gitlab/irdiff.gitlab-ci.yml ] && [ "$(ls -A auto-none)" = irdiff.yml ] ||
	fail "the wrong CI"

# The skill for coding agents, where they look for it.
skill=$source_dir/data/skill/SKILL.md
mkdir -p skill/.claude skill-both/.claude skill-both/.agents skill-new
(cd skill && echo 'benchmarks: {}' >irdiff.yml && "$irdiff" init --skill) >said || fail "--skill"
[ "$(cat said)" = "Wrote .claude/skills/irdiff/SKILL.md, for coding agents." ] &&
	cmp -s "$skill" skill/.claude/skills/irdiff/SKILL.md && [ "$(cat skill/irdiff.yml)" = 'benchmarks: {}' ] &&
	[ "$(ls -A skill)" = "$(printf '.claude\nirdiff.yml')" ] || fail "--skill does something else, too"
"$irdiff" init --skill skill >said && [ "$(cat said)" = ".claude/skills/irdiff/SKILL.md is up to date." ] ||
	fail "--skill once more"
echo mine >>skill/.claude/skills/irdiff/SKILL.md
cp skill/.claude/skills/irdiff/SKILL.md before
if "$irdiff" init --skill skill >said 2>&1; then
	fail "a skill that was changed is replaced"
fi
grep -q '^irdiff: .claude/skills/irdiff/SKILL.md: .*--force' said && cmp -s before skill/.claude/skills/irdiff/SKILL.md ||
	fail "it is not said which skill was changed"
"$irdiff" init --skill --force skill >said && cmp -s "$skill" skill/.claude/skills/irdiff/SKILL.md &&
	[ "$(cat skill/irdiff.yml)" = 'benchmarks: {}' ] || fail "--skill --force"
"$irdiff" init --skill --ci=none skill-both >said && cmp -s "$skill" skill-both/.claude/skills/irdiff/SKILL.md &&
	cmp -s "$skill" skill-both/.agents/skills/irdiff/SKILL.md && [ -e skill-both/irdiff.yml ] ||
	fail "--skill for two places"
"$irdiff" init --skill --ci=github skill-new >said && cmp -s "$skill" skill-new/.agents/skills/irdiff/SKILL.md &&
	[ -e skill-new/irdiff.yml ] && [ -e skill-new/.github/workflows/irdiff.yml ] || fail "--skill and the rest"
if "$irdiff" init --skill --ci=gitlab skill-new >said 2>&1; then
	fail "--skill with a CI replaces irdiff.yml"
fi
rm -r skill-new/.agents && mkdir elsewhere && ln -s ../elsewhere skill-new/.agents
if "$irdiff" init --skill skill-new >said 2>&1; then
	fail "--skill follows a link"
fi
grep -q 'symbolic link' said && [ -z "$(ls -A elsewhere)" ] || fail "--skill follows a link out of the project"

# Names that want to be more than that.
mkdir -p hostile/benches
cat >hostile/CMakeLists.txt <<'EOF'
add_executable("bench\" # x" x.c)
add_executable(bench$(touch-pwned) x.c)
add_executable(bench;pwned x.c)
add_executable(-bench x.c)
add_executable(.bench x.c)
add_executable(bench.old x.c)
add_executable(bench_ok x.c)
add_test(NAME "bench: [x" COMMAND bench_ok)
add_test(NAME bench_args COMMAND bench_ok "a b" $ENV{X} `id`)
add_subdirectory(..)
add_subdirectory(/etc)
add_subdirectory(.)
EOF
printf 'add_executable(bench_nul\0 x)\nadd_executable(bench_open\n' >>hostile/CMakeLists.txt
(cd hostile && "$irdiff" init --ci=none >../said && is_read) || fail "hostile names"
[ "$(grep '^  "' hostile/irdiff.yml | tr -d ' ":\n')" = "benchbench_okbench_nulbench_open" ] || {
	fail "hostile names are taken:"
	grep '^  #*"' hostile/irdiff.yml
}
awk 'BEGIN { for (i = 0; i < 60000; i++) print "add_executable(bench" i; }' >hostile/CMakeLists.txt
"$irdiff" init --force --ci=none hostile >said || fail "a large file"
rm hostile/CMakeLists.txt
mkdir hostile/CMakeLists.txt
mkfifo hostile/Cargo.toml
"$irdiff" init --force --ci=none hostile >said || fail "what is no file"
grep -q '^Found no build system' said || fail "what is no file is a build"

# With --time, the project is built, and its benchmarks are run: those that fail or are slow are comments.
mkdir timed
printf 'all: quick_bench slow_bench fails_bench clock_bench\nquick_bench: quick_bench.c\nslow_bench: slow_bench.c\nfails_bench: fails_bench.c\nclock_bench: clock_bench.c\n' >timed/Makefile
printf '#include <time.h>\nstatic long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000 + t.tv_nsec / 1000000; }\nint main(void) { long end = now() + 100; while (now() < end); return 0; }\n' >timed/clock_bench.c
echo 'int main(void) { for (volatile long i = 0; i < 20000000; i++); return 0; }' >timed/quick_bench.c
printf '#include <unistd.h>\nint main(void) { return (int)sleep(100); }\n' >timed/slow_bench.c
echo 'int main(void) { return 3; }' >timed/fails_bench.c
commented_out() {
	grep -A1 "^  # Left out: $2" timed/irdiff.yml | grep -q "^  #\"$1\":" || fail "--time: $1 is not commented out"
}
if has make "running benchmarks of make" && has cc "running benchmarks of make"; then
	"$irdiff" init --ci=none --time timed >said || fail "--time: init failed"
	(cd timed && is_read) || fail "--time: what was written is not read"
	grep -B1 '^  "quick_bench":' timed/irdiff.yml |
		grep -q '^  # takes [0-9.]* s, about [1-9][0-9]* s under Valgrind$' || fail "--time: no time"
	[ "$(grep -c '^  "' timed/irdiff.yml)" = 1 ] || fail "--time: not one benchmark"
	commented_out slow_bench 'it takes more than 10 s'
	commented_out clock_bench 'it executes [0-9,]* instructions in one run and [0-9,]* in another, as if it ran for a fixed time'
	commented_out fails_bench 'the benchmark failed with status 3'
	grep -q 'irdiff profile quick_bench$' said || fail "--time: another one is to be tried"
	grep -q 'Build it' said && fail "--time: it is to be built again"
	echo 'int main(void) { return 4; }' | tee timed/slow_bench.c timed/clock_bench.c >timed/quick_bench.c
	"$irdiff" init --ci=none --force --time timed >said || fail "--time: no benchmark is left"
	grep -q 'irdiff profile' said && fail "--time: a comment is to be tried"
	rm timed/irdiff.yml
	echo 'int main(void) {' >timed/quick_bench.c
	status=0
	"$irdiff" init --ci=none --time timed >said 2>&1 || status=$?
	[ $status = 3 ] && [ ! -e timed/irdiff.yml ] || fail "--time: a build that fails: exit code $status"
	grep -q 'the build failed with status 2' said || fail "--time: a build that fails is not said to"
fi

if python3 -c 'import yaml; from jsonschema import Draft7Validator' 2>/dev/null; then
	python3 - "$source_dir/data/irdiff.schema.json" ./*/irdiff.yml <<'EOF' || fail "not as the schema says"
import json, sys, yaml, os
from jsonschema import Draft7Validator
validator = Draft7Validator(json.load(open(sys.argv[1])))
for path in sys.argv[2:]:
    if os.path.isfile(path):
        validator.validate(yaml.safe_load(open(path)))
EOF
fi
[ "$failures" -eq 0 ] && echo "all as it should be"
