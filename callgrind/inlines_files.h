/*
 * Private to the library: the files where functions of a profile are defined. Valgrind names the
 * one of a function's first instruction, which may be of something inlined from another file. And
 * what functions are called that compilers call in ways of their own (callgrind/lambdas.h).
 */
#ifndef CG_INLINES_FILES_H
#define CG_INLINES_FILES_H

#include "cgprofile/inlines.h"

/* Notes which functions of the profile, whose addresses `in` knows, belong to other files than
 * recorded, or have other names. CG_OK, CG_ENOMEM or CG_ERANGE. */
int cg_inlines_find_files(struct cg_inlines *in, const struct cg_profile *p);

/* What is known of a function that a profile has in `file`: belongs to `in`. NULL: it is right, or
 * not known to be wrong. */
const struct cg_inlines_file *cg_inlines_real(const struct cg_inlines *in, const char *object,
					      const char *file, const char *function);

/* The name of a function that one of any object and file calls. NULL: it is right, or not known. */
const char *cg_inlines_real_name(const struct cg_inlines *in, const char *function, size_t len);

#endif
