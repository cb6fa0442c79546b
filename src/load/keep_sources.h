/* The source files of a profile: kept when it is measured, found when they are to be shown. */
#ifndef IRDIFF_LOAD_KEEP_SOURCES_H
#define IRDIFF_LOAD_KEEP_SOURCES_H

#include "src/load/load.h"
#include "src/view/source.h"

/* Stores the costliest of them, as far as they are there and not very large, at `path`, and of the
 * work tree the sources beside these, which declare what they use. The profile must have lines.
 * Kept are only files of the work tree that the project's root lies in, and what is installed for
 * everybody to read: headers, the compiler's libraries, packages of Rust and Go. What the profile
 * calls `moved->real`, if that is not NULL, is read at `moved->seen`, which is the work tree
 * then, where programs are built; otherwise files that are newer than the program are marked. */
int keep_sources(const struct cg_profile *p, const char *root, const struct cg_path_map *moved,
		 const char *path, struct cg_error *err);

/* A file of the work tree that the profile names, with lines, and that is newer than the program
 * now; NULL: none is known. The caller's. */
int newer_source_find(const struct cg_profile *p, const char *root, char **out,
		      struct cg_error *err);

/* The text of a source file of a profile: as it was stored (SOURCE_TEXT_NEWER if it may not be that
 * of the program), else at the profile's
 * commit, else as it is now in the work tree of the project or in `dirs` (see source_text_find). */
int loaded_source_text(const struct loaded *l, const char *file, const char *const *dirs,
		       struct source_text *out, struct cg_error *err);

/* Whether the source that was measured may be known, not only what it is now: it was kept with the
 * label that the operand is, or the profile is of a commit. */
int loaded_may_know_source(const struct project *project, const char *operand,
			   const struct loaded *l, bool *out, struct cg_error *err);

#endif
