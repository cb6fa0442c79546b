/* Causes that are guesswork because inlined code has no call paths of its own: found once more with
 * that code as part of the functions around it, whose paths are known. */
#ifndef IRDIFF_COMPARE_WITHOUT_INLINED_H
#define IRDIFF_COMPARE_WITHOUT_INLINED_H

#include "src/compare/comparison.h"

/* If the causes of `c` are only self costs that cancel each other, profiles can be read again, and
 * calls are known better without inlined functions: c->causes, those chosen and their places
 * become those of c->without_inlined, unless a filter chooses some of `c` and none of these.
 * Otherwise nothing changes. The operands are those of `c`. */
int causes_without_inlined(struct comparison *c, const struct project *project, const char *base,
			   const char *head, struct cg_error *err);

#endif
