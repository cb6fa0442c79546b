/* Reports on the difference of two profiles. The struct is a view: it owns nothing. */
#ifndef IRDIFF_REPORT_DIFF_REPORT_H
#define IRDIFF_REPORT_DIFF_REPORT_H

#include "src/diff/diff.h"
#include "src/diff/environment.h"
#include "src/diff/judge.h"
#include "src/report/show.h"

struct diff_report {
	const struct diff *diff;
	struct report_origin base, head;
	const struct environment_diff *environment;
	const struct judgement *judgement; /* NULL: not judged */
	bool require_base;                 /* as it was judged */
	const uint32_t *rows;              /* indices of diff->rows to show, in order */
	size_t nrows;
	size_t changed;                    /* rows that changed, before filter and top */
	size_t filtered;                   /* rows that changed and match the filter */
	const char *filter;                /* regex, NULL: none */
};

/* CG_OK or CG_ENOMEM; whether the stream failed is for the caller to ask. */
int diff_text(const struct diff_report *r, const struct text_style *style, FILE *to);
/* data/diff.schema.json */
int diff_json(const struct diff_report *r, FILE *to);

#endif
