/* The instructions of the functions that a comparison shows, base and head matched. */
#ifndef IRDIFF_COMPARE_CHANGED_INSTRUCTIONS_H
#define IRDIFF_COMPARE_CHANGED_INSTRUCTIONS_H

#include "src/load/load.h"
#include "src/report/diff_report.h"

struct changed_function;

struct changed_instructions {
	struct cg_strings texts;
	struct changed_function *functions; /* own what the items point to */
	size_t nfunctions;
	bool *chosen[ASM_SIDES];         /* functions of each side; NULL: not known */
	struct diff_instructions *items; /* the largest |delta| of the metric first */
	size_t count;
};

/* Of these rows of a difference of functions, whose profiles were loaded with addresses; their
 * code was read. Functions that are only inlined have none (machine_rows.h); `chosen`, of each row
 * of the difference, tells which were asked for, and may be NULL. `dirs` as in
 * changed_sources_make. On failure, too, free with changed_instructions_free. */
int changed_instructions_make(const struct diff *d, const uint32_t *rows, size_t nrows,
			      const bool *chosen, const struct loaded *base,
			      const struct loaded *head, const char *const *dirs,
			      struct changed_instructions *out, struct cg_error *err);
void changed_instructions_free(struct changed_instructions *c);

#endif
