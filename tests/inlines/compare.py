#!/usr/bin/env python3
"""Usage: compare.py NAME ADDRESSES CHAINS SYMBOLIZED SYMBOLS

Holds the chains of tests/inlines/chains.c against the output of `llvm-symbolizer --inlines
--verbose` for the same addresses, and prints a row of the table: how many addresses are covered by
debug information, and in how many of them chains agree in length, in names, and in the files of
the functions. Fails unless all agree.

A function without linkage name is bare in the symbolizer's chains, and after its scopes in ours:
names agree if the one ends with "::" and the other. Lambdas, which each compiler calls in its own way, have
one form in ours. Of several functions in the same place (aliases
in assembler, identical code that was folded) either is right; SYMBOLS, of nm, tells which they are.
The symbolizer does not know the files of some functions of GCC; those are not compared.
"""
import os
import sys

sys.dont_write_bytecode = True  # beside the sources
import lambdas  # noqa: E402

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


def read_symbols(path):
    """The addresses of each name."""
    addresses = {}
    with open(path, errors="surrogateescape") as lines:
        for line in lines:
            address, _, name = line.rstrip("\n").split(" ", 2)
            addresses.setdefault(name, set()).add(address)
    return addresses


def same_name(ours, theirs):
    return ours == theirs or ours.endswith("::" + theirs) or lambdas.same(ours, theirs)


def same_names(ours, theirs, symbols):
    if len(ours) != len(theirs):
        return False
    if ours and symbols.get(ours[-1][0], set()) & symbols.get(theirs[-1][0], set()):
        ours, theirs = ours[:-1], theirs[:-1]
    return all(same_name(a, b) for (a, _), (b, _) in zip(ours, theirs))


def same_files(ours, theirs):
    return len(ours) == len(theirs) and all(
        not b or os.path.basename(a) == os.path.basename(b)
        for (_, a), (_, b) in zip(ours, theirs))


def words(chain):
    frames = (f"{name} ({os.path.basename(file)})" for name, file in chain)
    return "".join(f"\n        {frame}" for frame in frames) or "\n        nothing"


def main():
    name, addresses, ours, theirs, symbols = sys.argv[1:]
    with open(addresses) as lines:
        asked = [int(line, 16) for line in lines]
    state, chains = read_ours(ours)
    known = read_symbols(symbols)
    covered = inlined = lengths = names = files = 0
    wrong = []
    for address, their in zip(asked, read_theirs(theirs)):
        our = chains.get(address, [])
        if not our and not their:
            continue
        covered += 1
        inlined += len(their) > 1
        agree = len(our) == len(their), same_names(our, their, known), same_files(our, their)
        lengths += agree[0]
        names += agree[1]
        files += agree[2]
        if not all(agree):
            wrong.append((address, our, their))
    print(f"{'WRONG' if wrong else 'ok':6}{name:32}{len(asked):>8}{covered:>9}{inlined:>9}"
          f"{lengths:>9}{names:>9}{files:>9}  {state}")
    for address, our, their in wrong[:SHOWN]:
        print(f"      {address:#x} is in{words(our)}\n      and not in{words(their)}")
    return bool(wrong) or not covered


sys.exit(main())
