#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/browse/cells.h"
#include "src/browse/columns.h"
#include "src/browse/drawing.h"

/* Columns of the numbers; 0: there is no room for them. */
struct widths {
	size_t inclusive, self, number;
};

static bool line_is_on(const struct code_line *line, int side)
{
	return line->in[side];
}

static const char *value(const struct browse *b, const int64_t *const *costs,
			 char buffer[COLUMN_CELL])
{
	const struct browse_metric *m = browse_metric(b);
	int64_t base = browse_value(m, BROWSE_BASE, costs[BROWSE_BASE]);
	int64_t head = browse_value(m, BROWSE_HEAD, costs[BROWSE_HEAD]);

	if (browse_shows_change(b) ? base == head : !base && !head)
		return "";
	return columns_value(browse_shown(b), base, head, buffer);
}

static size_t larger_width(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* "Δ self Ir" */
static const char *pane_title(const struct browse *b, bool inclusive, char buffer[COLUMN_CELL])
{
	const struct column c = { .kind = COLUMN_COST,
				  .inclusive = inclusive,
				  .named = b->width >= NARROW };
	return column_title(b, &c, buffer);
}

/* Of all lines, so that nothing moves while one scrolls. */
static struct widths measure_pane(const struct browse *b)
{
	enum { LEAST_TEXT = 30, GAPS = 8 };
	char cell[COLUMN_CELL];
	struct widths w = { .inclusive = cells_width(pane_title(b, true, cell)),
			    .self = cells_width(pane_title(b, false, cell)),
			    .number = 4 };

	for (size_t i = 0; i < b->pane.code->count; i++) {
		const struct code_line *l = &b->pane.code->lines[i];
		w.inclusive = larger_width(w.inclusive, text_width(value(b, l->inclusive, cell)));
		w.self = larger_width(w.self, text_width(value(b, l->self, cell)));
		snprintf(cell, sizeof cell, "%" PRIu32, l->number[BROWSE_HEAD]);
		w.number = larger_width(w.number, strlen(cell));
	}
	if (b->pane.instructions || w.inclusive + w.self + w.number + GAPS + LEAST_TEXT > b->width)
		w.inclusive = 0;
	return w;
}

/* Marks a line that only one side has, as diff(1) does. */
static const char *mark(const struct browse *b, const struct code_line *line)
{
	if (!browse_shows_change(b) ||
	    line_is_on(line, BROWSE_BASE) == line_is_on(line, BROWSE_HEAD))
		return " ";
	return line_is_on(line, BROWSE_HEAD) ? "+" : "-";
}

static const char *pane_line_text(const struct browse *b, const struct code_line *line)
{
	int side = line_is_on(line, BROWSE_HEAD) ? BROWSE_HEAD : BROWSE_BASE;

	if (code_text(line))
		return code_text(line);
	if (!line->number[side])
		return "<instructions without a line>";
	bool found = b->pane.sides.side[side].text->path != NULL;
	return found ? "<no such line: the file has changed>" : "";
}

static enum browse_look look_of(const struct browse *b, const int64_t *const *costs)
{
	const struct browse_metric *m = browse_metric(b);
	int64_t base = browse_value(m, BROWSE_BASE, costs[BROWSE_BASE]);
	int64_t head = browse_value(m, BROWSE_HEAD, costs[BROWSE_HEAD]);

	if (!browse_shows_change(b) || base == head)
		return LOOK_PLAIN;
	return head > base ? LOOK_MORE : LOOK_LESS;
}

/* Without what is scrolled out at the left; allocated. */
static char *scrolled(const char *text, size_t left)
{
	size_t width = cells_width(text);
	char *all = cells_fit(text, width, false), *rest;
	if (!all)
		return NULL;
	char *at = all;
	for (size_t skipped = 0; *at && skipped < left; skipped++)
		for (at++; ((unsigned char)*at & 0xc0) == 0x80;)
			at++;
	rest = strdup(at);
	free(all);
	return rest;
}

static void draw_line(struct drawing *d, unsigned y, const struct widths *w, size_t at)
{
	const struct browse *b = d->b;
	const struct code_line *line = &b->pane.code->lines[at];
	bool selected = at == b->pane.scroll.at;
	int side = line_is_on(line, BROWSE_HEAD) ? BROWSE_HEAD : BROWSE_BASE;
	char cell[COLUMN_CELL];
	unsigned x = 1;

	draw_text(d, y, 0, b->width, selected ? ">" : "", selected ? LOOK_SELECTED : LOOK_PLAIN);
	draw_right(d, y, x, (unsigned)w->self, value(b, line->self, cell),
		   selected ? LOOK_SELECTED : look_of(b, line->self));
	x += (unsigned)w->self + 2;
	if (w->inclusive) {
		draw_right(d, y, x, (unsigned)w->inclusive, value(b, line->inclusive, cell),
			   selected ? LOOK_SELECTED : look_of(b, line->inclusive));
		x += (unsigned)w->inclusive + 2;
	}
	snprintf(cell, sizeof cell, "%" PRIu32, line->number[side]);
	draw_right(d, y, x, (unsigned)w->number, line->number[side] ? cell : "",
		   selected ? LOOK_SELECTED : LOOK_FAINT);
	x += (unsigned)w->number + 1;
	draw_text(d, y, x, 1, mark(b, line), selected ? LOOK_SELECTED : LOOK_PLAIN);
	x += 2;
	char *text = scrolled(pane_line_text(b, line), b->pane.left);
	bool matches = b->search && code_text(line) &&
		       search_matches_text(b->search, code_text(line));
	if (text && x < b->width)
		draw_text(d, y, x, b->width - x, text,
			  selected  ? LOOK_SELECTED
			  : matches ? LOOK_MATCH
				    : LOOK_PLAIN);
	d->failed |= !text;
	free(text);
}

static const char *pane_path(const struct code_side *s)
{
	if (s->text && s->text->path && *s->text->path)
		return s->text->path;
	return s->file && s->file->file ? cg_string(s->profile, s->file->file) : "???";
}

static void draw_pane_title(struct drawing *d, unsigned y)
{
	const struct browse *b = d->b;
	const struct code_side *base = &b->pane.sides.side[BROWSE_BASE];
	const struct code_side *head = &b->pane.sides.side[BROWSE_HEAD];
	bool in_head = head->file && browse_shown(b) != BROWSE_ONLY_BASE;
	const struct code_side *shown = in_head ? head : base;
	const char *note = b->pane.instructions                                ? b->pane.note
			   : shown->note                                       ? shown->note
			   : base->note && browse_shown(b) != BROWSE_ONLY_HEAD ? base->note
									       : "";
	char *line;

	const char *what = b->pane.instructions ? "machine code of" : pane_path(shown);

	if (asprintf(&line, " %s  %s", what, b->pane.title) < 0) {
		d->failed = true;
		return;
	}
	draw_bar(d, y, line, note, LOOK_BAR);
	free(line);
}

static void draw_pane_headings(struct drawing *d, unsigned y, const struct widths *w)
{
	char title[COLUMN_CELL];
	unsigned x = 1;

	draw_text(d, y, 0, d->b->width, "", LOOK_HEADING);
	pane_title(d->b, false, title);
	draw_right(d, y, x, (unsigned)w->self, title, LOOK_HEADING);
	x += (unsigned)w->self + 2;
	if (w->inclusive) {
		pane_title(d->b, true, title);
		draw_right(d, y, x, (unsigned)w->inclusive, title, LOOK_HEADING);
		x += (unsigned)w->inclusive + 2;
	}
	draw_right(d, y, x, (unsigned)w->number, "line", LOOK_HEADING);
	x += (unsigned)w->number + 3;
	draw_text(d, y, x, d->b->width, d->b->pane.instructions ? "instruction" : "source",
		  LOOK_HEADING);
}

void draw_pane(struct drawing *d, const struct layout *l)
{
	struct pane *p = &d->b->pane;
	struct widths w = measure_pane(d->b);

	draw_follow(&p->scroll, p->code->count, l->pane_lines);
	draw_pane_title(d, l->pane_top - 2);
	draw_pane_headings(d, l->pane_top - 1, &w);
	for (unsigned i = 0; i < l->pane_lines; i++) {
		size_t at = p->scroll.top + i;
		if (at < p->code->count)
			draw_line(d, l->pane_top + i, &w, at);
		else
			draw_text(d, l->pane_top + i, 0, d->b->width, "", LOOK_PLAIN);
	}
}
