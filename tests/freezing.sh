#!/bin/sh
# Usage: tests/freezing.sh
#
# What freeze is for: programs whose counts depend on random numbers, the time or their pid count the
# same in every run with it, in all events, and otherwise do not. Needs Valgrind. Lua or jq, which
# are such programs, is tried if it is installed.
set -u
. "$(dirname "$0")/scratch.sh"
needs valgrind
cd "$scratch" || exit 1

# profile KINDS [OPTIONS...] -- PROGRAM...
profile() {
	kinds=$1
	shift
	"$irdiff" profile --quiet --label=p --depth=0 --signals=ABRT --freeze="$kinds" "$@" 2>err
}

# counts KINDS RUNS ...: how many different totals there are in so many runs; 0 if one fails.
counts() {
	kinds=$1 runs=$2
	shift 2
	: >totals
	while [ "$runs" -gt 0 ]; do
		profile "$kinds" "$@" || { cat err >&2; : >totals; break; }
		sed -n 's/^summary: //p' profiles/p.callgrind >>totals
		runs=$((runs - 1))
	done
	sort -u totals | wc -l
}

exact() {
	[ "$(counts "$@")" = 1 ]
}

varies() {
	[ "$(counts "$@")" -gt 1 ]
}

fact() {
	sed -n "s/^desc: irdiff.env.$1: //p" profiles/p.callgrind
}

make_lean
$lean -g -O1 -D_GNU_SOURCE -pthread -o asks "$source_dir/tests/freeze/asks.c" || exit 1

check "random numbers vary" varies none 2 -- ./asks random device
check "random numbers, frozen" exact random 2 -- ./asks random device
check "they are a fact" [ "$(fact freeze)" = random ]
check "so is the library" [ -n "$(fact freeze_library)" ]
check "it is not the program's" [ "$(grep -c 'irdiff.subject.object.*freeze' profiles/p.callgrind)" = 0 ]
check "its path is that of the host" [ "$(grep -c '/irdiff-run/' profiles/p.callgrind)" = 0 ]
check "a child's random numbers" exact random 2 -- ./asks child
check "the time varies" varies none 2 -- ./asks time
check "the time, frozen" exact time 2 -- ./asks time sleep
# calibrates KINDS: a program that does more work until that takes long enough is stopped.
calibrates() {
	profile "$1" --timeout=2 -- ./calibrates
	[ $? -eq 3 ] && grep -q 'was stopped after 2 seconds' err
}
cat >calibrates.c <<'END'
#include <time.h>

int main(void)
{
	for (unsigned long rounds = 1, n = 0;; rounds *= 2) {
		clock_t begin = clock();
		for (volatile unsigned long i = 0; i < rounds; i++)
			n += i;
		if (clock() - begin > CLOCKS_PER_SEC / 5)
			return n == 1;
	}
}
END
$lean -O1 -o calibrates calibrates.c || exit 1
check "what repeats its work until it takes long enough" calibrates time
check "is told the likely reason" grep -q 'its time is frozen .* set a fixed number of rounds' err
sed -i 's/return n == 1/rounds = 1/' calibrates.c
$lean -O1 -o calibrates calibrates.c || exit 1
check "no other timeout is" calibrates random
check "explained by that" [ "$(grep -c 'time is frozen' err)" = 0 ]
check "pids, frozen" exact pid 2 -- ./asks pid
check "all of it" exact time,random,pid 2 -- ./asks random device time pid sleep child
check "facts are in order" [ "$(fact freeze)" = "pid, random, time" ]

# What a case allocates costs the same whatever was allocated before it.
$lean -g -O1 -D_GNU_SOURCE -pthread -fno-builtin -I "$source_dir" -o allocates "$source_dir/tests/freeze/allocates.c" || exit 1
# by_past KINDS: the counts of the case after 10, 2000 and 20000 blocks, and how far they are apart in ppm.
by_past() {
	for past in 10 2000 20000; do
		profile "$1" --cases=irdiff --cache-sim=no -- ./allocates "$past" || return
		sed -n 's/^totals: *//p' profiles/p/work.callgrind
	done | sort -n | awk '{ print; if (NR == 1) least = $1 } END { printf "%d ppm\n", ($1 - least) * 1e6 / least }'
}
ppm() {
	by_past "$1" | sed -n 's/ ppm//p'
}
check "the past of the heap changes a count" [ "$(ppm none)" -gt 20000 ]
check "malloc, frozen: it does not" [ "$(ppm malloc)" -lt 200 ]
check "it is a fact, too" grep -q '^desc: irdiff.env.freeze: malloc$' profiles/p/work.callgrind

# irdiff.yml says the same, and other libraries that are loaded first still are.
cat >other.c <<'END'
#include <unistd.h>
__attribute__((constructor)) static void start(void)
{
	if (write(2, "other\n", 6) < 0)
		_exit(1);
}
END
$compiler -shared -fPIC -o other.so other.c || exit 1
cat >irdiff.yml <<END
benchmarks:
  asks:
    command: ./asks random time
    depth: 0
    freeze: [time, random]
    env:
      LD_PRELOAD: $scratch/other.so
END
for i in 1 2; do
	"$irdiff" profile -q --label="$i" asks || failed=$((failed + 1))
done
check "irdiff.yml" cmp -s profiles/1.callgrind profiles/2.callgrind
check "another library" grep -q other .irdiff/profiles/2.callgrind/stderr.log
check "is a fact of its own" grep -q "^desc: irdiff.env.env.LD_PRELOAD: .ROOT/other.so$" profiles/2.callgrind
rm irdiff.yml

# Where tracing is refused the library does it all, but for /dev/urandom.
$compiler -o refuse "$source_dir/tests/guest/refuse.c" || exit 1
if ./refuse ptrace true; then
	printf '#!/bin/sh\nexec %s/refuse ptrace %s "$@"\n' "$scratch" "$irdiff" >irdiff-untraced
	chmod +x irdiff-untraced
	traced=$irdiff irdiff=$scratch/irdiff-untraced
	check "untraced" exact random,time,pid 2 -- ./asks random time pid child
	check "it was" [ "$(fact workspace)" = links ]
	check "the pid" grep -qx 'pid 400002' .irdiff/profiles/p.callgrind/stdout.log
	irdiff=$traced
else
	skip "where tracing is refused" "there are no filters of system calls"
fi

# What was measured with one library is not what another would give.
entries() {
	"$irdiff" cache list 2>err | grep -c ' b@'
}
mkdir repository && cd repository || exit 1
cat >irdiff.yml <<END
build: cp $scratch/asks .
benchmarks:
  b: {command: ./asks random, freeze: [random]}
END
echo asks >.gitignore
git init -q . && git add -A && git -c user.name=T -c user.email=t@example.org commit -q -m one
compare() {
	"$irdiff" compare HEAD..HEAD >output 2>err
}
check "compare" compare
check "is cached" [ "$(entries)" = 1 ]
cp "$(dirname "$irdiff")/libirdiff-freeze.so" ../other-freeze.so
IRDIFF_FREEZE_LIBRARY=$scratch/other-freeze.so
export IRDIFF_FREEZE_LIBRARY
check "compare with another library" compare
check "is measured" [ "$(entries)" = 2 ]
# A missing one is noticed before anything is built.
sed -i "s|^build: .*|build: {shell: true, command: touch $scratch/built \&\& cp $scratch/asks .}|" irdiff.yml
git add -A && git -c user.name=T -c user.email=t@example.org commit -q -m two
IRDIFF_FREEZE_LIBRARY=$scratch/nowhere.so
export IRDIFF_FREEZE_LIBRARY
for command in "compare HEAD~" "check HEAD~" "bisect b --good=HEAD~" "history b --measure=HEAD~"; do
	# shellcheck disable=SC2086 # words
	"$irdiff" $command >output 2>err
	check "${command%% *} fails without the library" [ $? != 0 ]
	check "names it once" [ "$(grep -c '/nowhere.so: cannot find the freeze library' err)" = 1 ]
	check "builds nothing" [ ! -e "$scratch/built" ]
	rm -f "$scratch/built"
done
unset IRDIFF_FREEZE_LIBRARY
cd ..

# What cannot be reached is refused.
echo 'int main(void) { return 0; }' >static.c
if [ "$static" != "$compiler" ]; then
	$static -o static static.c || exit 1
	profile random -- ./static
	check "a static program" [ $? = 2 ]
	check "says so" grep -q 'cannot freeze random of a static program' err
	printf '#!/bin/sh\nunset LD_PRELOAD\n./asks random\n' >unset.sh
	chmod +x unset.sh
	profile random -- ./unset.sh
	check "a program without it" [ $? = 4 ]
	check "says so, too" grep -q 'did not load' err
	cat >starts.c <<-'END'
		#include <sys/wait.h>
		#include <unistd.h>

		static int run(const char *program, const char *argument)
		{
			int status;
			if (fork() == 0) {
				execl(program, program, argument, (char *)0);
				_exit(127);
			}
			return wait(&status) < 0 || status;
		}

		int main(void)
		{
			return run("./static", 0) + run("./asks", "pid");
		}
	END
	$lean -o starts starts.c || exit 1
	for processes in each all; do
		profile random --processes="$processes" -- ./starts
		check "a static one of several, processes: $processes" [ $? = 4 ]
		check "is named" grep -q '/static: not frozen, because' err
	done
	profile random --image=asks -- ./starts
	check "one that does not count may be static" [ $? = 0 ]
	profile random --image=static -- ./starts
	check "not the one that does" [ $? = 4 ]
fi
IRDIFF_FREEZE_LIBRARY=/nowhere profile random -- ./asks
check "no library" [ $? = 4 ]
check "is named" grep -q '/nowhere: cannot find the freeze library' err
profile time,tide -- ./asks
check "an unknown kind" [ $? = 2 ]

# A real program, of which jq takes long.
if lua=$(command -v lua5.4 || command -v lua5.3); then
	echo 't = {} for i = 1, 50 do t["k" .. i] = i end for k in pairs(t) do t[k] = nil end' >s.lua
	check "Lua" exact random,time 2 -- "$lua" s.lua
elif has jq "a real program"; then
	echo '{"a": [1, 2, 3], "b": {"c": 4}}' >s.json
	check "jq" exact random,time 2 --cache-sim=no -- jq '.a|add' s.json
fi

finish
