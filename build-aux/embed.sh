#!/bin/sh
# Usage: build-aux/embed.sh NAME FILE... >FILE.c
#
# Prints C source with the bytes of the files, one after the other, as an array:
#
#     extern const char NAME[];        the bytes, and a 0 after them
#     extern const size_t NAME_size;   how many they are, without the 0
#
# Whoever uses them declares both. Made with what every system has that runs configure: building
# for another machine needs no program for this one. An array, because compilers need not take
# strings of more than 4095 characters.
set -eu
LC_ALL=C
export LC_ALL

if [ $# -lt 2 ]; then
	echo "usage: embed.sh NAME FILE..." >&2
	exit 2
fi
name=$1
shift
case $name in
'' | [0-9]* | *[!A-Za-z0-9_]*)
	echo "embed.sh: '$name' is no name of a variable" >&2
	exit 2
	;;
esac
# cat's own failure would be lost in the pipeline, and what it wrote before that is no whole file.
for file; do
	if ! [ -f "$file" ] || ! [ -r "$file" ]; then
		echo "embed.sh: cannot read $file" >&2
		exit 1
	fi
done
size=$(cat -- "$@" | wc -c)

# Character constants, not numbers: they fit a char whether it has a sign or not.
cat -- "$@" | od -An -v -to1 | awk -v name="$name" -v size="$size" '
BEGIN {
	print "/* Made by build-aux/embed.sh. */"
	print "#include <stddef.h>"
	print ""
	print "extern const char " name "[];"
	print "extern const size_t " name "_size;"
	print ""
	print "const char " name "[] = {"
}

{
	line = ""
	for (i = 1; i <= NF; i++)
		line = line "\047\\" $i "\047,"
	print line
	n += NF
}

END {
	print "0"
	print "};"
	print "const size_t " name "_size = " n + 0 ";"
	exit n != size
}'
