/*
 * Private to the library: the files where functions of a profile are defined. Valgrind names the
 * one of a function's first instruction, which may be of something inlined from another file.
 */
#ifndef CG_INLINES_FILES_H
#define CG_INLINES_FILES_H

#include "callgrind/inlines.h"

/* Notes which functions of the profile, whose addresses `in` knows, are of other files than it
 * says. CG_OK, CG_ENOMEM or CG_ERANGE. */
int cg_inlines_find_files(struct cg_inlines *in, const struct cg_profile *p);

/* The file where a function is defined that a profile has in `file`: belongs to `in`. NULL if that
 * is right, or not known to be wrong. */
const char *cg_inlines_real_file(const struct cg_inlines *in, const char *object, const char *file,
				 const char *function);

#endif
