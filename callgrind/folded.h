/*
 * Folded stacks: one line per stack, "main;parse;scan 42", outermost function
 * first, then how often it was seen. perf script and stackcollapse write them,
 * flamegraph.pl and gprof2dot read them.
 *
 * They become a profile with the one event "samples". The innermost function
 * has the samples as self cost, every step of the stack is a call (of unknown
 * number, so 0). A frame that ends in "_[i]" was inlined into the one before.
 * Recursion levels are exact, so inclusive costs are. With contexts, each record
 * is one stack: its context names the nearest callers, and where these do not
 * tell stacks apart (deep ones, names with apostrophes) ends in a hash of all.
 *
 * Lines that begin with "#" and a blank are comments.
 */
#ifndef CG_FOLDED_H
#define CG_FOLDED_H

#include <stdbool.h>

#include "callgrind/input.h"
#include "callgrind/reader.h"

/* Whether the beginning of a file looks like folded stacks. */
bool cg_folded_detect(const char *bytes, size_t len);

/* Reads an input into a builder. Errors: as cg_read_file. */
int cg_folded_read(struct cg_builder *b, struct cg_input *in, const struct cg_read_options *options,
		   struct cg_error *err);

#endif
