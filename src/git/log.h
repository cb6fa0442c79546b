/* What git knows of many commits at once. */
#ifndef IRDIFF_GIT_LOG_H
#define IRDIFF_GIT_LOG_H

#include "src/git/git.h"

/* Commits, each with a text, which is hostile. Free with git_log_free. */
struct git_log {
	struct git_log_entry {
		char *id, *text;
	} * items;
	size_t count, cap;
};

/* The names of the authors of a commit, given by its id, and of its first parents, in this order.
 * As .mailmap has them. */
int git_log_authors(const struct git *git, const char *last, struct git_log *out,
		    struct cg_error *err);

/* The names of the tags of commits, by name. */
int git_log_tags(const struct git *git, struct git_log *out, struct cg_error *err);

void git_log_free(struct git_log *log);

#endif
