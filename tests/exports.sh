#!/bin/sh
# Usage: [SPEEDSCOPE=DIRECTORY] tests/exports.sh
#
# What irdiff convert writes for speedscope and pprof is what these take, and another count of it
# (tests/exports/recount.py) gives the costs that irdiff shows. pprof's files are decoded by protoc,
# and, where it is installed, read by `go tool pprof`. With SPEEDSCOPE, a directory with its npm
# package, and chromium, the page of speedscope is asked for what it shows.
set -eu
. "$(dirname "$0")/scratch.sh"
needs valgrind protoc python3
tests=$source_dir/tests cc=$compiler cxx=${CXX:-g++}
needs "${cxx%% *}"
cd "$scratch"
unset DEBUGINFOD_URLS
failures=0
count=0

# verdict WHAT COMMAND...
verdict() {
	what=$1
	shift
	count=$((count + 1))
	if "$@" >verdict.log 2>&1; then
		echo "ok      $what"
	else
		echo "FAILED  $what: $*"
		cat verdict.log
		failures=$((failures + 1))
	fi
}

recount() {
	python3 "$tests/exports/recount.py" "$@"
}

decode() {
	gzip -dcf "$1" | protoc --proto_path="$tests/exports" --decode=Profile profile.proto
}

has_go() {
	command -v go >/dev/null && go tool pprof -h >/dev/null 2>&1
}

pprof() {
	PPROF_TMPDIR=$scratch go tool pprof -symbolize=none -nodecount=0 -nodefraction=0 "$@" 2>/dev/null
}

# page FILE: what speedscope makes of it. A busy machine may not be done when it is asked.
page() {
	printf 'speedscope.loadFileFromBase64("x.speedscope.json","%s")' "$(base64 -w0 "$1")" >page.js
	for _ in 1 2 3; do
		dump_page >page.html || :
		! grep -q 'Symbol Name' page.html || break
	done
	cat page.html
}

dump_page() {
	timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
		--use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader \
		--disable-background-networking --disable-component-update --disable-sync \
		--user-data-dir="$scratch/chromium" --virtual-time-budget=10000 --dump-dom \
		"file://$SPEEDSCOPE/dist/release/index.html#view=sandwich&localProfilePath=$scratch/page.js" \
		2>/dev/null
}

tree_of() {
	"$irdiff" show "$@" --view=tree --format=json --threshold=0 2>/dev/null
}

# check NAME PROFILE: both formats of a profile, against the tree that irdiff shows.
check() {
	name=$1 profile=$2
	tree_of "$profile" >"$name.tree"
	tree_of "$profile" --root= >"$name.all"
	"$irdiff" convert "$profile" "$name.speedscope.json" 2>/dev/null
	"$irdiff" convert "$profile" "$name.pb.gz" 2>/dev/null
	verdict "$name: speedscope" recount speedscope "$name.speedscope.json" "$name.tree"
	decode "$name.pb.gz" >"$name.txt"
	verdict "$name: pprof's protocol buffer" recount pprof "$name.txt" "$name.all"
	if has_go; then
		pprof -top "$name.pb.gz" >"$name.top"
		verdict "$name: go tool pprof" recount top "$name.top" "$name.all"
	fi
	if [ -n "${SPEEDSCOPE-}" ] && command -v chromium >/dev/null; then
		page "$name.speedscope.json" >"$name.dom"
		verdict "$name: the page of speedscope" recount dom "$name.dom" "$name.all"
	fi
}

# check_exact NAME PROFILE [SOURCE]: the same, against the table of functions; where all paths (to
# functions of the source) are recorded, it adds up to the last count.
check_exact() {
	check "$1" "$2"
	shift 2
	"$irdiff" show "$profile" -i --format=json --threshold=0 >"$name.flat" 2>/dev/null
	verdict "$name: pprof has what the table of functions has" \
		recount pprof "$name.txt" "$name.flat" "$@"
	if has_go; then
		verdict "$name: go tool pprof, too" recount top "$name.top" "$name.flat" "$@"
	fi
}

measure() {
	valgrind --tool=callgrind --dump-instr=yes --cache-sim=yes --separate-callers=60 \
		--separate-recs=10 --callgrind-out-file="$1.out" "./$1" >log 2>&1
}

$cc -O2 -g "$tests/inlines/work.c" "$tests/inlines/mix.c" -o work
$cxx -w -std=c++17 -O2 -g "$tests/inlines/shapes.cc" "$tests/inlines/mix.c" -o shapes
for program in work shapes; do
	measure "$program"
	check "$program" "$program.out"
done
$cc -O2 -g "$tests/../data/demo/parser-v2.c" -o parser
measure parser
check_exact parser parser.out parser-v2.c

# Inlined functions are further lines of a location, and addresses are those of the object.
verdict "inlined functions are lines of one location" python3 - work.txt <<'END'
import re, sys
locations = re.findall(r"^location \{\n(.*?)^\}", open(sys.argv[1]).read(), re.S | re.M)
sys.exit(not any(l.count("line {") > 2 for l in locations) or
         not any("address: " in l for l in locations))
END
"$irdiff" convert work.out plain.pb --inlines=no 2>/dev/null
decode plain.pb >plain.txt
verdict "… and none without them" python3 - plain.txt <<'END'
import re, sys
locations = re.findall(r"^location \{\n(.*?)^\}", open(sys.argv[1]).read(), re.S | re.M)
sys.exit(not locations or any(l.count("line {") != 1 for l in locations))
END

# A program of irdiff profile has the id of its build.
"$irdiff" profile -q --label labelled -- ./work >log 2>&1
"$irdiff" convert labelled labelled.pb 2>/dev/null
decode labelled.pb >labelled.txt
build_id=$("$irdiff" convert labelled - 2>/dev/null | sed -n 's/^desc: irdiff.subject.build_id: //p')
verdict "functions of a label have lines" python3 - labelled.txt <<'END'
import re, sys
functions = re.findall(r"^function \{\n(.*?)^\}", open(sys.argv[1]).read(), re.S | re.M)
sys.exit(sum("start_line: " in f for f in functions) < 10)
END
verdict "the build is known" grep -q "string_table: \"$build_id\"" labelled.txt

if has_go; then
	$cc -O1 -g "$tests/inlines/work.c" "$tests/inlines/mix.c" -o work
	measure work
	"$irdiff" convert work.out head.pb.gz 2>/dev/null
	total=$("$irdiff" show work.out --format=json 2>/dev/null | jq .totals.Ir)
	base=$(jq '[.paths[].self.Ir] | add' work.all)
	pprof -top -sample_index=Ir -diff_base work.pb.gz head.pb.gz >diff.top
	verdict "go tool pprof takes differences" \
		python3 -c 'import re, sys
sum = sum(int(m[1]) for m in re.finditer(r"^ *(-?\d+) +\S+% ", open("diff.top").read(), re.M))
sys.exit(sum != int(sys.argv[1]) - int(sys.argv[2]))' "$total" "$base"
else
	skip "go tool pprof" "go is not installed; only protoc reads what is for pprof"
fi

# Exact paths, recursion, and names that are no UTF-8, would end a text, or steer a terminal.
cat >recursion.folded <<'END'
main 3
main;even;odd;even;odd 5
main;even;odd 7
main;walk;walk;walk;leaf_[i] 11
main;walk;leaf_[i];deep_[i];call 13
leaf 17
END
check_exact recursion recursion.folded
printf 'main;a"b\\c 1\nmain;\377\376x 20\nmain;\033[31mred\302\205 300\n' >hostile.folded
printf 'main;\342\200\256evil 4000\nmain;caf\303\251_[i];"};alert(1)// 50000\n' >>hostile.folded
"$irdiff" convert hostile.folded hostile.speedscope.json
"$irdiff" convert hostile.folded hostile.pb
verdict "hostile names: JSON" python3 -c '
import json
d = json.load(open("hostile.speedscope.json", encoding="utf-8"))
names = [f["name"] for f in d["shared"]["frames"]]
assert d["profiles"][0]["endValue"] == 54321, d["profiles"][0]["endValue"]
assert "a\"b\\c" in names and "café" in names and "\\xff\\xfex" in names, names
assert not any(ord(c) < 32 or ord(c) in (0x85, 0x202e) for n in names for c in n), names'
verdict "hostile names: UTF-8 in pprof's strings" sh -ec '
	protoc --proto_path="$1" --decode=Profile profile.proto <hostile.pb >hostile.txt 2>hostile.err
	! grep -q UTF-8 hostile.err
	grep -qF "string_table: \"\\\\xff\\\\xfex\"" hostile.txt' sh "$tests/exports"

# Growth of memory: pprof has negative values.
printf 'events: mem\nfn=main\n1 5\ncfn=f\ncalls=1 1\n1 -4\nfn=f\n1 -4\n' >mem.callgrind
"$irdiff" convert mem.callgrind mem.pb
"$irdiff" show mem.callgrind -i --format=json --threshold=0 >mem.flat
decode mem.pb >mem.txt
verdict "negative costs" recount pprof mem.txt mem.flat

if python3 -c 'import jsonschema' 2>/dev/null && [ -n "${SPEEDSCOPE-}" ]; then
	verdict "speedscope's schema" python3 -c '
import json, jsonschema, sys
schema = json.load(open(sys.argv[1]))
for name in ("recursion", "hostile"):
    jsonschema.Draft7Validator(schema).validate(json.load(open(name + ".speedscope.json")))
' "$SPEEDSCOPE/dist/release/file-format-schema.json"
fi

echo "$count tests, $failures failed"
test $failures = 0
