/* Private to report/: the parts of the markdown report. */
#ifndef IRDIFF_REPORT_MARKDOWN_MARKDOWN_H
#define IRDIFF_REPORT_MARKDOWN_MARKDOWN_H

#include "src/report/markdown/page.h"
#include "src/report/suite_report.h"
#include "src/report/summary.h"
#include "src/report/table.h"

/* What is left out first where a report is too long: the largest of these. */
enum {
	MD_OVERVIEW = 1, /* the benchmarks that changed */
	MD_VERDICT,      /* limits that are exceeded, and warnings */
	MD_CAUSES,
	MD_FUNCTIONS,
	MD_METRICS,
	MD_MOST_EXPENSIVE,
	MD_DEPTH,
	MD_INSIGHTS,
	MD_LIMITS_KEPT,
	MD_UNCHANGED,
};

/* Columns of names: in sentences, in tables, in tables that have two of them, of facts. */
enum { MD_NAME = 80, MD_CELL = 60, MD_HALF = 40, MD_FACT = 120 };

/* Of `have` rows of a table, how many are shown. */
size_t md_shown(const struct md_page *p, const struct diff_report *r, size_t have);
/* That so many more are not. */
void md_more(struct md_page *p, size_t more);

/* Writes a column's CELL_OWN. */
typedef void md_cell_writer(struct md_page *p, const struct report_table *t, size_t row,
			    const struct table_column *c);
/* A table, with names as code: rows as dispensable as that. `what` they are is for the note of
 * those left out. */
void md_table(struct md_page *p, const struct report_table *t, md_cell_writer *own,
	      unsigned dispensable, const char *what);

/* A sentence in irdiff's words, all of which is code if a name in it could be live. */
void md_sentence(struct md_page *p, const char *text);

/* A block of them, with names as code. */
void md_insights(struct md_page *p, const struct diff_report *r);

/* ---- benchmarks, the worst first ---- */

struct ranked_bench {
	const struct bench_report *bench;
	bool changed;  /* there is more to say than its totals */
	unsigned rank; /* 0: limits exceeded, regressions; 1: other changes; 2: none */
	double share;  /* of base, without sign */
};

struct ranked_suite {
	const struct suite_report *r;
	struct ranked_bench *benches;
	size_t changed; /* that many of them, which come first */
};

/* CG_OK or CG_ENOMEM; free benches. */
int md_rank(const struct suite_report *r, struct ranked_suite *out);

/* The title with the verdict, and the table of what changed. */
void md_overview(struct md_page *p, const struct ranked_suite *s);
/* The others, of several. */
void md_unchanged(struct md_page *p, const struct ranked_suite *s);

/* What a difference of the environment is of. */
void md_fact_name(struct md_page *p, const struct environment_difference *d);

/* ---- what bears on the verdict ---- */

/* A paragraph for each. */
void md_remarks(struct md_page *p, const struct remarks *r);
/* Remarks and different environments of all benchmarks, each once. */
void md_warnings(struct md_page *p, const struct ranked_suite *s);
/* Those that fail or are accepted, then the others in a block. */
void md_limits(struct md_page *p, const struct diff_report *r);

/* ---- causes ---- */

/* "`parser.c:94`", and whether the code of the cause there was edited; nothing of NULL. */
void md_place_of_cause(struct md_page *p, const struct cause *c, const struct cause_place *at);

/* "`parse → next`: more calls 400 → 1,200", for a cell of a table; or a function or group. */
void md_top_cause(struct md_page *p, const struct diff_report *r);
/* At most three things to do about what costs more in the first `count` benchmarks. CG_OK or
 * CG_ENOMEM. */
int md_steps(struct md_page *p, const struct ranked_bench *benches, size_t count, bool several);

/* ---- blocks of one benchmark ---- */

/* All of them. */
void md_blocks(struct md_page *p, const struct bench_report *b);

/* Each of them; nothing where there is nothing to say. */
void md_causes(struct md_page *p, const struct diff_report *r);
/* The changes that no cause names, because they cancel each other out. */
void md_cancelled(struct md_page *p, const struct diff_report *r);
void md_functions(struct md_page *p, const struct diff_report *r);
void md_groups(struct md_page *p, const struct diff_report *r); /* of a roll-up */
void md_most_expensive(struct md_page *p, const struct diff_report *r);
void md_depth(struct md_page *p, const struct diff_report *r);
void md_reproduce(struct md_page *p, const struct diff_report *r);

/* Whatever is longer is not for people to copy, and would take the room of the rest. */
enum { MD_LONGEST_WORD = 500, MD_LONGEST_COMMAND = 2000 };
/* A profile that a command can name. */
bool md_is_nameable(const struct report_origin *o);

#endif
