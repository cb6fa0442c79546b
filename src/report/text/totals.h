/* The totals of several profiles, one a line. */
#ifndef IRDIFF_REPORT_TEXT_TOTALS_H
#define IRDIFF_REPORT_TEXT_TOTALS_H

#include <stdio.h>

#include "cgprofile/profile.h"
#include "src/text/text.h"

struct totals_row {
	const char *name;
	const struct cg_profile *profile;
};

/* As many events as fit beside the names, those of the first profile; "–" where another one has not
 * counted one. Profiles that do not have its first event follow in a table of their own. CG_OK or
 * CG_ENOMEM. */
int totals_text(const struct totals_row *rows, size_t count, const struct text_style *style,
		FILE *to);

#endif
