#include "src/report/source_pattern.h"

#include <stdio.h>
#include <string.h>

#include "callgrind/name_parts.h"
#include "cgprofile/names.h"
#include "src/text/shell.h"

static bool mentions(const struct cg_profile *p, cg_str text, const char *part, size_t len)
{
	return memmem(cg_string(p, text), strlen(cg_string(p, text)), part, len) != NULL;
}

/* Whether a filter that is this text chooses one function only. */
static bool is_unique(const struct cg_profile *p, const char *part, size_t len)
{
	uint32_t found = 0;
	for (uint32_t f = 1; f < p->nfunctions && found < 2; f++) {
		const struct cg_function *fn = &p->functions[f];
		found += mentions(p, fn->name, part, len) || mentions(p, fn->file, part, len) ||
			 mentions(p, fn->object, part, len);
	}
	return found == 1;
}

/* A name that fills lines of a terminal is not what someone wants to copy: what follows the
 * scopes says it, if no other function has it, or `shared` says that this is fine. */
static bool escape_last_part(const struct cg_profile *p, const char *name, bool shared,
			     char *pattern, size_t size)
{
	enum { LONG = 40, LEAST = 3 };
	size_t bare = cg_name_without_parameters(name, strlen(name));
	const char *last = name + cg_name_last_part(name, bare);
	const size_t lengths[] = { strcspn(last, "<("), bare - (size_t)(last - name) };
	char part[LONG + 1];

	for (size_t i = 0; strlen(name) > LONG && i < sizeof lengths / sizeof *lengths; i++) {
		if (lengths[i] < LEAST || lengths[i] > LONG ||
		    (!shared && !is_unique(p, last, lengths[i])))
			continue;
		snprintf(part, sizeof part, "%.*s", (int)lengths[i], last);
		return shell_regex_of_part(part, pattern, size);
	}
	return false;
}

/* Overloads are shown beside each other. */
static bool escape_without_parameters(const char *name, size_t longest, char *pattern, size_t size)
{
	size_t bare = cg_name_without_parameters(name, strlen(name));
	char part[200], escaped[sizeof part];

	if (bare >= sizeof part || bare == strlen(name))
		return false;
	snprintf(part, sizeof part, "%.*s", (int)bare, name);
	return shell_regex_of_part(part, escaped, sizeof escaped) && strlen(escaped) <= longest &&
	       snprintf(pattern, size, "^%s\\(", escaped) < (int)size;
}

bool source_pattern(const struct cg_profile *p, const char *name, char *pattern, size_t size)
{
	return escape_last_part(p, name, false, pattern, size) || shell_regex(name, pattern, size);
}

bool source_pattern_short(const struct cg_profile *p, const char *name, char *pattern, size_t size)
{
	enum { LONG = 80 };

	if (escape_last_part(p, name, false, pattern, size))
		return true;
	if (shell_regex(name, pattern, size) && strlen(pattern) <= LONG)
		return true;
	return escape_without_parameters(name, LONG, pattern, size) ||
	       escape_last_part(p, name, true, pattern, size) || shell_regex(name, pattern, size);
}

static bool has_this_source(const struct cg_profile *p, uint32_t function, const char *name,
			    const char *file)
{
	const char *is = cg_string(p, p->functions[function].name);
	const size_t stem = cg_name_stem(is, strlen(is));

	return strlen(name) == stem && memcmp(is, name, stem) == 0 &&
	       strcmp(cg_string(p, p->functions[function].file), file) == 0;
}

bool source_has_costs(const struct cg_profile *p, const char *name, const char *file)
{
	for (uint32_t i = 1; i < p->nrecords; i++) {
		const int64_t *self = p->record_self + (size_t)i * p->nevents;
		bool costs = false;
		for (uint32_t e = 0; e < p->nevents; e++)
			costs |= self[e] != 0;
		if (costs && has_this_source(p, p->records[i].function, name, file))
			return true;
	}
	return false;
}
