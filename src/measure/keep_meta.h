/* How a profile was measured: data/meta.schema.json. */
#ifndef IRDIFF_MEASURE_KEEP_META_H
#define IRDIFF_MEASURE_KEEP_META_H

#include "src/measure/keep_profile.h"

/* `p` is what was measured. Errors: CG_ENOMEM, CG_EIO. */
int keep_meta(const struct kept_run *run, const struct kept_profile *what,
	      const struct cg_profile *p, const char *path, struct cg_error *err);

#endif
