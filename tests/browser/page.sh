#!/bin/sh
# Usage: tests/browser/page.sh [PAGE.html...]
#
# The page of the HTML report does in Chromium what it should: tests/browser/page.py says what.
# Needs python3 with selenium, chromium and chromium-driver.
set -eu
. "$(dirname "$0")/../skip.sh"
LC_ALL=C.UTF-8
export LC_ALL
directory=$(CDPATH='' cd "$(dirname "$0")" && pwd)

# Debian's modules are those of its own python3, which need not be the first in the PATH.
for python in python3 /usr/bin/python3; do
	if "$python" -c 'import selenium.webdriver' 2>/dev/null; then
		exec "$python" "$directory/page.py" "$@"
	fi
done
skip_all "python3 has no module selenium (apt-get install python3-selenium)"
