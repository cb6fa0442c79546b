/* Private to diff/: in which objects an address is the same function in both profiles. */
#ifndef IRDIFF_DIFF_ADDRESSES_H
#define IRDIFF_DIFF_ADDRESSES_H

#include "cgprofile/profile.h"

/*
 * Functions without a symbol have only an address in their object, which another
 * build moves. An object is taken for the same build if nine in ten of the addresses
 * of the side that has fewer are on the other side too: where a change moved what
 * is after it, few still coincide.
 *
 * (*stable)[object] says so for every object that has such functions, by the id of
 * its base name in `strings`; free() it. Errors: CG_ENOMEM, CG_ERANGE.
 */
int addresses_compare(const struct cg_profile *base, const struct cg_profile *head,
		      struct cg_strings *strings, bool **stable);

#endif
