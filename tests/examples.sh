#!/bin/sh
# Usage: tests/examples.sh
#
# The examples of the manual and of the guide work: what stands in a display of a page, or in a block of sh in a
# chapter, and begins with irdiff, is run in a project that has what the pages talk of. Placeholders are named
# below, and so is what is not run, with the reason. tests/guide.sh runs the quick starts.
set -u
. "$(dirname "$0")/repository.sh"
needs make python3 valgrind
case $irdiff in
*/irdiff) ;;
*) echo "the program is not called irdiff" && exit 1 ;;
esac
# What irdiff doctor counts to try Valgrind is counted in a moment.
mkdir "$scratch/quick"
echo 'int main(void) { return 0; }' | $static -s -x c -o "$scratch/quick/true" -
PATH=$(dirname "$irdiff"):$scratch/quick:$PATH
export PATH
tab=$(printf '\t')

# ---- the project ----

# What one line of a file costs is what the versions differ in.
write_bench() { # ROUNDS
	cat >bench.c <<-END
		#include <stdio.h>
		#include <stdlib.h>
		#include <string.h>

		static int is_word(int c)
		{
			return strchr("abcdefghijklmnopqrstuvwxyz", c) != NULL;
		}

		__attribute__((noinline)) static int skip_field(const char *text)
		{
			int n = 0;
			for (int round = 0; round < $1; round++)
				for (const char *c = text; *c; c++)
					n += *c == ',' || is_word(*c);
			return n;
		}

		__attribute__((noinline)) static int json_scan(const char *text)
		{
			return (int)strlen(text) + skip_field(text);
		}

		__attribute__((noinline)) static int parse_line(const char *text)
		{
			char *copy = malloc(strlen(text) + 1);
			strcpy(copy, text);
			int n = json_scan(copy);
			free(copy);
			return n;
		}

		int main(void)
		{
			int sum = 0;
			for (int i = 0; i < 200; i++)
				sum += parse_line("{\"a\": [1, 2, 3], \"b\": \"text\"}");
			printf("%d\n", sum);
			return 0;
		}
	END
}

write_project() {
	mkdir -p data
	echo '{}' >data/big.json
	printf 'bench: bench.c\n\t%s -g -O1 -o bench bench.c\n' "$static" >Makefile
	cat >irdiff.yml <<-'END'
		build: make bench
		base: main
		benchmarks:
		  parse: {command: [./bench, data/big.json]}
		  words: {command: [./bench]}
		limits: {Ir: "+1%"}
	END
	printf '%s\n' /bench /parser /run-parser.sh /tool /input /data.json profiles .irdiff 'irdiff-*' '*.svg' >.gitignore
}

commit() {
	git add -A && git commit -qm "$1"
}

# A label that is a copy of another one.
copy_label() {
	cp "profiles/$1.callgrind" "profiles/$2.callgrind"
	cp -R ".irdiff/profiles/$1.callgrind" ".irdiff/profiles/$2.callgrind"
}

# Two dumps of a process, as callgrind writes them.
write_dumps() { # FILE
	for part in 1 2; do
		cat >"$1.$part" <<-END
			version: 1
			creator: callgrind-3.22.0
			pid: 1234
			cmd: ./bench
			part: $part
			desc: Trigger: Client Request: $([ $part = 1 ] && echo 'parse: short' || echo 'parse: long')
			positions: line
			events: Ir
			fn=main
			1 ${part}0
			summary: ${part}0
			totals: ${part}0
		END
	done
	printf 'version: 1\ncreator: callgrind-3.22.0\npid: 1234\ncmd: ./bench\npart: 3\ndesc: Trigger: Program termination\npositions: line\nevents: Ir\nfn=main\n1 5\nsummary: 5\ntotals: 5\n' >"$1"
}

make_project() {
	mkdir project && cd project && git init -q . || return 1
	write_project
	write_bench 10
	commit 'parse json' && git tag v1.2
	make -s bench && irdiff profile -q parse && irdiff profile -q --label=parser -- ./bench
	irdiff profile -q words
	copy_label parser base
	copy_label parser main
	write_bench 20
	commit 'parse with more care' && git tag v1.3
	make -s bench && irdiff profile -q parse && irdiff profile -q --label=parser -- ./bench
	copy_label parser feature
	git checkout -q -b feature
	echo 'more' >notes && commit 'notes'
	git clone -q --bare . ../origin.git
	git remote add origin ../origin.git && git fetch -q
	ln bench parser && ln bench tool && cp data/big.json data.json && touch input
	printf '#!/bin/sh\n./parser\n' >run-parser.sh && chmod +x run-parser.sh
	mkdir old new
	for name in callgrind.out.1234 old/callgrind.out.1234 new/callgrind.out.1234; do
		write_dumps $name
	done
	printf 'main;parse_line 10\n' >perf.folded
	# What is only in the work tree is of no interest to git.
	printf '%s\n' 'old' 'new' 'callgrind.out.*' perf.folded '*.pb.gz' '*.json' '*.zst' '*.md' \
		'*.html' '*.xml' >>.git/info/exclude
	# A work tree with changes, for comparisons with it.
	sed -i 's/< 20; round/< 21; round/' bench.c
	irdiff compare HEAD -q >../compared 2>&1 || return 1
}
cd "$scratch"
make_project >"$scratch/made" 2>&1 || {
	echo "the project cannot be made:"
	cat "$scratch/made"
	exit 1
}
commit=$(git rev-parse --short=10 HEAD)
GITHUB_STEP_SUMMARY=$scratch/summary
export GITHUB_STEP_SUMMARY
# Part K of N.
export K=1 N=2

# ---- the examples ----

# "page<TAB>command" of all displays, without the escapes of mdoc, and of all blocks of sh.
examples() {
	for page in "$source_dir"/man/irdiff.1 "$source_dir"/man/irdiff-*.1; do
		sed -n -e 's/^\.Dl //p' -e '/^\.Bd/,/^\.Ed/{/^irdiff /p; s/^\$ //p}' "$page" |
			sed -e 's/\\-/-/g' -e 's/\\(dq/"/g' -e 's/\\&//g' -e 's/\\e/\\/g' \
				-e "s/^/$(basename "$page")$tab/"
	done
	for page in "$source_dir"/man/guide/*.md; do
		sed -n '/^```sh$/,/^```$/{/^irdiff /p}' "$page" | sed -e 's/  *# .*//' -e "s/^/$(basename "$page")$tab/"
	done
}

# Why an example is not run; fails if it is.
excuse() {
	case $1 in
	*'irdiff comment'*) echo "it talks to GitHub" ;;
	'ssh '*) echo "it talks to another machine" ;;
	'git push '*) echo "it removes what was shared" ;;
	*flamegraph.pl*) needed flamegraph.pl ;;
	'go tool '*) echo "tests/exports.sh has it" ;;
	*stackcollapse-perf.pl*) needed stackcollapse-perf.pl ;;
	*jq*) needed jq ;;
	*'.pb.gz'* | *' work.dhat' | *'.dhat '* | *' work.txt' | *' work.json.gz')
		echo "golden case: tests/cases/formats.case"
		;;
	'irdiff diff target/gungraun'*) echo "golden case: tests/cases/results.case" ;;
	*) return 1 ;;
	esac
}

needed() {
	! command -v "$1" >/dev/null && echo "$1 is not installed"
}

# The names of the pages, as they are here; and twenty runs say no more than two.
real() {
	printf '%s\n' "$1" | sed -e "s/parse@1a2b3c4/parse@$commit/" -e 's/ -n 20 / -n 2 /' \
		-e 's/\bBENCH\b/parse/'
}

# What must have been before.
prepare() {
	case $1 in
	*'baseline accept'*)
		rm -f irdiff-accepted.yml
		irdiff diff --check -b parse main feature
		;;
	'irdiff init'*)
		# A project as init finds it.
		rm -rf "$scratch/fresh"
		git clone -q . "$scratch/fresh"
		cd "$scratch/fresh" || return
		git rm -q irdiff.yml
		;;
	esac >"$scratch/out" 2>&1
}

# Limits may be broken here.
is_expected() { # COMMAND EXIT-CODE
	case $1 in
	*--check* | *'irdiff check'*) [ "$2" -le 1 ] ;;
	*) [ "$2" -eq 0 ] ;;
	esac
}

# As in a terminal, with "q" typed.
on_terminal() {
	TERM=xterm python3 -c '
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execvp("sh", ["sh", "-c", sys.argv[1]])
shown = os.read(fd, 65536)
os.write(fd, b"q")
try:
    while os.read(fd, 65536):
        pass
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))' "$1"
}

try() { # PAGE COMMAND
	command=$(real "$2")
	prepare "$2"
	got=0
	case $command in
	'irdiff browse'*) on_terminal "$command" >"$scratch/out" 2>"$scratch/err" || got=$? ;;
	*) sh -c "$command" >"$scratch/out" 2>"$scratch/err" </dev/null || got=$? ;;
	esac
	is_expected "$command" "$got"
	verdict "$1: $2" $?
	cd "$scratch/project" || exit 1
}

examples >"$scratch/examples"
tried=0
while IFS=$tab read -r page command <&3; do
	if reason=$(excuse "$command"); then
		case $reason in
		*' is not installed') skip "$command" "$reason" ;;
		*) echo "not run $page: $command ($reason)" ;;
		esac
	else
		try "$page" "$command"
		tried=$((tried + 1))
	fi
done 3<"$scratch/examples"
[ "$tried" -ge 50 ]
verdict "$tried examples were found" $?
[ "$failures" -eq 0 ]
