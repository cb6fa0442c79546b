#!/bin/sh
# A hostile repository and hostile profiles: what they name outside of the project is neither shown nor
# read, and nothing outside is written, moved or removed; with openat2 and where a sandbox refuses it.
set -eu
. "$(dirname "$0")/scratch.sh"
needs git

secret=mEXKQ7-is-secret
victim=$scratch/victim
work=$scratch/p
$compiler -o "$scratch/refuse" "$source_dir/tests/guest/refuse.c"
printf 'int main(void)\n{\n\treturn 0;\n}\n' >"$scratch/prog.c"
$static -g -o "$scratch/prog" "$scratch/prog.c"

# ---- what must stay as it is ----

# Bait of all kinds: what irdiff would sweep, finish, replace, read or show.
make_victim() {
	rm -rf "$victim"
	mkdir -p "$victim/1-abcdef" "$victim/.new-x/data" "$victim/x" "$victim/tmp/1-abcdef" "$victim/profiles" \
		"$victim/failed" "$victim/last" "$victim/irdiff-$(printf %010d "$(id -u)")/00/x"
	for file in 1-abcdef/a .new-x/data/meta.json .new-x/profile.callgrind x/meta.json tmp/1-abcdef/a failed/0.log \
		history.db x.callgrind report.md verdicts.json last/report.md last/verdicts.json irdiff.yml secret \
		accepted.yml .gitignore x.irdiff-abcdef irdiff.yml.irdiff-abcdef; do
		printf 'creator: irdiff-0\nevents: Ir\nfn=%s\n1 1\n' "$secret" >"$victim/$file"
	done
	chmod 0644 "$victim/secret"
}

state() {
	(cd "$victim" && find . -printf '%y %m %p %s %T@ %l\n' | sort && find . -type f -exec cat {} +) 2>&1
}

# untouched WHAT: the victim is as before, and its text in nothing that was printed.
untouched() {
	state >"$scratch/after"
	check "$1: nothing outside is changed$how" cmp -s "$scratch/before" "$scratch/after"
	check "$1: nothing outside is read$how" sh -c "! grep -rq $secret '$scratch/out' '$scratch/err' '$scratch/page'"
}

# irdiff ARGUMENTS: in the project; its words are added to those of others.
irdiff() {
	code=0
	(cd "$work" && $through timeout 60 "$irdiff" "$@" >>"$scratch/out" 2>>"$scratch/err" </dev/null) || code=$?
	[ "$code" -lt 124 ]
}

# succeeds ARGUMENTS
succeeds() {
	irdiff "$@" && [ "$code" = 0 ]
}

# fails ARGUMENTS: for what is wrong with files.
fails() {
	irdiff "$@" && [ "$code" = 2 ]
}

commit_all() {
	(cd "$work" && git add . && git -c user.name=x -c user.email=x@localhost commit -qm x)
}

begin() {
	rm -rf "$work"
	mkdir "$work"
	git init -q "$work"
	cp "$scratch/prog" "$scratch/prog.c" "$work"
	cat >"$work/irdiff.yml" <<-'END'
		benchmarks:
		  x:
		    command: ./prog
		limits:
		  Ir: "+1%"
	END
	for side in base:100 head:200; do
		printf 'version: 1\ncreator: callgrind-3.19.0\ncmd: x\nevents: Ir\nfl=prog.c\nfn=main\n1 %s\ntotals: %s\n' \
			"${side#*:}" "${side#*:}" >"$work/${side%:*}.out"
	done
	: >"$scratch/out"
	: >"$scratch/err"
	: >"$scratch/page"
	make_victim
	state >"$scratch/before"
}

# hostile_link PATH TARGET COMMAND...: PATH of the project is a link, and each command, a word for words, runs.
hostile_link() {
	path=$1 target=$2
	shift 2
	begin
	mkdir -p "$(dirname "$work/$path")"
	rm -rf "${work:?}/$path"
	ln -s "$target" "$work/$path"
	for words; do
		check "$path: irdiff $words ends$how" irdiff $words
	done
	untouched "$path -> $target"
}

try_links() {
	judge="diff base.out head.out --check --limit=Ir:+1%"
	measure="profile --label=x -- ./prog"
	hostile_link .irdiff "$victim" "$measure" "$judge" "cache list" "cache prune --failed" "baseline list" \
		"history" "baseline save one x" "baseline accept --reason=x" "show x" "comment --dry-run"
	check ".irdiff: the message says what to do$how" grep -q "follows no symbolic link here, since it may lead out of the project" "$scratch/err"
	hostile_link .irdiff ../victim "$measure" "$judge"
	for name in tmp profiles lock .gitignore history.db frames; do
		hostile_link ".irdiff/$name" "$victim" "$measure"
	done
	hostile_link .irdiff/history.db "$victim/history.db" "history" "$measure"
	hostile_link .irdiff/history.db "$victim/new.db" "history" "$measure"
	hostile_link .irdiff/secret "$victim/secret" "$measure"
	check ".irdiff/secret: the message says what to do$how" grep -q "secret: cannot open: irdiff follows no symbolic link.*replace the link with .* file" "$scratch/err"
	hostile_link .irdiff/secret "$victim/new-secret" "$measure"
	hostile_link .irdiff/profiles/x.callgrind "$victim/x" "show x --view=source"
	hostile_link .irdiff/profiles/.new-x "$victim/.new-x" "show x" "$measure"
	hostile_link .irdiff/last "$victim/last" "$judge" "baseline accept --reason=x" "comment --dry-run"
	hostile_link .irdiff/last/report.md "$victim/report.md" "comment --dry-run"
	hostile_link .irdiff/cache "$victim" "cache list" "cache prune --all" "cache prune --failed"
	hostile_link .irdiff/cache/failed "$victim/failed" "cache list" "cache prune --failed"
	hostile_link .irdiff/baselines "$victim" "baseline list" "baseline remove x x"
	hostile_link profiles "$victim" "$measure" "show x" "baseline save one x"
	hostile_link profiles/x.callgrind "$victim/x.callgrind" "show x" "diff x x"
	hostile_link baselines "$victim" "baseline list" "baseline remove x"
	hostile_link baselines/x "$victim" "baseline list" "baseline remove x" "show baseline:x/x"
	hostile_link irdiff-accepted.yml "$victim/secret" "$judge" "baseline accept --reason=x"
	hostile_link .github "$victim" "init --force --ci=github"
	hostile_link .github/workflows "$victim" "init --force --ci=github"
	hostile_link irdiff.yml "$victim/irdiff.yml" "init --force --ci=none"
	check "init replaces a link$how" test ! -L "$work/irdiff.yml"
	hostile_link .gitlab-ci.yml "$victim/new" "init --force --ci=gitlab"
}

# Wanted links: into the project, and of a file that the user names.
try_good_links() {
	begin
	mkdir "$work/state"
	ln -s state "$work/.irdiff"
	check "a link within the project works$how" succeeds profile --label=x -- ./prog
	check "… and is used$how" test -f "$work/state/profiles/x.callgrind/meta.json"
	ln -s "$victim/page" "$work/page.html"
	check "-o follows a link$how" succeeds report base.out head.out -o page.html
	check "… which stays$how" test -L "$work/page.html" -a -s "$victim/page"
}

# Links in a directory of results, which is written again.
try_results() {
	begin
	commit_all
	echo >>"$work/prog.c"
	commit_all
	check "results are written$how" succeeds check HEAD~..HEAD --results=res
	for entry in "$work"/res/*@*; do
		rm -r "$entry"
		ln -s "$victim/x" "$entry"
	done
	check "an entry of results is there$how" test -L "$entry"
	check "a link among results ends the command$how" fails check HEAD~..HEAD --results=res
	check "… and is named$how" grep -q "res/x@.*symbolic link" "$scratch/err"
	untouched "res -> $victim/x"
}

# ---- profiles ----

# hostile_file NAME: a profile says that code is in this file.
hostile_file() {
	printf 'version: 1\ncreator: callgrind-3.19.0\ncmd: x\nevents: Ir\nob=%s\nfl=%s\nfn=main\n1 100\ntotals: 100\n' \
		"$1" "$1" >"$work/bad.out"
	sed 's/100/200/' "$work/bad.out" >"$work/worse.out"
	: >"$scratch/out"
	: >"$scratch/page"
	check "show: $1$how" succeeds show bad.out --view=source --threshold=0 -I inc
	check "diff: $1$how" succeeds diff bad.out worse.out --view=source -I inc
	check "report: $1$how" succeeds report bad.out worse.out -I inc -o "$scratch/page"
	untouched "$1"
}

try_profiles() {
	begin
	mkdir "$work/inc" "$work/src" "$work/.hidden"
	for file in src/link.c inc/secret; do
		ln -s "$victim/secret" "$work/$file"
	done
	ln -s "$victim" "$work/inc/out"
	ln -s ../../victim/secret "$work/src/up.c"
	cp "$victim/secret" "$work/.hidden/token"
	cp "$victim/secret" "$work/.git/token"
	mkfifo "$work/src/pipe.c"
	for file in "$victim/secret" ../victim/secret "$work/../victim/secret" secret out/secret src/link.c src/up.c \
		"$work/src/link.c" "$work/.hidden/token" .git/token "$work/src/../.git/token" src/pipe.c /proc/kmsg \
		/proc/self/environ /dev/zero /dev/tty "$work/src"; do
		hostile_file "$file"
	done
	check "what is not shown is said$how" grep -q "source not available: name its directory with -I" "$scratch/out"
	: >"$scratch/out"
	check "a file of the project is shown$how" succeeds show base.out --view=source --threshold=0
	check "… with its text$how" grep -q "int main(void)" "$scratch/out"
	: >"$scratch/out"
	printf 'int named(void);\n' >"$scratch/named.c"
	sed 's/prog\.c/named.c/' "$work/base.out" >"$work/named.out"
	check "… and of a directory that was named$how" succeeds show named.out --view=source --threshold=0 -I "$scratch"
	check "… with its text$how" grep -q "int named(void)" "$scratch/out"
}

# The debug information of a program names files outside of the project.
try_keeping() {
	begin
	printf 'int main(void)\n{\n\treturn 0;\n}\n/* %s */\n' "$secret" >"$victim/evil.c"
	(cd "$work" && $static -g -o prog "$victim/evil.c")
	state >"$scratch/before"
	check "a program of another place is measured$how" succeeds profile --label=evil -- ./prog
	check "… and shown$how" succeeds show evil --view=source --threshold=0
	untouched "what is kept"
	(cd "$work" && $static -g -o prog prog.c)
	check "a program of the project is measured$how" succeeds profile --label=good -- ./prog
	rm "$work/prog.c"
	: >"$scratch/out"
	check "… and shown$how" succeeds show good --view=source --threshold=0
	check "… with the source that it had$how" grep -q "int main(void)" "$scratch/out"
}

# What the repository has of a commit is shown where nothing was kept; a link in it is not followed.
try_commit() {
	begin
	ln -s "$victim/secret" "$work/link.c"
	cp "$victim/secret" "$work/.token"
	(cd "$work" && $static -g -o prog prog.c)
	commit_all
	check "a commit is measured$how" succeeds profile --label=committed -- ./prog
	rm "$work/.irdiff/profiles/committed.callgrind/sources.zst"
	echo '/* another text */' >"$work/prog.c"
	: >"$scratch/out"
	check "… and shown without what was kept$how" succeeds show committed --view=source --threshold=0
	check "… with the text of the commit$how" grep -q "int main(void)" "$scratch/out"
	check "… which is named$how" grep -q "prog\.c (of commit [0-9a-f]*)" "$scratch/out"
	check "… and not the present text$how" sh -c "! grep -q 'another text' '$scratch/out'"
	id=$(git -C "$work" rev-parse HEAD)
	for file in ../../victim/secret "$victim/secret" .git/config .token link.c "$work/link.c" ':(top).token'; do
		printf 'desc: irdiff.subject.commit: %s\ndesc: irdiff.subject.dirty: no\nevents: Ir\nfl=%s\nfn=main\n1 1\n' \
			"$id" "$file" >"$work/bad.out"
		: >"$scratch/out"
		check "at the commit: $file$how" succeeds show bad.out --view=source --threshold=0
		check "… is not shown$how" grep -q "source not available" "$scratch/out"
		untouched "at the commit: $file"
	done
}

try_all() {
	try_links
	try_good_links
	try_results
	try_profiles
	try_keeping
	try_commit
	for test in beneath project_files; do
		[ ! -x "tests/unit/test_$test" ] ||
			check "unit test $test$how" sh -c "$through tests/unit/test_$test >'$scratch/out' 2>&1"
	done
}

through='' how=''
try_all
if "$scratch/refuse" openat2 true; then
	through="$scratch/refuse openat2" how=', without openat2'
	try_all
else
	skip "where openat2 is refused" "there are no filters of system calls"
fi
finish
