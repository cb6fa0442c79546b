#!/bin/sh
# Usage: tests/words.sh [PATH...]
#
# What people read is in plain English, in the terms of the field: this finds phrases that must not come back, and
# prints FILE:LINE: PHRASE, and what to write instead. Of files in C, JavaScript and Python it reads the texts in
# quotes, and not the code; of schemas the values, and not the keys; of all others every line. PATH is a file or a
# directory, by default all that is read by a user.
#
# A phrase that looks wrong but is right goes to `right`, below, with as much of its sentence as makes it unique.
set -eu
cd "${srcdir:-.}"
[ $# -gt 0 ] || set -- src callgrind freeze man README.md NEWS.md data setup action.yml

python3 - "$@" <<'END'
import os
import re
import sys

# A regular expression, in any case of letters, and what to write instead.
WRONG = [
    (r"\bbehind\b", "after"),
    (r"\bgoes with\b", "requires"),
    (r"(?<!default )\b(?:there )?(?:is|are) none\b(?! of)", "say what is missing: 'no X', 'X not found'"),
    (r"\bwhat (?:is|was) there\b", "existing, what remains"),
    (r"\bwhat (?:is|was) said\b|\bas is said\b", "name who says it"),
    (r"\bwhat (?:is|was) measured\b", "measurements, results"),
    (r"\bwhat (?:it|each|one|that|they|lines?|functions?) costs? (?:itself|alone)\b", "self cost"),
    (r"\bas good as\b", "ignored, the same as"),
    (r"\bwho(?:m)? decided\b|\bwho decides\b", "causes (of the change)"),
    (r"\bown (?:code|cost|costs)\b", "self cost"),
    (r"\b(?:callees included|with all (?:its|that it) call\w*)\b", "inclusive cost"),
    (r"\bpaths? of calls\b", "call path, call tree"),
    (r"\bimpact\b", "% of base"),
    (r"\b(?:who|what) calls it\b", "callers"),
    (r"\bcalls (?:it|them) (?:more|less|elsewhere)\b", "more calls, fewer calls, changed calls"),
    (r"\bno longer calls\b|\bcalls something new\b", "removed call, new call"),
    (r"\bcosts? (?:more|less) per call\b", "more per call, less per call"),
    (r"\bboth sides\b|\b(?:before|after) side\b", "base and head"),
    (r"\bis no [\w-]+ of (?:this|the|a)\b", "unknown X, not an X"),
    (r"\b(?:is|are) to go to\b", "target (branch)"),
    (r"\bin no (?:git )?repository\b|\brepository of git\b", "not a git repository"),
    (r"\bis nothing to (?:read|see|write)\b", "refusing to, cannot"),
    (r"\bbroken limits?\b|\blimits? (?:is|are|was) broken\b|\bbreaks? (?:a|the|its|no) limits?\b",
     "limit exceeded"),
    (r"\bmoves? (?:it|the )?counts?\b|\bmoves? counts?\b", "affects counts"),
    (r"\bof (?:two|three|four|\d+) [a-z]+ (?:one|two|three|\d+)\b", "'3 of 4 benchmarks'"),
    (r"\bmakes itself\b", "say what it does"),
    (r"\bwhere there is no\b", "if there is no, without"),
    (r"\bthe difference of (?:two|both)\b", "the change between two"),
    (r"\bas it stands\b", "as it is"),
]
RULES = [(re.compile(wrong, re.I), instead) for wrong, instead in WRONG]

right = []

TEXTS = {".c", ".h", ".js", ".py"}
SKIPPED = {".png", ".svg", ".am", ".css", ".zst"}
QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
SCRIPT = re.compile(r'"((?:[^"\\\n]|\\.)*)"|\'((?:[^\'\\\n]|\\.)*)\'|`((?:[^`\\]|\\.)*)`')
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.S)


def without_comments(text):
    """The text in which comments are blank; strings stay, and lines keep their numbers."""
    return COMMENT.sub(lambda m: m[0] if m[0][0] in "\"'" else re.sub(r"[^\n]", " ", m[0]), text)


def texts_of(path, text):
    """What people read of a file: (line, text). A text in several strings is one, at its first line."""
    kind = os.path.splitext(path)[1]
    if kind not in TEXTS:
        text = re.sub(r'^\s*"\w+":', lambda m: " " * len(m[0]), text, flags=re.M) if kind == ".json" else text
        # A phrase may be broken over two lines.
        lines = text.split("\n") + [""]
        for number, line in enumerate(lines[:-1], 1):
            yield number, line, lines[number]
        return
    if kind in (".c", ".h"):
        text = without_comments(re.sub(r"^\s*#\s*include.*$", "", text, flags=re.M))
    last, joined, start = None, "", 0
    for m in (QUOTED if kind in (".c", ".h") else SCRIPT).finditer(text):
        words = next((g for g in m.groups() if g is not None), "").replace("\\n", " ").replace('\\"', '"')
        if last is not None and not text[last:m.start()].strip():
            joined += words
        else:
            if joined:
                yield start, joined, ""
            joined, start = words, text.count("\n", 0, m.start()) + 1
        last = m.end()
    if joined:
        yield start, joined, ""


def plain(line):
    """A line without the macros of mdoc and the signs of comments in front of it."""
    return re.sub(r"^\s*(?:\.[A-Z][a-z]\b|#|//|\*)\s*", "", line)


def findings(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    for number, words, following in texts_of(path, text):
        words, following = plain(words), plain(following)
        whole = words + " " + following
        if any(r in whole for r in right):
            continue
        for rule, instead in RULES:
            for m in rule.finditer(whole):
                if m.start() <= len(words) - 1:
                    yield number, m[0], instead


def files(paths):
    for path in paths:
        if os.path.isdir(path):
            for directory, below, names in os.walk(path):
                below.sort()
                yield from (os.path.join(directory, name) for name in sorted(names))
        else:
            yield path


# The rules find what they are for, and leave what is right.
wrong = sum(1 for words in ("a command behind --", "the commit is no commit of this repository",
                            "paths of calls", "who decided", "a limit is broken") for rule, _ in RULES if rule.search(words))
fine = [words for words in ("none of them", "after the command", "call paths", "a limit is exceeded")
        if any(rule.search(words) for rule, _ in RULES)]
if wrong < 5 or fine:
    sys.exit(f"the rules are wrong: {wrong} found, {fine}")

found = read = 0
for path in files(sys.argv[1:]):
    if os.path.splitext(path)[1] in SKIPPED:
        continue
    read += 1
    for number, phrase, instead in findings(path):
        print(f"{path}:{number}: '{phrase}': {instead}")
        found += 1
print(f"{read} files read, {found} phrases to rewrite")
sys.exit(found > 0 or read == 0)
END
