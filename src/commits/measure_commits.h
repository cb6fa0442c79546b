/* Benchmarks measured at commits, for what is not a comparison: histories and baselines. */
#ifndef IRDIFF_COMMITS_MEASURE_COMMITS_H
#define IRDIFF_COMMITS_MEASURE_COMMITS_H

#include "src/commits/build_area.h"

/*
 * The profiles of benchmarks of irdiff.yml, or of cases of them, at one commit, from the cache or
 * measured. Appends their names, those of cases as "BENCH/CASE", and as many operands. Prints
 * errors; returns how it ended, as revision_measure does.
 */
enum ending measure_at(const struct project *project, const char *ref,
		       const struct path_list *wanted, const struct build_area_options *options,
		       struct path_list *benches, struct path_list *operands);

/* Some commits, as the command line names them. */
struct wanted_range {
	/* "A..B", or "A" for A..HEAD: with A itself; WANTED_NEW: the commits of new_commits.h */
	const char *text;
	/* of those after A only what changes one of these, as in `git log -- PATH`, relative to the
	 * current directory; NULL-terminated. NULL: all of them */
	const char *const *paths;
	size_t newest; /* with WANTED_NEW, of the newest so many; 0: all */
};

#define WANTED_NEW "new"

/*
 * Measures a benchmark (NULL: all of irdiff.yml) at every commit of a range, the newest first,
 * along first parents; measurements are kept, so that the command can be interrupted and
 * continued. Commits that cannot be built or measured are skipped, with a message. At the end it
 * reports how many were measured, were in the cache, and were skipped; ENDED_BENCHMARK_FAILED if
 * all were skipped. That none is new is fine.
 */
enum ending measure_range(const struct project *project, const struct wanted_range *wanted,
			  const char *bench, const struct build_area_options *options);

#endif
