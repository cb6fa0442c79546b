#!/bin/sh
# Usage: tests/faults.sh [KILLS] [--points=N|all] [--seed=N] [--only=WORD]
#
# Nothing is lost and no half file is taken for a profile, whatever happens to irdiff while it writes:
# killed before and after each call that changes a file (N of them, seeded; `all` takes long), each of
# these calls failing, KILLS kills of irdiff, Valgrind and the benchmark at random moments, a full disk,
# a read-only directory, no descriptors left, a clock that jumps, several irdiffs at once. Afterwards
# every profile, baseline, row and file is as before or as after, and the next run works.
# tests/faults/faults.py says how. WORD chooses what has it in its name.
set -eu
LC_ALL=C.UTF-8
export LC_ALL
tests=$(CDPATH='' cd "$(dirname "$0")" && pwd)
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")
compiler=${CC:-cc}

for tool in git python3; do
	if ! command -v $tool >/dev/null || ! $tool --version >/dev/null; then
		echo "SKIP: $tool is not installed (apt-get install $tool)"
		exit 77
	fi
done
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-faults.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP

# Sanitizers want to be loaded first.
if grep -qa '__asan_init\|__tsan_init' "$irdiff"; then
	echo "SKIP: built with a sanitizer, into which nothing can be preloaded"
	exit 77
fi
"$compiler" -D_GNU_SOURCE -O1 -shared -fPIC -o "$scratch/inject.so" "$tests/faults/inject.c" -ldl
cat >"$scratch/prog.c" <<-'END_OF_C'
	int main(int argc, char **argv)
	{
		volatile unsigned sum = 0;
		for (int i = 0; i < 100000 * argc; i++)
			sum += (unsigned)i;
		return argv[0] == 0;
	}
END_OF_C
"$compiler" -g -O1 -o "$scratch/prog" "$scratch/prog.c"
export IRDIFF="$irdiff"
# Disks of a few pages need mounts that only this test sees.
if unshare -m true 2>/dev/null; then
	OWN_MOUNTS=1 unshare -m python3 "$tests/faults/faults.py" "$scratch" "$@"
else
	python3 "$tests/faults/faults.py" "$scratch" "$@"
fi
