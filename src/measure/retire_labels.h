/* Labels whose profile is not replaced by the measurement that would do so: otherwise the count of
 * an earlier run would be taken for that of this one. Entries of the cache stay. */
#ifndef IRDIFF_MEASURE_RETIRE_LABELS_H
#define IRDIFF_MEASURE_RETIRE_LABELS_H

#include "src/measure/measurement.h"
#include "src/status/ending.h"

/* The profile of a label, if there is one, becomes LABEL.old; then *retired is true. Prints
 * errors. */
enum ending retire_silently(const struct measurement *m, const char *label, bool *retired);

/* Says so. */
void retire_tell(const struct measurement *m, const char *label);

/* Both. */
enum ending retire_label(const struct measurement *m, const char *label);

/* The cases that only an earlier run had, and the benchmark's own profile if it has cases now. */
enum ending retire_others(const struct measurement *m, const struct measured *out);

/* Whether it was measured now. */
bool measured_has_label(const struct measured *measured, const char *label);

#endif
