#!/bin/sh
# Usage: tests/history-reports.sh
#
# On the site of a history, a step leads to a report on the profiles in the cache, with its first cause: if they are what
# the history says, and also later, when the cache is empty.
set -eu
. "$(dirname "$0")/scratch.sh"
needs git valgrind python3

mkdir "$scratch/project"
cd "$scratch/project"
cat >irdiff.yml <<END
build: {shell: true, command: "$static -g -O1 -o prog prog.c"}
benchmarks: {"it's <b>": {command: [./prog]}, level: {command: [./prog, level]}}
END
printf 'prog\n.irdiff/\nprofiles/\n' >.gitignore

# version ROUNDS SAVED: a commit in which hot_work and warm_work do so much, and cold_work the other thing.
version() {
	cat >prog.c <<-END
		#define WORK(name) \\
			static __attribute__((noinline)) unsigned name(unsigned rounds) \\
			{ \\
				volatile unsigned sum = 0; \\
				for (unsigned i = 0; i < rounds; i++) \\
					sum += i; \\
				return sum; \\
			}
		WORK(hot_work)
		WORK(warm_work)
		WORK(cold_work)

		int main(int argc, char **argv)
		{
			(void)argv;
			if (argc > 1)
				return hot_work(1000) == 1;
			return hot_work($1) + warm_work($1) + cold_work($2) == 1;
		}
	END
	git add -A
	git -c user.name=Jane -c user.email=a@b commit -qm "$1 rounds"
}

export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
git init -q -b main .
version 10000 80000
version 50000 20000
version 20000 20000
version 20001 20000
"$irdiff" history --measure=HEAD~3 >"$scratch/out" 2>"$scratch/err"

# standing [SED]: what the history says of irdiff.yml, which sed changes for that.
standing() {
	cp irdiff.yml kept.yml
	sed -i "${1-}" irdiff.yml
	"$irdiff" history 2>"$scratch/err" | grep -F irdiff.yml | tr '\n' ' '
	mv kept.yml irdiff.yml
}

check 'irdiff.yml defines what was measured' [ "$(standing)" = '' ]
check 'or not any more' [ "$(standing 's/, level\]/, other]/; s/it.s/its/')" = \
	"  not measured yet by the current definition in irdiff.yml: level   no longer in irdiff.yml: it's <b> " ]

site() {
	"$irdiff" history --format=html -o "$@" >"$scratch/out" 2>"$scratch/err"
}

count() {
	find "$1" -name "$2" | wc -l
}

# causes SITE: the benchmark, the number of the commit, whether there is a page, and the beginning of the cause or why
# there is no page.
causes() {
	python3 - "$1" <<'END'
import json
import pathlib
import sys

for path in sorted(pathlib.Path(sys.argv[1]).glob("bench/*/bench.js")):
    bench = json.loads(path.read_text().split(",", 1)[1][:-3])
    for diff in bench["series"][bench["shown"]]["diffs"]:
        page = diff["page"] and (path.parent / diff["page"]).read_text()
        print(bench["name"], diff["number"], bool(page and "</html>" in page), *filter(None, [(diff["cause"] or "")[:15], diff["missing"]]))
END
}

is() {
	[ "$1" = "$2" ] || { echo "found $1, not $2" >>"$scratch/err" && false; }
}

site site
check 'steps have reports and causes that go with the change' is "$(causes site | tr '\n' ';')" "it's <b> 1 True hot_work: self ;it's <b> 2 True hot_work: self ;"
check 'and lead back to their steps' is "$(grep -hoE '"back":"../../index.html#b=it-s[^&]*&s=[0-9a-f-]+&c=[0-9]+"' site/bench/it-s*/diff-*.html | sed 's/.*&//' | sort | tr '\n' ' ')" 'c=1" c=2" '
check 'with the benchmark and both commits as a title' grep -qE '<title>it(.s|&[^;]*;s) &lt;b&gt;: [0-9a-f]{10} → [0-9a-f]{10}</title>' site/bench/it-s*/diff-*.html
check 'a benchmark without steps has none' is "$(find site/bench/level-* -name 'diff-*')" ''
site few --reports=0
check 'nor if none are wanted' is "$(count few 'diff-*') $(causes few)" '0 '
site small --threshold=0 --reports=1
check 'of a step that no function explains, the largest of its changes is told' grep -q '"cause":"the largest increase of 2 changes: .*_work: self ' small/bench/it-s*/bench.js
cp -r site one
site one --reports=1
check 'a step that loses its report keeps its cause' is "$(count one 'diff-*') $(causes one | tr '\n' ';')" "1 it's <b> 1 False hot_work: self ;it's <b> 2 True hot_work: self ;"
site one
check 'and gets it again' is "$(count one 'diff-*') $(causes one)" "2 $(causes site)"

# An irdiff that was killed has written a report, but not its cause.
before=$(causes site)
echo '{}' >"$(echo site/bench/it-s*/causes.json)"
site site
check 'a cause that was not written is found again' is "$(causes site)" "$before"

# The cache is gone: what there is stays, and a new site has none.
mv .irdiff/cache .irdiff/cache.gone
before=$(causes site)
site site
check 'a report stays when its profiles are gone' is "$(causes site) $(cat "$scratch/out")" "$before $(sed 's/, .*/, 0 written, 0 removed/' "$scratch/out")"
site later
unkept="it's <b> 1 False its profiles were not kept;it's <b> 2 False its profiles were not kept;"
check 'and is not made up' is "$(count later 'diff-*') $(causes later | tr '\n' ';')" "0 $unkept"
site one
site one --reports=1
site one
check 'a cause stays where a report cannot be made any more' is "$(count one 'diff-*') $(causes one | tr '\n' ';')" "1 it's <b> 1 False hot_work: self  its profiles were not kept;it's <b> 2 True hot_work: self ;"
mv .irdiff/cache.gone .irdiff/cache

# Profiles that are not what the history says: another count, as of a measurement that replaced them.
"$irdiff" history --export | python3 -c '
import json
import sys

for line in sys.stdin:
    row = json.loads(line)
    row["counts"]["Ir"] += 12345
    row["measured"] += 100
    print(json.dumps(row, ensure_ascii=False, separators=(",", ":")))' >rows
"$irdiff" history --import=rows >"$scratch/out" 2>"$scratch/err"
site site
check 'profiles of other counts are no report' is "$(count site 'diff-*') $(causes site | tr '\n' ';')" "0 $unkept"
find .irdiff/cache -name profile.callgrind -exec sh -c 'echo damaged >"$1"' sh {} \;
site site
check 'nor are damaged ones' is "$(count site 'diff-*') $(causes site | tr '\n' ';')" "0 $(echo "$unkept" | sed 's/were not kept/cannot be compared/g')"

finish
