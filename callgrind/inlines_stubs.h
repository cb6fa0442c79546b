/*
 * Private to the library: stubs of the procedure linkage table. They have no symbol, so Valgrind
 * calls them by their address, and does not know the object of those in .plt.sec and .plt.got. The
 * code that calls them leads to their names: "memcpy@plt".
 */
#ifndef CG_INLINES_STUBS_H
#define CG_INLINES_STUBS_H

#include "cgprofile/inlines.h"

/* Adds a row to in->files for each function of the profile that is such a stub of an object whose
 * debug information was found: it is the same build. There is room for all functions. CG_OK,
 * CG_ENOMEM or CG_ERANGE. */
int cg_inlines_add_stubs(struct cg_inlines *in, const struct cg_profile *p);

#endif
