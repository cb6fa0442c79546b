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
 * Lines that begin with "#" and a blank are comments. Files in which each line ends in two
 * counts, "main;parse 10 12", are refused: they are two profiles that were compared.
 *
 * What is written has one line for each stack of names with a cost of its own,
 * whatever the objects and files of its functions; the costliest way down comes
 * first. A profile of one event is the same again when it is read. In names
 * ";" becomes ":", and "_" a control character, a blank at either end or in front of a
 * number there, which would be another count, or a "#" that would begin a comment; "_[i]" at the end of a name that is not inlined
 * becomes "_(i)".
 */
#ifndef CGPROFILE_FOLDED_H
#define CGPROFILE_FOLDED_H

#include <stdbool.h>
#include <stdio.h>

#include "cgprofile/input.h"
#include "cgprofile/reader.h"
#include "cgprofile/tree.h"

struct cg_parts;

#define CG_FOLDED_INLINED "_[i]" /* ends the name of an inlined frame */
#define CG_FOLDED_MOST (UINT64_C(1) << 30) /* bytes of stacks that are written */

/* Whether the beginning of a file looks like folded stacks. */
bool cg_folded_detect(const char *bytes, size_t len);

/* Reads an input, of that name, as one part. Errors: as cg_read_file. */
int cg_folded_read(struct cg_parts *parts, struct cg_input *in, cg_str file,
		   const struct cg_read_options *options, struct cg_error *err);

/* Writes one event of a tree. Errors: CG_EINVAL (a stack has negative costs,
 * which other readers refuse), CG_ENOMEM, CG_ERANGE (also of more than CG_FOLDED_MOST
 * bytes), CG_EIO. */
int cg_write_folded(const struct cg_tree *t, uint32_t event, FILE *to, struct cg_error *err);

/* Replaces what a reader of stacks would take for something else, as said above, in a name
 * of at least one byte: of the first function of a stack, or of one that is inlined. */
void cg_folded_name(char *name, size_t len, bool first, bool inlined);

#endif
