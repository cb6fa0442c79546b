#include "src/report/text/table.h"

#include <stdlib.h>
#include <string.h>

#include "cgprofile/error.h"

int text_table_init(struct text_table *t, size_t rows, const char *align)
{
	*t = (struct text_table){ .ncells = strlen(align), .stride = strlen(align), .align = align };
	t->cells = calloc((rows + 1) * t->stride, sizeof *t->cells);
	t->colors = calloc(rows + 1, sizeof *t->colors);
	return t->cells && t->colors ? CG_OK : CG_ENOMEM;
}

static char **row_of(const struct text_table *t, size_t row)
{
	return t->cells + row * t->stride;
}

int text_table_add(struct text_table *t, const char *color, const char *const *cells)
{
	for (size_t i = 0; i < t->ncells; i++) {
		char *copy = strdup(cells[i]);
		if (!copy)
			return CG_ENOMEM;
		row_of(t, t->nrows)[i] = copy;
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

/* Of the row behind the last some cells may be there. */
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

static void pad(FILE *to, const char *text, size_t width)
{
	for (size_t have = text_width(text); have < width; have++)
		fputc(' ', to);
}

static size_t widest(const struct text_table *t, size_t column)
{
	size_t most = t->least[column];

	for (size_t r = 0; r < t->nrows; r++) {
		size_t width = text_width(row_of(t, r)[column]);
		most = width > most ? width : most;
	}
	return most;
}

/* What names in other columns than the last take too much is taken from the widest; returns how much. */
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
static unsigned measure(const struct text_table *t, const struct text_style *style, size_t *widths)
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
	size_t behind = t->ncells - from - count;

	for (size_t r = 0; r < t->nrows; r++) {
		char **cells = row_of(t, r) + from;
		for (size_t i = 0; i < count; i++)
			free(cells[i]);
		memmove(cells, cells + count, behind * sizeof *cells);
		memset(cells + behind, 0, count * sizeof *cells);
	}
	memmove(t->least + from, t->least + from + count, behind * sizeof *t->least);
	t->ncells -= count;
}

unsigned text_table_room(const struct text_table *t, const struct text_style *style)
{
	size_t widths[TEXT_MAX_CELLS];
	return measure(t, style, widths);
}

int text_table_name(struct text_table *t, size_t row, char *name)
{
	if (!name)
		return CG_ENOMEM;
	char **cell = &row_of(t, row)[t->ncells - 1];
	free(*cell);
	*cell = name;
	return CG_OK;
}

/* How many cells there are up to the last that has a text: behind it there are no blanks. */
static size_t filled(const struct text_table *t, size_t row)
{
	size_t count = t->ncells;

	while (count && !*row_of(t, row)[count - 1])
		count--;
	return count;
}

void text_table_print(const struct text_table *t, const struct text_style *style, FILE *to)
{
	size_t widths[TEXT_MAX_CELLS];
	unsigned room = measure(t, style, widths);

	for (size_t r = 0; r < t->nrows; r++) {
		size_t end = filled(t, r);
		char **cells = row_of(t, r);
		fprintf(to, "  %s", t->colors[r]);
		for (size_t i = 0; i < end && i + 1 < t->ncells; i++) {
			bool left = t->align[i] == 'l';
			if (!left)
				pad(to, cells[i], widths[i]);
			if (text_width(cells[i]) > widths[i])
				text_print_name(to, cells[i], (unsigned)widths[i]);
			else
				fputs(cells[i], to);
			if (left && i + 1 < end)
				pad(to, cells[i], widths[i]);
			if (i + 1 < end)
				fputs("  ", to);
		}
		text_print_name(to, cells[t->ncells - 1], room);
		fprintf(to, "%s\n", *t->colors[r] ? text_plain(style) : "");
	}
}
