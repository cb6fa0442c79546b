/*
 * Private to the library: how control flows between the executed addresses of objects, and through
 * the code of frames. How often control went each way is found where counts leave no other answer.
 */
#ifndef CG_INLINES_CONTROL_H
#define CG_INLINES_CONTROL_H

#include "callgrind/branches.h"
#include "cgprofile/inlines.h"

#define CG_NO_BLOCK UINT32_MAX
#define CG_UNKNOWN_FLOW (-1)

/* What is known of each address of a struct cg_inlines. */
struct cg_inlines_code {
	struct cg_branch *branches;
	int64_t *executed;
	bool *begins;   /* the code of another function */
	uint32_t *line; /* of the source; 0: unknown */
};

/* Instructions that are executed one after the other. */
struct cg_block {
	uint32_t first, end;       /* addresses */
	uint32_t first_in, end_in; /* in `in_edges` */
	uint32_t out[2];           /* edges */
	uint8_t nout;
	bool open; /* control may also come from where no edge does */
};

struct cg_edge {
	uint32_t from, to;
	int64_t flow; /* CG_UNKNOWN_FLOW, or how often control went this way */
};

struct cg_control {
	const struct cg_inlines *in;
	const struct cg_inlines_code *code;
	struct cg_block *blocks;
	uint32_t nblocks;
	size_t blocks_cap;
	uint32_t *block_of; /* per address */
	struct cg_edge *edges;
	uint32_t nedges;
	size_t edges_cap;
	uint32_t *in_edges; /* by block that they lead to */
};

/* `in` and `code` are borrowed. Free it even on failure. CG_OK or CG_ENOMEM. */
int cg_control_make(struct cg_control *s, const struct cg_inlines *in,
		    const struct cg_inlines_code *code);
void cg_control_free(struct cg_control *s);

/* The number of an executed address; CG_NO_BLOCK if it is not one. */
uint32_t cg_control_find(const struct cg_inlines *in, const struct cg_inlines_object *o,
			 uint64_t address);

/* An instruction of the same block that counts once whenever it is executed: not a call, which
 * also counts the instructions of a procedure linkage table, nor one that repeats itself.
 * CG_NO_BLOCK: none. */
uint32_t cg_control_counting(const struct cg_control *s, uint32_t address);

/* How often the block of an address is executed, or CG_UNKNOWN_FLOW. */
int64_t cg_control_executions(const struct cg_control *s, uint32_t address);

/* Whether control comes this way, as far as is known. */
bool cg_control_is_taken(const struct cg_edge *e);

/* Whether control may come to a block from where no edge does. */
bool cg_control_is_reached_otherwise(const struct cg_control *s, const struct cg_block *b);

/* ---- frames ---- */

/* Whether the code at an address is that of a frame, or of what is inlined into it. */
bool cg_control_is_in_frame(const struct cg_inlines *in, uint32_t address, uint32_t frame);

/* Whether a frame has code at these addresses other than constants, which compilers load before
 * loops. */
bool cg_control_has_code(const struct cg_control *s, uint32_t frame, uint32_t first, uint32_t end);

/* Whether an edge leaves from code of the frame. */
bool cg_control_leaves_from(const struct cg_control *s, const struct cg_edge *e, uint32_t frame);

/* Whether control only comes to a block from code of the frame, unless it has none there. */
bool cg_control_is_reached_from_inside(const struct cg_control *s, uint32_t frame,
				       const struct cg_block *b);

/* Whether the code of a frame in a block tells how often it is executed: vectors do the work of
 * several calls at once, and jumps to anywhere may lead to where it begins. */
bool cg_control_is_countable(const struct cg_control *s, uint32_t frame, const struct cg_block *b);

#endif
