/* Two states of a project built, measured, compared and judged: what `compare` and `check` do. */
#ifndef IRDIFF_COMMITS_COMPARING_H
#define IRDIFF_COMMITS_COMPARING_H

#include "src/commits/range.h"
#include "src/compare/reporting.h"
#include "src/compare/suite.h"
#include "src/measure/shard.h"

struct comparing_options {
	const struct notices *notices;
	bool gate;                /* irdiff check */
	const char *range;        /* "main...feature"; NULL: range_default */
	struct text_list benches; /* names or patterns, as in glob(7); empty: all */
	const char *build;        /* shell command instead of irdiff.yml's build:; NULL: that */
	const char *shard_text;   /* "K/N"; NULL: all */
	struct shard shard;
	const char *results; /* directory to keep what is compared in, for merge; NULL: none */
	const char *const *command; /* NULL-terminated: compare this instead of benchmarks … */
	const char *cases, *image;  /* … as in struct config_benchmark; NULL: not given */
	uint64_t depth;             /* likewise; COMPARING_DEPTH_AUTO: not given */
	int cache_sim;              /* likewise: 1, 0; -1: not given */
	struct build_area_options area;
	struct suite_options suite;
	int (*write)(const struct suite *suite, struct cg_error *err); /* writes the report */
	/* or what there is to say instead, if nothing was compared */
	int (*write_failed)(const struct suite_options *options, const struct failed_run *run,
			    struct cg_error *err);
};

#define COMPARING_DEPTH_AUTO UINT64_MAX
#define COMPARING_DEFAULTS \
	.depth = COMPARING_DEPTH_AUTO, .cache_sim = -1, \
	.suite = { .format = "text", \
		   .view = "summary", \
		   .color = "auto", \
		   .last = true, \
		   .most_frames = SUITE_FRAMES, \
		   .compare = { COMPARISON_DEFAULTS } }

/* Does all of it, and prints errors. Returns the exit code. */
enum ending compare_commits(struct comparing_options *options);
/* After a wrong command line, which has no result to comment on; nor is an older one that of the
 * last run. */
void comparing_forget_last(const struct comparing_options *options);
void comparing_options_free(struct comparing_options *options);

#endif
