/* Ignored inputs that irdiff.yml's copy: names: generated data, downloads. They are not in git,
 * so both sides get those of the work tree: the same ones, also if they change meanwhile. */
#ifndef IRDIFF_COMMITS_REVISION_COPY_H
#define IRDIFF_COMMITS_REVISION_COPY_H

#include "src/commits/revision.h"

/* Copies them into a directory of the workshop's, once, and describes them for keys. CG_EINVAL,
 * with file and line: a pattern that matches nothing, or what is neither a file nor a link. */
int revision_find_copied(struct build_area *w, struct cg_error *err);

/* Copies them into the project's directory of what was written out. What the side has itself stays, with a
 * warning; nothing goes through symbolic links of it: CG_EINVAL. */
int revision_put_copied(const struct build_area *w, const struct revision *side,
			const char *directory, struct cg_error *err);

#endif
