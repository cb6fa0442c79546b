#!/bin/sh
# Usage: tests/freeze.sh
#
# What programs get that libirdiff-freeze is loaded into: the same in every run, of what was named,
# and what they do still works. Without Valgrind; with it: tests/freezing.sh.
set -u
. "$(dirname "$0")/scratch.sh"
cd "$scratch" || exit 1
library=$(dirname "$irdiff")/libirdiff-freeze.so

# frozen KINDS PROGRAM...
frozen() {
	kinds=$1
	shift
	env LD_PRELOAD="$library" IRDIFF_FROZEN="$kinds" "$@"
}

# same KINDS PROGRAM...: two runs say the same, and end well.
same() {
	frozen "$@" >first && frozen "$@" >second && [ -s first ] && cmp -s first second
}

differ() {
	frozen "$@" >first && frozen "$@" >second && [ -s first ] && ! cmp -s first second
}

# says LINE: the last run did.
says() {
	grep -qx "$1" first
}

$compiler -O1 -D_GNU_SOURCE -pthread -o asks "$source_dir/tests/freeze/asks.c" || exit 1
$compiler -O2 -D_GNU_SOURCE -D_FORTIFY_SOURCE=2 -pthread -o fortified "$source_dir/tests/freeze/asks.c" || exit 1

$compiler -O1 -D_GNU_SOURCE -pthread -fno-builtin -I "$source_dir" -o allocates "$source_dir/tests/freeze/allocates.c" || exit 1
library=$(dirname "$irdiff")/libirdiff-malloc.so
check "memory is allocated as it should" same malloc ./allocates check
check "as the test says of the C library's" [ "$(./allocates check)" = kept ]
check "with random numbers" same malloc,random ./asks random
check "which are random otherwise" differ malloc ./asks random
library=$(dirname "$irdiff")/libirdiff-freeze.so

check "random numbers are the same" same random ./asks random
check "random numbers are the same among others" same time,random,pid ./asks random
check "random numbers are random" differ time,pid ./asks random
check "nothing is frozen unasked" differ '' ./asks random
check "words are whole" differ randomly,rand ./asks random
check "a child has them, too" same random ./asks child
check "the time is the same" same time ./asks time
check "a look takes a millisecond" says 'reads in 20 ms 13'
check "it is 2026" says 'time 6955b900'
check "the time passes otherwise" differ random,pid ./asks time
check "what sleeps passes the time" same time ./asks sleep
check "it passes as long as was slept" says 'slept e4e1c0'
check "sleeping works otherwise" frozen random ./asks sleep >/dev/null
check "what is fortified" same time,random ./fortified random sleep
check "threads" same random,time ./asks threads
check "no look of a thread is lost" says 'passed 7744d640'

check "a thread that waits is cancelled" same time ./asks cancel
check "so it is when its time is not frozen" same random ./asks cancel
check "what is fortified, too" same time ./fortified cancel

# The benchmark's first process is the child of who leads the session.
cat >leads <<'END'
"$@"
exit $?
END
check "pids are the same" same pid setsid -w sh leads ./asks pid
check "the first one has the number that it would be told if it was traced" says 'pid 400002'
check "so is its thread" says 'tid 400002'
check "so is its parent's" says 'parent 400001'
check "signals to oneself arrive" [ "$(grep -c signal first)" = 2 ]
check "pids are the kernel's otherwise" differ random,time setsid -w sh leads ./asks pid

# What is started by somebody else keeps its pid, which others know it by.
check "children of others" frozen pid sh -c '
	./asks pid >child & wait $! && read -r word pid <child && [ $((0x$pid)) = $! ]'

# Counts of libraries with other build IDs are not comparable, and a build ID is made of all of this.
lack() {
	status=0
	(cd "$(dirname "$irdiff")" && grep -qF "$1" libirdiff-freeze.so libirdiff-malloc.so) || status=$?
	[ $status = 1 ] # 2: there are no such files
}
nowhere() {
	directory=$(cd "$(dirname "$irdiff")" && pwd -P)
	lack "$directory"
}
check "where the libraries were built is not in them" nowhere
# ./configure, ../configure and /path/to/configure name sources in three ways.
check "nor from where" lack /freeze/

finish
