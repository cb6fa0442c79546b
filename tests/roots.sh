# Sourced by tests/bare-root.sh and tests/packages.sh:  . "$(dirname "$0")/roots.sh"
#
# Bare roots of Debian, in $roots ($ROOTS, or /var/tmp/irdiff-roots), made from $MIRROR and kept for the next
# time. What is mounted in them ends with the process: whoever sources this is started again in a mount
# namespace of its own.

if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null || ! command -v unshare >/dev/null; then
	echo "$0: this needs root, debootstrap and unshare (apt-get install debootstrap)" >&2
	exit 1
fi
if [ -z "${IN_NAMESPACE:-}" ]; then
	IN_NAMESPACE=yes exec unshare --mount --propagation private /bin/sh "$0" "$@"
fi
roots=${ROOTS:-/var/tmp/irdiff-roots}
mkdir -p "$roots"

# bare SUITE: makes $roots/SUITE unless it is there; only what every Debian has is installed in it.
bare() {
	[ ! -e "$roots/$1/.made" ] || return 0
	rm -rf --one-file-system "${roots:?}/$1"
	debootstrap --variant=minbase "$1" "$roots/$1" "${MIRROR:-http://deb.debian.org/debian}" >"$roots/$1.log" ||
		{ tail -20 "$roots/$1.log" >&2; return 1; }
	# How this machine reaches the archive.
	for file in /etc/apt/apt.conf /etc/apt/apt.conf.d/*; do
		if grep -qsiE 'proxy|Acquire::Check' "$file"; then
			cp "$file" "$roots/$1/etc/apt/apt.conf.d/"
		fi
	done
	# Nobody needs this root when the machine has crashed.
	echo force-unsafe-io >"$roots/$1/etc/dpkg/dpkg.cfg.d/unsafe-io"
	touch "$roots/$1/.made"
}

# copy SUITE DIRECTORY: a copy of the bare root, which knows the names of this network.
copy() {
	rm -rf --one-file-system "$2"
	cp -a "$roots/$1" "$2"
	cp /etc/resolv.conf "$2/etc/"
	printf '127.0.0.1 localhost\n::1 localhost\n' >"$2/etc/hosts"
}

# in_root DIRECTORY COMMAND...: with the variables of a machine on which somebody has just logged in.
in_root() {
	root=$1
	shift
	chroot "$root" /usr/bin/env -i HOME=/root TERM=dumb LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		${http_proxy:+"http_proxy=$http_proxy"} "$@" </dev/null
}
