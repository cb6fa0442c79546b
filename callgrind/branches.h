/*
 * Private to the library: what an instruction of x86-64 does to the flow of control. Only branches
 * are decoded; where other instructions end shows in the profile, where the next one begins.
 */
#ifndef CG_BRANCHES_H
#define CG_BRANCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cg_branch_kind {
	CG_BRANCH_UNKNOWN,  /* the bytes are not known */
	CG_BRANCH_NONE,     /* continues with the next instruction */
	CG_BRANCH_CALL,     /* the same, at `next` unless that is 0, if the callee returns */
	CG_BRANCH_JUMP,     /* continues at `target` */
	CG_BRANCH_IF,       /* continues at `target` or `next` */
	CG_BRANCH_INDIRECT, /* a jump to anywhere */
	CG_BRANCH_END,      /* returns, or never continues */
};

struct cg_branch {
	uint64_t target, next;
	uint8_t kind;  /* an enum cg_branch_kind */
	bool repeated; /* by its own prefix: it may count more than once */
	bool packed;   /* computes with vectors */
	bool constant; /* loads a constant address, and does nothing else */
};

/* The instruction that begins with these bytes, at most 15 of which are looked at. */
void cg_branch_decode(const unsigned char *bytes, size_t len, uint64_t address,
		      struct cg_branch *out);

#endif
