/* Measuring several benchmarks of a revision at once, before they are asked for one by one. */
#ifndef IRDIFF_COMMITS_REVISION_AHEAD_H
#define IRDIFF_COMMITS_REVISION_AHEAD_H

#include "src/commits/revision.h"

/*
 * Measures those of so many benchmarks that are not in the cache, after the build, as
 * build_area_options.jobs says: revision_measure then finds them, and what has failed here fails
 * there without another word. Where there is nothing to gain it does nothing. Prints errors;
 * returns ENDED_FINE, or why it makes no sense to go on: 128 + N after a signal.
 */
enum ending revision_measure_ahead(struct build_area *w, struct revision *side,
				   const struct config_benchmark *const *benchmarks, size_t count);

#endif
