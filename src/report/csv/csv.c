#include "src/report/csv/csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/error.h"
#include "src/text/text.h"

static void begin_field(struct csv *c)
{
	if (c->begun)
		fputc(',', c->to);
	c->begun = true;
}

static bool needs_quotes(const char *safe)
{
	size_t len = strlen(safe);
	return strpbrk(safe, ",\"") || (len && (safe[0] == ' ' || safe[len - 1] == ' '));
}

static void write_quoted(FILE *to, const char *lead, const char *safe)
{
	fprintf(to, "\"%s", lead);
	for (; *safe; safe++) {
		fputs(*safe == '"' ? "\"" : "", to);
		fputc(*safe, to);
	}
	fputc('"', to);
}

static void write_field(struct csv *c, const char *lead, const char *safe)
{
	if (needs_quotes(safe)) {
		write_quoted(c->to, lead, safe);
		return;
	}
	fputs(lead, c->to);
	fputs(safe, c->to);
}

void csv_text(struct csv *c, const char *text)
{
	char *safe = text_safe(text ? text : "");

	begin_field(c);
	if (safe)
		write_field(c, *safe && strchr("=+-@'", *safe) ? "'" : "", safe);
	else
		c->failed = true;
	free(safe);
}

void csv_title(struct csv *c, const char *lead, const char *event)
{
	char *title, *safe = NULL;

	begin_field(c);
	if (asprintf(&title, "%s%s", lead, event ? event : "") < 0)
		title = NULL;
	if (title)
		safe = text_safe(title);
	if (safe)
		write_field(c, "", safe);
	else
		c->failed = true;
	free(safe);
	free(title);
}

void csv_cost(struct csv *c, int64_t cost, bool missing)
{
	begin_field(c);
	if (!missing)
		fprintf(c->to, "%" PRId64, cost);
}

void csv_count(struct csv *c, uint64_t count, bool missing)
{
	begin_field(c);
	if (!missing)
		fprintf(c->to, "%" PRIu64, count);
}

void csv_end_line(struct csv *c)
{
	fputs("\r\n", c->to);
	c->begun = false;
}

static void csv_numbers(struct csv *c, enum cell_kind kind, const struct cell_numbers *n)
{
	if (kind == CELL_BASE_COUNT)
		csv_count(c, n->base_count, n->base_missing);
	else if (kind == CELL_HEAD_COUNT)
		csv_count(c, n->head_count, n->head_missing);
	else if (kind == CELL_BASE)
		csv_cost(c, n->base, n->base_missing);
	else if (kind == CELL_HEAD)
		csv_cost(c, n->head, n->head_missing);
	else
		csv_cost(c, cg_delta(n->base, n->head), n->instead);
}

static void csv_event(struct csv *c, const struct table_column *column,
		      const struct cell_events *of)
{
	int64_t cost = 0;
	bool known = table_event(column, of, &cost);
	csv_cost(c, cost, !known);
}

static void csv_cell(struct csv *c, const struct table_column *column, const union table_row *row)
{
	const void *cell = table_cell(column, row);

	if (table_is_text(column))
		csv_text(c, *(const char *const *)cell);
	else if (column->kind == CELL_COUNT || column->kind == CELL_KNOWN)
		csv_count(c, *(const uint64_t *)cell,
			  column->kind == CELL_KNOWN && !*(const uint64_t *)cell);
	else if (column->kind == CELL_EVENT)
		csv_event(c, column, cell);
	else
		csv_numbers(c, column->kind, cell);
}

void csv_titles(struct csv *c, const struct report_table *t)
{
	for (size_t i = 0; i < t->ncolumns; i++)
		csv_title(c, table_title(t, &t->columns[i]), t->columns[i].event);
	csv_end_line(c);
}

void csv_rows(struct csv *c, const struct report_table *t)
{
	union table_row row;

	for (size_t i = 0; i < t->nrows; i++) {
		t->fill(t, i, &row);
		for (size_t k = 0; k < t->ncolumns; k++)
			csv_cell(c, &t->columns[k], &row);
		csv_end_line(c);
	}
}

int csv_table(const struct report_table *t, FILE *to)
{
	struct csv csv = { .to = to };

	csv_titles(&csv, t);
	csv_rows(&csv, t);
	return csv.failed ? CG_ENOMEM : CG_OK;
}
