#!/bin/sh
# Usage: tests/manual.sh
#
# The manual and --help tell of the same options: of every command, the options that --help lists
# are those that its page describes, and irdiff(1) names every command.
set -eu
LC_ALL=C
export LC_ALL
srcdir=${srcdir:-.}
irdiff=${IRDIFF:-./irdiff}
wrong=0

commands=$("$irdiff" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p')
[ -n "$commands" ] || {
	echo "irdiff --help lists no commands" >&2
	exit 1
}
for command in $commands; do
	page=$srcdir/man/irdiff-$command.1
	helped=$("$irdiff" "$command" --help | sed -n 's/^  \(-., \|    \)--\([a-z-]*\).*/\2/p' | sort)
	described=$(sed -n 's/^\.It Fl \([a-zA-Z] , Fl \)\{0,1\}-\([a-z-]*\).*/\2/p' "$page" | sort)
	if [ -z "$helped" ] || [ "$helped" != "$described" ]; then
		echo "$command: --help and $page differ:"
		echo "  help:" $helped
		echo "  page:" $described
		wrong=1
	fi
	grep -q "irdiff-$command 1" "$srcdir/man/irdiff.1" || {
		echo "man/irdiff.1 does not name irdiff-$command"
		wrong=1
	}
done
exit $wrong
