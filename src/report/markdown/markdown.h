/* Private to report/: the parts of the markdown report. */
#ifndef IRDIFF_REPORT_MARKDOWN_MARKDOWN_H
#define IRDIFF_REPORT_MARKDOWN_MARKDOWN_H

#include "src/report/markdown/page.h"
#include "src/report/suite_report.h"
#include "src/report/summary.h"
#include "src/report/table.h"

/* What is left out first where a report is too long: the largest of these. */
enum {
	MD_KEEP_LONGEST = 1, /* what changed, and the limits that are broken */
	MD_CAUSES,
	MD_METRICS,
	MD_DEPTH,
	MD_INSIGHTS,
	MD_REGRESSIONS,
	MD_IMPROVEMENTS,
	MD_LIMITS_KEPT,
	MD_UNCHANGED,
};

/* Columns of names: in sentences, and in tables. */
enum { MD_NAME = 80, MD_CELL = 60, MD_FACT = 120 };

/* "⚠️ REGRESSION" */
const char *md_outcome(enum outcome o);

/* Writes a column's CELL_OWN. */
typedef void md_cell_writer(struct md_page *p, const struct report_table *t, size_t row,
			    const struct table_column *c);
/* A table, with names as code: rows as dispensable as that. `what` they are is for the note of
 * those left out. */
void md_table(struct md_page *p, const struct report_table *t, md_cell_writer *own,
	      unsigned dispensable, const char *what);

/* The level of sections where there is one benchmark, or several. */
enum { MD_SINGLE = 3, MD_OF_SEVERAL };

/* All about one benchmark but its title. That its counts vary is said above it if it is one of
 * several. */
int md_bench(struct md_page *p, const struct bench_report *b, unsigned level);

/* Its parts, each with its heading; nothing where there is nothing to say. */
void md_heading(struct md_page *p, unsigned level, const char *title);
/* A paragraph for each; `lead` (NULL: none) is the benchmark of which they are. */
void md_remarks(struct md_page *p, const struct remarks *r, const char *bench);
void md_limits(struct md_page *p, const struct diff_report *r, unsigned level);
void md_functions(struct md_page *p, const struct diff_report *r, unsigned level);
void md_groups(struct md_page *p, const struct diff_report *r, unsigned level); /* of a roll-up */
void md_function_tables(struct md_page *p, const struct diff_report *r, unsigned level);
void md_causes(struct md_page *p, const struct diff_report *r, unsigned level);
void md_depth(struct md_page *p, const struct diff_report *r, unsigned level);
void md_advice(struct md_page *p, const struct diff_report *r, unsigned level);
void md_reproduce(struct md_page *p, const struct diff_report *r);

#endif
