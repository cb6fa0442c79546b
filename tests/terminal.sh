#!/bin/sh
# Usage: tests/terminal.sh
#
# What a person sees in a terminal of some width: aligned rows that do not wrap, names that say what
# they are, colours only where they are wanted, and the whole of a diff at once. Terminals are
# pseudo-terminals of Python's.
set -eu
LC_ALL=C.UTF-8
export LC_ALL
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")

if ! command -v python3 >/dev/null; then
	echo "SKIP: python3 is not installed (apt-get install python3)"
	exit 77
fi
if ! python3 -c 'import pty; pty.openpty()' 2>/dev/null; then
	echo "SKIP: no pseudo-terminal can be opened (is /dev/pts mounted?)"
	exit 77
fi
scratch=$(mktemp -d "${TMPDIR:-/tmp}/irdiff-terminal.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
cd "$scratch"

IRDIFF=$irdiff exec python3 - <<'END'
import fcntl, os, pty, re, struct, subprocess, sys, termios, threading

irdiff = os.environ.pop("IRDIFF")
failures = 0

NAMES = [
    "long company::project::storage::detail::weigh<std::pair<std::string, unsigned long> >"
    "(company::project::storage::detail::record<std::pair<std::string, unsigned long> > const&)",
    "company::project::storage::detail::index<std::pair<std::string, std::string>, "
    "std::greater<std::pair<std::string, std::string> > >::append(std::string const&) [clone .isra.0]",
    "<company_storage::index::Index<alloc::string::String, u64> as company_storage::Table>::lookup",
    "sqlite3VdbeMemMakeWriteable",
]
END = b"\x04the end\x04"
WANTED = ["weigh<", "append(", "::lookup", "sqlite3"]


def write(name, factor):
    """Functions of long names, and thirty more to have too many of."""
    rows = [(n, 40000 * (i + 2) + 1000 * factor * (5 - i)) for i, n in enumerate(NAMES)]
    rows += [(f"function_{i}", 3000 + 200 * factor + i) for i in range(30)]
    with open(name, "w") as f:
        print("cmd: ./storage\nevents: Ir Dr\nob=/opt/company/bin/storage\nfl=/src/storage.cc", file=f)
        for n, cost in rows:
            print(f"fn={n}\n7 {cost} {cost // 3}", file=f)
        print("fn=main\n1 100 10", file=f)
        for n, cost in rows:
            print(f"cfn={n}\ncalls={cost // 100} 7\n2 {cost} {cost // 3}", file=f)


def verdict(what, ok, *found):
    global failures
    print("ok     " if ok else "FAILED ", what)
    for text in [] if ok else found:
        print(text)
    failures += not ok


def run(words, columns=80, lines=60, env={}):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    process = subprocess.Popen([irdiff, *words], stdout=theirs, stderr=subprocess.DEVNULL,
                               env={"TERM": "xterm", **env})

    # What was written just before the last writer closes a terminal can be lost: it is closed after
    # its end has been read.
    def end():
        process.wait()
        os.write(theirs, END)

    threading.Thread(target=end).start()
    output = b""
    while not output.endswith(END):
        output += os.read(ours, 65536)
    os.close(theirs)
    os.close(ours)
    return output.removesuffix(END).decode().replace("\r\n", "\n")


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


write("base", 0)
write("head", 7)
COMMANDS = [["diff", "base", "head"], ["diff", "base", "head", "--view=tree"],
            ["diff", "base", "head", "--view=causes"], ["show", "head"],
            ["show", "head", "--view=tree"], ["show", "head", "--view=calls"]]
for words in COMMANDS:
    name = " ".join(words)
    for columns in (80, 120, 160):
        text = plain(run(words, columns))
        wide = [line for line in text.split("\n") if len(line) > columns]
        verdict(f"{name}: no line is wider than {columns} columns", text and not wide, *wide)
        missing = [w for w in WANTED if w not in text]
        verdict(f"{name}: names say what they are in {columns} columns", not missing, missing, text)
    text = run(words + ["--wide"])
    verdict(f"{name}: --wide has whole names", all(n.replace(" [clone .isra.0]", "") in plain(text)
                                                  for n in NAMES), text)
    verdict(f"{name}: colours in a terminal", "\x1b[" in run(words))
    verdict(f"{name}: … but not with NO_COLOR", "\x1b" not in run(words, env={"NO_COLOR": "1"}))
    verdict(f"{name}: … nor with --color=never", "\x1b" not in run(words + ["--color=never"]))
    piped = subprocess.run([irdiff, *words], capture_output=True, text=True).stdout
    verdict(f"{name}: … nor where there is none", "\x1b" not in piped and piped, piped)
    forced = subprocess.run([irdiff, *words, "--color=always"], capture_output=True, text=True).stdout
    verdict(f"{name}: --color=always", plain(forced) == piped and forced != piped, forced)

# Names begin in one column, and the numbers before them end in one.
rows = [line for line in plain(run(["diff", "base", "head"])).split("\n") if "more calls" in line]
verdict("rows are aligned", len({line.index("more calls") for line in rows}) == 1, *rows)

for lines in (36, 40, 50):
    text = plain(run(["diff", "base", "head"], lines=lines))
    verdict(f"a diff is seen at once in {lines} lines", text.count("\n") < lines, text)
    verdict("… with what is left out and what to do next",
            "more; see them with --top=0" in text and "Look at its source:  irdiff show" in text, text)
verdict("--top counts, whatever the screen", "… and 4 more" in
        plain(run(["diff", "base", "head", "--top=30"], lines=36)))

# The command is one that works, and shows what it is about.
text = plain(run(["diff", "base", "head"]))
command = re.search(r"Look at its source:  irdiff (.*)", text)[1]
shown = subprocess.run(f"'{irdiff}' {command}", shell=True, capture_output=True, text=True).stdout
verdict("the next step is short enough to copy", len(command) < 60, command)
verdict("… and shows that function", "1 of" in shown or "storage.cc" in shown, command, shown)

print(f"{failures} failed")
sys.exit(failures > 0)
END
