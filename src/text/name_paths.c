#include "src/text/name_paths.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/name_parts.h"
#include "callgrind/name_text.h"
#include "src/text/text.h"

#define ANONYMOUS "(anonymous namespace)"

static bool name_begins(const char *text, size_t len, const char *word)
{
	size_t n = strlen(word);
	return len >= n && memcmp(text, word, n) == 0;
}

bool name_walk_on(struct name_walk *w)
{
	w->at = w->next;
	w->depth = w->inside;
	if (w->at >= w->len)
		return false;

	const char *c = w->name + w->at;
	size_t symbol = cg_name_operator(w->name, w->len, w->at);
	if (!symbol && name_begins(c, w->len - w->at, ANONYMOUS))
		symbol = sizeof ANONYMOUS - 1;
	w->next = w->at + (symbol ? symbol : 1);
	if (symbol)
		return true;
	if (strchr("<({[", *c))
		w->inside++;
	else if (strchr(">)}]", *c) && w->inside && !(*c == '>' && w->at && c[-1] == '-'))
		w->depth = --w->inside;
	return true;
}

bool name_walk_is(const struct name_walk *w, char bracket)
{
	return w->next == w->at + 1 && w->name[w->at] == bracket;
}

/* Without the list of parameters, which no part of a path follows. */
static struct name_walk walk_of(const char *name)
{
	size_t stem = cg_name_stem(name, strlen(name));
	return (struct name_walk){ .name = name, .len = cg_name_without_parameters(name, stem) };
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '\\' ||
	       (unsigned char)c >= 0x80;
}

/* To the next part of the path of a function; false at the end. */
static bool next_part(struct name_walk *w)
{
	while (name_walk_on(w))
		if (w->depth == 0 && name_walk_is(w, ':') &&
		    name_begins(w->name + w->at, w->len - w->at, "::")) {
			name_walk_on(w);
			return w->next < w->len;
		}
	return false;
}

/* What has no name: closures and lambdas. */
static bool is_nameless(const char *part)
{
	return *part == '{' || *part == '\'';
}

/* Where the function's own name begins, and the part before it (the same if that says nothing). */
static size_t own_part(const char *name, size_t *scope)
{
	struct name_walk w = walk_of(name);
	size_t own, part;

	w.next = *scope = own = part = cg_name_after_type(name, strlen(name));
	while (next_part(&w)) {
		bool attached = is_nameless(name + part) || is_nameless(name + w.next);
		part = w.next;
		if (attached)
			continue;
		*scope = own;
		own = part;
	}
	if (name_begins(name + *scope, w.len - *scope, ANONYMOUS))
		*scope = own;
	return own;
}

size_t name_own(const char *name)
{
	size_t scope;
	return own_part(name, &scope);
}

/* The length of a module and its "::" at a unit; 0: it begins with none. */
static size_t module_at(const struct name_walk *w)
{
	const char *c = w->name + w->at;
	size_t left = w->len - w->at, n = w->next - w->at;

	if (n == 1) {
		if (w->at && is_word_char(c[-1]))
			return 0;
		for (n = 0; n < left && is_word_char(c[n]); n++)
			;
	} else if (!name_begins(c, left, ANONYMOUS)) {
		return 0;
	}
	return n && name_begins(c + n, left - n, "::") ? n + 2 : 0;
}

/* The columns of a part of a name. */
static size_t name_columns(const char *text, size_t len)
{
	size_t n = 0;
	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)text[i] & 0xc0) != 0x80;
	return n;
}

/* Leaves out modules in at least `least` brackets until `excess` columns are won; in place. */
static void leave_path_out(char *name, size_t least, size_t excess)
{
	struct name_walk w = { .name = name, .len = strlen(name) };
	size_t type = cg_name_after_type(name, strlen(name)), kept = 0, won = 0;

	while (name_walk_on(&w)) {
		bool inner = w.depth >= least && (w.depth > 0 || w.at < type);
		size_t module = inner && won < excess ? module_at(&w) : 0;
		if (module) {
			won += name_columns(name + w.at, module);
			w.next = w.at + module;
			continue;
		}
		memmove(name + kept, name + w.at, w.next - w.at);
		kept += w.next - w.at;
	}
	name[kept] = '\0';
}

static void shorten_path(char *name, size_t excess)
{
	size_t scope, type = cg_name_after_type(name, strlen(name)), to = type, won = 0;
	struct name_walk w = walk_of(name);

	own_part(name, &scope);
	w.next = type;
	while (to < scope && won < excess && next_part(&w)) {
		won += name_columns(name + to, w.next - to);
		to = w.next;
	}
	if (to > scope)
		to = scope;
	memmove(name + type, name + to, strlen(name + to) + 1);
}

static size_t excess_of(const char *name, size_t width)
{
	size_t have = text_width(name);
	return have > width ? have - width : 0;
}

char *name_without_modules(const char *name, size_t width)
{
	enum { DEEP = 4 };
	char *text = strdup(name);

	for (size_t least = DEEP; text && least-- > 0 && excess_of(text, width);)
		leave_path_out(text, least, excess_of(text, width));
	if (text && excess_of(text, width))
		shorten_path(text, excess_of(text, width));
	return text;
}

char *name_without_inner_modules(const char *name)
{
	char *text = strdup(name);

	if (text)
		leave_path_out(text, 0, SIZE_MAX);
	return text;
}
