#!/bin/sh
# Usage: tests/schemas.sh
#
# What irdiff writes for machines is what data/*.schema.json promise, and nothing else; and every
# member and every word that a schema promises is in some document that is checked here. Needs
# python3 with jsonschema; meta.json needs Valgrind as well.
set -eu
. "$(dirname "$0")/scratch.sh"
data=$source_dir/tests/data

python3 -c 'from jsonschema import Draft202012Validator' 2>/dev/null ||
	skip_all "python3 has no module jsonschema 4 (apt-get install python3-jsonschema)"

# Notes that the JSON on standard input is to be as data/$1.schema.json says; $2 says what it is.
check() {
	file=$(mktemp "$scratch/document.XXXXXX")
	cat >"$file"
	printf '%s\t%s\t%s\n' "$1" "$file" "$2" >>"$scratch/documents"
}

# judge SCHEMA...: checks all that was noted, and whether all that these schemas name was in it. The same
# document with one more member, or without one, must be refused: schemas are strict.
judge() {
	python3 - "$source_dir" "$scratch/documents" "$@" <<'END'
import copy, glob, json, re, sys, warnings
from jsonschema import Draft202012Validator

source, documents, *complete = sys.argv[1:]
failed = False


def fail(text):
    global failed
    print(text)
    failed = True


def load(name):
    """The validator of a schema, which may refer to another one beside it."""
    schema = json.load(open(f"{source}/data/{name}.schema.json"))
    Draft202012Validator.check_schema(schema)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from jsonschema import RefResolver
        return Draft202012Validator(schema, resolver=RefResolver(f"file://{source}/data/", schema))


def objects(value, free, path=("",)):
    """Where they are and all objects below a value, but those whose members are events or facts."""
    if isinstance(value, dict):
        if path[-1] not in free:
            yield path, value
        for name, member in value.items():
            yield from objects(member, free, (*path, name))
    elif isinstance(value, list):
        for item in value:
            yield from objects(item, free, (*path, "[]"))


def words(value):
    """All names of members, and all strings."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield key
            yield from words(member)
    elif isinstance(value, list):
        for item in value:
            yield from words(item)
    elif isinstance(value, str):
        yield value


def promised(schema):
    """All that a schema names."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        yield from (word for word in schema.get("enum", []) if isinstance(word, str))
        for member in schema.values():
            yield from promised(member)
    elif isinstance(schema, list):
        for item in schema:
            yield from promised(item)


def check(validator, document, what, tried):
    for error in validator.iter_errors(document):
        fail(f"{what}: {'/'.join(map(str, error.absolute_path))}: {error.message}")
    free = {"tolerance", "totals", "unchanged_metrics", "costs", "samples", "self", "self_of_vectors", "inclusive", "in", "out"}
    if "images" in document:
        free |= {"environment", "subject"}
    damaged = copy.deepcopy(document)
    for number, (path, target) in enumerate(list(objects(damaged, free))):
        # One of those at the same place with the same members stands for all.
        like = path, frozenset((name, type(member)) for name, member in target.items())
        if like in tried:
            continue
        tried.add(like)
        target["unheard of"] = 1
        if validator.is_valid(damaged):
            fail(f"{what}: object {number} may have any member")
        del target["unheard of"]
    for key in document:
        if validator.is_valid({k: v for k, v in document.items() if k != key}):
            fail(f"{what}: '{key}' may be missing")


validators, seen, tried = {}, {}, {}
for line in open(documents):
    name, path, what = line.rstrip("\n").split("\t")
    if name not in validators:
        validators[name], seen[name], tried[name] = load(name), set(), set()
    try:
        document = json.load(open(path))
    except ValueError as e:
        fail(f"{what}: is no JSON: {e}")
        continue
    check(validators[name], document, what, tried[name])
    seen[name].update(words(document))

def members(schema, path=()):
    """All members that a schema describes, with where they are."""
    if isinstance(schema, dict):
        for name, member in schema.get("properties", {}).items():
            yield (*path, name), member
        for key, member in schema.items():
            # Members there are those of another place, with one more condition.
            if key not in ("if", "then", "else", "contains") and not (key == "oneOf" and "properties" in schema):
                yield from members(member, (*path, key))
    elif isinstance(schema, list):
        for item in schema:
            yield from members(item, path)


def described(member, schema):
    """Whether it is, be it where it refers to."""
    there, _, place = member.get("$ref", "").partition("#/")
    if there:
        schema = json.load(open(f"{source}/data/{there}"))
    target = schema
    for key in place.split("/") if place else []:
        target = target[key]
    return "description" in member or "$ref" in member and "description" in target


for path in sorted(glob.glob(f"{source}/data/*.schema.json")):
    schema, name = json.load(open(path)), path.rsplit("/", 1)[1]
    for place, member in members(schema):
        if place[-1] != place[-1].lower():
            fail(f"data/{name}: '{place[-1]}' is not in snake_case")
        if not described(member, schema):
            fail(f"data/{name}: {'/'.join(place)} has no description")

# The causes that an audit names are many; unit tests have a profile for each.
code = open(f"{source}/src/report/json/audit.c").read()
causes = set(re.findall(r'\[CG_AUDIT_\w+\] = "([^"]*)"', code))
for word in sorted(causes - set(promised(validators["audit"].schema))):
    fail(f"data/audit.schema.json lacks the cause '{word}'")
seen["audit"] |= causes

for name in complete:
    for word in sorted(set(promised(validators[name].schema)) - seen[name]):
        fail(f"data/{name}.schema.json: no document that is checked has '{word}'")
print(f"{sum(1 for _ in open(documents))} documents of {len(validators)} schemas")
sys.exit(failed)
END
}

# A command that may exit 1, for a broken limit, but not otherwise fail.
may_break() {
	"$@" || [ $? -eq 1 ]
}

for profile in base cycle; do
	"$irdiff" show "$data/$profile.callgrind" --format=json --threshold=0 |
		check show "show $profile"
done
for by in file object namespace; do
	"$irdiff" show "$data/base.callgrind" --format=json --by=$by | check show "show by $by"
	"$irdiff" diff "$data/base.callgrind" "$data/head.callgrind" --format=json --by=$by |
		check diff "diff by $by"
done
"$irdiff" show "$data/cycle.callgrind" --format=json --by=file | check show "show of a cycle by file"
sed 's/parse\.c/other.c/' "$data/base.callgrind" | sed 's,/src/,/old/,' >"$scratch/unmoved"
sed 's,/src/parse.c,/new/other.c,' "$data/head.callgrind" >"$scratch/moved"
"$irdiff" diff "$scratch/unmoved" "$scratch/moved" --format=json --by=file |
	check diff "diff of a file that moved"
# Main, a regression and its fix: functions in every state.
fix_of() {
	printf 'events: Ir\nob=x\nfl=x.c\n'
	for cost in "$@"; do printf 'fn=%s\n1 %s\n' "${cost%=*}" "${cost#*=}"; done
}
fix_of same=1000 back=1000 partly=1000 not=1000 worse=1000 new=1000 less=1000 >"$scratch/main"
fix_of same=1000 back=9000 partly=9000 not=9000 worse=9000 new=1000 less=1000 gone=500 >"$scratch/regression"
fix_of same=1000 back=1000 partly=4000 not=9000 worse=12000 new=3000 less=300 >"$scratch/fix"
may_break "$irdiff" diff "$scratch/main" "$scratch/regression" --fix="$scratch/fix" --format=json \
	--check 2>/dev/null | check fix "a regression and its fix"
"$irdiff" diff "$scratch/fix" "$scratch/main" --fix="$scratch/main" --by=file --format=json |
	check fix "a fix by file, with nothing lost"
for by in object namespace; do
	"$irdiff" diff "$data/cycle.callgrind" "$data/base.callgrind" --fix="$data/cycle.callgrind" \
		--metric=Ir --by=$by --format=json | check fix "a fix by $by"
done
"$irdiff" diff "$data/cycle.callgrind" "$data/base.callgrind" --fix="$data/cycle.callgrind" \
	--min-delta=0 --threshold=0 --format=json | check fix "a fix with upper bounds"
# Parts with all that a file may say of them, some of them left out; and of several files.
cat >"$scratch/parts" <<'END'
pid: 77
thread: 2
part: 1
desc: Trigger: Client Request: one
events: Ir
fn=f
1 1
part: 2
fn=f
1 20
part: 3
fn=f
1 300
END
sed 's/77/78/' "$scratch/parts" >"$scratch/more"
"$irdiff" show "$scratch/parts" --parts=2-3 --format=json | check show "show of some parts"
"$irdiff" show "$scratch/parts" "$scratch/more" --pid=all --format=json |
	check show "show of two processes"
"$irdiff" diff "$scratch/mor*" "$scratch/part[s]" --parts=1-2 --format=json |
	check diff "diff of some parts"
# The same with a commit, threads and a line that is skipped.
{
	printf 'desc: irdiff.subject.commit: 0123456789abcdef0123456789abcdef01234567\n'
	printf 'desc: irdiff.subject.threads: 2\n' && cat "$scratch/parts" && echo '1 x'
} >"$scratch/facts"
for view in flat tree audit; do
	case $view in flat) schema=show ;; *) schema=$view ;; esac
	case $view in audit) option=--audit ;; *) option=--view=$view ;; esac
	"$irdiff" show "$scratch/facts" "$option" --lenient --parts=2-3 --format=json 2>/dev/null |
		check $schema "$view of a profile with all facts"
done
printf 'events: I\377r\nfn=f\376\n1 9223372036854775807\n' >"$scratch/odd"
"$irdiff" show "$scratch/odd" --format=json | check show "show of odd names and huge counts"

for profile in base cycle; do
	"$irdiff" show "$data/$profile.callgrind" --view=tree --format=json --threshold=0 |
		check tree "tree of $profile"
done
"$irdiff" show "$scratch/odd" --view=tree --format=json | check tree "tree of odd names and huge counts"

for profile in base cycle audit; do
	"$irdiff" show "$data/$profile.callgrind" --audit --format=json 2>/dev/null |
		check audit "audit of $profile"
done
"$irdiff" show "$scratch/odd" --audit --format=json | check audit "audit of odd names and huge counts"

"$irdiff" diff "$data/base.callgrind" "$data/head.callgrind" --format=json | check diff "diff"
printf 'events: Ir\nob=app\nfl=a.c\nfn=main\n1 500\ncfn=get\ncalls=100 5\n2 9000\nfn=get\n5 9000\n' >"$scratch/whole"
printf 'events: Ir\nob=app\nfl=a.c\nfn=main\n1 100\ncfn=by\ncalls=100 3\n2 30000\nfn=by\n3 3000\ncfn=get\ncalls=300 5\n4 27000\nfn=get\n5 27000\n' \
	>"$scratch/extracted"
"$irdiff" diff "$scratch/whole" "$scratch/extracted" --format=json | check diff "diff with code that a new function takes over"
"$irdiff" diff "$data/base.callgrind" "$data/base.callgrind" --format=json |
	check diff "diff without a difference"
may_break "$irdiff" diff "$data/base.callgrind" "$data/head.callgrind" --format=json --check \
	-l Ir=+80% -l Ir=+5 -l Ir=1M -l Dr== -l 'incl.Ir=+1% fn:.' -l 'Ir=+1% fn:nothing' \
	2>/dev/null | check diff "diff with limits"
# Regressions that were accepted: by somebody, by nobody known without a base, and no longer.
(
	cd "$scratch"
	printf 'accepted:\n' >irdiff-accepted.yml
	accepted() { printf -- '- {benchmark: b, metric: %s, head: %s, why: x, date: 2026-11-21%s}\n' "$@"; }
	accepted Ir 175000 ', who: Jane, base: 100000' >>irdiff-accepted.yml
	accepted Dr 5 '' >>irdiff-accepted.yml
	printf 'benchmarks: {b: {command: "true"}}\n' >irdiff.yml
	may_break "$irdiff" diff "$data/base.callgrind" "$data/head.callgrind" --format=json --check \
		--bench=b -l Ir=+1% -l Dr=+1% 2>/dev/null
	rm irdiff.yml irdiff-accepted.yml
) >"$scratch/accepted.json"
check diff "diff with accepted limits" <"$scratch/accepted.json"
may_break "$irdiff" diff "$data/base.callgrind" "$data/head.callgrind" --format=json --check -l 'Ir=+1% fn:nothing' \
	2>/dev/null | check diff "diff with a limit that matches nothing"
# One side only.
(
	cd "$scratch"
	mkdir -p profiles baselines/one
	cp "$data/base.callgrind" profiles/new.callgrind
	cp "$data/base.callgrind" baselines/one/gone.callgrind
	may_break "$irdiff" diff --baseline=one new --format=json --check -l Ir=+1% -l Ir=1M 2>/dev/null
) >"$scratch/new.json"
check diff "diff without a base" <"$scratch/new.json"
(
	cd "$scratch"
	"$irdiff" report --baseline=one --format=json
	may_break "$irdiff" report --baseline=one --format=json --check 2>/dev/null >missing.json
	rm -r profiles baselines
) >"$scratch/sides.json"
check suite "a suite of what is missing in head" <"$scratch/missing.json"
check suite "a suite of what is new and what was removed" <"$scratch/sides.json"
for side in 0 1; do
	python3 -c 'import json, sys
report = json.load(open(sys.argv[1]))
print(json.dumps(report["benchmarks"][int(sys.argv[2])]["diff"]))' "$scratch/sides.json" $side |
		check diff "diff of one side only, $side"
done
sed 's/^events: Ir Dr/events: Ir Dw/' "$data/base.callgrind" >"$scratch/other"
may_break "$irdiff" diff "$scratch/other" "$data/head.callgrind" --format=json --check \
	-l Dr=+1% -l Dr=20k 2>/dev/null | check diff "diff without base"

"$irdiff" show "$data/formats/base.pb.gz" --format=json 2>/dev/null | check show "a sampled profile"
"$irdiff" show "$data/formats/base.pb.gz" --audit --format=json 2>/dev/null | check audit "audit of a sampled profile"
may_break "$irdiff" diff "$data/formats/base.pb.gz" "$data/formats/head.pb.gz" --format=json --check -l cpu=+1% \
	2>/dev/null | check diff "diff of sampled profiles"

"$irdiff" diff "$data/base.callgrind" "$data/head.callgrind" --format=json --view=tree |
	check diff "diff of trees"

# listed F H G POSITIONS COST: a profile with these addresses; h is inlined into f, which calls g.
listed() {
	printf 'version: 1\npositions: %s\nevents: Ir\n\nob=/gone\nfl=/a.c\nfn=(1) f\n' "$4"
	printf '%s1 %s\ncfn=(2) g\ncalls=2 %s0\n%s1 3\n' "$1" "$5" "$1" "$1"
	printf 'inlined=(1)\nfn=(3) h\n%s2 7\nfn=(2)\n%s3 3\n' "$2" "$3"
}
# instructions LABEL COST OBJECT: of a program that is gone, whose code was kept: addps, jne, ret.
instructions() {
	kept="$scratch/asm/.irdiff/profiles/$1.callgrind"
	mkdir -p "$scratch/asm/profiles" "$kept"
	listed '' '' '' line "$2" >"$scratch/asm/profiles/$1.callgrind"
	listed '0x10 ' '0x13 ' '0x40 ' 'instr line' "$2" >"$kept/instructions.callgrind.zst"
	printf 'irdiff code 2\n1 0 01ab 0 2 1 %s\n19 16 2\n16 6 1\n\017\130\301\165\373\303\n' "$3" >"$kept/code.zst"
}
instructions base 40 /gone
instructions head 50 /other
cd "$scratch/asm"
"$irdiff" show base '^f$' --format=json --view=asm | check asm "instructions"
"$irdiff" show head '^f$' --format=json --view=asm | check asm "instructions without code"
"$irdiff" diff base head '^f$' --format=json --view=asm --threshold=0 | check diff "diff of instructions"
cd - >/dev/null
# edited LABEL SELF COST TEXT: `caller`, whose source is TEXT, costs SELF and calls `callee`, which costs COST.
edited() {
	mkdir -p "$scratch/edited/profiles" "$scratch/edited/.irdiff/profiles/$1.callgrind"
	printf 'events: Ir\n\nfl=/a.c\nfn=caller\n1 %s\ncfn=callee\ncalls=5 2\n1 %s\nfn=callee\n2 %s\n' "$2" "$3" "$3" \
		>"$scratch/edited/profiles/$1.callgrind"
	cp "$scratch/edited/profiles/$1.callgrind" "$scratch/edited/.irdiff/profiles/$1.callgrind/lines.callgrind.zst"
	text="$4
int callee() { return 1; }
"
	printf 'irdiff sources 1\n%s /a.c\n%s\n' ${#text} "$text" >"$scratch/edited/.irdiff/profiles/$1.callgrind/sources.zst"
}
edited base 10 1000 'int caller() { return callee(5); }'
edited more 10 5000 'int caller() { return callee(25); }'
edited other 810 500 'int caller() { return callee(2) + 17; }'
edited few 10 1000 'enum { COUNT = 5 }; int caller() { return callee(COUNT); }'
edited many 10 5000 'enum { COUNT = 25 }; int caller() { return callee(COUNT); }'
for head in more other; do
	(cd "$scratch/edited" && "$irdiff" diff base $head --format=json) | check diff "diff of an edited caller, $head"
done
(cd "$scratch/edited" && "$irdiff" diff few many --format=json) | check diff "diff of an edited declaration"
# replaced LABEL NAME COST TEXT: the same, where `f`, which `caller` calls, calls NAME at that COST.
replaced() {
	edited "$1" 3000000 "$3" "$4"
	{
		printf 'events: Ir\n\nfl=/a.c\nfn=caller\n1 3000000\ncfn=f\ncalls=5 2\n1 %s\n' "$3"
		printf 'fn=f\n2 0\ncfi=/b.c\ncfn=%s\ncalls=5 9\n2 %s\nfl=/b.c\nfn=%s\n9 %s\n' "$2" "$3" "$2" "$3"
	} >"$scratch/edited/profiles/$1.callgrind"
	cp "$scratch/edited/profiles/$1.callgrind" "$scratch/edited/.irdiff/profiles/$1.callgrind/lines.callgrind.zst"
}
replaced tree tree 500000 'int caller() { return f(5); }'
replaced hash hash 499993 'int caller() { return f(6); }'
(cd "$scratch/edited" && "$irdiff" diff tree hash --format=json) | tee "$scratch/cancelled" | check diff "diff of changes that cancel each other"
grep -q '"cancelled"' "$scratch/cancelled"
mkdir -p "$scratch/kept/profiles" "$scratch/kept/.irdiff/profiles/base.callgrind"
cp "$data/head.callgrind" "$scratch/kept/head"
sed 's/^events:.*/&\n/' "$data/base.callgrind" >"$scratch/kept/profiles/base.callgrind"
cp "$scratch/kept/profiles/base.callgrind" "$scratch/kept/.irdiff/profiles/base.callgrind/lines.callgrind.zst"
printf 'irdiff sources 1\n8 /src/parse.c\none\ntwo\n\n' >"$scratch/kept/.irdiff/profiles/base.callgrind/sources.zst"
for day in 2037-01-01 2001-01-01; do
	touch -d $day "$scratch/kept/head"
	(cd "$scratch/kept" && "$irdiff" diff base head --view=source --format=json --context=1 -I "$data") |
		check diff "diff of lines, head of $day"
done
printf 'm;a;w 1\nm;b_[i] 5\n' >"$scratch/a.folded"
printf 'm;a;w 7\nm;a;b\376 5\n' >"$scratch/b.folded"
"$irdiff" diff "$scratch/a.folded" "$scratch/b.folded" --format=json --view=tree --min-delta=0 |
	check diff "diff of folded stacks"
printf 'm;z_[i] 1\nm;slow;x 70\nm;a;y 9\nm 10\nm;leaf 20\nm;b 5\n' >"$scratch/a.folded"
printf 'm;z_[i] 1\nm;fast;x 30\nm;fast;n 20\nm;y 9\nm 25\nm;b_[i] 6\nother 4\n' >"$scratch/b.folded"
for view in tree causes; do
	"$irdiff" diff "$scratch/a.folded" "$scratch/b.folded" --format=json --view=$view \
		--min-delta=0 --threshold=0 | check diff "diff of $view, matched in all ways"
	"$irdiff" diff "$scratch/a.folded" "$scratch/a.folded" --format=json --view=$view \
		--min-delta=0 | check diff "diff of $view without a difference"
done

# Moved, renamed, changed environment, huge counts, an upper bound, a base that is 0.
cat >"$scratch/a" <<'END'
desc: irdiff.env.cpu: x
events: Ir
ob=/b/one
fl=old.c
fn=moved
1 1
fn=huge
1 -9223372036854775000
cfn=even
calls=1 1
1 5
fn=even
1 5
cfn=huge
calls=1 1
1 1
END
sed 's/one/two/; s/old/new/; s/: x$/: y/; s/^1 -9223372036854775000/1 3/' "$scratch/a" >"$scratch/b"
"$irdiff" diff "$scratch/a" "$scratch/b" --format=json --threshold=0 --min-delta=0 |
	check diff "diff of renamed objects and huge counts"
sed 's/old/new/; s/^1 1$/1 3/' "$scratch/a" >"$scratch/c"
"$irdiff" diff "$scratch/c" "$scratch/a" --format=json --threshold=0 --min-delta=0 |
	check diff "diff of moved files"
calls='cfn=f\ncalls=8 1\n1 80\ncfn=n\ncalls=1 1\n1 90\nfn=n\n1 50\ncfn=f\ncalls=4 1\n1 40\nfn=f\n1 120\n'
printf "events: Ir\nfn=m\n1 500\n$calls" >"$scratch/called"
printf 'events: Ir\nfn=(1) m\n1 490\ncfn=(3) n\ncalls=1 1\n1 70\ninlined=(1)\nfn=(2) f\n1 90\nfn=(3)\n1 45\ninlined=(3)\nfn=(2)\n1 25\n' \
	>"$scratch/inlined"
may_break "$irdiff" diff "$scratch/called" "$scratch/inlined" --format=json --check -l 'calls=+0 fn:^f$' 2>/dev/null |
	check diff "diff of a function inlined into several, whose calls are limited"
printf 'events: Ir\nfn=(1) m\n1 500\ninlined=(1)\nfn=(2) f\n# inlined calls: 9\n2 90\ninlined=(2)\nfn=(3) g\n# inlined calls: 18\n3 70\n' \
	>"$scratch/inlined-both"
printf 'events: Ir\nfn=(1) m\n1 510\ncfn=(2) f\ncalls=9 2\n1 290\nfn=(2)\n2 110\ncfn=(3) g\ncalls=18 3\n2 180\nfn=(3)\n3 180\n' \
	>"$scratch/called-both"
"$irdiff" diff "$scratch/inlined-both" "$scratch/called-both" --format=json |
	check diff "diff of several functions that are no longer inlined"
sed 's/fn=f$/fn=g/; s/^1 120$/1 121/' "$scratch/called" >"$scratch/other-name"
may_break "$irdiff" diff "$scratch/called" "$scratch/other-name" --format=json --check -l 'Ir=+1% fn:^g$' 2>/dev/null |
	check diff "diff of a function that may have another name"
printf 'events: Ir\n' >"$scratch/nothing"
"$irdiff" diff "$scratch/nothing" "$data/base.callgrind" --format=json --metric=Ir |
	check diff "diff with an empty base"

# Rows that stand for functions without symbols, paths that did not change above some that did,
# limits that others override, and every way in which paths are matched.
printf 'events: Ir\nob=/bin/x\nfn=0x1000\n1 500\nfn=0x2000\n1 500\n' >"$scratch/a"
printf 'events: Ir\nob=/bin/x\nfn=0x1010\n1 700\nfn=0x2020\n1 800\n' >"$scratch/b"
"$irdiff" diff "$scratch/a" "$scratch/b" --format=json | check diff "diff of functions without symbols"
printf 'm;wrap;x 100\nm;wrap;y 90\nm;wrap 20\nm;f_[i] 50\nm;g;z 10\nm;g 900\n' >"$scratch/a.folded"
printf 'm;x 105\nm;y 85\nm;f 70\nm;g;z 30\nm;g 880\n' >"$scratch/b.folded"
"$irdiff" diff "$scratch/a.folded" "$scratch/b.folded" --format=json --view=tree --threshold=0 --min-delta=0 |
	check diff "diff of a tree without a wrapper"
(
	cd "$scratch"
	printf 'limits:\n  Ir: "+1%%"\n  Dr: "+1%%"\n' >irdiff.yml
	may_break "$irdiff" diff "$data/base.callgrind" "$data/head.callgrind" --format=json --check \
		-l Ir=+80% 2>/dev/null
	rm irdiff.yml
) >"$scratch/overridden.json"
check diff "diff with overridden limits" <"$scratch/overridden.json"

printf 'events: Ir\nfn=m\n1 9\ncfn=f\ncalls=5 1\n1 50\nfn=f\n1 50\n' >"$scratch/called"
printf 'events: Ir\nfn=(1) m\n1 5\ninlined=(1)\nfn=(2) f\n1 40\n' >"$scratch/inlined"
"$irdiff" diff "$scratch/called" "$scratch/inlined" --format=json --view=causes --threshold=0 --min-delta=0 |
	check diff "diff of a function that is inlined"
"$irdiff" diff "$scratch/inlined" "$scratch/called" --format=json --view=causes --threshold=0 --min-delta=0 |
	check diff "diff of a function that is no longer inlined"

printf 'm;v<int>::at 5\nm;v<long>::at 5\n' >"$scratch/a.folded"
printf 'm;v<int>::at 6\nm;v<int>::at;k 4\nm;v<long>::at 7\nm;v<long>::at;k 6\n' >"$scratch/b.folded"
"$irdiff" diff "$scratch/a.folded" "$scratch/b.folded" --format=json --view=causes --threshold=0 --min-delta=0 |
	check diff "diff of instances of a template"

# Inlined functions, as CodSpeed's Valgrind names them and as irdiff profile notes them.
# heap STACK BLOCKS: a profile of a heap in which main allocates, and this stack so many blocks.
heap() {
	cat <<-END
		{"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":true,"bkacc":true,"tu":"instrs","Mtu":"Minstr",
		"tuth":500,"cmd":"./w","pid":1,"te":9,"tg":9,"pps":[
		{"tb":800,"tbk":8,"tl":9,"mb":8,"mbk":1,"gb":8,"gbk":1,"eb":0,"ebk":0,"rb":0,"wb":0,"fs":[1,2]},
		{"tb":900,"tbk":$2,"tl":9,"mb":8,"mbk":1,"gb":8,"gbk":1,"eb":0,"ebk":0,"rb":0,"wb":0,"fs":[$1]}],
		"ftbl":["[root]","0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_dhat-amd64-linux.so)","0x1091: main (w.c:5)","0x1092: f (w.c:2)"]}
	END
}
heap 1,2 1 >"$scratch/few.dhat"
heap 1,3,2 9 >"$scratch/many.dhat"
"$irdiff" diff "$scratch/few.dhat" "$scratch/many.dhat" --format=json --view=causes --metric=AllocBlocks |
	check diff "diff of a function that newly allocates"
"$irdiff" diff "$scratch/many.dhat" "$scratch/few.dhat" --format=json --view=causes --metric=AllocBlocks |
	check diff "diff of a function that allocates no more"
inlined=$source_dir/tests/fuzz/seeds/callgrind/inlined
"$irdiff" show "$inlined" --format=json | check show "show of named inlined functions"
"$irdiff" show "$inlined" --format=json --view=tree | check tree "tree of named inlined functions"
printf 'desc: irdiff.inlines: by debug information\ndesc: irdiff.inlines.missing: no debug information: /bin/x\n' |
	cat - "$inlined" >"$scratch/noted"
"$irdiff" show "$scratch/noted" --format=json | check show "show of inlined functions"
"$irdiff" show "$scratch/noted" --format=json --view=tree | check tree "tree of inlined functions"

printf 'desc: irdiff.subject.built: %s -O2\ndesc: irdiff.subject.commit: 1\nevents: Ir\nfn=f\n1 5000\n' \
	'GNU C17 12.2 -g' >"$scratch/a"
sed 's/-O2/-O1/; s/5000/4000/' "$scratch/a" >"$scratch/b"
may_break "$irdiff" diff "$scratch/a" "$scratch/b" --format=json --check -l Ir=3k 2>/dev/null |
	check diff "diff of flags, with a ceiling"
printf 'desc: irdiff.env.cpu: one\ndesc: irdiff.subject.built: one\nevents: Ir\nfn=f\n1 5\n' >"$scratch/a"
sed 's/one/two/g; s/^1 5$/1 6/' "$scratch/a" >"$scratch/b"
{ "$irdiff" diff "$scratch/a" "$scratch/b" --format=json --check 2>/dev/null || test $? = 4; } |
	check diff "diff of different environments"

{ "$irdiff" report "$scratch/a" "$scratch/b" --format=json --check 2>/dev/null || test $? = 4; } |
	check suite "a suite of different environments"
printf 'events: Ir\nfn=f\n1 5000\n' >"$scratch/a"
printf 'events: Ir\nfn=f\n1 4000\n' >"$scratch/b"
"$irdiff" report "$scratch/a" "$scratch/a" "$scratch/a" "$scratch/b" "$scratch/b" "$scratch/a" --format=json |
	check suite "a suite"
may_break "$irdiff" report "$scratch/a" "$scratch/a" "$scratch/a" "$scratch/b" --format=json --check \
	-l Ir=+1% -l 'Ir=3k fn:^f$' | check suite "a suite that was judged"
printf 'events: Ir\nfn=f\n1 2000\n' >"$scratch/c"
"$irdiff" report "$scratch/a" "$scratch/c" --format=json --check -l Ir=+1% | check suite "a suite that passes"

# Several threads, and what is within the tolerance.
printf 'desc: irdiff.subject.benchmark: b\ndesc: irdiff.subject.threads: 2\nevents: Ir\nfn=f\n1 5000\n' >"$scratch/a"
printf 'desc: irdiff.subject.benchmark: b\nevents: Ir\nfn=f\n1 5300\nfn=start_thread\n1 200\n' >"$scratch/b"
"$irdiff" show "$scratch/a" --format=json | check show "show of two threads"
"$irdiff" show "$scratch/b" --format=json | check show "show of several threads"
"$irdiff" show "$scratch/b" --format=json --view=tree | check tree "tree of several threads"
"$irdiff" show "$scratch/b" --format=json --audit | check audit "audit of several threads"
"$irdiff" diff "$scratch/a" "$scratch/b" --format=json | check diff "diff of threads"
inconclusive() { "$irdiff" "$@" --check --format=json 2>/dev/null || test $? = 4; }
inconclusive diff "$scratch/a" "$scratch/b" | check diff "diff of threads that is judged"
inconclusive report "$scratch/a" "$scratch/b" | check suite "a suite of threads that is judged"
sed 's/^fn=f/fn=g/; s/threads: 2/threads: 1/' "$scratch/a" >"$scratch/renamed"
may_break "$irdiff" diff "$scratch/a" "$scratch/renamed" --format=json --check -l 'Ir=+1% fn:^f$' 2>/dev/null |
	check diff "diff of a function that may have been replaced"
printf 'events: Ir\n' >"$scratch/nothing"
inconclusive diff "$scratch/nothing" "$scratch/nothing" | check diff "diff of what has counted nothing"
(
	cd "$scratch"
	printf 'accepted:\n- {benchmark: b, metric: Ir, head: 7, why: x, date: 2026-11-21}\n' >irdiff-accepted.yml
	"$irdiff" diff renamed renamed --format=json --check 2>/dev/null
	rm irdiff-accepted.yml
) >"$scratch/expired.json"
check diff "diff with what has expired" <"$scratch/expired.json"
(
	cd "$scratch"
	printf 'benchmarks: {b: {command: "true", tolerance: {Ir: 10%%}}}\n' >irdiff.yml
	"$irdiff" diff a b --format=json --view=tree --check -l Ir== 2>/dev/null >tolerated.json
	"$irdiff" report a b --format=json --check -l Ir== 2>/dev/null >tolerated-suite.json
	rm irdiff.yml
)
check diff "diff within the tolerance" <"$scratch/tolerated.json"
check suite "a suite within the tolerance" <"$scratch/tolerated-suite.json"

# A report is small unless somebody asks for more: 40 functions that changed, with short and long names.
many() {
	printf 'cmd: ./bench input.txt\nevents: Ir\nob=/bench\nfl=/src/main.c\nfn=main\n1 500\n'
	for i in $(seq 40); do
		printf 'cfi=/src/scan.c\ncfn=%s%d\ncalls=100 1\n1 %d\n' "$1" "$i" $((10000 + i * $2))
	done
	for i in $(seq 40); do printf 'fl=/src/scan.c\nfn=%s%d\n1 %d\n' "$1" "$i" $((10000 + i * $2)); done
}
# small FILE: holds it to what a coding agent can read in one go.
small() {
	bytes=$(wc -c <"$1")
	[ "$bytes" -le 4096 ] || {
		echo "$1: $bytes bytes of JSON, more than 4096"
		exit 1
	}
}
for name in scan_ 'json::parser::detail::basic_lexer<std::char_traits<char> >::scan_'; do
	many "$name" 10 >"$scratch/a"
	many "$name" 600 >"$scratch/b"
	"$irdiff" diff "$scratch/a" "$scratch/b" --format=json >"$scratch/small"
	small "$scratch/small" && check diff "diff of 40 functions called $name" <"$scratch/small"
	"$irdiff" diff "$scratch/a" "$scratch/b" --format=json --top=12 >"$scratch/twelve"
	"$irdiff" diff "$scratch/a" "$scratch/b" --format=json --top=0 >"$scratch/all"
	"$irdiff" report "$scratch/a" "$scratch/b" "$scratch/b" "$scratch/a" --format=json >"$scratch/suite"
	check suite "a suite of 40 functions called $name" <"$scratch/suite"
	python3 - "$scratch" <<'END'
import json, sys

def load(name):
    return json.load(open(f"{sys.argv[1]}/{name}"))

def shown(diff):
    causes = diff["causes"]
    assert diff["changed"] == 40 and diff["hidden"] == 40 - len(diff["functions"]), diff
    assert causes["changed"] == 40 and causes["hidden"] == 40 - len(causes["items"]), causes
    assert sum(c["delta"] for c in causes["items"]) + causes["smaller"]["delta"] == causes["delta"], causes
    assert diff["metrics"][0]["ratio"] == round(diff["metrics"][0]["head"] / diff["metrics"][0]["base"], 6)
    return len(causes["items"]), len(diff["functions"])

for diff in load("small"), *(b["diff"] for b in load("suite")["benchmarks"]):
    causes, functions = shown(diff)
    assert causes == 5 and 1 <= functions <= 10, (causes, functions)
assert shown(load("twelve")) == (12, 12) and shown(load("all")) == (40, 40)
END
done
"$irdiff" diff "$data/base.callgrind" "$data/head.callgrind" --format=json >"$scratch/small" && small "$scratch/small"

# What stands out: parse allocates 200 and 900 times.
allocating() {
	printf 'events: Ir\nob=parse\nfn=main\n1 1000\ncfn=parse\ncalls=1 1\n1 %d\nfn=parse\n1 20000\n' $((20000 + $1 * 50))
	printf 'cob=libc.so.6\ncfn=malloc\ncalls=%d 1\n1 %d\nob=libc.so.6\nfn=malloc\n1 %d\n' "$1" $(($1 * 50)) $(($1 * 50))
}
allocating 200 >"$scratch/a"
allocating 900 >"$scratch/b"
"$irdiff" diff "$scratch/a" "$scratch/b" --format=json | check diff "diff with insights"
"$irdiff" diff "$scratch/b" "$scratch/a" --format=json | check diff "diff with insights that got less"
"$irdiff" show "$scratch/b" --insights=auto --format=json | check show "show with insights"
"$irdiff" show "$scratch/b" --insights=auto --format=json --view=tree | check tree "tree with insights"

# A history of two environments, a merged commit and another branch; and of no repository.
(
	cd "$scratch" && mkdir history && cd history
	git init -q -b main . && git config user.name a && git config user.email a@b
	commit() {
		git commit -q --allow-empty -m "$1" && git rev-parse HEAD
	}
	row() {
		printf '{"schema":"irdiff/run","version":2,"benchmark":"b","definition":"0123456789abcdef","commit":"%s","tree":null,"committed":1000,"subject":"s","environment":{"cpu":"%s"},"irdiff":"0","valgrind":"3","measured":%d,"counts":{"Ir":%d}}\n' "$1" "$2" "$3" "$4"
	}
	one=$(commit one) && two=$(commit two)
	git checkout -q -b merged && merged=$(commit merged)
	git checkout -q -b other && other=$(commit other)
	git checkout -q main && git merge -q --no-ff -m three merged && three=$(git rev-parse HEAD)
	{
		row "$one" x 2 1000 && row "$two" x 2 5000 && row "$three" x 2 1000
		row "$merged" x 2 7 && row "$other" x 2 8 && row "$one" y 1 9
	} | "$irdiff" history --import=- >/dev/null
	"$irdiff" history --all --format=json >../history.json
	mkdir ../elsewhere && cd ../elsewhere && git init -q .
	(cd ../history && "$irdiff" history --export) | "$irdiff" history --import=- >/dev/null
	"$irdiff" history b --format=json >../history-by-time.json
)
mkdir -p "$scratch/history/.irdiff/cache/b@1a2b3c4d5e-0123456789ab"
(cd "$scratch/history" && "$irdiff" cache list --format=json) | check cache "what is in the cache"
check history "history" <"$scratch/history.json"
check history "history by the times of commits" <"$scratch/history-by-time.json"

# With what is not fine in every way, of which the machine may have more.
mkdir "$scratch/doctor"
printf '#!/bin/sh\nexit 3\n' >"$scratch/doctor/valgrind" && chmod +x "$scratch/doctor/valgrind"
printf 'benchmarks: {b: {command: ./nothing}, c: {command: env true}}\n' >"$scratch/doctor/irdiff.yml"
(cd "$scratch/doctor" && { IRDIFF_VALGRIND=./valgrind "$irdiff" doctor --format=json || test $? = 4; }) |
	check doctor "what irdiff doctor finds"

if ! has valgrind "meta.json and what is looked up"; then
	judge audit cache diff doctor history
	exit 0
fi
cd "$scratch"
"$irdiff" profile --label=run -- /bin/echo hello >profile.out 2>&1 || {
	cat profile.out
	exit 1
}
check meta "meta.json" <.irdiff/profiles/run.callgrind/meta.json

# The demo is small, too.
for version in v1 v2; do
	cp "$source_dir/data/demo/parser-$version.c" .
	$compiler -O2 -g -o parser-$version parser-$version.c
	"$irdiff" profile --label=$version -- ./parser-$version >/dev/null 2>&1
done
"$irdiff" diff v1 v2 --format=json >"$scratch/small"
small "$scratch/small" && check diff "the demo" <"$scratch/small"

# What varies. Not all words of the schema: that would take many runs.
cat >seed.c <<'END'
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
int main(void)
{
	uint32_t seed;
	memcpy(&seed, (const void *)getauxval(AT_RANDOM), sizeof seed);
	for (volatile uint32_t i = 0; i < seed % 100000; i++)
		;
	return 0;
}
END
$static -g -o seed seed.c
{ "$irdiff" verify -n 2 --format=json -- ./seed || test $? = 4; } | check verify "runs that differ"
"$irdiff" verify -n 2 --format=json -- /bin/true | check verify "runs that are equal"

# What is looked up now may be of another build.
echo 'static int twice(int n) { return 2 * n; } int main(int n, char **a) { (void)a; return twice(n) - 2; }' >p.c
$compiler -g -O2 -o p p.c
valgrind -q --tool=callgrind --dump-instr=yes --callgrind-out-file=p.callgrind ./p
"$irdiff" show p.callgrind --format=json | check show "show of inlined functions that were looked up"
"$irdiff" show p.callgrind --format=json --view=tree |
	check tree "tree of inlined functions that were looked up"

# The second commit costs more, the third does not build; then what was skipped leaves a doubt.
mkdir "$scratch/bisect" && cd "$scratch/bisect" && git init -q .
git config user.name a && git config user.email a@b
printf 'build: %s -o p p.c\nbenchmarks: {b: {command: ./p}}\n' "$static" >irdiff.yml
for rounds in 100 900 'x' 901 'y' 9000; do
	echo "int main(void) { for (volatile int i = 0; i < $rounds; i++); return 0; }" >p.c
	git add irdiff.yml p.c && git commit -qm "$rounds" && git tag "t$rounds"
done
"$irdiff" bisect b --good=t100 --bad=t901 --format=json 2>/dev/null | check bisect "a search"
{ "$irdiff" bisect b --good=t901 --format=json 2>/dev/null || test $? = 3; } |
	check bisect "a search that ends in doubt"
for rounds in 50 500; do
	echo '#include "irdiff.h"' >p.c
	echo "int main(void) { IRDIFF_CASE(\"one\") for (volatile int i = 0; i < $rounds; i++); return 0; }" >>p.c
	cp "$source_dir/src/client/irdiff.h" . && git add irdiff.h p.c && git commit -qm "$rounds" && git tag "t$rounds"
done
"$irdiff" bisect b --good=t50 --format=json 2>/dev/null | check bisect "a search among cases"
printf 'build: %s -o p p.c\nbenchmarks: {b: {command: ./p}, c: {command: ./nothing}}\n' "$static" >irdiff.yml
git checkout -q t901 -- p.c
{ "$irdiff" compare t100 --format=json 2>/dev/null || test $? = 3; } | check suite "a suite with a failure"
printf '#include <stdio.h>\nenum { ONE, LAST };\n__attribute__((noinline)) static int work(int n)\n{\n\tfor (volatile int i = 0; i < LAST * 9000; i++)\n\t\tn += i;\n\treturn n;\n}\nint main(int argc, char **argv)\n{\n\treturn !argv || work(argc) == 1;\n}\n' >e.c
$static -g -O1 -o e e.c && "$irdiff" profile -q --label=few -- ./e
sed -i 's/ONE,/ONE, TWO,/; s/!argv/!argc/' e.c
$static -g -O1 -o e e.c && "$irdiff" profile -q --label=more -- ./e
"$irdiff" diff few more --format=json >edited.json || test $? = 1
grep -q '"edited_declaration"' edited.json && check diff "diff of an edited declaration" <edited.json
{ "$irdiff" check t100 --limit=Ir=+5% --shard=1/1 --results=results >/dev/null 2>&1 || test $? = 3; }
check results "results of a shard" <results/results.json
judge audit bisect cache diff doctor history meta show suite tree
