# Sourced by tests that try irdiff on repositories of git:  . "$(dirname "$0")/repository.sh"
#
# What scratch.sh sets, and git knows nobody's settings but ours. `run` runs irdiff, `says` looks at what
# it said, `verdict` counts what failed.

. "$(dirname "$0")/scratch.sh"
needs git
# Whatever CI system runs a test is not the one that is meant.
for name in $(env | sed -n 's/^\(GITHUB_[A-Z_]*\|CI_[A-Z_]*\|BITBUCKET_[A-Z_]*\)=.*/\1/p'); do
	unset "$name"
done
# Nor is the repository whose hook runs a test.
unset $(git rev-parse --local-env-vars)
HOME=$scratch/home GIT_CONFIG_NOSYSTEM=1
export HOME GIT_CONFIG_NOSYSTEM
mkdir "$HOME"
git config --global user.name Tester
git config --global user.email tester@example.org
git config --global init.defaultBranch main
git config --global protocol.file.allow always
failures=0

# verdict WHAT STATUS: a line for each thing that was tried.
verdict() {
	if [ "$2" -eq 0 ]; then
		echo "ok      $1"
	else
		echo "FAILED  $1"
		sed 's/^/  | /' "$scratch/out" "$scratch/err"
		failures=$((failures + 1))
	fi
}

# run EXIT-CODE ARGUMENTS...: what irdiff says goes to out and err.
run() {
	wanted=$1
	shift
	got=0
	"$irdiff" "$@" >"$scratch/out" 2>"$scratch/err" || got=$?
	[ "$got" -eq "$wanted" ]
}

# sum_up DIRECTORY: an entry of the cache is whole, whatever was edited in it.
sum_up() {
	(cd "$1" && sed 's/^[0-9a-f]* *//' sums.txt | xargs sha256sum >sums.new && mv sums.new sums.txt)
}

# of_another_cpu DIRECTORY: an entry of the cache was measured on another CPU.
of_another_cpu() {
	sed -i 's/^desc: irdiff.env.cpu: .*/desc: irdiff.env.cpu: another/' "$1/profile.callgrind"
	for copy in "$1"/*.callgrind.zst; do
		cp --remove-destination "$1/profile.callgrind" "$copy"
	done
	sum_up "$1"
}

says() {
	grep -qF -- "$1" "$scratch/out" "$scratch/err"
}

# report FILE: what a report in JSON says but for when it was measured, and where.
report() {
	jq --arg place "^$scratch/[a-z0-9]*/" 'walk(
		if type == "object" then del(.written)
		elif type == "string" then sub($place; "") else . end)' "$1"
}
