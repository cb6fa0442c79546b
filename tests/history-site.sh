#!/bin/sh
# Usage: tests/history-site.sh
#
# `irdiff history --format=html` writes a site that says what was measured (tests/history-site/check.py), whatever
# names and subjects are; writes again only what changed; and neither replaces nor removes what is not its own.
# tests/faults.sh kills it. tests/browser/site.sh opens it.
set -eu
. "$(dirname "$0")/scratch.sh"
needs git python3
tests=$source_dir/tests/history-site
project=$scratch/project
python3 "$tests/make.py" "$project"
cd "$project"

# site [OPTION]...: writes it, and keeps what is said in out and err, and the exit code in $code.
site() {
	code=0
	"$irdiff" history --format=html -o site "$@" >"$scratch/out" 2>"$scratch/err" || code=$?
}

# Makes all files old, to see later which ones were written.
age() {
	find site -exec touch -h -d '2020-01-01' {} +
}

is() {
	[ "$1" = "$2" ] || { echo "found $1, not $2" >>"$scratch/err" && false; }
}

# written: the files that are not old, without the digests in their names.
written() {
	find site -type f -newermt '2020-01-02' | sed -E 's#[0-9a-f]{16}-[0-9a-f]{16}-##; s#-[0-9a-f]{20}/#/#' | LC_ALL=C sort | tr '\n' ' '
}

# ---- what it says ----

"$irdiff" history --import=rows >"$scratch/out"
"$irdiff" history --format=json >"$scratch/history.json"
site
check 'a site is written' is "$code $(cat "$scratch/out")" '0 site: 25 files, 25 written, 0 removed'
check 'it says what was measured' python3 "$tests/check.py" site truth.json "$scratch/history.json" >"$scratch/out"
age
site
check 'nothing is written again' is "$(cat "$scratch/out"), $(written)" 'site: 25 files, 0 written, 0 removed, '

# ---- a new commit ----

git -c user.name='A New' -c user.email=a@b commit -q --allow-empty -m 'One more'
python3 - "$(git rev-parse HEAD)" >more <<'END'
import json
import sys

last = [json.loads(line) for line in open("rows") if '"sort"' in line and '"cpu":"new' in line][-1]
last.update(commit=sys.argv[1], committed=1800000000, subject="One more", counts={"Ir": 5_000_000})
last["measured"] += 1000
print(json.dumps(last, separators=(",", ":")))
END
"$irdiff" history --import=more >"$scratch/out"
site
check 'a commit changes few files' is "$code $(written)" \
	'0 site/badge.svg site/bench/sort/0.js site/bench/sort/badge.svg site/bench/sort/bench.js site/commits/0.js site/data.js site/index.html '
check 'the badge of the project tells it' grep -q '<title>irdiff: 1 regressed<' site/badge.svg
check 'and that of the benchmark' grep -q '<title>sort: 5,000,000 Ir, +316%<' site/bench/sort-*/badge.svg

# ---- files of others ----

echo example.org >site/CNAME
mkdir site/bench/mine
echo mine >site/bench/mine/notes
echo mine >site/bench/sort-notes
grep -v '"parse/' rows >fewer
rm .irdiff/history.db*
"$irdiff" history --import=fewer >"$scratch/out"
site
check 'a benchmark that is gone is removed' is "$code $(cat "$scratch/out") $(ls -d site/bench/parse* 2>/dev/null)" \
	'0 site: 19 files, 7 written, 6 removed '
check 'nothing else is' is "$(cat site/CNAME site/bench/mine/notes site/bench/sort-notes | tr '\n' ' ')" 'example.org mine mine '

mkdir other
echo mine >other/index.html
code=0
"$irdiff" history --format=html -o other >"$scratch/out" 2>"$scratch/err" || code=$?
check "a page of others is not replaced, and nothing written beside it" is "$code $(ls other) $(cat other/index.html) $(grep -c 'other/index.html: irdiff has not written this file' "$scratch/err")" '2 index.html mine 1'

mkdir outside
echo mine >outside/data.js
mkdir linked
ln -s ../outside linked/bench
code=0
"$irdiff" history --format=html -o linked >"$scratch/out" 2>"$scratch/err" || code=$?
check 'no link leads out' is "$code $(ls outside)" '2 data.js'

cp -r site damaged
echo ../../outside/data.js >>damaged/irdiff-files.txt
code=0
"$irdiff" history --format=html -o damaged >"$scratch/out" 2>"$scratch/err" || code=$?
check 'a list that was tampered with is refused' is "$code $(ls outside) $(grep -c 'irdiff-files.txt: damaged' "$scratch/err")" '2 data.js 1'

# ---- two at once ----

# The second one waits, and then writes what is known by then. The lock is that of a first one.
exec 9<site
flock 9
"$irdiff" history --format=html -o site >"$scratch/out" 2>"$scratch/err" 9<&- &
waiting=$!
tries=0
until grep -q -- "-> FLOCK.* $waiting " /proc/locks || [ "$tries" = 1000 ]; do
	tries=$((tries + 1))
	sleep 0.01
done
check 'a second irdiff waits for the first one' [ "$tries" -lt 1000 ]
sed 's/"measured":18/"measured":19/; s/"Ir":5000000/"Ir":5000001/' more >later
"$irdiff" history --import=later >"$scratch/imported" 2>"$scratch/err"
exec 9<&-
wait "$waiting"
check 'and writes what is known by then' grep -q '"count":5000001,' site/data.js

# ---- what is shown first ----

# row BENCHMARK ENVIRONMENT COMMIT MEASURED COUNTS
row() {
	printf '{"schema":"irdiff/run","version":2,"benchmark":"%s","definition":"0123456789abcdef","commit":"%s","tree":null,"committed":1700000000,"subject":"S","environment":{"cpu":"%s"},"irdiff":"1","valgrind":"3","measured":%s,"counts":%s}\n' \
		"$1" "$(git rev-parse "$3")" "$2" "$4" "$5"
}

# Measured last on another branch; before that, in two environments.
for old in a b c d; do
	row "old-$old" "$old" main~9 100 '{"Ir":1000}'
	row "old-$old" "new-$old" main~3 200 '{"Ir":2000}'
	row "old-$old" other side 300 '{"Ir":3000}'
done >shown
caches='{"D1mr":1,"D1mw":2,"DLmr":3,"DLmw":4,"Dr":5,"Dw":6,"I1mr":7,"ILmr":8,"Ir":9}'
row caches new main~3 400 "$caches" >>shown
rm .irdiff/history.db*
"$irdiff" history --import=shown >"$scratch/out" 2>"$scratch/err"

# shown SITE: of each benchmark, what is shown and since which tags that is known.
shown() {
	python3 -c '
import json
import pathlib
import sys

data = json.loads(pathlib.Path(sys.argv[1], "data.js").read_text().split(",", 1)[1][:-3])
print(data["newest"]["number"], *(" ".join(map(str, (b["name"], b["metric"], b["count"], b["since"][::2]))) for b in data["benches"]), sep="; ")' "$1"
}

"$irdiff" history --format=html -o first >"$scratch/out" 2>"$scratch/err"
check 'the newest series of the branch, and only what is known since tags' is "$(shown first)" \
	"37; caches Ir 9 []; old-a Ir 2000 []; old-b Ir 2000 []; old-c Ir 2000 []; old-d Ir 2000 []"
git tag later main
row caches new main~12 400 "$caches" | "$irdiff" history --import=- >"$scratch/out" 2>"$scratch/err"
"$irdiff" history --format=html -o first --metric=RAMhits >"$scratch/out" 2>"$scratch/err"
check 'a derived metric is shown where it can be' is "$(shown first | cut -d';' -f1-3)" \
	"37; caches RAMhits 15 []; old-a Ir 2000 []"
code=0
row caches new main "500" "$caches" | "$irdiff" history --import=- >"$scratch/out" 2>"$scratch/err"
cp -r first before
"$irdiff" history --format=html -o first --metric=Nothing >"$scratch/out" 2>"$scratch/err" || code=$?
check 'a metric that nobody has is an error, and nothing is written' is "$code $(cat "$scratch/err")$(diff -r before first)" "2 irdiff: all benchmarks were measured without 'Nothing'; they have: Ir D1mr D1mw DLmr DLmw Dr Dw I1mr ILmr L1hits LLhits RAMhits EstCycles CEst"
rm -r first before
"$irdiff" history --format=html -o first >"$scratch/out" 2>"$scratch/err"
check 'changes are told since tags of which that is known' is "$(grep -o '"since":[^]]*]' first/data.js | tr '\n' ' ')" \
	'"since":[3] "since":[9,0] "since":[null,0] "since":[null,0] "since":[null,0] "since":[null,0] '

# Of what git says, readers of the site get the reason, and its writer also what to do.
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_TEST_ASSUME_DIFFERENT_OWNER=1 "$irdiff" history --format=html -o distrusted >"$scratch/out" 2>"$scratch/err"
check 'commits that git does not tell are by time' grep -q '"by_time":"git does not trust the owner of this repository",' distrusted/data.js
check 'and what to do is said' grep -q 'safe.directory' "$scratch/err"

# ---- usage ----

for words in '--format=html' '--format=html -o x BENCH' '--format=html -o -' '--format=html -o x --steps' '--reports=3' '--title=T -o x'; do
	code=0
	# shellcheck disable=SC2086
	"$irdiff" history $words >"$scratch/out" 2>"$scratch/err" || code=$?
	check "wrong usage: $words" is "$code" 2
done
mkdir empty
code=0
(cd empty && git init -q . && "$irdiff" history --format=html -o site) >"$scratch/out" 2>"$scratch/err" || code=$?
check 'an empty history has no site' is "$code $(grep -c 'no benchmark has been measured' "$scratch/err")" '2 1'

# In a job of GitLab a commit is checked out, not a branch.
git checkout -q --detach
CI_COMMIT_BRANCH='' site
check 'no branch is checked out' grep -q '"branch":null,"ordered":true' site/data.js
CI_COMMIT_BRANCH=trunk site
check 'GitLab names the branch' grep -q '"branch":"trunk","ordered":true' site/data.js

# Without a repository commits are in the order of their times.
mkdir "$scratch/plain"
cp rows "$scratch/plain"
cd "$scratch/plain"
"$irdiff" history --import=rows >"$scratch/out"
site
check 'there need be no repository' grep -q '"branch":null,"ordered":false,"by_time":"not a git repository"' site/data.js
check 'which is said' grep -q 'sorted by time only.*: not a git repository$' "$scratch/err"

finish
