/* Where in the source of the project the causes of a difference are. */
#ifndef IRDIFF_CMD_PLACES_H
#define IRDIFF_CMD_PLACES_H

#include "src/cmd/comparison.h"
#include "src/report/suite_report.h"

struct places {
	struct report_place cause;     /* of the first cause of more cost */
	struct report_place *verdicts; /* one for each verdict of the comparison, or NULL; only
	                                  the first ones that fail have a place */
	char **files;                  /* what they point to */
	size_t count, cap;
};

/*
 * Reads both profiles once more, with lines: paths and causes are compared without them. Files
 * are named as GitHub wants them, relative to $GITHUB_WORKSPACE, or else to the project's root;
 * what is not there has no place. Where nothing is known of lines, or a profile came through a
 * pipe, there are no places, which is no error. On failure, too, free with places_free.
 */
int places_find(const struct project *project, const char *base, const char *head,
		const struct comparison *c, struct places *out, struct cg_error *err);
void places_free(struct places *p);

#endif
