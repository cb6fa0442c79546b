#!/usr/bin/env python3
"""Usage: mutants.py [OPTION]... [FILE]...

How much of what is wrong in a source do the tests notice? Changes one thing at a time in FILE, by default
in all of tests/mutants/tests.list, compiles that file alone, links the tests that the list has for it, and
runs these until one fails: then the mutant is killed. Run in the directory of a build, by `make mutants`,
which says how to compile. Nothing of that build is changed.

  --minutes=N    stop after so long; the files take turns (10)
  --count=N      at most N mutants of each file, whatever time that takes
  --seed=N       which mutants are tried first (1): the same for the same seed
  --jobs=N       so many at once (as many as there are processors)
  --write=FILE   what became of each mutant, a line for each (mutants.out)
  --again=FILE   only the mutants that survived in a run that wrote FILE
  --least=N      fail if of a file less than N percent are killed (0)
  --list         show the mutants, and try none

The columns: mutants in all and those that were tried; of these
  killed      a test failed, was ended by a signal, or took five times its time
  survived    no test noticed; they are shown below
  same        cannot be told from the source by any test: the compiler makes the same of both, or
              tests/mutants/equivalent.list says why
  broken      does not compile
  %           killed, of those that were killed or survived
"""
import argparse
import fnmatch
import os
import random
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, namedtuple
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True  # beside the sources
import mutate  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
MOST_MEMORY = 4 << 30
FLAGS = ["-O1", "-g0", "-w", "-ftrivial-auto-var-init=pattern"]  # what is not set is not 0 by chance
WITH_A_HEAP = ("test_alloc", "test_memory")

Work = namedtuple("Work", "path mutant source")
Result = namedtuple("Result", "work outcome test")


def stop(words):
    sys.exit("mutants.py: " + words)


def arguments():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--write", default="mutants.out")
    parser.add_argument("--again")
    parser.add_argument("--least", type=float, default=0)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("files", nargs="*")
    given = parser.parse_args()
    if given.help:
        print(__doc__.strip())
        sys.exit(0)
    return given


# ---- the lists ----

def read_tests():
    """Of each pattern of files the tests, in order."""
    table = [("", [])]
    with open(os.path.join(HERE, "tests.list"), encoding="utf-8") as lines:
        for line in lines:
            words = line.split("#")[0].split()
            if words and not line[0].isspace():
                table.append((words.pop(0), []))
            table[-1][1].extend(words)
    return table


def tests_of(table, path):
    for pattern, tests in table:
        if fnmatch.fnmatch(path, pattern):
            return tests
    stop(f"tests/mutants/tests.list has no tests for {path}")


def read_equivalent():
    """(file, line, mutated line), each followed there by the reason."""
    found, path, before, after = {}, None, None, None
    with open(os.path.join(HERE, "equivalent.list"), encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.rstrip("\n")
            if line.startswith("#") or not line:
                continue
            if line.startswith("- "):
                before, after = line[2:], None
            elif line.startswith("+ "):
                after = line[2:]
            elif line.startswith("  ") and after is not None:
                found[(path, before, after)] = line.strip()
            elif not line[0].isspace():
                path = line
            else:
                stop(f"tests/mutants/equivalent.list:{number}: expected a file, or '- ', '+ ' and a reason")
    return found


def key_of(work):
    return (work.path, *mutate.shown(work.source, work.mutant))


# ---- compiling and running ----

class Build:
    """How this tree is compiled and linked: from the environment, set by the Makefile."""

    def __init__(self, scratch):
        def words(name):
            return shlex.split(os.environ.get(name, ""))
        self.scratch = scratch
        self.compiler = [w for w in words("MUTANTS_CC") if w != "ccache"] or stop("run `make mutants`")
        self.cflags = ["-I" + os.path.abspath(w[2:]) if w.startswith("-I") else w for w in words("MUTANTS_CFLAGS")]
        self.libs = words("MUTANTS_LIBS")
        self.test_libs = words("MUTANTS_TEST_LIBS")
        self.heap = words("MUTANTS_HEAP")
        self.top = os.getcwd()
        if shutil.which("ld.gold"):
            self.libs = ["-fuse-ld=gold"] + self.libs

    def compile(self, place, path, source):
        """The object, or None. Its code depends on nothing but the source."""
        name = os.path.basename(path)
        with open(os.path.join(place, name), "w", encoding="utf-8") as out:
            out.write(source)
        target = os.path.join(place, "mutant.o")
        command = [*self.compiler, *self.cflags, *FLAGS, "-c", "-o", target, name]
        done = subprocess.run(command, cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return target if done.returncode == 0 else None

    def link(self, place, test, mutant):
        """The program that `test` runs, with the mutant in the place of what the libraries have."""
        program = os.path.join(place, "irdiff" if test.endswith(".case") else test)
        if test.endswith(".case"):
            objects, libs = ["src/main.o"], self.libs
        else:
            objects, libs = [f"tests/unit/{test}.o"], self.libs + self.test_libs
        if test in WITH_A_HEAP:
            objects += ["tests/unit/heap.o"]
            libs = self.heap + libs
        if test.endswith(".case") and os.path.exists(program):
            return program
        command = [*self.compiler, "-o", program, *objects, *([mutant] if mutant else []), "libirdiff.a",
                   "libcgprofile.a", *libs]
        done = subprocess.run(command, cwd=self.top, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if done.returncode:
            stop(f"cannot link {test}: {done.stderr.decode(errors='replace')[-2000:]}")
        return program


def limited(seconds):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    return limit


def run(place, test, program, seconds):
    """Whether the test passes. Processor time is limited, as others may use the machine."""
    environment = dict(os.environ, IRDIFF=program, TMPDIR=place, LC_ALL="C", TEST_STOP="1")
    command = [program]
    if test.endswith(".case"):
        command = ["sh", os.path.join(TOP, "tests/cases/run.sh"), os.path.join(TOP, "tests/cases", test)]
    child = subprocess.Popen(command, cwd=place, env=environment, stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                             preexec_fn=limited(seconds))
    try:
        return child.wait(timeout=60 * seconds) == 0
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        return False


class Runner:
    def __init__(self, build, table, equivalent):
        self.build = build
        self.table = table
        self.equivalent = equivalent
        self.seconds = {}    # a test may take
        self.originals = {}  # the code of each file as it is
        self.places = threading.local()

    def place(self):
        if not hasattr(self.places, "path"):
            self.places.path = tempfile.mkdtemp(dir=self.build.scratch)
        shutil.rmtree(self.places.path)
        os.mkdir(self.places.path)
        return self.places.path

    def prepare(self, path, source):
        """Compiles a file as it is, and runs its tests, which have to pass."""
        place = self.place()
        mutant = self.build.compile(place, path, source) or stop(f"{path} does not compile")
        with open(mutant, "rb") as code:
            self.originals[path] = code.read()
        for test in tests_of(self.table, path):
            if test in self.seconds:
                continue
            program = self.build.link(place, test, mutant)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            if not run(place, test, program, 600):
                stop(f"{test} fails without any mutant")
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            self.seconds[test] = 2 + int(5 * took)

    def judge(self, work):
        if key_of(work) in self.equivalent:
            return Result(work, "same", "")
        place = self.place()
        mutant = self.build.compile(place, work.path, mutate.apply(work.source, work.mutant))
        if not mutant:
            return Result(work, "broken", "")
        with open(mutant, "rb") as code:
            if code.read() == self.originals[work.path]:
                return Result(work, "same", "")
        for test in tests_of(self.table, work.path):
            if not run(place, test, self.build.link(place, test, mutant), self.seconds[test]):
                return Result(work, "killed", test)
        return Result(work, "survived", "")


# ---- which mutants ----

def read_survivors(path):
    with open(path, encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    return {(row[2], row[4], row[5]) for row in rows if row[0] == "survived"}


def find_work(paths, given):
    """The mutants of each file, in an order that the seed decides."""
    found = {}
    wanted = read_survivors(given.again) if given.again else None
    for path in paths:
        with open(os.path.join(TOP, path), encoding="utf-8") as text:
            source = text.read()
        works = [Work(path, m, source) for m in mutate.mutants_of(source)]
        random.Random(f"{given.seed} {path}").shuffle(works)
        found[path] = [w for w in works if wanted is None or key_of(w) in wanted]
    return found


def take_turns(found, count):
    longest = max((len(works) for works in found.values()), default=0)
    for i in range(min(longest, count or longest)):
        for works in found.values():
            if i < len(works):
                yield works[i]


def files_of(table, given):
    if given:
        return [os.path.relpath(os.path.realpath(os.path.join(TOP, f)), os.path.realpath(TOP)) for f in given]
    names = []
    for directory, _, files in sorted(os.walk(TOP)):
        names += [os.path.relpath(os.path.join(directory, f), TOP) for f in sorted(files) if f.endswith(".c")]
    return [f for f in names if any(fnmatch.fnmatch(f, pattern) for pattern, _ in table)]


def make_objects(tests):
    """What tests are linked of, as far as it is not there yet."""
    programs = sorted({f"tests/unit/{t}" for t in tests if not t.endswith(".case")})
    if subprocess.run(["make", "-s", "all", *programs], stdout=subprocess.DEVNULL).returncode:
        stop("the tests cannot be built")


# ---- the report ----

def share(counts):
    decided = counts["killed"] + counts["survived"]
    return 100 * counts["killed"] / decided if decided else 100.0


def print_table(results, found):
    print(f"{'':32} {'mutants':>8} {'tried':>6} {'killed':>7} {'survived':>9} {'same':>5} {'broken':>7} {'%':>6}")
    total = Counter()
    for path in found:
        counts = Counter(r.outcome for r in results if r.work.path == path)
        total += counts
        print_row(path, len(found[path]), counts)
    if len(found) > 1:
        print_row("all", sum(map(len, found.values())), total)


def print_row(name, all_of, counts):
    print(f"{name:32} {all_of:8} {sum(counts.values()):6} {counts['killed']:7} {counts['survived']:9} "
          f"{counts['same']:5} {counts['broken']:7} {share(counts):6.1f}")


def print_survivors(results):
    survivors = [r.work for r in results if r.outcome == "survived"]
    for work in sorted(survivors, key=lambda w: (w.path, w.mutant.start)):
        before, after = mutate.shown(work.source, work.mutant)
        print(f"\n{work.path}:{mutate.line_of(work.source, work.mutant)}\n- {before}\n+ {after}")


def write_result(out, r):
    before, after = mutate.shown(r.work.source, r.work.mutant)
    print(r.outcome, r.test, r.work.path, mutate.line_of(r.work.source, r.work.mutant), before, after, sep="\t",
          file=out, flush=True)


def try_all(runner, found, given):
    end = time.monotonic() + 60 * given.minutes
    timed = given.count is None and given.again is None

    def try_one(work):
        return None if timed and time.monotonic() > end else runner.judge(work)
    results = []
    with ThreadPoolExecutor(given.jobs) as pool, open(given.write, "w", encoding="utf-8") as out:
        for result in filter(None, pool.map(try_one, take_turns(found, given.count))):
            results.append(result)
            write_result(out, result)
    return results


def main():
    given = arguments()
    table = read_tests()
    paths = files_of(table, given.files)
    found = find_work(paths, given)
    if given.list:
        for work in take_turns(found, given.count):
            before, after = mutate.shown(work.source, work.mutant)
            print(f"{work.path}:{mutate.line_of(work.source, work.mutant)}: {work.mutant.operator}\n- {before}\n+ {after}")
        return 0
    make_objects([test for path in paths for test in tests_of(table, path)])
    scratch = tempfile.mkdtemp(prefix="irdiff-mutants.")
    try:
        runner = Runner(Build(scratch), table, read_equivalent())
        for path, works in found.items():
            if works:
                runner.prepare(path, works[0].source)
        results = try_all(runner, found, given)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print_table(results, found)
    print_survivors(results)
    least = min((share(Counter(r.outcome for r in results if r.work.path == p)) for p in found), default=100.0)
    return 0 if least >= given.least else 1


if __name__ == "__main__":
    sys.exit(main())
