#include "src/report/text/table.h"

#include <stdlib.h>
#include <string.h>

#include "cgprofile/error.h"

enum { AT_A_TIME = 256 }; /* rows of a table that may be large */

int text_table_init(struct text_table *t, size_t rows, const char *align)
{
	*t = (struct text_table){ .ncells = strlen(align), .stride = strlen(align) };
	snprintf(t->align, sizeof t->align, "%s", align);
	t->cells = calloc((rows + 1) * t->stride, sizeof *t->cells);
	t->colors = calloc(rows + 1, sizeof *t->colors);
	return t->cells && t->colors ? CG_OK : CG_ENOMEM;
}

static char **text_row_of(const struct text_table *t, size_t row)
{
	return t->cells + row * t->stride;
}

int text_table_add(struct text_table *t, const char *color, const char *const *cells)
{
	for (size_t i = 0; i < t->ncells; i++) {
		char *copy = strdup(cells[i]);
		if (!copy)
			return CG_ENOMEM;
		text_row_of(t, t->nrows)[i] = copy;
	}
	t->colors[t->nrows++] = color;
	return CG_OK;
}

void text_table_measure(struct text_table *t, const char *const *cells)
{
	for (size_t i = 0; i < t->ncells; i++) {
		size_t width = text_width(cells[i]);
		t->least[i] = width > t->least[i] ? width : t->least[i];
	}
}

/* The last row may lack some of its cells. */
void text_table_clear(struct text_table *t)
{
	for (size_t i = 0; t->cells && i < (t->nrows + 1) * t->stride; i++) {
		free(t->cells[i]);
		t->cells[i] = NULL;
	}
	t->nrows = 0;
}

void text_table_free(struct text_table *t)
{
	text_table_clear(t);
	free(t->cells);
	free(t->colors);
}

static void pad_cell(FILE *to, const char *text, size_t width)
{
	for (size_t have = text_width(text); have < width; have++)
		fputc(' ', to);
}

static size_t widest(const struct text_table *t, size_t column)
{
	size_t most = t->least[column];

	for (size_t r = 0; r < t->nrows; r++) {
		size_t width = text_width(text_row_of(t, r)[column]);
		most = width > most ? width : most;
	}
	return most;
}

/* What names in other columns than the last take too much is taken from the widest; returns how
 * much. */
static size_t narrow(const struct text_table *t, size_t excess, size_t *widths)
{
	enum { LEAST = 12 };
	size_t at = 0, won = 0;

	for (size_t i = 0; i + 1 < t->ncells; i++)
		if (t->align[i] == 'l' && (t->align[at] != 'l' || widths[i] > widths[at]))
			at = i;
	if (t->align[at] == 'l' && widths[at] > LEAST)
		won = widths[at] - LEAST < excess ? widths[at] - LEAST : excess;
	widths[at] -= won;
	return won;
}

/* The width of each column but the last; returns what is left for that. */
static unsigned measure_table(const struct text_table *t, const struct text_style *style,
			      size_t *widths)
{
	enum { LEAST = 8, MOST = 30 };
	size_t used = 2, last = widest(t, t->ncells - 1);

	for (size_t i = 0; i + 1 < t->ncells; i++) {
		widths[i] = widest(t, i);
		used += widths[i] + 2;
	}
	if (style->wide || !style->width)
		return 0;
	last = last < LEAST ? LEAST : last > MOST ? MOST : last;
	if (t->ncells > 1 && used + last > style->width)
		used -= narrow(t, used + last - style->width, widths);
	return style->width > used + LEAST ? style->width - (unsigned)used : LEAST;
}

void text_table_drop(struct text_table *t, size_t from, size_t count)
{
	size_t after = t->ncells - from - count;

	for (size_t r = 0; r < t->nrows; r++) {
		char **cells = text_row_of(t, r) + from;
		for (size_t i = 0; i < count; i++)
			free(cells[i]);
		memmove(cells, cells + count, after * sizeof *cells);
		memset(cells + after, 0, count * sizeof *cells);
	}
	memmove(t->least + from, t->least + from + count, after * sizeof *t->least);
	memmove(t->shown + from, t->shown + from + count, after * sizeof *t->shown);
	memmove(t->align + from, t->align + from + count, after + 1);
	t->ncells -= count;
}

unsigned text_table_room(const struct text_table *t, const struct text_style *style)
{
	size_t widths[TEXT_MAX_CELLS];
	return measure_table(t, style, widths);
}

int text_table_name(struct text_table *t, size_t row, char *name)
{
	if (!name)
		return CG_ENOMEM;
	char **cell = &text_row_of(t, row)[t->ncells - 1];
	free(*cell);
	*cell = name;
	return CG_OK;
}

/* How many cells there are up to the last that has a text: no blanks follow it. */
static size_t filled_cells(const struct text_table *t, size_t row)
{
	size_t count = t->ncells;

	while (count && !*text_row_of(t, row)[count - 1])
		count--;
	return count;
}

void text_table_print(const struct text_table *t, const struct text_style *style, FILE *to)
{
	size_t widths[TEXT_MAX_CELLS];
	unsigned room = measure_table(t, style, widths);

	for (size_t r = 0; r < t->nrows; r++) {
		size_t end = filled_cells(t, r);
		char **cells = text_row_of(t, r);
		fprintf(to, "  %s", t->colors[r]);
		for (size_t i = 0; i < end && i + 1 < t->ncells; i++) {
			bool left = t->align[i] == 'l';
			if (!left)
				pad_cell(to, cells[i], widths[i]);
			if (text_width(cells[i]) > widths[i])
				text_print_name(to, cells[i], (unsigned)widths[i]);
			else
				fputs(cells[i], to);
			if (left && i + 1 < end)
				pad_cell(to, cells[i], widths[i]);
			if (i + 1 < end)
				fputs("  ", to);
		}
		text_print_name(to, cells[t->ncells - 1], room);
		fprintf(to, "%s\n", *t->colors[r] ? text_plain(style) : "");
	}
}

/* ---- of tables of typed cells ---- */

/* A row's cells: what is not safe is made so, but for the last cell. */
struct text_row {
	union table_row values;
	char buffers[TEXT_MAX_CELLS][TEXT_PAIR];
	const char *cells[TEXT_MAX_CELLS];
	char *safe[TEXT_MAX_CELLS];
};

static void free_row(struct text_row *row)
{
	for (size_t i = 0; row && i < TEXT_MAX_CELLS; i++)
		free(row->safe[i]);
	free(row);
}

static int format_row(const struct text_table *t, const struct report_table *of, size_t at,
		      struct text_row *row)
{
	of->fill(of, at, &row->values);
	for (size_t i = 0; i < t->ncells; i++) {
		const struct table_column *c = &of->columns[t->shown[i]];
		row->cells[i] = table_text(c, &row->values, row->buffers[i]);
		if (c->kind != CELL_NAME || i + 1 == t->ncells)
			continue;
		free(row->safe[i]);
		row->cells[i] = row->safe[i] = text_safe(row->cells[i]);
		if (!row->safe[i])
			return CG_ENOMEM;
	}
	return CG_OK;
}

static void list_titles(const struct text_table *t, const struct report_table *of,
			const char *titles[TEXT_MAX_CELLS])
{
	for (size_t i = 0; i < t->ncells; i++)
		titles[i] = table_title(of, &of->columns[t->shown[i]]);
}

static int measure_rows(struct text_table *t, const struct report_table *of)
{
	struct text_row *row = calloc(1, sizeof *row);
	const char *titles[TEXT_MAX_CELLS];
	int status = row ? CG_OK : CG_ENOMEM;

	list_titles(t, of, titles);
	text_table_measure(t, titles);
	for (size_t i = 0; !status && i < of->nrows; i++) {
		status = format_row(t, of, i, row);
		if (!status)
			text_table_measure(t, row->cells);
	}
	free_row(row);
	return status;
}

static void drop_spare(struct text_table *t, const struct report_table *of,
		       const struct text_style *style)
{
	enum { LEAST_NAME = 20 };
	unsigned room = text_table_room(t, style);

	for (size_t i = t->ncells; room && room < LEAST_NAME && i > 0; i--)
		if (of->columns[t->shown[i - 1]].spare)
			text_table_drop(t, i - 1, 1);
}

int text_table_begin(struct text_table *t, const struct report_table *of,
		     const struct text_style *style)
{
	char align[TEXT_MAX_CELLS + 1] = "";
	size_t shown[TEXT_MAX_CELLS], n = 0;

	for (size_t i = 0; i < of->ncolumns; i++) {
		if (!style->wide && style->width && style->width < of->columns[i].roomy)
			continue;
		align[n] = table_is_text(&of->columns[i]) ? 'l' : 'r';
		shown[n++] = i;
	}
	int status = text_table_init(t, AT_A_TIME, align);
	memcpy(t->shown, shown, n * sizeof *shown);
	if (!status)
		status = measure_rows(t, of);
	if (!status)
		drop_spare(t, of, style);
	return status;
}

const char *text_tone(enum table_tone tone, const struct text_style *style)
{
	switch (tone) {
	case TONE_WORSE:
		return text_red(style);
	case TONE_BETTER:
		return text_green(style);
	case TONE_BOLD:
		return text_bold(style);
	case TONE_DIM:
		return text_dim(style);
	default:
		return "";
	}
}

int text_table_write(struct text_table *t, const struct report_table *of, text_table_namer *name,
		     const struct text_style *style, FILE *to)
{
	struct text_row *row = calloc(1, sizeof *row);
	unsigned room = text_table_room(t, style);
	const char *titles[TEXT_MAX_CELLS];

	list_titles(t, of, titles);
	int status = row ? text_table_add(t, text_dim(style), titles) : CG_ENOMEM;
	for (size_t i = 0; !status && i < of->nrows; i++) {
		status = format_row(t, of, i, row);
		if (!status)
			status = text_table_add(
				t, text_tone(of->tone ? of->tone(of, i) : TONE_PLAIN, style),
				row->cells);
		if (!status && name)
			status = text_table_name(t, t->nrows - 1, name(of, i, room, style));
		if (status || t->nrows < AT_A_TIME)
			continue;
		text_table_print(t, style, to);
		text_table_clear(t);
	}
	if (!status && of->nrows)
		text_table_print(t, style, to);
	free_row(row);
	return status;
}

bool text_table_shows(const struct text_table *t, size_t column)
{
	for (size_t i = 0; i < t->ncells; i++)
		if (t->shown[i] == column)
			return true;
	return false;
}

void text_table_print_hidden(const struct text_table *t, const struct report_table *of, FILE *to)
{
	size_t n = of->ncolumns - t->ncells;
	const char *before = "";

	if (!n)
		return;
	fprintf(to, "  … and %zu more column%s (", n, n == 1 ? "" : "s");
	for (size_t i = 0; i < of->ncolumns; i++) {
		if (text_table_shows(t, i))
			continue;
		fprintf(to, "%s%s", before, table_title(of, &of->columns[i]));
		before = ", ";
	}
	fputs("); see them with --wide\n", to);
}

void text_print_more(size_t all, size_t shown, FILE *to)
{
	if (shown < all)
		fprintf(to, "  … and %zu more; see them with --top=0\n", all - shown);
}
