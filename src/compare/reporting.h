/* Reports on comparisons, in the formats that commands offer. */
#ifndef IRDIFF_COMPARE_REPORTING_H
#define IRDIFF_COMPARE_REPORTING_H

#include "src/compare/source_annotations.h"
#include "src/report/suite_report.h"

#define REPORT_FORMATS "text|json|markdown|github|junit|csv"

/* A format for which --view means nothing: it has all that there is, or only functions. */
bool report_format_is_fixed(const char *format);

/* Sets what a comparison has to find out for a format, and for --step-summary. */
void report_format_needs(const char *format, bool step_summary, struct comparison_options *options);

/* Whether the report names lines of the source, which source_annotations_find finds. */
bool report_format_has_places(const char *format);

/* Writes one of the formats that are fixed. CG_OK or CG_ENOMEM. */
int report_write(const char *format, const struct suite_report *r, FILE *to);

/* Whether a format has something to say of a run that compared nothing; and writes it. CG_OK or
 * CG_ENOMEM. */
bool report_has_failed_run(const char *format);
int report_write_failed_run(const char *format, const struct failed_run *run, FILE *to);

/* Appends the report as markdown to the file that $GITHUB_STEP_SUMMARY names; without the
 * variable a warning. */
int report_step_summary(const struct notices *n, const struct suite_report *r,
			struct cg_error *err);
/* The same of a run that compared nothing; without the variable nothing. */
int report_failed_step(const struct failed_run *run, struct cg_error *err);

#endif
