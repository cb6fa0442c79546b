/* Which two states of a project are compared: those given by the user, by the CI system, or by
 * default. */
#ifndef IRDIFF_COMMITS_RANGE_H
#define IRDIFF_COMMITS_RANGE_H

#include "src/commits/build_area.h"

/* Texts and ids are owned. */
struct range {
	char *base, *base_name; /* the id of a commit, and what people call it */
	char *head, *head_name; /* NULL: the work tree */
};

/*
 * What `text` means: "A" (commit A against the work tree), "A..B", or "A...B" (the merge base of
 * both against B; without B: of A and HEAD against the work tree). NULL: range_default. CG_EINVAL:
 * unknown commit, with advice.
 */
int range_parse(const struct git *git, const char *text, const char *configured, bool changed,
		struct range *out, struct cg_error *err);

/* Whether it names a commit as head: otherwise that is the work tree. NULL does not. */
bool range_names_head(const char *text);

/*
 * By default: against the merge base with the target branch of the change. Its name comes from the
 * variables of the CI system (GitHub, GitLab, Bitbucket, Azure, Jenkins, Buildkite, Drone,
 * Travis); else it is `configured` (irdiff.yml's base:, may be NULL), the default branch of
 * origin, main or master. On that branch itself, if the work tree has not `changed`, the base is
 * the previous commit: the parent, or the commit before the push according to the CI system.
 */
int range_default(const struct git *git, const char *configured, bool changed, struct range *out,
		  struct cg_error *err);

void range_free(struct range *range);

#endif
