#!/usr/bin/env python3
"""Usage: compare.py NAME ADDRESSES CHAINS SYMBOLIZED SYMBOLS

Holds the chains of tests/inlines/chains.c against the output of `llvm-symbolizer --inlines
--verbose` for the same addresses, and prints a row of the table: how many addresses are covered by
debug information, and in how many of them chains agree in length, in names, in the files of the
functions, and in the lines that call what is inlined. Fails unless all agree.

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
FILE = "  Filename: "
LINE = "  Line: "


class Frame:
    """A function, its file, and the file and line that call it if it is inlined."""

    def __init__(self, name, file="", call_file="", call_line="0"):
        self.name, self.file = name, file
        self.call_file, self.call_line = call_file, int(call_line)


def read_ours(path):
    chains = {}
    with open(path, errors="surrogateescape") as lines:
        state = next(lines, "").rstrip("\n")
        for line in lines:
            address, *words = line.rstrip("\n").split("\t")
            chains[int(address, 16)] = [Frame(*words[i:i + 4]) for i in range(0, len(words), 4)]
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
                chains[-1][-1].file = line[len(START):]
            elif line.startswith(FILE):
                if len(chains[-1]) > 1:
                    chains[-1][-2].call_file = line[len(FILE):]
            elif line.startswith(LINE):
                if len(chains[-1]) > 1:
                    chains[-1][-2].call_line = int(line[len(LINE):])
            elif not line.startswith("  "):
                chains[-1].append(Frame(line))
    return [[] if len(chain) == 1 and chain[0].name == "??" else chain for chain in chains]


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


def share_code(ours, theirs, symbols):
    """Whether the outermost functions are in the same place."""
    return bool(ours and theirs and
                symbols.get(ours[-1].name, set()) & symbols.get(theirs[-1].name, set()))


def same_names(ours, theirs, symbols):
    if len(ours) != len(theirs):
        return False
    if share_code(ours, theirs, symbols):
        ours, theirs = ours[:-1], theirs[:-1]
    return all(same_name(a.name, b.name) for a, b in zip(ours, theirs))


def same_path(ours, theirs):
    return os.path.basename(ours) == os.path.basename(theirs)


def same_files(ours, theirs):
    return len(ours) == len(theirs) and all(
        not b.file or same_path(a.file, b.file) for a, b in zip(ours, theirs))


def same_calls(ours, theirs, symbols):
    """In functions that are in the same place, other lines call."""
    if len(ours) != len(theirs):
        return False
    called = ours[:-1]
    if share_code(ours, theirs, symbols) and ours[-1].name != theirs[-1].name:
        called = called[:-1]
    return all(
        a.call_line == b.call_line and (not b.call_line or same_path(a.call_file, b.call_file))
        for a, b in zip(called, theirs))


def words(chain):
    frames = (f"{f.name} ({os.path.basename(f.file)}), called at "
              f"{os.path.basename(f.call_file)}:{f.call_line}" for f in chain)
    return "".join(f"\n        {frame}" for frame in frames) or "\n        nothing"


def main():
    name, addresses, ours, theirs, symbols = sys.argv[1:]
    with open(addresses) as lines:
        asked = [int(line, 16) for line in lines]
    state, chains = read_ours(ours)
    known = read_symbols(symbols)
    covered = inlined = lengths = names = files = calls = 0
    wrong = []
    for address, their in zip(asked, read_theirs(theirs)):
        our = chains.get(address, [])
        if not our and not their:
            continue
        covered += 1
        inlined += len(their) > 1
        agree = (len(our) == len(their), same_names(our, their, known), same_files(our, their),
                 same_calls(our, their, known))
        lengths += agree[0]
        names += agree[1]
        files += agree[2]
        calls += agree[3]
        if not all(agree):
            wrong.append((address, our, their))
    print(f"{'WRONG' if wrong else 'ok':6}{name:32}{len(asked):>8}{covered:>9}{inlined:>9}"
          f"{lengths:>9}{names:>9}{files:>9}{calls:>9}  {state}")
    for address, our, their in wrong[:SHOWN]:
        print(f"      {address:#x} is in{words(our)}\n      and not in{words(their)}")
    return bool(wrong) or not covered


sys.exit(main())
