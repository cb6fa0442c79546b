/* `irdiff diff MAIN REGRESSION --fix FIX`: compares three profiles. */
#ifndef IRDIFF_COMPARE_FIXING_H
#define IRDIFF_COMPARE_FIXING_H

#include "src/compare/comparison.h"
#include "src/report/fix_report.h"

struct fixing {
	struct comparison c; /* of main and regression, not judged */
	struct loaded fix;
	struct diff *left, *won;
	struct diff *of_functions; /* main and fix, if `left` is of groups; otherwise NULL */
	struct fix_diff *diff;
	struct environment_diff environment; /* of main and fix */
	struct judging judging;              /* the fix against main … */
	struct remarks remarks;              /* … and what bears on that, if it is judged */
	const struct comparison_options *options;
	struct comparison_options unjudged; /* the same, for `c` */
	uint32_t *rows;
	size_t nrows, changed, filtered;
	bool unmatched; /* the filter matches none of all rows */
};

/* All three are operands. The options ask for neither paths nor causes, and outlive the result.
 * On failure, too, free with fixing_free. */
int fixing_make(const struct project *project, const char *main, const char *regression,
		const char *fix, const struct comparison_options *options, struct fixing *out,
		struct cg_error *err);
void fixing_free(struct fixing *f);

/* Writes it in one of the formats text, json, markdown and csv. */
int fixing_write(const struct fixing *f, const char *format, const struct text_style *style,
		 FILE *to);

enum ending fixing_ending(const struct fixing *f);

#endif
