/* Private to report/: how far paths can be believed, in words. */
#ifndef IRDIFF_REPORT_TEXT_CERTAINTY_H
#define IRDIFF_REPORT_TEXT_CERTAINTY_H

#include <stdio.h>

#include "cgprofile/tree.h"

/* "exact", or what is in doubt: "estimated for 15.60% of the cost (~); calls and …". */
void text_print_certainty(FILE *to, const struct cg_tree *t, const struct cg_tree_doubt *doubt);

/* "calls and callees differ by 28.70% of Ticks"; of a misfit that there is. */
void text_print_misfit(FILE *to, const struct cg_profile *p, const struct cg_misfit *misfit);

#endif
