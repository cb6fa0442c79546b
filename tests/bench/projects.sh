#!/bin/sh
# Usage: tests/bench/projects.sh [--project=PATTERN] [--keep=DIRECTORY] [--tsv=FILE] [--again=STEP]
#
# How irdiff does in real projects, as their authors have published them: fetches a project from a package
# registry, commits it to a new repository, lets `irdiff init` write irdiff.yml, and runs `irdiff check` three
# times, each time with one commit more than base:
#
#	unchanged  a file is added that nothing reads
#	planted    a function of the project does more work, or does it more often
#	unrelated  a comment, a text or a function that is not called changes
#
# irdiff.yml stays as init wrote it. To save time, only one benchmark or case of it is measured: the first that
# runs in half a minute or less under Valgrind and executes the planted function. Run in the directory of
# a build; needs Valgrind, git, jq, the network, and what projects/*.list says for each project. A project
# for which something is missing is left out, and that is said.
#
# --project takes only the projects whose names match a pattern of the shell. --keep keeps what was fetched,
# built and measured; a step is repeated only if the edit in the list has changed, or if --again names it
# (init: all steps). --tsv also writes the table to a file. PYTHON is the interpreter for projects in Python,
# python3 if not set; functions of Python are named from 3.12 on.
#
# projects/*.list says what is fetched and planted; here are the columns:
#
#	init       what init recognized, and how many benchmarks (b) or tests (t) it wrote
#	build      whether its build command builds the project
#	unchanged  "green": exit status 0, no function changed, and no remark or warning; "~": the counts differ
#	           by chance, by so little that nothing is shown
#	planted    the change of the total, in %; "-" if the check did not fail
#	named      the first cause that names the planted function, as the one that does more, that is called
#	           more often, or that calls more; - if none does
#	share      of the change in all causes that name it, in %
#	unrelated  "silent", or the change of the total in %
#	s          seconds of all steps, when they were last done
#	good       whether all is as it should be: built, green, failed by the first cause with a share of
#	           90 to 110 %, and silent
#
# The exit status is 1 if more than two projects are not good, or could not be fetched or edited.
set -eu
LC_ALL=C.UTF-8
export LC_ALL

fail() {
	echo "projects.sh: $*" >&2
	exit 2
}

here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")
python=$(command -v "${PYTHON:-python3}" || :)
keep='' wanted='*' tsv='' again=''

for option; do
	value=${option#*=}
	case $option in
	--keep=?*) keep=$value ;;
	--project=?*) wanted=$value ;;
	--tsv=?*) tsv=$value ;;
	--again=?*) again=$value ;;
	*) fail "'$option' is no option; see the first lines of this script" ;;
	esac
done
case $again in
'' | init | unchanged | planted | unrelated) ;;
*) fail "--again=$again: no such step" ;;
esac
for tool in "$irdiff" valgrind git jq; do
	command -v "$tool" >/dev/null || fail "$tool is missing"
done

temporary=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-projects.XXXXXX")
trap 'rm -rf "$temporary"' EXIT
trap 'exit 130' INT TERM HUP
scratch=${keep:-$temporary/projects}
mkdir -p "$scratch"
scratch=$(CDPATH='' cd "$scratch" && pwd)
# The repositories are no part of one that is around them, and nothing of the user's git applies.
GIT_CEILING_DIRECTORIES=$scratch GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
GIT_AUTHOR_NAME=projects GIT_AUTHOR_EMAIL=projects@localhost
GIT_COMMITTER_NAME=projects GIT_COMMITTER_EMAIL=projects@localhost
export GIT_CEILING_DIRECTORIES GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
# Of an interpreter that a wrapper starts, the real one: irdiff measures what runs.
[ -z "$python" ] || python=$("$python" -c 'import sys; print(sys.executable)')

# ---- fetching: each fetch_REGISTRY PACKAGE VERSION DIRECTORY leaves the unpacked project there ----

# unpack ARCHIVE DIRECTORY
unpack() {
	mkdir -p "$2"
	tar -xf "$1" -C "$2" --strip-components=1
}

# The source as its authors have published it, without what Debian adds. The lists of apt are our own,
# because few machines list sources.
fetch_deb() {
	if [ ! -d "$scratch/apt/lists" ]; then
		mkdir -p "$scratch/apt/lists/partial"
		cat >"$scratch/apt/debian.sources" <<-END
			Types: deb-src
			URIs: http://deb.debian.org/debian
			Suites: $2
			Components: main
			Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
		END
		cat >"$scratch/apt/apt.conf" <<-END
			Dir::Etc::SourceList "$scratch/apt/debian.sources";
			Dir::Etc::SourceParts "/dev/null";
			Dir::State::Lists "$scratch/apt/lists";
			Dir::Cache::pkgcache "";
			Dir::Cache::srcpkgcache "";
			APT::Sandbox::User "";
		END
		APT_CONFIG=$scratch/apt/apt.conf apt-get -qq update || return
	fi
	mkdir -p "$temporary/fetched" &&
		(cd "$temporary/fetched" && APT_CONFIG=$scratch/apt/apt.conf apt-get -qq source --download-only "$1") &&
		unpack "$temporary/fetched/$1"_*.orig.tar.*[z2] "$3"
}

fetch_crate() {
	mkdir -p "$temporary/fetched/src" && : >"$temporary/fetched/src/lib.rs" &&
		printf '[package]\nname = "fetched"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n%s = "=%s"\n' \
			"$1" "$2" >"$temporary/fetched/Cargo.toml" &&
		(cd "$temporary/fetched" && cargo fetch --quiet) &&
		unpack "${CARGO_HOME:-$HOME/.cargo}"/registry/cache/*/"$1-$2".crate "$3"
}

fetch_pypi() {
	mkdir -p "$temporary/fetched" &&
		"$python" -m pip --disable-pip-version-check download --quiet --no-deps --no-binary :all: \
			--dest "$temporary/fetched" "$1==$2" &&
		unpack "$temporary/fetched"/*.tar.gz "$3"
}

fetch_npm() {
	mkdir -p "$temporary/fetched" && (cd "$temporary/fetched" && npm pack --silent "$1@$2" >/dev/null) &&
		unpack "$temporary/fetched"/*.tgz "$3"
}

fetch_go() {
	directory=$(cd / && go mod download -json "$1@$2" | jq -er .Dir) && cp -r "$directory" "$3" && chmod -R u+w "$3"
}

# ---- the steps ----

# done_already STEP: also with the same edit.
done_already() {
	[ "$again" != init ] && [ "$again" != "$1" ] && [ -f "$1.status" ] && cmp -s "$temporary/$1" "$1.edit"
}

# begin STEP and end STEP STATUS: what was edited, how it ended, and how long that took.
begin() {
	started=$(date +%s)
	rm -f "$1.status"
}
end() {
	echo $(($(date +%s) - started)) >"$1.seconds"
	cp "$temporary/$1" "$1.edit"
	echo "$2" >"$1.status"
}

commit() {
	git -C work add -A -f && git -C work commit -q -m "$1"
}

# Unpacks the project, and lets init write irdiff.yml; the tag base is what all is compared with.
set_up() {
	begin init
	rm -rf work "$temporary/fetched"
	for step in unchanged planted unrelated; do
		rm -f "$step.status"
	done
	status=0
	"fetch_$registry" "$package" "$version" "$PWD/work" >fetch.log 2>&1 || fail "$name: cannot be fetched: $(tail -n 1 fetch.log)"
	git -C work init -q && commit 'as it was published'
	(cd "work/$below" && "$irdiff" init --ci=none) >init.out 2>init.err || status=$?
	# It says what belongs to .gitignore.
	sed -n 's/^ *[0-9]\. Commit .*; add \(.*\) to \.gitignore\.$/\1/p' init.out | sed 's/ and /, /; s/, /\n/g' >>work/.git/info/exclude
	[ "$status" -ne 0 ] || {
		git -C work add -A && git -C work commit -q -m 'irdiff init' && git -C work tag base
	} || status=$?
	end init "$status"
}

# edit STEP: edits the work tree by the list.
edit() {
	number=0
	while read -r edited; do
		number=$((number + 1))
		[ -f "work/$edited" ] || fail "$name: no $edited"
		cp "work/$edited" "$temporary/before"
		sed -E -i -f "$temporary/edits/$1/$number" "work/$edited" || fail "$name: sed failed"
		! cmp -s "work/$edited" "$temporary/before" || fail "$name: $edited is not as expected: nothing to edit for $1"
	done <"$temporary/edits/$1/files"
}

# check STEP: commits the change on base, and checks it.
check() {
	begin "$1"
	git -C work checkout -q -f -B "$1" base
	if [ "$1" = unchanged ]; then
		echo 'Nothing reads this.' >work/unchanged.txt
	else
		edit "$1"
	fi
	git -C work add -A && git -C work commit -q -m "$1"
	status=0
	(cd "work/$below" && "$irdiff" check base -b "$benchmark" --format=json) >"$1.json" 2>"$1.err" </dev/null || status=$?
	end "$1" "$status"
}

# ---- judging ----

# Whether the build failed, as irdiff says it.
build_result() {
	if grep -q '^irdiff: .*build' unchanged.err && [ "$(cat unchanged.status)" -eq 3 ]; then
		echo failed
	else
		echo ok
	fi
}

# recognized: "CMake 12t"
recognized() {
	awk 'NR == 1 {
			kind = $0
			sub(/^Found /, "", kind)
			sub(/ \(.*|,.*| and (no|these) bench.*/, "", kind)
			mark = /tests are measured/ ? "t" : "b"
		}
		/^  [^ ].* in / { number++ }
		$1 == "and" && $3 == "more," { number += $2 }
		/^Wrote/ { exit }
		END { printf "%s %d%s\n", kind, number, mark }' init.out
}

judge() {
	for step in unchanged planted unrelated; do
		status=-
		[ ! -f "$step.status" ] || status=$(cat "$step.status")
		jq -s --arg status "$status" --arg warnings "$(grep -c '^irdiff: warning' "$step.err" 2>/dev/null || :)" \
			'{ status: $status, warnings: ($warnings | tonumber? // 0), suite: (.[0] // { benchmarks: [] }) }' \
			"$step.json" 2>/dev/null || echo '{ "status": "-", "warnings": 0, "suite": { "benchmarks": [] } }'
	done >"$temporary/steps.json"
	jq -rs --arg planted "$function" -f "$here/projects/judge.jq" "$temporary/steps.json" >"$temporary/judged" ||
		fail "$name cannot be judged"
	seconds=$(cat ./*.seconds | awk '{ sum += $1 } END { print sum }')
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$language" "$(recognized)" "$benchmark" "$(build_result)" \
		"$function" "$seconds" "$(cat "$temporary/judged")" |
		awk -F '\t' -v OFS='\t' '{
			good = $5 == "ok" && $8 ~ /^green/ && $9 != "-" && $10 == 1 && $11 >= 90 && $11 <= 110 && $12 ~ /^silent/
			print $0, good ? "yes" : "NO"
		}' >"$temporary/row"
	cat "$temporary/row" >>"$temporary/table"
	awk -F '\t' '{
		printf "%-18s%-8s%-24s%-8s%-11s%9s%6s%7s  %-11s%5d  %-5s%s\n", $1, $2, $3, $5, $8, $9, $10, $11, $12, $7,
			$13, $4 ": " $6
	}' "$temporary/row"
}

# ---- all projects ----

is_wanted() {
	# shellcheck disable=SC2254 # a pattern
	case $name in
	$wanted) ;;
	*) return 1 ;;
	esac
	for tool in $needs; do
		[ "$tool" != python ] || tool=$python
		command -v "${tool:-python3}" >/dev/null || {
			echo "$name: left out: no $tool"
			return 1
		}
	done
}

# The lines of one project: "key value", and the edits as $temporary/edits/STEP/files and their numbers.
read_project() {
	below=. needs='' registry='' package='' version='' benchmark='' function=''
	rm -rf "$temporary/edits"
	mkdir -p "$temporary/edits/planted" "$temporary/edits/unrelated"
	awk -v name="$name" -v directory="$temporary/edits" '
		$1 == "project" { found = $2 == name; next }
		!found || !sub(/^\t/, "") { next }
		/^(needs|below|fetch|bench) / && !step { print >(directory "/settings"); next }
		/^(planted|unrelated) / { step = $1; files = 0
			if (step == "planted") print "function", $2 >(directory "/settings"); next }
		/^in [^ ]+$/ { files++; print $2 >(directory "/" step "/files"); next }
		{ print >(directory "/" step "/" files) }' "$temporary/list"
	while read -r key first second third; do
		case $key in
		needs) needs="$first $second $third" ;;
		below) below=$first ;;
		fetch) registry=$first package=$second version=$third ;;
		bench) benchmark=$first ;;
		function) function=$first ;;
		esac
	done <"$temporary/edits/settings"
}

run_project() {
	mkdir -p "$scratch/$name"
	cd "$scratch/$name"
	: >"$temporary/unchanged"
	echo "$registry $package $version $below" >"$temporary/init"
	for step in planted unrelated; do
		find "$temporary/edits/$step" -type f | LC_ALL=C sort | xargs -r cat >"$temporary/$step"
	done
	done_already init || set_up
	if [ "$(cat init.status)" -eq 0 ]; then
		for step in unchanged planted unrelated; do
			[ -s "$temporary/$step" ] || [ "$step" = unchanged ] || continue
			echo "$benchmark" >>"$temporary/$step"
			done_already "$step" || check "$step"
		done
	fi
	judge
}

printf 'project\tlanguage\tinit\tbenchmark\tbuild\tfunction\tseconds\tunchanged\tplanted\tnamed\tshare\tunrelated\tgood\n' >"$temporary/table"
printf '%-18s%-8s%-24s%-8s%-11s%9s%6s%7s  %-11s%5s  %-5s%s\n' project '' init build unchanged 'planted %' named \
	'share %' unrelated s good 'benchmark: planted function'
cat "$here"/projects/*.list >"$temporary/list"
sed -n 's/^project //p' "$temporary/list" >"$temporary/names"
[ "$(cut -d' ' -f1 "$temporary/names" | sort | uniq -d)" = '' ] || fail "two projects have one name"
[ -z "$python" ] || PATH=$(dirname "$python"):$PATH
: >"$temporary/failed"
while read -r name language <&3; do
	read_project
	is_wanted || continue
	(run_project) || {
		[ $? -eq 2 ] || exit
		echo "$name" >>"$temporary/failed"
	}
done 3<"$temporary/names"
[ "$(cat "$temporary/table" "$temporary/failed" | wc -l)" -gt 1 ] || fail "no project is called $wanted"
[ -z "$tsv" ] || cp "$temporary/table" "$tsv"
awk -F '\t' 'FILENAME ~ /failed$/ || $NF == "NO" { bad++ } END { exit bad > 2 }' "$temporary/table" "$temporary/failed"
