#!/bin/sh
# Usage: tests/phantoms.sh [ROUNDS]
#
# One commit, built and measured again and again: in clones of other lengths of path, by other users,
# with other environments, with and without load. Whatever differs would be a regression that is none.
# The program puts __FILE__ and its directory into hashes, and its environment and arguments, too.
set -u
. "$(dirname "$0")/skip.sh"
LC_ALL=C.UTF-8
export LC_ALL
rounds=${1:-${ROUNDS:-5}}
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")
compiler=${CC:-gcc}

needs git python3
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-phantoms.XXXXXX")
load=
trap '[ -z "$load" ] || kill $load 2>/dev/null; chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
chmod 755 "$scratch"
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_COUNT=2
export GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
export GIT_CONFIG_KEY_1=init.defaultBranch GIT_CONFIG_VALUE_1=main

mkdir "$scratch/origin"
cd "$scratch/origin" || exit 1
git init -q .
cat >work.c <<'END'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static unsigned hash(unsigned h, const char *text)
{
	while (*text)
		h = h * 33 + (unsigned char)*text++;
	return h;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv)
{
	char here[4096], *words[512];
	unsigned h = 5381, n = 0;

	assert(argc > 1);
	for (int i = 0; i < 200; i++)
		h = hash(h, __FILE__);
	h = hash(h, getcwd(here, sizeof here) ? here : "");
	for (int i = 0; i < argc; i++)
		h = hash(h, argv[i]);
	for (char **e = environ; *e && n < 512; e++)
		words[n++] = strdup(*e);
	qsort(words, n, sizeof *words, compare);
	for (unsigned i = 0; i < n; i++)
		h = hash(h, words[i]);
	/* As many rounds as the hash says: other texts of the same length are seen, too. */
	for (unsigned i = 0; i < h % 1000; i++)
		h = hash(h, "again");
	printf("%u\n", h);
	return 0;
}
END
cat >irdiff.yml <<END
build:
  command: $compiler -g -O1 -o work "\$PWD/work.c"
  shell: true
benchmarks:
  hash: {command: [./work, word]}
END
echo work >.gitignore
git add -A
git -c user.name=Tester -c user.email=tester@example.org commit -qm "First"

# The users that this can be tried as: root may become another one.
other=
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null &&
	setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
	other="setpriv --reuid=65534 --regid=65534 --clear-groups"
else
	skip "another user" "this one cannot become another one"
fi

# measure ROUND: clones, builds, measures; prints the directory of the profile.
measure() {
	place=$scratch/$(head -c $(($1 * 37 % 150 + 1)) /dev/zero | tr '\0' 'a')-$1
	mkdir -p "$place/home"
	git clone -q "$scratch/origin" "$place/clone"
	as=
	if [ -n "$other" ] && [ $(($1 % 2)) -eq 1 ]; then
		as=$other
		chown -R 65534:65534 "$place"
	fi
	if [ $(($1 % 3)) -eq 2 ]; then
		(while :; do :; done) &
		load=$!
	fi
	(cd "$place/clone" &&
		env HOME="$place/home" USER="user-$1" NOISE="$(head -c $(($1 * 211 % 3000)) /dev/zero | tr '\0' 'x')" \
			"LANG=$([ $(($1 % 2)) -eq 0 ] && echo C || echo de_DE.UTF-8)" \
			$as "$irdiff" compare HEAD..HEAD --quiet --format=json >"$place/out" 2>"$place/err") || {
		cat "$place/err" >&2
		echo "round $1 failed" >&2
	}
	[ -z "$load" ] || kill "$load" 2>/dev/null
	load=
	set -- "$place"/clone/.irdiff/cache/hash@*
	echo "$1"
}

# Built where it lies, the program is another one in every clone: this test would see that.
in_place() {
	git clone -q "$scratch/origin" "$1" && cd "$1" &&
		"$compiler" -g -O1 -o work "$PWD/work.c" &&
		"$irdiff" profile hash --quiet
}
if (in_place "$scratch/a") && (in_place "$scratch/another") &&
	"$irdiff" diff --check --limit=Ir== "$scratch/a/profiles/hash.callgrind" \
		"$scratch/another/profiles/hash.callgrind" >"$scratch/out" 2>&1; then
	echo "FAILED  two builds in different directories are equal: the program does not tell them apart"
	exit 1
fi

first=$(measure 0)
[ -d "$first" ] || exit 1
differing=0 round=1
while [ "$round" -le "$rounds" ]; do
	again=$(measure "$round")
	"$irdiff" diff --check --limit=Ir== "$first/lines.callgrind.zst" "$again/lines.callgrind.zst" \
		--format=json --threshold=0 --min-delta=0 >"$scratch/diff.json" 2>"$scratch/err"
	code=$?
	# All functions, all events, and the environment.
	python3 - "$scratch/diff.json" >"$scratch/found" 2>&1 <<'END' || echo "the comparison cannot be read" >>"$scratch/found"
import json, sys
d = json.load(open(sys.argv[1]))
for m in d["metrics"]:
    if m["delta"]:
        print(m["name"], m["delta"])
for f in d["functions"]:
    print(f["function"], json.dumps(f)[:200])
for e in d["environment"]["differences"]:
    print(e)
END
	if [ "$code" -ne 0 ] || [ -s "$scratch/found" ]; then
		echo "FAILED  round $round differs (exit $code)"
		head -n 20 "$scratch/found" "$scratch/err"
		differing=$((differing + 1))
	fi
	rm -rf "${again%/clone/*}"
	round=$((round + 1))
done
echo "$differing of $rounds comparisons differ${other:+, every second one by another user}"
[ "$differing" -eq 0 ]
