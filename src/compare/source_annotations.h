/* Where in the source of the project the causes of a difference are. */
#ifndef IRDIFF_COMPARE_SOURCE_ANNOTATIONS_H
#define IRDIFF_COMPARE_SOURCE_ANNOTATIONS_H

#include "src/compare/comparison.h"
#include "src/report/suite_report.h"

struct source_annotations {
	struct report_place cause;     /* of the first cause of more cost */
	struct report_place *verdicts; /* one for each verdict of the comparison so far; only
	                                  the first ones that fail have a place */
	size_t nverdicts;
	char **files; /* what they point to */
	size_t count, cap;
};

/*
 * Reads both profiles once more, with lines: paths and causes are compared without them. Files are
 * named as GitHub expects, relative to $GITHUB_WORKSPACE, or else to the project's root; missing
 * files have no place. If lines are unknown, or a profile came through a pipe, there are no
 * places, which is not an error. Free with source_annotations_free, even on failure.
 */
int source_annotations_find(const struct project *project, const char *base, const char *head,
			    const struct comparison *c, struct source_annotations *out,
			    struct cg_error *err);
void source_annotations_free(struct source_annotations *p);

#endif
