/* Rows of a difference whose functions have machine code of their own, in which that of inlined
 * functions is. */
#ifndef IRDIFF_COMPARE_MACHINE_ROWS_H
#define IRDIFF_COMPARE_MACHINE_ROWS_H

#include "src/compare/comparison.h"

/* The rows, ascending, whose machine code contains that of the `count` given ones. NULL: out of
 * memory; free() it. */
uint32_t *machine_rows_around(const struct diff *d, const uint32_t *rows, size_t count,
			      size_t *found);

/* Of the rows that a comparison chooses, those around them that changed with all that is inlined
 * into them, the largest change first: at most `top`, 0: all; *hidden: so many more. (*chosen)[i]:
 * whether row i was chosen. CG_OK, CG_ENOMEM or what the filter fails with; free() *rows and
 * *chosen. */
int machine_rows_choose(const struct comparison *c, size_t top, uint32_t **rows, size_t *count,
			size_t *hidden, bool **chosen, struct cg_error *err);

#endif
