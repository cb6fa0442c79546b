#include "src/diff/environment.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"

static bool is_environment(const char *key)
{
	return strncmp(key, ENVIRONMENT_PREFIX, strlen(ENVIRONMENT_PREFIX)) == 0;
}

static bool is_known(const struct cg_profile *p)
{
	for (uint32_t i = 0; i < p->ndescs; i++)
		if (is_environment(cg_string(p, p->descs[i].key)))
			return true;
	return false;
}

static int compare_differences(const void *left, const void *right)
{
	const struct environment_difference *a = left, *b = right;
	return strcmp(a->key, b->key);
}

/* Facts of one side that the other has not, or has with another value. */
static int collect(const struct cg_profile *from, const struct cg_profile *other, bool from_base,
		   struct environment_diff *d, size_t *cap)
{
	for (uint32_t i = 0; i < from->ndescs; i++) {
		const char *key = cg_string(from, from->descs[i].key);
		const char *value = cg_string(from, from->descs[i].value);
		if (!is_environment(key))
			continue;
		const char *theirs = cg_desc_value(other, key);
		if (theirs && (!from_base || strcmp(theirs, value) == 0))
			continue;
		if (cg_grow(&d->differences, cap, d->count + 1, sizeof *d->differences))
			return CG_ENOMEM;
		d->differences[d->count++] = (struct environment_difference){
			.key = key + strlen(ENVIRONMENT_PREFIX),
			.base = from_base ? value : theirs,
			.head = from_base ? theirs : value,
		};
	}
	return CG_OK;
}

int environment_compare(const struct cg_profile *base, const struct cg_profile *head,
			struct environment_diff *out)
{
	struct environment_diff d = { .base_known = is_known(base), .head_known = is_known(head) };
	size_t cap = 0;

	if (d.base_known && d.head_known &&
	    (collect(base, head, true, &d, &cap) || collect(head, base, false, &d, &cap))) {
		environment_diff_free(&d);
		return CG_ENOMEM;
	}
	if (d.count)
		qsort(d.differences, d.count, sizeof *d.differences, compare_differences);
	*out = d;
	return CG_OK;
}

void environment_diff_free(struct environment_diff *d)
{
	free(d->differences);
	*d = (struct environment_diff){ 0 };
}
