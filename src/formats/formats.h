/* Formats of profiles that are JSON, for cg_read_options.formats. */
#ifndef IRDIFF_FORMATS_FORMATS_H
#define IRDIFF_FORMATS_FORMATS_H

#include "callgrind/format.h"

/* DHAT, speedscope and the Firefox Profiler (samply); ended by NULL. All other JSON is refused,
 * with the name of its format if that is known. */
extern const struct cg_format *const formats_of_json[];

#endif
