#!/bin/sh
# Usage: tests/store.sh [CLONES [ROUNDS]]
#
# `irdiff store` between clones of a bare repository: what is shared and what is not, CLONES that push at
# once, ROUNDS times, one that is killed, a remote that is hostile or refuses, and what of the user's
# repository is touched (refs/irdiff and objects). Rows and entries are made by hand: nothing is
# measured, unless there is Valgrind.
set -u
. "$(dirname "$0")/repository.sh"
ref=refs/irdiff/store

# What there is of a repository besides refs/irdiff and objects.
repository() {
	(
		cd "$1" && find .git -type f ! -path '.git/objects/*' ! -path '.git/refs/irdiff/*' |
			sort | xargs sha256sum
		find .git -type d -path '.git/logs/refs/irdiff*'
		git status --porcelain
	)
}

# row BENCHMARK COMMIT COUNT MEASURED: a line of the history.
row() {
	printf '{"schema":"irdiff/run","version":2,"benchmark":"%s","definition":"0123456789abcdef","commit":"%s","tree":null,"committed":1000,"subject":"Words","environment":{"cpu":"x"},"irdiff":"0.1","valgrind":"3.19.0","measured":%d,"counts":{"Ir":%d}}\n' \
		"$1" "$2" "$4" "$3"
}

# sums DIRECTORY: those of the entry that it is, as irdiff writes them.
sums() {
	(
		cd "$1" && for file in profile.callgrind sources.zst meta.json key.txt; do
			[ ! -f $file ] || sha256sum $file
		done >sums.txt
	)
}

# entry BENCHMARK@COMMIT TIME [SIZE]: one of the cache of the clone that is the directory.
entry() {
	key=$(printf 'key: 5\nof: %s\n' "$1" | git hash-object --stdin | cut -c1-12)
	mkdir -p ".irdiff/cache/$1-$key"
	printf 'key: 5\nof: %s\n' "$1" >".irdiff/cache/$1-$key/key.txt"
	{
		echo "# profile $1"
		head -c "${3:-10}" /dev/zero
	} >".irdiff/cache/$1-$key/profile.callgrind"
	printf '{\n  "measured": "%s"\n}\n' "$2" >".irdiff/cache/$1-$key/meta.json"
	sums ".irdiff/cache/$1-$key"
}

entries() {
	(cd "$1/.irdiff/cache" && find . -mindepth 1 -maxdepth 1 ! -name failed | sort)
}

# commit NUMBER: an id.
commit() {
	printf '%040x' "$1"
}

# refill: a bare repository with a commit, and no results.
refill() {
	rm -rf "$scratch/remote.git"
	git init -q --bare "$scratch/remote.git"
	git -C "$scratch/seed" push -q "$scratch/remote.git" main
}

clone() {
	git clone -q "$scratch/remote.git" "$scratch/$1"
}

git init -q "$scratch/seed"
git -C "$scratch/seed" commit -q --allow-empty -m First
refill
clone a
clone b

# ---- from one clone to another ----

cd "$scratch/a"
before=$(repository .)
run 0 store status && says 'The remote has no measurements yet' && says 'To push: 0 rows and 0 profiles'
verdict "a remote that has nothing" $?
run 0 store fetch && says 'The remote has no measurements yet'
verdict "… to fetch" $?
run 0 store push && says 'Pushed: 0 rows and 0 profiles' && [ -z "$(git ls-remote origin $ref)" ]
verdict "… and nothing to push there" $?
row parse "$(commit 1)" 100 5 >rows
row 'git~1:x' "$(commit 2)" 200 5 >>rows
row .git "$(commit 2)" 200 5 >bad
run 2 history --import=bad
verdict "a name with a dot is none of a benchmark" $?
rm bad
run 0 history --import=rows
rm rows
entry parse@0000000001 2026-01-01T00:00:01Z
entry 'git~1:x@0000000002' 2026-01-01T00:00:02Z
entry print@0000000001+ 2026-01-01T00:00:03Z
entry '…x@0000000001' 2026-01-01T00:00:04Z
entry varies@0000000001 2026-01-01T00:00:05Z
echo words >"$(echo .irdiff/cache/varies@*)/counted_before.txt" # which others would not know of
mkdir -p .irdiff/cache/failed && echo no >.irdiff/cache/failed/0123456789ab.log
run 0 store status && says 'To push: 2 rows and 3 profiles' && [ -z "$(git ls-remote origin $ref)" ]
verdict "what is to be pushed" $?
run 0 store push && says 'Pushed: 2 rows and 3 profiles' && says 'Total on origin: 2 rows and 3 profiles'
verdict "the first push" $?
! git -C "$scratch/remote.git" ls-tree -r --name-only $ref | grep -q '+\|failed\|varies'
verdict "… of commits only" $?
git -C "$scratch/remote.git" -c core.protectHFS=true fsck --strict >"$scratch/out" 2>&1
verdict "… with names that git takes" $?
[ "$(git -C "$scratch/remote.git" rev-list --count $ref)" -eq 1 ]
verdict "… as a commit without parents" $?
run 0 store push && says 'Pushed: 0 rows and 0 profiles'
verdict "there is nothing new to push" $?
[ "$(repository .)" = "$before" ]
verdict "the repository was not touched" $?

cd "$scratch/b"
git config core.logAllRefUpdates always
git config fetch.prune true
git config remote.origin.prune true
git config remote.origin.pruneTags true
git config push.followTags true
git config --add remote.origin.fetch '+refs/notes/*:refs/notes/*'
git config --add remote.origin.tagOpt --tags
git config remote.origin.mirror true
git -C "$scratch/remote.git" tag new main
before=$(repository .)
run 0 store fetch && says 'Fetched: 2 rows and 3 profiles'
verdict "another clone fetches" $?
[ "$(entries .)" = "$(entries ../a | grep -v '+\|varies')" ] && diff -r .irdiff/cache ../a/.irdiff/cache |
	grep -v -e '^Only in ../a/.irdiff/cache\(/failed\)*: ' -e ': fetched$' | wc -l | grep -qx 0
verdict "… the same entries" $?
"$irdiff" history --export >"$scratch/out" && (cd ../a && "$irdiff" history --export) | cmp -s - "$scratch/out"
verdict "… and the same history" $?
run 0 store fetch && says 'Fetched: 0 rows and 0 profiles'
verdict "… which is not new again" $?
row parse "$(commit 1)" 90 4 | "$irdiff" history --import=- >/dev/null 2>&1
row parse "$(commit 3)" 90 4 | "$irdiff" history --import=- >/dev/null 2>&1
run 0 store push origin --history-only && says 'Pushed: 1 row and 0 profiles' && says '3 rows and 3 profiles'
verdict "it pushes a row" $?
[ "$(repository .)" = "$before" ]
verdict "its repository was not touched, with the oddest settings" $?
(cd ../a && row parse "$(commit 3)" 91 9 | "$irdiff" history --import=- >/dev/null && "$irdiff" store push >/dev/null)
run 0 store fetch && says 'Fetched: 1 row and' && "$irdiff" history --export | grep -q '"Ir":91}'
verdict "of two rows the later measurement wins" $?
(cd ../a && entry late@0000000009 2026-01-02T00:00:00Z && "$irdiff" store push >/dev/null)
run 0 store fetch --history-only && ! entries . | grep -q late
verdict "--history-only fetches no profiles" $?
git -C "$scratch/remote.git" gc -q --prune=now

# ---- what is sent, and what is pruned ----

cd "$scratch/a"
head -c 3000000 /dev/urandom >big
entry big@0000000004 2026-01-03T00:00:00Z
mv big "$(echo .irdiff/cache/big@*)/sources.zst"
sums .irdiff/cache/big@*
run 0 store push
entry small@0000000005 2026-01-04T00:00:00Z
git -C "$scratch/remote.git" config receive.maxInputSize 1m
run 0 store push
verdict "only what is new is sent" $?
git -C "$scratch/remote.git" config --unset receive.maxInputSize
run 0 store push --keep=2 && says 'Pruned on the remote: 4 profiles' && says 'and 2 profiles'
verdict "all but the last measured are pruned" $?
git -C "$scratch/remote.git" ls-tree -r --name-only $ref | grep -c '/profile.callgrind$' | grep -qx 2 &&
	git -C "$scratch/remote.git" ls-tree -r --name-only $ref | grep -q small@
verdict "… and these are there" $?
(cd ../b && run 0 store push --keep=2) && says 'and 2 profiles' && says 'Pushed: 0 rows and 0'
verdict "… and what was pruned does not come back" $?
run 0 store push --keep=0 --days=1 && says 'and 0 profiles' && says '3 rows'
verdict "--days prunes by age, and rows stay" $?
entry sound@0000000006 2026-01-05T00:00:00Z
entry damaged@0000000007 2026-01-06T00:00:00Z
echo more >>"$(echo .irdiff/cache/damaged@*)/profile.callgrind"
run 0 store push --keep=1 && says 'does not match its checksum' && says 'and 1 profile' &&
	git -C "$scratch/remote.git" ls-tree -r --name-only $ref | grep -q sound@
verdict "what cannot be shared takes no place of what can" $?
rm -r .irdiff/cache/damaged@* .irdiff/cache/sound@*
run 0 store push --keep=0 --days=1 && says 'and 0 profiles'
run 2 store fetch --keep=3 && says '--keep cannot be used with fetch'
verdict "--keep cannot be used with fetch" $?

# ---- what is remembered of the remote ----

# The trees of fans that a clone need not look at again.
cd "$scratch/a"
run 0 store fetch
row parse "$(commit 11)" 7 20 | "$irdiff" history --import=- >/dev/null
run 0 store push && says 'Pushed: 1 row and'
verdict "a row of a known fan is pushed" $?
row parse "$(commit 11)" 8 21 | "$irdiff" history --import=- >/dev/null
run 0 store status && says 'To push: 1 row and'
verdict "… and one that is measured again is to be pushed" $?
run 0 store push && says 'Pushed: 1 row and' && run 0 store push && says 'Pushed: 0 rows and'
verdict "… and is pushed once" $?
says 'Total on origin: 4 rows'
verdict "all rows are counted" $?
(cd ../b && run 0 store fetch && says 'Fetched: 1 row and' && says 'Total on origin: 4 rows') &&
	(cd ../b && "$irdiff" history --export) | grep -q '"measured":21,"counts":{"Ir":8}'
verdict "another clone fetches what is new" $?
git init -q --bare "$scratch/second.git"
run 0 store push "$scratch/second.git" && says 'Pushed: 4 rows and' && run 0 store status && says 'To push: 0 rows'
verdict "another remote has its own trees" $?
git push -q origin --delete $ref
run 0 store push && says 'Pushed: 4 rows and' && says 'Total on origin: 4 rows'
verdict "what was deleted there is pushed again" $?
(cd ../b && rm -r .irdiff && run 0 store fetch && says 'Fetched: 4 rows and')
verdict "a history that was deleted here is fetched again" $?

# ---- the states before ----

# count: commits of the ref.
count() {
	git -C "$scratch/remote.git" rev-list --count $ref
}
cd "$scratch/a"
before=$(count)
row parse "$(commit 12)" 8 22 | "$irdiff" history --import=- >/dev/null
run 0 store push && [ "$(count)" -eq $((before + 1)) ] &&
	[ "$(git -C "$scratch/remote.git" rev-list --max-parents=0 $ref | wc -l)" -eq 1 ]
verdict "a push keeps the state before" $?
entry damaged@0000000007 2026-01-06T00:00:00Z
echo more >>"$(echo .irdiff/cache/damaged@*)/profile.callgrind"
row parse "$(commit 12)" 8 23 | "$irdiff" history --import=- >/dev/null
run 0 store push && says 'does not match its checksum' && [ "$(count)" -eq $((before + 2)) ]
verdict "… whatever this clone cannot share" $?
rm -r .irdiff/cache/damaged@*
last=$(git -C "$scratch/remote.git" rev-parse $ref)
for _ in $(seq $((99 - before - 2))); do
	last=$(git -C "$scratch/remote.git" -c user.name=a -c user.email=a@b commit-tree -p "$last" -m more "$last^{tree}")
done
git -C "$scratch/remote.git" update-ref $ref "$last"
row parse "$(commit 13)" 8 23 | "$irdiff" history --import=- >/dev/null
run 0 store push && [ "$(count)" -eq 100 ]
verdict "… of up to 99 pushes" $?
row parse "$(commit 14)" 8 24 | "$irdiff" history --import=- >/dev/null
run 0 store push && says 'Pushed: 1 row and' && says 'Total on origin: 7 rows' && [ "$(count)" -eq 1 ]
verdict "… and then of none" $?
row parse "$(commit 15)" 8 25 | "$irdiff" history --import=- >/dev/null
run 0 store push && [ "$(count)" -eq 2 ] && (cd ../b && run 0 store fetch && says 'Total on origin: 8 rows')
verdict "… and begins again" $?

# ---- a newer irdiff ----

# newer: the ref as a newer irdiff leaves it, which writes other rows.
newer() {
	file=history/00/$(commit 16).jsonl
	row parse "$(commit 16)" 9 26 | sed 's/"version":2,/"version":3,"more":0,/' >"$scratch/newer.jsonl"
	blob=$(git hash-object -w "$scratch/newer.jsonl")
	GIT_INDEX_FILE=$scratch/newer.index git read-tree $ref &&
		GIT_INDEX_FILE=$scratch/newer.index git update-index --add --cacheinfo "100644,$blob,$file" &&
		tree=$(GIT_INDEX_FILE=$scratch/newer.index git write-tree) &&
		git push -q origin "$(git -c user.name=a -c user.email=a@b commit-tree -p $ref -m newer "$tree"):$ref"
}
newer
before=$(git ls-remote origin $ref)
row parse "$(commit 17)" 8 27 | "$irdiff" history --import=- >/dev/null
run 2 store push && says 'a newer irdiff has pushed' && [ "$(git ls-remote origin $ref)" = "$before" ]
verdict "an older irdiff does not remove what a newer one has pushed" $?
run 0 store fetch && says 'written by a newer irdiff: rejected'
verdict "… and fetches the rest" $?
run 2 history "--import=$scratch/newer.jsonl" && says 'the row was written by a newer irdiff'
verdict "nor does it import that" $?

# ---- all at once ----

many=${1:-4} rounds=${2:-2}
clones=$(seq "$many")
refill
for i in $clones; do
	clone "at-once-$i"
done
for round in $(seq "$rounds"); do
	for i in $clones; do
		(
			cd "$scratch/at-once-$i" || exit 1
			entry "one-$i@00000000$round$i" 2026-02-01T00:00:0${i}Z
			row "one-$i" "$(commit "$round$i")" "$i" 7 | "$irdiff" history --import=- >/dev/null
			row shared "$(commit "$round")" "$i" "$i" | "$irdiff" history --import=- >/dev/null
			"$irdiff" store push >"$scratch/at-once-$i.out" 2>&1
			echo $? >"$scratch/at-once-$i.status"
		) &
	done
	wait
	cat "$scratch"/at-once-*.out >"$scratch/out"
	[ "$(cat "$scratch"/at-once-*.status | sort -u)" = 0 ]
	verdict "$many push at once, round $round" $?
done
clone after
cd "$scratch/after"
run 0 store fetch && says "Fetched: $((rounds * (many + 1))) rows and $((rounds * many)) profiles"
verdict "nothing of them was lost" $?
"$irdiff" history --export shared | grep -c "\"measured\":$many,\"counts\":{\"Ir\":$many}" | grep -qx "$rounds"
verdict "… and the last measurement won" $?

# ---- killed ----

cd "$scratch/a"
refill
run 0 store push
old=$(git ls-remote origin $ref)
entry killed@0000000006 2026-01-05T00:00:00Z
cat >"$scratch/remote.git/hooks/pre-receive" <<-END
	#!/bin/sh
	touch '$scratch/receiving'
	while [ ! -f '$scratch/go-on' ]; do sleep 0.1; done
END
chmod +x "$scratch/remote.git/hooks/pre-receive"
"$irdiff" store push >"$scratch/out" 2>"$scratch/err" &
pid=$!
for _ in $(seq 300); do
	[ -f "$scratch/receiving" ] || sleep 0.1
done
[ -f "$scratch/receiving" ]
verdict "a push begins" $?
kill -9 $pid
wait $pid 2>/dev/null
[ "$(git ls-remote origin $ref)" = "$old" ]
verdict "a push that is killed changes nothing" $?
rm "$scratch/remote.git/hooks/pre-receive"
touch "$scratch/go-on"
run 0 store push && says 'Total on origin' && git ls-remote origin $ref | grep -q . &&
	git -C "$scratch/remote.git" ls-tree -r --name-only $ref | grep -q killed@
verdict "… and the next one does its work" $?
find .irdiff/tmp -mindepth 1 | wc -l | grep -qx 0
verdict "… and nothing is left of it" $?

# ---- refused, or not there ----

printf '#!/bin/sh\necho "not \033[31mhere"\nexit 1\n' >"$scratch/remote.git/hooks/pre-receive"
chmod +x "$scratch/remote.git/hooks/pre-receive"
entry refused@0000000007 2026-01-06T00:00:00Z
run 3 store push && says "the server rejected $ref" && says 'pre-receive hook declined' &&
	says 'the server says: not ' && ! grep -q "$(printf '\033')" "$scratch/err"
verdict "a server that refuses" $?
rm "$scratch/remote.git/hooks/pre-receive"
git -C "$scratch/remote.git" config receive.hideRefs refs/irdiff
run 3 store push && says "the server rejected $ref" && says 'stale info'
verdict "… and one that hides such refs" $?
git -C "$scratch/remote.git" config --unset receive.hideRefs
run 3 store fetch "$scratch/none.git" && says "does not appear to be a git repository"
verdict "no such remote" $?
run 3 store push http://127.0.0.1:9/none.git && says 'git fetch failed'
verdict "no server" $?
run 2 store fetch --upload-pack=false
verdict "an option of git" $?
run 2 store fetch -- -x && says 'begins with a dash'
verdict "… and a name that looks like one" $?
run 2 store fetch '' && says 'empty'
verdict "no name" $?
run 0 store && says 'Total on origin:'
verdict "no word: the status" $?
mkdir "$scratch/none" && cd "$scratch/none" && run 2 store fetch && says 'not a git repository'
verdict "no repository" $?

# ---- a shallow clone, and a partial one ----

git -C "$scratch/remote.git" config uploadpack.allowFilter true
for how in --depth=1 --filter=blob:none; do
	git clone -q $how "file://$scratch/remote.git" "$scratch/part$how"
	cd "$scratch/part$how"
	before=$(repository .)
	run 0 store fetch && [ -d .irdiff/cache ] && entries . | grep -q killed@ &&
		entry "part$how@0000000008" 2026-01-07T00:00:00Z && run 0 store push &&
		says 'Pushed: 0 rows and 1 profile' && [ "$(repository .)" = "$before" ]
	verdict "a clone by $how" $?
done

# ---- hostile ----

cd "$scratch/seed"
blob() {
	git hash-object -w --stdin
}
key=$(echo key | blob)
good=$(echo "# profile" | blob)
digits=$(echo "$key" | cut -c1-12)
tree() {
	git mktree --missing
}
sum() {
	echo "$(git cat-file blob "$2" | sha256sum | cut -c1-64)  $1"
}
summed=$({
	sum profile.callgrind "$good"
	sum key.txt "$key"
} | blob)
unsummed() {
	printf '100644 blob %s\tkey.txt\n100644 blob %s\tprofile.callgrind\n' "$key" "$good"
}
files() {
	unsummed
	printf '100644 blob %s\tsums.txt\n' "$summed"
}
# raw NAME ID: an item of a tree that git itself would not write.
raw() {
	printf '40000 %s\0' "$1"
	for byte in $(echo "$2" | sed 's/../0x& /g'); do
		printf '%b' "\\0$(printf %03o "$byte")"
	done
}
fine=$(files | tree)
link=$({ files; printf '120000 blob %s\tmeta.json\n' "$(printf /etc/passwd | blob)"; } | tree)
module=$({ files; printf '160000 commit %s\tmeta.json\n' "$(commit 7)"; } | tree)
other=$({ files; printf '100644 blob %s\trun.sh\n' "$good"; } | tree)
inner=$({ files; printf '040000 tree %s\tmeta.json\n' "$fine"; } | tree)
huge=$({ files; printf '100644 blob %s\tsources.zst\n' "$(head -c 100000001 /dev/zero | blob)"; } | tree)
old=$(unsummed | tree)
logged=$({ files; printf '100644 blob %s\tstdout.log\n' "$good"; } | tree)
changed=$({ files | grep -v profile; printf '100644 blob %s\tprofile.callgrind\n' "$key"; } | tree)
keyless=$(printf '100644 blob %s\tprofile.callgrind\n' "$good" | tree)
unequal=$(printf '100644 blob %s\tsums.txt\n100644 blob %s\tkey.txt\n100644 blob %s\tprofile.callgrind\n' "$summed" "$good" "$good" | tree)
line() {
	printf '040000 tree %s\t20260101T00000%sZ-%s@0123456789-%s\n' "$1" "$2" "$3" "$digits"
}
cache=$({
	line "$fine" 0 fine
	line "$link" 1 link
	line "$module" 1 module
	line "$other" 1 other
	line "$inner" 1 inner
	line "$huge" 1 huge
	line "$keyless" 1 keyless
	line "$unequal" 1 unequal
	line "$old" 1 old
	line "$logged" 1 logged
	line "$fine" 2 fine
	line "$fine" 1 -dash
	line "$fine" 1 .dot
	line "$good" 1 blob | sed 's/^040000 tree/100644 blob/'
	line "$fine" 1 bad | sed 's/0123456789-/0123456789+-/'
	line "$fine" 1 bad | sed 's/@0123456789-/@0123456789ab-/'
	line "$fine" 9 time | sed 's/20260101T/20261301T/'
	printf '040000 tree %s\tfine@0123456789-%s\n' "$fine" "$digits"
} | tree)
# In front of it, so in the order of its bytes.
tricky=$({
	raw .. "$fine"
	raw 20260101T000000Z-a/../../../x@0123456789-$digits "$fine"
	git cat-file tree "$cache"
} | git hash-object -w --literally -t tree --stdin)
one=$(row parse "$(commit 1)" 100 5 | blob)
bad=$(echo '{"schema":"irdiff/run","version":2}' | blob)
twice=$({ row parse "$(commit 2)" 100 5; row parse "$(commit 2)" 200 6; } | blob)
foreign=$({ row parse "$(commit 3)" 100 5; row parse "$(commit 1)" 200 6; } | blob)
history=$({
	printf '100644 blob %s\t%s.jsonl\n' "$one" "$(commit 1)"
	printf '100644 blob %s\t%s.jsonl\n' "$twice" "$(commit 2)"
	printf '100644 blob %s\t%s.jsonl\n' "$foreign" "$(commit 3)"
	printf '100644 blob %s\t%s.jsonl\n' "$bad" "$(commit 4)"
	printf '100644 blob %s\t%s.jsonl\n' "$(head -c 2000000 /dev/zero | blob)" "$(commit 5)"
	printf '100644 blob %s\t%s.jsonl\n' "$(printf '' | blob)" "$(commit 6)"
	printf '100644 blob %s\tff%038d.jsonl\n' "$one" 1
	printf '100644 blob %s\t%s-dde02e4010c998eb-0123456789abcdef-parse.json\n' "$one" "$(commit 1)"
	printf '120000 blob %s\t%s.jsonl\n' "$one" "$(commit 7)"
} | tree)
fans=$(printf '040000 tree %s\t00\n040000 tree %s\txx\n100644 blob %s\t01\n' "$history" "$history" "$one" | tree)
top=$(printf '040000 tree %s\thistory\n040000 tree %s\tcache\n100644 blob %s\tREADME\n' "$fans" "$tricky" "$one" |
	tree)
git push -q --force "$scratch/remote.git" "$(git commit-tree -m hostile "$top"):$ref"

clone hostile
cd "$scratch/hostile"
run 0 store fetch && says 'Fetched: 1 row and 1 profile'
verdict "of a hostile tree what is good is taken" $?
[ "$(entries .)" = "./fine@0123456789-$digits" ] && [ "$(find .irdiff/cache -type f | wc -l)" -eq 4 ] &&
	[ -z "$(find . -type l)" ] && [ "$(find "$scratch" -name 'x@*' | wc -l)" -eq 0 ]
verdict "… and nothing else" $?
for word in "link@0123456789-$digits': it has something other than regular files" \
	"module@0123456789-$digits': it has something other than regular files" \
	"other@0123456789-$digits': it has a file that does not belong in an entry" "inner@0123456789-$digits': it has something" \
	"old@0123456789-$digits': written by an older irdiff" \
	"logged@0123456789-$digits': written by an older irdiff" \
	"huge@0123456789-$digits': too large" "keyless@0123456789-$digits': it has no profile" \
	"$(commit 2).jsonl': it has a row twice" "$(commit 3).jsonl': a row of another commit" \
	"$(commit 4).jsonl': not a history row" "$(commit 5).jsonl': not a history row" \
	"$(commit 6).jsonl': it has no rows" "$(commit 7).jsonl': irdiff does not" \
	"-dde02e4010c998eb-0123456789abcdef-parse.j...': written by an older irdiff" \
	"history/'ff$(printf '%038d' 1).jsonl': irdiff does not" \
	"unequal@0123456789-$digits': its key does not" "cache/'..': irdiff does not write this" "/../../../x" \
	"-dash@" ".dot@" "blob@" "fine@0123456789-$digits': duplicate"; do
	says "$word"
	verdict "… it says: $word" $?
done
run 0 store fetch && says 'Fetched: 0 rows and 0 profiles'
verdict "… the same a second time" $?
entry mine@0000000001 2026-01-01T00:00:01Z
run 0 store push && says 'Pushed: 0 rows and 1 profile'
verdict "a push puts it in order" $?
[ "$(git -C "$scratch/remote.git" rev-list --count $ref)" -eq 1 ]
verdict "… and keeps nothing of it" $?
clone clean
(cd "$scratch/clean" && run 0 store fetch) && says 'Fetched: 1 row and 2 profiles' && ! says warning
verdict "… for all others" $?

cd "$scratch/seed"
top=$(printf '040000 tree %s\tcache\n' "$(line "$changed" 1 changed | tree)" | tree)
git push -q --force "$scratch/remote.git" "$(git commit-tree -m changed "$top"):$ref"
(cd "$scratch/clean" && run 0 store fetch) && says 'Fetched: 0 rows and 0 profiles' &&
	says "changed@0123456789-$digits': its profile.callgrind does not match its checksum: rejected"
verdict "a profile that is another entry's" $?
[ -z "$(find "$scratch/clean/.irdiff" -name 'changed@*')" ]
verdict "… is not kept" $?

cd "$scratch/seed"
bomb=$fine
for i in 1 2 3 4 5 6; do
	bomb=$(for name in $(seq 10); do printf '040000 tree %s\t%s\n' "$bomb" "$name"; done | tree)
done
git push -q --force "$scratch/remote.git" "$(git commit-tree -m bomb "$bomb"):$ref"
(cd "$scratch/clean" && run 0 store fetch) && says 'Fetched: 0 rows and 0 profiles' && says 'rejected'
verdict "a tree of trees of trees" $?
git push -q --force "$scratch/remote.git" "$good:$ref"
(cd "$scratch/clean" && run 0 store fetch) && says 'not a commit with a tree'
verdict "a ref that is no commit" $?
(cd "$scratch/clean" && run 0 store push) && says 'Total on origin: 1 row and 2 profiles'
verdict "… is replaced by a push" $?

# ---- irdiff compare ----

if has valgrind "irdiff compare with what was fetched"; then
	refill
	clone measured
	cd "$scratch/measured"
	cat >irdiff.yml <<-END
		build: {command: "echo built >>'$scratch/builds'; $static -g -O1 -o work work.c", shell: true}
		benchmarks: {work: {command: ./work}, told: {command: ./work, env: [DB_PASSWORD, FLAVOUR]}}
	END
	DB_PASSWORD=hunter2hunter2
	export DB_PASSWORD
	cat >work.c <<-'END'
		#include <stdio.h>
		#include <stdlib.h>
		int main(void)
		{
			volatile int n = 0;
			for (int i = 0; i < 1000; i++) n += i;
			puts(getenv("DB_PASSWORD") ? getenv("DB_PASSWORD") : "none");
			return 0;
		}
	END
	echo work >.gitignore
	git add -A && git commit -qm Base
	sed -i s/1000/2000/ work.c && git commit -qam Head
	git push -q origin main
	run 0 compare HEAD~1..HEAD -b work && FLAVOUR=strawberries run 0 compare HEAD~1..HEAD -b told
	verdict "two commits are compared" $?
	# What they are is in no file but what the program printed, and no digest of it that anybody can make.
	guesses="hunter2hunter2 strawberries $(printf 'FLAVOUR=strawberries' | git hash-object --stdin)"
	guesses="$guesses $(printf 'strawberries\n' | git hash-object --stdin) $(printf strawberries | sha256sum | cut -c1-64)"
	! grep -rqF -e hunter2 -e strawberries $(ls -d .irdiff/cache/*/* .irdiff/last | grep -v stdout.log)
	verdict "… and no values of variables kept" $?
	run 0 compare HEAD~1..HEAD -- ./work hunter2hunter2 && run 0 store push &&
		says 'Pushed: 4 rows and 4 profiles'
	verdict "what was measured is pushed, but for what is of a command line" $?
	[ "$(stat -c %a .irdiff/secret)" = 600 ] && ! git ls-files --others --exclude-standard | grep -q secret
	verdict "the key of their digests is for nobody else" $?
	git -C "$scratch/remote.git" ls-tree -r --name-only $ref >"$scratch/out"
	! grep -q -e secret -e log "$scratch/out"
	verdict "… nor shared, nor is what the program printed" $?
	# Profiles are compressed.
	for object in $(git -C "$scratch/remote.git" ls-tree -r $ref | cut -d' ' -f3 | cut -f1); do
		git -C "$scratch/remote.git" cat-file blob $object >"$scratch/object"
		zstd -dcq "$scratch/object" 2>/dev/null || cat "$scratch/object"
	done >"$scratch/out"
	for guess in $guesses; do
		! grep -qF "$guess" "$scratch/out"
		verdict "nobody can guess that it was ${guess%??????}…" $?
	done
	grep -q '^env DB_PASSWORD: hmac:' "$scratch/out" && ! grep -q fnv1a.*DB_PASSWORD "$scratch/out"
	verdict "… though keys tell them apart" $?
	unset DB_PASSWORD
	clone fetched
	cd "$scratch/fetched"
	sed -i s/2000/3000/ work.c
	git commit -qam Next
	: >"$scratch/builds"
	run 0 store fetch && run 0 compare HEAD~1..HEAD -b work && [ "$(wc -l <"$scratch/builds")" -eq 1 ]
	verdict "where it was fetched only the new commit is built" $?
	: >"$scratch/builds"
	run 0 compare HEAD~2..HEAD~1 -b work && [ ! -s "$scratch/builds" ]
	verdict "… and of two old ones neither" $?
	DB_PASSWORD=hunter2hunter2 FLAVOUR=strawberries run 0 compare HEAD~2..HEAD~1 -b told &&
		[ "$(wc -l <"$scratch/builds")" -eq 2 ]
	verdict "… but what has such a value is measured again with another key" $?

	# What it is called is what it has to be: a profile of base makes head no better.
	base=$(echo .irdiff/cache/work@"$(git rev-parse --short=10 HEAD~1)"-*)
	head=$(echo .irdiff/cache/work@"$(git rev-parse --short=10 HEAD)"-*)
	cp "$base/profile.callgrind" "$head"
	run 4 show "work@$(git rev-parse --short=10 HEAD)" && says 'its profile.callgrind does not match its checksum'
	verdict "a profile that was changed is not shown" $?
	run 1 compare HEAD~1..HEAD -b work --check --limit=Ir=+1% && says 'and measuring again: its profile.callgrind does not'
	verdict "… and measured again" $?
	run 1 compare HEAD~1..HEAD -b work --check --limit=Ir=+1% && ! says warning
	verdict "… once" $?
	cp "$head/key.txt" "$scratch/key.txt"
	cp "$base"/* "$head"
	cp "$scratch/key.txt" "$head"
	rm "$head/fetched"
	(cd "$head" && sha256sum profile.callgrind lines.callgrind.zst contexts.callgrind.zst sources.zst \
		instructions.callgrind.zst code.zst meta.json dependencies.zst used_files.zst key.txt >sums.txt)
	run 1 compare HEAD~1..HEAD -b work --check --limit=Ir=+1% && says 'the profile belongs to another commit'
	verdict "… as is one of another commit with sums" $?
	: >"$scratch/builds"
	run 1 compare HEAD~2..HEAD~1 -b work --check --limit=Ir=+1% && [ "$(wc -l <"$scratch/builds")" -eq 1 ]
	verdict "what is judged is measured here" $?

	# Base needs no run, as that of another commit is shared, which others have measured.
	cd "$scratch/measured"
	echo 1 >notes && git add notes && git commit -qm Notes && git push -q origin main
	run 0 compare HEAD~1..HEAD -b work && run 0 store push
	clone base
	cd "$scratch/base"
	run 0 store fetch
	for n in 2 3; do
		echo "$n" >notes && git commit -qam "Notes $n"
	done
	: >"$scratch/builds"
	run 0 compare HEAD~1..HEAD -b work --check --limit=Ir=+1% && [ "$(wc -l <"$scratch/builds")" -eq 1 ]
	verdict "… also if base has what others have measured of another commit" $?

	# What older versions have kept and pushed goes.
	cd "$scratch/measured"
	entry old@0000000001 2026-01-01T00:00:00Z
	printf 'key: 2\nenv DB_PASSWORD: hunter2\n' >"$(echo .irdiff/cache/old@*)/key.txt"
	run 0 cache list && says 'removed 1 entry' && [ ! -e .irdiff/cache/old@* ]
	verdict "keys of older versions are removed" $?
	row guess "$(commit 5)" 90 4 | sed 's/{"cpu":"x"}/{"env.DB_PASSWORD":"7 bytes, fnv1a:0123456789abcdef"}/' |
		"$irdiff" history --import=- >/dev/null 2>&1
	run 0 store push && ! git -C "$scratch/remote.git" ls-tree -r --name-only $ref | grep guess
	verdict "… and rows with digests that can be guessed not pushed" $?
	run 0 show "work@$(git rev-parse --short=10 HEAD~1)" && says main
	verdict "… and it works as a profile" $?
fi

if [ "$failures" -gt 0 ]; then
	echo "$failures failed"
	exit 1
fi
