/*
 * What of an instruction's text is the same in two builds of the same source. Addresses are not:
 * where a jump leads to, and where data is. In an object that is loaded at a fixed address, a
 * constant may be one, too, if it is in one of its sections and the instruction may have it. The
 * compiler chooses registers and places on the stack
 * anew whenever something around them changes.
 */
#ifndef IRDIFF_ASM_NORMALISE_H
#define IRDIFF_ASM_NORMALISE_H

#include <stdbool.h>
#include <stddef.h>

#include "callgrind/machine_code.h"

#define ASM_TEXT 256 /* room for any of these texts */

struct asm_syntax {
	bool is_amd64;   /* otherwise it is ARM64 */
	bool has_target; /* the last constant of the operands is an address */
	const struct cg_code_section *sections;
	size_t nsections;
};

/* Writes the text without addresses, cut to fit. */
void asm_without_addresses(const struct asm_syntax *syntax, const char *mnemonic,
			   const char *operands, char out[static ASM_TEXT]);
/* The same of such a text, without registers and offsets on the stack. Registers of one kind and
 * size have one name. */
void asm_without_registers(const struct asm_syntax *syntax, const char *exact,
			   char out[static ASM_TEXT]);

/* Whether an instruction works on several values at once: packed operations and moves of vectors,
 * but not those on a single value in a vector register, nor those that clear one. */
bool asm_is_vector(bool is_amd64, const char *mnemonic, const char *operands);

#endif
