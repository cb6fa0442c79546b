/* Saving profiles of benchmarks as a named baseline. */
#ifndef IRDIFF_COMPARE_SAVE_BASELINE_H
#define IRDIFF_COMPARE_SAVE_BASELINE_H

#include "src/load/project.h"
#include "src/store/profiles.h"

/*
 * Keeps profiles of benchmarks in the baseline `name`, each from the operand at the same place,
 * which is a label or a name of the cache: as text, and if `store` is set, for labels, with all
 * their files as well. With `whole` the baseline has no other benchmarks afterwards. Everything is
 * written before anything is replaced.
 */
int save_baseline(const struct project *project, const char *name, const struct path_list *benches,
		  const struct path_list *operands, bool whole, bool store, struct cg_error *err);

#endif
