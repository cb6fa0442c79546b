#!/bin/sh
# Usage: build-aux/tar.sh DIRECTORY >ARCHIVE
#
# The archive of a release, for `make dist`: the same bytes from the same commit, whoever makes it, whenever and
# wherever. All files have the time of SOURCE_DATE_EPOCH, or of the commit, or, in a release, that which the
# release has already; the order, the owner and the modes are the same everywhere.
set -eu
LC_ALL=C
TZ=UTC0
export LC_ALL TZ

source_dir=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
tar=${TAR:-tar}

"$tar" --version 2>/dev/null | grep -q 'GNU tar' || {
	echo "build-aux/tar.sh: $tar is not GNU tar, which a release is made by: set TAR to it" >&2
	exit 1
}

date=${SOURCE_DATE_EPOCH:-}
[ -n "$date" ] || [ ! -e "$source_dir/.git" ] || date=$(git -C "$source_dir" log -1 --format=%ct 2>/dev/null) || date=
[ -n "$date" ] || date=$(stat -c %Y "$source_dir/configure.ac")

exec "$tar" --create --file=- --format=ustar --dereference --sort=name --mtime="@$date" \
	--owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX "$1"
