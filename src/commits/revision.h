/* A revision of the project, a commit or the work tree: built and measured in the build area. */
#ifndef IRDIFF_COMMITS_REVISION_H
#define IRDIFF_COMMITS_REVISION_H

#include "src/commits/build_area.h"

/* One side of a comparison. */
struct revision {
	char *name;               /* what people call it: "main", "work tree" */
	struct git_commit commit; /* that it is or, with changes, that it is based on */
	struct snapshot files;
	struct config *own_config;          /* its irdiff.yml; NULL: it has none */
	const struct config_command *build; /* of its own irdiff.yml, or else of the project's */
	bool failed;
	bool first_hand; /* it is judged: what others say that it counts is not used */
	bool gaps;       /* some of its files are missing: submodules, Git LFS */
	char **measured; /* names of entries that this command has measured */
	size_t nmeasured, measured_cap;
	struct revision_loss *lost; /* what it could not measure */
	size_t nlost, lost_cap;
};

struct revision_loss {
	const struct config_benchmark *benchmark;
	enum ending ending;
	struct path_list entries; /* of the cases that it could */
	struct path_list cases;   /* "BENCH/CASE" that it could not, if there are others */
};

/* Free with revision_free, also on failure. */
int revision_of_commit(struct build_area *w, const char *name, const char *commit,
		       struct revision *out, struct cg_error *err);
int revision_of_work_tree(struct build_area *w, struct revision *out, struct cg_error *err);
void revision_free(struct revision *side);

/*
 * The profile of a benchmark for this side, or those of its cases: from the cache, or else it is
 * built, unless it is already, and measured. The names of their entries are appended;
 * cache_benchmark() says of what each is. Prints errors; returns the exit code, and 128 + N after a
 * signal. ENDED_BENCHMARK_FAILED if the build or the benchmark failed. ENDED_UNTRUSTED with entries: those
 * of the cases that are not lost.
 */
enum ending revision_measure(struct build_area *w, struct revision *side,
			     const struct config_benchmark *benchmark, struct path_list *entries);

/* Whether this command has measured all of these entries of the side: they were not in the cache. */
bool revision_has_measured(const struct revision *side, const struct path_list *entries);

/* The cases that this side has lost of a benchmark, as "BENCH/CASE"; NULL: none, or all. */
const struct path_list *revision_lost_cases(const struct revision *side,
					    const struct config_benchmark *benchmark);

/*
 * Measures those of so many benchmarks that are not in the cache, after the build, as
 * build_area_options.jobs says: side_measure then finds them, and what has failed here fails there
 * without another word. Where there is nothing to gain it does nothing. Prints errors; returns
 * ENDED_FINE, or why it makes no sense to go on: 128 + N after a signal.
 */
enum ending revision_measure_ahead(struct build_area *w, struct revision *side,
				   const struct config_benchmark *const *benchmarks, size_t count);

/* Measures again what side_measure has given, if it came from the cache: its environment is not
 * that of the other side. The names stay the same. It is no failure if only some of its cases are
 * lost: side_lost_cases has them. */
enum ending revision_measure_again(struct build_area *w, struct revision *side,
				   const struct config_benchmark *benchmark);

/* Measures again even what this run has measured. The names stay the same. */
enum ending revision_repeat(struct build_area *w, struct revision *side,
			    const struct config_benchmark *benchmark);

/* The same as side_measure for one of them: that of a case, "BENCH/CASE", or of a benchmark that has none. That
 * there is no such case is ENDED_UNUSABLE. *entry is the caller's. */
enum ending revision_measure_one(struct build_area *w, struct revision *side,
				 const struct config_benchmark *benchmark, const char *name,
				 char **entry);

/* How it is built; argc 0: not at all. */
const struct config_command *revision_build(const struct revision *side);

/* Whether the files of both are the same. */
bool revision_is_same(const struct revision *a, const struct revision *b);

#endif
