/* Which rows of a tree diff are shown, and which of these are folded: a caller that only leads to
 * one row, and did not change itself, need not have a line of its own. */
#ifndef IRDIFF_COMPARE_CHOOSE_PATHS_H
#define IRDIFF_COMPARE_CHOOSE_PATHS_H

#include "src/diff/tree.h"
#include "src/view/pattern.h"

struct chosen_paths {
	uint32_t *rows; /* in the tree's order, with all rows above each */
	bool *folded;   /* per entry of rows; none is if the threshold is 0 */
	size_t count;
	size_t changed;  /* rows whose inclusive or self cost changed, before filter and top */
	size_t filtered; /* of these, those that match */
	size_t hidden;   /* of these, those that `top` leaves out */
};

/*
 * Takes rows that changed and match, with all rows above them, as long as at most `top` (0: any
 * number) of those are not folded; one at least. First come rows whose self cost changed, the
 * largest change first, as the changes in self cost add up to the whole change, and each inclusive
 * cost repeats that of the row below. Patterns may be NULL.
 * Errors: CG_ENOMEM, and those of the patterns. Free with chosen_paths_free.
 */
int choose_paths(const struct tree_diff *t, const struct pattern *filter,
		 const struct pattern *ignore, size_t top, struct chosen_paths *out,
		 struct cg_error *err);
void chosen_paths_free(struct chosen_paths *c);

#endif
