/* What caused the change of a comparison: which functions were edited, the causes, which of these
 * are shown, and where in the source they are. */
#ifndef IRDIFF_COMPARE_FIND_CAUSES_H
#define IRDIFF_COMPARE_FIND_CAUSES_H

#include "src/compare/comparison.h"

/* Finds c->edits, c->causes, c->chosen_causes and c->places, if causes are asked for. Call it when
 * paths were compared and limits judged, with the operands that `c` is of. c->tree may be made
 * anew, with more rows, and small changes may be shown: comparison_show_small_changes. Edits and
 * places are found only in profiles that can be read again. */
int comparison_find_causes(struct comparison *c, const struct project *project, const char *base,
			   const char *head, struct cg_error *err);

#endif
