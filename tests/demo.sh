#!/bin/sh
# Usage: tests/demo.sh
#
# The demo does what it says: both versions are measured, and the difference is put on skip_field.
set -eu
LC_ALL=C
export LC_ALL

demo=${srcdir:-.}/data/demo/run
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-demo-test.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP

# With an option, as CC may come with some.
if ! CC="${CC:-gcc} -pipe" IRDIFF=$irdiff sh "$demo" "$scratch" >"$scratch/output" 2>&1; then
	cat "$scratch/output"
	echo "the demo failed"
	exit 1
fi
cat "$scratch/output"

# Of the functions named in the diff, the first is the one to blame.
first=$(sed -n '/^\$ irdiff diff /,$p' "$scratch/output" |
	grep -oE 'skip_field|get_field|parse_[a-z]+|hash_text' | head -n 1)
if [ "$first" != skip_field ]; then
	echo "the diff names ${first:-nothing} first, not skip_field"
	exit 1
fi
