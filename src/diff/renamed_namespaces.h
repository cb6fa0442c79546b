/*
 * Private to diff/: namespaces whose names contain a version that is another one in head.
 *
 * C++ libraries put all they have into an inline namespace such as fmt::v11, so a new version
 * renames each of their functions, and each function whose parameters or template arguments are
 * theirs. A namespace of base is one of head if
 *
 *     - their names differ in nothing but versions (versioned_scope.h);
 *     - no other namespace of either side differs from them in nothing but that: where fmt::v11
 *       and fmt::v12 are in one profile, they are two;
 *     - neither side has a function or type of that name; and
 *     - a function of base is found in head that way.
 *
 * Exchanging base and head changes no pair.
 */
#ifndef IRDIFF_DIFF_RENAMED_NAMESPACES_H
#define IRDIFF_DIFF_RENAMED_NAMESPACES_H

#include "src/diff/match.h"

struct renamed_namespace {
	const char *base, *head; /* its name on each side, with those around it */
	size_t uses;             /* how often it is in the names of pairs */
};

/* Pairs functions as match_groups does, those of base by the names that they would have in head.
 * Sets m->match, m->renamed, and `matched` and `other` of the keys. CG_OK or CG_ENOMEM. */
int renamed_namespaces_match(struct cg_strings *strings, struct matched_groups *m);

/* Those of the most uses first. *out is to be freed; its texts live as long as `r`, which may be
 * NULL. CG_OK or CG_ENOMEM. */
int renamed_namespaces_list(const struct renamed_namespaces *r, struct renamed_namespace **out,
			    size_t *count);
void renamed_namespaces_free(struct renamed_namespaces *r);

#endif
