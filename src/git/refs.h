/* What people call commits, and how these are related. */
#ifndef IRDIFF_GIT_REFS_H
#define IRDIFF_GIT_REFS_H

#include <stdint.h>

#include "src/git/git.h"

/* The id of the commit that `ref` means: a branch, a tag, an id, HEAD~3 … Errors: CG_EINVAL, there
 * is none; in a shallow clone with the command that fetches it. *commit is the caller's. */
int git_resolve(const struct git *git, const char *ref, char **commit, struct cg_error *err);

/* The closest common ancestor of two commits, given by ids. CG_EINVAL if there is none, or if a
 * shallow clone does not reach it. */
int git_merge_base(const struct git *git, const char *a, const char *b, char **commit,
		   struct cg_error *err);

bool git_is_shallow(const struct git *git);

/* The id of the tree of a commit. */
int git_tree_of(const struct git *git, const char *commit, char **tree, struct cg_error *err);

/* The same of a commit of another repository, such as a submodule's; an error without words if
 * it is not there. */
int git_tree_in(const struct git *git, const char *directory, const char *commit, char **tree);

struct git_commit {
	char *id;
	char *subject;     /* hostile text */
	int64_t committed; /* seconds since 1970 */
};

/* Free what is in it with git_commit_free. */
int git_describe_commit(const struct git *git, const char *id, struct git_commit *out,
			struct cg_error *err);
void git_commit_free(struct git_commit *commit);

/* The ids of the commits of `git rev-list` with these arguments, of which the last is NULL: options
 * of ours and ids. */
int git_list(const struct git *git, const char *const *args, struct strings *out,
	     struct cg_error *err);

/* Whether the id is one, as git prints it: 40 or 64 digits of hex. */
bool git_is_id(const char *text);

#endif
