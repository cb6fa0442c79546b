/* Finds remarks on a comparison (src/diff/remarks.h) in its profiles. */
#ifndef IRDIFF_COMPARE_REMARKING_H
#define IRDIFF_COMPARE_REMARKING_H

#include "src/compare/comparison.h"

/* Adds its remarks to a comparison that is made and judged. */
int remarking_find(struct comparison *c, struct cg_error *err);

/* Adds that accepted regressions are no longer needed, once everything is judged: of a heap, that
 * is after judging_heap, and not part of remarking_find. */
int remarking_find_expired(struct comparison *c, struct cg_error *err);

/* ---- remarking_build.c ---- */

#define REMARK_OF_INPUT "input-files"

/* That files differ that say how the program is built, and no source of a measured function; those,
 * of REMARK_OF_INPUT, that build or program read and that are neither; and those that say how git
 * checks files out. Not part of remarking_find, as it asks git. */
int remarking_find_build(struct comparison *c, const struct project *project, struct cg_error *err);

/* ---- remarking_files.c ---- */

/* Those on files that may not hold all that was counted. */
int remarking_find_files(struct comparison *c, struct cg_error *err);

/* ---- remarking_limits.c ---- */

/* Those on limits that guard less than they seem to. */
int remarking_find_limits(struct comparison *c, struct cg_error *err);

/* ---- remarking_own.c ---- */

/* That hardly anything of the project's own code was counted. */
int remarking_find_own(struct comparison *c, struct cg_error *err);

/* ---- remarking_samples.c ---- */

/* That counts are estimated from samples, and from how many. */
int remarking_find_samples(struct comparison *c, struct cg_error *err);

/* ---- remarking_runs.c ---- */

/* Whether only what the program reads, or its threads, make its verdict inconclusive: then a second
 * measurement shows by how much counts vary. */
bool remarking_may_be_tried(const struct comparison *c);
/* Whether nothing else does, if anything. */
bool remarking_only_of_chance(const struct comparison *c);

/* To be called after a second measurement: `base` and `head` are the totals of the first one,
 * which exceeded a limit. If all are the same, the remark on what the program reads is
 * withdrawn; otherwise it states the counts, and the verdict is inconclusive whether or not
 * limits hold now, unless one is exceeded by far more than the counts differ. */
int remarking_tried(struct comparison *c, const int64_t *base, const int64_t *head,
		    struct cg_error *err);

/* Those on how the runs went (src/diff/run_notes.h). */
int remarking_find_runs(struct comparison *c, struct cg_error *err);

/* ---- remarking.c, for the same ---- */

/* Whether everything that is shown or judged has a tolerance: then nothing is left to chance. */
bool remarking_has_tolerances(const struct comparison *c);

/* What is shown or judged and has no tolerance; NULL: all have one. Belongs to the comparison. */
const char *remarking_lacks_tolerance(const struct comparison *c);

/* Whether base and head have other totals of the metric. */
bool remarking_counts_differ(const struct comparison *c);

/* Takes `text`, which may be NULL if memory ran out; the advice is how to find a tolerance. */
int remarking_chance(struct comparison *c, const char *id, char *text, struct cg_error *err);

#endif
