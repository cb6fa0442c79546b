/* The source files of the functions that a comparison shows, base and head as one list of lines. */
#ifndef IRDIFF_COMPARE_CHANGED_SOURCES_H
#define IRDIFF_COMPARE_CHANGED_SOURCES_H

#include "src/load/load.h"
#include "src/report/diff_report.h"

struct changed_source;

struct changed_sources {
	struct source *lines[CODE_SIDES]; /* all that the functions cost, by lines */
	struct changed_source *files;     /* own what the items point to */
	size_t nfiles;
	struct diff_source *items; /* that changed, the largest |delta| of the metric first */
	size_t count;
};

/* Of these rows of a difference of functions, whose profiles were loaded with lines. Shown are
 * lines whose cost changed, with `context` lines around each. `dirs` (NULL-terminated, may be NULL)
 * are searched for files that were not kept. The law: what lines cost is what the functions cost
 * (CG_EINTERNAL: a bug). On failure, too, free with changed_sources_free. */
int changed_sources_make(const struct diff *d, const uint32_t *rows, size_t nrows,
			 const struct loaded *base, const struct loaded *head, size_t context,
			 const char *const *dirs, struct changed_sources *out,
			 struct cg_error *err);
void changed_sources_free(struct changed_sources *s);

#endif
