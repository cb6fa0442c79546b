#include "callgrind/order.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/depth_first.h"

struct order_context {
	const struct cg_profile *p;
	const uint32_t *rank; /* of each record */
};

static int order_compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_strings(const struct cg_profile *p, cg_str a, cg_str b)
{
	return a == b ? 0 : strcmp(cg_string(p, a), cg_string(p, b));
}

int cg_compare_callers(const struct cg_profile *p, const cg_str *x, size_t m, const cg_str *y,
		       size_t n)
{
	int order = 0;

	for (size_t i = 0; !order && i < m && i < n; i++)
		order = compare_strings(p, x[i], y[i]);
	return order ? order : (m > n) - (m < n);
}

int cg_compare_contexts(const struct cg_profile *p, uint32_t a, uint32_t b)
{
	const struct cg_contexts *c = &p->contexts;

	if (a == b)
		return 0;
	return cg_compare_callers(p, cg_contexts_get(c, a), cg_contexts_size(c, a),
				  cg_contexts_get(c, b), cg_contexts_size(c, b));
}

int cg_compare_functions(const struct cg_profile *p, uint32_t a, uint32_t b)
{
	const struct cg_function *f = &p->functions[a], *g = &p->functions[b];
	int order = compare_strings(p, f->object, g->object);
	if (!order)
		order = compare_strings(p, f->file, g->file);
	if (!order)
		order = compare_strings(p, f->name, g->name);
	return order;
}

static int compare_one_record(const struct cg_profile *p, uint32_t x, uint32_t y)
{
	const struct cg_record *a = &p->records[x], *b = &p->records[y];
	int order = cg_compare_functions(p, a->function, b->function);
	if (!order)
		order = order_compare_numbers(a->level, b->level);
	return order ? order : cg_compare_contexts(p, a->context, b->context);
}

int cg_compare_records(const struct cg_profile *p, uint32_t a, uint32_t b)
{
	int order = 0;
	while (!order && a && b && a != b) {
		order = compare_one_record(p, a, b);
		a = p->records[a].inlined_into;
		b = p->records[b].inlined_into;
	}
	return order ? order : order_compare_numbers(a, b);
}

static int order_compare_records(const void *left, const void *right, void *context)
{
	const struct order_context *c = context;
	return cg_compare_records(c->p, *(const uint32_t *)left, *(const uint32_t *)right);
}

static int order_compare_lines(const void *left, const void *right, void *context)
{
	const struct order_context *c = context;
	const struct cg_line *a = &c->p->lines[*(const uint32_t *)left];
	const struct cg_line *b = &c->p->lines[*(const uint32_t *)right];

	int order = order_compare_numbers(c->rank[a->record], c->rank[b->record]);
	if (!order && a->file != b->file) {
		cg_str own = c->p->functions[c->p->records[a->record].function].file;
		order = order_compare_numbers(a->file != own, b->file != own);
	}
	if (!order)
		order = compare_strings(c->p, a->file, b->file);
	if (!order)
		order = order_compare_numbers(a->line, b->line);
	return order ? order : order_compare_numbers(a->address, b->address);
}

static int order_compare_calls(const void *left, const void *right, void *context)
{
	const struct order_context *c = context;
	const uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;
	const struct cg_call *a = &c->p->calls[x], *b = &c->p->calls[y];
	const struct cg_position at = cg_call_place(c->p, x), other = cg_call_place(c->p, y);

	int order = order_compare_numbers(c->rank[a->caller], c->rank[b->caller]);
	if (!order)
		order = compare_strings(c->p, at.file, other.file);
	if (!order)
		order = order_compare_numbers(at.line, other.line);
	if (!order)
		order = order_compare_numbers(at.address, other.address);
	return order ? order : order_compare_numbers(c->rank[a->callee], c->rank[b->callee]);
}

/* Row numbers 1 … count - 1, sorted; NULL if memory ran out. */
static uint32_t *sorted_rows(uint32_t count, int (*compare)(const void *, const void *, void *),
			     struct order_context *context)
{
	uint32_t *rows = malloc(((size_t)count + 1) * sizeof *rows);
	if (!rows)
		return NULL;
	for (uint32_t i = 1; i < count; i++)
		rows[i - 1] = i;
	qsort_r(rows, count - 1, sizeof *rows, compare, context);
	return rows;
}

/* The records alone, in the order of cg_order.records; free() it. NULL: out of memory. */
static uint32_t *order_records(const struct cg_profile *p)
{
	struct order_context context = { p, NULL };
	uint32_t *order = malloc(((size_t)p->nrecords + 1) * sizeof *order);
	uint32_t *host = malloc(((size_t)p->nrecords + 1) * sizeof *host);

	for (uint32_t r = 0; host && r < p->nrecords; r++)
		host[r] = p->records[r].inlined_into;
	if (order && host &&
	    cg_depth_first(host, p->nrecords, order_compare_records, &context, order) == CG_OK) {
		memmove(order, order + 1, ((size_t)p->nrecords - 1) * sizeof *order);
	} else {
		free(order);
		order = NULL;
	}
	free(host);
	return order;
}

int cg_order_make(const struct cg_profile *p, struct cg_order *out)
{
	struct cg_order o = { 0 };
	uint32_t *rank = calloc((size_t)p->nrecords + 1, sizeof *rank);
	struct order_context context = { p, rank };

	o.records = order_records(p);
	if (rank && o.records) {
		for (uint32_t i = 0; i + 1 < p->nrecords; i++)
			rank[o.records[i]] = i;
		o.lines = sorted_rows(p->nlines, order_compare_lines, &context);
		o.calls = sorted_rows(p->ncalls, order_compare_calls, &context);
	}
	free(rank);
	if (!o.lines || !o.calls) {
		cg_order_free(&o);
		return CG_ENOMEM;
	}
	*out = o;
	return CG_OK;
}

void cg_order_free(struct cg_order *o)
{
	free(o->records);
	free(o->lines);
	free(o->calls);
	*o = (struct cg_order){ 0 };
}
