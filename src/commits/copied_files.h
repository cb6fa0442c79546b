/* Ignored inputs that copy: in irdiff.yml lists: generated data, downloads. They are not in git,
 * so base and head get those of the work tree: the same ones, even if they change meanwhile. */
#ifndef IRDIFF_COMMITS_COPIED_FILES_H
#define IRDIFF_COMMITS_COPIED_FILES_H

#include "src/commits/build_area.h"

/* Copies them into a directory of the build area's, once, and describes them for keys. CG_EINVAL,
 * with file and line: a pattern that matches nothing, or something that is neither a file nor a
 * link. */
int copied_files_find(struct build_area *w, struct cg_error *err);

/* Copies them into the project's directory of a revision that was written out, which messages call
 * `name`. What the revision has itself stays, with a warning, once, unless its work tree has
 * `changed`; nothing goes through symbolic links of it: CG_EINVAL. */
int copied_files_put(struct build_area *w, const char *directory, const char *name, bool changed,
		     struct cg_error *err);

#endif
