/*
 * The files perf-PID.map, in which programs describe the code that they generate
 * (cgprofile/perf_map.h). Where programs are traced, they write them to the directory of the raw
 * files, and otherwise to /tmp, where none is left.
 */
#ifndef IRDIFF_RUN_PERF_MAPS_H
#define IRDIFF_RUN_PERF_MAPS_H

#include <stdbool.h>
#include <time.h>

#include "cgprofile/perf_map.h"
#include "src/run/collect.h"
#include "src/run/hermetic.h"

/* Removes from the directory what an earlier run of the program wrote, to which it would add. */
void perf_maps_discard(const char *directory);

/* Moves those that processes of this run have written to /tmp since a time into the directory. */
void perf_maps_fetch(const char *directory, const struct collection *collection,
		     const struct timespec *since);

/* Fills `map` of each profile. A process that was forked has the code of its parent, unless it
 * has described its own. */
int perf_maps_assign(const char *directory, struct collection *collection, struct cg_error *err);

/* What the maps of some profiles say, by the path of each. */
struct perf_maps {
	struct cg_file_map *items; /* files of one process follow each other, and share its map */
	size_t count;
};

/* Reads those of result->profiles with these indexes. A map that cannot be read is left out.
 * CG_OK or CG_ENOMEM. */
int perf_maps_read(const struct run_result *result, const size_t *which, size_t count,
		   struct perf_maps *out);
void perf_maps_free(struct perf_maps *maps);

/* Whether a program is an interpreter that can describe the functions of its language. */
bool perf_maps_can_ask(const char *image);

/* Whether a variable that the user has set to this (NULL: not set) leaves it asked to. */
bool perf_maps_may_ask(const char *set);

/* Asks an interpreter that can describe the functions of its language to do so, if the user's
 * variables do not say whether it shall. */
int perf_maps_ask(const char *image, struct environment *environment, struct cg_error *err);

/* Whether it is asked to, by irdiff or the user. */
bool perf_maps_are_asked(const char *image, const struct environment *environment);

#endif
