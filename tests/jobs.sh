#!/bin/sh
# Usage: tests/jobs.sh
#
# Measurements by several processes: `-j` and what it counts, what becomes of failures and of Ctrl-C,
# `--shard` with `irdiff merge`, and `--launcher`, also with GNU parallel; with Slurm: slurm.sh.
set -u
. "$(dirname "$0")/repository.sh"

needs valgrind

# Four benchmarks that work, two that do not; `cpus` asks on which CPU it is.
mkdir "$scratch/project" && cd "$scratch/project" && git init -q .
cat >work.c <<-'END'
	#define _GNU_SOURCE
	#include <sched.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>
	#include <unistd.h>

	static unsigned mix(unsigned n)
	{
		return n * 2654435761u + ROUNDS;
	}

	static int compare(const void *a, const void *b)
	{
		return *(const int *)a - *(const int *)b;
	}

	static int sort(int n)
	{
		int *list = malloc(sizeof *list * (size_t)n);
		for (int i = 0; i < n; i++)
			list[i] = (int)mix((unsigned)i);
		qsort(list, (size_t)n, sizeof *list, compare);
		int first = list[0];
		free(list);
		return first;
	}

	int main(int argc, char **argv)
	{
		int n = argc > 2 ? atoi(argv[2]) : 10;
		unsigned sum = 0;
		if (strcmp(argv[1], "fail") == 0)
			return fprintf(stderr, "one line of %s\nand another\n", argv[2]), 7;
		if (strcmp(argv[1], "sleep") == 0)
			sleep((unsigned)n);
		if (strcmp(argv[1], "cpus") == 0) {
			cpu_set_t set;
			sched_getaffinity(0, sizeof set, &set);
			n = CPU_COUNT(&set) * 1000;
		}
		for (int i = 0; i < n * ROUNDS; i++)
			sum += mix(sum + (unsigned)i);
		printf("%u %d\n", sum, sort(n));
		return 0;
	}
END
cat >irdiff.yml <<-END
	build: {command: $static -g -O1 -DROUNDS=\$(cat rounds) -o work work.c, shell: true}
	benchmarks:
	  small: {command: ./work mix 300}
	  large: {command: ./work mix 5000}
	  same: {command: ./work mix 5000}
	  cpus: {command: ./work cpus}
	limits: {Ir: "+1%"}
END
printf 'work\n' >.gitignore
echo 2 >rounds
git add -A && git commit -qm "First"
echo 3 >rounds && git commit -qam "More rounds"

nothing_is_left() {
	[ -z "$(ls .irdiff/tmp 2>/dev/null)" ]
}

# ---- several at once ----

run 1 check HEAD~1..HEAD --format=json --top=0 -o "$scratch/serial.json" -j1
verdict "one after the other" $?
cp -r .irdiff/cache "$scratch/serial" && rm -rf .irdiff/cache
# Somebody else wants the processors, too.
(while :; do :; done) & busy=$!
run 1 check HEAD~1..HEAD --format=json --top=0 -o "$scratch/parallel.json" -j2
kill "$busy" && wait "$busy" 2>/dev/null
report "$scratch/serial.json" >"$scratch/serial.txt"
report "$scratch/parallel.json" >"$scratch/parallel.txt"
cmp "$scratch/serial.txt" "$scratch/parallel.txt"
verdict "two at a time say the same, under load" $?
same=0 entries=0
for entry in "$scratch"/serial/*@*; do
	entries=$((entries + 1))
	cmp "$entry/profile.callgrind" ".irdiff/cache/$(basename "$entry")/profile.callgrind" || same=1
done
[ "$entries" -eq 8 ] && [ "$same" -eq 0 ]
verdict "… every count of every line, and every fact of the environment" $?
nothing_is_left
verdict "… and leave nothing" $?
run 1 check HEAD~1..HEAD -j3 --fresh && ! says "another environment"
verdict "more than there are CPUs" $?
run 2 check -j65 && says 'expected a number from 0 to 64'
verdict "there is a limit" $?

# ---- what others could see ----

# Appends to a file and counts as much as is in it, so another one that writes there at the same time,
# or before its time, shows.
cat >write.c <<-'END'
	#include <stdio.h>
	#include <sys/socket.h>
	#include <unistd.h>

	int main(int argc, char **argv)
	{
		unsigned sum = 0;
		for (unsigned i = 0; i < 300000; i++)
			sum = sum * 31 + i;
		FILE *file = argc > 1 ? fopen(argv[1], "a+") : NULL;
		if (file) {
			fprintf(file, "%x\n", sum);
			rewind(file);
			for (int c; (c = getc(file)) != EOF;)
				for (int i = 0; i < 1000; i++)
					sum = sum * 31 + (unsigned)c;
			fclose(file);
		} else if (argc > 1) {
			return 9;
		}
		printf("%u\n", sum);
		return 0;
	}
END
git add write.c && git commit -qm "A program that writes"
cat >irdiff.yml <<-END
	build: {command: $static -g -O1 -o write write.c, shell: true}
	benchmarks:
	  first: {command: ./write here.txt}
	  none: {command: ./write}
	  second: {command: ./write here.txt}
	  below: {command: ./write made/../other.txt}
	  elsewhere: {command: ./write $scratch/elsewhere.txt}
	  link: {command: ./write made/link}
	limits: {Ir: "+1%"}
END
mkdir made && touch made/x && ln -s "$scratch/linked.txt" made/link && printf 'write\n' >>.gitignore
git add -A && git commit -qm "Benchmarks that write" && echo >>write.c && git commit -qam "Nothing"
rm -rf .irdiff
run 1 check HEAD~1..HEAD --fresh --format=json --top=0 -o "$scratch/serial.json" -j1 && [ "$(wc -l <"$scratch/elsewhere.txt")" -eq 2 ]
verdict "benchmarks that write, one after the other" $?
for times in first second; do
	[ "$times" = second ] || rm -rf .irdiff
	rm -f "$scratch/elsewhere.txt" "$scratch/linked.txt"
	run 1 check HEAD~1..HEAD --fresh --format=json --top=0 -o "$scratch/parallel.json" -j4; code=$?
	report "$scratch/serial.json" >"$scratch/serial.txt"
	report "$scratch/parallel.json" >"$scratch/parallel.txt"
	[ "$code" -eq 0 ] && cmp "$scratch/serial.txt" "$scratch/parallel.txt" && [ "$(wc -l <"$scratch/elsewhere.txt")" -eq 2 ]
	verdict "… count the same at the same time, the $times time" $?
done
[ "$(cat .irdiff/cache/*/meta.json | grep -c '"changes": 0')" -eq 2 ] &&
	[ "$(cat .irdiff/cache/*/meta.json | grep -c '"changes": 1')" -eq 6 ] &&
	[ "$(cat .irdiff/cache/*/meta.json | grep -c '"changes": 2')" -eq 2 ] &&
	[ "$(cat .irdiff/cache/*/meta.json | grep -c '"changes": 3')" -eq 2 ]
verdict "… and what they write is remembered" $?
git checkout -qf HEAD~3 -B main && rm -rf .irdiff made

# ---- failures ----

cp irdiff.yml ../irdiff.yml
sed -i 's/^limits/  bad: {command: .\/work fail bad}\n  worse: {command: .\/work fail worse}\n  gone: {command: .\/nothing}\nlimits/' irdiff.yml
git commit -qam "Some fail"
rm -rf .irdiff/cache
run 3 check HEAD~1..HEAD -j2
verdict "some fail" $?
[ "$(grep -cE ' PASS(, measured earlier)? +(large|small|same|cpus)$' "$scratch/out")" -eq 4 ]
verdict "… the others are reported" $?
says 'FAILED  bad' && says 'FAILED  worse' && says 'FAILED  gone'
verdict "… and so are they" $?
[ "$(grep -c 'one line of bad' "$scratch/err")" -eq 2 ] &&
	[ "$(grep -A1 'one line of worse' "$scratch/err" | grep -c 'and another')" -eq 2 ]
verdict "… each once on both sides, and its lines are together" $?
nothing_is_left
verdict "… and nothing is left" $?

# ---- labels ----

$static -g -O1 -DROUNDS=3 -o work work.c
run 3 profile '*' -j2 && says 'large' && [ -f profiles/large.callgrind ] && [ -f profiles/cpus.callgrind ]
verdict "a pattern is several benchmarks" $?
cp profiles/large.callgrind "$scratch/large" && run 0 profile large && cmp profiles/large.callgrind "$scratch/large"
verdict "… with the counts of one" $?
! says 'measured;'
verdict "nobody sees progress but on a terminal" $?
if env --ignore-signal=CHLD true 2>/dev/null; then
	code=0
	timeout -k 1 60 env --ignore-signal=CHLD "$irdiff" profile '[ls]*' -j2 >"$scratch/out" 2>"$scratch/err" || code=$?
	[ "$code" -eq 0 ]
	verdict "several, where the starter ignores the ends of processes" $?
fi
if has script "progress on a terminal"; then
	sed '/bad:\|worse:\|gone:/d' irdiff.yml >../quick.yml && cp irdiff.yml ../failing.yml && cp ../quick.yml irdiff.yml
	TERM=xterm script -qec "'$irdiff' profile '[ls]*' --color=never" /dev/null >"$scratch/out" 2>&1
	says ' of 3 measured; '
	verdict "… there it is told how far they are" $?
	cp ../failing.yml irdiff.yml
fi
run 2 profile 'nothing*' && says 'available: small'
verdict "a pattern that matches nothing" $?
run 2 profile '*' --label=x && says 'requires one benchmark'
verdict "several have several labels" $?

# ---- signals ----

printf 'benchmarks:\n  one: {command: ./work sleep 60}\n  two: {command: ./work sleep 60}\n' >irdiff.yml

# The tasks of this directory that somebody does; processes between a worker and Valgrind are called as
# the worker is.
workers() {
	pgrep -af -- "--worker $PWD/.irdiff/tmp" | sed -n 's/.*--worker //p' | sort -u
}

wait_for_workers() {
	tries=0
	until [ "$(workers | wc -l)" -eq "$1" ] || [ $((tries += 1)) -gt 1000 ]; do
		sleep 0.1
	done
	[ "$(workers | wc -l)" -eq "$1" ]
}

# A shell without job control has its children ignore SIGINT, which only some env(1) undo.
signal=INT code=130
if env --default-signal=INT true 2>/dev/null; then
	env --default-signal=INT "$irdiff" profile '*' -j2 >"$scratch/out" 2>"$scratch/err" & pid=$!
else
	signal=TERM code=143
	"$irdiff" profile '*' -j2 >"$scratch/out" 2>"$scratch/err" & pid=$!
fi
wait_for_workers 2
verdict "two workers" $?
kill -$signal "$pid"
got=0
wait "$pid" || got=$?
[ "$got" -eq "$code" ] && wait_for_workers 0 && nothing_is_left
verdict "Ctrl-C ends them, and nothing is left" $?
"$irdiff" profile '*' -j2 >"$scratch/out" 2>"$scratch/err" & pid=$!
wait_for_workers 2
kill -KILL "$pid"
wait "$pid" 2>/dev/null
wait_for_workers 0
verdict "workers do not outlive an irdiff that was killed" $?
cp ../irdiff.yml irdiff.yml

# ---- shards ----

git checkout -qfb many HEAD~1
rm -rf .irdiff
for name in a b c d; do
	sed -i "s/^limits/  $name: {command: .\/work mix 1$name}\nlimits/" irdiff.yml
done
git commit -qam "Many"
run 1 check HEAD~2..HEAD --format=json -o "$scratch/whole.json" -j2
verdict "all benchmarks" $?
run 1 check HEAD~2..HEAD --format=markdown -o "$scratch/whole.md"
worst=0
for k in 1 2 3; do
	got=0
	git clone -q . "$scratch/machine$k"
	(cd "$scratch/machine$k" && "$irdiff" check HEAD~2..HEAD --shard=$k/3 \
		--results="$scratch/results$k" >/dev/null 2>"$scratch/err$k") || got=$?
	[ "$got" -gt "$worst" ] && worst=$got
done
[ "$worst" -eq 1 ]
verdict "three shards" $?
jq -r '.compared[].name' "$scratch"/results?/results.json | sort >"$scratch/compared"
sed -n 's/^  \([a-z]*\): {command.*/\1/p' irdiff.yml | sort | cmp - "$scratch/compared"
verdict "… have each benchmark once" $?
git clone -q . "$scratch/merging" && cd "$scratch/merging"
run 1 merge "$scratch/results1" "$scratch/results2/results.json" "$scratch/results3" --format=json \
	-o "$scratch/merged.json"
verdict "merge exits with the worst code" $?
report "$scratch/whole.json" >"$scratch/whole.txt"
report "$scratch/merged.json" >"$scratch/merged.txt"
cmp "$scratch/whole.txt" "$scratch/merged.txt"
verdict "… and says what one machine says" $?
cp "$scratch/whole.txt" "$scratch/hundred.txt"
run 1 merge "$scratch"/results? --format=markdown -o "$scratch/merged.md"
sed '/written /d' "$scratch/whole.md" >"$scratch/whole.txt"
sed '/written /d' "$scratch/merged.md" | cmp - "$scratch/whole.txt"
verdict "… in markdown, too" $?
cmp .irdiff/last/report.md "$scratch/merged.md"
verdict "… which irdiff comment finds" $?
run 1 merge "$scratch"/results? --format=junit && run 1 merge "$scratch"/results? && says 'REGRESSION  large'
verdict "… and as other formats" $?

# The same results as a hundred shards, most of which are empty.
mkdir "$scratch/hundred" && (cd "$scratch/hundred" && seq 100 | xargs mkdir)
jq -cs '(map(.compared) | add) as $all | .[0] as $one | range(100) |
	$one + {shard: (. + 1), shards: 100, compared: ($all[.:. + 1])}' "$scratch"/results?/results.json |
	awk -v to="$scratch/hundred" '{ file = to "/" NR "/results.json"; print >file; close(file) }'
for shard in "$scratch"/hundred/*; do
	for entry in $(jq -r '.compared[] | .base, .head' "$shard/results.json"); do
		cp -r "$scratch"/results?/"$entry" "$shard"
	done
done
git clone -q . "$scratch/merging100"
(cd "$scratch/merging100" && run 1 merge "$scratch"/hundred/* --format=json -o "$scratch/merged100.json")
report "$scratch/merged100.json" | cmp - "$scratch/hundred.txt"
verdict "a hundred shards are one report, too" $?
rm -r "$scratch/hundred/57"
run 2 merge "$scratch"/hundred/* && says 'shard 57/100 is missing'
verdict "… of which none may be missing" $?

run 2 merge "$scratch/results1" "$scratch/results3" && says 'shard 2/3 is missing'
verdict "a shard that is missing" $?
run 1 merge "$scratch/results1" "$scratch/results3" --partial
verdict "… may be" $?
run 2 merge "$scratch"/results? "$scratch/results2" && says 'shard 2/3 is already given by'
verdict "a shard that is there twice" $?
cp -r "$scratch/results2" "$scratch/other"
sed -i 's/+1%/+2%/' "$scratch/other/results.json"
run 2 merge "$scratch/results1" "$scratch/other" "$scratch/results3" && says 'irdiff.yml or the benchmarks to measure differ'
verdict "a shard by other definitions" $?
cp "$scratch/results2/results.json" "$scratch/other"
sed -i 's/"head": "head  .*",/"head": "head  elsewhere",/' "$scratch/other/results.json"
run 2 merge "$scratch/results1" "$scratch/other" "$scratch/results3" && says 'head differs from that of'
verdict "a shard of another commit" $?
cp "$scratch/results2/results.json" "$scratch/other"
sed -i 's/"valgrind":"[^"]*"/"valgrind":"1.0"/' "$scratch/other/results.json"
run 2 merge "$scratch/results1" "$scratch/other" "$scratch/results3" && says 'another Valgrind'
verdict "a shard of another Valgrind" $?
cp "$scratch/results2/results.json" "$scratch/other"
sed -i 's/"cpu":"[^"]*"/"cpu":"strange"/' "$scratch/other/results.json"
run 1 merge "$scratch/results1" "$scratch/other" "$scratch/results3" && says 'another kind of machine'
verdict "a shard of another CPU is named" $?
cp "$scratch/results2/results.json" "$scratch/other"
sed -i 's#"base":"[a-z]*@#"base":"../../x@#' "$scratch/other/results.json"
run 2 merge "$scratch/results1" "$scratch/other" "$scratch/results3" && says 'invalid entry 0 of'
verdict "names in results lead nowhere else" $?
small=$(ls -d "$scratch"/results?/small@* | sed 1q)
for entry in "$scratch"/results?/*@*; do
	cp "$small"/*callgrind* ".irdiff/cache/${entry##*/}"
done
run 1 merge "$scratch"/results? --format=json -o "$scratch/merged.json"
report "$scratch/whole.json" >"$scratch/whole.txt"
report "$scratch/merged.json" | cmp - "$scratch/whole.txt"
verdict "what shards have measured is judged, whatever is in the cache" $?
cp -r "$scratch/results2" "$scratch/linked"
for entry in "$scratch"/linked/*@*; do
	ln -sf /etc/passwd "$entry/key.txt"
done
run 2 merge "$scratch/results1" "$scratch/linked" "$scratch/results3" && says 'key.txt: is a symbolic link' &&
	! grep -rq root: .irdiff/cache/*/key.txt
verdict "links in results are not followed" $?
cd "$scratch/project"
run 0 check HEAD~2..HEAD -b a --shard=1/1000 --results="$scratch/empty" && says 'belongs to shard 1/1000'
verdict "a shard may be empty" $?
run 0 merge "$scratch/empty" --partial && says 'no shard compared anything'
verdict "… and its results, too" $?
run 3 check HEAD~2..HEAD -b a --build=false --results="$scratch/empty" && [ ! -e "$scratch/empty/results.json" ]
verdict "what fails leaves no older results" $?
echo '{}' >"$scratch/empty/results.json"
run 2 check HEAD~2..HEAD -b a --results="$scratch/empty" && says 'not written by irdiff' &&
	[ "$(cat "$scratch/empty/results.json")" = '{}' ]
verdict "… and replaces nobody else's" $?
run 2 check --shard=4/3 && says 'expected K/N'
verdict "there is no fourth of three" $?
run 2 check --shard=1/2 -- ./work && says '--shard cannot be used with -- COMMAND'
verdict "a command is no shard" $?

# ---- launchers ----

cp ../irdiff.yml irdiff.yml
git commit -qam "Few"
echo >>work.c; git commit -qam "The same"
rm -rf .irdiff "$scratch/launched"
cat >"$scratch/launch" <<-END
	#!/bin/sh
	echo "\$1|\$3" >>'$scratch/launched'
	shift
	"\$@"
	exit 0
END
printf '#!/bin/sh\nexit 0\n' >"$scratch/never"
printf '#!/bin/sh\necho no machine is free >&2\nexit 9\n' >"$scratch/refuses"
printf '#!/bin/sh\n[ -e "%s" ] || { : >"%s"; kill -9 $$; }\nexec "$@"\n' "$scratch/died" "$scratch/died" >"$scratch/dies"
# Interrupts the worker as soon as it runs something, the first time.
cat >"$scratch/preempts" <<-END
	#!/bin/sh
	[ ! -e "$scratch/preempted" ] || exec "\$@"
	: >"$scratch/preempted"
	"\$@" &
	while kill -0 \$! && ! pgrep -P \$! >/dev/null; do :; done
	kill -TERM \$!
	wait \$!
END
chmod +x "$scratch/launch" "$scratch/never" "$scratch/refuses" "$scratch/dies" "$scratch/preempts"
run 0 check HEAD~1..HEAD --fresh --launcher="$scratch/launch 'two words'" --format=json -o "$scratch/launched.json" -j2
verdict "a launcher" $?
[ "$(grep -c '^two words|--worker$' "$scratch/launched")" -eq 8 ]
verdict "… starts every measurement, with the words it was given" $?
[ "$(ls .irdiff)" = "$(printf 'cache\nframes\nhistory.checked\nhistory.db\nlast\nlock\nprofiles\nsecret\ntmp')" ] && nothing_is_left
verdict "… and nothing is left" $?
run 0 check HEAD~1..HEAD --fresh --format=json -o "$scratch/here.json"
report "$scratch/here.json" >"$scratch/here.txt"
report "$scratch/launched.json" | cmp - "$scratch/here.txt"
verdict "… with the counts of here" $?
sed 's/^limits/  bad: {command: .\/work fail bad}\nlimits/' ../irdiff.yml >irdiff.yml
run 3 check HEAD --fresh --launcher="$scratch/launch x" && says 'FAILED  bad' && says 'one line of bad'
verdict "a launcher that loses exit codes" $?
run 3 profile small --launcher="$scratch/never" && says 'left no result'
verdict "a launcher that runs nothing" $?
run 3 profile small --launcher="$scratch/refuses" && says 'no machine is free' && says 'ended with status 9'
verdict "a launcher that fails" $?
mkdir many
(cd many && {
	echo 'benchmarks:'
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
		echo "  b$i: {command: ../work $i}"
	done
} >irdiff.yml && run 3 profile '*' --launcher="$scratch/refuses" -j11 &&
	says 'left no result for the first ' && says 'try it with a short command')
verdict "… every time is not asked for all benchmarks" $?
rm -r many
run 0 check HEAD~1..HEAD --fresh --launcher="$scratch/dies" && says 'dies was killed by signal 9 and left no result; it is started again' && says 'PASS'
verdict "a launcher whose machine dies is started again" $?
run 0 check HEAD~1..HEAD --fresh -j1 --launcher="$scratch/preempts" && says 'interrupted by signal 15' &&
	says 'preempts ended with status 143; it is started again' && says 'PASS'
verdict "… and one whose machine interrupts the worker before" $?
run 2 profile small --launcher='no-such-launcher -n1' && says 'command not found'
verdict "a launcher that is not there" $?
run 2 profile small --launcher='srun | tee' && says 'is shell syntax'
verdict "a launcher is no shell command" $?
IRDIFF_LAUNCHER="$scratch/launch x" run 0 profile small && says 'main'
verdict "a launcher of the environment, for one benchmark" $?

if has parallel "GNU parallel as a launcher"; then
	mkdir -p "$HOME/.parallel" && touch "$HOME/.parallel/will-cite"
	cat >"$scratch/gnu" <<-'END'
		#!/bin/sh
		printf '%s\n' "$*" | parallel --will-cite -j1
	END
	chmod +x "$scratch/gnu"
	git checkout -q irdiff.yml
	run 0 check HEAD~1..HEAD --fresh --launcher="$scratch/gnu" -j2 --format=json -o "$scratch/launched.json"
	verdict "GNU parallel launches" $?
	report "$scratch/launched.json" | cmp - "$scratch/here.txt"
	verdict "… with the counts of here" $?
	run 0 check HEAD~1..HEAD --fresh --launcher="sem --will-cite --fg --id irdiff-$$ -j2" -j4
	verdict "sem launches" $?
fi

echo "$failures failed"
[ "$failures" -eq 0 ]
