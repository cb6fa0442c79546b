#!/bin/sh
# Usage: tests/progress.sh
#
# What takes long says so on a terminal, in one line that is gone at the end; nowhere else, and
# never in what is written to standard output. Terminals are pseudo-terminals of Python's.
set -eu
. "$(dirname "$0")/skip.sh"
LC_ALL=C.UTF-8
export LC_ALL
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")

needs python3
python3 -c 'import pty; pty.openpty()' 2>/dev/null ||
	skip_all "no pseudo-terminal can be opened (is /dev/pts mounted?)"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-progress.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
cd "$scratch"
cat >profile <<'END'
events: Ir
fn=main
1 10
fn=f
1 30
fn=gather
1 50
END

IRDIFF=$irdiff exec python3 - <<'END'
import concurrent.futures, contextlib, fcntl, os, pty, re, struct, subprocess, sys, termios, threading, time

irdiff = os.environ.pop("IRDIFF")
failures = 0


def verdict(what, ok, *found):
    global failures
    print("ok     " if ok else "FAILED ", what, *([] if ok else map(repr, found)))
    failures += not ok


def wait_for(condition):
    """Whether it comes to hold, however busy the machine is."""
    end = time.monotonic() + 120
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)


def run(words, terminal=True, seconds=0.0, until=None, term="xterm", columns=80):
    """What the command writes to its standard output and error; its input comes in two pieces,
    so many seconds apart, or the second one when `until` holds of what it has written to the terminal."""
    text = open("profile", "rb").read()
    ours, theirs = pty.openpty() if terminal else os.pipe()
    if terminal:
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([irdiff, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=theirs, env={"TERM": term})

    def feed():
        process.stdin.write(text[:40])
        process.stdin.flush()
        time.sleep(seconds)
        if until:
            wait_for(lambda: until(bytes(errors)))
        with contextlib.suppress(BrokenPipeError):  # not all of them read it
            process.stdin.write(text[40:])
            process.stdin.close()

    errors = bytearray()

    def listen():
        while not errors.endswith(END):
            errors.extend(os.read(ours, 4096))

    threads = [threading.Thread(target=feed), threading.Thread(target=listen)]
    for thread in threads:
        thread.start()
    output = process.stdout.read()
    process.wait()
    # What was written just before the last writer closes a terminal can be lost: it is closed after
    # its end has been read.
    os.write(theirs, END)
    for thread in threads:
        thread.join()
    os.close(theirs)
    os.close(ours)
    return output, bytes(errors.removesuffix(END))


END = b"\x04the end\x04"
ERASE = b"\r\x1b[K"
def run_fast(words):
    """A run of less than the half second after which progress is told; None if there is none."""
    for _ in range(50):  # the machine may be busy
        begin = time.monotonic()
        output, shown = run(words)
        if time.monotonic() - begin < 0.5:
            return output, shown
    return output, None


def follow(words):
    """The runs of one command."""
    quiet, nothing = run(words, terminal=False, seconds=1.0)
    fast, silent = run_fast(words)
    return quiet, nothing, fast, silent, *run(words, until=lambda shown: shown.count(b"\rirdiff") >= 2)


TOOK = re.compile(rb" \d+ s\x1b")
COMMANDS = (["show", "-"], ["show", "-", "--view=tree"], ["diff", "profile", "-"], ["convert", "-", "-"],
            ["convert", "-", "-", "--to=pprof"])
# They wait for their input, which all can do at once.
with concurrent.futures.ThreadPoolExecutor() as pool:
    took = pool.submit(run, ["show", "-"], until=lambda shown: TOOK.search(shown))
    dumb = pool.submit(run, ["show", "-"], seconds=1.0, term="dumb")
    followed = list(pool.map(follow, COMMANDS))

for words, (quiet, nothing, fast, silent, slow, shown) in zip(COMMANDS, followed):
    name = " ".join(words)
    verdict(f"{name}: nothing where there is no terminal", nothing == b"", nothing)
    if silent is None:
        print(f"SKIP: {name}: nothing where it is fast: no run took less than half a second")
    else:
        verdict(f"{name}: nothing where it is fast", silent == b"", silent)
    verdict(f"{name}: the output is the same", quiet == fast == slow and quiet, quiet, slow)
    verdict(f"{name}: a line", shown.startswith(b"\rirdiff: reading "), shown)
    verdict(f"{name}: … one only, which is gone at the end",
            b"\n" not in shown and shown.endswith(ERASE) and shown.count(b"\rirdiff") >= 2, shown)

_, shown = took.result()
verdict("how long it has taken", TOOK.search(shown), shown)
_, shown = dumb.result()
verdict("a terminal that cannot erase has none", shown == b"", shown)

os.rename("profile", "long")
os.mkfifo("a-name-of-a-file-that-has-no-room-in-a-line-of-a-narrow-terminal")
os.rename("long", "profile")


def feed_fifo(path):
    text = open("profile", "rb").read()
    with open(path, "wb") as fifo:
        fifo.write(text[:40])
        fifo.flush()
        told.wait(120)
        fifo.write(text[40:])


path = "a-name-of-a-file-that-has-no-room-in-a-line-of-a-narrow-terminal"
told = threading.Event()
feeder = threading.Thread(target=feed_fifo, args=(path,))
feeder.start()
_, shown = run(["show", path], columns=30, until=lambda shown: shown and not told.set())
feeder.join()
lines = [line.decode() for line in re.split(rb"\r|\x1b\[K", shown) if line]
verdict("a long name is cut", lines and max(map(len, lines)) <= 29 and "…" in lines[0], shown)

print(f"{failures} failed")
sys.exit(failures > 0)
END
