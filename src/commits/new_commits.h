/* Which commits of the branch have no row in the history yet: those of --measure=new. */
#ifndef IRDIFF_COMMITS_NEW_COMMITS_H
#define IRDIFF_COMMITS_NEW_COMMITS_H

#include "src/git/git.h"
#include "src/load/project.h"
#include "src/status/notice.h"

/* Where to look for them. */
struct wanted_new {
	const char *benchmark;    /* a row of it, or of a case of it; NULL: of any benchmark */
	const char *const *paths; /* only commits that change one of these, as git takes them;
				     NULL-terminated, after "--"; NULL: all */
	size_t most;              /* among the newest so many of HEAD's first parents; 0: all */
};

/*
 * Lists, the newest first, the commits without a row after the oldest of these that has one, and
 * before each of them the commit that its counts are compared with. So commits that were left out
 * are found later, but those that are older than the history are not. If none of them has a row,
 * all are new; if no commit changes the paths, none is.
 *
 * Says what it found. CG_EINVAL: the clone is shallow, and lacks the commits that would tell.
 */
int list_new_commits(const struct git *git, const struct project *project,
		     const struct wanted_new *wanted, struct strings *out, struct cg_error *err);

#endif
