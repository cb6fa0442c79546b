/* The source of any function that a person asks for: the lines of profiles are read when the first
 * one is asked for. */
#ifndef IRDIFF_LOAD_BROWSE_SOURCES_H
#define IRDIFF_LOAD_BROWSE_SOURCES_H

#include "src/browse/browse.h"
#include "src/load/function_source.h"
#include "src/load/load_again.h"

struct browse_sources {
	struct load_again profiles;
	const char *metric;                         /* chooses among the files of a function */
	const char *const *dirs;                    /* as in function_source_find */
	struct function_source found[BROWSE_SIDES]; /* of the last function */
};

struct browse_code_finder browse_sources_finder(struct browse_sources *s);
void browse_sources_free(struct browse_sources *s);

#endif
