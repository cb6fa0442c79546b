/* Private to src/formats: how much memory a document of JSON takes once it is read. */
#ifndef IRDIFF_FORMATS_JSON_WEIGHT_H
#define IRDIFF_FORMATS_JSON_WEIGHT_H

#include <stdbool.h>
#include <stddef.h>

/* Whether it takes too much for its length: a file of empty arrays takes sixty times as much,
 * profiles take up to twenty times. What is no JSON is not too heavy. */
bool json_is_too_heavy(const char *text, size_t len);

#endif
