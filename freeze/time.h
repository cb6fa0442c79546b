/* Private to freeze/. */
#ifndef IRDIFF_FREEZE_TIME_H
#define IRDIFF_FREEZE_TIME_H

#include <stdint.h>

/* The frozen clock goes on by so many nanoseconds. */
void time_advance(int64_t ns);

/* What a clock shows that began with the system. */
int64_t time_uptime(void);

/* Called last by clock_gettime: its return is a mark of the driver (src/run/harness.h). */
void irdiff_clock_was_read(void);

/* The same of steady_clock (steady_clock.c), before it is read and after. */
void irdiff_steady_clock_is_read(void);
void irdiff_steady_clock_was_read(void);

#endif
