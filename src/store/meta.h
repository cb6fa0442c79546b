/* What meta.json records about a measurement (src/measure/keep_profile.c writes it). The file is
 * in the project and may come from another machine; values that irdiff would not write count as
 * unknown. */
#ifndef IRDIFF_STORE_META_H
#define IRDIFF_STORE_META_H

#include <stdbool.h>
#include <stdint.h>

/* When it was measured, in seconds since 1970. False: that is not known. */
bool meta_measured(const char *root, const char *path, int64_t *seconds);

/* How many seconds the program ran; < 0: that is not known. */
double meta_seconds(const char *root, const char *path);

#endif
