#!/usr/bin/env python3
"""Usage: data/demo/pictures.py [DIRECTORY]

Makes the pictures of README.md from what the demo really says: diff.svg, a terminal with the
difference of its two versions, and report.png, the page about it, where Chromium is installed.
IRDIFF is the program to use, `irdiff` of the PATH if not set.
"""
import fcntl
import html
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS, LINES = 112, 60
CELL, LINE, MARGIN = 7.8, 17, 14
COLORS = {"31": "#f47067", "32": "#57ab5a", "33": "#c69026", "34": "#539bf5", "36": "#39c5cf"}


def terminal(words, directory):
    """What a command writes to a terminal of this size."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    environment = {**os.environ, "TERM": "xterm", "IRDIFF_PAGER": "", "LC_ALL": "C.UTF-8"}
    process = subprocess.Popen(words, stdout=theirs, stderr=theirs, cwd=directory, env=environment)
    os.close(theirs)
    output = b""
    try:
        while piece := os.read(ours, 65536):
            output += piece
    except OSError:
        pass
    if process.wait():
        sys.exit(output.decode())
    return output.decode().replace("\r\n", "\n").rstrip("\n")


def spans(line):
    """A line of a terminal as parts of a line of SVG."""
    style, parts = {}, ""
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        if piece.startswith("\x1b"):
            for code in piece[2:-1].split(";"):
                if code in ("", "0"):
                    style = {}
                elif code == "1":
                    style["font-weight"] = "bold"
                elif code == "2":
                    style["fill"] = "#768390"
                elif code in COLORS:
                    style["fill"] = COLORS[code]
        elif piece:
            attributes = "".join(f' {k}="{v}"' for k, v in style.items())
            text = html.escape(piece, quote=False).replace(" ", "\u00a0")  # others are collapsed
            parts += f"<tspan{attributes}>{text}</tspan>"
    return parts


def svg(text):
    lines = text.split("\n")
    width, height = COLUMNS * CELL + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN
    rows = "\n".join(f'<text x="{MARGIN}" y="{MARGIN + LINE * i + 12}">{spans(line)}</text>'
                     for i, line in enumerate(lines) if line)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}"
 font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13"
 fill="#adbac7">
<rect width="100%" height="100%" rx="8" fill="#22272e"/>
{rows}
</svg>
"""


def main():
    out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HERE)
    irdiff = os.environ.get("IRDIFF", "irdiff")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory(prefix="irdiff-") as scratch:
        demo = os.path.join(scratch, "demo")
        subprocess.run([HERE / "run", demo], check=True, stdout=subprocess.DEVNULL)
        words = ["diff", "demo-v1", "demo-v2"]
        text = terminal([irdiff, *words], demo)
        (out / "diff.svg").write_text(svg("\x1b[2m$\x1b[0m irdiff " + " ".join(words) + "\n" + text))
        if not chromium:
            sys.exit("chromium is not installed: report.png stays as it is")
        subprocess.run([chromium, "--headless", "--no-sandbox", "--hide-scrollbars", "--disable-gpu",
                        "--window-size=1200,1500", f"--user-data-dir={scratch}/browser",
                        "--virtual-time-budget=4000", f"--screenshot={out.resolve()}/report.png",
                        f"file://{demo}/report.html"], check=True, stderr=subprocess.DEVNULL)


main()
