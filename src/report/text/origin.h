/* Private to report/: where a side of a difference comes from, in a line. */
#ifndef IRDIFF_REPORT_TEXT_ORIGIN_H
#define IRDIFF_REPORT_TEXT_ORIGIN_H

#include "src/report/show.h"
#include "src/text/text.h"

/* "  base  NAME  12 parts  ./parse x.json  commit 1234567890  written 2026-01-02 10:20" behind
 * `side`, which may be padded; `parts` may be "". Where the terminal is too narrow commits are short,
 * and the command is cut first and then the name. CG_OK or CG_ENOMEM. */
int text_origin_print(const char *side, const struct report_origin *o, const char *parts,
		      const struct text_style *style, FILE *to);

#endif
