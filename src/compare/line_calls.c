#include "src/compare/line_calls.h"

#include <stdlib.h>

struct call_pairing {
	const struct calls_of_lines *of;
	size_t at[CODE_SIDES]; /* the next call of each side */
	struct diff_source_call *items;
	size_t count;
	/* Calls of base of the line that have no partner: per row the first item plus 1, per item
	 * the next one. A row may be of several functions. */
	size_t *first, *next;
};

static bool call_changed(const struct diff *d, const struct diff_source_call *c)
{
	const struct source_call *base = c->call[CODE_BASE], *head = c->call[CODE_HEAD];

	return !base || !head || base->count != head->count ||
	       diff_base_value(d, base->cost) != diff_head_value(d, head->cost);
}

static uint32_t row_of_call(const struct call_pairing *p, int side, const struct source_call *c)
{
	return p->of->row_of[side][c->callee];
}

/* NULL: the line, which may be only in the other side, has no more. */
static const struct source_call *take_source_call(struct call_pairing *p,
						  const struct code_line *line, int side)
{
	const struct source_file *f = p->of->files[side];
	const size_t at = p->at[side];
	bool more = line->in[side] && at < f->ncalls && f->calls[at].line == line->number[side];

	return more ? &f->calls[p->at[side]++] : NULL;
}

static void add_item_of_side(struct call_pairing *p, size_t line, int side,
			     const struct source_call *c)
{
	struct diff_source_call *item = &p->items[p->count++];

	*item = (struct diff_source_call){ .line = line };
	item->call[side] = c;
}

static void add_calls_of_base(struct call_pairing *p, const struct code_line *line, size_t number)
{
	const size_t from = p->count;
	const struct source_call *c;

	while ((c = take_source_call(p, line, CODE_BASE)))
		add_item_of_side(p, number, CODE_BASE, c);
	for (size_t i = p->count; i > from; i--) {
		const uint32_t row = row_of_call(p, CODE_BASE, p->items[i - 1].call[CODE_BASE]);
		p->next[i - 1] = p->first[row];
		p->first[row] = i;
	}
}

static void add_calls_of_head(struct call_pairing *p, const struct code_line *line, size_t number)
{
	const struct source_call *c;

	while ((c = take_source_call(p, line, CODE_HEAD))) {
		const uint32_t row = row_of_call(p, CODE_HEAD, c);
		const size_t item = row ? p->first[row] : 0;
		if (!item) {
			add_item_of_side(p, number, CODE_HEAD, c);
			continue;
		}
		p->items[item - 1].call[CODE_HEAD] = c;
		p->first[row] = p->next[item - 1];
	}
}

static void add_calls_of_line(struct call_pairing *p, const struct code_line *line, size_t number)
{
	const size_t from = p->count;
	size_t kept = from;

	add_calls_of_base(p, line, number);
	add_calls_of_head(p, line, number);
	for (size_t i = from; i < p->count; i++) {
		const struct diff_source_call item = p->items[i];
		if (item.call[CODE_BASE])
			p->first[row_of_call(p, CODE_BASE, item.call[CODE_BASE])] = 0;
		if (call_changed(p->of->d, &item))
			p->items[kept++] = item;
	}
	p->count = kept;
}

int line_calls_make(const struct calls_of_lines *of, const struct code *code,
		    struct diff_source_call **items, size_t *count)
{
	const size_t most = of->files[CODE_BASE]->ncalls + of->files[CODE_HEAD]->ncalls;
	struct call_pairing p = {
		.of = of,
		.items = calloc(most + 1, sizeof *p.items),
		.first = calloc(of->d->count + 1, sizeof *p.first),
		.next = calloc(most + 1, sizeof *p.next),
	};
	int status = p.items && p.first && p.next ? CG_OK : CG_ENOMEM;

	for (size_t i = 0; !status && i < code->count; i++)
		add_calls_of_line(&p, &code->lines[i], i);
	free(p.first);
	free(p.next);
	*items = p.items;
	*count = p.count;
	return status;
}
