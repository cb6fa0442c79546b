#!/bin/sh
# Usage: tests/bare-root.sh [OPTION...] SUITE COMMAND...
#
# Runs each shell command in a copy of this project, in a root of Debian's SUITE in which nothing is
# installed, as in a container that `docker run debian` starts: root has the capabilities that are left there,
# which do not suffice to mount or to make namespaces. It stops at the first that fails, with its status.
#
#   --privileged        root has all capabilities
#   --user              an ordinary user runs the commands, who may use sudo
#   --results=DIRECTORY is where the logs of the tests go, for tests/summary.sh
#   --shell             a shell follows, to look around
#
#     tests/bare-root.sh trixie ./setup './setup --check'
#
# The copy has the files that git knows, as they are now. Bare roots, and the packages that were installed in
# them, are kept in $ROOTS (tests/roots.sh); what the commands did is gone at the end.
set -eu
. "$(dirname "$0")/roots.sh"

# What a container has (and no sys_admin among it).
capabilities="chown dac_override fowner fsetid kill setgid setuid setpcap net_bind_service net_raw sys_chroot mknod"
capabilities="$capabilities audit_write setfcap"
limited="setpriv --inh-caps=-all --bounding-set=-all,+$(echo "$capabilities" | sed 's/ /,+/g')"
user='' results='' shell=''
while :; do
	case ${1-} in
	--privileged) limited= ;;
	--user) user=builder ;;
	--results=*) results=$(realpath -m "${1#*=}") ;;
	--shell) shell=yes ;;
	*) break ;;
	esac
	shift
done
if [ $# -lt 1 ] || [ $# -lt 2 ] && [ -z "$shell" ]; then
	sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
	exit 2
fi
suite=$1 project=$(cd "$(dirname "$0")/.." && pwd)
shift

bare "$suite"
box=$(mktemp -d "$roots/run.XXXXXX")
trap 'umount -R "$box" 2>/dev/null; rm -rf --one-file-system "$box"' EXIT
trap 'exit 130' INT TERM HUP
copy "$suite" "$box"
mount --bind "$box" "$box"
mount -t proc proc "$box/proc"
if [ -n "$limited" ]; then
	mount --bind "$box/proc/sys" "$box/proc/sys"
	mount -o remount,bind,ro "$box/proc/sys"
fi
mount -t tmpfs -o mode=755 tmpfs "$box/dev"
for device in null zero full random urandom tty; do
	cp -a "/dev/$device" "$box/dev/"
done
ln -s /proc/self/fd "$box/dev/fd"
ln -s /proc/self/fd/0 "$box/dev/stdin"
ln -s /proc/self/fd/1 "$box/dev/stdout"
ln -s /proc/self/fd/2 "$box/dev/stderr"
mkdir "$box/dev/pts" "$box/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$box/dev/pts"
ln -s pts/ptmx "$box/dev/ptmx"
mount -t tmpfs -o mode=1777,size=64m tmpfs "$box/dev/shm"
# Packages are downloaded once.
mkdir -p "$roots/$suite.packages/partial"
mount --bind "$roots/$suite.packages" "$box/var/cache/apt/archives"

mkdir "$box/src"
git -c safe.directory='*' -C "$project" ls-files -z | tar -c -C "$project" --null -T - | tar -x -C "$box/src"
if [ -n "$user" ]; then
	in_root "$box" apt-get -qq update
	in_root "$box" apt-get -qq -y --no-install-recommends install sudo >/dev/null
	in_root "$box" useradd --create-home "$user"
	echo "$user ALL=(ALL) NOPASSWD: ALL" >"$box/etc/sudoers.d/$user"
	in_root "$box" chown -R "$user:" /src
fi

# run COMMAND...: as whoever the commands are to be run as.
run() {
	# shellcheck disable=SC2086
	if [ -n "$user" ]; then
		$limited chroot "$box" su -l "$user" -c "cd /src && $1" </dev/null
	else
		$limited chroot "$box" /usr/bin/env -i HOME=/root ${http_proxy:+"http_proxy=$http_proxy"} \
			PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh -c "cd /src && $1" </dev/null
	fi
}

status=0
for command; do
	echo "== $suite: $command"
	begin=$(date +%s)
	run "$command" || status=$?
	echo "== $suite: $command: $([ "$status" -eq 0 ] && echo ok || echo "FAILED with $status"), $(($(date +%s) - begin)) s"
	[ "$status" -eq 0 ] || break
done
if [ -n "$results" ] && [ -d "$box/src/build/tests" ]; then
	mkdir -p "$results/tests"
	(cd "$box/src/build/tests" && find . \( -name '*.trs' -o -name '*.log' \) -print0 | tar -c --null -T -) |
		tar -x -C "$results/tests"
fi
if [ -n "$shell" ]; then
	# shellcheck disable=SC2086
	$limited chroot "$box" sh -c 'cd /src && exec bash' || :
fi
exit "$status"
