/* Private to src/formats: costs as documents have them, which may be fractions of a unit. */
#ifndef IRDIFF_FORMATS_TIME_UNIT_H
#define IRDIFF_FORMATS_TIME_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "src/json/json.h"

/* Nanoseconds in "seconds", "ms" and the like; 0: the unit is none of time. */
double time_unit_ns(const char *unit);

/* What costs are in that have such a scale. */
#define TIME_UNIT "nanoseconds"

/* A number in units of `scale`, as a whole number; false if it is none, or too large. Times are
 * rounded; for other costs (scale 0), only whole numbers are taken. */
bool time_unit_cost(const struct json_value *value, double scale, int64_t *cost);

#endif
