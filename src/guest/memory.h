/* The memory of a stopped thread's process. */
#ifndef IRDIFF_GUEST_MEMORY_H
#define IRDIFF_GUEST_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

bool memory_read(pid_t tid, unsigned long address, void *to, size_t size);
bool memory_write(pid_t tid, unsigned long address, const void *from, size_t size);

/* Reads a text with its NUL, of `size` bytes at most. False: it is longer, or cannot be read. */
bool memory_read_text(pid_t tid, unsigned long address, char *to, size_t size);

#endif
