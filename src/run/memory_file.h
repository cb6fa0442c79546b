/* Files in memory, for what helpers read and write: they cannot fill up as pipes do. */
#ifndef IRDIFF_RUN_MEMORY_FILE_H
#define IRDIFF_RUN_MEMORY_FILE_H

#include <stddef.h>

#include "cgprofile/error.h"

/* Makes a file of this text, open at its beginning; NULL: it is empty. `name` is shown in /proc.
 * *fd is the caller's to close, and untouched on failure (CG_EIO). */
int memory_file_make(const char *name, const char *text, size_t size, int *fd,
		     struct cg_error *err);

/* A copy of its contents, or of their first `most` bytes, followed by a NUL; `size` may be NULL.
 * NULL: out of memory; free() it. */
char *memory_file_text(int fd, size_t most, size_t *size);

#endif
