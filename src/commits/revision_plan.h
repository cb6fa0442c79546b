/* How a benchmark of a revision is measured in the build area, and what a failure means. */
#ifndef IRDIFF_COMMITS_REVISION_PLAN_H
#define IRDIFF_COMMITS_REVISION_PLAN_H

#include "src/commits/revision.h"
#include "src/measure/plan.h"
#include "src/store/history_row.h"

struct revision_plan {
	struct measurement m;
	struct measured_checkout checkout;
	struct plan plan;
	struct strings copied;
	char *root;
	char name_of_side[200], definition[HISTORY_DIGEST];
};

/* The case that alone is asked for, if it is one of this benchmark: other cases need not be run,
 * nor be in the cache. NULL: all are wanted. */
const char *revision_only_case(const struct build_area *w, const struct config_benchmark *b);

/* Plans the entry `name`; `text` is the text of its key. The plan points into itself: it must
 * not be moved. Free with revision_plan_free, even on failure. */
int revision_plan_entry(struct build_area *w, const struct revision *side,
			const struct config_benchmark *b, const char *name, const char *text,
			struct revision_plan *p, struct cg_error *err);
void revision_plan_free(struct revision_plan *p);

/* CG_EINTERNAL if the library that freezes what the benchmark asks for is missing, as a run would
 * find out only after the build. With a launcher, that is another machine's. */
int revision_check_freeze(const struct build_area *w, const struct config_benchmark *b,
			  struct cg_error *err);

/* Refuses a benchmark whose program or directory is in the user's work tree, where base and head
 * would run the same program, or that cannot be frozen. Prints the error. */
enum ending revision_check_command(const struct build_area *w, const struct config_benchmark *b);

/* Of a side that is built. If the benchmark's program is not there, and the side may lack it, notes
 * the loss without a message, and returns true. */
bool revision_lose_new(struct build_area *w, struct revision *side,
		       const struct config_benchmark *b);

/* What a failed measurement is for who asked for a comparison. Says what may help. */
enum ending revision_judge_failure(struct build_area *w, const struct revision *side,
				   const struct config_benchmark *b,
				   const struct measured *measured, enum ending ending);

#endif
