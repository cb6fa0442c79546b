#!/bin/sh
# Usage: tests/presets.sh
#
# What irdiff sets for runtimes: how it recognizes them, what the program gets, what the profile and the
# user are told, and what takes precedence. With the runtimes that are installed: that it helps. Needs
# Valgrind.
set -u
. "$(dirname "$0")/repository.sh"
needs valgrind
cd "$scratch" || exit 1
make_lean

# ---- programs that only look like a runtime -------------------------------------------------------

cat >shows.c <<'END'
#include <stdio.h>
#include <stdlib.h>

#ifdef SYMBOL
int SYMBOL(void) { return 0; }
#endif
#ifdef GO
__attribute__((section(".go.buildinfo"), used)) static char info[32] = "x";
#endif

int main(int argc, char **argv)
{
	static const char *const names[] = { "NODE_OPTIONS", "GODEBUG", "GOMAXPROCS", "IRDIFF_FROZEN",
					     "COMPlus_TieredCompilation", "COMPlus_gcConcurrent" };
	FILE *to = fopen("shown", "w");

	for (int i = 1; i < argc; i++)
		fprintf(to, "%s ", argv[i]);
	for (int i = 0; i < 6; i++)
		if (getenv(names[i]))
			fprintf(to, "%s=%s ", names[i], getenv(names[i]));
	return fclose(to) != 0;
}
END
mkdir plain
$static -DSYMBOL=_ZN4node5Start -o node shows.c &&
	$static -DSYMBOL=JLI_Launch -o java shows.c &&
	$static -DSYMBOL=hostfxr_main -o dotnet shows.c &&
	$lean -DSYMBOL=ruby_init -o ruby3.1 shows.c &&
	$lean -DSYMBOL=Py_BytesMain -o python3.12 shows.c &&
	$static -DGO -o server shows.c &&
	$static -o plain/node shows.c || exit 1
printf '#!/usr/bin/env node\n' >script
chmod +x script

# shows WANTED ARGUMENTS...: what the program got.
shows() {
	wanted=$1
	shift
	rm -f shown
	"$irdiff" profile --cache-sim=no --top=1 --label=p "$@" >out 2>err &&
		echo "got: $(cat shown)" >>out && [ "$(cat shown)" = "$wanted" ]
}

# The fact of a label; "" if it has none.
preset() {
	sed -n 's/^desc: irdiff.env.preset: //p' "profiles/$1.callgrind"
}

seeds='--single-threaded --hash-seed=1 --random-seed=1'
check "Node.js" shows "$seeds x.js NODE_OPTIONS=--v8-pool-size=0 " -- ./node x.js
check "the profile says so" [ "$(preset p)" = "Node.js: $seeds NODE_OPTIONS=--v8-pool-size=0" ]
check "and irdiff" grep -qF "set for Node.js: $seeds NODE_OPTIONS=--v8-pool-size=0; --presets=no" err
check "options of the user come later" \
	shows "$seeds NODE_OPTIONS=--v8-pool-size=0 --mine " -e NODE_OPTIONS=--mine -- ./node
check "the profile says what was set" [ "$(preset p)" = "Node.js: $seeds NODE_OPTIONS=--v8-pool-size=0" ]
check "turned off" shows "x.js " --presets=no -- ./node x.js
check "which is no fact" [ -z "$(preset p)" ]
check "nor a message" [ -z "$(grep 'set for' err)" ]
"$irdiff" diff p.old p >out 2>err
check "a comparison says it" grep -q 'settings of its runtime: Node.js: --single-threaded .* → (absent)' out
check "another program of that name" shows "x.js " -- plain/node x.js
"$irdiff" profile -q --label=p -e "PATH=$PWD:$PATH" -- ./script >out 2>err
check "a script, whose first line has no room for options" [ "$(preset p)" = "Node.js: NODE_OPTIONS=--v8-pool-size=0" ]
check "Java" shows "-Xint -XX:+UseSerialGC -XX:-UsePerfData Main " -- ./java Main
check "with another collector" \
	shows "-Xint -XX:-UsePerfData -XX:+UseG1GC Main " -- ./java -XX:+UseG1GC Main
check ".NET" shows "app.dll COMPlus_TieredCompilation=0 COMPlus_gcConcurrent=0 " -- ./dotnet app.dll
check "Go" shows "GODEBUG=asyncpreemptoff=1,gcstoptheworld=1 GOMAXPROCS=1 " -- ./server
check "Go with other settings" shows "GODEBUG=asyncpreemptoff=1,gcstoptheworld=1,x=1 GOMAXPROCS=2 " -e GODEBUG=x=1 -e GOMAXPROCS=2 -- ./server
check "Ruby" shows "x.rb IRDIFF_FROZEN=random " -- ./ruby3.1 x.rb
check "random numbers are frozen" [ "$(preset p)" = "Ruby: freeze=random" ]
check "which is a fact, too" grep -q '^desc: irdiff.env.freeze: random$' profiles/p.callgrind
check "Python" shows "x.py " -- ./python3.12 x.py
check "needs nothing" [ -z "$(preset p)" ]
"$irdiff" profile -q --cases=codspeed --label=p -- ./python3.12 x.py >out 2>err
check "but with cases of CodSpeed" [ "$(cat shown)" = "x.py IRDIFF_FROZEN=malloc " ]
"$irdiff" profile -q --cases=codspeed --presets=no --label=p -- ./python3.12 x.py >out 2>err
check "unless it is turned off" [ "$(cat shown)" = "x.py " ]
printf 'benchmarks:\n  b: {command: ./node x.js, presets: false}\n' >irdiff.yml
"$irdiff" profile -q b >out 2>err
check "irdiff.yml" [ "$(cat shown)" = "x.js " ]

# ---- runtimes -------------------------------------------------------------------------------------

# repeats MOST-PPM NAME COMMAND...: how far two runs are apart; in the background, as a job.
repeats() {
	most=$1 name=$2
	shift 2
	for run in 1 2; do
		"$irdiff" profile -q --depth=0 --cache-sim=no --label="$name$run" -- "$@" >"$name.out" 2>&1 || return
		sed -n 's/^totals: *//p' "profiles/$name$run.callgrind"
	done | tr '\n' ' ' >"$name.counts"
	read -r one two <"$name.counts"
	awk -v a="$one" -v b="$two" -v most="$most" 'BEGIN {
		d = a < b ? b - a : a - b; ok = b > 0 && d * 1000000 <= a * most
		print (ok ? "ok" : "no"), d, "Ir apart of", a }' >"$name.result"
}

# installed NAME: whether a runtime can be tried.
installed() {
	command -v "$1" >/dev/null && return
	skip "two runs of $1" "$1 is not installed"
	return 1
}

# Without a preset, Node.js varies by about 100000 ppm, Java by 35000, Ruby by 320; Go does not always run.
# Perl has fixed seeds, and PHP needs none.

echo 'let s = 0; for (let i = 0; i < 1000; i++) s += ("k" + i).length; console.log(s)' >work.js
echo 'h = {}; 500.times { |i| h["k#{i * 7919 % 97}"] = i }; puts h.length' >work.rb
cat >work.go <<'END'
package main

func main() {
	m := map[int]string{}
	for i := 0; i < 300000; i++ {
		m[i*7919%1009] = "x"
	}
	println(len(m))
}
END
installed node && repeats 5000 node node work.js &
installed ruby && repeats 0 ruby ruby --disable-gems work.rb
installed perl && repeats 0 perl perl -e 'my %h = map { $_ => 1 } 1 .. 200; print join " ", keys %h'
installed php && repeats 0 php php -n -r '$m = []; for ($i = 0; $i < 500; $i++) $m["k" . $i % 97] = $i; echo count($m);'
installed java && repeats 5000 java java -version
if installed go; then
	if go build -o work work.go >out 2>&1; then
		repeats 5000 go ./work
	else
		skip "two runs of a Go program" "go cannot build one"
	fi
fi

# Functions of JavaScript, interpreted; it prints how often leaf is called.
cat >calls.js <<'END'
let calls = 0;
function leaf(n) {
  calls++;
  let sum = 0;
  for (let i = 0; i < n; i++)
    sum += i % 7;
  return sum;
}
function each(n) { return leaf(n) + leaf.call(null, n); }
function twice(n) { return leaf.apply(null, [n]) + leaf.bind(null, n)(); }
function outer() {
  let sum = 0;
  for (let i = 0; i < 10; i++) {
    [1, 2, 3].forEach(each);
    sum += twice(4);
  }
  return sum;
}
outer();
console.log(calls);
END
names='--perf-basic-prof-only-functions --interpreted-frames-native-stack'
# javascript LABEL
javascript() {
	"$irdiff" profile -q --cache-sim=no --label="$1" -e "NODE_OPTIONS=$names" -- node --no-opt --no-sparkplug calls.js >"$1.out" 2>&1
}
# called LABEL CALLEE CALLER: how often a function calls another one.
called() {
	"$irdiff" show "$1" --view=calls --threshold=0 --filter=":$2\$" | sed -n "s/^.* < .*$3 .*(\([0-9,]*\)x)\$/\1/p"
}
if command -v node >/dev/null; then
	check "JavaScript functions" javascript js
	check "no other callers are recorded" grep -q '^desc: irdiff.env.depth: 0$' profiles/js.callgrind
	for name in leaf each twice outer; do
		check "$name has its name" [ "$("$irdiff" show js --filter=":JS:$name\$" | grep -c "JS:$name .*calls.js")" = 1 ]
	done
	check "which did what the interpreter did for them" \
		[ "$("$irdiff" show js --top=0 | grep -c 'Builtins_.*Handler\|Builtins_Interpreter\|Builtins_LoadIC\|Builtins_Call_')" = 0 ]
	check "calls are those of the program" [ $(($(called js JS:leaf JS:each) + $(called js JS:leaf JS:twice))) = "$(node calls.js)" ]
	check "also by the library" [ "$(called js JS:each Builtins_ArrayForEach) $(called js Builtins_ArrayForEach JS:outer)" = "30 10" ]
	# Compiled, it is left by returns that Valgrind takes for calls, but nobody else calls it.
	cat >compiled.js <<'END'
let calls = 0;
function order(a, b) { calls++; return a - b; }
function sort(i) { return [3 + i, i, 2].sort(order)[0] + "abc".replace(/b/g, String).length; }
function all(n) { let sum = 0; for (let i = 0; i < n; i++) sum += sort(i); return sum; }
for (let i = 0; i < 3; i++) all(700);
console.log(calls);
END
	"$irdiff" profile -q --cache-sim=no --label=compiled -e "NODE_OPTIONS=$names" -- node compiled.js >/dev/null 2>&1
	check "calls of compiled functions are those of the program" \
		[ "$(called compiled JS:order Builtins_SortCompareUserFn | tr -d ,)" = "$(node compiled.js)" ]
	check "returns are no calls" [ "$(called compiled JS:order '' | wc -l) $(called compiled JS:sort JS:sort)" = "1 " ]
	sed -i 's/i < n/i < 50 * n/' calls.js
	check "a slower function" javascript slower
	"$irdiff" diff js slower >out 2>&1
	check "is the first cause" sh -c "sed -n '/^Causes/{n;n;p;}' out | grep -q '^ *JS:leaf: self'"
	mkdir repository && cd repository && git init -q . && cat >irdiff.yml <<-END
		benchmarks:
		  calls: {command: [node, --no-opt, --no-sparkplug, calls.js], env: ["NODE_OPTIONS=$names"]}
	END
	sed 's/50 [*] n/n/' ../calls.js >calls.js
	git add -A && git commit -qm "First" && cp ../calls.js . && git commit -qam "Slower"
	"$irdiff" compare HEAD~..HEAD >../out 2>&1
	cd .. || exit 1
	check "compare finds it, too" grep -q '^ *JS:leaf: self' out
	check "… without another run, which would count otherwise" sh -c '! grep -q "another run" out'
else
	skip "functions of JavaScript" "node is not installed"
fi
wait
for result in *.result; do
	[ -e "$result" ] || continue
	check "two runs of ${result%.result}: $(cat "$result")" [ "$(cut -c1-2 "$result")" = ok ]
done

finish
