/*
 * Machine code → instructions: their text, where they lead to, and two keys by which those of two
 * builds are compared. Texts are in Intel's syntax for x86-64.
 */
#ifndef IRDIFF_ASM_DISASSEMBLE_H
#define IRDIFF_ASM_DISASSEMBLE_H

#include <stdbool.h>

#include "callgrind/machine_code.h"
#include "cgprofile/error.h"
#include "cgprofile/strings.h"

enum asm_flow {
	ASM_PLAIN,  /* continues with the next instruction */
	ASM_CALL,   /* the same, when the callee returns */
	ASM_JUMP,   /* never does */
	ASM_BRANCH, /* continues there, or at its target */
	ASM_RETURN,
};

struct asm_instruction {
	uint64_t address;
	uint64_t target; /* of a jump or call to a constant address; 0: none */
	uint8_t size;
	uint8_t flow; /* an enum asm_flow */
	bool vector;  /* works on several values at once */
	bool padding; /* does nothing: it aligns what comes next */
	bool unknown; /* these bytes are no instruction that is known */
	cg_str text;  /* "mov eax, dword ptr [rdi + 8]" */
	cg_str exact; /* the same without addresses, which differ in each build */
	cg_str shape; /* and without the names of registers and places on the stack */
};

struct asm_code {
	struct asm_instruction *items;
	size_t count, cap;
};

/* Appends the instructions of some bytes of an object. `starts` are ascending addresses where an
 * instruction is known to begin: what would reach over one is cut. Texts become those of `texts`.
 * CG_OK, CG_ENOMEM, CG_ERANGE, or CG_EIO (see asm_ready). */
int asm_disassemble(const struct cg_code_object *object, const unsigned char *bytes, size_t size,
		    uint64_t address, const uint64_t *starts, size_t nstarts,
		    struct cg_strings *texts, struct asm_code *out);
void asm_code_free(struct asm_code *code);

/* Whether there is a disassembler: CG_EIO, with the reason, if its library cannot be loaded. */
int asm_ready(struct cg_error *err);
/* The package that Debian has this library in. */
const char *asm_package(void);

#endif
