/*
 * Which functions of a comparison were edited, by the sources of both sides.
 *
 * A function was edited if its text is not in the same file of the other side, nor, if that file
 * has no function of its name, in another one; or if it uses a name whose declaration is not: a
 * macro, a constant, a type. What lies in files that are installed, and in objects of which no
 * source is known, belongs to a library, and was not.
 */
#ifndef IRDIFF_COMPARE_EDITED_CODE_H
#define IRDIFF_COMPARE_EDITED_CODE_H

#include "src/diff/causes.h"
#include "src/load/load.h"
#include "src/view/code.h"

/* What is known of the functions of a tree. */
struct code_edits {
	uint8_t *of;             /* per number of a function: enum code_edit; NULL: none was edited
	                            as far as is known */
	uint32_t *used;          /* per number, of EDIT_USED: what it uses; 0: not known */
	struct edited_use *uses; /* 0 is unused */
	size_t nuses;
	bool explain; /* nothing else differs that may be the reason of a change */
};

/* Both profiles were loaded with lines. `dirs` (NULL-terminated, may be NULL) are searched for
 * files that were not kept. CG_OK, or an error of reading the source. On failure,
 * too, free with code_edits_free. */
int edited_code_find(const struct tree_diff *t, const struct loaded *base,
		     const struct loaded *head, const char *const *dirs, struct code_edits *out,
		     struct cg_error *err);
void code_edits_free(struct code_edits *e);

/* Marks the causes of code that was edited, and names what that uses. Causes that were made without
 * edits, as these do not explain them, get no other than marks of texts that differ, which is true
 * whatever else differs. `e` must outlive the causes. */
void code_edits_mark(const struct code_edits *e, struct causes *causes);

/* Whether the source of a function is the same on both sides, with the declarations it uses. Not
 * known, too, if it names a function that was edited, which may be inlined without a trace. */
enum source_state { SOURCE_UNKNOWN, SOURCE_EDITED, SOURCE_OF_LIBRARY, SOURCE_SAME };

/* Per function of each side: enum source_state. Both profiles were loaded with lines. On failure,
 * too, free what is in `out`, which was NULL. */
int edited_code_states(const struct loaded *base, const struct loaded *head,
		       const char *const *dirs, uint8_t *out[static CODE_SIDES],
		       struct cg_error *err);

#endif
