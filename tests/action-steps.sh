#!/bin/sh
# Usage: tests/action-steps.sh
#
# The steps of action.yml, run as GitHub runs them, in a repository whose last commit made one of two
# benchmarks slower: what fails the job, what is said, and what an input cannot do. Of its steps only the
# installation and the cache are left out.
set -u
. "$(dirname "$0")/repository.sh"
needs bash valgrind python3
python3 -c 'import yaml' 2>/dev/null || skip_all "python3 has no module yaml (apt-get install python3-yaml)"

mkdir "$scratch/steps" "$scratch/bin" "$scratch/project"
ln -s "$irdiff" "$scratch/bin/irdiff"
python3 - "$source_dir/action.yml" "$scratch/steps" <<'END' || exit 1
import sys, yaml
for step in yaml.safe_load(open(sys.argv[1]))["runs"]["steps"]:
    if "run" in step:
        open(f"{sys.argv[2]}/{step['name'].split()[0]}", "w").write(step["run"])
END

cd "$scratch/project" || exit 1
git init -q .
cat >irdiff.yml <<END
build:
  command: $static -g -O1 -o work work.c
  shell: true
benchmarks:
  grows: {command: [./work, grows]}
  stays: {command: ./work}
limits: {Ir: "+1%"}
END
for rounds in 100 100000; do
	cat >work.c <<-END
		int main(int argc, char **argv)
		{
			(void)argv;
			for (volatile int i = 0; argc > 1 && i < $rounds; i++)
				;
			return 0;
		}
	END
	git add -A
	git commit -qm "$rounds rounds"
done

# step NAME VARIABLE=VALUE...: its exit code is $got, what it says is in out and err.
step() {
	file=$scratch/steps/$1
	shift
	got=0
	env PATH="$scratch/bin:$PATH" GITHUB_ACTIONS=true GITHUB_OUTPUT="$scratch/output" \
		GITHUB_STEP_SUMMARY="$scratch/summary" "$@" \
		bash --noprofile --norc -eo pipefail "$file" >"$scratch/out" 2>"$scratch/err" || got=$?
}

# compares STATUS BASE BENCHES: the step fails in no case; its output is the status.
compares() {
	: >"$scratch/output"
	: >"$scratch/summary"
	step Compare BASE="$2" BENCHES="$3"
	[ "$got" -eq 0 ] && [ "$(cat "$scratch/output")" = "status=$1" ]
}

# verdict_is CODE STATUS FAIL
verdict_is() {
	step Verdict STATUS="$2" FAIL="$3"
	[ "$got" -eq "$1" ]
}

compares 1 HEAD~1 ''
verdict "a broken limit is status 1" $?
says '::error'
verdict "… and annotated" $?
grep -q grows "$scratch/summary" && [ -s .irdiff/last/report.md ]
verdict "… with a summary, and a report for the comment" $?
! grep -q '^of: B' .irdiff/cache/*/key.txt
verdict "… and builds see no variables of the step, which would keep other jobs from using what it measured" $?
compares 0 HEAD~1 stays
verdict "a benchmark alone, which is fine" $?
compares 1 HEAD~1 "$(printf 'stays\n\ngrow*\n')"
verdict "several, one in a line" $?
compares 2 no-such-branch ''
verdict "a base that is not there is status 2" $?
grep -q 'exit code 2' .irdiff/last/report.md && ! grep -q grows .irdiff/last/report.md
verdict "… and the report of the run before is not commented" $?
compares 2 "HEAD~1; touch $scratch/run" "\$(touch $scratch/run)"
verdict "an input is a name" $?
[ ! -e "$scratch/run" ]
verdict "… and is not run" $?
step Compare BASE=--version BENCHES=
[ "$got" -eq 2 ] && says 'begins with a dash'
verdict "a base that is an option is refused" $?

# chooses COMMENT FAIL STORE LINE...: these are its outputs.
chooses() {
	: >"$scratch/output"
	step Options COMMENT="$1" FAIL="$2" STORE="$3"
	shift 3
	[ "$got" -eq 0 ] && [ "$(cat "$scratch/output")" = "$(printf '%s\n' "$@")" ]
}

chooses true true no comment=true fail=true store=no && chooses FALSE False FETCH comment=false fail=false store=fetch &&
	chooses '' '' '' comment=true fail=true store=no
verdict "inputs may have capital letters, or be empty" $?
for input in yes no 0 flase 'true ' "$(printf 'false\ntrue')"; do
	step Options COMMENT=true FAIL="$input" STORE=no
	shown=$(printf %s "$input" | tr '\n' '?')
	[ "$got" -eq 2 ] && says "::error::fail: expected one of: true false, but found '$shown'"
	verdict "… but not be '$shown'" $?
done
step Options COMMENT=ture FAIL=true STORE=no
[ "$got" -eq 2 ] && says "::error::comment: expected one of: true false, but found 'ture'"
verdict "… nor a comment 'ture'" $?
step Options COMMENT=true FAIL=true STORE=pull
[ "$got" -eq 2 ] && says "::error::store: expected one of: no fetch push, but found 'pull'"
verdict "… nor a store 'pull'" $?
verdict_is 1 1 '' && verdict_is 1 1 FALSE
verdict "a broken limit fails the job unless that is allowed in so many letters" $?

verdict_is 1 1 true && verdict_is 0 1 false && says '::warning::A limit is exceeded'
verdict "a broken limit fails the job, unless that is allowed" $?
verdict_is 0 0 true && verdict_is 2 2 false && verdict_is 3 3 false && verdict_is 4 4 false
verdict "what cannot be measured always does" $?

step Fetch
[ "$got" -eq 0 ] && says '::warning::cannot fetch results'
verdict "without a remote, results are not fetched, and that is all" $?
step Push
[ "$got" -eq 0 ] && says '::warning::cannot push results'
verdict "… nor pushed" $?

[ "$failures" -eq 0 ]
