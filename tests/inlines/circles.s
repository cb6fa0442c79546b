# Debug information that leads back: the sibling of an entry is that entry, and functions without
# names are specified by one another.
	.text
	.globl _start
_start:
	.fill 16, 1, 0x90
end:

	.section .debug_abbrev, "", @progbits
	.uleb128 1, 0x11		# compile_unit
	.byte 1
	.uleb128 0x13, 0x0b, 0x11, 0x01, 0x12, 0x07, 0, 0	# language, low_pc, high_pc
	.uleb128 2, 0x2e		# subprogram
	.byte 1
	.uleb128 0x01, 0x13, 0x47, 0x13, 0x03, 0x08	# sibling, specification, name
	.uleb128 0x11, 0x01, 0x12, 0x07, 0, 0
	.uleb128 3, 0x2e		# subprogram
	.byte 0
	.uleb128 0x47, 0x13, 0, 0	# specification
	.uleb128 4, 0x1d		# inlined_subroutine
	.byte 0
	.uleb128 0x31, 0x13, 0x11, 0x01, 0x12, 0x07, 0, 0	# abstract_origin
	.byte 0

	.section .debug_info, "", @progbits
unit:
	.long unit_end - unit - 4
	.value 4
	.long .debug_abbrev
	.byte 8
	.uleb128 1
	.byte 4				# C++: names have scopes
	.quad _start, end - _start
function:
	.uleb128 2
	.long function - unit, one - unit
	.asciz "f"
	.quad _start, end - _start
	.uleb128 4
	.long one - unit
	.quad _start + 4, 8
	.byte 0
one:
	.uleb128 3
	.long other - unit
other:
	.uleb128 3
	.long one - unit
	.byte 0
unit_end:
