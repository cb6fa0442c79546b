/* The profiles of a revision: from the cache, or else it is built and measured in the build
 * area. */
#ifndef IRDIFF_COMMITS_REVISION_MEASURE_H
#define IRDIFF_COMMITS_REVISION_MEASURE_H

#include "src/commits/revision.h"

/*
 * The profile of a benchmark for this revision, or those of its cases: from the cache, or else the
 * revision is built, unless it already is, and measured. The names of their entries are appended;
 * cache_benchmark() gives the benchmark or case of each. Prints errors; returns the exit code, and
 * 128 + N after a signal. ENDED_BENCHMARK_FAILED if the build or the benchmark failed.
 * ENDED_UNTRUSTED with entries: those of the cases that are not lost.
 */
enum ending revision_measure(struct build_area *w, struct revision *side,
			     const struct config_benchmark *benchmark, struct path_list *entries);

/* Measures again what revision_measure returned, if it came from the cache: its environment
 * differs from that of the other revision. The names stay the same. It is not a failure if only
 * some of its cases are lost: revision_lost_cases lists them. */
enum ending revision_measure_again(struct build_area *w, struct revision *side,
				   const struct config_benchmark *benchmark);

/* Measures again even what this run has measured. The names stay the same. */
enum ending revision_repeat(struct build_area *w, struct revision *side,
			    const struct config_benchmark *benchmark);

/* The same as revision_measure for one of them: that of a case, "BENCH/CASE", or of a benchmark
 * without cases. ENDED_UNUSABLE if the case does not exist. *entry is the caller's. */
enum ending revision_measure_one(struct build_area *w, struct revision *side,
				 const struct config_benchmark *benchmark, const char *name,
				 char **entry);

#endif
