#include "src/report/text_table.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/error.h"

int text_table_init(struct text_table *t, size_t rows, const char *align)
{
	*t = (struct text_table){ .ncells = strlen(align), .align = align };
	t->cells = calloc(rows + 1, sizeof *t->cells);
	t->colors = calloc(rows + 1, sizeof *t->colors);
	return t->cells && t->colors ? CG_OK : CG_ENOMEM;
}

int text_table_add(struct text_table *t, const char *color, const char *const *cells)
{
	for (size_t i = 0; i < t->ncells; i++) {
		char *copy = strdup(cells[i]);
		if (!copy)
			return CG_ENOMEM;
		t->cells[t->nrows][i] = copy;
	}
	t->colors[t->nrows++] = color;
	return CG_OK;
}

void text_table_free(struct text_table *t)
{
	for (size_t r = 0; t->cells && r <= t->nrows; r++)
		for (size_t i = 0; i < t->ncells; i++)
			free(t->cells[r][i]);
	free(t->cells);
	free(t->colors);
}

static void pad(FILE *to, const char *text, size_t width)
{
	for (size_t have = text_width(text); have < width; have++)
		fputc(' ', to);
}

/* The width of each column but the last; returns what is left for that. */
static unsigned measure(const struct text_table *t, const struct text_style *style, size_t *widths)
{
	enum { LEAST = 8 };
	size_t used = 2;

	for (size_t i = 0; i + 1 < t->ncells; i++) {
		widths[i] = 0;
		for (size_t r = 0; r < t->nrows; r++)
			if (text_width(t->cells[r][i]) > widths[i])
				widths[i] = text_width(t->cells[r][i]);
		used += widths[i] + 2;
	}
	return style->wide || !style->width ? 0 :
	       style->width > used + LEAST ? style->width - (unsigned)used : LEAST;
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
	free(t->cells[row][t->ncells - 1]);
	t->cells[row][t->ncells - 1] = name;
	return CG_OK;
}

void text_table_print(const struct text_table *t, const struct text_style *style, FILE *to)
{
	size_t widths[TEXT_MAX_CELLS];
	unsigned room = measure(t, style, widths);

	for (size_t r = 0; r < t->nrows; r++) {
		fprintf(to, "  %s", t->colors[r]);
		for (size_t i = 0; i + 1 < t->ncells; i++) {
			bool left = t->align[i] == 'l';
			if (!left)
				pad(to, t->cells[r][i], widths[i]);
			fputs(t->cells[r][i], to);
			if (left)
				pad(to, t->cells[r][i], widths[i]);
			fputs("  ", to);
		}
		text_print_name(to, t->cells[r][t->ncells - 1], room);
		fprintf(to, "%s\n", *t->colors[r] ? text_plain(style) : "");
	}
}
