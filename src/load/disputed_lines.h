/*
 * Instructions that debug information attributes to one function, at a line of another one.
 *
 * Compilers move code, and some of their line tables say so in another way than their ranges of
 * inlined functions. A line is another function's if it is in another file than the function, or,
 * where the source is known, in the text of a function with another name.
 */
#ifndef IRDIFF_LOAD_DISPUTED_LINES_H
#define IRDIFF_LOAD_DISPUTED_LINES_H

#include "src/load/load.h"

struct disputed_lines {
	bool known;     /* there are lines at all */
	uint32_t count; /* lines of functions */
	int64_t self;   /* of the first event; saturates */
	uint32_t most;  /* the costliest: a row of the profile's lines; 0 if `count` is */
};

/* The profile was loaded with lines. CG_OK, or an error of reading the source. */
int disputed_lines_find(const struct loaded *l, struct disputed_lines *out, struct cg_error *err);

#endif
