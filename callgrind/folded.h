/*
 * Folded stacks: one line per stack, "main;parse;scan 42", outermost function
 * first, then how often it was seen. perf script and stackcollapse write them,
 * flamegraph.pl and gprof2dot read them.
 *
 * They become a profile with the one event "samples". The innermost function
 * has the samples as self cost, every step of the stack is a call (of unknown
 * number, so 0). A frame that ends in "_[i]" was inlined into the one before.
 * Recursion levels are exact, so inclusive costs are.
 */
#ifndef CG_FOLDED_H
#define CG_FOLDED_H

#include <stdbool.h>

#include "callgrind/input.h"
#include "callgrind/parts.h"

/* Whether the beginning of a file looks like folded stacks. */
bool cg_folded_detect(const char *bytes, size_t len);

/* Reads an input, of that name, as one part. Errors: as cg_read_file. */
int cg_folded_read(struct cg_parts *parts, struct cg_input *in, cg_str file,
		   const struct cg_read_options *options, struct cg_error *err);

#endif
