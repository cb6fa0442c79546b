/*
 * One ref of a remote, fetched and pushed: refs of the same name here and there, outside of
 * branches and tags. git and the server decide about access: credentials, keys and proxies come
 * from git's configuration. It never asks for a password.
 *
 * In the user's repository only that ref and objects change: no FETCH_HEAD, no tags, no branches
 * of remotes, no maintenance.
 */
#ifndef IRDIFF_GIT_TRANSFER_H
#define IRDIFF_GIT_TRANSFER_H

#include "src/git/git.h"

/* CG_EINVAL for a name that git would take for an option, or an empty one. */
int git_check_remote(const char *remote, struct cg_error *err);

/* Keeps others from fetching and pushing in this repository at the same time, as long as the
 * descriptor is open: *lock is the caller's to close(). Errors: CG_EIO, also if it is
 * interrupted. */
int git_lock(const struct git *git, int *lock, struct cg_error *err);

/* Fetches the ref. *id is what it is now, the caller's; NULL: the remote has none. CG_EIO, with
 * what git said. */
int git_fetch_ref(const struct git *git, const char *remote, const char *ref, char **id,
		  struct cg_error *err);

enum git_push {
	GIT_PUSHED,
	GIT_PUSH_LATE,    /* others have changed the ref, or are changing it */
	GIT_PUSH_REFUSED, /* by the server; *why has its reason */
};

/* Sets the ref of the remote to `new`, if it is still `old` (NULL: it did not exist), which was
 * fetched before; if so, also the ref here. *why is the caller's unless the result is GIT_PUSHED,
 * and hostile. CG_EIO: the remote was not reached, or refused access. */
int git_push_ref(const struct git *git, const char *remote, const char *ref, const char *old,
		 const char *new, enum git_push *result, char **why, struct cg_error *err);

#endif
