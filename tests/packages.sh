#!/bin/sh
# Usage: tests/packages.sh RELEASE.tar.xz [debian] [aarch64] [musl] [container]
#
# What a release is elsewhere, by `make check-packages`: all four, or those in PACKAGES. Each is tried in a
# root of Debian 12 that debootstrap makes, so that nothing is installed here:
#
#   debian      the source package builds, with its tests, and lintian has nothing to say; the packages
#               install where nothing else is, measure, are linked with, and leave nothing when purged
#   aarch64     a cross-compiler builds it without warnings; its unit tests and golden cases pass under
#               qemu-user, and it counts in a large profile what irdiff counts here
#   musl        every file compiles without warnings, and what is preloaded into programs works there
#   container   Containerfile builds by buildah, and what it makes measures
#
# Needs root, debootstrap, the network, an hour and 4 GB in $ROOTS (/var/tmp/irdiff-roots), where roots are
# kept for the next time. MIRROR is Debian's archive. IRDIFF is irdiff as built here.
set -eu

. "$(dirname "$0")/roots.sh"

release=$(realpath "$1")
shift
name=$(basename "$release" .tar.xz)
irdiff=$(realpath "${IRDIFF:-./irdiff}")

# ---- roots ----

# made NAME: a root for this, with a user who builds.
made() {
	if [ ! -e "$roots/$1/home/builder" ]; then
		copy bookworm "$roots/$1"
		chroot "$roots/$1" useradd --create-home --uid 4000 builder
	fi
	cp /etc/resolv.conf "$roots/$1/etc/"
}

# root NAME PACKAGE...: where the packages are installed, and the release is in /home/builder.
root() {
	to=$roots/$1
	echo "== $1: installing"
	made "$1"
	mount --bind "$to" "$to" # where namespaces and containers can be made, / is one
	mount -t proc proc "$to/proc"
	mount -t sysfs sysfs "$to/sys"
	mount --rbind /dev "$to/dev"
	rm -rf "$to/home/builder"
	mkdir "$to/home/builder"
	tar xf "$release" -C "$to/home/builder"
	chroot "$to" chown -R builder: /home/builder
	install "$@"
}

# install ROOT PACKAGE...
install() {
	installing=$1
	shift
	inside "$installing" apt-get -qq update
	inside "$installing" apt-get -qq -y --no-install-recommends install "$@" >"$roots/$installing.log" 2>&1 ||
		{ tail -20 "$roots/$installing.log"; return 1; }
}

# inside ROOT COMMAND...: as root. script ROOT USER: what stands on its standard input, as USER, at home.
inside() {
	where=$1
	shift
	in_root "$roots/$where" "$@"
}

script() {
	cat >"$roots/$1/script"
	inside "$1" su "$2" -s /bin/sh -c "cd /home/builder/$name && exec sh -eu /script"
}

# ---- what is tried ----

debian() {
	root debian build-essential lintian
	inside debian apt-get -qq -y --no-install-recommends build-dep "/home/builder/$name" >"$roots/debian.log" 2>&1
	echo "== debian: building, testing"
	script debian builder <<-'END'
		dpkg-buildpackage -us -uc >../log 2>&1 || { tail -50 ../log; exit 1; }
		lintian --info --display-info --fail-on error,warning ../*.changes
	END

	rm -rf --one-file-system "$roots/clean"
	root clean ca-certificates
	cp "$roots"/debian/home/builder/*.deb "$roots/clean/"
	inside clean sh -c 'rm /*dbgsym*.deb && apt-get -qq -y --no-install-recommends install /*.deb' >"$roots/clean.log" 2>&1
	inside clean irdiff doctor
	install clean gcc jq libc6-dev man-db pkg-config
	script clean builder <<-'END'
		sh debian/tests/measure
		sh debian/tests/library
	END
	inside clean apt-get -qq -y purge irdiff libcgprofile-dev libcgprofile0 >>"$roots/clean.log" 2>&1
	script clean root <<-'END'
		left=$(find /etc /usr /var/lib /var/cache -xdev -name '*irdiff*' -o -name '*cgprofile*')
		[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
	END
}

aarch64() {
	made aarch64
	chroot "$roots/aarch64" dpkg --add-architecture arm64
	root aarch64 gcc gcc-aarch64-linux-gnu git gzip jq libc6-dev-arm64-cross make pkg-config protobuf-compiler \
		qemu-user-static xz-utils zstd \
		libcapstone-dev:arm64 libcunit1-dev:arm64 libcurl4-openssl-dev:arm64 libdw-dev:arm64 libelf-dev:arm64 libiberty-dev:arm64 \
		libjansson-dev:arm64 liblzma-dev:arm64 libncurses-dev:arm64 libpcre2-dev:arm64 libsqlite3-dev:arm64 \
		libyaml-dev:arm64 libzstd-dev:arm64 nettle-dev:arm64 zlib1g-dev:arm64
	echo "== aarch64: building, testing"
	# test_run, test_process and test_guest start, kill and trace programs in ways that qemu-user does not follow.
	script aarch64 builder <<-'END'
		export PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig
		mkdir b
		cd b
		../configure --quiet --host=aarch64-linux-gnu --enable-werror PKG_CONFIG=pkg-config
		make --quiet -j2 all >log
		make --quiet -j2 check TESTS= >log
		printf '#!/bin/sh\nexec qemu-aarch64-static "%s/irdiff" "$@"\n' "$PWD" >irdiff-emulated
		chmod +x irdiff-emulated
		./irdiff-emulated --version
		for test in tests/unit/test_*; do
			case $test in
			*.o | *.log | *.trs | */test_run | */test_process | */test_guest) ;;
			*)
				timeout 600 qemu-aarch64-static "$test" >log 2>&1 || { tail -20 log; echo "$test failed"; exit 1; }
				echo "passed $test"
				;;
			esac
		done
		mkdir cases
		for case in ../tests/cases/*.case; do
			case $case in
			*/doctor.case) continue ;; # the shell that it looks at is for this machine
			esac
			(cd cases && IRDIFF=$PWD/../irdiff-emulated sh ../../tests/cases/run.sh "../$case") >log ||
				{ cat log; exit 1; }
			echo "passed $case"
		done
		for arguments in 20M '--instr 20M' '--contexts --events 13 20M'; do
			# shellcheck disable=SC2086
			qemu-aarch64-static tests/bench/generate $arguments >profile
			./irdiff-emulated show --format=csv profile >"$HOME/$(echo "$arguments" | tr -d ' -').csv"
		done
	END
	# The same profiles, read here: by AVX2 where the processor has it.
	for arguments in 20M '--instr 20M' '--contexts --events 13 20M'; do
		# shellcheck disable=SC2086
		"$(dirname "$irdiff")/tests/bench/generate" $arguments >"$roots/profile"
		(cd "$roots" && "$irdiff" show --format=csv profile) |
			cmp - "$roots/aarch64/home/builder/$(echo "$arguments" | tr -d ' -').csv"
		echo "read the same: $arguments"
	done
	rm "$roots/profile"
}

musl() {
	root musl autoconf automake gcc libtool make musl-tools pkg-config \
		libcapstone-dev libcurl4-openssl-dev libdw-dev libelf-dev libiberty-dev libjansson-dev liblzma-dev \
		libncurses-dev libpcre2-dev \
		libsqlite3-dev libyaml-dev libzstd-dev nettle-dev zlib1g-dev
	echo "== musl: compiling"
	# Debian has none of the libraries for musl. Their headers are the same, but the C library's beside them
	# are not to be found.
	script musl builder <<-'END'
		mkdir headers objects
		for header in capstone curl curses.h dwarf.h elfutils gelf.h jansson.h jansson_config.h libelf.h libiberty \
			lzma lzma.h ncurses.h ncurses_dll.h nettle pcre2.h sqlite3.h term.h unctrl.h yaml.h zconf.h zlib.h zstd.h zstd_errors.h asm asm-generic linux; do
			ln -s "$(ls -d /usr/include/$header /usr/include/*-linux-gnu/$header 2>/dev/null | head -1)" headers/
		done
		for file in callgrind/*.c callgrind/support/*.c src/*.c src/*/*.c freeze/*.c; do
			musl-gcc -std=gnu11 -O2 -fPIC -Wall -Wextra -Wshadow -Wno-maybe-uninitialized -Werror -D_GNU_SOURCE \
				-DVERSION='"0"' -DPACKAGE_VERSION='"0"' -DPKGLIBDIR='"/"' -D_XOPEN_SOURCE=600 -I. -idirafter headers \
				-c -o "objects/$(echo "$file" | tr / _).o" "$file"
		done
		echo "compiled $(ls objects | wc -l) files"

		musl-gcc -shared -Wl,-z,initfirst -Wl,-z,now -o objects/freeze.so objects/freeze_*.o
		cat >objects/prints.c <<-'PROGRAM'
			#include <stdio.h>
			#include <sys/random.h>
			#include <time.h>

			int main(void)
			{
				unsigned number = 0;

				return getrandom(&number, sizeof number, 0) < 0 ||
				       printf("%u %ld\n", number, (long)time(NULL)) < 0;
			}
		PROGRAM
		musl-gcc -o objects/prints objects/prints.c
		for run in 1 2; do
			IRDIFF_FROZEN=random,time LD_PRELOAD=$PWD/objects/freeze.so objects/prints >objects/printed$run
		done
		cmp objects/printed1 objects/printed2
		grep ' 1767225600$' objects/printed1
	END
}

container() {
	root container buildah ca-certificates crun
	echo "== container: building"
	tar c -C "$roots/bookworm" --exclude=./proc --exclude=./sys . >"$roots/container/base.tar"
	script container root <<-'END'
		export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
		id=$(buildah from scratch)
		buildah add -q "$id" /base.tar /
		buildah run "$id" -- mkdir -p /proc /sys
		buildah commit -q "$id" docker.io/library/debian:bookworm-slim
		buildah rm "$id"
		buildah bud --pull-never --network=host -t irdiff -f Containerfile . >/log 2>&1 || { tail -50 /log; exit 1; }
		id=$(buildah from --pull-never localhost/irdiff)
		buildah run "$id" -- irdiff doctor
		buildah add -q "$id" debian/tests/measure /tmp/measure
		buildah run "$id" -- sh -c "sed '/^man /d' /tmp/measure >measure && sh ./measure"
		buildah rm --all
		buildah rmi --all
	END
}

bare bookworm
[ $# -gt 0 ] || set -- debian aarch64 musl container
for what; do
	case $what in
	debian | aarch64 | musl | container) "$what" ;;
	*) echo "tests/packages.sh: debian, aarch64, musl or container, not $what" >&2; exit 1 ;;
	esac
	echo "== $what: fine"
done
