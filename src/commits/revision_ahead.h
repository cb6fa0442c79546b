/* Measuring several benchmarks of a revision, or of two, at once, before they are asked for one by
 * one. */
#ifndef IRDIFF_COMMITS_REVISION_AHEAD_H
#define IRDIFF_COMMITS_REVISION_AHEAD_H

#include "src/commits/revision.h"

/* What to measure of a side. */
struct ahead_side {
	struct revision *side;
	const struct config_benchmark *const *benchmarks;
	size_t count;
};

/*
 * Measures those benchmarks that are not in the cache, after the builds, with
 * build_area_options.jobs jobs: revision_measure then finds them, and what failed here fails there
 * without another message. It does nothing if there is nothing to gain, and measures only the first
 * side if that keeps all jobs busy, as it may spare runs of the second, or if there is no space for
 * what was built of both. Prints errors; returns ENDED_FINE, or why it makes no sense to continue:
 * 128 + N after a signal.
 */
enum ending revision_measure_ahead(struct build_area *w, const struct ahead_side *sides,
				   size_t count);

#endif
