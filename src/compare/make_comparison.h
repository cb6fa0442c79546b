/* Loads, compares and judges two profiles. */
#ifndef IRDIFF_COMPARE_MAKE_COMPARISON_H
#define IRDIFF_COMPARE_MAKE_COMPARISON_H

#include "src/compare/comparison.h"

/* `base` and `head` are operands. One of them may be NULL: a benchmark that is new has no base,
 * one that was removed has no head. The options must outlive the result. On failure, too,
 * free with comparison_free. */
int comparison_make(const struct project *project, const char *base, const char *head,
		    const struct comparison_options *options, struct comparison *out,
		    struct cg_error *err);

#endif
