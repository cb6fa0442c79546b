#include "src/diff/same_counts.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/diff/exact_events.h"
#include "src/diff/installed.h"

enum { LEAST_COUNT = 100 };

struct function_counts {
	cg_str last; /* of the name; 0 where names do not matter */
	int64_t self[MOST_EXACT_EVENTS];
	uint64_t calls;
	uint32_t group;
	const char *name;
	bool ours; /* somebody of the project gave it its name */
};

struct counted_functions {
	struct function_counts *of;   /* per group, row 0 unused */
	bool *taken;                  /* per group: it has a partner */
	struct function_counts *list; /* those that are looked for */
	size_t count;
};

/* Sums stay below those of all costs of a profile, which is checked when it is made. */
static void sum_counts(const struct cg_profile *p, const struct groups *g,
		       const struct exact_events *e, unsigned side, struct function_counts *of)
{
	for (uint32_t r = 1; r < p->nrecords; r++) {
		struct function_counts *f = &of[g->of[p->records[r].function]];
		const int64_t *self = p->record_self + (size_t)r * p->nevents;
		for (size_t i = 0; i < e->count; i++)
			f->self[i] += self[e->of[side][i]];
	}
	for (uint32_t c = 1; c < p->ncalls; c++) {
		uint32_t callee = p->records[p->calls[c].callee].function;
		cg_add_count_clipped(&of[g->of[callee]].calls, p->calls[c].count);
	}
}

static int compare_function_counts(const struct function_counts *a, const struct function_counts *b)
{
	if (a->last != b->last)
		return a->last < b->last ? -1 : 1;
	for (size_t i = 0; i < MOST_EXACT_EVENTS; i++)
		if (a->self[i] != b->self[i])
			return a->self[i] < b->self[i] ? -1 : 1;
	return (a->calls > b->calls) - (a->calls < b->calls);
}

static int order_function_counts(const void *left, const void *right)
{
	const struct function_counts *a = left, *b = right;
	int order = compare_function_counts(a, b);
	if (!order)
		order = strcmp(a->name, b->name);
	return order ? order : (a->group > b->group) - (a->group < b->group);
}

/* Those of functions without a partner, in order. */
static void list_function_counts(const struct groups *g, bool by_name, struct counted_functions *f)
{
	f->count = 0;
	for (uint32_t i = 1; i < g->count; i++) {
		bool says_enough = f->of[i].ours && f->of[i].self[0] >= LEAST_COUNT;
		if (f->taken[i] || (!by_name && !says_enough))
			continue;
		f->list[f->count] = f->of[i];
		f->list[f->count++].last = by_name ? g->keys[i].last : 0;
	}
	qsort(f->list, f->count, sizeof *f->list, order_function_counts);
}

/* How many from `at` on are like the one there. */
static size_t count_like(const struct counted_functions *f, size_t at)
{
	size_t n = 1;
	while (at + n < f->count && compare_function_counts(&f->list[at], &f->list[at + n]) == 0)
		n++;
	return n;
}

/* Where several count the same and have the same name, each may be any of the others. */
static void pair_same_counts(struct counted_functions *base, struct counted_functions *head,
			     bool by_name, struct match *m)
{
	for (size_t b = 0, h = 0; b < base->count && h < head->count;) {
		int order = compare_function_counts(&base->list[b], &head->list[h]);
		size_t nb = order <= 0 ? count_like(base, b) : 0;
		size_t nh = order >= 0 ? count_like(head, h) : 0;
		bool same = order == 0 && nb == nh && (nb == 1 || by_name);
		for (size_t i = 0; same && i < nb; i++) {
			uint32_t in_base = base->list[b + i].group;
			uint32_t in_head = head->list[h + i].group;
			m->head_of[in_base] = in_head;
			m->how[in_base] = DIFF_RENAMED;
			base->taken[in_base] = head->taken[in_head] = true;
		}
		b += nb;
		h += nh;
	}
}

static int begin_function_counts(const struct cg_profile *p, const struct groups *g,
				 const struct cg_strings *strings, const struct exact_events *e,
				 unsigned side, struct counted_functions *f)
{
	f->of = calloc(g->count, sizeof *f->of);
	f->list = calloc(g->count, sizeof *f->list);
	f->taken = calloc(g->count, sizeof *f->taken);
	if (!f->of || !f->list || !f->taken)
		return CG_ENOMEM;
	for (uint32_t i = 1; i < g->count; i++) {
		f->of[i].group = i;
		f->of[i].name = cg_strings_get(strings, g->keys[i].name);
		f->of[i].ours = true;
	}
	for (uint32_t i = 1; i < p->nfunctions; i++)
		f->of[g->of[i]].ours &= !is_installed_path(cg_string(p, p->functions[i].object)) &&
					!is_installed_path(cg_string(p, p->functions[i].file));
	sum_counts(p, g, e, side, f->of);
	return CG_OK;
}

static void function_counts_free(struct counted_functions *f)
{
	free(f->of);
	free(f->list);
	free(f->taken);
}

int match_same_counts(const struct diff *d, const struct cg_strings *strings,
		      const struct groups *base, const struct groups *head, struct match *m)
{
	struct exact_events events = find_exact_events(d);
	struct counted_functions b = { 0 }, h = { 0 };
	int status = begin_function_counts(d->base, base, strings, &events, 0, &b);

	if (!status)
		status = begin_function_counts(d->head, head, strings, &events, 1, &h);
	for (uint32_t i = 1; !status && i < base->count; i++) {
		b.taken[i] = m->head_of[i] != 0;
		h.taken[m->head_of[i]] = true;
	}
	/* A name that is the same but for its scope is better evidence than counts alone. */
	for (int by_name = 1; !status && events.count && by_name >= 0; by_name--) {
		list_function_counts(base, by_name, &b);
		list_function_counts(head, by_name, &h);
		pair_same_counts(&b, &h, by_name, m);
	}
	function_counts_free(&b);
	function_counts_free(&h);
	return status;
}
