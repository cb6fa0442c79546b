/*
 * The history of a project: what its benchmarks counted at which commit, in the SQLite database
 * .irdiff/history.db below the project's root.
 *
 * There is one row per benchmark, definition, commit and environment, and a commit has one subject,
 * tree and time. Several irdiffs may read and
 * write at once; a new row is on the disk when history_add returns. A database that is damaged, of
 * another program or of another version is an error, and is never changed.
 */
#ifndef IRDIFF_STORE_HISTORY_H
#define IRDIFF_STORE_HISTORY_H

#include <stdbool.h>

#include "src/store/history_row.h"
#include "src/store/profiles.h"

struct history;

/* Opens it for reading, also where nothing can be written. *out is NULL if it does not exist. */
int history_open(const char *root, struct history **out, struct cg_error *err);

/* Opens it for writing, and creates it if it does not exist. All pages are checked, unless nobody
 * has changed the file since: a row that is added to a damaged database may be lost, or cost
 * others. */
int history_open_to_write(const char *root, struct history **out, struct cg_error *err);

/* Checks the whole database: CG_EIO or CG_EINVAL, with what is wrong. A missing one is fine. It
 * only undoes what an irdiff wrote that was killed, as whoever opens the database does. */
int history_check(const char *root, struct cg_error *err);

void history_close(struct history *h); /* NULL is allowed */

/* What the database had for the benchmark, its definition, the commit and the environment of a
 * row. */
struct history_added {
	bool known;
	/* The first metric, Ir before all others, whose count differs, which a deterministic one's
	 * does not; NULL: all are equal. free() it. */
	char *metric;
	int64_t before, now;
	int64_t measured; /* when, if it is known */
};

/* Adds a row, or replaces an existing one that was measured earlier; of two of one second, the same
 * one stays in whatever order they come. *added may be NULL. Errors: CG_EINVAL (a row that may not
 * be kept), CG_EIO, CG_ENOMEM. */
int history_add(struct history *h, const struct history_run *run, struct history_added *added,
		struct cg_error *err);

/* The same for many rows, all of them or none: history_put adds a row between history_begin and
 * history_end, which takes and returns what failed so far. */
int history_begin(struct history *h, struct cg_error *err);
int history_put(struct history *h, const struct history_run *run, struct history_added *added,
		struct cg_error *err);
int history_end(struct history *h, int status, struct cg_error *err);

/* The same for rows in memory; `changed`: how many counts differ from existing ones. */
int history_add_all(struct history *h, const struct history_run *runs, size_t count,
		    size_t *changed, struct cg_error *err);

/* Whether a row of the benchmark, its definition and the commit of `run` exists in its environment.
 * Only these of its members are looked at. */
int history_has(struct history *h, const struct history_run *run, bool *has, struct cg_error *err);

/* The same in any environment, but measured in the same second, and so by the same measurement. */
int history_has_measured(struct history *h, const struct history_run *run, bool *has,
			 struct cg_error *err);

/* What is read, with all that rows have in common there once. */
struct history_commit {
	char *id, *tree, *subject;
	int64_t committed;
};

struct history_environment {
	char digest[HISTORY_DIGEST];
	char *texts;
	struct history_pair *facts;
	size_t count;
};

/* How rows were measured, and the metrics that were counted. */
struct history_method {
	char *irdiff, *valgrind, *texts;
	char **metrics;
	size_t count;
};

/* Where the metric of this name is among those of a method; -1: it was not counted. `method` is a
 * struct history_method, as metric_find_among passes it. */
int history_method_event(const void *method, const char *name);

struct history_point {
	uint32_t commit, method; /* indices */
	int64_t measured;
	size_t counts; /* where they begin: one for each metric of the method */
};

/* The rows of a benchmark by one definition in one environment. */
struct history_series {
	char *benchmark, *definition;
	const struct history_environment *environment;
	struct history_point *points; /* by commit; at least one */
	size_t count;
};

struct history_book {
	struct history_commit *commits; /* by time, then by id */
	struct history_environment *environments;
	struct history_method *methods;
	struct history_series *series; /* by benchmark, environment and definition */
	int64_t *counts;
	size_t ncommits, nenvironments, nmethods, nseries, ncounts;
	size_t commits_cap, environments_cap, methods_cap, series_cap, counts_cap;
};

/* All rows of a benchmark, with its cases BENCHMARK/CASE; NULL: of all benchmarks. NULL for `h`:
 * none. Free with history_book_free. */
int history_read(struct history *h, const char *benchmark, struct history_book *out,
		 struct cg_error *err);
void history_book_free(struct history_book *book);

/* The counts of a point. */
const int64_t *history_counts(const struct history_book *book, const struct history_point *point);

/* A point as a row, which is a view of the book and of `counts`: as many as a row may have. */
struct history_run history_run_of(const struct history_book *book,
				  const struct history_series *series,
				  const struct history_point *point,
				  struct history_count counts[HISTORY_MOST_COUNTS]);

/* Appends the names of the benchmarks that have rows, sorted. NULL for `h`: none. */
int history_benchmarks(struct history *h, struct path_list *out, struct cg_error *err);

#endif
