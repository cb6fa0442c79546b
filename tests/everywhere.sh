#!/bin/sh
# Usage: tests/everywhere.sh [--all] [PROGRAM...]
#
# Measures programs of this system in two places: as one does at home; and in a directory with a long path,
# with another environment, on another CPU, in a sandbox that refuses what
# containers refuse. All events have to be equal, to the last one. --all takes every program below that is
# installed, else a few quick ones.
#
# The lines that it prints are those of another machine, too, if that has the same packages: compare them.
set -u
. "$(dirname "$0")/scratch.sh"
needs valgrind
cd "$scratch" || exit 1
chmod 755 "$scratch"

all="gzip perl shell threads xz lua sqlite python git cc1 stl rust node"
programs="gzip perl shell threads"
case ${1-} in
--all)
	shift
	programs=$all
	;;
esac
[ $# -eq 0 ] || programs=$*

# Whether a thread is over when it is joined depends on who runs first, and costs: here each one ends in a call
# that never does.
cat >threads.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static char much[1 << 24];
static unsigned sums[4];
static int ends[4][2];
static void *count(void *number)
{
	int n = *(int *)number;
	for (unsigned i = 0; i < 100000; i++)
		sums[n] = sums[n] * 33 + i;
	return write(ends[n][1], much, sizeof much) > 0 ? number : NULL;
}
int main(void)
{
	static int numbers[4] = { 0, 1, 2, 3 };
	for (int i = 0; i < 4; i++) {
		pthread_t thread;
		if (pipe(ends[i]) || pthread_create(&thread, NULL, count, &numbers[i]) || read(ends[i][0], much, 1) != 1)
			return 1;
	}
	printf("%d %d %ld %u\n", getpid(), getppid(), sysconf(_SC_NPROCESSORS_ONLN), sums[3]);
	return 0;
}
END
cat >stl.cc <<'END'
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>
int main()
{
	std::unordered_map<std::string, int> words;
	std::map<std::string, int> sorted;
	for (int i = 0; i < 20000; i++)
		words[std::filesystem::current_path().string() + std::to_string(i * 7919 % 4001)]++;
	sorted.insert(words.begin(), words.end());
	std::vector<int> numbers;
	for (auto &[word, count] : sorted)
		numbers.push_back(count + int(word.size()));
	std::sort(numbers.begin(), numbers.end());
	std::cout << numbers.back() << " " << std::thread::hardware_concurrency() << "\n";
}
END
cat >work.rs <<'END'
use std::collections::HashMap;
fn main() {
    let here = std::env::current_dir().unwrap();
    let mut words = std::collections::BTreeMap::new();
    for i in 0..5000u64 {
        *words.entry(format!("{}{}", here.display(), i * 7919 % 1001)).or_insert(0u64) += i;
    }
    let seeded: HashMap<u64, u64> = HashMap::new();
    let threads = std::thread::available_parallelism().map(|n| n.get()).unwrap_or(0);
    println!("{} {} {}", words.len(), seeded.len(), threads);
}
END
cat >work.lua <<'END'
local words = {}
for i = 1, 20000 do words[#words + 1] = tostring(i * 7919 % 4001) .. arg[0] end
table.sort(words)
print(#table.concat(words))
END
cat >work.py <<'END'
import collections, json, os, re, sys
words = collections.Counter(os.getcwd() + str(i * 7919 % 1001) for i in range(5000))
print(len(json.dumps(words)), len(re.findall("9+", str(words))), os.getpid(), os.cpu_count(), sys.argv)
END
cat >work.js <<'END'
const words = {};
for (let i = 0; i < 5000; i++) words[process.cwd() + (i * 7919 % 1001)] = i;
console.log(JSON.stringify(words).length);
END
cat >work.pl <<'END'
my %words; $words{"$0" . $_ * 7919 % 1001}++ for 1 .. 5000;
print join(",", map { "$_$words{$_}" } sort keys %words), $$, "\n";
END
cat >work.sql <<'END'
create table t (a integer primary key, b text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
insert into t select i, 'text ' || (i * 7919 % 1001) from n;
create index x on t (b);
select count(*), max(b) from t group by substr(b, 1, 7);
END
cat >work.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) { printf("%s %s %d\n", __FILE__, argv[0], argc); return 0; }
END
seq 20000 >numbers

# prepare PROGRAM: makes what it needs; fails if it is not there. $options and $command are how it is measured.
prepare() {
	options=
	case $1 in
	gzip) command="gzip -kc numbers" ;;
	xz) command="xz -kc numbers" ;;
	perl) command="perl work.pl" ;;
	# What is read from a pipe at a time depends on how fast it is written.
	shell) command="sh -c 'for f in *; do echo \$f \$\$; done >list; sort list | tail -n 2; ls /proc/self/fd; readlink /proc/self/exe; pwd'" options=--processes=all ;;
	threads) command=./threads && $compiler -O1 -pthread -o threads threads.c ;;
	lua)
		lua=$(command -v lua5.4 || command -v lua) && command="$lua work.lua"
		# What it takes for random numbers is the time, and an address.
		options=--freeze=time
		;;
	sqlite) command="sqlite3 -init work.sql :memory: .exit" options=--freeze=random ;;
	python) command="/usr/bin/python3 work.py" ;;
	git) command="git --no-pager log --stat -n 3" && repository ;;
	cc1) command="$compiler -c -O1 -o work.o work.c" options=--image=cc1 ;;
	stl) command=./stl && ${CXX:-g++} -std=c++17 -O1 -o stl stl.cc ;;
	rust) command=./work-rs options=--freeze=random && { [ -x work-rs ] || rustc -O -o work-rs work.rs; } ;;
	node) command="node --jitless --single-threaded work.js" options=--freeze=time,random,pid ;;
	*) false ;;
	esac 2>/dev/null && command -v "${command%% *}" >/dev/null
}

repository() {
	rm -rf .git
	git init -q . 2>/dev/null
	for i in 1 2 3; do
		echo "$i" >>numbers.txt
		git add numbers.txt work.*
		GIT_AUTHOR_DATE="2026-01-01T00:00:0$i Z" GIT_COMMITTER_DATE="2026-01-01T00:00:0$i Z" \
			git -c user.name=T -c user.email=t@example.org commit -q -m "Number $i"
	done
}

$compiler -o refuse "$source_dir/tests/guest/refuse.c" || exit 1
sandbox=
if ./refuse unshare true; then
	sandbox="$scratch/refuse personality,unshare,process_vm_readv,process_vm_writev"
else
	skip "a sandbox" "there are no filters of system calls"
fi
# The first one that may be used is that of home.
first=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)
last=$(($(getconf _NPROCESSORS_ONLN) - 1))
[ "$first" != "$last" ] || last=0
pin=
! taskset -c "$last" true 2>/dev/null || pin="taskset -c $last"

counts() {
	sed -n 's/^summary: //p' "$1/profiles/$2.callgrind" 2>/dev/null
}

home=$scratch/home
away=$scratch/away/$(head -c 120 /dev/zero | tr '\0' 'a')
for program in $programs; do
	rm -rf "$home" "$scratch/away"
	if ! prepare "$program"; then
		skip "$program" "it is not installed"
		continue
	fi
	mkdir -p "$home" "$away"
	for place in "$home" "$away"; do
		cp -r .git numbers* threads stl work* "$place" 2>/dev/null
	done
	# Made in another order, directories are in another one.
	ls -r "$away" | while read -r file; do mv "$away/$file" "$away/x" && mv "$away/x" "$away/$file"; done
	quoted=$command
	(cd "$home" && eval "\"$irdiff\" profile -q --label=p $options -- $quoted") >out 2>err
	(cd "$away" && NOISE=$(head -c 2000 /dev/zero | tr '\0' x) HOME=/tmp && export NOISE &&
		eval "$sandbox $pin \"$irdiff\" profile -q --label=p $options -- $quoted" </dev/zero 2>&1) >>out 2>>err
	here=$(counts "$home" p)
	echo "$program $here"
	check "$program counts something" [ -n "$here" ]
	check "$program counts the same: $(counts "$away" p)" [ "$here" = "$(counts "$away" p)" ]
done
finish
