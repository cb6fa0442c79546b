/* Reports on a regression and its fix. The struct is a view: it owns nothing. */
#ifndef IRDIFF_REPORT_FIX_REPORT_H
#define IRDIFF_REPORT_FIX_REPORT_H

#include "callgrind/build.h"
#include "src/diff/fix.h"
#include "src/report/diff_report.h"

struct fix_report {
	const struct fix_diff *fix;
	struct report_origin origins[FIX_SIDES];
	struct diff_report judged; /* main and fix: the limits hold for that difference */
	const uint32_t *rows;      /* indices of fix->rows to show, in order */
	size_t nrows;
	size_t changed;     /* rows that did, before filter and top */
	size_t filtered;    /* that also match the filter */
	const char *filter; /* regex, NULL: none */
	bool unmatched;     /* it matches no function of the three */
};

/* All of them return CG_OK or CG_ENOMEM; whether the stream failed is for the caller to ask. */
int fix_text(const struct fix_report *r, const struct text_style *style, FILE *to);
int fix_markdown(const struct fix_report *r, FILE *to);
/* data/fix.schema.json */
int fix_json(const struct fix_report *r, FILE *to);
int fix_csv(const struct fix_report *r, FILE *to);

/* "The fix wins back 83.0% of +12,345 Ir; 2,100 are left": safe text without a line end, but live
 * in markdown with the name of the metric. */
void fix_print_verdict(const struct fix_report *r, bool with_metric, FILE *to);

/* "main", "regression", "fix" */
const char *fix_side_name(enum fix_side side);

/* The metrics that all three have; `list` has room for FIX_METRICS. Returns how many. */
#define FIX_METRICS (CG_MAX_EVENTS + 16)
size_t fix_list_metrics(const struct fix_diff *f, const char *list[FIX_METRICS]);
/* The totals of one of them. */
struct fix_values fix_metric(const struct fix_diff *f, const char *name);

#endif
