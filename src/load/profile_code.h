/* The machine code of the objects of a profile, as they are now. */
#ifndef IRDIFF_LOAD_PROFILE_CODE_H
#define IRDIFF_LOAD_PROFILE_CODE_H

#include "callgrind/machine_code.h"
#include "cgprofile/profile.h"

/* Reads that around all addresses of a profile, up to `most` bytes; the objects that cost most come
 * first. With the jumps of their instructions, if those were counted. CG_OK or CG_ENOMEM; free with
 * cg_code_free in both cases. */
int profile_code_read(const struct cg_profile *p, size_t most, struct cg_code *out);

#endif
