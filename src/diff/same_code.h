/* Whether both sides ran the same code, as far as the facts of the driver tell it. */
#ifndef IRDIFF_DIFF_SAME_CODE_H
#define IRDIFF_DIFF_SAME_CODE_H

#include "src/diff/diff.h"

/* Measured by irdiff, which keeps the code and source. */
bool by_irdiff(const struct cg_profile *p);
bool both_by_irdiff(const struct diff *d);

/* The same builds of the program and all other objects: facts that both sides recorded. */
bool same_builds(const struct diff *d);

/* The same build of one object, by its base name: a fact that both sides recorded. */
bool same_build_of(const struct diff *d, const char *object);

/* The same command, and the same builds of the program, the C library and all other objects: facts
 * that both sides recorded. */
bool same_code(const struct diff *d);

/* Same code, and nothing says that the files it works on are others: both are of one commit without
 * changes, or of no known one. What counts differently then does so by chance. */
bool same_measurement(const struct diff *d);

#endif
