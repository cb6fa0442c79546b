#!/bin/sh
# Usage: tests/release.sh
#
# build-aux/tar.sh makes the same archive of the same files, whatever their times, their owners' umask and the order
# in which they were made. `make check-release` does the same with the whole release.
set -eu
. "$(dirname "$0")/scratch.sh"
: >"$scratch/out"
: >"$scratch/err"

# files DIRECTORY UMASK NAME...: a release of these files, the last one a program.
files() {
	directory=$1 mask=$2
	shift 2
	(
		umask "$mask"
		mkdir -p "$scratch/$directory/irdiff-1/b"
		cd "$scratch/$directory/irdiff-1"
		for name; do
			echo "$name" >"$name"
		done
		chmod u+x b/program
	)
}

# archive DIRECTORY VARIABLE=VALUE...
archive() {
	(
		cd "$scratch/$1"
		shift
		env "$@" sh "$source_dir/build-aux/tar.sh" irdiff-1
	)
}

files one 022 a b/c b/B Z b/program
files two 077 Z b/program b/B b/c a
touch -d 2001-02-03 "$scratch/two/irdiff-1/a"

archive one SOURCE_DATE_EPOCH=1700000000 LC_ALL=C >"$scratch/one.tar"
archive two SOURCE_DATE_EPOCH=1700000000 LC_ALL=C.UTF-8 TZ=Asia/Tokyo >"$scratch/two.tar"
check "the same files are the same archive" cmp "$scratch/one.tar" "$scratch/two.tar"
archive two SOURCE_DATE_EPOCH=1700000001 >"$scratch/later.tar"
check "another time is another archive" sh -c '! cmp -s "$0" "$1"' "$scratch/one.tar" "$scratch/later.tar"
archive one -u SOURCE_DATE_EPOCH >"$scratch/now.tar"
archive two -u SOURCE_DATE_EPOCH >"$scratch/then.tar"
check "without a time it is that of the commit or of the release" cmp "$scratch/now.tar" "$scratch/then.tar"

tar tvf "$scratch/one.tar" --numeric-owner --full-time >"$scratch/list"
check "owners are numbers" [ "$(grep -c ' 0/0 ' "$scratch/list")" -eq 7 ]
check "all may read, programs remain programs" grep -q '^-rwxr-xr-x .* irdiff-1/b/program$' "$scratch/list"
check "other files are none" [ "$(grep -c '^-rw-r--r-- ' "$scratch/list")" -eq 4 ]

finish
