/* Private to report/: what is said of a profile: which it is, and how far its paths can be
 * believed. */
#ifndef IRDIFF_REPORT_TEXT_PROFILE_WORDS_H
#define IRDIFF_REPORT_TEXT_PROFILE_WORDS_H

#include "cgprofile/tree.h"
#include "src/diff/environment.h"
#include "src/report/show.h"

/* "  base  NAME  12 parts  ./parse x.json  commit 1234567890  written 2026-01-02 10:20" after
 * `side`, which may be padded; `parts` may be "". Where the terminal is too narrow commits are
 * short, and the command is cut first and then the name. CG_OK or CG_ENOMEM. */
int text_origin_print(const char *side, const struct report_origin *o, const char *parts,
		      const struct text_style *style, FILE *to);

/* "  ./parse x.json  commit 1234567890  written 2026-01-02 10:20" as a line; none if nothing of
 * it is known. CG_OK or CG_ENOMEM. */
int text_origin_facts(const struct report_origin *o, const struct text_style *style, FILE *to);

/* "  built with: GNU C17 12.2.0 -O1 → GNU C17 12.2.0 -O2" as a line. */
void text_print_difference(const struct environment_difference *d, const struct text_style *style,
			   FILE *to);

/* "exact", or what is in doubt: "estimated for 15.60% of the cost (~); calls and …". */
void text_print_certainty(FILE *to, const struct cg_tree *t, const struct cg_tree_doubt *doubt);

/* "calls and callees differ by 28.70% of Ticks"; of a misfit that there is. */
void text_print_misfit(FILE *to, const struct cg_profile *p, const struct cg_misfit *misfit);

#endif
