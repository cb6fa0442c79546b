/* Private to diff/: the steps of tree_match.h, on what is called below one pair. */
#ifndef IRDIFF_DIFF_MATCHING_STEPS_H
#define IRDIFF_DIFF_MATCHING_STEPS_H

#include "src/diff/tree_pairs.h"

/* CG_OK, CG_ENOMEM or CG_ERANGE. */
int matching_absorb_parts(struct matching *x);
int matching_splice(struct matching *x);
int matching_rename(struct matching *x);
int matching_absorb(struct matching *x);

#endif
