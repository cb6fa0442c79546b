/* Rows of a difference whose functions did not change themselves, but what they call. */
#ifndef IRDIFF_COMPARE_INCLUSIVE_ROWS_H
#define IRDIFF_COMPARE_INCLUSIVE_ROWS_H

#include "src/compare/comparison.h"

/* Those that the filter matches and that are not among the rows of the comparison, the largest
 * change of the inclusive cost first. None without a filter, or where calls are not known. CG_OK,
 * CG_ENOMEM or what the filter fails with; free() *rows. */
int inclusive_rows_choose(const struct comparison *c, uint32_t **rows, size_t *count,
			  struct cg_error *err);

#endif
