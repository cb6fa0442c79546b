/* Chooses the profiles that are compared with a named baseline. */
#ifndef IRDIFF_COMPARE_BASELINE_OPERAND_H
#define IRDIFF_COMPARE_BASELINE_OPERAND_H

#include "src/load/project.h"
#include "src/store/baselines.h"

/* The operand of the base that a benchmark is compared with: *base is the caller's, NULL if the
 * baseline lacks it. CG_EINVAL if the baseline does not exist. */
int baseline_operand_if_any(const struct project *project, const char *name, const char *bench,
			    char **base, struct cg_error *err);

/* A comparison with a baseline; texts are owned. */
struct baseline_pair {
	char *base; /* operand; NULL: the benchmark is new */
	char *head; /* a label; NULL: it was removed */
};

struct baseline_pairs {
	struct baseline_pair *items;
	size_t count;
};

/* The benchmarks that were given, or with none of them all that are measured (baseline_benches),
 * and those that only the baseline has. On failure, too, free with baseline_pairs_free. */
int baseline_pairs_make(const struct project *project, const char *name, const char *const *benches,
			size_t count, struct baseline_pairs *out, struct cg_error *err);
void baseline_pairs_free(struct baseline_pairs *p);

/* Appends what these benchmarks have measured: labels, those of its cases for one that has no
 * profile of its own, or an older one, and its heap. What has not been measured is appended as it
 * is. */
int baseline_given(const struct project *project, const char *const *given, size_t count,
		   struct path_list *out, struct cg_error *err);

/* Appends the benchmark of a baseline, or its cases if only these are there. */
int baseline_cases(const struct project *project, const char *name, const char *bench,
		   struct path_list *out, struct cg_error *err);

/* Appends the benchmarks of irdiff.yml in their order, all of which must have been measured;
 * without irdiff.yml all labels except those of replaced profiles. */
int baseline_benches(const struct project *project, struct path_list *out, struct cg_error *err);

#endif
