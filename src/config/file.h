/* Reading files that users write: small ones, as a whole. */
#ifndef IRDIFF_CONFIG_FILE_H
#define IRDIFF_CONFIG_FILE_H

#include <stddef.h>

#include "cgprofile/error.h"

/* Reads a regular file. If it has more than `max` bytes, `max` + 1 are read, so that the parser
 * notices. The caller frees *text. Errors: CG_EIO, CG_ENOMEM. */
int config_file_read(const char *path, size_t max, char **text, size_t *len, struct cg_error *err);

#endif
