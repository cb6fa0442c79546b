#!/bin/sh
# Usage: build-aux/digest.sh NAME FILE... >FILE.c
#
# Prints C source with the SHA-256 of the files, one after the other, in base64, as a browser's
# content security policy wants it:
#
#     extern const char NAME[];
set -eu
LC_ALL=C
export LC_ALL

if [ $# -lt 2 ]; then
	echo "usage: digest.sh NAME FILE..." >&2
	exit 2
fi
name=$1
shift
for file; do
	if ! [ -f "$file" ] || ! [ -r "$file" ]; then
		echo "digest.sh: cannot read $file" >&2
		exit 1
	fi
done
if command -v sha256sum >/dev/null; then
	digest=$(cat -- "$@" | sha256sum)
elif command -v shasum >/dev/null; then
	digest=$(cat -- "$@" | shasum -a 256)
else
	echo "digest.sh: neither sha256sum nor shasum is there" >&2
	exit 1
fi

# Three hexadecimal digits are two of base64; the last one is one, and the padding.
echo "${digest%% *}" | awk -v name="$name" '
{
	hex = "0123456789abcdef"
	letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	if (length($0) != 64)
		exit 1
	for (i = 1; i <= 64; i += 3) {
		n = 0
		for (k = i; k < i + 3; k++)
			n = n * 16 + (k <= 64 ? index(hex, substr($0, k, 1)) - 1 : 0)
		out = out substr(letters, int(n / 64) + 1, 1)
		out = out (i < 64 ? substr(letters, n % 64 + 1, 1) : "=")
	}
	print "/* Made by build-aux/digest.sh. */"
	print "extern const char " name "[];"
	print "const char " name "[] = \"" out "\";"
}'
