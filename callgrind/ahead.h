/*
 * Private to the library: reading ahead, for the few files in which the meaning of a line depends
 * on later lines.
 *
 * Early versions of callgrind refer to names by numbers that they define later. And if a file does
 * not name its writer, only all names together show whether "a'b" is a function called from b, or
 * one with an apostrophe in its name.
 */
#ifndef CG_AHEAD_H
#define CG_AHEAD_H

#include "callgrind/input.h"
#include "callgrind/name_line.h"

struct cg_ahead {
	struct name_format names;
	int (*take)(void *context, const struct name_line *name); /* CG_OK, or how it failed */
};

/* Gives each line with a name of an input, to its end, to how->take. Errors: as cg_input_read. */
int cg_ahead_names(struct cg_input *in, const struct cg_ahead *how, void *context,
		   struct cg_error *err);

/* Whether a byte is in an input: where none is an apostrophe no name holds what the next function
 * looks for, which takes far longer. Takes the input to there. Errors: as cg_input_read. */
int cg_ahead_finds(struct cg_input *in, char byte, bool *found, struct cg_error *err);

/* Whether the names of functions in an input hold recursion levels or callers, as callgrind
 * writes them: one has a level and there is the same name without it, or all that look like
 * callers are functions of the file. Takes the input to its end. */
int cg_ahead_packs_names(struct cg_input *in, bool *packs, struct cg_error *err);

#endif
