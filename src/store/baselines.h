/*
 * Named baselines: profiles of benchmarks, kept under a name for comparisons.
 *
 *     baselines/NAME/BENCH.callgrind    text, small and stable, to be committed
 *     .irdiff/baselines/NAME/BENCH.callgrind/  all files of a profile, as a label has them
 *
 * The second has a copy of the text that was saved with it. If the text has changed since (for
 * example by git pull), the files belong to another profile, and are not used.
 *
 * As an operand, `baseline:NAME/BENCH` means the second if it may be used, else the first. NAME
 * and BENCH are labels (label.h), NAME without a slash; BENCH may be a case.
 */
#ifndef IRDIFF_STORE_BASELINES_H
#define IRDIFF_STORE_BASELINES_H

#include <stdbool.h>

#include "src/store/profiles.h"

#define BASELINE_PREFIX "baseline:"

bool baseline_is_operand(const char *operand);

/* "baseline:NAME/BENCH"; the caller's. */
int baseline_operand(const char *name, const char *bench, char **operand, struct cg_error *err);

/* Where the text of a benchmark is; the caller's. Checks both names. */
int baseline_text_path(const char *root, const char *name, const char *bench, char **path,
		       struct cg_error *err);

/* Finds the files of an operand; of a text only `callgrind` is set. CG_EINVAL if they do not exist,
 * with the names of existing baselines or benchmarks. Free with profile_paths_free. */
int baseline_find(const char *root, const char *operand, struct profile_paths *out,
		  struct cg_error *err);

/* The forms that a benchmark has in a baseline. */
struct baseline_forms {
	bool text, stored;
	bool usable; /* `stored` is of the same profile as the text */
};
int baseline_forms(const char *root, const char *name, const char *bench,
		   struct baseline_forms *out, struct cg_error *err);

/* Appends the names of all baselines, or of the benchmarks of one, sorted, each once. A baseline
 * that does not exist has no benchmarks. */
int baseline_list(const char *root, struct path_list *out, struct cg_error *err);
int baseline_list_benches(const char *root, const char *name, struct path_list *out,
			  struct cg_error *err);

/* Makes the directory of the texts, and checks that a text which would be replaced is irdiff's. */
int baseline_prepare_text(const char *root, const char *name, const char *bench,
			  struct cg_error *err);

/* Copies all files of a label, and the text; they appear together. */
int baseline_store(const char *root, const char *name, const char *bench, const char *label,
		   struct cg_error *err);

/* Removes the given forms of a benchmark, and directories that become empty. A text that irdiff
 * did not write stays: CG_EINVAL. */
int baseline_remove(const char *root, const char *name, const char *bench,
		    const struct baseline_forms *forms, struct cg_error *err);

#endif
