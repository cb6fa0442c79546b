#!/bin/sh
# Base and head are built side by side only if the disk holds both: if head does not fit beside base, it
# is built after base was measured, and that is no failure of head.
. "$(dirname "$0")/scratch.sh"
. "$(dirname "$0")/tmpdir.sh"
needs git valgrind
unshare -m true 2>/dev/null || skip_all "mounts are not allowed"
case $scratch in
/var/tmp/*) skip_all "the files of this test are in /var/tmp, where it mounts a small disk" ;;
esac

run() {
	want=$1
	shift
	status=0
	unshare -m sh -c 'mount -t tmpfs -o size=30m none /var/tmp && exec "$@"' sh "$@" \
		>"$scratch/out" 2>"$scratch/err" || status=$?
	[ "$status" -eq "$want" ]
}

says() {
	grep -q -e "$1" "$scratch/out" "$scratch/err"
}

commit() {
	echo "$1" >size
	git add -A && git -c user.name=a -c user.email=a@b commit -qm "$1"
}

export HOME="$scratch" GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
cp "$irdiff" "$scratch/irdiff"
mkdir "$scratch/project" && cd "$scratch/project" && git init -q .
cat >work.c <<-'END'
	int main(void)
	{
		volatile unsigned sum = SIZE;
		for (int i = 0; i < 1000; i++)
			sum += (unsigned)i;
		return 0;
	}
END
cat >irdiff.yml <<-END
	build: ["sh", "-c", "$static -g -O1 -DSIZE=\$(cat size) -o work work.c && head -c \$(cat size) /dev/zero >large"]
	benchmarks: {one: {command: ./work}}
END
echo .irdiff >.gitignore
commit 4000000
commit 26000000
check "head is built once more when base was measured" \
	run 0 "$scratch/irdiff" check HEAD~1...HEAD --jobs=2
check "it says why" says 'HEAD is built again after HEAD~1 has been measured'
commit 40000000
check "what never fits is no verdict" run 3 "$scratch/irdiff" check HEAD~1...HEAD --jobs=2
check "and says that the disk is full" says 'HEAD could not be built: the disk is full'
check "and is not known to fail" [ -z "$(ls .irdiff/cache/failed)" ]
finish
