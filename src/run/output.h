/*
 * How much of what a program prints is kept. It prints into a file, as a pipe would change what it counts, and
 * goes on doing so beyond the limit: what is behind it is taken out of the file while it runs.
 */
#ifndef IRDIFF_RUN_OUTPUT_H
#define IRDIFF_RUN_OUTPUT_H

#include <stdint.h>

#define OUTPUT_KEPT (UINT64_C(64) << 20) /* bytes of each file */
#define OUTPUT_WATCH_MS 100              /* between two looks at one that grows */

/* Frees what a file has beyond `most` bytes, but for its end; its size stays. Nothing for fd < 0, or what is
 * no regular file. */
void output_hold(int fd, uint64_t most);

/* When nobody writes any more: leaves `most` bytes, a line that says so, and the end. */
void output_cut(int fd, uint64_t most);

#endif
