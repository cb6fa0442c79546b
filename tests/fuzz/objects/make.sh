#!/bin/sh
# Usage: tests/fuzz/objects/make.sh
#
# Makes the seeds of fuzz_inlines again: small objects, with debug information of several kinds.
set -eu
cd "$(dirname "$0")"
seeds=$PWD/../seeds/inlines

# make NAME BUILD-ID COMPILER OPTION... FILE
make() {
	name=$1 id=$2
	shift 2
	"$@" -O2 -nostdlib -static -ffreestanding -fno-asynchronous-unwind-tables -fcf-protection=none \
		-fno-stack-protector "-fdebug-prefix-map=$PWD=/s" "-Wl,--build-id=$id" -Wl,-z,noseparate-code \
		-Wl,-z,max-page-size=4096 -o "$seeds/$name"
	objcopy -R .comment -R .note.gnu.property "$seeds/$name"
	chmod -x "$seeds/$name"
}

cxx='-w -std=c++17 -fno-exceptions -fno-rtti -fno-var-tracking'
make gcc-2 none gcc -g -gdwarf-2 -gstrict-dwarf tiny.c
make gcc-4 0x01234567 gcc -g -gdwarf-4 tiny.c
make gcc-5 0x01234567 gcc -g -gdwarf-5 tiny.c
make gcc-packed 0x89ab gcc -g -gdwarf-5 -gz tiny.c
make clang-4 none clang -g -gdwarf-4 tiny.c
make clang-5 0x55 clang -g -gdwarf-5 tiny.c
make clang-split none clang -g -gsplit-dwarf -gdwarf-5 tiny.c
make none none gcc -s tiny.c
# Unquoted: several words.
# shellcheck disable=SC2086
{
	make gxx-5 0x77 g++ $cxx -g -gdwarf-5 tiny.cc
	make gxx-4-types none g++ $cxx -g -gdwarf-4 -fdebug-types-section tiny.cc
	make gxx-lambdas none g++ $cxx -g -gdwarf-5 lambdas.cc
	make clangxx-lambdas none clang++ ${cxx% *} -g -gdwarf-5 lambdas.cc
	make clangxx-5 none clang++ ${cxx% *} -g -gdwarf-5 tiny.cc
}
clang -O1 -g -gdwarf-5 "-fdebug-prefix-map=$PWD=/s" -DPART=other -c part.c -o other.o
make two-compilers none gcc -g -gdwarf-5 -DPART=part tiny.c part.c other.o
rm -f ./*.dwo ./*.o
