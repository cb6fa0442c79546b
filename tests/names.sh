#!/bin/sh
# Usage: tests/names.sh [DIRECTORY]
#
# Checks that static functions, structures, unions and enumerations have names that no other file defines:
# a profile, a debugger and a search name one place each. Prints those that are defined twice.
set -eu
LC_ALL=C
export LC_ALL
cd "${1:-${srcdir:-.}}"

find callgrind freeze src -type f -name '*.[ch]' | sort | xargs awk '
function define(name) {
	if (name in at && index(at[name], FILENAME ":") != 1) {
		printf "%s:%d: %s is also defined in %s\n", FILENAME, line, name, at[name]
		twice++
	} else
		at[name] = FILENAME ":" line
	defined++
}

FNR == 1 { head = "" }

/^(struct|enum|union) [A-Za-z_0-9]+ \{$/ {
	line = FNR
	define($1 " " $2)
}

# A definition is a head, of one line or more, and a brace in a line of its own.
/^static [^=;]*$/ {
	head = $0
	line = FNR
}
head != "" && FNR > line && head !~ /\(/ { head = head " " $0 }
/;$/ { head = "" }
/^\{/ && head != "" {
	sub(/\(.*/, "", head)
	sub(/.*[ *]/, "", head)
	define(head)
	head = ""
}
END {
	if (!defined) {
		print "no definitions found"
		exit 1
	}
	exit twice > 0
}'
