#!/bin/sh
# Usage: tests/example.sh HOTTEST
#
# What the example of libcgprofile prints of a profile, data/examples/hottest.c built as HOTTEST, is what
# `irdiff show` does. `make installcheck` builds it as a user would, from what was installed. Needs jq.
set -eu
LC_ALL=C.UTF-8
export LC_ALL
data=$(CDPATH='' cd "$(dirname "$0")/data" && pwd)
irdiff=${IRDIFF:-./irdiff}
hottest=$1

if ! command -v jq >/dev/null; then
	echo "tests/example.sh: jq is not installed, so only that the example runs was tried"
	exec "$hottest" "$data/base.callgrind"
fi
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-example.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP

for name in base head cycle; do
	"$hottest" "$data/$name.callgrind" >"$scratch/printed"
	"$irdiff" show --inlines=no --threshold=0 --top=10 --format=json "$data/$name.callgrind" |
		jq -r '.sorted_by as $event | .functions[] | "\(.self[$event])\t\(.function)"' >"$scratch/shown"
	if [ ! -s "$scratch/printed" ] || ! diff "$scratch/shown" "$scratch/printed"; then
		echo "of $name.callgrind $irdiff (<) and $hottest (>) print different functions" >&2
		exit 1
	fi
done
