/* What is to be said of a comparison beside its counts (src/diff/remarks.h), found in its profiles. */
#ifndef IRDIFF_CMD_REMARKING_H
#define IRDIFF_CMD_REMARKING_H

#include "src/cmd/comparison.h"

/* Of a comparison that is made and judged, but for its remarks, which are added to it. */
int remarking_find(struct comparison *c, struct cg_error *err);

#endif
