/*
 * Functions that cost something else although their source is the same, and that of all that is
 * inlined into them: the compiler made other code of them. And functions that were edited and lost
 * their vector instructions: their source shows the edit, but not what became of their loops.
 */
#ifndef IRDIFF_COMPARE_OTHER_CODE_H
#define IRDIFF_COMPARE_OTHER_CODE_H

#include "src/diff/diff.h"
#include "src/diff/recompiled.h"
#include "src/load/load.h"

struct other_code {
	struct recompiled *items; /* the largest change first */
	size_t count;
};

/* Whether the change is such that there may be any: this takes little time. */
bool other_code_possible(const struct diff *d);

/* Both sides of `d` loaded once more, with lines and addresses. Only code that was kept is looked
 * at. On failure, too, free with other_code_free. */
int other_code_find(const struct diff *d, const struct loaded *base, const struct loaded *head,
		    const char *const *dirs, struct other_code *out, struct cg_error *err);
void other_code_free(struct other_code *o);

#endif
