/* Whether a program was built before a source of it was written, so that it may be of another. */
#ifndef IRDIFF_LOAD_OLDER_PROGRAM_H
#define IRDIFF_LOAD_OLDER_PROGRAM_H

#include "cgprofile/profile.h"

/* A file that the profile names, with lines, and that was newer than the program when it was kept
 * with the label (keep_sources.h), as the user would name it below `root`; NULL: none is known. The
 * caller's. Errors: CG_ENOMEM, CG_ESYNTAX, CG_EIO. */
int older_program_source(const char *root, const char *label, const struct cg_profile *p,
			 char **out, struct cg_error *err);
/* The same as it is now, of a profile that is not kept; it must have lines. */
int older_program_source_now(const char *root, const struct cg_profile *p, char **out,
			     struct cg_error *err);

#endif
