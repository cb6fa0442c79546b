/* Keeps the machine code that a profile executes, so that its instructions can be shown when its
 * objects are gone. */
#ifndef IRDIFF_MEASURE_KEEP_CODE_H
#define IRDIFF_MEASURE_KEEP_CODE_H

#include "cgprofile/profile.h"

/* Reads the objects of a profile with addresses as they are now, and writes their code to `path`,
 * with the paths renamed as those of the profile are. Objects that have more of it than there is
 * room for are only named. Errors: CG_ENOMEM, CG_EIO. */
int keep_code(const struct cg_profile *p, const struct cg_path_map *renamed, size_t nrenamed,
	      const char *path, struct cg_error *err);

#endif
