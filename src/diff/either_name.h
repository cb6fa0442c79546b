/* Patterns that find functions by their names in base or in head, where namespaces have other
 * versions in their names. */
#ifndef IRDIFF_DIFF_EITHER_NAME_H
#define IRDIFF_DIFF_EITHER_NAME_H

#include "src/diff/diff.h"
#include "src/view/pattern.h"

/* From now on a pattern finds the functions of a diff by either name: pattern_matches_name does
 * (`whole`), or pattern_matches_function. Errors as of pattern_matches. */
int either_name_add(const struct diff *d, bool whole, struct pattern *p, struct cg_error *err);

#endif
