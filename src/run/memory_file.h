/* Files in memory, for what helpers read and write: they cannot fill up as pipes do. */
#ifndef IRDIFF_RUN_MEMORY_FILE_H
#define IRDIFF_RUN_MEMORY_FILE_H

#include <stddef.h>

#include "cgprofile/error.h"

/* Makes one with this text in it, which is read from its beginning; NULL: it is empty. `name` is
 * for those who look into /proc. *fd is the caller's to close, untouched on failure. CG_EIO. */
int memory_file_make(const char *name, const char *text, size_t size, int *fd,
		     struct cg_error *err);

/* A copy of what is in it, or of its first `most` bytes, with a NUL behind; `size` may be NULL.
 * NULL: out of memory; free() it. */
char *memory_file_text(int fd, size_t most, size_t *size);

#endif
