/* The machine code of the functions whose source a page shows, with what each instruction costs. */
#ifndef IRDIFF_COMPARE_HOT_CODE_H
#define IRDIFF_COMPARE_HOT_CODE_H

#include "src/compare/hot_sources.h"

struct hot_code {
	struct loaded base, head; /* with addresses */
	struct diff *diff;        /* of these */
	struct changed_instructions instructions;
	char *missing; /* a sentence that says why no code can be shown; NULL: nothing to say */
};

/* Adds to the items of `sources` what was kept of their code; `base` or `head` is NULL for a
 * profile that is compared with nothing. `dirs` as in hot_sources_find. Free with hot_code_free,
 * also on failure. */
int hot_code_find(const struct project *project, const char *base, const char *head,
		  const struct comparison *c, const char *const *dirs, struct hot_sources *sources,
		  struct hot_code *out, struct cg_error *err);
void hot_code_free(struct hot_code *h);

#endif
