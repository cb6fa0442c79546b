/* Ignored inputs that irdiff.yml's copy: names: generated data, downloads. They are not in git, so both
 * sides get those of the work tree. */
#ifndef IRDIFF_CMD_SIDE_COPY_H
#define IRDIFF_CMD_SIDE_COPY_H

#include "src/cmd/workshop.h"

/* Finds them; *digests gets a line for each file, "ID PATH", which is the caller's; NULL if there is
 * no copy:. CG_EINVAL, with file and line: a pattern that matches nothing, or leads out of the
 * project. */
int side_find_copied(const struct workshop *w, char **digests, struct cg_error *err);

/* Copies them into the project's directory of what was written out; they may replace files. */
int side_put_copied(const struct workshop *w, const char *digests, const char *directory,
		    struct cg_error *err);

#endif
