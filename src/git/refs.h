/* Names of commits, and how commits are related. */
#ifndef IRDIFF_GIT_REFS_H
#define IRDIFF_GIT_REFS_H

#include <stdint.h>

#include "src/git/git.h"

/* The id of the commit that `ref` means: a branch, a tag, an id, HEAD~3 … CG_EINVAL if it is
 * unknown; in a shallow clone the message has the command that fetches it. *commit is the
 * caller's. */
int git_resolve(const struct git *git, const char *ref, char **commit, struct cg_error *err);

/* The closest common ancestor of two commits, given by ids. CG_EINVAL if they have none, or if a
 * shallow clone does not reach it. */
int git_merge_base(const struct git *git, const char *a, const char *b, char **commit,
		   struct cg_error *err);

bool git_is_shallow(const struct git *git);

/* The id of the tree of a commit. */
int git_tree_of(const struct git *git, const char *commit, char **tree, struct cg_error *err);

/* The same for a commit of another repository, such as a submodule's; an error without a message if
 * it does not have the commit. */
int git_tree_in(const struct git *git, const char *directory, const char *commit, char **tree);

struct git_commit {
	char *id;
	char *subject;     /* hostile text */
	int64_t committed; /* seconds since 1970 */
};

/* Free its members with git_commit_free. */
int git_describe_commit(const struct git *git, const char *id, struct git_commit *out,
			struct cg_error *err);
void git_commit_free(struct git_commit *commit);

/* The ids of the commits that `git rev-list` prints with these arguments (options of ours and ids,
 * and paths after "--"), which end with NULL. */
int git_list(const struct git *git, const char *const *args, struct strings *out,
	     struct cg_error *err);

/* Whether it is an id as git prints it: 40 or 64 hexadecimal digits. */
bool git_is_id(const char *text);

#endif
