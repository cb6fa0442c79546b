/*
 * What a comparison has measured, as a directory that can be taken to another machine, where
 * `irdiff merge` makes one report of several:
 *
 *	DIR/results.json              data/results.schema.json
 *	DIR/BENCH@COMMIT-KEY/…        the entries of the cache that were compared
 */
#ifndef IRDIFF_COMPARE_RESULTS_H
#define IRDIFF_COMPARE_RESULTS_H

#include "src/compare/suite.h"
#include "src/measure/shard.h"

/* Of a machine: where these differ, counts cannot be those of one comparison … */
#define RESULTS_TOOLS 2
/* … and where these differ, each benchmark is compared on one machine all the same. */
#define RESULTS_FACTS (RESULTS_TOOLS + 3)
extern const char *const results_fact_names[RESULTS_FACTS];

/* All texts are the caller's, or those of `json`. */
struct results {
	struct shard shard;      /* of 0: all */
	const char *base, *head; /* as a report names them */
	const char *base_files,
		*head_files;  /* what identifies their files; base: NULL with a baseline */
	const char *baseline; /* NULL: none */
	const char *config, *config_path; /* the irdiff.yml that defines and judges; NULL: none */
	const char **benchmarks;          /* of all shards, in order */
	size_t nbenchmarks;
	bool complete; /* these are all, and of all their cases */
	bool whole;    /* each is there with all its cases */
	struct results_pair {
		const char *name;        /* of the benchmark, which has one for each of its cases */
		const char *base, *head; /* operands, as for suite_add */
		struct first_counts first;       /* as in suite_bench */
		bool added;                      /* likewise */
		bool not_run;                    /* as in comparison */
		const struct results_pair *kept; /* of earlier results that have it as well
						    (results_overlap.h); NULL: none have */
	} * pairs;
	size_t npairs;
	struct bench_failure *failures;
	size_t nfailures;
	const char **remarks; /* how head changes the rules */
	size_t nremarks;
	const char *facts[RESULTS_FACTS]; /* NULL: not known */
	/* How it was compared and judged. */
	bool check, require_base, allow_removed, allow_env_change, no_accepted;
	struct text_list limits;
	const char *metric, *inlines, *threshold, *min_delta;
	enum ending ending;
	struct json_value *json;
};

/* Removes results.json of an older run before anything is measured, so that it is not mistaken
 * for the results of a run that fails. CG_EINVAL if irdiff did not write that file. */
int results_forget(const char *directory, struct cg_error *err);

/* Writes the directory, in place of an older one of irdiff's. */
int results_write(const struct results *r, const char *root, const char *directory,
		  struct cg_error *err);

/* The directory of results that a user has named, or named its file; the caller's. NULL: out of
 * memory. */
char *results_directory(const char *path);

/* Reads DIR, or DIR/results.json. It is hostile. Free with results_free, also on failure. */
int results_read(const char *path, struct results *out, struct cg_error *err);
void results_free(struct results *r);

/* Copies the entries of so many results, which were read from these paths, into the cache, in place
 * of those of the same names, unless earlier results have the pair as well. If one cannot be
 * copied, the cache stays as it is. */
int results_take_entries(const struct results *shards, const char *const *paths, size_t count,
			 const char *root, struct cg_error *err);

#endif
