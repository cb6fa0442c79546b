#include "src/diff/environment.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"

/* The facts of one side, by key. */
struct facts {
	struct fact {
		const char *key, *value;
	} *items;
	size_t count, cap;
};

static int compare_facts(const void *left, const void *right)
{
	const struct fact *a = left, *b = right;
	int order = strcmp(a->key, b->key);
	return order ? order : strcmp(a->value, b->value);
}

static int collect(const struct cg_profile *p, struct facts *f)
{
	size_t prefix = strlen(ENVIRONMENT_PREFIX);

	for (uint32_t i = 0; i < p->ndescs; i++) {
		const char *key = cg_string(p, p->descs[i].key);
		if (strncmp(key, ENVIRONMENT_PREFIX, prefix) != 0)
			continue;
		if (cg_grow(&f->items, &f->cap, f->count + 1, sizeof *f->items))
			return CG_ENOMEM;
		f->items[f->count++] = (struct fact){ key + prefix, cg_string(p, p->descs[i].value) };
	}
	if (f->count)
		qsort(f->items, f->count, sizeof *f->items, compare_facts);
	return CG_OK;
}

static void compare(const struct facts *base, const struct facts *head, struct environment_diff *d)
{
	for (size_t i = 0, j = 0; i < base->count || j < head->count;) {
		int order = i == base->count ? 1 : j == head->count ? -1 :
			    strcmp(base->items[i].key, head->items[j].key);
		struct environment_difference difference = {
			.key = order <= 0 ? base->items[i].key : head->items[j].key,
			.base = order <= 0 ? base->items[i].value : NULL,
			.head = order >= 0 ? head->items[j].value : NULL,
		};
		if (order != 0 || strcmp(difference.base, difference.head) != 0)
			d->differences[d->count++] = difference;
		i += order <= 0;
		j += order >= 0;
	}
}

int environment_compare(const struct cg_profile *base, const struct cg_profile *head,
			struct environment_diff *out)
{
	struct environment_diff d = { 0 };
	struct facts of_base = { 0 }, of_head = { 0 };
	int status = CG_ENOMEM;

	if (!collect(base, &of_base) && !collect(head, &of_head)) {
		d.base_known = of_base.count > 0;
		d.head_known = of_head.count > 0;
		d.differences = calloc(of_base.count + of_head.count + 1, sizeof *d.differences);
		if (d.differences) {
			if (d.base_known && d.head_known)
				compare(&of_base, &of_head, &d);
			*out = d;
			status = CG_OK;
		}
	}
	free(of_base.items);
	free(of_head.items);
	return status;
}

/* FNV-1a, of the text and its end. */
static uint64_t mix(uint64_t hash, const char *text)
{
	do {
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	} while (*text++);
	return hash;
}

int environment_digest(const struct cg_profile *p, uint64_t *out)
{
	struct facts facts = { 0 };
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	int status = collect(p, &facts);

	for (size_t i = 0; !status && i < facts.count; i++)
		hash = mix(mix(hash, facts.items[i].key), facts.items[i].value);
	if (!status)
		*out = facts.count ? hash ? hash : 1 : 0;
	free(facts.items);
	return status;
}

void environment_diff_free(struct environment_diff *d)
{
	free(d->differences);
	*d = (struct environment_diff){ 0 };
}
