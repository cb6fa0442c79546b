#include "src/compare/line_calls.h"

#include <stdlib.h>

struct call_pairing {
	const struct diff *d;
	const struct source_file *const *files;
	size_t at[CODE_SIDES]; /* the next call of each side */
	struct diff_source_call *items;
	size_t count;
};

/* The function as the difference has it. */
static uint32_t callee_group(const struct diff *d, const struct source_call *c, int side)
{
	return (side == CODE_HEAD ? d->head_of : d->base_of)[c->callee];
}

static bool call_changed(const struct diff *d, const struct diff_source_call *c)
{
	const struct source_call *base = c->call[CODE_BASE], *head = c->call[CODE_HEAD];

	return !base || !head || base->count != head->count ||
	       diff_base_value(d, base->cost) != diff_head_value(d, head->cost);
}

/* Calls that the line has in both are the same if the called functions are. */
static struct diff_source_call *find_in_base(struct call_pairing *p, size_t first,
					     const struct source_call *head)
{
	for (size_t i = first; i < p->count; i++) {
		const struct source_call *base = p->items[i].call[CODE_BASE];
		if (base && !p->items[i].call[CODE_HEAD] &&
		    callee_group(p->d, base, CODE_BASE) == callee_group(p->d, head, CODE_HEAD))
			return &p->items[i];
	}
	return NULL;
}

static void add_call_of_side(struct call_pairing *p, size_t line, size_t first, int side,
			     const struct source_call *call)
{
	struct diff_source_call *item = side == CODE_HEAD ? find_in_base(p, first, call) : NULL;

	if (!item) {
		item = &p->items[p->count++];
		*item = (struct diff_source_call){ .line = line };
	}
	item->call[side] = call;
}

static void add_calls_of_line(struct call_pairing *p, const struct code_line *line, size_t number)
{
	const size_t first = p->count;
	size_t kept = first;

	for (int side = 0; side < CODE_SIDES; side++) {
		const struct source_file *f = p->files[side];
		size_t *at = &p->at[side];
		for (;
		     line->in[side] && *at < f->ncalls && f->calls[*at].line == line->number[side];
		     ++*at)
			add_call_of_side(p, number, first, side, &f->calls[*at]);
	}
	for (size_t i = first; i < p->count; i++)
		if (call_changed(p->d, &p->items[i]))
			p->items[kept++] = p->items[i];
	p->count = kept;
}

int line_calls_make(const struct diff *d, const struct code *code,
		    const struct source_file *const files[CODE_SIDES],
		    struct diff_source_call **items, size_t *count)
{
	size_t most = files[CODE_BASE]->ncalls + files[CODE_HEAD]->ncalls;
	struct call_pairing p = { .d = d, .files = files };

	p.items = calloc(most + 1, sizeof *p.items);
	if (!p.items)
		return CG_ENOMEM;
	for (size_t i = 0; i < code->count; i++)
		add_calls_of_line(&p, &code->lines[i], i);
	*items = p.items;
	*count = p.count;
	return CG_OK;
}
