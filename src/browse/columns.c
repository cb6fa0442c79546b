#include "src/browse/columns.h"

#include <stdio.h>
#include <string.h>

#include "src/report/summary.h"

enum { GAP = 2 };

bool browse_shows_change(const struct browse *b)
{
	return browse_shown(b) == BROWSE_DELTA || browse_shown(b) == BROWSE_CHANGE;
}

static int shown_side(const struct browse *b)
{
	return browse_shown(b) == BROWSE_ONLY_BASE ? BROWSE_BASE : BROWSE_HEAD;
}

static const int64_t *column_costs(const struct browse_costs *side, bool inclusive)
{
	return inclusive ? side->inclusive : side->self;
}

static int64_t column_value(const struct browse *b, const struct column *c,
			    const struct browse_row *row, int side)
{
	return browse_value(browse_metric(b), side, column_costs(&row->side[side], c->inclusive));
}

/* ---- cells ---- */

const char *column_title(const struct browse *b, const struct column *c, char buffer[COLUMN_CELL])
{
	static const char *const costs[] = { [BROWSE_DELTA] = "Δ ",
					     [BROWSE_CHANGE] = "Δ% ",
					     [BROWSE_ONLY_BASE] = "",
					     [BROWSE_ONLY_HEAD] = "" };
	const char *what = c->inclusive ? "incl." : "self";
	const char *blank = c->named ? " " : "";
	const char *metric = c->named ? browse_metric(b)->of[BROWSE_HEAD].name : "";

	switch (c->kind) {
	case COLUMN_COST:
		snprintf(buffer, COLUMN_CELL, "%s%s%s%.32s", costs[browse_shown(b)], what, blank,
			 metric);
		break;
	case COLUMN_SHARE:
		if (!browse_shows_change(b))
			snprintf(buffer, COLUMN_CELL, "%s %%", what);
		else
			snprintf(buffer, COLUMN_CELL, "%s%s%% of base", c->secondary ? what : "",
				 c->secondary ? " " : "");
		break;
	case COLUMN_BASE:
		snprintf(buffer, COLUMN_CELL, "base %s%s%.32s", what, blank, metric);
		break;
	case COLUMN_HEAD:
		snprintf(buffer, COLUMN_CELL, "head %s%s%.32s", what, blank, metric);
		break;
	case COLUMN_CALLS:
		return "calls";
	case COLUMN_CLASS:
		return b->view == VIEW_FUNCTIONS ? "why" : "class";
	case COLUMN_CAUSE:
		snprintf(buffer, COLUMN_CELL, "Δ%s%.32s", blank, metric);
		break;
	case COLUMN_PART:
		return "share";
	case COLUMN_WHY:
		return "why";
	}
	return buffer;
}

const char *columns_value(enum browse_show show, int64_t base, int64_t head,
			  char buffer[COLUMN_CELL])
{
	switch (show) {
	case BROWSE_DELTA:
		return text_delta(base, head, buffer);
	case BROWSE_CHANGE:
		return text_change(base, head, buffer);
	default:
		return text_cost(show == BROWSE_ONLY_BASE ? base : head, buffer);
	}
}

/* The difference of two upper bounds is no bound of the difference. */
static bool is_unknown_change(const struct browse *b, const struct column *c,
			      const struct browse_row *row)
{
	bool bound = row->side[BROWSE_BASE].bound || row->side[BROWSE_HEAD].bound;
	return c->inclusive && browse_shows_change(b) && bound;
}

static const char *side_cell(const struct browse *b, const struct column *c,
			     const struct browse_row *row, int side, char buffer[COLUMN_CELL])
{
	const struct browse_costs *s = &row->side[side];
	char number[TEXT_NUMBER];

	if (!s->present || !column_costs(s, c->inclusive))
		return "–";
	snprintf(buffer, COLUMN_CELL, "%s%s", c->inclusive && s->bound ? "≤" : "",
		 text_cost(column_value(b, c, row, side), number));
	return buffer;
}

static const char *class_cell(const struct browse *b, const struct browse_row *row)
{
	const struct browse_metric *m = browse_metric(b);
	const struct list *l = &b->lists[b->view];
	const struct browse_costs *base = &row->side[BROWSE_BASE], *head = &row->side[BROWSE_HEAD];
	struct diff d = *b->data->diff;
	bool inclusive = l->sort == BROWSE_BY_INCLUSIVE;

	d.base_metric = m->of[BROWSE_BASE];
	d.head_metric = m->of[BROWSE_HEAD];
	d.tolerance = diff_tolerance(&d, m->of[BROWSE_BASE].name);
	int64_t from = browse_value(m, BROWSE_BASE, column_costs(base, inclusive));
	int64_t to = browse_value(m, BROWSE_HEAD, column_costs(head, inclusive));
	if (base->present != head->present && !diff_tolerates(&d, from, to))
		return diff_class_name(base->present ? DIFF_REMOVED : DIFF_NEW);
	enum diff_class c = base->present != head->present ? DIFF_TOLERATED
							   : diff_classify_change(&d, from, to);
	return c == DIFF_UNCHANGED ? "" : diff_class_name(c);
}

static const char *cost_cell(const struct browse *b, const struct column *c,
			     const struct browse_row *row, char buffer[COLUMN_CELL])
{
	if (!browse_shows_change(b))
		return side_cell(b, c, row, shown_side(b), buffer);
	return is_unknown_change(b, c, row)
		       ? "?"
		       : columns_value(browse_shown(b), column_value(b, c, row, BROWSE_BASE),
				       column_value(b, c, row, BROWSE_HEAD), buffer);
}

static const char *share_cell(const struct browse *b, const struct column *c,
			      const struct browse_row *row, char buffer[COLUMN_CELL])
{
	const struct browse_metric *m = browse_metric(b);

	if (is_unknown_change(b, c, row))
		return "?";
	if (browse_shows_change(b))
		return text_share_of_base(column_value(b, c, row, BROWSE_BASE),
					  column_value(b, c, row, BROWSE_HEAD),
					  m->total[BROWSE_BASE], buffer);
	if (!row->side[shown_side(b)].present)
		return "–";
	return text_share(column_value(b, c, row, shown_side(b)), m->total[shown_side(b)], buffer);
}

static const char *calls_cell(const struct browse *b, const struct browse_row *row,
			      char buffer[COLUMN_CELL])
{
	const struct browse_costs *base = &row->side[BROWSE_BASE], *head = &row->side[BROWSE_HEAD];
	uint64_t calls = row->side[shown_side(b)].calls;

	if (browse_shows_change(b))
		return text_calls(base->calls, head->calls, buffer);
	return calls ? text_count(calls, buffer) : "–";
}

const char *column_cell(const struct browse *b, const struct column *c,
			const struct browse_row *row, char buffer[COLUMN_CELL])
{
	switch (c->kind) {
	case COLUMN_COST:
		return cost_cell(b, c, row, buffer);
	case COLUMN_SHARE:
		return share_cell(b, c, row, buffer);
	case COLUMN_BASE:
		return side_cell(b, c, row, BROWSE_BASE, buffer);
	case COLUMN_HEAD:
		return side_cell(b, c, row, BROWSE_HEAD, buffer);
	case COLUMN_CALLS:
		return calls_cell(b, row, buffer);
	case COLUMN_CLASS:
		return class_cell(b, row);
	case COLUMN_CAUSE:
		return text_delta(0, row->cause->delta, buffer);
	case COLUMN_PART:
		return summary_has_shares(b->data->causes)
			       ? text_part(row->cause->delta, b->data->causes->delta, buffer)
			       : "";
	case COLUMN_WHY:
		return cause_reason(row->cause);
	}
	return "";
}

enum browse_look column_look(const struct browse *b, const struct column *c,
			     const struct browse_row *row)
{
	if (c->kind == COLUMN_CAUSE)
		return row->cause->delta > 0 ? LOOK_MORE : LOOK_LESS;
	bool colored = c->kind == COLUMN_COST || c->kind == COLUMN_SHARE;

	if (!colored || !browse_shows_change(b) || is_unknown_change(b, c, row))
		return LOOK_PLAIN;
	int64_t base = column_value(b, c, row, BROWSE_BASE),
		head = column_value(b, c, row, BROWSE_HEAD);
	return head > base ? LOOK_MORE : head < base ? LOOK_LESS : LOOK_PLAIN;
}

/* ---- which ones ---- */

static void add_column(struct columns *c, enum column_kind kind, bool inclusive, unsigned rank)
{
	c->items[c->count++] = (struct column){
		.kind = kind, .inclusive = inclusive, .named = rank == 0, .rank = rank
	};
}

static void list_cause_columns(const struct browse *b, struct columns *c)
{
	add_column(c, COLUMN_CAUSE, false, 0);
	if (summary_has_shares(b->data->causes))
		add_column(c, COLUMN_PART, false, 1);
	add_column(c, COLUMN_CALLS, false, 3);
	add_column(c, COLUMN_WHY, false, 2);
}

/* The column that rows are ordered by comes first and is left out last. */
static void list_columns(const struct browse *b, struct columns *c)
{
	bool change = browse_shows_change(b), calls = b->data->has_calls;
	bool inclusive = calls && b->lists[b->view].sort != BROWSE_BY_SELF;

	*c = (struct columns){ 0 };
	if (b->view == VIEW_CAUSES) {
		list_cause_columns(b, c);
		return;
	}
	if (change) {
		add_column(c, COLUMN_BASE, inclusive, 7);
		add_column(c, COLUMN_HEAD, inclusive, 6);
	}
	add_column(c, COLUMN_COST, inclusive, 0);
	add_column(c, COLUMN_SHARE, inclusive, 1);
	if (calls) {
		add_column(c, COLUMN_COST, !inclusive, 2);
		add_column(c, COLUMN_SHARE, !inclusive, 5);
		c->items[c->count - 1].secondary = true;
		add_column(c, COLUMN_CALLS, false, 4);
	}
	if (change)
		add_column(c, COLUMN_CLASS, false, 3);
}

static void fit(const struct browse *b, struct columns *c, const struct browse_row *row)
{
	char cell[COLUMN_CELL];
	for (size_t i = 0; i < c->count; i++) {
		size_t width = text_width(row ? column_cell(b, &c->items[i], row, cell)
					      : column_title(b, &c->items[i], cell));
		if (width > c->items[i].width)
			c->items[i].width = width;
	}
}

static void remove_last_ranked(struct columns *c)
{
	size_t last = 0;
	for (size_t i = 1; i < c->count; i++)
		if (c->items[i].rank > c->items[last].rank)
			last = i;
	c->width -= c->items[last].width + GAP;
	c->count--;
	memmove(c->items + last, c->items + last + 1, (c->count - last) * sizeof *c->items);
}

/* Titles name the metric as long as there is room for it. */
static void name_metric(const struct browse *b, struct columns *c, size_t room)
{
	char title[COLUMN_CELL];

	for (size_t i = 0; i < c->count; i++) {
		struct column *column = &c->items[i], named = *column;
		named.named = true;
		size_t wanted = text_width(column_title(b, &named, title));
		size_t more = wanted > column->width ? wanted - column->width : 0;
		if (c->width + more > room)
			continue;
		*column = named;
		column->width += more;
		c->width += more;
	}
}

void columns_choose(const struct browse *b, size_t first, size_t rows, struct columns *out)
{
	enum { LEAST_NAME = 14, MOST_NAME = 44 };
	const struct outline *o = b->lists[b->view].outline;
	size_t name = b->width * 2 / 5;

	name = name < LEAST_NAME ? LEAST_NAME : name > MOST_NAME ? MOST_NAME : name;
	list_columns(b, out);
	fit(b, out, NULL);
	for (size_t i = first; i < o->nrows && i < first + rows; i++) {
		struct browse_row row = outline_row(o, o->rows[i]);
		fit(b, out, &row);
	}
	for (size_t i = 0; i < out->count; i++)
		out->width += out->items[i].width + GAP;
	while (out->count > 1 && out->width + name > b->width)
		remove_last_ranked(out);
	name_metric(b, out, b->width > name ? b->width - name : 0);
}
