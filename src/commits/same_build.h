/*
 * Commits that need not be built. The tracer tells which paths of the project a build and a run
 * have named, and the cache keeps these (src/run/used_files.h). Where two commits differ only in
 * what is in other files, both would be built and run alike.
 *
 * This goes by names alone, as a build has no list of what the files were. So it is not enough if
 * there are other files, or other names; if the build asked git for the commit; or if the profile
 * names a source that changed, although nobody has opened it: then it is not what was built.
 */
#ifndef IRDIFF_COMMITS_SAME_BUILD_H
#define IRDIFF_COMMITS_SAME_BUILD_H

#include "src/commits/revision.h"

/* Whether two keys may be of such revisions: they differ at most in the tree of the project, not in
 * submodules and copied files. If so, *tree is that of `of`; the caller's. NULL: they are not.
 * CG_OK or CG_ENOMEM. */
int same_build_tree(const char *of, const char *key, char **tree, struct cg_error *err);

/* Whether the revision, as it would be built, is the one of this tree in all that the entry
 * needed. */
bool same_build_has_files(struct build_area *w, const struct revision *side, const char *tree,
			  const char *entry);

#endif
