#include "src/report/unseen_inlined.h"

#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/inlines.h"
#include "src/diff/installed.h"
#include "src/report/inlining.h"

/* "OBJECT" of "REASON: OBJECT" if that has no debug information; NULL otherwise. */
static const char *object_without_debug(const struct cg_profile *p, uint32_t desc)
{
	const char *reason = cg_inlines_state_name(CG_INLINES_NO_DEBUG);
	const char *value = cg_string(p, p->descs[desc].value);
	const size_t len = strlen(reason);

	if (strcmp(cg_string(p, p->descs[desc].key), INLINING_MISSING_KEY) != 0 ||
	    strncmp(value, reason, len) != 0 || strncmp(value + len, ": ", 2) != 0)
		return NULL;
	return value + len + 2;
}

/* NULL: there is none. Whoever limits functions means the project's, and libraries that are
 * installed rarely have debug information. */
static const char *find_bare_object(const struct cg_profile *p)
{
	enum { LEAST = 100 }; /* of the total */

	for (uint32_t i = 0; i < p->ndescs; i++) {
		const char *object = object_without_debug(p, i);
		if (object && !is_installed_path(object) &&
		    cg_magnitude(inlining_object_cost(p, object, 0)) >=
			    cg_magnitude(p->total[0]) / LEAST)
			return object;
	}
	return NULL;
}

bool unseen_inlined_find(const struct diff *d, struct unseen_inlined *out)
{
	const char *base = find_bare_object(d->base), *head = find_bare_object(d->head);

	if (!base && !head)
		return false;
	out->object = head ? head : base;
	out->where = !base ? "head" : !head ? "base" : "base and head";
	return true;
}
