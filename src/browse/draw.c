#include "src/browse/drawing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgprofile/names.h"
#include "src/browse/browse.h"
#include "src/browse/cells.h"
#include "src/browse/columns.h"
#include "src/report/cause_words.h"
#include "src/text/short_name.h"

/* ---- texts ---- */

static void draw_fit(struct drawing *d, unsigned y, unsigned x, unsigned columns, const char *text,
		     enum browse_look look, bool right)
{
	/* On a low screen there is no room for all parts. */
	if (y >= d->b->height || x >= d->b->width || !columns)
		return;
	char *fit = cells_fit(text, columns < d->b->width - x ? columns : d->b->width - x, right);
	if (fit)
		d->to->put(d->to->to, y, x, fit, look);
	d->failed |= !fit;
	free(fit);
}

void draw_text(struct drawing *d, unsigned y, unsigned x, unsigned columns, const char *text,
	       enum browse_look look)
{
	draw_fit(d, y, x, columns, text, look, false);
}

void draw_right(struct drawing *d, unsigned y, unsigned x, unsigned columns, const char *text,
		enum browse_look look)
{
	draw_fit(d, y, x, columns, text, look, true);
}

void draw_bar(struct drawing *d, unsigned y, const char *left, const char *right,
	      enum browse_look look)
{
	size_t a = cells_width(left), z = cells_width(right), width = d->b->width;

	draw_text(d, y, 0, (unsigned)width, left, look);
	if (*right && a + z + 2 <= width)
		draw_text(d, y, (unsigned)(width - z - 1), (unsigned)z + 1, right, look);
}

void draw_follow(struct scroll *s, size_t count, size_t lines)
{
	size_t last = count > lines ? count - lines : 0;

	if (s->top > s->at)
		s->top = s->at;
	if (lines && s->at >= s->top + lines)
		s->top = s->at - lines + 1;
	if (s->top > last)
		s->top = last;
}

/* ---- around the list ---- */

/* The end of a path says more than its beginning; allocated. */
static char *short_name(const char *name, unsigned columns)
{
	bool fits = cells_width(name) <= columns;
	return text_cut(fits ? name : cg_base_name(name), columns);
}

/* Which profiles; allocated. */
static char *title_of(const struct browse *b, unsigned columns)
{
	const char *const *names = b->data->names;
	size_t base = cells_width(names[BROWSE_BASE]), head = cells_width(names[BROWSE_HEAD]);
	unsigned room = columns > 12 ? columns - 12 : 12, half = b->data->diff ? room / 2 : room;
	bool whole = base + head <= room;
	char *from = short_name(names[BROWSE_BASE], whole ? (unsigned)base : half);
	char *to = short_name(names[BROWSE_HEAD], whole ? (unsigned)head : half), *title;

	if (!from || !to ||
	    asprintf(&title, " irdiff  %s%s%s", from, b->data->diff ? " → " : "", to) < 0)
		title = NULL;
	free(from);
	free(to);
	return title;
}

static void draw_title(struct drawing *d)
{
	const struct browse *b = d->b;
	const struct browse_metric *m = browse_metric(b);
	const char *metric = m->of[BROWSE_HEAD].name;
	int64_t base = m->total[BROWSE_BASE], head = m->total[BROWSE_HEAD];
	char total[400], from[TEXT_NUMBER], to[TEXT_NUMBER], change[TEXT_NUMBER];

	text_cost(head, to);
	text_change(base, head, change);
	if (!b->data->diff)
		snprintf(total, sizeof total, "%.64s %s", metric, to);
	else if (b->width < NARROW)
		snprintf(total, sizeof total, "%.64s %s", metric, change);
	else
		snprintf(total, sizeof total, "%.64s %s → %s  %s", metric, text_cost(base, from),
			 to, change);
	size_t used = cells_width(total) + 2;
	char *title = title_of(b, b->width > used ? b->width - (unsigned)used : b->width);
	if (title)
		draw_bar(d, 0, title, total, LOOK_BAR);
	d->failed |= !title;
	free(title);
}

static const char *view_name(const struct browse *b)
{
	static const char *const names[] = {
		[VIEW_FUNCTIONS] = "functions",
		[VIEW_PATHS] = "tree",
		[VIEW_CALLERS] = "callers",
		[VIEW_CAUSES] = "causes",
	};
	return names[b->view];
}

static const char *show_name(const struct browse *b)
{
	enum browse_show show = browse_shown(b);
	static const char *const names[] = {
		[BROWSE_DELTA] = "  Δ head − base",
		[BROWSE_CHANGE] = "  Δ% (relative)",
		[BROWSE_ONLY_BASE] = "  base",
		[BROWSE_ONLY_HEAD] = "  head",
	};
	static const char *const short_names[] = {
		[BROWSE_DELTA] = "  Δ",
		[BROWSE_CHANGE] = "  Δ%",
		[BROWSE_ONLY_BASE] = "  base",
		[BROWSE_ONLY_HEAD] = "  head",
	};
	return !b->data->diff ? "" : b->width < NARROW ? short_names[show] : names[show];
}

static void draw_status(struct drawing *d, unsigned y)
{
	static const char *const sorts[] = {
		[BROWSE_BY_INCLUSIVE] = "incl.", [BROWSE_BY_SELF] = "self",
		[BROWSE_BY_CALLS] = "calls",     [BROWSE_BY_NAME] = "name",
		[BROWSE_AS_LISTED] = "size",
	};
	const struct browse *b = d->b;
	const struct list *l = &b->lists[b->view];
	size_t count = b->pane.code ? b->pane.code->count : l->outline->nrows;
	size_t at = b->pane.code ? b->pane.scroll.at : l->scroll.at;
	char left[700], right[200], n[TEXT_NUMBER], m[TEXT_NUMBER];

	snprintf(left, sizeof left, " [%s]  %.64s%s%s%s%s%.200s",
		 b->pane.instructions ? "machine code"
		 : b->pane.code       ? "source"
				      : view_name(b),
		 browse_metric(b)->of[BROWSE_HEAD].name, show_name(b), b->pane.code ? "" : "  by ",
		 b->pane.code ? "" : sorts[l->sort], b->regex ? "  /" : "",
		 b->regex ? b->regex : "");
	snprintf(right, sizeof right, "%s of %s", text_count(count ? at + 1 : 0, n),
		 text_count(count, m));
	draw_bar(d, y, left, right, LOOK_BAR);
}

/* As many of the keys as there is room for, the most important first. */
static void draw_keys(struct drawing *d, unsigned y)
{
	static const char *const of_list[] = { "q quit",      "? help", "Tab view", "Enter fold",
					       "o source",    "a asm",  "/ search", "d Δ",
					       "u unchanged", "s sort", "m metric", NULL };
	static const char *const of_change[] = {
		"q quit",      "? help",   "Tab tree/callers/causes",
		"d Δ",         "o source", "a asm",
		"u unchanged", "/ search", "Enter fold",
		"s sort",      "m metric", NULL
	};
	static const char *const of_causes[] = { "q quit",   "? help", "Tab view", "Enter tree",
						 "o source", "a asm",  "/ search", NULL };
	static const char *const of_source[] = { "q close",  "? help",    "a asm",
						 "/ search", "d Δ",       "u unchanged",
						 "m metric", "←→ scroll", NULL };
	static const char *const of_code[] = { "q close",  "? help",    "o source",
					       "/ search", "d Δ",       "u unchanged",
					       "m metric", "←→ scroll", NULL };
	static const char *const of_help[] = { "any key: back", NULL };
	const struct browse *b = d->b;
	const char *const *keys = b->help                  ? of_help
				  : b->pane.instructions   ? of_code
				  : b->pane.code           ? of_source
				  : b->view == VIEW_CAUSES ? of_causes
				  : b->data->causes        ? of_change
							   : of_list;
	unsigned x = 1;

	draw_text(d, y, 0, b->width, "", LOOK_FAINT);
	for (; *keys; keys++) {
		unsigned width = (unsigned)cells_width(*keys);
		if (strchr("du", keys[0][0]) && !b->data->diff)
			continue;
		if (x + width > b->width)
			break;
		draw_text(d, y, x, width, *keys, LOOK_FAINT);
		x += width + 2;
	}
}

/* The end of what was typed is what is being typed. */
static void draw_prompt(struct drawing *d, unsigned y)
{
	const struct browse *b = d->b;
	const char *typed = b->typed;

	while (*typed && cells_width(typed) + 2 > b->width)
		for (typed++; ((unsigned char)*typed & 0xc0) == 0x80;)
			typed++;
	draw_text(d, y, 0, 1, "/", LOOK_PLAIN);
	draw_text(d, y, 1, b->width - 1, typed, LOOK_PLAIN);
	d->to->cursor(d->to->to, y, 1 + (unsigned)cells_width(typed));
}

static void draw_last_line(struct drawing *d, unsigned y)
{
	if (d->b->prompting)
		draw_prompt(d, y);
	else if (*d->b->message)
		draw_text(d, y, 0, d->b->width, d->b->message, LOOK_PLAIN);
	else
		draw_keys(d, y);
}

/* ---- the list ---- */

static bool is_word_column(const struct column *c)
{
	return c->kind == COLUMN_CLASS || c->kind == COLUMN_WHY;
}

static void draw_headings(struct drawing *d, unsigned y, const struct columns *columns)
{
	static const char *const names[] = {
		[VIEW_FUNCTIONS] = "function",
		[VIEW_PATHS] = "  function, below its caller",
		[VIEW_CALLERS] = "  function, above its callers",
		[VIEW_CAUSES] = "cause",
	};
	char cell[COLUMN_CELL];
	unsigned x = 1;

	draw_text(d, y, 0, d->b->width, "", LOOK_HEADING);
	for (size_t i = 0; i < columns->count; i++) {
		unsigned width = (unsigned)columns->items[i].width;
		const char *title = column_title(d->b, &columns->items[i], cell);
		if (is_word_column(&columns->items[i]))
			draw_text(d, y, x, width, title, LOOK_HEADING);
		else
			draw_right(d, y, x, width, title, LOOK_HEADING);
		x += width + 2;
	}
	draw_text(d, y, x, d->b->width - x, names[d->b->view], LOOK_HEADING);
}

/* Allocated: the fold, and the name as far as there is room for it. */
static char *function_name(const struct browse *b, uint32_t item, const struct browse_row *row,
			   unsigned room)
{
	const struct outline *o = b->lists[b->view].outline;
	const char *fold = o->items[item].open ? "▾ " : outline_can_open(o, item) ? "▸ " : "  ";
	char lead[TEXT_LEAD] = "", notes[300], *name, *text;

	if (b->view == VIEW_FUNCTIONS)
		fold = "";
	text_lead(row->name, o->items[item].depth, room, lead);
	snprintf(notes, sizeof notes, "%s%s%s%s", row->inlined ? " (inlined)" : "",
		 row->estimated ? " ~" : "", row->truncated ? " …" : "",
		 row->cut ? " (with callees)" : "");
	size_t used = cells_width(lead) + cells_width(fold);
	name = text_name_with(row->name, notes, room > used + 4 ? room - (unsigned)used : 4);
	if (!name || asprintf(&text, "%s%s%s", lead, fold, name) < 0)
		text = NULL;
	free(name);
	return text;
}

static char *row_name(const struct browse *b, uint32_t item, const struct browse_row *row,
		      unsigned room)
{
	return row->cause ? text_cause_name(b->data->causes->tree, row->cause, room)
			  : function_name(b, item, row, room);
}

static void draw_row(struct drawing *d, unsigned y, const struct columns *columns, size_t at)
{
	struct browse *b = d->b;
	const struct list *l = &b->lists[b->view];
	uint32_t item = l->outline->rows[at];
	struct browse_row row = outline_row(l->outline, item);
	bool selected = at == l->scroll.at;
	unsigned x = 1;
	char cell[COLUMN_CELL];

	draw_text(d, y, 0, b->width, selected ? ">" : "", selected ? LOOK_SELECTED : LOOK_PLAIN);
	for (size_t i = 0; i < columns->count; i++) {
		const struct column *c = &columns->items[i];
		enum browse_look look = selected ? LOOK_SELECTED : column_look(b, c, &row);
		const char *text = column_cell(b, c, &row, cell);
		if (is_word_column(c))
			draw_text(d, y, x, (unsigned)c->width, text, look);
		else
			draw_right(d, y, x, (unsigned)c->width, text, look);
		x += (unsigned)c->width + 2;
	}
	if (x >= b->width)
		return;
	char *name = row_name(b, item, &row, b->width - x);
	bool matches = b->search && search_matches_row(b->search, &row);
	if (name)
		draw_text(d, y, x, b->width - x, name,
			  selected  ? LOOK_SELECTED
			  : matches ? LOOK_MATCH
				    : LOOK_PLAIN);
	d->failed |= !name;
	free(name);
}

static void draw_no_rows(struct drawing *d, unsigned y, const struct outline *o)
{
	const char *metric = browse_metric(d->b)->of[BROWSE_HEAD].name;
	char text[200];

	if (o->items[0].nchildren && browse_hides(d->b))
		snprintf(text, sizeof text,
			 " No change of %.64s here; m shows another metric, u shows all.", metric);
	else if (o->items[0].nchildren)
		snprintf(text, sizeof text, " No %.64s here; m shows another metric.", metric);
	else
		snprintf(text, sizeof text, "%s",
			 browse_hides(d->b) ? " Nothing changed; u shows all." : " No costs.");
	draw_text(d, y, 0, d->b->width, text, LOOK_PLAIN);
}

static void draw_list(struct drawing *d, const struct layout *l)
{
	struct list *list = &d->b->lists[d->b->view];
	struct columns columns;

	draw_follow(&list->scroll, list->outline->nrows, l->list_lines);
	columns_choose(d->b, list->scroll.top, l->list_lines, &columns);
	draw_headings(d, l->list_top - 1, &columns);
	for (unsigned i = 0; i < l->list_lines; i++) {
		size_t at = list->scroll.top + i;
		if (at < list->outline->nrows)
			draw_row(d, l->list_top + i, &columns, at);
		else
			draw_text(d, l->list_top + i, 0, d->b->width, "", LOOK_PLAIN);
	}
	if (!list->outline->nrows)
		draw_no_rows(d, l->list_top, list->outline);
}

/* Where it is; allocated. */
static char *whereabouts(const struct browse_row *row)
{
	bool file = *row->file && text_is_known(row->file);
	bool object = *row->object && text_is_known(row->object);
	char *text;

	if (asprintf(&text, "%s%s%s%s%s%s", row->was ? "  was " : "", row->was ? row->was : "",
		     file ? "  " : "", file ? row->file : "", object ? "  " : "",
		     object ? row->object : "") < 0)
		return NULL;
	return text;
}

/* All of what is cut in its row. */
static void draw_detail(struct drawing *d, unsigned y)
{
	enum { LEAST_NAME = 20 };
	const struct browse *b = d->b;
	uint32_t item = browse_selected(b);
	if (!item) {
		draw_text(d, y, 0, b->width, "", LOOK_FAINT);
		return;
	}
	struct browse_row row = outline_row(b->lists[b->view].outline, item);
	char *where = whereabouts(&row), *line = NULL;
	size_t used = where ? cells_width(where) + 1 : 0;
	unsigned room = used + LEAST_NAME < b->width ? b->width - (unsigned)used : b->width - 1;
	char *name = text_name(row.name, room);

	if (!where || !name || asprintf(&line, " %s%s", name, where) < 0)
		line = NULL;
	if (line)
		draw_text(d, y, 0, b->width, line, LOOK_FAINT);
	d->failed |= !line;
	free(line);
	free(name);
	free(where);
}

int browse_draw(struct browse *b, const struct browse_painter *to)
{
	struct drawing d = { b, to, false };
	struct layout l = browse_layout(b);

	if (b->height < 3 || b->width < 2)
		return CG_OK;
	draw_title(&d);
	if (b->help) {
		draw_help(&d);
	} else {
		if (l.list_lines)
			draw_list(&d, &l);
		if (l.pane_lines)
			draw_pane(&d, &l);
		if (l.detail)
			draw_detail(&d, l.detail);
	}
	draw_status(&d, b->height - 2);
	draw_last_line(&d, b->height - 1);
	return d.failed ? CG_ENOMEM : CG_OK;
}
