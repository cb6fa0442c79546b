/*
 * Results of several shards that have the same benchmark, although each benchmark belongs to only
 * one: one report cannot say two things about it.
 */
#ifndef IRDIFF_COMPARE_RESULTS_OVERLAP_H
#define IRDIFF_COMPARE_RESULTS_OVERLAP_H

#include "src/compare/results.h"

/* Sets `kept` of the pairs that an earlier one of these results, which were read from these paths,
 * has as well: with the same cases and, in the profiles of both sides, the same counts. CG_EINVAL,
 * with the names of the benchmark and the results: they differ; CG_EIO, CG_ENOMEM. If only one of
 * them was measured twice, the first counts of that one are kept. */
int results_find_overlap(struct results *shards, const char *const *paths, size_t count,
			 struct cg_error *err);

#endif
