#!/bin/sh
# Usage: tests/faults.sh [KILLS] [--points=N|all] [--seed=N] [--only=WORD]
#
# Nothing is lost and no half file is taken for a profile, whatever happens to irdiff while it writes:
# killed before and after each call that changes a file (N of them, seeded, and at least one of each
# command; `all` takes long), each of these calls failing, KILLS kills of irdiff, Valgrind and the
# benchmark at random moments, a full disk, a read-only directory, no descriptors left, a clock that
# jumps, several irdiffs at once. Afterwards every profile, baseline, row and file is as before or as
# after, and the next run works. tests/faults/faults.py says how. WORD chooses what has it in its name.
set -eu
. "$(dirname "$0")/scratch.sh"
needs git python3
tests=$source_dir/tests

# Sanitizers want to be loaded first.
if grep -qa '__asan_init\|__tsan_init' "$irdiff"; then
	skip_all "this is built with a sanitizer, beside which nothing can be preloaded"
fi
$compiler -D_GNU_SOURCE -O1 -shared -fPIC -o "$scratch/inject.so" "$tests/faults/inject.c" -ldl
cat >"$scratch/prog.c" <<-'END_OF_C'
	int main(int argc, char **argv)
	{
		volatile unsigned sum = 0;
		for (int i = 0; i < 100000 * argc; i++)
			sum += (unsigned)i;
		return argv[0] == 0;
	}
END_OF_C
$static -g -O1 -o "$scratch/prog" "$scratch/prog.c"
export IRDIFF="$irdiff"
# Disks of a few pages need mounts that only this test sees.
if unshare -m true 2>/dev/null; then
	OWN_MOUNTS=1 unshare -m python3 "$tests/faults/faults.py" "$scratch" "$@"
else
	python3 "$tests/faults/faults.py" "$scratch" "$@"
fi
