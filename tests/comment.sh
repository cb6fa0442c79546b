#!/bin/sh
# Usage: tests/comment.sh
#
# `irdiff comment` against a mock of GitHub and GitLab on this machine (tests/remote): what it creates
# and updates, what happens when the service fails in every way, and that no token is ever shown.
set -eu
. "$(dirname "$0")/skip.sh"
LC_ALL=C.UTF-8
export LC_ALL
source_dir=$(CDPATH='' cd "${srcdir:-.}" && pwd)
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")

needs python3
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-comment.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
cd "$scratch"
PYTHONDONTWRITEBYTECODE=1 python3 "$source_dir/tests/remote/comment.py" "$irdiff"
