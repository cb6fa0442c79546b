/* Saving profiles of benchmarks as a named baseline. */
#ifndef IRDIFF_CMD_BASELINE_SAVE_H
#define IRDIFF_CMD_BASELINE_SAVE_H

#include "src/cmd/common.h"

/*
 * Keeps the profiles of these labels in the baseline `name`: as text, and if `store` is set with
 * all their files as well. With `whole` the baseline has no other benchmarks afterwards. Everything
 * is written before anything is replaced.
 */
int baseline_save(const struct project *project, const char *name, const struct path_list *labels,
		  bool whole, bool store, struct cg_error *err);

#endif
