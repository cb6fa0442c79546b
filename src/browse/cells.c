#include "src/browse/cells.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "callgrind/support/text.h"
#include "src/text/text.h"

/* What stands for a sign of ours where the locale does not have it. */
static const struct {
	uint32_t code;
	char ascii;
} stand_ins[] = {
	{ 0x394, 'd' },  /* Δ */
	{ 0x2026, '~' }, /* … */
	{ 0x2192, '>' }, /* → */
	{ 0x2013, '-' }, /* – */
	{ 0x2212, '-' }, /* − */
	{ 0xb7, '|' },   /* · */
	{ 0x2264, '<' }, /* ≤ */
	{ 0x25b8, '+' }, /* ▸ */
	{ 0x25be, '-' }, /* ▾ */
	{ 0x2190, '<' }, /* ← */
	{ 0x2191, '^' }, /* ↑ */
	{ 0x2193, 'v' }, /* ↓ */
};

static char stand_in(uint32_t code)
{
	for (size_t i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++)
		if (stand_ins[i].code == code)
			return stand_ins[i].ascii;
	return '?';
}

/* A character of a safe text: its length and columns, and the bytes that show it. */
struct cell {
	size_t length;
	size_t columns;
	const char *shown;
	size_t shown_length;
	char ascii;
};

static void read_cell(const char *text, struct cell *c)
{
	uint32_t code = 0;

	*c = (struct cell){ .length = cg_utf8_decode(text, strlen(text), &code), .shown = text };
	int columns = c->length ? wcwidth((wchar_t)code) : -1;
	c->length = c->length ? c->length : 1;
	c->shown_length = c->length;
	c->columns = columns < 0 ? 1 : (size_t)columns;
	if (columns >= 0)
		return;
	c->ascii = stand_in(code);
	c->shown = &c->ascii;
	c->shown_length = 1;
}

/* Safe, and without tabs; allocated. */
static char *flatten_tabs(const char *text)
{
	char *flat = NULL;
	size_t size;
	if (!strchr(text, '\t'))
		return text_safe(text);
	FILE *to = open_memstream(&flat, &size);
	if (!to)
		return NULL;
	text_print_source(to, text);
	if (fclose(to) == 0)
		return flat;
	free(flat);
	return NULL;
}

static size_t width_of_cells(const char *flat)
{
	size_t width = 0;
	struct cell c;

	for (; *flat; flat += c.length) {
		read_cell(flat, &c);
		width += c.columns;
	}
	return width;
}

size_t cells_width(const char *text)
{
	char *flat = flatten_tabs(text);
	size_t width = flat ? width_of_cells(flat) : 0;
	free(flat);
	return width;
}

static void put_blanks(FILE *to, size_t count)
{
	fprintf(to, "%*s", (int)count, "");
}

/* At most so many columns; returns how many. */
static size_t put_cells(FILE *to, const char *flat, size_t columns)
{
	size_t used = 0;
	struct cell c;

	for (; *flat; flat += c.length) {
		read_cell(flat, &c);
		if (used + c.columns > columns)
			break;
		fwrite(c.shown, 1, c.shown_length, to);
		used += c.columns;
	}
	return used;
}

char *cells_fit(const char *text, size_t columns, bool right)
{
	char *flat = flatten_tabs(text), *fit = NULL;
	size_t size, width = flat ? width_of_cells(flat) : 0;
	FILE *to = flat ? open_memstream(&fit, &size) : NULL;

	if (!to) {
		free(flat);
		return NULL;
	}
	if (width <= columns) {
		put_blanks(to, right ? columns - width : 0);
		put_cells(to, flat, columns);
		put_blanks(to, right ? 0 : columns - width);
	} else if (columns) {
		size_t used = put_cells(to, flat, columns - 1);
		used += put_cells(to, "…", 1);
		put_blanks(to, columns - used);
	}
	free(flat);
	if (fclose(to) == 0)
		return fit;
	free(fit);
	return NULL;
}
