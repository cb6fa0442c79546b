#!/bin/sh
# Usage: tests/format.sh [--fix]
#
# Every C file is formatted as .clang-format says. Versions of clang-format differ, so it is version 14, which Debian
# 12 has; where that is not installed, this is skipped. --fix formats what is not.
set -eu
. "$(dirname "$0")/skip.sh"
cd "${srcdir:-.}"

formatter=$(command -v clang-format-14 || command -v clang-format || :)
case $([ -z "$formatter" ] || "$formatter" --version) in
*"version 14."*) ;;
*)
	skip_all "clang-format 14 is not installed"
	;;
esac
how='--dry-run -Werror'
[ "${1-}" != --fix ] || how=-i
find src callgrind freeze tests/unit tests/bench tests/fuzz -name '*.[ch]' ! -path '*/planted/*' -print0 |
	xargs -0 -n 50 "$formatter" $how --style=file
echo "every file is formatted"
