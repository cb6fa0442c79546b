#include "src/report/markdown/page.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "cgprofile/error.h"
#include "src/text/short_name.h"
#include "src/text/text.h"
#include "src/text/xml.h"

/* A part of the text, up to the next one's start. */
struct md_chunk {
	size_t start, units;
	bool row;
	unsigned dispensable;
	size_t place;     /* of a row in its table; of what follows one: how many it had */
	const char *what; /* after rows: what they were; NULL: this is something else */
	bool left_out;
};

int md_page_begin(struct md_page *p, bool titles, size_t rows)
{
	*p = (struct md_page){ .titles = titles, .rows = rows };
	p->to = open_memstream(&p->text, &p->size);
	return p->to ? CG_OK : CG_ENOMEM;
}

void md_page_free(struct md_page *p)
{
	if (p->to)
		fclose(p->to);
	free(p->text);
	free(p->chunks);
	*p = (struct md_page){ 0 };
}

FILE *md_text_begin(struct md_page *p, struct md_text *t)
{
	*t = (struct md_text){ 0 };
	t->to = open_memstream(&t->text, &t->size);
	p->failed |= !t->to;
	return t->to;
}

const char *md_text_end(struct md_page *p, struct md_text *t)
{
	bool failed = fclose(t->to) != 0;

	p->failed |= failed;
	return failed || !t->text ? "" : t->text;
}

static void add_chunk(struct md_page *p, struct md_chunk chunk)
{
	off_t at = ftello(p->to);

	if (at < 0 || cg_grow(&p->chunks, &p->cap, p->count + 1, sizeof *p->chunks)) {
		p->failed = true;
		return;
	}
	chunk.start = (size_t)at;
	p->chunks[p->count++] = chunk;
}

void md_row(struct md_page *p, unsigned dispensable)
{
	size_t place = 0;

	if (p->count && p->chunks[p->count - 1].row)
		place = p->chunks[p->count - 1].place + 1;
	add_chunk(p, (struct md_chunk){ .row = true, .dispensable = dispensable, .place = place });
}

void md_rows_end(struct md_page *p, const char *what)
{
	size_t rows = 0;

	if (p->count && p->chunks[p->count - 1].row)
		rows = p->chunks[p->count - 1].place + 1;
	add_chunk(p, (struct md_chunk){ .what = what, .place = rows });
}

size_t md_units(const char *text, size_t len)
{
	size_t units = 0;

	/* A byte that begins a character of four bytes stands for a surrogate pair. */
	for (size_t i = 0; i < len; i++)
		units += ((unsigned char)text[i] & 0xc0) != 0x80
				 ? 1 + ((unsigned char)text[i] >= 0xf0)
				 : 0;
	return units;
}

static size_t chunk_end(const struct md_page *p, size_t i)
{
	return i + 1 < p->count ? p->chunks[i + 1].start : p->size;
}

/* What precedes the first chunk. */
static size_t start_of_chunks(const struct md_page *p)
{
	return p->count ? p->chunks[0].start : p->size;
}

int md_page_end(struct md_page *p, size_t *units)
{
	bool failed = fclose(p->to) != 0 || p->failed;

	p->to = NULL;
	if (failed || !p->text)
		return CG_ENOMEM;
	for (size_t i = 0; i < p->count; i++)
		p->chunks[i].units = md_units(p->text + p->chunks[i].start,
					      chunk_end(p, i) - p->chunks[i].start);
	*units = md_units(p->text, p->size);
	return CG_OK;
}

/* ---- leaving rows out ---- */

#define NOTE_UNITS 160 /* more than any note has */

size_t md_page_least(const struct md_page *p)
{
	size_t least = md_units(p->text, start_of_chunks(p));

	for (size_t i = 0; i < p->count; i++)
		least += p->chunks[i].row ? 0 : p->chunks[i].units + NOTE_UNITS;
	return least;
}

static int compare_dispensable(const void *left, const void *right)
{
	const struct md_chunk *a = *(struct md_chunk *const *)left;
	const struct md_chunk *b = *(struct md_chunk *const *)right;

	if (a->dispensable != b->dispensable)
		return a->dispensable < b->dispensable ? 1 : -1;
	if (a->place != b->place)
		return a->place < b->place ? 1 : -1;
	return (a->start < b->start) - (a->start > b->start);
}

/* Notes count as if each table got one. */
static int leave_md_out(const struct md_page *p, size_t limit)
{
	struct md_chunk **rows = calloc(p->count + 1, sizeof *rows);
	size_t n = 0, units = md_units(p->text, p->size);

	if (!rows)
		return CG_ENOMEM;
	for (size_t i = 0; i < p->count; i++) {
		p->chunks[i].left_out = false;
		if (p->chunks[i].row)
			rows[n++] = &p->chunks[i];
	}
	if (units > limit) {
		for (size_t i = 0; i < p->count; i++)
			units += p->chunks[i].what ? NOTE_UNITS : 0;
		qsort(rows, n, sizeof *rows, compare_dispensable);
	}
	for (size_t i = 0; i < n && units > limit; i++) {
		rows[i]->left_out = true;
		units -= rows[i]->units;
	}
	free(rows);
	return CG_OK;
}

static void write_note(const struct md_page *p, size_t end, FILE *to)
{
	size_t left_out = 0;

	for (size_t i = end - p->chunks[end].place; i < end; i++)
		left_out += p->chunks[i].left_out;
	if (left_out)
		fprintf(to, "\n*… and %zu more %s, " MARKDOWN_LEFT_OUT ".*\n", left_out,
			p->chunks[end].what);
}

int md_page_write(const struct md_page *p, size_t limit, FILE *to)
{
	int status = leave_md_out(p, limit);

	if (status)
		return status;
	fwrite(p->text, 1, start_of_chunks(p), to);
	for (size_t i = 0; i < p->count; i++) {
		const struct md_chunk *c = &p->chunks[i];
		if (c->what && c->place)
			write_note(p, i, to);
		if (!c->left_out)
			fwrite(p->text + c->start, 1, chunk_end(p, i) - c->start, to);
	}
	return CG_OK;
}

/* ---- code ---- */

static size_t longest_run(const char *text, char c)
{
	size_t longest = 0, run = 0;

	for (; *text; text++) {
		run = *text == c ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

static void put(FILE *to, char c, size_t count)
{
	while (count--)
		fputc(c, to);
}

size_t md_fence_around(const char *line)
{
	enum { LEAST = 3 };
	size_t inside = longest_run(line, '`');

	return inside < LEAST ? LEAST : inside + 1;
}

void md_fence(size_t length, const char *language, FILE *to)
{
	put(to, '`', length);
	fprintf(to, "%s\n", language ? language : "");
}

/* A | ends a cell of a table even in code, unless there is a \ before it; and then a \ of the
 * text itself cannot stand there. */
static void print_in_cell(FILE *to, const char *safe)
{
	for (; *safe; safe++) {
		if (*safe == '|')
			fputs("\\|", to);
		else if (*safe == '\\' && safe[1] == '|')
			fputs("\\x5c", to);
		else
			fputc(*safe, to);
	}
}

/* Between fences of more backticks than there are in the text. */
static void print_code(FILE *to, const char *safe, bool table)
{
	size_t fence = longest_run(safe, '`') + 1, len = strlen(safe);
	bool pad = *safe == '`' || safe[len - 1] == '`' || *safe == ' ' || safe[len - 1] == ' ';

	put(to, '`', fence);
	put(to, ' ', pad);
	if (table)
		print_in_cell(to, safe);
	else
		fputs(safe, to);
	put(to, ' ', pad);
	put(to, '`', fence);
}

/* An attribute is no markdown, but a | would still end a cell, and a ` could pair up. */
static void print_md_title(FILE *to, const char *safe)
{
	char piece[2] = "";

	for (; *safe; safe++) {
		piece[0] = *safe;
		if (*safe == '|' || *safe == '`')
			fprintf(to, "&#%d;", *safe);
		else if ((unsigned char)*safe >= 0x80)
			fputc(*safe, to);
		else
			xml_print_safe(to, piece);
	}
}

void md_code(struct md_page *p, const char *text, unsigned width)
{
	enum { LONGEST_TITLE = 400 };
	char *whole = text_safe(text), *shown = whole ? text_name(whole, width) : NULL;

	if (!shown) {
		p->failed = true;
		free(whole);
		return;
	}
	bool title = p->titles && strcmp(whole, shown) != 0 && strlen(whole) <= LONGEST_TITLE;
	if (title) {
		fputs("<span title=\"", p->to);
		print_md_title(p->to, whole);
		fputs("\">", p->to);
	}
	if (*shown)
		print_code(p->to, shown, p->table);
	else
		fputs("(no name)", p->to);
	fputs(title ? "</span>" : "", p->to);
	free(shown);
	free(whole);
}

/* As md_code, in HTML, such as the summary of a block, in which markdown is not read. */
static void md_html_code(struct md_page *p, const char *text, unsigned width)
{
	char *whole = text_safe(text), *shown = whole ? text_name(whole, width) : NULL;

	if (!shown) {
		p->failed = true;
	} else {
		fputs("<code>", p->to);
		xml_print_safe(p->to, *shown ? shown : "(no name)");
		fputs("</code>", p->to);
	}
	free(shown);
	free(whole);
}

/* ---- blocks ---- */

/* Markdown in HTML is only read after an empty line. */
void md_block(struct md_page *p, const char *name, const char *summary, ...)
{
	enum { WIDTH = 80 };
	va_list words;
	char *text;

	va_start(words, summary);
	int length = vasprintf(&text, summary, words);
	va_end(words);
	if (length < 0) {
		p->failed = true;
		return;
	}
	fputs("\n<details><summary>", p->to);
	if (name)
		md_html_code(p, name, WIDTH);
	xml_print_safe(p->to, text);
	fputs("</summary>\n\n", p->to);
	free(text);
}

void md_block_end(struct md_page *p)
{
	fputs("\n</details>\n", p->to);
}
