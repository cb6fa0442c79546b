/* Where in the source the causes of a change are: the line of a call, or the line whose cost
 * changed. */
#ifndef IRDIFF_COMPARE_CAUSE_PLACES_H
#define IRDIFF_COMPARE_CAUSE_PLACES_H

#include "src/compare/choose_causes.h"
#include "src/load/load.h"
#include "src/report/diff_report.h"

struct cause_places {
	struct cause_place *items; /* of the first causes that were chosen; own their texts */
	size_t count;
};

/* Of causes beyond these nobody reads the place one by one. */
#define CAUSE_PLACES_MAX 100

/* Both profiles were loaded with lines; without lines there are no places. `root` is the directory
 * of the project, `dirs` (NULL-terminated, may be NULL) are searched for files that were not kept.
 * CG_OK, or an error of reading the source. On failure, too, free with cause_places_free. */
int cause_places_find(const struct causes *causes, const struct chosen_causes *chosen,
		      const struct loaded *base, const struct loaded *head, const char *root,
		      const char *const *dirs, struct cause_places *out, struct cg_error *err);
void cause_places_free(struct cause_places *p);

#endif
