#!/bin/sh
# Usage: tests/pprof.sh
#
# Profiles that Go's runtime has sampled: irdiff shows of each function what `go tool pprof` shows, of
# one profile and of the difference of two, and what it says of samples.
set -eu
. "$(dirname "$0")/scratch.sh"
needs go python3
go tool pprof -h >/dev/null 2>&1 || skip_all "go has no pprof"
cd "$scratch"
GOFLAGS=-mod=mod GOTOOLCHAIN=local
export GOFLAGS GOTOOLCHAIN

cp "$source_dir/tests/pprof/work.go" .
go build -o work work.go 2>go.log || {
	cat go.log
	skip_all "go cannot build a program"
}
./work base 1000
./work head 3000

top() {
	PPROF_TMPDIR=$scratch go tool pprof -symbolize=none -nodecount=0 -nodefraction=0 -edgefraction=0 -top "$@" 2>/dev/null
}

equal() {
	python3 "$source_dir/tests/pprof/equal.py" "$@"
}

# both FILE EVENT UNIT: self and inclusive costs
both() {
	top -sample_index="$2" -unit="$3" "$1" >top
	"$irdiff" show -i --top=0 --threshold=0 --sort="$2" --format=json "$1" >shown 2>log
	check "$1, $2: self costs" equal self top shown "$2"
	check "$1, $2: inclusive costs" equal inclusive top shown "$2"
}

# change KIND EVENT UNIT
change() {
	top -sample_index="$2" -unit="$3" -diff_base "base.$1" "head.$1" >top
	"$irdiff" diff --view=flat --top=0 --threshold=0 --min-delta=0 --metric="$2" --format=json \
		"base.$1" "head.$1" >shown 2>log
	check "$1, $2: the difference" equal change top shown "$2"
}

for side in base head; do
	both $side.cpu cpu ns
	both $side.cpu samples count
	both $side.heap alloc_space bytes
	both $side.heap inuse_objects count
done
both head.allocs alloc_objects count
for event in alloc_space alloc_objects inuse_space inuse_objects; do
	change heap $event "$(case $event in *space) echo bytes ;; *) echo count ;; esac)"
done
change cpu cpu ns

shows_first() {
	"$irdiff" show --format=json "$2" 2>/dev/null | grep -q "\"sorted_by\": \"$1\""
}
check "the last type is the default" shows_first cpu base.cpu
check "… but for another one that the file names" shows_first alloc_space base.allocs

ignored() {
	"$irdiff" show base.cpu 2>&1 >/dev/null | grep -qxF "irdiff: base.cpu: ignored: labels of samples"
}
check "labels are ignored, and irdiff says so" ignored

samples() {
	"$irdiff" show --format=json base.cpu 2>/dev/null |
		python3 -c 'import json, sys
p = json.load(sys.stdin)
n = p["totals"]["samples"]
sys.exit(n == 0 or p["profile"]["samples"] != {"cpu": n, "samples": n})'
}
check "the samples behind the numbers are counted" samples

# Each block of the heap is small, so samples are a period apart.
heap_samples() {
	"$irdiff" show --format=json head.allocs 2>/dev/null |
		python3 -c 'import json, sys
p = json.load(sys.stdin)
n, periods = p["profile"]["samples"]["alloc_space"], p["totals"]["alloc_space"] / (512 * 1024)
sys.exit(not periods / 3 < n < 1.5 * periods + 20)'
}
check "of a heap profile, their number follows from its period" heap_samples
finish
