/* Private to report/: what several formats say of a comparison, in plain words. */
#ifndef IRDIFF_REPORT_SUMMARY_H
#define IRDIFF_REPORT_SUMMARY_H

#include "src/report/suite_report.h"

enum outcome {
	OUTCOME_NEUTRAL,
	OUTCOME_REGRESSION,
	OUTCOME_IMPROVEMENT,
	OUTCOME_PASS,      /* judged, and within all limits */
	OUTCOME_TOLERATED, /* what would be a change, or break a limit, is within the tolerance */
	OUTCOME_NEW,       /* there is no base, and no limit fails */
	OUTCOME_REMOVED,   /* there is no head, which was not judged, or is allowed */
	OUTCOME_MISSING,  /* there is no head, or not a function that has a limit, and that fails */
	OUTCOME_EXCEEDED, /* a limit is, though the total did not grow */
	OUTCOME_UNJUDGED, /* only limits fail that match no function, have no base, or are on calls
	                     that are not counted */
	/* judged, but by counts that may differ by chance, or are not all: exit code 4 */
	OUTCOME_INCONCLUSIVE,
	OUTCOME_UNTRUSTED, /* judged, but in different environments: exit code 4 */
	OUTCOMES,          /* how many there are */
};

/* By the limits if it was judged, otherwise by the total of the metric. */
enum outcome summary_outcome(const struct diff_report *r);
/* "NEUTRAL", "REGRESSION", "IMPROVEMENT", "PASS", "WITHIN TOLERANCE", "NEW", "REMOVED",
 * "MISSING IN HEAD", "LIMIT EXCEEDED", "LIMIT NOT JUDGED", "INCONCLUSIVE", "NOT COMPARABLE". */
const char *summary_outcome_name(enum outcome o);

enum { SUMMARY_VERDICT = 80 }; /* of a buffer for it */

/* The same, where what passes only as it was accepted, or as nothing limits it, is no plain "PASS":
 * "PASS, accepted", "PASS, no limit on the total"; and ", measured earlier" after any. Returns
 * `buffer`. */
const char *summary_verdict(const struct diff_report *r, char buffer[SUMMARY_VERDICT]);

/* Whether it is one that fails, or would if it were judged. */
bool summary_is_bad(enum outcome o);

/* Whether two totals of any metric differ by more than the threshold of the comparison, and the
 * tolerance on that metric. */
enum diff_class summary_classify(const struct diff *d, const char *metric, int64_t base,
				 int64_t head);

/* Whether it passes though its total got worse, as no limit is on that metric. */
bool summary_lacks_limit(const struct diff_report *r);

/* Whether there is anything to say of it: a limit that fails or is accepted, or a change of the
 * total or of a function. */
bool summary_has_changes(const struct diff_report *r);

/* Whether there are both base and head: else there is no difference to be told. */
bool summary_is_difference(const struct diff_report *r);

/* Whether the totals of the benchmarks are of several metrics. */
bool summary_mixes_metrics(const struct suite_report *r);

/* The mean of head / base of the totals of all benchmarks that have both, in the metric that all
 * are compared in. If these differ, of Ir, of all benchmarks that have it on both sides, whatever
 * they are compared in. False if it cannot be computed: there is none, or a total is not above
 * 0. */
bool summary_geometric_mean(const struct suite_report *r, double *mean);

/* An empty line, and "Geometric mean of head / base: +18.5%"; "of Ir" if metrics differ. Prints
 * nothing if summary_geometric_mean returns false. */
void summary_print_mean(const struct suite_report *r, FILE *to);

/* Whether causes do not cancel each other so far that shares of the change say nothing: their sizes
 * add up to at most twice the change. So no share is above 150 %, or below -50 %. */
bool summary_has_shares(const struct causes *c);

/* What the causes add up to that are not among the first `shown` of the report. Saturates. */
int64_t summary_smaller_causes(const struct diff_report *r, size_t shown);

/* What follows prints safe text without line ends. */

/* "32,456,610 → 77,531,414 Ir (+139%)"; "77,531,414 Ir, no base to compare with"; with ", within
 * the tolerance of 400" where that is so. */
void summary_print_total(const struct diff_report *r, FILE *to);
/* The option with which 'irdiff diff' shows changes that it hides by default, if this report shows
 * them for a limit that they exceed, or has no others: " --threshold=0"; "": none is needed. */
const char *summary_details_option(const struct diff_report *r);

/* The options that show what is below the threshold: " --threshold=0"; "": there are none. */
const char *summary_small_options(const struct diff_report *r);

/* Whether a report without rows hides changes for nothing but their size. */
bool summary_hides_small(const struct diff_report *r);

/* "function changed by more than the threshold", after "no", of a report without rows: what is
 * hidden or too small to be one is said. */
void summary_print_no_rows(const struct diff_report *r, FILE *to);
/* "Ir", "inclusive Ir of scan", "Ir of fn:^json_"; then " limit +1%". The function in at most
 * `width` columns (0: whole). */
void summary_print_limit(const struct limit_verdict *v, unsigned width, FILE *to);
/* "  (irdiff.yml:3)", the path as seen from the directory `here` (text_print_path); nothing of a
 * limit that is not in a file. */
void summary_print_limit_place(const struct limit *limit, const char *here, FILE *to);
/* "1 → 2 (+100%), allowed up to 1, within the tolerance of 5", "no base", "matches no function; did
 * you mean deflate?" */
void summary_print_counts(const struct diff *d, const struct limit_verdict *v, FILE *to);
/* The same without what summary_print_total says. */
void summary_print_allowed(const struct diff_report *r, const struct limit_verdict *v, FILE *to);
/* Of a verdict with an acceptance. "accepted 2026-11-21 by Jane: the reason", or that it has
 * expired, with the command that accepts it again. */
void summary_print_acceptance(const struct limit_verdict *v, FILE *to);
/* "record → field: more calls (800 → 2,400), +480,000 Ir (99.17% of the change)";
 * names in at most `width` columns. */
void summary_print_cause(const struct diff_report *r, const struct cause *c, unsigned width,
			 FILE *to);
/* "record → field" of it. */
void summary_print_cause_name(const struct diff_report *r, const struct cause *c, unsigned width,
			      FILE *to);
/* What follows the name and the colon; names of others in at most `width` columns. */
void summary_print_cause_change(const struct diff_report *r, const struct cause *c, unsigned width,
				FILE *to);

/* "field: regressed, +480,000 Ir"; the name in at most `width` columns. */
void summary_print_function(const struct diff_report *r, const struct diff_row *row, unsigned width,
			    FILE *to);
/* "field" of it, and what follows the colon. */
void summary_print_function_name(const struct diff_row *row, unsigned width, FILE *to);
void summary_print_function_change(const struct diff_report *r, const struct diff_row *row,
				   FILE *to);

/* Whether a cause is one of this limit: of its metric, and of its function if it is on one. */
bool summary_concerns(const struct diff_report *r, const struct limit_verdict *v,
		      const struct cause *c);

/* "features of the CPU: AVX2, C library": what of the environments differs and can move counts. */
void summary_print_environment(const struct diff_report *r, FILE *to);

/* Whether a limit fails that `irdiff baseline accept` can accept. */
bool summary_may_be_accepted(const struct diff_report *r);
/* How many verdicts fail, and how many were judged at all (overridden limits were not). */
size_t summary_count_failing(const struct diff_report *r);
size_t summary_count_accepted(const struct diff_report *r);
size_t summary_count_tolerated(const struct diff_report *r);
size_t summary_count_judged(const struct diff_report *r);

#endif
