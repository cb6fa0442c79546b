#!/bin/sh
# Usage: tests/own-cpu.sh COMMAND...
#
# Runs a test of several at once so that it measures on a CPU of its own: irdiff measures on the first one that it
# may use, where two tests would wait for each other. The n-th test may use all but the first n - 1 of them.
# tests/cpu-N.lock, in the directory of the build, says which are taken.
set -u

# "0-2,5" → 0 1 2 5
may_use() {
	sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status | tr , '\n' | while IFS=- read -r first last; do
		seq "$first" "${last:-$first}"
	done
}

cpus=$(may_use 2>/dev/null)
if [ "$(echo "$cpus" | wc -l)" -lt 2 ] || ! command -v flock >/dev/null || ! taskset -c "${cpus##*[!0-9]}" true 2>/dev/null; then
	exec "$@"
fi
busy=125
while [ -n "$cpus" ]; do
	set -- "$(echo $cpus | tr ' ' ,)" "$@"
	status=0
	flock -n -o -E $busy "tests/cpu-${cpus%%[!0-9]*}.lock" taskset -c "$@" || status=$?
	[ $status -eq $busy ] || exit $status
	shift
	cpus=$(echo "$cpus" | sed 1d)
done
exec "$@"
