/* Files next to a profile that are compressed with zstd. */
#ifndef IRDIFF_STORE_PACKED_H
#define IRDIFF_STORE_PACKED_H

#include <stddef.h>
#include <stdio.h>

#include "cgprofile/error.h"

/* Writes what `write` puts into the stream. Errors: CG_ENOMEM, CG_EIO. */
int packed_write(const char *path, void (*write)(const void *what, FILE *to), const void *what,
		 struct cg_error *err);

/* Reads the unpacked contents, up to `most` bytes or a few more, and adds a NUL; *bytes is the
 * caller's. Errors: CG_ESYNTAX, CG_EIO, CG_ENOMEM. */
int packed_read(const char *path, size_t most, char **bytes, size_t *size, struct cg_error *err);

#endif
