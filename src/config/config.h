/*
 * irdiff.yml: what to build, the benchmarks, and their limits.
 *
 * Everything is checked when the file is read; a struct config is valid as a whole. Values that
 * only other modules can check keep their line for messages: a regex (PCRE2 compiles it in cmd/),
 * a metric (the profile has its events), a directory. Every error has the file, the line and the
 * expected value.
 */
#ifndef IRDIFF_CONFIG_CONFIG_H
#define IRDIFF_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cgprofile/error.h"
#include "src/config/value.h"
#include "src/diff/limit.h"
#include "src/diff/tolerance.h"

#define CONFIG_NAME "irdiff.yml"
#define CONFIG_BYTES_MAX (1024 * 1024)
#define CONFIG_DEPTH_MAX 1000 /* of `depth:` */

struct config_benchmark {
	const char *name; /* a label (src/store/label.h) */
	uint64_t line;
	struct config_command command; /* always given */
	struct config_text root;       /* function */
	struct config_text filter;     /* regex, not compiled yet */
	struct config_text cwd;        /* absolute, or relative to config.dir
					  and not leaving it */
	struct config_env *env;
	size_t env_count;
	uint32_t timeout;  /* seconds; 0: not given */
	int depth;         /* 0 … CONFIG_DEPTH_MAX; -1: not given */
	bool unrecorded;   /* a repetition of one that is; never of irdiff.yml, so false there */
	bool no_presets;   /* do not set what makes counts of its runtime repeat */
	bool no_caches;    /* count no cache misses, and no memory accesses */
	bool warm_up;      /* run once before, not measured */
	const char *cases; /* one of RUN_CASES_NAMES (src/run/setting_names.h); NULL: not given */
	const char *image; /* as in struct run_request; never of irdiff.yml, so NULL there */
	const char *processes; /* one of RUN_PROCESSES_NAMES; NULL: not given */
	const char *threads;   /* one of RUN_THREADS_NAMES; NULL: not given */
	uint64_t signals;      /* bit n: signal n may end a process that counts */
	unsigned freeze;       /* enum freeze (src/run/freeze.h); 0: nothing */
	unsigned count;        /* enum count (src/run/count.h) */
	const char **tags;     /* words by which benchmarks are chosen */
	size_t tag_count;
	struct limit_set limits; /* level LIMIT_BENCHMARK */
	struct tolerance *tolerances;
	size_t ntolerances;
};

struct config {
	const char *path; /* as it was loaded, for messages */
	const char *dir;  /* the directory it is in: the project's root */
	struct config_command build;
	struct config_text base; /* the branch to compare with; does not begin with a dash */
	/* files that are copied to base and head before they are built: paths or glob patterns,
	 * relative to config.dir, without `..`. Whoever expands a pattern such as `.*` must
	 * check what it matches. */
	struct config_text *copy;
	size_t copy_count;
	/* directories that survive between builds: normal paths relative to config.dir, without
	 * `..`, none inside another */
	struct config_text *keep;
	size_t keep_count;
	bool keep_given;                     /* false: the default is used */
	struct config_benchmark *benchmarks; /* in the order of the file */
	size_t benchmark_count;
	struct limit_set limits;  /* level LIMIT_GENERAL */
	struct config_pool *pool; /* owns everything above but the limits */
};

/* Looks for irdiff.yml in `start` and its parents, up to and including the first directory with a
 * .git, or the file system's root. *path is absolute and the caller's to free(), NULL if none is
 * found (which is not an error). */
int config_find(const char *start, char **path, struct cg_error *err);

/* Reads a file. *config is the caller's, config_free it. */
int config_load(const char *path, struct config **config, struct cg_error *err);

/* The same from memory; `path` is for messages and for `dir`. */
int config_parse(const char *text, size_t len, const char *path, struct config **config,
		 struct cg_error *err);

void config_free(struct config *config);

/* The benchmark of that name, or that has this case ("BENCH/CASE"); NULL if it does not exist. */
const struct config_benchmark *config_benchmark(const struct config *config, const char *name);

/* Whether `count:` of a benchmark, or of any, has the heap. */
bool config_benchmark_counts_heap(const struct config_benchmark *benchmark);
bool config_counts_heap(const struct config *config);

/* What callgrind counts a metric with only if asked to, and the benchmark does not ask: static text
 * such as "count: [syscalls]". NULL: it needs none, or the benchmark has it. */
const char *config_lacking_counter(const struct config_benchmark *benchmark, const char *metric);

#endif
