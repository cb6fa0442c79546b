#!/bin/sh
# Usage: tests/guide.sh [CHAPTER...]
#
# The quick starts of the guide work as written. A chapter is a text with blocks: one below "`FILE`:" is written to
# that file, one of diff is applied, and in one of console the lines that begin with "$ " are run and what they print
# is compared with the lines below. Each section with commands begins in a repository of its own, with the files of
# the chapter's introduction. Numbers may differ from those of the guide; "…" stands for any text, and on a line of
# its own for any lines. In all chapters, what is an irdiff.yml, or a part of one, is valid,
# and commands that the text names have the options it gives them.
set -u
. "$(dirname "$0")/repository.sh"
needs python3 valgrind make
case $irdiff in
*/irdiff) ;;
*) echo "the program is not called irdiff" && exit 1 ;;
esac
PATH=$(dirname "$irdiff"):$PATH
# Where cargo and rustup keep what they have.
CARGO_HOME=${CARGO_HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)/.cargo}
RUSTUP_HOME=${RUSTUP_HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)/.rustup}
CARGO_NET_OFFLINE=true
export PATH CARGO_HOME RUSTUP_HOME CARGO_NET_OFFLINE

if [ $# -eq 0 ]; then
	set -- "$source_dir"/man/guide/quick-start-*.md
fi
python3 - "$scratch" "$source_dir" "$@" <<'END'
import glob
import os
import re
import shutil
import subprocess
import sys

scratch, source, *chapters = sys.argv[1:]
TOOLS = {"CMake": "cmake", "Meson": "meson", "A benchmark without a harness": "cargo", "A script": "/usr/bin/python3",
         "A script of Node.js": "node", "A main class": "javac"}
failures = tried = 0


def sections(text):
    """The introduction, and every section below it, as (title, lines)."""
    parts = re.split(r"^## (.+)$", text, flags=re.M)
    return [("", parts[0]), *zip(parts[1::2], parts[2::2])]


def blocks(text):
    """(kind, what, content): files with their names, patches, and sessions."""
    for name, kind, content in re.findall(r"(?:^`([\w./-]+)`:\n\n)?^```(\w*)\n(.*?)^```$", text, re.M | re.S):
        if name:
            yield "file", name, content
        elif kind in ("diff", "console"):
            yield kind, "", content


def run(command, directory):
    return subprocess.run(["bash", "-c", command], cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)


def commands(session):
    """(command, what is expected of it) of a block of console."""
    found = []
    for line in session.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def without_figures(line):
    """What is the same on every machine: no counts, commits, widths of columns and variants of functions."""
    line = re.sub(r"@[0-9a-f]+", "@COMMIT", line)
    line = re.sub(r"[-+]?\d[\d,.]*", "NUMBER", line)
    line = re.sub(r"\b_*(str[a-z]+)(?:_\w+)?\b", r"\1", line)
    return re.sub(r"  +", " ", line).rstrip()


def pattern(lines):
    """A regular expression for what is printed, as far as the guide shows it."""
    return "".join(r"(?:.*\n)*?" if line == "…" else
                   ".*".join(re.escape(part) for part in without_figures(line).split("…")) + "\n" for line in lines)


def as_shown(expected, printed):
    return re.fullmatch(pattern(expected), "".join(without_figures(line) + "\n" for line in printed.splitlines()))


def fails(what, *lines):
    global failures
    failures += 1
    print("FAILED ", what)
    for line in lines:
        print("  |", line)


def try_session(where, session, directory):
    global tried
    status = 0
    for command, expected in commands(session):
        if command == "echo $?":
            if expected != [str(status)]:
                fails(f"{where}: the exit code is {status}", *expected)
            continue
        done = run(command, directory)
        status = done.returncode
        tried += 1
        gate = command.startswith(("irdiff check", "irdiff diff --check")) and status == 1
        if (status and not gate) or not as_shown(expected, done.stdout):
            fails(f"{where}: {command} (exit code {status})", *done.stdout.splitlines(), "expected:", *expected)
            return
        print("ok     ", f"{where}: {command}")


def try_section(where, before, section, directory):
    os.mkdir(directory)
    run("git init -q .", directory)
    first = next(i for i, (kind, _, _) in enumerate(section) if kind != "file")
    steps = [*before, *section[:first]]
    for _, name, content in (step for step in steps if step[0] == "file"):
        path = os.path.join(directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(content)
    run("git add -A && git commit -q --allow-empty -m 'What is there'", directory)
    for kind, _, content in [*(step for step in steps if step[0] != "file"), *section[first:]]:
        if kind == "diff":
            done = subprocess.run(["git", "apply", "-"], cwd=directory, input=content, capture_output=True, text=True)
            if done.returncode:
                fails(f"{where}: the patch does not apply", *done.stderr.splitlines())
                return
        elif kind == "console":
            try_session(where, content, directory)
        else:
            fails(f"{where}: a file after the first command")


for number, chapter in enumerate(chapters):
    with open(chapter) as file:
        (_, introduction), *parts = sections(file.read())
    before = list(blocks(introduction))
    for index, (title, text) in enumerate(parts or [("", introduction)]):
        where = f"{os.path.basename(chapter)}, {title}"
        section = list(blocks(text))
        if not any(kind == "console" for kind, _, _ in section):
            continue
        tool = TOOLS.get(title)
        if tool and not shutil.which(tool):
            print(f"SKIP: {where}: {tool} is not installed")
            continue
        try_section(where, before, section, os.path.join(scratch, f"{number}-{index}"))


def why_invalid(text):
    """What irdiff says of an irdiff.yml before it can say that it has no such benchmark."""
    directory = os.path.join(scratch, "settings")
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "irdiff.yml"), "w") as file:
        file.write(text)
    said = run("git init -q . && irdiff profile no-such-benchmark", directory).stdout
    return None if "unknown benchmark" in said else said


settings = 0
for chapter in glob.glob(f"{source}/man/guide/*.md"):
    with open(chapter) as file:
        parts = re.findall(r"^```yaml\n((?:build|benchmarks|limits|copy):.*?)^```$", file.read(), re.M | re.S)
    settings += len(parts)
    for text in parts:
        said = why_invalid(text)
        if said:
            fails(f"{os.path.basename(chapter)}: irdiff.yml is not valid", *text.splitlines(), *said.splitlines())
if not why_invalid("benchmarks:\n  parse: {comand: ./bench}\n"):
    fails("an irdiff.yml with an unknown key is refused")

mentions = set()
for chapter in glob.glob(f"{source}/man/guide/*.md"):
    with open(chapter) as file:
        text = re.sub(r"^```.*?^```$", "", file.read(), flags=re.M | re.S)
    mentions |= {(os.path.basename(chapter), words) for words in re.findall(r"`irdiff ([a-z][^`]*)`", text)}
for chapter, words in sorted(mentions):
    command, *rest = words.split(" -- ")[0].split()
    help = run(f"irdiff {command} --help", scratch)
    options = [word.split("=")[0] for word in rest if word.startswith("--")]
    unknown = [option for option in options if not re.search(rf"{option}\b(?!-)", help.stdout)]
    if command != "help" and (help.returncode or unknown):
        fails(f"{chapter}: irdiff {words}: there is no such command or option", *unknown)
print(f"{tried} commands, {settings} settings and {len(mentions)} mentions were tried, {failures} failed")
sys.exit(failures > 0 or tried == 0 or settings == 0 or not mentions)
END
