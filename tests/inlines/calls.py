#!/usr/bin/env python3
"""Usage: calls.py IRDIFF INLINED CALLED... [-- CALLER:CALLEE...]

Compares how often functions are called in a profile of a program with inlined functions and in
profiles of the same program without: a number must be that of one of these. Functions may be
without a number, but not those that are named.
"""
import collections, re, subprocess, sys


def plain(name):
    name = re.sub(r"'\d+$", "", name)
    return re.sub(r"(\.(constprop|isra|cold)[.\d]*)+$", "", name)


def calls_of(irdiff, path, inlines):
    """Numbers of calls by caller and callee, and those pairs of which some are not known."""
    text = subprocess.run([irdiff, "convert", "--inlines=" + inlines, "--to=callgrind", path, "-"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    names, calls, unknown = {}, collections.Counter(), set()
    caller = callee = None
    counted = True
    for line in text.decode("utf-8", "replace").split("\n"):
        named = re.match(r"(c?fn)=\((\d+)\)(?: (.*))?", line)
        if named:
            key, number, name = named.groups()
            if name:
                names[number] = plain(name)
            if key == "fn":
                caller = names[number]
            else:
                callee, counted = names[number], True
        elif line == "# called 0 times":
            counted = False
        elif line.startswith("calls=") and counted:
            calls[caller, callee] += int(line[6:].split()[0])
        elif line.startswith("calls="):
            unknown.add((caller, callee))
    return calls, unknown


def main():
    arguments = sys.argv[1:]
    needed = []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, needed = arguments[:at], [
            tuple(re.split("(?<!:):(?!:)", a)) for a in arguments[at + 1:]]
    irdiff, inlined, *called = arguments
    truths = [calls_of(irdiff, path, "no")[0] for path in called]
    real = calls_of(irdiff, inlined, "no")[0]
    found, unknown = calls_of(irdiff, inlined, "yes")
    failed = exact = 0
    for pair in sorted(found):
        if pair in unknown or found[pair] == real[pair] or not any(pair in t for t in truths):
            continue
        expected = {t[pair] for t in truths}
        if found[pair] in expected:
            exact += 1
        else:
            failed += 1
            print("WRONG: %s calls %s %d times, not" % (*pair, found[pair]), *sorted(expected))
    for pair in needed:
        if pair in unknown or not found[pair]:
            failed += 1
            print("UNKNOWN: how often %s calls %s" % pair)
    print("%d exact, %d unknown" % (exact, sum(any(p in t for t in truths) for p in unknown)))
    sys.exit(failed > 0)


main()
