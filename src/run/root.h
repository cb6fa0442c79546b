/*
 * A root with wildcards as the names of the functions that it means.
 *
 * Callgrind toggles counting at each function that matches: if one of them calls another one, it
 * stops counting there. So only those count as roots that no other match calls. A recursive call of
 * the same function is not toggled.
 */
#ifndef IRDIFF_RUN_ROOT_H
#define IRDIFF_RUN_ROOT_H

#include <stdbool.h>

#include "cgprofile/profile.h"
#include "src/run/strings.h"

/* Whether a name has wildcards. */
bool root_is_pattern(const char *root);

/* Matches of a pattern in profiles, by name, sorted. Zero-initialise; free with root_free. */
struct root_match {
	char *name;
	bool outermost; /* called by no other match, at least once */
	char *caller;   /* another match that calls it, maybe indirectly; NULL */
};

struct root_matches {
	struct root_match *items;
	size_t count, cap;
};

/* Adds the functions of a profile that has contexts. CG_OK or CG_ENOMEM. */
int root_add(struct root_matches *m, const char *pattern, const struct cg_profile *p);

/* A match that is called both by another one and by none: what counts cannot be told; NULL. */
const struct root_match *root_ambiguous(const struct root_matches *m);

/* Whether one is called by other matches only. If not, the pattern itself tells what counts. */
bool root_has_nested(const struct root_matches *m);

/* Adds the names of the outermost ones, as callgrind is to be told them. */
int root_names(const struct root_matches *m, struct strings *names, struct cg_error *err);

/* A match that callgrind would confuse with one of these names, *name, which has wildcards; NULL:
 * there is no such match. */
const struct root_match *root_blurred(const struct root_matches *m, const struct strings *names,
				      const char **name);

void root_free(struct root_matches *m);

#endif
