#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/cancelled.h"
#include "src/report/cause_change.h"
#include "src/report/cause_words.h"
#include "src/report/diff_table.h"
#include "src/report/estimates.h"
#include "src/report/markdown/markdown.h"
#include "src/text/short_name.h"

/* ---- causes ---- */

static const struct table_column cause_columns[] = {
	DIFF_COLUMN("cause", CELL_OWN, name),   DIFF_COLUMN("change", CELL_OWN, why),
	DIFF_COLUMN("Δ", CELL_OWN, delta),      DIFF_COLUMN("share", CELL_PART, share),
	DIFF_COLUMN("where", CELL_OWN, source),
};

static const struct table_column cause_columns_without_shares[] = {
	DIFF_COLUMN("cause", CELL_OWN, name),
	DIFF_COLUMN("change", CELL_OWN, why),
	DIFF_COLUMN("Δ", CELL_OWN, delta),
	DIFF_COLUMN("where", CELL_OWN, source),
};

static void print_md_cause_name(struct md_page *p, const struct diff_report *r,
				const struct cause *c)
{
	char *name = cause_name(r, c, MD_CELL);

	if (name)
		md_code(p, name, 0);
	else
		p->failed = true;
	free(name);
}

static void print_md_cause_change(struct md_page *p, const struct diff_report *r,
				  const struct cause *c)
{
	struct md_text change;

	if (!md_text_begin(p, &change))
		return;
	cause_print_change(r->causes, c, TEXT_SENTENCE_NAME, change.to);
	if (cause_print_parts(r->causes, c, " (", TEXT_SENTENCE_NAME, change.to))
		fputc(')', change.to);
	md_sentence(p, md_text_end(p, &change));
	free(change.text);
}

/* "`parser.c:94`"; nothing of NULL. */
static void md_place(struct md_page *p, const struct cause_place *at)
{
	struct md_text place;

	if (!at || !md_text_begin(p, &place))
		return;
	cause_print_place(at, place.to);
	md_code(p, md_text_end(p, &place), MD_CELL);
	free(place.text);
}

void md_place_of_cause(struct md_page *p, const struct cause *c, const struct cause_place *at)
{
	const struct edit_mark mark = cause_edit_mark(c);

	md_place(p, at);
	if (!at)
		return;
	fputs(mark.before, p->to);
	if (*mark.name)
		md_code(p, mark.name, MD_CELL);
	fputs(mark.after, p->to);
}

static void print_md_cause(struct md_page *p, const struct report_table *t, size_t i,
			   const struct table_column *column)
{
	const struct cause *c = diff_table_cause(t, i);
	char delta[TEXT_NUMBER];

	if (column->member == offsetof(struct diff_cells, name))
		print_md_cause_name(p, t->report, c);
	else if (column->member == offsetof(struct diff_cells, why))
		print_md_cause_change(p, t->report, c);
	else if (column->member == offsetof(struct diff_cells, delta))
		fprintf(p->to, "%s%s", c->estimated ? "~" : "", text_delta(0, c->delta, delta));
	else
		md_place_of_cause(p, c, cause_place_of(t->report, i));
}

/* ---- the source there ---- */

static size_t fence_around_lines(const struct cause_place *at)
{
	size_t fence = md_fence_around("");

	for (size_t i = 0; i < at->nlines; i++) {
		size_t around = md_fence_around(at->lines[i].text);
		fence = around > fence ? around : fence;
	}
	return fence;
}

/* Blanks at its beginning; a line without anything else has any number. */
static size_t blanks_before(const char *text)
{
	size_t n = strspn(text, " ");
	return text[n] ? n : SIZE_MAX;
}

/* Those that changed, without the indentation that all of them have. */
static void print_md_source(struct md_page *p, const struct cause_line *lines, size_t count)
{
	char **texts = calloc(count + 1, sizeof *texts);
	size_t indent = SIZE_MAX;
	bool failed = !texts;

	for (size_t i = 0; !failed && i < count; i++) {
		if (lines[i].sign == ' ')
			continue;
		texts[i] = text_source(lines[i].text, MD_FACT);
		failed = !texts[i];
		if (texts[i] && blanks_before(texts[i]) < indent)
			indent = blanks_before(texts[i]);
	}
	for (size_t i = 0; !failed && i < count; i++) {
		size_t len = texts[i] ? strlen(texts[i]) : 0;
		if (texts[i])
			fprintf(p->to, "%c%s\n", lines[i].sign,
				texts[i] + (indent < len ? indent : len));
	}
	for (size_t i = 0; texts && i < count; i++)
		free(texts[i]);
	free(texts);
	p->failed |= failed;
}

/* The lines that changed at the place of the first cause that has such lines. */
static void print_md_lines(struct md_page *p, const struct diff_report *r, size_t shown)
{
	const struct cause_place *at = NULL;

	for (size_t i = 0; i < shown && !at; i++)
		if (cause_place_of(r, i) && r->places[i].nlines)
			at = &r->places[i];
	if (!at)
		return;
	const size_t fence = fence_around_lines(at);
	md_row(p, MD_CAUSES);
	fputc('\n', p->to);
	md_place(p, at);
	fputs(":\n\n", p->to);
	md_fence(fence, "diff", p->to);
	print_md_source(p, at->lines, at->nlines);
	md_fence(fence, NULL, p->to);
	md_rows_end(p, "lines of source");
}

/* ---- all causes ---- */

static bool shows_md_estimates(const struct diff_report *r, size_t shown)
{
	for (size_t i = 0; i < shown; i++)
		if (r->causes->items[r->chosen_causes[i]].estimated)
			return true;
	return false;
}

static void print_md_estimates(struct md_page *p, const struct diff_report *r)
{
	char *why = estimates_explain(r->causes->tree);

	p->failed |= !why;
	fprintf(p->to, "\n`~` marks estimates%s.\n", why ? why : "");
	free(why);
}

/* What is not listed: too many, or too small. Saturates. */
static void print_md_smaller_causes(struct md_page *p, const struct diff_report *r, size_t shown)
{
	size_t hidden = r->causes_hidden + r->ncauses - shown;
	size_t n = r->causes_smaller + r->ncauses - shown;
	char delta[TEXT_NUMBER];

	if (n == 0)
		return;
	fprintf(p->to, "\n… and %zu smaller cause%s %s%s.\n", n, n == 1 ? "," : "s, together",
		text_delta(0, summary_smaller_causes(r, shown), delta),
		hidden ? "; `--top=0` shows all" : "");
}

void md_causes(struct md_page *p, const struct diff_report *r)
{
	char delta[TEXT_NUMBER];
	struct report_table t;

	if (!r->causes || r->ncauses == 0)
		return;
	md_block(p, NULL, "Causes of the change of %s%s", text_delta(0, r->causes->delta, delta),
		 r->causes->delta ? "" : ", as they cancel each other");
	diff_causes_table(r, &t);
	if (summary_has_shares(r->causes))
		TABLE_COLUMNS(&t, cause_columns);
	else
		TABLE_COLUMNS(&t, cause_columns_without_shares);
	t.nrows = md_shown(p, r, r->ncauses);
	md_table(p, &t, print_md_cause, MD_CAUSES, "causes");
	print_md_smaller_causes(p, r, t.nrows);
	if (*estimates_replaced(r))
		fprintf(p->to, "\n%s.\n", estimates_replaced(r));
	if (shows_md_estimates(r, t.nrows))
		print_md_estimates(p, r);
	print_md_lines(p, r, t.nrows);
	md_block_end(p);
}

void md_cancelled(struct md_page *p, const struct diff_report *r)
{
	struct cancelled_change of[CANCELLED_CHANGES];
	char delta[TEXT_NUMBER];

	if (!cancelled_find(r, of))
		return;
	md_block(p, NULL, "Larger changes cancel each other out");
	for (size_t i = 0; i < CANCELLED_CHANGES; i++) {
		fputs("- ", p->to);
		md_code(p, of[i].row->name, MD_NAME);
		fprintf(p->to, "%s: %s, %s\n", tree_row_inlined(of[i].row) ? " (inlined)" : "",
			cancelled_how(r, &of[i]), text_delta(0, of[i].delta, delta));
	}
	fputs("\nSee them with `--view=tree`.\n", p->to);
	md_block_end(p);
}

/* ---- depth ---- */

static void print_deepest(struct md_page *p, const struct depth_change *c)
{
	fprintf(p->to, "Deepest stack: %u → %u frames.", c->base.max, c->head.max);
	if (c->head.max != c->base.max && c->base.deepest && c->head.deepest) {
		fputs(" The deepest path ends in ", p->to);
		md_code(p, c->base.deepest, MD_NAME);
		if (strcmp(c->base.deepest, c->head.deepest) != 0) {
			fputs(" in base, in ", p->to);
			md_code(p, c->head.deepest, MD_NAME);
			fputs(" in head", p->to);
		}
		fputc('.', p->to);
	}
	fputs(c->exact ? "\n" : " Some call paths are estimated, so these depths are, too.\n",
	      p->to);
}

/* The average alone follows what the functions cost. */
static bool depth_changed(const struct depth_change *c)
{
	return c->count || c->head.max != c->base.max;
}

/* Of a row below one that was inlined or wrapped: what is between. */
static void print_between(struct md_page *p, const struct tree_row *row, const struct depth_row *d)
{
	bool deeper = d->head > d->base;
	const char *via = deeper ? row->head.via : row->base.via;

	if (row->base.inlined != row->head.inlined)
		fputs(row->head.inlined ? ", inlined in head" : ", no longer inlined", p->to);
	if (!via)
		return;
	fputs(", through ", p->to);
	md_code(p, via, MD_CELL);
	fputs(deeper ? " in head" : " in base", p->to);
}

void md_depth(struct md_page *p, const struct diff_report *r)
{
	const struct depth_change *c = r->depth;

	if (!c || (c->base.max <= 1 && c->head.max <= 1) || !depth_changed(c))
		return;
	md_block(p, NULL, "Call depth: %.2f → %.2f frames on average, weighted by cost",
		 c->base.mean, c->head.mean);
	print_deepest(p, c);
	if (c->count)
		fputc('\n', p->to);
	size_t shown = md_shown(p, r, c->count);
	for (size_t i = 0; i < shown; i++) {
		const struct tree_row *row = &r->tree->rows[c->rows[i].row];
		md_row(p, MD_DEPTH);
		fputs("- ", p->to);
		md_code(p, row->name, MD_NAME);
		fprintf(p->to, " and its callees: %u → %u frames", c->rows[i].base,
			c->rows[i].head);
		print_between(p, row, &c->rows[i]);
		fputc('\n', p->to);
	}
	md_rows_end(p, "paths");
	md_more(p, c->count - shown);
	md_block_end(p);
}
