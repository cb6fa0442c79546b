/* Which rows of a tree diff are shown. */
#ifndef IRDIFF_COMPARE_CHOOSE_PATHS_H
#define IRDIFF_COMPARE_CHOOSE_PATHS_H

#include "src/diff/tree.h"
#include "src/view/pattern.h"

struct chosen_paths {
	uint32_t *rows; /* in the tree's order, with all rows above each */
	size_t count;
	size_t changed;  /* rows whose inclusive or self cost changed, before filter and top */
	size_t filtered; /* of these, those that match */
	size_t hidden;   /* of these, those that `top` leaves out */
};

/* Takes `top` (0: all) of the rows that changed and match, those with the largest
 * differences, and all rows above them. Patterns may be NULL.
 * Errors: CG_ENOMEM, and those of the patterns. Free with chosen_paths_free. */
int choose_paths(const struct tree_diff *t, const struct pattern *filter,
		 const struct pattern *ignore, size_t top, struct chosen_paths *out,
		 struct cg_error *err);
void chosen_paths_free(struct chosen_paths *c);

#endif
