#!/bin/sh
# Usage: tests/several-named.sh
#
# Benchmarks with several cases as people meet them: cases that count nothing, or have not begun, beside
# others that do; limits of some cases; a benchmark that is named as a whole; a forked process that is
# the one to measure.
set -u
. "$(dirname "$0")/repository.sh"
source_dir=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
command -v valgrind >/dev/null || {
	echo "SKIP: valgrind is not installed (apt-get install valgrind)"
	exit 77
}

mkdir "$scratch/project"
cd "$scratch/project"
git init -q .
cp "$source_dir/src/client/irdiff.h" .
cat >bench.c <<'EOF'
#include "irdiff.h"

__attribute__((noinline)) int sum(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += irdiff_opaque(i) & 3;
	return s;
}

int main(int argc, char **argv)
{
	(void)argv;
	IRDIFF_CASE("small")
		irdiff_keep(sum(irdiff_opaque(10)));
	if (irdiff_opaque(argc) > LOSES)
		irdiff_begin();
	irdiff_keep(sum(irdiff_opaque(50)));
	irdiff_end("taken");
	IRDIFF_CASE("big/one")
		irdiff_keep(sum(irdiff_opaque(SIZE)));
	irdiff_begin();
#if LOSES
	irdiff_begin();
	irdiff_end("inner");
#endif
	irdiff_keep(sum(irdiff_opaque(5)));
	irdiff_end("outer");
	return 0;
}
EOF
cat >irdiff.yml <<'EOF'
build: make -s
benchmarks:
  b:
    command: ./bench
    limits:
      Ir: "+1%"
      "case:big/*": {Ir: "+500%", "fn:^sum$": {Ir: "+1k"}}
EOF
printf 'bench: bench.c\n\t%s -g -O2 -DSIZE=100 -DLOSES=0 -o $@ $<\n' "$compiler" >Makefile
printf '%s\n' bench fork clone site >.gitignore
git add -A
git commit -q -m one
make -s
