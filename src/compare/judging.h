/* Limits that a comparison is held against, wherever they were stated, and what follows. */
#ifndef IRDIFF_COMPARE_JUDGING_H
#define IRDIFF_COMPARE_JUDGING_H

#include "src/config/accepted.h"
#include "src/config/config.h"
#include "src/diff/environment.h"
#include "src/diff/remarks.h"
#include "src/load/load.h"
#include "src/load/project.h"
#include "src/text/text_list.h"

struct judging_options {
	bool check, require_base, allow_removed, allow_env_change, no_accepted;
	bool alone;            /* nothing else is compared that a limit could be on */
	const char *benchmark; /* NULL: the one that head measured */
	struct text_list limits;
};

/* The benchmark of irdiff.yml whose limits and tolerance hold: the one of the options, or that
 * which `head` measured. *out is NULL if irdiff.yml has no such benchmark; *of_case is the part
 * after "BENCH/", NULL if it has no cases. CG_EINVAL if the options name an unknown one. */
int judging_benchmark(const struct judging_options *options, const struct project *project,
		      const struct cg_profile *head, const struct config_benchmark **out,
		      const char **of_case, struct cg_error *err);

/* Where irdiff-accepted.yml is, or would be; the caller's. */
int accepted_path(const struct project *project, char **path, struct cg_error *err);

struct judging {
	struct limit_set own_limits;
	struct limit_rule *rules;
	size_t nrules;
	struct accepted accepted; /* irdiff-accepted.yml */
	struct judgement judgement;
};

/* Judges a comparison by the limits of irdiff.yml (of the benchmark and the general ones) and of
 * the options; without any on it, Ir, or allocs of a heap, may grow by 1 %. Limits that match no
 * function wait for judging_unmatched. What irdiff-accepted.yml accepts for `benchmark` is no
 * failure. Free with judging_free, even on failure. */
int judging_make(const struct judging_options *options, const struct project *project,
		 const struct diff *d, const struct loaded *head, const char *benchmark,
		 struct judging *out, struct cg_error *err);
void judging_free(struct judging *j);

/* Completes what judging_make judged of the heap of a benchmark by the comparison of its other
 * profile, which must outlive it: judge_missing_in_heap. */
int judging_heap(const struct judging_options *options, const struct diff *heap,
		 const struct diff *code, const char *benchmark, struct judging *j,
		 struct cg_error *err);

/* To be called once all benchmarks of a run are judged: limits that match nothing in any fail
 * (judge_unmatched), or cause a remark, which is added to `remarks`. */
int judging_unmatched(const struct judged_bench *benches, size_t count, bool complete,
		      struct remarks *remarks, struct cg_error *err);

/* Says on standard error what remarks say from number `from` on. Tables of CSV have no room for
 * remarks, and a limit that guards nothing must not pass in silence. */
void judging_warn(const struct notices *n, const struct remarks *remarks, size_t from);

/* 1 if a limit is exceeded; 4, with a message, if the counts cannot be compared at all, or the
 * verdict is inconclusive. Without base or head, `environment` is NULL. */
enum ending judging_ending(const struct notices *n, const struct judging_options *options,
			   enum judged judged, const struct environment_diff *environment,
			   const struct loaded *base, const struct loaded *head,
			   struct warnings *warnings);

#endif
