/*
 * Benchmarks that need not run again. inputs: in irdiff.yml lists all files of the project that one
 * runs, loads and reads. Where these have, once the revision is built, the bytes that they had when
 * the benchmark was measured, it would count the same.
 *
 * The cache has a second entry for such a measurement, BENCH@inputs-KEY, which lists those of its
 * profiles. Its key has the digests of these files instead of the commit.
 */
#ifndef IRDIFF_COMMITS_UNCHANGED_H
#define IRDIFF_COMMITS_UNCHANGED_H

#include "src/commits/revision.h"

/* What a benchmark would run with. NULL in both: its measurement is not to be found again. */
struct unchanged_inputs {
	struct strings files; /* below the project's directory */
	char *key, *text;
};

/* Looks at the inputs of a benchmark of the revision that is built at the place, before it runs.
 * Warns if one does not exist, or its command names another file. Free with unchanged_free, also on
 * failure. */
int unchanged_look(struct build_area *w, const struct revision *side,
		   const struct config_benchmark *b, struct unchanged_inputs *out,
		   struct cg_error *err);
void unchanged_free(struct unchanged_inputs *inputs);

/* Appends the entries that were measured with these inputs: nothing if there are none, or they are
 * not what they claim to be. */
int unchanged_find(const struct build_area *w, const struct revision *side,
		   const struct config_benchmark *b, const struct unchanged_inputs *inputs,
		   struct path_list *entries, struct cg_error *err);

/* Notes that these are all entries that were measured with these inputs, which are still there.
 * Warns, and does not, if the benchmark ran or loaded a file of the project that is not one of
 * them, or if they were changed since unchanged_look. */
int unchanged_remember(struct build_area *w, struct revision *side,
		       const struct config_benchmark *b, const struct unchanged_inputs *inputs,
		       const struct path_list *entries, struct cg_error *err);

#endif
