/* What was measured becomes a row of the project's history. */
#ifndef IRDIFF_CMD_REMEMBER_H
#define IRDIFF_CMD_REMEMBER_H

#include "callgrind/profile.h"
#include "src/store/history_row.h"

/* A row of a profile that irdiff has just measured, with what git says of its commit. `commit` NULL:
 * the one that the profile names; an id is for who knows that its files are those that were
 * measured. *found is false, and no row made, if it is none for a history: not of a benchmark of
 * irdiff.yml, not of a commit, or of a work tree with changes. Free with history_run_free. */
int run_of_profile(const char *root, const struct cg_profile *p, const char *commit,
		   struct history_run *out, bool *found, struct cg_error *err);

/* The digest of the environment in which a profile was measured, as rows have it. False: it does
 * not say, or memory ran out. */
bool environment_of_profile(const struct cg_profile *p, char digest[HISTORY_DIGEST]);

/* Adds that row to the history of the project in `root`. It is for profiles that were measured now,
 * as irdiff.yml says, and not for what is read again. That it cannot be added is a warning, as is a
 * count that differs from what the same commit had in the same environment. */
void remember_run(const char *root, const struct cg_profile *p, const char *commit);

#endif
