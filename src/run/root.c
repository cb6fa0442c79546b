#include "src/run/root.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"

bool root_is_pattern(const char *root)
{
	return strpbrk(root, "*?") != NULL;
}

/* Brackets and backslashes are ordinary characters to callgrind. Of several *, only where the last
 * one ends has to be tried again. */
static bool matches(const char *pattern, const char *name)
{
	const char *star = NULL, *again = NULL;

	while (*name) {
		if (*pattern == '*') {
			star = ++pattern;
			again = name;
		} else if (*pattern && (*pattern == '?' || *pattern == *name)) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star;
			name = ++again;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

static struct root_match *match_named(struct root_matches *m, const char *name)
{
	size_t low = 0, high = m->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(m->items[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < m->count && strcmp(m->items[low].name, name) == 0)
		return &m->items[low];
	char *copy = strdup(name);
	if (!copy || cg_grow(&m->items, &m->cap, m->count + 1, sizeof *m->items)) {
		free(copy);
		return NULL;
	}
	memmove(&m->items[low + 1], &m->items[low], (m->count - low) * sizeof *m->items);
	m->items[low] = (struct root_match){ .name = copy };
	m->count++;
	return &m->items[low];
}

/* The nearest of the callers that matches and is another function; NULL: none. */
static const char *matching_caller(const char *pattern, const char *name,
				   const struct cg_profile *p, uint32_t context)
{
	const cg_str *callers = cg_contexts_get(&p->contexts, context);
	const size_t count = cg_contexts_size(&p->contexts, context);

	for (size_t i = 0; i < count; i++) {
		const char *caller = cg_string(p, callers[i]);
		if (strcmp(caller, name) != 0 && matches(pattern, caller))
			return caller;
	}
	return NULL;
}

int root_add(struct root_matches *m, const char *pattern, const struct cg_profile *p)
{
	for (uint32_t i = 1; i < p->nrecords; i++) {
		const struct cg_record *record = &p->records[i];
		const char *name = cg_string(p, p->functions[record->function].name);
		if (record->inlined_into || !matches(pattern, name))
			continue;
		struct root_match *match = match_named(m, name);
		const char *caller = matching_caller(pattern, name, p, record->context);
		if (!match)
			return CG_ENOMEM;
		match->outermost |= !caller;
		if (caller && !match->caller && !(match->caller = strdup(caller)))
			return CG_ENOMEM;
	}
	return CG_OK;
}

const struct root_match *root_ambiguous(const struct root_matches *m)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->items[i].outermost && m->items[i].caller)
			return &m->items[i];
	return NULL;
}

bool root_has_nested(const struct root_matches *m)
{
	for (size_t i = 0; i < m->count; i++)
		if (!m->items[i].outermost)
			return true;
	return false;
}

/* Callgrind takes a name for a pattern, too. Of the * in "f(char*)", a ? matches the least. */
static char *narrow_name(const char *name)
{
	char *narrow = strdup(name);

	for (char *at = narrow; at && (at = strchr(at, '*'));)
		*at = '?';
	return narrow;
}

int root_names(const struct root_matches *m, struct strings *names, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < m->count; i++) {
		if (!m->items[i].outermost)
			continue;
		char *name = narrow_name(m->items[i].name);
		status = name ? strings_add(names, name, err) : cg_fail_nomem(err);
		free(name);
	}
	return status;
}

/* Callgrind finds only one of the names whose texts up to the first wildcard are alike. */
static bool hides(const char *name, const char *other)
{
	return root_is_pattern(name) && strncmp(name, other, strcspn(name, "*?")) == 0;
}

const struct root_match *root_blurred(const struct root_matches *m, const struct strings *names,
				      const char **name)
{
	for (size_t n = 0; n < names->count; n++) {
		*name = names->items[n];
		for (size_t i = 0; i < m->count; i++) {
			const struct root_match *match = &m->items[i];
			const bool same = matches(*name, match->name);
			if (match->outermost ? !same && hides(*name, match->name) : same)
				return match;
		}
	}
	return NULL;
}

void root_free(struct root_matches *m)
{
	for (size_t i = 0; i < m->count; i++) {
		free(m->items[i].name);
		free(m->items[i].caller);
	}
	free(m->items);
	*m = (struct root_matches){ 0 };
}
