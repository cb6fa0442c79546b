#!/bin/sh
# Usage: tests/cpu.sh
#
# The CPU that a program finds by CPUID is the one that its profile records; profiles of two CPUs are not
# judged, and irdiff doctor says what this machine lacks. Needs Valgrind on x86-64. Other CPUs are
# played by a Valgrind that says so, and really by tests/emulated.sh.
set -u
. "$(dirname "$0")/scratch.sh"
needs valgrind
[ "$(uname -m)" = x86_64 ] || {
	echo "SKIP: this machine is not x86-64"
	exit 77
}
cd "$scratch" || exit 1

$static -g -O1 -o asks "$source_dir/tests/cpu/asks.c" || exit 1

recorded() {
	sed -n 's/^desc: irdiff.env.cpu: //p' "profiles/$1.callgrind"
}

found() {
	sed -n 1p ".irdiff/profiles/$1.callgrind/stdout.log"
}

# With more characters in this file, the program counts more.
printf 1 >times
profiles() {
	label=$1
	shift
	"$irdiff" profile -q --label="$label" "$@" -- ./asks >out 2>err
}

check "a program is measured" profiles here
check "what it finds by CPUID is recorded: $(found here)" [ "$(recorded here)" = "$(found here)" ]
check "the machine's own name is not" sh -c '! grep -Fq "$(sed -n "s/^model name.*: //p" /proc/cpuinfo | head -n 1)" profiles/here.callgrind'

# machine WORDS: from then on Valgrind says that the machine has these.
real=$(command -v valgrind)
[ ! -x "$real.bin" ] || real=$real.bin
machine() {
	cat >valgrind-of <<END
#!/bin/sh
case \$1 in --version) exec $real --version; esac
$real "\$@"
status=\$?
for option; do
	case \$option in
	--log-file=*)
		sed -i 's/Arch and hwcaps: .*/Arch and hwcaps: AMD64, LittleEndian, amd64-$1/' \
			"\$(dirname "\${option#*=}")"/\$(basename "\${option#*=}" %p)* ;;
	esac
done
exit \$status
END
	chmod +x valgrind-of
}

plays() {
	label=$1 words=$2
	machine "$words" && profiles "$label" --valgrind="$PWD/valgrind-of"
}

# refuses BASE HEAD FEATURES
refuses() {
	"$irdiff" diff --check "$1" "$2" >out 2>err
	[ $? = 4 ] && grep -q "(CPU features: $3)" err && grep -q "^    $3: " out &&
		grep -q '^    Fix: measure both on CPUs of the same kind' out
}

allows() {
	"$irdiff" diff --check --allow-env-change --limit=Ir=+50% "$1" "$2" >out 2>err
}

judges() {
	"$irdiff" diff --check "$1" "$2" >out 2>err && sed -n 1p out | grep -q ' PASS$' &&
		! grep -q 'environment' out err
}

check "Skylake, to Valgrind 3.19" plays skylake cx16-lzcnt-rdtscp-sse3-ssse3-avx-avx2-bmi-f16c-rdrand-rdseed
check "Excavator, which has FMA4 too" plays excavator cx16-lzcnt-rdtscp-sse3-ssse3-avx-avx2-bmi-f16c-rdrand-rdseed-fma-fma4
printf 12 >times
check "Haswell" plays haswell cx16-lzcnt-rdtscp-sse3-ssse3-avx-avx2-bmi-f16c-rdrand-fma
printf 123 >times
check "Sandy Bridge" plays sandybridge cx16-rdtscp-sse3-ssse3-avx
printf 1234 >times
check "Nehalem" plays nehalem cx16-rdtscp-sse3-ssse3
check "the same CPU in programs is judged" judges skylake excavator
check "RDSEED is missed" refuses skylake haswell RDSEED
check "AVX2 is missed" refuses haswell sandybridge "AVX2, FMA, BMI"
check "… and AVX" refuses nehalem haswell "AVX2, FMA, BMI, AVX"
check "with --allow-env-change it is judged all the same" allows haswell nehalem

diagnoses() {
	machine "$1"
	IRDIFF_VALGRIND=$PWD/valgrind-of "$irdiff" doctor >out 2>err
	grep -Eq "^  $2" out
}

check "a machine with all of it is fine" \
	diagnoses cx16-lzcnt-rdtscp-sse3-ssse3-avx-avx2-bmi-f16c-rdrand-rdseed 'ok +programs see a CPU with AVX2'
check "one without AVX2 is not" diagnoses cx16-rdtscp-sse3-ssse3-avx 'warning +programs see a CPU \(amd64-avx\) without AVX2;'
check "… nor one without RDSEED" diagnoses cx16-lzcnt-rdtscp-sse3-ssse3-avx-avx2-bmi-f16c-rdrand 'warning +programs see .* without RDSEED;'

finish
