#!/bin/sh
# Usage: tests/skill.sh
#
# data/skill/SKILL.md keeps its promises: every command in it is run here, in a project that `irdiff init`
# begins, through a regression and its fix, and does what the text says. The text has the form and the length
# that agents expect.
set -u
. "$(dirname "$0")/repository.sh"
needs valgrind python3 make
skill=$source_dir/data/skill/SKILL.md

mkdir "$scratch/bin" "$scratch/project"
ln -s "$irdiff" "$scratch/bin/irdiff"
PATH=$scratch/bin:$PATH
: >"$scratch/ran"

# does EXIT-CODE COMMAND: a command of the text, word by word.
does() {
	printf '%s\n' "$2" >>"$scratch/ran"
	got=0
	sh -c "$2" >"$scratch/out" 2>"$scratch/err" || got=$?
	[ "$got" -eq "$1" ]
}

# finds PATTERN: an extended regular expression, whatever is in capitals.
finds() {
	grep -qiE -- "$1" "$scratch/out" "$scratch/err"
}

# is EXPRESSION: of the JSON that was printed, which is d.
is() {
	python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); sys.exit(not eval(sys.argv[2]))' \
		"$scratch/out" "$1"
}

# ---- the text ----

python3 - "$skill" >"$scratch/out" 2>"$scratch/err" <<'END'
import re, sys

text = open(sys.argv[1], encoding="utf-8").read()
_, front, body = text.split("---\n", 2)
fields = dict(line.split(": ", 1) for line in front.splitlines())
assert set(fields) == {"name", "description"}, fields
assert fields["name"] == "irdiff"
assert 100 < len(fields["description"]) <= 1024 and "Use it " in fields["description"]
assert not re.search(r"[:#] |[\"'\[\]{}]", fields["description"]), "it is YAML without quotes"
words = len(text.split())
assert words < 900, f"{words} words"
assert not [line for line in text.splitlines() if len(line) > 125 and not line.startswith("description")]
END
verdict "the text has a name, says when it is of use, and is short" $?

# ---- set up ----

cd "$scratch/project"
git init -q .
cat >parse-bench.c <<'END'
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static int is_word(int c)
{
	return c == '_' || (unsigned)(c | 32) - 97 < 26;
}

__attribute__((noinline)) static int count_words(const char *text)
{
	int words = 0, inside = 0;

	for (; *text; text++) {
		int now = is_word((unsigned char)*text);
		words += now && !inside;
		inside = now;
	}
	return words;
}

int main(void)
{
	int words = 0;

	for (int i = 0; i < 500; i++)
		words += count_words("the quick brown fox jumps over the lazy dog");
	printf("%d\n", words);
	return 0;
}
END
printf 'parse-bench: parse-bench.c\n\t%s -g -O2 -o $@ parse-bench.c\n' "$static" >Makefile
cp parse-bench.c fast.c
# A list of letters is searched for every character, by a function that is new.
python3 - <<'END'
text = open("parse-bench.c").read()
old = "return c == '_' || (unsigned)(c | 32) - 97 < 26;"
slow = """return is_in("_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", c);"""
helper = """__attribute__((noinline)) static int is_in(const char *letters, int c)
{
	while (*letters && *letters != c)
		letters++;
	return *letters != 0;
}

__attribute__((noinline)) static int is_word"""
assert old in text
open("slow.c", "w").write(text.replace(old, slow).replace("__attribute__((noinline)) static int is_word", helper))
END

does 0 'irdiff doctor'
verdict "irdiff doctor" $?
does 0 'irdiff init' && [ -e irdiff.yml ] && grep -q 'Ir: "+1%"' irdiff.yml && says parse-bench
verdict "irdiff init finds the benchmark and writes the limit of 1 %" $?
run 0 init --skill && cmp -s "$skill" .agents/skills/irdiff/SKILL.md
verdict "irdiff init --skill adds the text" $?
printf 'profiles/\n.irdiff/\nparse-bench\n' >.gitignore
git add -A && git commit -qm main

# ---- where, and why ----

use() {
	cp "$1" parse-bench.c && make -s >"$scratch/made" 2>&1
}

use fast.c && does 0 'irdiff profile -q --label before -- ./parse-bench' &&
	does 0 'irdiff profile -q --label main -- ./parse-bench' &&
	use slow.c && does 0 'irdiff profile -q --label after -- ./parse-bench' &&
	does 0 'irdiff profile -q --label regression -- ./parse-bench'
verdict "commands are measured without irdiff.yml" $?
does 0 'irdiff diff before after --top=10' && finds regression && finds is_in
verdict "irdiff diff" $?
does 0 'irdiff diff before after' && finds 'is_word → is_in'
verdict "the causes say who calls what is new" $?
does 0 'irdiff diff before after --view=causes --format=json --top=3' &&
	is 'd["causes"]["items"][0]["kind"] == "new"' &&
	is 'd["causes"]["items"][0]["caller"]["function"] == "is_word"' &&
	is '{i["kind"] for i in d["causes"]["items"]} <= {"self", "calls", "new", "removed"}' &&
	is 'd["causes"]["items"][0]["reason"] == "new call"' && is 'len(d["causes"]["items"]) <= 3' &&
	is 'sum(i["delta"] for i in d["causes"]["items"]) + d["causes"]["smaller"]["delta"] == d["causes"]["delta"]'
verdict "causes as JSON: the first is the root cause, and they add up" $?
does 0 "irdiff diff --view=source before after '^is_word$'" && finds 'return is_in' && finds 'return c =='
verdict "the source of both versions" $?
does 0 "irdiff show --view=source after '^is_word$'" && finds 'return is_in'
verdict "the source of one version" $?
does 0 'irdiff diff before after --filter=is_word --format=markdown --top=3' && finds '^#' && finds is_word
verdict "markdown" $?
run 0 diff before after && bytes=$(wc -c <"$scratch/out") &&
	run 0 diff before after --format=markdown && [ "$bytes" -lt "$(wc -c <"$scratch/out")" ] &&
	run 0 diff before after --format=json && [ "$bytes" -lt "$(wc -c <"$scratch/out")" ]
verdict "text is the shortest format" $?
python3 - "$skill" "$source_dir/src/diff/cause_reason.c" >"$scratch/out" 2>"$scratch/err" <<'END'
import re, sys

text, source = (open(path, encoding="utf-8").read() for path in sys.argv[1:])
stated = set(re.findall(r"`([^`]*)`", "".join(re.findall(r"^\| (`.*?) \|", text, re.M))))
printed = set(re.findall(r'"((?:self|self and calls|(?:more|less) work|costs (?:more|less)|(?:new|removed|more|fewer) allocations|new|removed|other roots|(?:no longer )?inlined|(?:more|fewer|changed|new|removed) calls?(?: each time)?))"', source))
assert len(printed) == 22 and stated == printed, f"only in the text {stated - printed}, only printed {printed - stated}"
END
verdict "every reason of a cause is explained" $?

# ---- is it slower ----

does 0 'irdiff compare HEAD -q' && finds regression && says "parse-bench@$(git rev-parse --short=10 HEAD)+" &&
	finds 'is_word → is_in'
verdict "changes that are not committed are compared" $?
run 0 show "parse-bench@$(git rev-parse --short=10 HEAD)" --top=3
verdict "the names of profiles are operands" $?
git checkout -q -b slow && git commit -qam slow
does 0 'irdiff compare main... -q' && finds regression
verdict "a branch is compared" $?
git checkout -q main

# ---- the fix ----

sed 's/|| (unsigned)(c | 32) - 97 < 26/|| (unsigned)(c | 32) - 97 < 26u/' fast.c >fix.c
use fix.c && does 0 'irdiff profile -q --label fix -- ./parse-bench' &&
	does 0 'irdiff diff main regression --fix=fix' && head -n 1 "$scratch/out" | grep -q '100.0\?%' &&
	head -n 1 "$scratch/out" | grep -q recovers && grep -qw remaining "$scratch/out"
verdict "a fix recovers the regression" $?
use slow.c && run 0 profile -q --label unfixed -- ./parse-bench &&
	run 0 diff main regression --fix=unfixed && head -n 1 "$scratch/out" | grep -q '[^0-9]0\.0%\|nothing'
verdict "what fixes nothing does not" $?

# ---- the gate ----

does 1 'irdiff check HEAD -q' && finds '\+1%'
verdict "exit code 1: a limit is exceeded" $?
does 0 "irdiff baseline accept parse-bench --why='words may contain digits now'" &&
	grep -q 'words may contain digits now' irdiff-accepted.yml && run 0 check HEAD -q
verdict "an accepted regression passes" $?
rm -f irdiff-accepted.yml
use fast.c && run 0 check HEAD -q
verdict "exit code 0: fine" $?
run 2 check nowhere -q
verdict "exit code 2: wrong usage" $?
echo 'not C' >parse-bench.c && run 3 check HEAD -q
verdict "exit code 3: a build failed" $?
use fast.c
does 0 'irdiff verify parse-bench'
verdict "irdiff verify" $?

cat >threads.c <<'END'
#include <pthread.h>
#include <stdlib.h>

static volatile int rounds;

static void *work(void *unused)
{
	for (int i = 0; i < rounds; i++)
		;
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	rounds = argc > 1 ? atoi(argv[1]) : 0;
	pthread_create(&thread, NULL, work, NULL);
	work(NULL);
	return pthread_join(thread, NULL);
}
END
$compiler -g -O2 -pthread -o threads threads.c && run 0 profile -q --label few -- ./threads 1000 &&
	run 0 profile -q --label many -- ./threads 100000 && run 4 diff --check few many && finds inconclusive
verdict "exit code 4: counts of threads are inconclusive" $?

# ---- nothing is left out ----

python3 - "$skill" "$scratch/ran" >"$scratch/out" 2>"$scratch/err" <<'END'
import re, sys

text = open(sys.argv[1], encoding="utf-8").read()
blocks = re.findall(r"^ *```sh\n(.*?)^ *```$", text, re.M | re.S)
lines = [re.sub(r"\s+# .*", "", line).strip() for block in blocks for line in block.splitlines()]
inline = re.findall(r"`(irdiff [^`]*)`", re.sub(r"^ *```sh\n.*?^ *```$", "", text, flags=re.M | re.S))
stated = {line for line in lines + inline if line}
ran = set(open(sys.argv[2], encoding="utf-8").read().splitlines())
assert len(stated) > 15
assert stated == ran, f"not tried: {stated - ran}; not in the text: {ran - stated}"
END
verdict "every command of the text was run" $?

[ "$failures" -eq 0 ] && echo "all as it should be"
