/*
 * Regular expressions (PCRE2, UTF-8) over function names.
 *
 * Names come from files and patterns from users: both are hostile. Matching is
 * bounded, so that no pattern hangs; bytes that are not UTF-8 match nothing but
 * do no harm.
 */
#ifndef IRDIFF_VIEW_PATTERN_H
#define IRDIFF_VIEW_PATTERN_H

#include <stdbool.h>

#include "cgprofile/profile.h"

struct pattern;

/* Compiles a regex. A bad one is CG_EINVAL, with the column in the message. */
int pattern_compile(const char *regex, struct pattern **out, struct cg_error *err);
/* The same; *out is NULL for NULL. */
int pattern_compile_optional(const char *regex, struct pattern **out, struct cg_error *err);
void pattern_free(struct pattern *p);

/* Whether the pattern matches somewhere in the text. CG_ERANGE if matching
 * took more than the allowed effort. */
int pattern_matches(const struct pattern *p, const char *text, bool *matches, struct cg_error *err);

/* Whether it matches a function: its name (so that ^ and $ mean the name's ends)
 * or "object:file:function", as it stands or as cg_name_stem shortens it: a clone
 * (f.isra.0) is found by the name that it has in the source, and in a diff. */
int pattern_matches_name(const struct pattern *p, const char *object, const char *file,
			 const char *name, bool *matches, struct cg_error *err);

/* From now on pattern_matches_name also finds, by the name that cg_name_stem leaves, what has it
 * from a clone of this profile whose own name matches: in a diff clones have that name alone.
 * CG_OK, CG_ENOMEM, or as pattern_matches. */
int pattern_add_clones(struct pattern *p, const struct cg_profile *of, struct cg_error *err);

/* The same of the name alone: without object and file, and of the clones that
 * pattern_add_named_clones has added. */
int pattern_matches_function(const struct pattern *p, const char *file, const char *name,
			     bool *matches, struct cg_error *err);
int pattern_add_named_clones(struct pattern *p, const struct cg_profile *of, struct cg_error *err);

/* A function has another name on the other side of a diff. */
struct pattern_name {
	const char *object, *file, *name, *other;
};

/* From now on pattern_matches_name (`whole`) or pattern_matches_function also finds what it would
 * find by the other name. Errors as above. */
int pattern_add_names(struct pattern *p, const struct pattern_name *list, size_t count, bool whole,
		      struct cg_error *err);

#endif
