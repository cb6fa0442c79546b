#!/bin/sh
# Usage: tests/help.sh
#
# What --help and -h print: of every command, lines that a terminal of some width does not wrap, each option
# once and below a heading, and with -h no more than one screen.
set -eu
. "$(dirname "$0")/skip.sh"
LC_ALL=C.UTF-8
export LC_ALL
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")

needs python3
python3 -c 'import pty; pty.openpty()' 2>/dev/null ||
	skip_all "no pseudo-terminal can be opened (is /dev/pts mounted?)"

IRDIFF=$irdiff exec python3 - <<'END_OF_PYTHON'
import fcntl, os, pty, re, struct, subprocess, sys, termios, threading

irdiff = os.environ.pop("IRDIFF")
WIDTHS = 40, 60, 80, 120
WIDEST = 100  # longer lines are hard to read
NOT_A_TERMINAL = 80
SCREEN = 24
END = b"\x04the end\x04"
failures = 0


def verdict(what, ok, *found):
    global failures
    if not ok:
        print("FAILED ", what)
        for text in found:
            print("        ", text)
    failures += not ok


def piped(*words, **env):
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **env}
    return subprocess.run([irdiff, *words], capture_output=True, text=True, env=env).stdout


def shown(columns, *words, **env):
    """What is on a terminal of that many columns. What was written just before the last writer closes
    a terminal can be lost: it is closed after its end has been read."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "dumb", **env}
    process = subprocess.Popen([irdiff, *words], stdin=subprocess.DEVNULL, stdout=theirs, env=env)

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


def too_long(text, width):
    """Lines that are wider, except for one word that no line has place for."""
    return [line for line in text.split("\n") if len(line) > width and len(line.split()) > 1]


def options_of(text):
    return [name for _, name in re.findall(r"^  (-., |    )--([a-z-]+)", text, re.M)]


commands = [line.split("\t")[0] for line in piped("--complete", "").splitlines()]
commands.remove("help")
verdict("there are commands", len(commands) > 15, commands)
for command in [None, *commands]:
    words = [command] if command else []
    name = f"irdiff {command}" if command else "irdiff"
    for how in "--help", "-h":
        widest = {}
        for columns in WIDTHS:
            text = shown(columns, *words, how)
            widest[columns] = max(map(len, text.split("\n")))
            verdict(f"{name} {how}: lines fit in {columns} columns", text and
                    not too_long(text, min(columns, WIDEST)), *too_long(text, min(columns, WIDEST)))
        verdict(f"{name} {how}: lines fill the terminal", widest[120] > 80 > widest[60] > 50, widest)
        text = piped(*words, how)
        verdict(f"{name} {how}: 80 columns without a terminal", text and
                not too_long(text, NOT_A_TERMINAL) and text == piped(*words, how, COLUMNS="120"),
                *too_long(text, NOT_A_TERMINAL))
        verdict(f"{name} {how}: the same text in every width", shown(40, *words, how).split() ==
                text.split() == shown(100, *words, how).split())
    summary = piped(*words, "-h")
    verdict(f"{name} -h is one screen", summary and summary.count("\n") <= SCREEN, summary)
    verdict(f"{name} -h refers to --help", f"'{name} --help'" in summary, summary)
    if not command:
        continue
    text = piped(command, "--help")
    offered = [line.split("\t")[0].rstrip("=").lstrip("-")
               for line in piped("--complete", command, "--x").splitlines()]
    verdict(f"{name} --help lists every option once", sorted(options_of(text)) == sorted(offered),
            sorted(options_of(text)), sorted(offered))
    brief = options_of(summary)
    verdict(f"{name} -h lists some of its options once", brief and len(set(brief)) == len(brief) and
            set(brief) < set(offered), brief)
    headings = re.findall(r"^([A-Z][A-Za-z ]*):$", text, re.M)
    verdict(f"{name} --help has headings if it has many options", (headings == ["Options"]) == (len(offered) <= 10)
            and len(set(headings)) == len(headings), headings)
    verdict(f"{name} --help: every option has a heading (src/cli/option_groups.c)",
            "Other options" not in headings, text)

verdict("COLUMNS wins over the width of the terminal",
        shown(100, "diff", "--help", COLUMNS="60") == shown(60, "diff", "--help"))
verdict("a narrow terminal gets lines of 40 columns",
        shown(20, "diff", "--help") == shown(40, "diff", "--help"))
verdict("'help diff' prints the whole help", piped("help", "diff") == piped("diff", "--help"))

print(f"{failures} failed")
sys.exit(failures > 0)
END_OF_PYTHON
