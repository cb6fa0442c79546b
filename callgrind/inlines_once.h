/*
 * Private to the library: inlined functions that are called once in each call of the function that
 * they are inlined into. Where their code begins need not be known for that: it is executed as
 * often as that function is called, and never twice in one call of it.
 */
#ifndef CG_INLINES_ONCE_H
#define CG_INLINES_ONCE_H

#include "callgrind/inlines_control.h"

/* A block with code of a frame. */
struct cg_membership {
	uint32_t frame, block;
};

/* What is known of the frames that others are inlined into. */
struct cg_once {
	const struct cg_control *flow;
	int64_t *calls;  /* per frame; 0: not known */
	uint32_t *entry; /* the block where it begins */
	uint32_t *seen;  /* per block: the last search that came to it */
	uint32_t *stack;
	uint32_t search;
};

/* Begins with the functions that are not inlined. Free it even on failure. CG_OK or CG_ENOMEM. */
int cg_once_begin(struct cg_once *o, const struct cg_control *flow);
void cg_once_free(struct cg_once *o);

/* Notes that a frame is called whenever the code at one address is executed. */
void cg_once_add(struct cg_once *o, uint32_t frame, uint32_t address);

/* Whether the frame with code in these blocks is called once in each call of the one around it, and
 * then so whenever the code at *address is executed. Decide outer frames first. */
bool cg_once_decide(struct cg_once *o, const struct cg_membership *members, size_t count,
		    uint32_t *address);

#endif
