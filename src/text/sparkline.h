/* A series of numbers as a line of small bars. */
#ifndef IRDIFF_TEXT_SPARKLINE_H
#define IRDIFF_TEXT_SPARKLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The lowest of the numbers is the lowest bar, the highest the highest; numbers that are all the
 * same are a flat line. Of more numbers than `width` (0: any) several share a bar, which is that of
 * the largest, so that no peak is lost. `ascii`: of the characters _.:-=+*# instead of blocks.
 * "" for no numbers. The caller's to free(); NULL: out of memory. */
char *text_sparkline(const int64_t *numbers, size_t count, unsigned width, bool ascii);

#endif
