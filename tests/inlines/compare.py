#!/usr/bin/env python3
"""Usage: compare.py NAME ADDRESSES CHAINS SYMBOLIZED

Holds the chains of tests/inlines/chains.c against the output of `llvm-symbolizer --inlines
--verbose` for the same addresses, and prints a row of the table: how many addresses are covered by
debug information, and in how many of them chains agree in length, in names, and in the files of
the functions. Fails unless all agree.

A function without linkage name is bare in the symbolizer's chains, and behind its scopes in ours:
names agree if the one ends with "::" and the other. The symbolizer does not know the files of some
functions of GCC; those are not compared.
"""
import os
import sys

SHOWN = 5
START = "  Function start filename: "


def read_ours(path):
    chains = {}
    with open(path, errors="surrogateescape") as lines:
        state = next(lines, "").rstrip("\n")
        for line in lines:
            address, *words = line.rstrip("\n").split("\t")
            chains[int(address, 16)] = list(zip(words[0::2], words[1::2]))
    return state, chains


def read_theirs(path):
    """A list of chains, one for each address that was asked for."""
    chains = [[]]
    with open(path, errors="surrogateescape") as lines:
        for line in lines:
            line = line.rstrip("\n")
            if not line:
                chains.append([])
            elif line.startswith(START):
                chains[-1][-1] = (chains[-1][-1][0], line[len(START):])
            elif not line.startswith("  "):
                chains[-1].append((line, ""))
    return [chain if chain != [("??", "")] else [] for chain in chains]


def same_name(ours, theirs):
    return ours == theirs or ours.endswith("::" + theirs)


def same_file(ours, theirs):
    return not theirs or os.path.basename(ours) == os.path.basename(theirs)


def all_same(same, which, ours, theirs):
    return len(ours) == len(theirs) and all(
        same(a[which], b[which]) for a, b in zip(ours, theirs))


def words(chain):
    frames = (f"{name} ({os.path.basename(file)})" for name, file in chain)
    return "".join(f"\n        {frame}" for frame in frames) or "\n        nothing"


def main():
    name, addresses, ours, theirs = sys.argv[1:]
    with open(addresses) as lines:
        asked = [int(line, 16) for line in lines]
    state, chains = read_ours(ours)
    covered = lengths = names = files = inlined = 0
    wrong = []
    for address, their in zip(asked, read_theirs(theirs), strict=False):
        our = chains.get(address, [])
        if not our and not their:
            continue
        covered += 1
        inlined += len(their) > 1
        lengths += len(our) == len(their)
        names += all_same(same_name, 0, our, their)
        files += all_same(same_file, 1, our, their)
        if not all_same(same_name, 0, our, their) or not all_same(same_file, 1, our, their):
            wrong.append((address, our, their))
    agreed = covered == lengths == names == files
    print(f"{'ok' if agreed else 'WRONG':6}{name:32}{len(asked):>8}{covered:>9}{inlined:>9}"
          f"{lengths:>9}{names:>9}{files:>9}  {state}")
    for address, our, their in wrong[:SHOWN]:
        print(f"      {address:#x} is in{words(our)}\n      and not in{words(their)}")
    return not agreed


sys.exit(main())
