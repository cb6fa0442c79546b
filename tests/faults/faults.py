"""Faults injected into irdiff; see tests/faults.sh, which calls this.

A scenario is a project, a command that writes in it, and what it is like before and after: a map
from things (a label, an entry of the cache, a file of the user …) to what they hold, found by looking
at the files, without irdiff. Counts are those of a Valgrind that is none: it writes the number that
stands in the file `count` of the directory it is called in, so that every file of a profile tells of
which run it is.
"""

import argparse
import concurrent.futures
import ctypes
import errno
import functools
import hashlib
import itertools
import json
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import traceback

IRDIFF = os.environ["IRDIFF"]
FIRST = 100000  # all counts have six digits and begin like this one
PATIENCE = 300
WORKERS = 2

FAKE = r"""#!/bin/sh
[ "$1" = --version ] && { echo valgrind-3.19.0; exit; }
for word; do
	case $word in
	--log-file=*) log=${word#*=} ;;
	--callgrind-out-file=*) out=${word#*=} ;;
	esac
done
n=$(cat count)
log=${log%\%p}$$ out=${out%\%p}$$
printf '==%s== Callgrind\n==%s== Parent PID: %s\n--%s-- Reading syms from %s/prog\n' $$ $$ $PPID $$ "$PWD" >"$log"
printf '# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: %s\ncmd: ./prog\npart: 1\n\n' $$ >"$out"
printf 'positions: instr line\nevents: Ir\nsummary: %s\n\nob=/nowhere/prog\nfl=/nowhere/work.c\n' $n >>"$out"
printf 'fn=main\n0x1000 3 %s\n\ntotals: %s\n' $n $n >>"$out"
"""


class Wrong(Exception):
    """An invariant that does not hold."""


# ---- what is there ----

zstd = ctypes.CDLL("libzstd.so.1")
zstd.ZSTD_decompress.restype = ctypes.c_size_t
zstd.ZSTD_isError.argtypes = [ctypes.c_size_t]


def unpacked(packed):
    room = ctypes.create_string_buffer(1 << 20)
    size = zstd.ZSTD_decompress(room, ctypes.c_size_t(len(room)), packed,
                                ctypes.c_size_t(len(packed)))
    if zstd.ZSTD_isError(size):
        raise Wrong("is no whole zstd file")
    return room.raw[:size]


def read(path):
    with open(path, "rb") as f:
        return f.read()


def total_of(text):
    """Of a whole callgrind file."""
    found = re.findall(r"^totals: (\d+)$", text, re.M)
    if len(found) != 1 or not re.search(r"^fn=", text, re.M):
        raise Wrong("is no whole profile")
    return int(found[0])


def check_sums(directory, text):
    """Of an entry of the cache: they are those of its files."""
    for line in text.splitlines():
        wanted, name = line.split(None, 1)
        found = hashlib.sha256(read(os.path.join(directory, name))).hexdigest()
        if found != wanted:
            raise Wrong(f"has not the sum of {name}")


def count_of(path):
    """The run that a file is of."""
    data = read(path)
    name = os.path.basename(path)
    try:
        if name.endswith(".callgrind.zst"):
            return total_of(unpacked(data).decode())
        if name == "code.zst":
            unpacked(data)
        if name.endswith(".callgrind"):
            return total_of(data.decode())
        if name == "sums.txt":
            check_sums(os.path.dirname(path), data.decode())
        elif name.endswith(".txt") and name != "key.txt":
            found = set(re.findall(r"\b(10\d,\d{3})\b", data.decode()))
            if len(found) != 1:
                raise Wrong("tells no count")
            return int(found.pop().replace(",", ""))
        if name == "meta.json":
            return int(json.loads(data)["totals"]["Ir"])
    except (ValueError, KeyError) as e:
        raise Wrong(f"{path}: {e!r}")
    except Wrong as e:
        raise Wrong(f"{path} {e}")
    return None


def whole(paths, wanted):
    """The one run that all of them are of; all that are wanted must be there."""
    counts = {p: count_of(p) for p in paths}
    known = {c for c in counts.values() if c is not None}
    if len(known) != 1:
        raise Wrong(f"files of several runs: {counts}")
    missing = [w for w in wanted if not any(p.endswith(w) for p in paths)]
    if missing:
        raise Wrong(f"{missing} missing beside {sorted(paths)}")
    return known.pop()


DATA = ["raw.callgrind.zst", "lines.callgrind.zst", "contexts.callgrind.zst",
        "instructions.callgrind.zst", "code.zst", "meta.json",
        "stdout.log", "stderr.log"]
CACHED = ["profile.callgrind", "lines.callgrind.zst", "contexts.callgrind.zst", "meta.json", "key.txt", "sums.txt"]
STORED = ["profile.callgrind", "flat.txt", "tree.txt", "raw.callgrind.zst", "lines.callgrind.zst",
          "contexts.callgrind.zst", "meta.json", "text.callgrind"]


def count_in(metrics, packed, metric):
    """The count of a metric, of all that a row has: 7 bits a byte, the lowest first."""
    numbers, value, shift = [], 0, 0
    for byte in packed:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(value >> 1 ^ -(value & 1))
            value = shift = 0
    return dict(zip(metrics.split("\n"), numbers, strict=False))[metric]


def rows_of(root, scratch):
    """Of a copy: whoever opens it may repair it."""
    copy = os.path.join(scratch, "copy.db")
    for end in "", "-journal":
        if os.path.exists(copy + end):
            os.remove(copy + end)
        if os.path.exists(f"{root}/.irdiff/history.db{end}"):
            shutil.copy(f"{root}/.irdiff/history.db{end}", copy + end)
    if not os.path.exists(copy):
        return []
    db = sqlite3.connect(copy)
    try:
        if db.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            raise Wrong("history.db is damaged")
        if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return []
        runs = db.execute("SELECT benchmark, commit_id, metrics, counts FROM runs "
                          "JOIN series ON series.id = series JOIN commits ON commits.id = commit_number "
                          "JOIN methods ON methods.id = method "
                          "JOIN environments ON environments.id = environment").fetchall()
        if db.execute("SELECT count(*) FROM runs").fetchone()[0] != len(runs):
            raise Wrong("history.db has runs that refer to nothing")
    finally:
        db.close()
    return sorted((benchmark, commit, count_in(metrics, packed, "Ir"))
                  for benchmark, commit, metrics, packed in runs)


def listing(path):
    return sorted(os.listdir(path)) if os.path.isdir(path) else []


OURS = re.compile(r"\.irdiff(/|$)|profiles(/|$)|baselines(/|$)")
CHANGES = re.compile(r"\.git/(objects|refs/irdiff)(/|$)|\.git/index$|\.git/logs/refs/irdiff(/|$)")


def labels_below(top):
    """The labels that have a file or a directory below one."""
    found = set()
    for directory, directories, files in os.walk(top):
        found |= {os.path.relpath(f"{directory}/{n[:-len('.callgrind')]}", top)
                  for n in directories + files if n.endswith(".callgrind")}
        directories[:] = [n for n in directories if ".callgrind" not in n and not n.startswith(".")]
    return found


def state(root, scratch):
    """{thing: what it holds}. What is not there has no key."""
    things = {}
    if unfinished := [n for n in listing(f"{root}/.irdiff/profiles") if n.startswith(".")]:
        raise Wrong(f"unfinished: {unfinished}")
    for label in labels_below(f"{root}/profiles") | labels_below(f"{root}/.irdiff/profiles"):
        paths = [p for e in ("", ".flat.txt", ".tree.txt")
                 if os.path.exists(p := f"{root}/profiles/{label}.callgrind{e}")]
        data = f"{root}/.irdiff/profiles/{label}.callgrind"
        paths += [f"{data}/{n}" for n in listing(data)]
        things["label", label] = whole(paths, [".callgrind", ".flat.txt", ".tree.txt"] + DATA)
    for entry in listing(f"{root}/.irdiff/cache"):
        path = f"{root}/.irdiff/cache/{entry}"
        if entry == "failed":
            for name in listing(path):
                things["failed", name] = True
            continue
        # What is injected is in the environment of builds, and so in the key.
        things["cache", entry.rsplit("-", 1)[0]] = whole([f"{path}/{n}" for n in listing(path)], CACHED)
    for name in listing(f"{root}/baselines"):
        for bench in labels_below(f"{root}/baselines/{name}"):
            things["baseline", name, bench] = count_of(f"{root}/baselines/{name}/{bench}.callgrind")
    for name in listing(f"{root}/.irdiff/baselines"):
        for bench in labels_below(f"{root}/.irdiff/baselines/{name}"):
            path = f"{root}/.irdiff/baselines/{name}/{bench}.callgrind"
            things["stored", name, bench] = whole([f"{path}/{n}" for n in listing(path)], STORED)
    for row in rows_of(root, scratch):
        things[("row",) + row[:2]] = row[2]
    last = f"{root}/.irdiff/last/verdicts.json"
    # Where nothing could be measured nothing was found.
    if os.path.exists(last) and (verdicts := json.loads(read(last))["benchmarks"]):
        things["last"] = len(verdicts)
    for directory, names, files in os.walk(root):
        below = os.path.relpath(directory, root)
        names[:] = [n for n in names if not OURS.match(os.path.normpath(f"{below}/{n}"))]
        for name in files:
            path = os.path.normpath(f"{below}/{name}")
            if CHANGES.match(path):
                continue
            full = f"{directory}/{name}"
            data = os.readlink(full).encode() if os.path.islink(full) else read(full)
            things["file", path] = hashlib.sha256(data).hexdigest()
    return things


TEMPORARY = re.compile(r"\.irdiff-\w{6}$|-journal$|\.lock$|\.text$")


def leftovers(root):
    found = [f".irdiff/tmp/{n}" for n in listing(f"{root}/.irdiff/tmp")]
    for directory, names, files in os.walk(root):
        for name in names + files:
            if TEMPORARY.search(name) or name.startswith(".new-"):
                found.append(os.path.relpath(f"{directory}/{name}", root))
    return found


def dead_slots():
    """Places outside of projects that nobody has: others may run irdiff at the same time. A lock of
    ours would be in their way."""
    with open("/proc/locks") as f:
        locked = set(re.findall(r" [0-9a-f]+:[0-9a-f]+:(\d+) ", f.read()))
    found = []
    for parent in "/tmp", "/var/tmp":
        home = f"{parent}/irdiff-{os.getuid():010d}"
        for name in listing(home):
            try:
                if str(os.stat(f"{home}/{name}").st_ino) not in locked:
                    found.append(f"{home}/{name}")
            except OSError:
                pass
    return found


# ---- projects ----

def irdiff(root, words, env=None, **how):
    variables = dict(os.environ, IRDIFF_VALGRIND=f"{SCRATCH}/fake", **(env or {}))
    how.setdefault("timeout", PATIENCE)
    return subprocess.run([IRDIFF, *words], cwd=root, env=variables, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how)


def needs(root, code, *words):
    done = irdiff(root, words)
    if done.returncode != code:
        raise SystemExit(f"{words} in {root} ended with {done.returncode}:\n{done.stderr.decode()}")


def git(root, *words):
    subprocess.run(["git", *words], cwd=root, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def set_count(root, n):
    with open(f"{root}/count", "w") as f:
        f.write(f"{FIRST + n}\n")


PROFILE = ["profile", "-q", "--label", "L", "--", "./prog"]


def plain(root):
    os.makedirs(root)
    shutil.copy(f"{SCRATCH}/prog", root)
    with open(f"{root}/users.txt", "w") as f:
        f.write("mine\n")
    set_count(root, 3)


def replaced(root):
    plain(root)
    for n in 1, 2, 3:
        set_count(root, n)
        if n < 3:
            needs(root, 0, *PROFILE)


def repository(root):
    plain(root)
    git(root, "init", "-q")
    with open(f"{root}/irdiff.yml", "w") as f:
        f.write("build: {command: cp n count, shell: true}\n"
                "benchmarks: {work: {command: ./prog, tolerance: {Ir: 0}}}\nlimits: {Ir: '+0.0001%'}\n")
    with open(f"{root}/.gitignore", "w") as f:
        f.write("count\n")
    for n in 1, 2:
        with open(f"{root}/n", "w") as f:
            f.write(f"{FIRST + n}\n")
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", str(n))


def compared(root):
    repository(root)
    needs(root, 0, "compare", "HEAD~1..HEAD")


def checked(root):
    repository(root)
    needs(root, 1, "check", "HEAD~1..HEAD")


def with_baseline(root):
    replaced(root)
    needs(root, 0, "baseline", "save", "B", "L", "--store")
    needs(root, 0, *PROFILE)


def shared(root):
    """The remote is a directory in it, which is no file of the user's."""
    compared(root)
    git(root, "init", "-q", "--bare", ".irdiff/remote.git")


def pushed(root):
    shared(root)
    needs(root, 0, "store", "push", ".irdiff/remote.git")
    shutil.rmtree(f"{root}/.irdiff/cache")
    os.remove(f"{root}/.irdiff/history.db")


def write_rows(root, benchmark, most):
    with open(f"{root}/rows", "w") as f:
        for n in range(1, most):
            f.write(f'{{"schema":"irdiff/run","version":2,"benchmark":"{benchmark}","definition":'
                    f'"0123456789abcdef","commit":"{n:040x}","tree":null,"committed":{n},'
                    '"subject":"S","environment":{"cpu":"x"},"irdiff":"0.1","valgrind":"3.19.0",'
                    f'"measured":{n},"counts":{{"Ir":{FIRST + n}}}}}\n')


def rows(root):
    plain(root)
    write_rows(root, "b", 30)


def site(root):
    """One whose benchmarks will be others: files are to be written, replaced and removed."""
    plain(root)
    for benchmark in "b", "gone":
        write_rows(root, benchmark, 20)
        needs(root, 0, "history", "--import=rows")
    needs(root, 0, "history", "--format=html", "--title=T", "-o", "site")
    os.remove(f"{root}/.irdiff/history.db")
    for benchmark in "b", "new":
        write_rows(root, benchmark, 30)
        needs(root, 0, "history", "--import=rows")


# name: how the project is made, the command. What is made again each time may differ: `-o` names it.
SCENARIOS = {
    "profile, a new label": (plain, PROFILE),
    "profile, a label that is there": (replaced, PROFILE),
    "compare": (repository, ["compare", "HEAD~1..HEAD"]),
    "check": (repository, ["check", "HEAD~1..HEAD"]),
    "compare --fresh": (compared, ["compare", "--fresh", "HEAD~1..HEAD"]),
    "history --measure": (repository, ["history", "--measure=HEAD~1..HEAD"]),
    "history --import": (rows, ["history", "--import=rows"]),
    "history --format=html": (site, ["history", "--format=html", "--title=T", "-o", "site"]),
    "baseline save": (replaced, ["baseline", "save", "B", "L"]),
    "baseline save --store, again": (with_baseline, ["baseline", "save", "B", "L", "--store"]),
    "baseline rm": (with_baseline, ["baseline", "rm", "B"]),
    "baseline accept": (checked, ["baseline", "accept", "--why=so"]),
    "store push": (shared, ["store", "push", ".irdiff/remote.git"]),
    "store fetch": (pushed, ["store", "fetch", ".irdiff/remote.git"]),
    "cache prune": (compared, ["cache", "prune", "--all"]),
    "init": (plain, ["init", "--ci=github"]),
    "init --force": (repository, ["init", "--ci=none", "--force"]),
    "convert": (replaced, ["convert", "L", "out.folded"]),
    "report -o": (replaced, ["report", "L.old", "L", "-o", "out.html"]),
    "flame -o": (replaced, ["flame", "L", "-o", "out.svg"]),
}
# The second time there is nothing to do, or it is refused.
NOT_AGAIN = {"convert": (0, 2), "baseline rm": (0, 2), "init": (0, 2), "baseline accept": (0, 2)}

MODES = {
    "killed before": ("before:{}", 0),
    "killed after": ("after:{}", 0),
    "ENOSPC": (f"fail:{{}}:{errno.ENOSPC}", errno.ENOSPC),
    "EIO": (f"fail:{{}}:{errno.EIO}", errno.EIO),
    "ENOSPC from there": (f"from:{{}}:{errno.ENOSPC}", errno.ENOSPC),
}


class Scenario:
    def __init__(self, name):
        self.name = name
        make, self.words = SCENARIOS[name]
        self.template = f"{SCRATCH}/template-{name.replace(' ', '_')}"
        make(self.template)
        self.before = state(self.template, SCRATCH)
        self.list = f"{SCRATCH}/calls"
        root = self.copy("clean")
        if os.path.exists(self.list):
            os.remove(self.list)
        done = irdiff(root, self.words, injected(f"list:{self.list}"))
        self.code = done.returncode
        if self.code not in (0, 1):
            raise SystemExit(f"{name} ended with {self.code}:\n{done.stdout.decode()}{done.stderr.decode()}")
        self.after = state(root, SCRATCH)
        with open(self.list) as f:
            self.calls = f.read().splitlines()
        shutil.rmtree(root)

    def copy(self, where):
        root = f"{SCRATCH}/{where}"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(self.template, root, symlinks=True)
        return root


@functools.lru_cache(None)
def scenario(name):
    return Scenario(name)


def injected(what):
    return {"LD_PRELOAD": f"{SCRATCH}/inject.so", "INJECT": what,
            "INJECT_PROGRAM": os.path.basename(IRDIFF)}


# ---- what must hold ----

def shown(root, label):
    """What irdiff says of a label that was interrupted; it may finish what was begun."""
    done = irdiff(root, ["show", "--format=json", label])
    if done.returncode == 2:
        return None
    if done.returncode:
        raise Wrong(f"show {label} ended with {done.returncode}: {done.stderr.decode()}")
    report = json.loads(done.stdout)
    audit = irdiff(root, ["show", "--audit", label])
    if audit.returncode:
        raise Wrong(f"show --audit {label} fails: {audit.stdout.decode()}")
    return int(next(e["total"] for e in report["events"] if e["name"] == "Ir")
               if isinstance(report.get("events"), list) and "total" in report["events"][0]
               else report["totals"]["Ir"])


def changed(thing):
    """Files that are written differently each time: it is enough that they are whole."""
    return thing[0] == "file" and (thing[1].startswith("out.") or thing[1] == "site/irdiff-files.txt")


def is_whole_output(path):
    text = read(path).decode()
    ends = {"html": "</html>", "svg": "</svg>", "folded": "\n", "txt": "\n"}
    return text.rstrip(" \n").endswith(ends[path.rsplit(".", 1)[1]].strip())


def compare_states(now, allowed, root):
    """Every thing is as in one of the states; a label and its .old are from the same one."""
    for thing in set(now).union(*allowed):
        if changed(thing):
            if thing in now and not is_whole_output(f"{root}/{thing[1]}"):
                raise Wrong(f"{thing[1]} is not whole")
            continue
        found = now.get(thing)
        if all(found != a.get(thing) for a in allowed):
            raise Wrong(f"{thing} is {found}, not one of {[a.get(thing) for a in allowed]}")
    labels = {t: v for t, v in now.items() if t[0] == "label"}
    if all(labels != {t: v for t, v in a.items() if t[0] == "label"} for a in allowed):
        raise Wrong(f"labels are halfway: {labels}")


def check_after(s, root, scratch, complete):
    """After a fault, with what the next irdiff sees; `complete`: it said that all is done."""
    if s.words[0] == "profile":
        for label in "L", "L.old":
            seen = shown(root, label)
            if seen not in (s.before.get(("label", label)), s.after.get(("label", label))):
                raise Wrong(f"{label} is shown as {seen}")
    now = {t: v for t, v in state(root, scratch).items() if not temporary(t)}
    compare_states(now, [s.after] if complete else [s.before, s.after], root)


def temporary(thing):
    return thing[0] == "file" and TEMPORARY.search(thing[1])


def check_next(s, root, scratch):
    """The same command works, does its work, and leaves nothing of the one before."""
    if s.words[0] == "profile":
        first = count_of(f"{root}/profiles/L.callgrind") if os.path.exists(
            f"{root}/profiles/L.callgrind") else None
        set_count(root, 9)
    done = irdiff(root, s.words)
    if done.returncode not in NOT_AGAIN.get(s.name, (s.code,)):
        raise Wrong(f"the next run ended with {done.returncode}: {done.stderr.decode()}")
    now = state(root, scratch)
    if s.words[0] == "profile":
        if now["label", "L"] != FIRST + 9 or now.get(("label", "L.old")) != first:
            raise Wrong(f"the next run left {now}, before it {first}")
    elif done.returncode == s.code:
        compare_states(now, [s.after], root)
    check_leftovers(root)


def check_leftovers(root):
    """What was killed is cleared away by whatever measures next. Others may use slots meanwhile."""
    if not leftovers(root) and not dead_slots():
        return
    for _ in range(5):
        irdiff(root, PROFILE)
        slots = dead_slots()
        if not slots:
            break
    left = leftovers(root) + slots
    if left:
        raise Wrong(f"the next run leaves {left}")


def try_point(s, mode, number, where):
    root = s.copy(where)
    scratch = f"{SCRATCH}/{where}-scratch"
    os.makedirs(scratch, exist_ok=True)
    form, error = MODES[mode]
    try:
        done = irdiff(root, s.words, injected(form.format(number)))
        if error and done.returncode < 0:
            raise Wrong(f"ended by signal {-done.returncode}: {done.stderr.decode()}")
        # A call that was counted may not be made again: then it is a plain run.
        if not error and done.returncode not in (-signal.SIGKILL, s.code):
            raise Wrong(f"ended with {done.returncode}: {done.stderr.decode()}")
        admits = re.search(rb"irdiff: warning: |[1-9]\d* skipped", done.stderr)
        check_after(s, root, scratch, done.returncode == s.code and not admits)
        check_next(s, root, scratch)
    except Wrong as e:
        return f"{s.name}, {mode} call {number} ({s.calls[number - 1]}): {e}"
    except subprocess.TimeoutExpired:
        return f"{s.name}, {mode} call {number} ({s.calls[number - 1]}): hangs"
    return None


# ---- the parts of the test ----

failures = 0


def verdict(what, problems, figures=""):
    global failures
    print("FAILED " if problems else "ok     ", what, figures, flush=True)
    for p in problems[:40]:
        print("  |", p[:1500].replace("\n", "\n  |   "), flush=True)
    failures += len(problems)


def in_turns(jobs):
    """Runs functions that take the name of a directory; each worker has its own."""
    names = [f"at-{i}" for i in range(WORKERS)]
    problems = []
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        def run(job):
            name = names.pop()
            try:
                return job(name)
            except Exception:  # what the other jobs find is still told
                return traceback.format_exc()
            finally:
                names.append(name)
        problems = [p for p in pool.map(run, jobs) if p]
    return problems


def test_points(options, rng):
    chosen = [n for n in SCENARIOS if options.only in n]
    scenarios = [scenario(n) for n in chosen]
    total = sum(len(s.calls) for s in scenarios) * len(MODES)
    for s in scenarios:
        points = [(m, n) for m in MODES for n in range(1, len(s.calls) + 1)]
        if options.points != "all":
            share = max(1, round(int(options.points) * len(points) / total))
            points = rng.sample(points, min(share, len(points)))
        jobs = [lambda where, s=s, m=m, n=n: try_point(s, m, n, where) for m, n in points]
        verdict(s.name, in_turns(jobs), f"({len(points)} of {len(s.calls)} calls x {len(MODES)})")


def variables_of(real):
    """Where Valgrind is the one that is installed, or the one that is none."""
    return dict(os.environ) if real else dict(os.environ, IRDIFF_VALGRIND=f"{SCRATCH}/fake")


def time_of_run(real):
    """How long a whole run takes, on this machine as it is now."""
    root = f"{SCRATCH}/timed-{real}"
    plain(root)
    begin = time.monotonic()
    subprocess.run([IRDIFF, *PROFILE], cwd=root, env=variables_of(real), check=True,
                   stdin=subprocess.DEVNULL)
    return time.monotonic() - begin


def kill_at_random(number, rng, times, where):
    """irdiff, Valgrind or the benchmark is killed after a while; then the label is whole, and the next
    run works."""
    who = rng.choice(["irdiff", "valgrind", "group"])
    real = REAL_VALGRIND and rng.random() < 0.7
    wait = rng.random() * times[real]
    root = f"{SCRATCH}/{where}"
    if not os.path.exists(root):
        replaced(root)
    try:
        kill_one(number, who, wait, real, root)
    except (Wrong, subprocess.TimeoutExpired) as e:
        kept = f"{SCRATCH}/failed-{number}"
        os.rename(root, kept)  # the next starts afresh
        return (f"kill {number} of {who} after {wait:.3f} s, {'real' if real else 'fake'}: {e}\n"
                f"files: {sorted(os.listdir(f'{kept}/profiles'))}")
    return None


def kill_one(number, who, wait, real, root):
    before = label_states(root)
    set_count(root, number % 1000)
    process = subprocess.Popen([IRDIFF, *PROFILE], cwd=root, env=variables_of(real), start_new_session=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    try:
        process.wait(wait)
    except subprocess.TimeoutExpired:
        if who == "irdiff":
            process.kill()
        elif who == "group":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            kill_below(process.pid)
    try:
        _, said = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    # Whoever reads finishes what was begun.
    irdiff(root, ["show", "L"])
    after = label_states(root)
    if process.returncode == 0:
        if after["L.old"] != before["L"]:
            raise Wrong(f"it ended well, but {before} became {after}")
    elif process.returncode > 0 and after != before:
        raise Wrong(f"it failed ({said.decode()}), but {before} became {after}")
    elif after != before and after["L.old"] != before["L"]:
        raise Wrong(f"{before} became {after}")
    set_count(root, 7)
    done = irdiff(root, PROFILE)
    if done.returncode:
        raise Wrong(f"the next run ended with {done.returncode}: {done.stderr.decode()}")
    now = label_states(root)
    if now["L"][0] != FIRST + 7 or now["L.old"] != after["L"]:
        raise Wrong(f"the next run left {now}, before it {after}")
    if read(f"{root}/users.txt") != b"mine\n":
        raise Wrong("users.txt was changed")
    check_leftovers(root)


def children_of(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as f:
            return [int(w) for w in f.read().split()]
    except OSError:
        return []


def kill_below(pid):
    """The last of its descendants: Valgrind, in which the benchmark is, or what starts it."""
    last = None
    while children := children_of(pid):
        last = pid = children[-1]
    if last:
        try:
            os.kill(last, signal.SIGKILL)
        except ProcessLookupError:
            pass


def label_states(root):
    """{label: (total, digest of all its files)}, which must be of one run as far as they tell."""
    found = {}
    for label in "L", "L.old":
        data = f"{root}/.irdiff/profiles/{label}.callgrind"
        paths = [f"{root}/profiles/{label}.callgrind{e}" for e in ("", ".flat.txt", ".tree.txt")]
        paths += [f"{data}/{n}" for n in DATA]
        totals = {p: total_in(p) for p in paths}
        known = {t for t in totals.values() if t is not None}
        if len(known) != 1:
            raise Wrong(f"files of several runs: {totals}")
        digest = hashlib.sha256(b"".join(hashlib.sha256(read(p)).digest() for p in paths))
        found[label] = (known.pop(), digest.hexdigest()[:8])
    return found


def total_in(path):
    """The count of instructions that a file tells, of any Valgrind; None: it tells none."""
    try:
        data = read(path)
        if path.endswith(".callgrind.zst"):
            return first_total(unpacked(data).decode())
        if path.endswith("/code.zst"):
            unpacked(data)
        if path.endswith(".callgrind"):
            return first_total(data.decode())
        if path.endswith(".json"):
            return int(json.loads(data)["totals"]["Ir"])
    except (OSError, ValueError, KeyError) as e:
        raise Wrong(f"{path}: {e!r}")
    except Wrong as e:
        raise Wrong(f"{path} {e}")
    return None


def first_total(text):
    found = re.findall(r"^totals: (\d+)", text, re.M)
    if len(found) != 1:
        raise Wrong("is no whole profile")
    return int(found[0])


def test_kills(options, rng):
    if options.only not in "kills":
        return
    # Two at a time take a little longer than one alone.
    times = {real: 1.2 * time_of_run(real) for real in {False, REAL_VALGRIND}}
    seeds = [rng.random() for _ in range(options.kills)]
    jobs = [lambda where, i=i, x=x: kill_at_random(i, random.Random(x), times, "killed-" + where)
            for i, x in enumerate(seeds)]
    verdict("kills at random moments", in_turns(jobs), f"({options.kills})")


# ---- what the system may lack ----

def attempt(root, scratch, before, allowed_failures=(1, 2, 3, 4), env=None, **how):
    """A run that may fail, but neither crash nor hang nor lose anything."""
    done = irdiff(root, PROFILE, env, **how)
    if done.returncode != 0 and done.returncode not in allowed_failures:
        raise Wrong(f"ended with {done.returncode}: {done.stderr.decode()}")
    if done.returncode and not done.stderr:
        raise Wrong("failed without a word")
    return done


def after_attempt(s, root, scratch, done):
    check_after(s, root, scratch, done.returncode == 0)
    check_next(s, root, scratch)


def test_descriptors(options, rng):
    """Every limit from none at all up to where it works."""
    if options.only not in "descriptors":
        return
    s = scenario("profile, a label that is there")
    problems, works = [], None
    for limit in range(3, 24) if options.points == "all" else [3, 6, 9, 11, 13, 15, 20]:
        root = s.copy("descriptors")
        try:
            done = attempt(root, SCRATCH, s.before, allowed_failures=(1, 2, 3, 4, 127),
                           preexec_fn=lambda n=limit: resource.setrlimit(resource.RLIMIT_NOFILE,
                                                                         (n, n)))
            after_attempt(s, root, SCRATCH, done)
            if done.returncode == 0 and works is None:
                works = limit
        except Wrong as e:
            problems.append(f"{limit} descriptors: {e}")
        except subprocess.TimeoutExpired:
            problems.append(f"{limit} descriptors: hangs")
    if works is None:
        problems.append("20 descriptors are not enough")
    verdict("no descriptors left", problems, f"(works with {works})")


def test_clock(options, rng):
    """Days forward and back, at any reading of the clock."""
    if options.only not in "clock":
        return
    problems = []
    for name, numbers in (("profile, a label that is there", (1, 2, 5)), ("compare", (1,))):
        s = scenario(name)
        for number in numbers:
            for days in -10000, 3:
                root = s.copy("clock")
                try:
                    done = irdiff(root, s.words, injected(f"clock:{number}:{days * 86400}"))
                    if done.returncode != s.code:
                        raise Wrong(f"ended with {done.returncode}: {done.stderr.decode()}")
                    check_after(s, root, SCRATCH, True)
                    check_next(s, root, SCRATCH)
                    listed = irdiff(root, ["cache", "list"])
                    if listed.returncode:
                        raise Wrong(f"cache list: {listed.stderr.decode()}")
                except Wrong as e:
                    problems.append(f"{name}, {days} days at reading {number}: {e}")
                except subprocess.TimeoutExpired:
                    problems.append(f"{name}, {days} days at reading {number}: hangs")
    verdict("a clock that jumps", problems)


def mounted(words):
    """Whether we may mount."""
    return subprocess.run(words, stderr=subprocess.DEVNULL).returncode == 0


def test_disk(options, rng):
    """A file system with room for less and less; and one that is read-only. Called in a mount
    namespace of its own."""
    if options.only not in "disk":
        return
    disk = f"{SCRATCH}/disk"
    os.makedirs(disk, exist_ok=True)
    if not os.environ.get("OWN_MOUNTS") or not mounted(
            ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]):
        print("SKIP: a full disk: nothing can be mounted here")
        return
    s = scenario("profile, a label that is there")
    problems, works = [], 0
    for pages in (list(range(0, 40)) if options.points == "all" else [0, 1, 3, 7, 12, 60]):
        root = s.copy("disk/p")
        fill = f"{disk}/fill"
        try:
            with open(fill, "wb", buffering=0) as f:
                try:
                    while True:
                        f.write(b"x" * 4096)
                except OSError:
                    pass
                size = max(0, f.tell() - 4096 * pages)
                f.truncate(size)
            done = attempt(root, SCRATCH, s.before)
            works += done.returncode == 0
            os.remove(fill)
            after_attempt(s, root, SCRATCH, done)
        except Wrong as e:
            problems.append(f"{pages} pages free: {e}")
        except subprocess.TimeoutExpired:
            problems.append(f"{pages} pages free: hangs")
        if os.path.exists(fill):
            os.remove(fill)
    verdict("a full disk", problems, f"(works {works} times)")

    problems = []
    root = s.copy("disk/p")
    mounted(["mount", "-o", "remount,ro", disk])
    try:
        done = attempt(root, SCRATCH, s.before)
        if done.returncode == 0 or b"ead-only" not in done.stderr:
            raise Wrong(f"ended with {done.returncode}: {done.stderr.decode()}")
        compare_states(state(root, SCRATCH), [s.before], root)
        if shown(root, "L") != s.before["label", "L"]:
            raise Wrong("L cannot be shown")
    except Wrong as e:
        problems.append(str(e))
    mounted(["mount", "-o", "remount,rw", disk])
    try:
        check_next(s, root, SCRATCH)
    except Wrong as e:
        problems.append(str(e))
    verdict("a read-only directory", problems)
    mounted(["umount", disk])


def test_full_tmp(options, rng):
    """/tmp and /var/tmp without room."""
    if options.only not in "tmp":
        return
    if not os.environ.get("OWN_MOUNTS"):
        print("SKIP: no room in /tmp and /var/tmp: nothing can be mounted here")
        return
    problems = []
    for name, place in (("profile, a label that is there", "/tmp"), ("compare", "/var/tmp")):
        s = scenario(name)
        full = f"{place}/irdiff-{os.getuid():010d}"
        for options_of_mount in "size=4k,nr_inodes=1", "size=4k,nr_inodes=3", "size=8k,nr_inodes=20":
            root = s.copy("full")
            os.makedirs(full, mode=0o700, exist_ok=True)
            if not mounted(["mount", "-t", "tmpfs", "-o", options_of_mount + ",mode=0700", "tmpfs",
                            full]):
                continue
            try:
                done = irdiff(root, s.words)
                if done.returncode not in (s.code, 2, 3, 4):
                    raise Wrong(f"ended with {done.returncode}: {done.stderr.decode()}")
                mounted(["umount", full])
                check_after(s, root, SCRATCH, done.returncode == s.code)
                check_next(s, root, SCRATCH)
            except Wrong as e:
                problems.append(f"{name}, {place} with {options_of_mount}: {e}")
            mounted(["umount", full])
    verdict("no room in /tmp and /var/tmp", problems)


def test_at_once(options, rng):
    """Several in one directory, under one label and several, some of them killed."""
    if options.only not in "at once":
        return
    problems = []
    for label_count in 1, 3:
        for kill in False, True:
            root = f"{SCRATCH}/at-once"
            shutil.rmtree(root, ignore_errors=True)
            replaced(root)
            variables = dict(os.environ, IRDIFF_VALGRIND=f"{SCRATCH}/fake")
            for _ in range(3 if options.points == "all" else 1):
                running = [subprocess.Popen(
                    [IRDIFF, "profile", "-q", "--label", "L" * (1 + i % label_count), "--", "./prog"],
                    cwd=root, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                    for i in range(8)]
                killed = running[::3] if kill else []
                for p in killed:
                    time.sleep(rng.random() * 0.05)
                    p.kill()
                for p in running:
                    said = p.communicate(timeout=PATIENCE)[1]
                    if p not in killed and p.returncode:
                        problems.append(f"ended with {p.returncode}: {said.decode()}")
            try:
                for label in set("L" * (1 + i % label_count) for i in range(8)):
                    if shown(root, label) is None:
                        raise Wrong(f"{label} is not there")
                state(root, SCRATCH)
                check_leftovers(root)
            except Wrong as e:
                problems.append(f"{label_count} labels, kill={kill}: {e}")
    verdict("eight at once in one directory", problems)


def main():
    global SCRATCH
    parser = argparse.ArgumentParser()
    parser.add_argument("scratch")
    parser.add_argument("kills", nargs="?", type=int, default=24)
    parser.add_argument("--points", default="10")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    global REAL_VALGRIND
    SCRATCH = options.scratch
    REAL_VALGRIND = shutil.which("valgrind") is not None
    rng = random.Random(options.seed)
    with open(f"{SCRATCH}/fake", "w") as f:
        f.write(FAKE)
    os.chmod(f"{SCRATCH}/fake", 0o755)
    home = f"{SCRATCH}/home"
    os.makedirs(home)
    os.environ.update(HOME=home, GIT_CONFIG_NOSYSTEM="1", GIT_AUTHOR_NAME="T", GIT_COMMITTER_NAME="T",
                      GIT_AUTHOR_EMAIL="t@example.org", GIT_COMMITTER_EMAIL="t@example.org")
    git(home, "config", "--global", "protocol.file.allow", "always")
    for test in (test_at_once, test_descriptors, test_clock, test_disk, test_full_tmp, test_kills,
                 test_points):
        test(options, rng)
    if failures:
        print(f"{failures} failed")
        sys.exit(1)


main()
