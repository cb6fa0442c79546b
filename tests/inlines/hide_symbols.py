#!/usr/bin/env python3
"""Usage: hide_symbols.py FROM TO

Copies an ELF object of 64 bits without symbol tables that can be found: a symbolizer that finds one
names functions after it instead of the debug information.
"""
import struct
import sys

SYMTAB, PROGBITS, DYNSYM = 2, 1, 11

with open(sys.argv[1], "rb") as file:
    data = bytearray(file.read())
first, = struct.unpack_from("<Q", data, 0x28)
size, count = struct.unpack_from("<HH", data, 0x3A)
for section in range(first, first + size * count, size):
    kind, = struct.unpack_from("<I", data, section + 4)
    if kind in (SYMTAB, DYNSYM):
        struct.pack_into("<I", data, section + 4, PROGBITS)
with open(sys.argv[2], "wb") as file:
    file.write(data)
