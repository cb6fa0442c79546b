#include "src/diff/either_name.h"

#include <stdlib.h>

int either_name_add(const struct diff *d, bool whole, struct pattern *p, struct cg_error *err)
{
	struct pattern_name *list = calloc(d->count + 1, sizeof *list);
	size_t count = 0;

	if (!list)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < d->count; i++) {
		const struct diff_row *r = &d->rows[i];
		if (r->other_name != r->name)
			list[count++] = (struct pattern_name){ r->object, r->file, r->name,
							       r->other_name };
	}
	int status = count ? pattern_add_names(p, list, count, whole, err) : CG_OK;
	free(list);
	return status;
}
