#!/bin/sh
# Usage: tests/config.sh
#
# The schema of irdiff.yml for editors (data/irdiff.schema.json) and irdiff agree: on every document
# of a table, and the schema has every key that irdiff reads, with a description, and no other. Needs
# python3 with jsonschema and yaml.
set -eu
. "$(dirname "$0")/skip.sh"
LC_ALL=C.UTF-8
export LC_ALL
source_dir=$(CDPATH='' cd "${srcdir:-.}" && pwd)
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")

python3 -c 'import yaml; from jsonschema import Draft7Validator' 2>/dev/null ||
	skip_all "python3 lacks jsonschema or yaml (apt-get install python3-jsonschema python3-yaml)"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-config.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
cd "$scratch"

IRDIFF=$irdiff SOURCE=$source_dir exec python3 - <<'END_OF_PYTHON'
import json, os, re, subprocess, sys
import yaml
from jsonschema import Draft7Validator

irdiff, source = os.environ.pop("IRDIFF"), os.environ.pop("SOURCE")
schema = json.load(open(source + "/data/irdiff.schema.json"))
Draft7Validator.check_schema(schema)
validator = Draft7Validator(schema)
failures = checks = 0


def verdict(ok, *what):
    global failures, checks
    checks += 1
    failures += not ok
    if not ok:
        print("FAILED:", *what)


def irdiff_takes(text):
    open("irdiff.yml", "w").write(text)
    done = subprocess.run([irdiff, "show", source + "/tests/data/base.callgrind", "--top=1"],
                          capture_output=True, text=True)
    verdict(done.returncode in (0, 2), "irdiff ends with", done.returncode, done.stderr)
    verdict(done.returncode == 0 or "irdiff.yml" in done.stderr, done.stderr)
    return done.returncode == 0, done.stderr


def compare(text, good):
    taken, why = irdiff_takes(text)
    errors = [error.message for error in validator.iter_errors(yaml.safe_load(text))]
    verdict(taken == good, f"{text!r}: irdiff", "takes it" if taken else "refuses it: " + why)
    verdict((not errors) == good, f"{text!r}: the schema", errors or "takes it")


def benchmark(key):
    return f"benchmarks:\n  b:\n    command: x\n    {key}\n"


def limit(value):
    return f"limits:\n  Ir: {value}\n"


GOOD = [
    "", "{}", "build: make -j bench", "build: [make, -j, 2]", "build: {command: 'a && b', shell: true}",
    "build: {command: make}", "build: {command: [make, 1, 2.5, true], shell: false}",
    "base: main", "base: origin/main", "base: v1.0~2", "copy: []", "copy: [a, data/*.json, ./x, '**/y']",
    "copy: [a..b, ..., .../x, .hidden]", "keep: []", "keep: [target]", "keep: [./a//b/., .cache/, a..b, .gitx]",
    "benchmarks:", "benchmarks: {}", "limits:", "limits: {}",
    "benchmarks: {b: {command: x}}", "benchmarks: {a b: {command: [x, '']}, 'Ünï-1.x': {command: x}}",
    "benchmarks: {b: {command: 'echo $HOME | wc', shell: true}}",
    *map(benchmark, ("root: main", "filter: ^a", "filter: \"a\\nb\"", "env: [A, B=, C=x y]", "env: []",
                     "env: {A: 1, B: null, C: x, D: true}", "env: {}", "cwd: /tmp", "cwd: a/b", "cwd: .",
                     "timeout: 1", "timeout: 604800", "timeout: 30s", "timeout: '5m'", "timeout: 168h",
                     "depth: 0", "depth: 1000", "warm_up: true", "warm_up: false", "presets: false", "cache_sim: false", "limits:",
                     "freeze: [random, time, pid]", "freeze: [pid]", "freeze: []",
                     "limits: {Ir: +1%}", "shell: false", "shell: true")),
    *map(limit, ("+1%", "+0.5%", "'+500'", "'+1.5k'", "1.2M", "'1000'", "'1_000'", "'='", "+1_0.5_0%",
                 "{max_growth: 1%}", "{max_growth: +1%}", "{max_increase: 500}", "{max_increase: +1.5k}",
                 "{ceiling: 1.2M}", "{ceiling: 7}", "{equal: true}", "{ceiling: 7, max_growth: 1%}")),
    "limits: {EstCycles: +1%}", "limits: {a-b_1: +1%}", "limits: {'fn:^a': {Ir: +1%, incl.Ir: '='}}",
    "limits: {'fn:a b:c': {Ir: {equal: true}}}", "limits: {'mod:/src/a': {Ir: +1%, Dw: 2k}}",
    "limits: {'namespace:^a(::|$)': {Ir: +1%, Dw: 2k}}",
]
BAD = [
    "[]", "x", "nonsense: 1", "Build: x", "build:", "build: []", "build: ''", "build: ' '", "build: {}",
    "build: [[a]]", "build: ['']", "build: ['', a]", "build: [null]", "build: {shell: true}",
    "build: {command: [a], shell: true}", "build: {command: a, shell: 1}", "build: {command: a, x: 1}",
    "base:", "base: ''", "base: -x", "base: [a]", "base: \"a\\nb\"", "base: \"a\\x9bb\"", "copy:", "copy: x",
    "copy: {}", "copy: ['']", "copy: [/etc]", "copy: [..]", "copy: [../x]", "copy: [a/..]",
    "copy: [a/../b]", "copy: [\"a\\tb\"]", "copy: [[a]]", "copy: [null]", "keep:", "keep: target", "keep: {}",
    "keep: ['']", "keep: [/tmp]", "keep: [..]", "keep: [a/..]", "keep: [.]", "keep: [./]", "keep: [././/]",
    "keep: [.git]", "keep: [a/.GIT/b]", "keep: [.irdiff/cache]", "keep: ['*']", "keep: ['a[b]']", "keep: [null]",
    "keep: [[a]]", "keep: [\"a\\tb\"]", "benchmarks: []", "benchmarks: x",
    "benchmarks: {b: }", "benchmarks: {b: {}}", "benchmarks: {b: {root: x}}", "benchmarks: {b: [x]}",
    "benchmarks: {.b: {command: x}}", "benchmarks: {-b: {command: x}}", "benchmarks: {a/b: {command: x}}",
    "benchmarks: {a.old: {command: x}}", "benchmarks: {' a': {command: x}}",
    "benchmarks: {'a ': {command: x}}", "benchmarks: {'': {command: x}}",
    "benchmarks: {b: {command: [x], shell: true}}",
    *map(benchmark, ("roots: x", "root:", "root: ''", "root: \"a\\nb\"", "filter:", "filter: ''", "env:",
                     "env: x", "env: [1A]", "env: ['']", "env: [A, A]", "env: ['A B=1']", "env: {1A: x}",
                     "env: {A: [x]}", "cwd: ..", "cwd: ../x", "cwd: ''", "timeout: 0", "timeout: 604801",
                     "timeout: -1", "timeout: 1.5", "timeout: 5d", "timeout: ''", "timeout: 0s",
                     "depth: -1", "depth: 1001", "depth: x", "depth: 1.5", "warm_up: 1", "warm_up: 'true'",
                     "freeze:", "freeze: random", "freeze: {random: true}", "freeze: [tide]", "freeze: [true]",
                     "freeze: [[pid]]", "warm_up:", "limits: x", "limits: {Ir: }", "shell: 'yes'")),
    *map(limit, ("500", "1.5", "-5", "+500", "''", "1%", "+1.5x", "=5", "[]", "{}", "+1%%", "'1__0'", "1e3",
                 "{max_growth: 500}", "{max_growth: '500'}", "{max_increase: 1%}", "{max_increase: -5}",
                 "{ceiling: +5%}", "{equal: false}", "{equal: 1}", "{max: 1}")),
    "limits: x", "limits: []", "limits: {'': +1%}", "limits: {1r: +1%}", "limits: {'I r': +1%}",
    "limits: {incl.Ir: +1%}", "limits: {ceiling: 1M}", "limits: {max_growth: 1%}", "limits: {'fn:': {Ir: +1%}}", "limits: {'mod:': {Ir: +1%}}", "limits: {'namespace:': {Ir: +1%}}",
    "limits: {'mod:a': {incl.Ir: +1%}}", "limits: {'namespace:a': {incl.Ir: +1%}}", "limits: {'mod:a': +1%}",
    "limits: {'fn:a': +1%}", "limits: {'fn:a': {}}", "limits: {'fn:a': {ceiling: {equal: true}}}",
    "limits: {" + "a" * 65 + ": +1%}",
]
for text in GOOD:
    compare(text, True)
for text in BAD:
    compare(text, False)

# Every key.
known = {}
for name in ("config.c", "read_limits.c"):
    code = open(f"{source}/src/config/{name}").read()
    for table, fields in re.findall(r"struct field (\w+)\[\] = \{(.*?)\n\};", code, re.S):
        known[table] = set(re.findall(r'\{ "(\w+)"', fields))
parts = schema["definitions"]
described = {
    "top_fields": schema["properties"],
    "build_fields": next(p for p in schema["properties"]["build"]["anyOf"] if "properties" in p)["properties"],
    "benchmark_fields": parts["benchmark"]["properties"],
    "limit_fields": next(p for p in parts["limit"]["anyOf"] if "properties" in p)["properties"],
}
verdict(known.keys() == described.keys(), "tables of keys:", known.keys())
for table, keys in known.items():
    members = described.get(table, {})
    verdict(keys == members.keys(), f"{table}: irdiff reads {keys}, the schema has {members.keys()}")
    for key, member in members.items():
        shown = parts[member["$ref"].split("/")[-1]] if "$ref" in member else member
        verdict("description" in shown, f"{table}: '{key}' has no description")
        manual = open(source + "/man/irdiff.yml.5").read()
        verdict(re.search(rf"^\.(It )?Cm {key}\b", manual, re.M), f"{key} is not in man/irdiff.yml.5")

print(f"{checks - failures} passed, {failures} failed")
sys.exit(failures > 0)
END_OF_PYTHON
