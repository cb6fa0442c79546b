#!/bin/sh
# Usage: tests/listed.sh [DIRECTORY]
#
# Fails when a file of the project is in neither Makefile.am nor a sources.am that it includes: it would be
# missing from the build, from the tests or from the release. A file is listed by its path, by a directory
# above it, or, a unit test, by the name of its program. Also when a comment names a file that does not exist,
# when a library that setup installs is not in the lists of packages elsewhere, or when the top directory of the
# repository has a file that does not belong there.
set -eu
LC_ALL=C
export LC_ALL
cd "${1:-${srcdir:-.}}"

# The whole Makefile, with paths from the top directory.
makefile() {
	cat Makefile.am
	sed -n 's/^include //p' Makefile.am | while read -r part; do
		sed "s,%D%,${part%/*},g" "$part"
	done
}

{
	makefile
	echo "the files:"
	for dir in callgrind freeze src tests; do
		if [ -d "$dir" ]; then
			find "$dir" -type f -name '*.[ch]'
		fi
	done
	find tests -type f \( -name '*.sh' -o -name '*.case' -o -name '*.dict' \)
	for dir in data man tests/data tests/fuzz/seeds tests/fuzz/found; do
		if [ -d "$dir" ]; then
			find "$dir" -type f ! -name '*~'
		fi
	done
} | awk '
$0 == "the files:" {
	in_files = 1
	next
}

!in_files {
	sub(/#.*/, "")
	for (i = 1; i <= NF; i++)
		listed[$i] = 1
	next
}

{
	files++
	path = $0
	sub(/\.c$/, "", path)
	if (($0 in listed) || ($0 ~ /^tests\/unit\/test_/ && (path in listed)))
		next
	for (path = $0; sub(/\/[^\/]*$/, "", path);)
		if (path in listed)
			next
	print $0 " is not listed in Makefile.am or in a sources.am"
	missing++
}

END {
	if (missing > 0 || files == 0)
		exit 1
	print files " files are listed"
}
'

# A file that a comment names is there: by its path, or the end of it. Headers of the system stand in angle brackets.
{
	for dir in callgrind freeze src tests data man build-aux; do
		if [ -d "$dir" ]; then
			find "$dir" -type f -name '*.[ch]'
		fi
	done
	echo "the lines:"
	for dir in callgrind freeze src; do
		if [ -d "$dir" ]; then
			find "$dir" -type f -name '*.[ch]' -exec grep -nHE '(/\*|^[[:space:]]*\*|//).*[A-Za-z0-9_]\.[ch]([^A-Za-z0-9_+]|$)' {} +
		fi
	done
} | awk '
$0 == "the lines:" {
	in_lines = 1
	next
}

!in_lines {
	there[$0] = 1
	for (path = $0; sub(/^[^\/]*\//, "", path);)
		there[path] = 1
	next
}

{
	match($0, /^[^:]*:[0-9]*:/)
	place = substr($0, 1, RLENGTH)
	text = substr($0, RLENGTH + 1)
	if (match(text, /\/\*|\/\/|^[ \t]*\*/))
		text = substr(text, RSTART)
	gsub(/<[^<>]*>/, "", text)
	gsub(/"(\\.|[^"\\])*"/, "", text)
	count = split(text, words, /[^A-Za-z0-9_.\/-]+/)
	for (i = 1; i <= count; i++) {
		word = words[i]
		sub(/[.\/-]+$/, "", word)
		if (word !~ /^[A-Za-z0-9_.\/-]*[A-Za-z0-9_]\.[ch]$/ || word ~ /[A-Z][A-Z]/)
			continue # is none, or has a part to be filled in, as cmd_NAME.c
		if (!(word in there)) {
			print place " there is no file " word
			missing++
		}
		named++
	}
}

END {
	if (missing > 0)
		exit 1
	print named + 0 " files are named in comments"
}
'

# In the repository nothing new has come to the top directory, as a build directory may by mistake.
top=' .ci .clang-format .dockerignore .editorconfig .git-blame-ignore-revs .gitignore ARCHITECTURE.md
	CONTRIBUTING.md Containerfile LICENSE Makefile.am NEWS.md README.md action.yml build-aux callgrind
	configure.ac data debian freeze libcgprofile.pc.in man setup src tests '
if [ -e .git ]; then
	git ls-files | sed 's,/.*,,' | sort -u | while read -r entry; do
		if ! echo " $(echo $top) " | grep -qF -- " $entry "; then
			echo "$entry is committed, and not in the list in tests/listed.sh"
			exit 1
		fi
	done
fi

# A library that one list of packages has is missing nowhere else.
[ -e setup ] || exit 0
libraries=$(sed -n '/^to_test()/q; s/^[^|]*|[^|]*|\([a-z0-9.+-]*-dev\)|.*/\1/p' setup)
[ -n "$libraries" ]
missing=
for library in $libraries; do
	for list in debian/control Containerfile tests/packages.sh; do
		grep -qw -- "$library" "$list" || missing="$missing $library in $list;"
	done
done
if [ -n "$missing" ]; then
	echo "missing:$missing see setup" >&2
	exit 1
fi
echo "$(echo "$libraries" | wc -l) libraries are in every list of packages"
