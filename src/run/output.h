/*
 * Limits how much of a program's output is kept. The program prints into a file, as a pipe would
 * change its counts, and may print more than the limit: what exceeds it is removed from the file
 * while the program runs.
 */
#ifndef IRDIFF_RUN_OUTPUT_H
#define IRDIFF_RUN_OUTPUT_H

#include <stdint.h>

#define OUTPUT_KEPT (UINT64_C(64) << 20) /* bytes of each file */
#define OUTPUT_WATCH_MS 100              /* between two checks of a growing file */

/* Frees the blocks of a file beyond its first `most` bytes, except its end; the size stays. Does
 * nothing for fd < 0 or a file that is not regular. */
void output_hold(int fd, uint64_t most);

/* Once all writers have ended: leaves `most` bytes, a line about the omission, and the end. */
void output_cut(int fd, uint64_t most);

#endif
