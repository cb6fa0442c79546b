/*
 * Private to the library: the files of functions whose debug information does not say where they
 * are defined, as that of `clang -gline-tables-only`. The lines of their own instructions do.
 */
#ifndef CG_INLINES_LINES_H
#define CG_INLINES_LINES_H

#include "cgprofile/inlines.h"

/* Sets the file of frames without one to that of most lines of the profile that are theirs, and not
 * of what is inlined into them. All frames of one function get the same. CG_OK, CG_ENOMEM or
 * CG_ERANGE. */
int cg_inlines_find_line_files(struct cg_inlines *in, const struct cg_profile *p);

#endif
