#include "src/report/plain_name.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/name_parts.h"
#include "src/text/name_paths.h"
#include "src/text/text.h"

/* A bracket of Rust in which scopes are: "<A<T> as B>::f", "a::<impl B for A>::f". */
static bool begins_scope(const struct name_walk *w, size_t kept)
{
	static const char impl[] = "::<impl ";
	const char *c = w->name + w->at;

	return kept == 0 && name_walk_is(w, '<') &&
	       (w->at == 0 || (w->at >= 2 && strncmp(c - 2, impl, sizeof impl - 1) == 0));
}

/* Not a list: "{lambda#1}", "[clone]", and the type in Go's "json.(*Decoder).Decode". */
static bool is_kept_bracket(const struct name_walk *w, size_t kept)
{
	if (name_walk_is(w, '{') || name_walk_is(w, '[') || begins_scope(w, kept))
		return true;
	return name_walk_is(w, '(') && (w->at == 0 || strchr(":. ", w->name[w->at - 1]));
}

/* What precedes arguments in Rust's "from_elem::<u8>". */
static size_t without_turbofish(const char *text, size_t used)
{
	return used > 2 && memcmp(text + used - 2, "::", 2) == 0 ? used - 2 : used;
}

/* Leaves out all lists of a part of a name, in its place: brackets that are kept are the outermost
 * ones, as whatever is in a list is left out with it. */
static void leave_lists_out(char *name, size_t len)
{
	struct name_walk w = { .name = name, .len = len };
	size_t kept = 0, used = 0;
	char *text = calloc(len + 1, 1);

	if (!text)
		return;
	for (size_t before = 0; name_walk_on(&w); before = w.inside) {
		bool opens = w.inside > before, closes = w.inside < before;
		if (w.depth > kept || (closes && w.depth == kept))
			continue;
		if (opens && !is_kept_bracket(&w, kept)) {
			used = without_turbofish(text, used);
			continue;
		}
		kept += opens;
		kept -= closes;
		memcpy(text + used, name + w.at, w.next - w.at);
		used += w.next - w.at;
	}
	while (used && text[used - 1] == ' ')
		used--;
	memcpy(name, text, used);
	name[used] = '\0';
	free(text);
}

char *plain_name_of_instance(const char *name)
{
	size_t len = strlen(name), stem = cg_name_stem(name, len);
	size_t bare = cg_name_without_parameters(name, stem), from = 0;

	if (bare > 0 && name[bare - 1] == '>')
		from = cg_name_after_type(name, len);
	return bare > from ? strndup(name + from, bare - from) : strdup(name);
}

char *plain_name(const char *name)
{
	char *text = plain_name_of_instance(name);

	if (text)
		leave_lists_out(text, strlen(text));
	if (!text || *text)
		return text;
	free(text);
	return strdup(name);
}

char *plain_name_fit(const char *name, size_t room)
{
	enum { LEAST = 4 };
	const char *own = name + name_own(name);

	if (text_width(name) <= room)
		return strdup(name);
	if (text_width(own) <= room)
		return strdup(own);
	return room < LEAST ? NULL : text_source(own, (unsigned)room);
}
