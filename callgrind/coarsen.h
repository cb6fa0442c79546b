/*
 * A profile with less detail, without reading its file again.
 */
#ifndef CG_COARSEN_H
#define CG_COARSEN_H

#include "cgprofile/reader.h"

/*
 * What the files of `p` would have given if they had been read with `how`: addresses left out,
 * deeper recursion folded, costs counted for inlined functions. `p` was read with addresses and
 * calls, without contexts and join_cold, and with as many levels as are wanted; of `how` only
 * `detail`, `inlines`, `keep_interpreters` and `join_cold` matter, and it wants calls.
 * Rows may come in another order. CG_OK, CG_ENOMEM, CG_ERANGE, or CG_EINVAL if `p` does not have
 * what is asked for.
 */
int cg_coarsen(const struct cg_profile *p, const struct cg_read_options *how,
	       struct cg_profile **out);

#endif
