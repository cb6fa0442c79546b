/* The digest of the source files of a measured program, as far as its profile names them. */
#ifndef IRDIFF_MEASURE_SOURCE_DIGEST_H
#define IRDIFF_MEASURE_SOURCE_DIGEST_H

#include "cgprofile/error.h"
#include "cgprofile/profile.h"

#define SOURCE_DIGEST 40

/* The digest of all files below `directory` that lines of the profile are in, with their paths. A
 * path counts as below it, too, if it is below one of `places`, at which a build has seen the
 * directory. Comments and blanks of code do not count. `digest` is "" if no such file is there.
 * CG_OK or CG_ENOMEM. */
int source_digest(const struct cg_profile *p, const char *directory, const char *const *places,
		  size_t nplaces, char digest[SOURCE_DIGEST], struct cg_error *err);

#endif
