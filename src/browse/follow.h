/* Private to browse/: the same function in another view. */
#ifndef IRDIFF_BROWSE_FOLLOW_H
#define IRDIFF_BROWSE_FOLLOW_H

#include "src/browse/state.h"

/* A function as rows of any table name it; the texts belong to the data. */
struct followed browse_followed(const struct browse_row *row);

/* Selects a function in the view that is shown: its row of call paths that counts most, unless one
 * of its rows is selected already. *found: the view has it. CG_OK or CG_ENOMEM. */
int follow_function(struct browse *b, const struct followed *function, bool *found);

/* Selects a row of the table of paths, in the tree. CG_OK or CG_ENOMEM. */
int follow_path(struct browse *b, uint32_t row);

#endif
