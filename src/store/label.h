/* Labels: the names people give to profiles, baselines and benchmarks. */
#ifndef IRDIFF_STORE_LABEL_H
#define IRDIFF_STORE_LABEL_H

#include "callgrind/support/error.h"

#define LABEL_MAX 200 /* bytes; leaves room for suffixes in a file name */

/* A label becomes part of a file name and of what is printed: valid UTF-8, 1 to
 * LABEL_MAX bytes, no / or \, no leading dot or dash, no control characters, no
 * space at either end. Returns CG_OK or CG_EINVAL. */
int label_check(const char *label, struct cg_error *err);

/* The same for a label to be written: `.old` at its end is kept for the profile
 * that another one replaced, and there must be room for it. */
int label_check_new(const char *label, struct cg_error *err);

#endif
