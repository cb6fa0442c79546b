/* The commits of a branch, such as the one that is checked out, in their order. */
#ifndef IRDIFF_RECORD_BRANCH_H
#define IRDIFF_RECORD_BRANCH_H

#include "src/git/git.h"
#include "src/history/series.h"

struct place_of_commit {
	char *id;
	enum series_place place; /* on the branch, or merged */
	size_t number;           /* of those on the branch: the root is 0 */
};

struct branch {
	struct place_of_commit *commits; /* all ancestors, by id */
	size_t count;
	bool known;          /* there is a repository, and all of its commits are there */
	struct cg_error why; /* it is not known, as a message */
};

/* The branch of a last commit, or of HEAD. If `git` is NULL, `last` is not a commit, or the
 * clone is shallow, the branch is unknown; if `git` is NULL, `out->why` is for the caller to fill
 * in. Free with branch_free. */
int branch_of(const struct git *git, const char *last, struct branch *out, struct cg_error *err);
void branch_free(struct branch *b);

/* NULL: it is not an ancestor. */
const struct place_of_commit *branch_find(const struct branch *b, const char *id);

#endif
