#include "src/report/text_name.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/names.h"
#include "src/text/text.h"

#define LEFT_OUT "…"

static bool is_arrow(const char *name, size_t at)
{
	return at > 0 && name[at] == '>' && name[at - 1] == '-';
}

/* Without what is in its outermost angle brackets. Those that a name of Rust begins with hold
 * its scope ("<A<T> as B>::f"), so what is in brackets within them is left out. */
static void write_without_arguments(FILE *to, const char *name, size_t len)
{
	size_t depth = 0, kept = len && name[0] == '<';

	for (size_t i = 0; i < len; i++) {
		size_t word = cg_name_operator_at(name, len, i);
		if (word && depth <= kept) {
			fwrite(name + i, 1, word, to);
			i += word - 1;
			continue;
		}
		bool closes = name[i] == '>' && depth && !is_arrow(name, i);
		depth -= closes;
		if (closes && depth == 0)
			kept = 0;
		if (depth <= kept)
			fputc(name[i], to);
		if (name[i] != '<')
			continue;
		if (++depth == kept + 1)
			fputs(LEFT_OUT, to);
	}
}

enum step { WHOLE, NO_PARAMETERS, NO_ARGUMENTS, NO_SUFFIX, NO_TYPE, STEPS };

/* A safe name after all steps up to one. */
static char *shortened(const char *name, enum step step)
{
	size_t len = strlen(name), stem = cg_name_stem(name, len);
	size_t bare = cg_name_without_parameters(name, stem), from = 0;
	char *text = NULL;
	size_t size;

	if (step == WHOLE)
		return strdup(name);
	FILE *to = open_memstream(&text, &size);
	if (!to)
		return NULL;
	if (step >= NO_TYPE && bare > 0 && name[bare - 1] == '>')
		from = cg_name_after_type(name, bare);
	if (step >= NO_ARGUMENTS)
		write_without_arguments(to, name + from, bare - from);
	else
		fwrite(name, 1, bare, to);
	if (bare < stem)
		fputs(memcmp(name + bare, "()", 2) == 0 ? "()" : "(" LEFT_OUT ")", to);
	if (step < NO_SUFFIX)
		fputs(name + stem, to);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

/* Cuts scopes rather than the name behind them; of "a::b::name<…>(…)" the first letters stay. */
static char *without_scopes(const char *name, unsigned width)
{
	enum { LEAST = 3 };
	size_t last = cg_name_last_part(name, cg_name_without_parameters(name, strlen(name)));
	size_t tail = text_width(name + last), left = width - 1 - tail;
	char *text;

	if (last == 0 || tail + 1 > width || tail < width / 2)
		return text_cut(last && tail >= width ? name + last : name, width);
	if (left < LEAST)
		left = 0;
	const char *end = name;
	for (size_t n = 0; n < left; n++)
		do
			end++;
		while (((unsigned char)*end & 0xc0) == 0x80);
	return asprintf(&text, "%.*s" LEFT_OUT "%s", (int)(end - name), name, name + last) < 0 ? NULL
											       : text;
}

char *text_name(const char *name, unsigned width)
{
	enum { LEAST = 4 };
	char *safe = text_safe(name), *text = NULL;

	for (int step = WHOLE; safe && step < STEPS; step++) {
		free(text);
		text = shortened(safe, (enum step)step);
		if (!text || width < LEAST || text_width(text) <= width) {
			free(safe);
			return text;
		}
	}
	free(safe);
	char *cut = text ? without_scopes(text, width) : NULL;
	free(text);
	return cut;
}

void text_lead(const char *name, uint64_t depth, unsigned width, char lead[TEXT_LEAD])
{
	enum { INDENT = 2, MOST_INDENT = 80, NAME = 20, DEPTH = 6 };
	uint64_t indent = depth - 1 < MOST_INDENT ? INDENT * (depth - 1) : INDENT * MOST_INDENT;
	size_t most = MOST_INDENT, columns = text_width(name);

	if (width && indent + (columns < NAME ? columns : NAME) > width)
		most = width > NAME + DEPTH ? width - NAME - DEPTH : 0;
	if (most > MOST_INDENT)
		most = MOST_INDENT;
	if (indent > most)
		snprintf(lead, TEXT_LEAD, "%*s[%" PRIu64 "] ", (int)most, "", depth);
	else
		snprintf(lead, TEXT_LEAD, "%*s", (int)indent, "");
}

char *text_name_with(const char *name, const char *notes, unsigned width)
{
	size_t used = text_width(notes);
	char *text = text_name(name, width > used ? width - (unsigned)used : width), *all;

	if (!text || asprintf(&all, "%s%s", text, notes) < 0)
		all = NULL;
	free(text);
	return all;
}
