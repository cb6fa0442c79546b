#include "src/report/text/events.h"

#include <stdlib.h>
#include <string.h>

/* How many are shown: events, or the metric alone. */
static size_t events_shown(const struct diff_report *r)
{
	return r->nevents ? r->nevents : 1;
}

struct diff_event event_shown(const struct diff_report *r, size_t i)
{
	return r->nevents ? r->events[i]
			  : (struct diff_event){ r->diff->base_metric, r->diff->head_metric };
}

static void fill_titles(struct event_cells *c, const struct diff_report *r,
			const struct text_style *style)
{
	static const char *const words[] = { "base", "head", "Δ" };
	bool named = r->nevents > 0, whole = style->wide || !style->width;

	for (size_t i = 0; i < c->count; i++) {
		const char *word = words[i % EVENT_CELLS];
		struct diff_event event = event_shown(r, i / EVENT_CELLS);
		char *name = text_cut(event.head.name, whole ? EVENT_NAME : EVENT_SHORT);
		bool delta = i % EVENT_CELLS == EVENT_DELTA;
		if (!named || !name)
			snprintf(c->cells[i], sizeof c->cells[i], "%s", word);
		else
			snprintf(c->cells[i], sizeof c->cells[i], "%s %s", delta ? word : name,
				 delta ? name : word);
		free(name);
	}
}

int event_cells_init(struct event_cells *c, const struct diff_report *r,
		     const struct text_style *style)
{
	c->count = events_shown(r) * EVENT_CELLS;
	c->cells = calloc(c->count, sizeof *c->cells);
	if (!c->cells)
		return CG_ENOMEM;
	fill_titles(c, r, style);
	return CG_OK;
}

void event_cells_free(struct event_cells *c)
{
	free(c->cells);
	*c = (struct event_cells){ 0 };
}

static void fill_cost(char cell[EVENT_CELL], const struct metric *m, const int64_t *costs,
		      bool other)
{
	if (costs)
		text_cost(metric_value(m, costs), cell);
	else
		snprintf(cell, TEXT_NUMBER, "%s", other ? "–" : "");
}

void event_cells_fill(struct event_cells *c, const struct diff_report *r, const int64_t *base,
		      const int64_t *head)
{
	for (size_t i = 0; i < events_shown(r); i++) {
		const struct diff_event e = event_shown(r, i);
		char(*cells)[EVENT_CELL] = c->cells + i * EVENT_CELLS;
		fill_cost(cells[EVENT_BASE], &e.base, base, head);
		fill_cost(cells[EVENT_HEAD], &e.head, head, base);
		cells[EVENT_DELTA][0] = '\0';
		if (base || head)
			text_delta(base ? metric_value(&e.base, base) : 0,
				   head ? metric_value(&e.head, head) : 0, cells[EVENT_DELTA]);
	}
}

void event_cells_widen(const struct event_cells *c, size_t *widths)
{
	for (size_t i = 0; i < c->count; i++) {
		size_t width = text_width(c->cells[i]);
		if (width > widths[i])
			widths[i] = width;
	}
}

void event_cells_print(const struct event_cells *c, size_t count, const size_t *widths, FILE *to)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t have = text_width(c->cells[i]); have < widths[i]; have++)
			fputc(' ', to);
		fprintf(to, "%s  ", c->cells[i]);
	}
}

/* ---- tables ---- */

static int add_event_row(struct event_table *t, const char *color, const char *const *texts)
{
	const char *cells[TEXT_MAX_CELLS];

	for (size_t i = 0; i < t->table.ncells; i++)
		cells[i] = i < t->cells.count ? t->cells.cells[i] : texts[i - t->cells.count];
	return text_table_add(&t->table, color, cells);
}

int event_table_init(struct event_table *t, const struct diff_report *r, size_t rows,
		     const char *tail, const char *const *titles, const struct text_style *style)
{
	*t = (struct event_table){ 0 };
	if (event_cells_init(&t->cells, r, style))
		return CG_ENOMEM;
	char align[TEXT_MAX_CELLS + 1];
	memset(align, 'r', t->cells.count);
	memcpy(align + t->cells.count, tail, strlen(tail) + 1);
	if (text_table_init(&t->table, rows + 1, align))
		return CG_ENOMEM;
	return add_event_row(t, text_dim(style), titles);
}

int event_table_add(struct event_table *t, const struct diff_report *r, const char *color,
		    const int64_t *base, const int64_t *head, const char *const *texts)
{
	event_cells_fill(&t->cells, r, base, head);
	return add_event_row(t, color, texts);
}

size_t event_table_fit(struct event_table *t, const struct text_style *style)
{
	enum { NAME = 20 };
	size_t shown = t->cells.count / EVENT_CELLS, left_out = 0;

	for (;
	     shown > 1 && !style->wide && style->width && text_table_room(&t->table, style) < NAME;
	     left_out++)
		text_table_drop(&t->table, --shown * EVENT_CELLS, EVENT_CELLS);
	return left_out;
}

void events_print_rest(size_t left_out, FILE *to)
{
	if (left_out)
		fprintf(to, "  … and %zu more event%s; see them with --wide\n", left_out,
			left_out == 1 ? "" : "s");
}

void event_table_free(struct event_table *t)
{
	event_cells_free(&t->cells);
	text_table_free(&t->table);
}
