/* Private to freeze/. */
#ifndef IRDIFF_FREEZE_TIME_H
#define IRDIFF_FREEZE_TIME_H

#include <stdint.h>

/* The frozen clock goes on by so many nanoseconds. */
void time_advance(int64_t ns);

/* Called last by clock_gettime: its return is a mark of the driver (src/run/harness.h). */
void irdiff_clock_was_read(void);

#endif
