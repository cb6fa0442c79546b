#include "src/diff/addresses.h"

#include <stdlib.h>
#include <string.h>

#include "cgprofile/names.h"

struct code_address {
	cg_str object, address;
};

struct code_addresses {
	struct code_address *items;
	size_t count;
};

/* How many addresses of an object there are. */
struct address_tally {
	uint64_t base, head, both;
};

static int compare_addresses(const void *left, const void *right)
{
	const struct code_address *a = left, *b = right;
	int order = (a->object > b->object) - (a->object < b->object);
	return order ? order : (a->address > b->address) - (a->address < b->address);
}

/* What is in no object, such as code made at run time, may be anywhere. */
static int collect_addresses(const struct cg_profile *p, struct cg_strings *strings,
			     struct code_addresses *out)
{
	int status = CG_OK;

	out->items = calloc((size_t)p->nfunctions + 1, sizeof *out->items);
	if (!out->items)
		return CG_ENOMEM;
	for (uint32_t f = 1; !status && f < p->nfunctions; f++) {
		const char *address = cg_string(p, p->functions[f].name);
		const char *object = cg_base_name(cg_string(p, p->functions[f].object));
		struct code_address *place = &out->items[out->count];
		if (!*object || !cg_name_is_address(address))
			continue;
		status = cg_strings_add(strings, object, strlen(object), &place->object);
		if (!status)
			status = cg_strings_add(strings, address, strlen(address), &place->address);
		out->count++;
	}
	qsort(out->items, out->count, sizeof *out->items, compare_addresses);
	return status;
}

static void count_addresses(const struct code_addresses *base, const struct code_addresses *head,
			    struct address_tally *of)
{
	for (size_t b = 0, h = 0; b < base->count || h < head->count;) {
		int order = b == base->count ? 1
			    : h == head->count
				    ? -1
				    : compare_addresses(&base->items[b], &head->items[h]);
		struct address_tally *t =
			&of[order <= 0 ? base->items[b].object : head->items[h].object];
		t->base += order <= 0;
		t->head += order >= 0;
		t->both += order == 0;
		b += order <= 0;
		h += order >= 0;
	}
}

static bool is_same_build(const struct address_tally *t)
{
	uint64_t fewer = t->base < t->head ? t->base : t->head;
	return t->both && 10 * t->both >= 9 * fewer;
}

int addresses_compare(const struct cg_profile *base, const struct cg_profile *head,
		      struct cg_strings *strings, bool **stable)
{
	struct code_addresses in_base = { 0 }, in_head = { 0 };
	struct address_tally *of = NULL;
	bool *same = NULL;
	int status = collect_addresses(base, strings, &in_base);
	if (!status)
		status = collect_addresses(head, strings, &in_head);
	if (status)
		goto done;

	of = calloc(strings->count, sizeof *of);
	same = calloc(strings->count, sizeof *same);
	if (!of || !same) {
		free(same);
		status = CG_ENOMEM;
		goto done;
	}
	count_addresses(&in_base, &in_head, of);
	for (size_t i = 0; i < strings->count; i++)
		same[i] = is_same_build(&of[i]);
	*stable = same;
done:
	free(in_base.items);
	free(in_head.items);
	free(of);
	return status;
}
