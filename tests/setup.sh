#!/bin/sh
# Usage: tests/setup.sh
#
# setup installs what is missing and nothing else, where it may and knows how, and otherwise says what to do.
# It is tried where nothing is installed but what this test made: package managers, sudo and compilers that
# only write down how they were called.
set -eu
. "$(dirname "$0")/scratch.sh"
cd "$scratch"

# A release, so that there is configure; and what every system has.
mkdir release bin packages
cp "$source_dir/setup" release/
for tool in sh cat cp dirname env getconf grep mkdir rm sed uname; do
	ln -s "$(command -v "$tool")" bin/
done

# program DIRECTORY NAME [TEXT]: a program that writes down how it was called, and does what TEXT says.
program() {
	printf '#!/bin/sh\necho "%s $*" >>"%s/calls"\n%s\n' "$2" "$scratch" "${3-}" >"$1/$2"
	chmod +x "$1/$2"
}
program release configure 'echo all: >Makefile'
mkdir -p release/data/demo release/tests
program release/data/demo run
echo 'echo "1 passed, 0 failed"' >release/tests/summary.sh

# What packages bring. pkg-config and the compiler find everything.
for tool in gcc make pkg-config autoreconf automake valgrind git gzip xz zstd g++ jq zsh fish tmux less protoc \
	llvm-symbolizer mandoc xmllint cmark-gfm python3 chromium chromedriver; do
	program packages "$tool"
done

# system USER-ID [NAME TEXT]...: only what every system has, and these programs.
system() {
	rm -rf there calls release/build
	cp -a bin there
	printf '#!/bin/sh\necho %s\n' "$1" >there/id
	chmod +x there/id
	: >calls
	shift
	while [ $# -gt 0 ]; do
		program there "$1" "$2"
		shift 2
	done
}

# run STATUS [OPTION]: whether setup ends with it; what it says is in the file out.
run() {
	expected=$1 status=0
	shift
	PATH=$scratch/there CC='' there/sh release/setup "$@" >out 2>err </dev/null || status=$?
	cat err >>out
	[ "$status" -eq "$expected" ]
}

# says TEXT...: in these words.
says() {
	for text; do
		grep -qF -- "$text" out || {
			echo "not said: $text" >>out
			return 1
		}
	done
}

called() {
	grep -qxF -- "$1" calls || {
		cat calls >>out
		return 1
	}
}

untouched() {
	! grep -q -e '^sudo' -e '^apt-get' -e '^dnf' -e '^apk' -e '^pacman' -e '^zypper' calls
}

# Debian's names of all that is built with.
built='gcc libc6-dev make pkg-config zlib1g-dev libzstd-dev liblzma-dev libdw-dev libelf-dev libiberty-dev'
built="$built libpcre2-dev libyaml-dev libjansson-dev libcurl4-openssl-dev nettle-dev libsqlite3-dev libncurses-dev libcapstone-dev git valgrind"
installs="[ \"\$1\" != install ] || cp '$scratch'/packages/* '$scratch/there/'"

# ---- something is missing ----

system 0 apt-get "$installs"
check "root installs by apt" run 0 --build
check "… after reading the lists" called 'apt-get update'
check "… exactly what is missing" called "apt-get install --no-install-recommends -y -o DPkg::Lock::Timeout=600 $built"
check "… which is said" says "installing $built" 'built build/irdiff'

system 1000 apt-get "$installs" sudo 'case $1 in -*) ;; *) exec "$@" ;; esac'
check "others install by sudo" run 0
check "… without being asked for a password that is not needed" sh -c '! grep -q "^sudo -v" calls'
check "… the lists" called 'sudo apt-get update'
check "… and what is missing" called "apt-get install --no-install-recommends -y -o DPkg::Lock::Timeout=600 $built"
check "… and see the demo" called "run build/demo"

system 1000 apt-get "$installs"
check "without sudo nothing is installed" run 1
check "… but the command is said" says 'sudo is not installed' "as root: apt-get install --no-install-recommends $built"
check "… and apt is left alone" untouched

system 1000 apt-get "$installs" sudo 'exit 1'
check "a sudo that refuses" run 1 --check
check "… the command is said" says "as root: apt-get install --no-install-recommends $built libcunit1-dev"
check "… and apt is left alone" sh -c '! grep -q ^apt-get calls'

system 0 apt-get ''
check "packages that do not help" run 1
check "… are named" says 'still missing after installing' '  Valgrind'

system 0 apt-get 'echo "no such mirror"; exit 100'
check "apt that fails" run 1
check "… has the word" says 'no such mirror' 'failed: apt-get update'

# ---- other systems ----

# tries MANAGER COMMAND NAME...: it is told how to install them.
tries() {
	manager=$1 command=$2
	shift 2
	system 0 "$manager" ''
	check "$manager: stops" run 1 --check
	check "$manager: says what to run" says "Run as root: $command gcc "
	check "$manager: nothing is run" untouched
	for name; do
		check "$manager: $name" sh -c 'sed "s/\$/ /" out | grep -qF -e " $0 "' "$name"
	done
	check "$manager: each once" [ -z "$(sed -n 's/^Run as root: //p' out | tr ' ' '\n' | sort | uniq -d)" ]
}
tries dnf 'dnf install' elfutils-devel binutils-devel valgrind CUnit-devel gcc-c++ chromedriver python3-pyyaml
tries apk 'apk add' musl-dev elfutils-dev binutils-dev valgrind cunit-dev py3-yaml chromium-chromedriver
tries pacman 'pacman -S --needed' elfutils binutils valgrind cunit cmark-gfm python-yaml
tries zypper 'zypper install' glibc-devel libdw-devel binutils-devel valgrind cunit-devel python3-PyYAML
check "a program without a package is not asked for" sh -c '! grep "^Please run" out | grep -q -e cmark -e " - "'

system 0
check "a system that is not known" run 1
check "… what is missing is named" says 'install these:' '  a C compiler (gcc)' '  libdw (elfutils)' '  Valgrind'
check "… and how Debian calls it" says "(Names of the Debian packages: $built)"

# ---- nothing is missing ----

for manager in apt-get dnf zypper; do
	system 1000 "$manager" 'exit 1' sudo 'exit 1'
	cp packages/* there/
	check "$manager: nothing is missing" run 0
	check "$manager: … and nothing is installed or asked" untouched
	rm there/cmark-gfm
	if [ "$manager" = apt-get ]; then
		continue
	fi
	check "$manager: the tests go without what has no package" run 0 --check
	check "$manager: … which is said" says "no package of $manager is known for cmark-gfm"
done

system 1000 sudo 'exit 1'
cp packages/* there/
check "no manager is needed then" run 0

finish
