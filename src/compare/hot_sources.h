/* The source of the functions that cause a change, or cost most, with the costs of each line in
 * base and head. */
#ifndef IRDIFF_COMPARE_HOT_SOURCES_H
#define IRDIFF_COMPARE_HOT_SOURCES_H

#include "src/compare/comparison.h"
#include "src/load/function_source.h"
#include "src/report/page_report.h"

struct hot_side {
	struct loaded loaded;          /* with lines */
	struct function_source *found; /* per function */
};

struct hot_sources {
	struct page_source *items; /* point into the rest */
	uint32_t *rows;            /* of each, in the tree or, of one profile, in the diff */
	size_t count, room;
	struct hot_side base, head;
};

/* Those of the first `most` causes of a comparison, where there are any; `dirs` (NULL-terminated,
 * may be NULL) are searched for files too. Free with hot_sources_free, also on failure. */
int hot_sources_find(const struct project *project, const char *base, const char *head,
		     const struct comparison *c, const char *const *dirs, size_t most,
		     struct hot_sources *out, struct cg_error *err);
/* The same of a profile that is compared with nothing: of the functions with the largest self
 * costs, of those whose lines are known. */
int hot_sources_of_one(const struct project *project, const char *operand,
		       const struct comparison *c, const char *const *dirs, size_t most,
		       struct hot_sources *out, struct cg_error *err);
void hot_sources_free(struct hot_sources *h);

#endif
