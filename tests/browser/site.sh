#!/bin/sh
# Usage: tests/browser/site.sh [SITE...]
#
# The site of a history does in Chromium what it should: tests/browser/site.py says what. Sites that are named only
# get the checks that hold for every one. Needs python3 with selenium, chromium and chromium-driver.
set -eu
. "$(dirname "$0")/../skip.sh"
LC_ALL=C.UTF-8
export LC_ALL
directory=$(CDPATH='' cd "$(dirname "$0")" && pwd)

# Debian's modules are those of its own python3, which need not be the first in the PATH.
python=
for candidate in python3 /usr/bin/python3; do
	if "$candidate" -c 'import selenium.webdriver' 2>/dev/null; then
		python=$candidate
		break
	fi
done
[ -n "$python" ] || skip_all "python3 has no module selenium (apt-get install python3-selenium)"
[ $# = 0 ] || exec "$python" "$directory/site.py" "$@"
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-site-test.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
"$python" "$directory/../history-site/make.py" "$scratch/project"
cd "$scratch/project"
"$irdiff" history --import=rows >"$scratch/out"
"$irdiff" history --format=html -o site >"$scratch/out"
"$python" "$directory/site.py" --made site
