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

/* The names of the authors of commits, given by ids, of which each is in the repository. As
 * .mailmap has them; by id. */
int git_log_authors(const struct git *git, const char *const *ids, size_t count,
		    struct git_log *out, struct cg_error *err);

/* NULL: it is not in the log, or its text is empty. The log is by id. */
const char *git_log_find(const struct git_log *log, const char *id);

/* The names of the tags of commits, by name. */
int git_log_tags(const struct git *git, struct git_log *out, struct cg_error *err);

void git_log_free(struct git_log *log);

#endif
