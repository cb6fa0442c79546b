#include "src/text/short_name.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/name_parts.h"
#include "src/text/name_paths.h"
#include "src/text/text.h"

#define LEFT_OUT "…"

/* ---- what is in brackets ---- */

/* A bracket of Rust that scopes stand in: "<A<T> as B>::f", "a::<impl B for A>::f". */
static bool opens_scope(const struct name_walk *w)
{
	static const char impl[] = "::<impl ";
	const char *c = w->name + w->at;

	return w->depth == 0 && name_walk_is(w, '<') &&
	       (w->at == 0 || (w->at >= 2 && strncmp(c - 2, impl, sizeof impl - 1) == 0));
}

/* What a bracket holds, or the first characters up to the next bracket, as far as there is room. */
static void write_beginning(FILE *to, const struct name_walk *w, size_t *room)
{
	enum { LEAST = 3 };
	const char *from = w->name + w->next;
	struct name_walk end = *w;

	while (name_walk_on(&end) && end.inside == w->inside)
		;
	size_t len = end.at - w->next;
	char *text = strndup(from, len);
	size_t width = text ? text_width(text) : 0;
	bool whole = text && width <= *room + 1 && end.inside < w->inside;

	if (whole || (text && (width < *room ? width : *room) >= LEAST))
		fwrite(text, 1, whole ? len : (size_t)(text_skip(text, *room) - text), to);
	if (!whole)
		fputs(LEFT_OUT, to);
	*room = whole ? *room + 1 - width : 0;
	free(text);
}

/* Without what is in more than `most` brackets of arguments and parameters; those that are
 * left out may have `room` columns more. */
static void write_arguments(FILE *to, const char *name, size_t len, size_t most, size_t *room)
{
	struct name_walk w = { .name = name, .len = len };
	size_t others = 0; /* brackets around the unit that hold neither */
	bool in_scope = false;

	while (name_walk_on(&w)) {
		if (w.depth > others && w.depth - others > most)
			continue;
		if (name_walk_is(&w, '}') || name_walk_is(&w, ']') ||
		    (in_scope && w.depth == 0 && name_walk_is(&w, '>'))) {
			others -= others > 0;
			in_scope = in_scope && w.depth > 0;
		}
		fwrite(name + w.at, 1, w.next - w.at, to);
		if (opens_scope(&w) || name_walk_is(&w, '{') || name_walk_is(&w, '[')) {
			others++;
			in_scope |= name_walk_is(&w, '<');
		} else if (w.inside > w.depth && w.inside > others + most && w.next < len &&
			   !strchr(">)", name[w.next])) {
			write_beginning(to, &w, room);
		}
	}
}

/* Overloads differ at the beginning or at the end of what is in the brackets. */
static void write_parameters(FILE *to, const char *list, size_t len, size_t room)
{
	enum { LEAST = 12 };
	const char *end = memrchr(list, ')', len);
	char *whole = end ? strndup(list, (size_t)(end - list) + 1) : NULL;
	char *text = whole ? name_without_inner_modules(whole) : NULL;
	size_t width = text ? text_width(text) - 2 : 0;

	if (text && width <= room + 1) {
		fputs(text, to);
	} else if (text && room + 1 >= LEAST) {
		text[strlen(text) - 1] = '\0';
		fputc('(', to);
		text_print_name(to, text + 1, (unsigned)room + 1);
		fputc(')', to);
	} else {
		fputs("(" LEFT_OUT ")", to);
	}
	free(whole);
	free(text);
}

/* ---- steps ---- */

enum step {
	WHOLE,
	NO_PARAMETERS,
	NO_TYPE,
	DEEP_ARGUMENTS,
	ARGUMENTS,
	NO_ARGUMENTS,
	NO_SUFFIX,
	STEPS
};

/* In how many brackets arguments are still shown. */
static size_t depth_of(enum step step)
{
	return step < DEEP_ARGUMENTS ? SIZE_MAX / 2 : step < NO_ARGUMENTS ? NO_ARGUMENTS - step : 0;
}

/* A safe name after all steps up to one; brackets of arguments and then of parameters may have
 * `room` columns more, or the latter `parameters` if that is not less. */
static char *shortened_but(const char *name, enum step step, size_t room, size_t parameters)
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
		from = cg_name_after_type(name, strlen(name));
	write_arguments(to, name + from, bare - from, depth_of(step), &room);
	if (bare < stem)
		write_parameters(to, name + bare, stem - bare,
				 room > parameters ? room : parameters);
	if (step < NO_SUFFIX)
		fputs(name + stem, to);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

static char *shortened(const char *name, enum step step, size_t room)
{
	return shortened_but(name, step, room, 0);
}

/* The same without modules that do not fit. */
static char *fitted(const char *name, enum step step, size_t room, unsigned width)
{
	char *text = shortened(name, step, room),
	     *fit = text ? name_without_modules(text, width) : NULL;

	free(text);
	return fit;
}

/* A text that fits, which is taken, or one that uses more of the room. */
static char *filled_room(char *text, const char *name, enum step step, unsigned width)
{
	char *fuller = fitted(name, step, width - text_width(text), width);
	bool fits = fuller && text_width(fuller) <= width;

	free(fits ? text : fuller);
	return fits ? fuller : text;
}

/* ---- cutting ---- */

/* Two beside each other are one. */
static void join_left_out(char *text)
{
	size_t n = sizeof LEFT_OUT - 1;

	for (char *c = text; (c = strstr(c, LEFT_OUT LEFT_OUT));)
		memmove(c, c + n, strlen(c + n) + 1);
}

/* Cuts scopes rather than the name that follows them. */
static char *without_scopes(const char *name, unsigned width)
{
	enum { LEAST = 4 };
	size_t own = name_own(name), tail = text_width(name + own);
	char *text, *front, *cut;

	if (own == 0 || tail >= width)
		return text_cut(name + own, width);
	unsigned left = width - (unsigned)tail;
	front = left < LEAST ? strdup(LEFT_OUT) : strndup(name, own);
	cut = front ? text_cut(front, left) : NULL;
	if (!cut || asprintf(&text, "%s%s", cut, name + own) < 0)
		text = NULL;
	free(front);
	free(cut);
	if (text)
		join_left_out(text);
	return text;
}

/* Takes the name. */
static char *fit_or_cut(char *name, unsigned width)
{
	char *types = NULL, *text = NULL;

	for (int step = WHOLE; step < STEPS; step++) {
		if (step == DEEP_ARGUMENTS)
			types = name_without_inner_modules(name);
		const char *from = step < DEEP_ARGUMENTS ? name : types;
		free(text);
		text = from ? fitted(from, (enum step)step, 0, width) : NULL;
		if (!text)
			break;
		if (text_width(text) <= width) {
			text = filled_room(text, from, (enum step)step, width);
			break;
		}
	}
	if (text && text_width(text) > width) {
		char *cut = without_scopes(text, width);
		free(text);
		text = cut;
	}
	free(types);
	free(name);
	return text;
}

char *text_name(const char *name, unsigned width)
{
	enum { LEAST = 4 };
	char *safe = text_safe(name);

	return !safe || width < LEAST || text_width(safe) <= width ? safe : fit_or_cut(safe, width);
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

/* ---- in sentences ---- */

/* Takes the name. What is in brackets goes before modules, as it matters less to who reads. */
static char *fit_sentence(char *name, unsigned width)
{
	char *text = NULL, *fit;

	for (int step = NO_TYPE; step < NO_SUFFIX; step++) {
		free(text);
		text = shortened(name, (enum step)step, 0);
		if (!text || text_width(text) <= width)
			break;
	}
	free(name);
	if (!text || text_width(text) <= width)
		return text;
	fit = name_without_modules(text, width);
	free(text);
	if (!fit || text_width(fit) <= 2 * (size_t)width)
		return fit;
	text = without_scopes(fit, 2 * width);
	free(fit);
	return text;
}

static char *sentence_name(const char *name, unsigned width)
{
	char *safe = text_safe(name);

	return !safe || !width || text_width(safe) <= width ? safe : fit_sentence(safe, width);
}

/* The shortest form of a safe name that is not also one of the other; NULL if memory ran out. */
static char *form_apart(const char *name, const char *other)
{
	static const struct {
		enum step step;
		size_t parameters;
	} forms[] = {
		{ NO_ARGUMENTS, SIZE_MAX / 2 }, { ARGUMENTS, 0 },
		{ DEEP_ARGUMENTS, 0 },          { NO_TYPE, 0 },
		{ NO_TYPE, SIZE_MAX / 2 },      { WHOLE, 0 },
	};
	char *best = NULL;

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		char *text = shortened_but(name, forms[i].step, 0, forms[i].parameters);
		char *same = shortened_but(other, forms[i].step, 0, forms[i].parameters);
		bool better = text && same && strcmp(text, same) != 0 &&
			      (!best || text_width(text) < text_width(best));
		free(same);
		free(better ? best : text);
		best = better ? text : best;
	}
	return best;
}

static void tell_apart(const char *const names[2], char **a, char **b)
{
	char *safe[2] = { text_safe(names[0]), text_safe(names[1]) };
	char *apart[2] = { NULL, NULL };

	if (safe[0] && safe[1]) {
		apart[0] = form_apart(safe[0], safe[1]);
		apart[1] = form_apart(safe[1], safe[0]);
	}
	free(safe[0]);
	free(safe[1]);
	/* Neither where texts that are not safe differ in what is not shown. */
	if (!apart[0] || !apart[1]) {
		free(apart[0]);
		free(apart[1]);
		return;
	}
	free(*a);
	free(*b);
	*a = apart[0];
	*b = apart[1];
}

void text_sentence_names(const char *const *names, size_t count, unsigned width, char **shown)
{
	for (size_t i = 0; i < count; i++)
		shown[i] = names[i] ? sentence_name(names[i], width) : NULL;
	for (size_t i = 0; i < count; i++)
		for (size_t k = i + 1; k < count; k++)
			if (shown[i] && shown[k] && strcmp(shown[i], shown[k]) == 0 &&
			    strcmp(names[i], names[k]) != 0)
				tell_apart((const char *const[]){ names[i], names[k] }, &shown[i],
					   &shown[k]);
}

void text_print_sentence_name(FILE *to, const char *name, const char *beside, unsigned width)
{
	char *shown[2];

	text_sentence_names((const char *const[]){ name, beside }, 2, width, shown);
	fputs(shown[0] ? shown[0] : "(out of memory)", to);
	free(shown[0]);
	free(shown[1]);
}
