/* Operands that name several profiles: a benchmark that has only cases, or a pattern of labels. */
#ifndef IRDIFF_COMPARE_EXPAND_OPERANDS_H
#define IRDIFF_COMPARE_EXPAND_OPERANDS_H

#include "src/compare/suite.h"

/* Appends the profiles of an operand that names several: for a benchmark without a profile of
 * its own, those of its cases ("BENCH", "baseline:NAME/BENCH"), or those that they replaced
 * ("BENCH.old"); for a pattern as in fnmatch(3) that matches no file, the labels except replaced
 * ones. Appends nothing if the operand names one profile or none. */
int expand_operands_of(const struct project *project, const char *operand, struct path_list *out,
		       struct cg_error *err);

/* The same where several labels are not looked for by a pattern: cases of a benchmark. */
int expand_operands_cases(const struct project *project, const char *operand, struct path_list *out,
			  struct cg_error *err);

/* Adds BASE and HEAD to a suite, case by case if they are benchmarks with cases: those that only
 * one of them has are new, or removed. CG_EINVAL if they have none in common, or only one of them
 * has cases. */
int expand_operands_add(struct suite *suite, const struct project *project, const char *base,
			const char *head, struct cg_error *err);

/* Writes the totals of several, a line for each. */
int expand_operands_totals(const struct project *project, const struct path_list *operands,
			   const struct text_style *style, FILE *to, struct cg_error *err);

/* Appends what there is to show: the labels of the project, or else what commits were measured. */
int expand_operands_list(const struct project *project, struct path_list *out,
			 struct cg_error *err);

#endif
