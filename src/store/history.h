/*
 * The history of a project: what its benchmarks counted at which commit, in the SQLite database
 * .irdiff/history.db below the project's root.
 *
 * There is one row per benchmark, definition, commit and environment. Several irdiffs may read and
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

/* Opens it for writing, and creates it if it does not exist. All pages are checked: a row that is
 * added to a damaged database may be lost, or cost others. */
int history_open_to_write(const char *root, struct history **out, struct cg_error *err);

/* Checks the whole database without changing it: CG_EIO or CG_EINVAL, with what is wrong. A missing
 * database is fine. */
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
};

/* Adds a row, or replaces an existing one that was measured earlier. *added may be NULL. Errors:
 * CG_EINVAL (a row that may not be kept), CG_EIO, CG_ENOMEM. */
int history_add(struct history *h, const struct history_run *run, struct history_added *added,
		struct cg_error *err);

/* The same for many rows, all of them or none; `changed`: how many counts differ from existing
 * ones. */
int history_add_all(struct history *h, const struct history_run *runs, size_t count,
		    size_t *changed, struct cg_error *err);

/* Whether a row of the benchmark, its definition and the commit of `run` exists in its environment.
 * Only these of its members are looked at. */
int history_has(struct history *h, const struct history_run *run, bool *has, struct cg_error *err);

/* The same in any environment, but measured in the same second, and so by the same measurement. */
int history_has_measured(struct history *h, const struct history_run *run, bool *has,
			 struct cg_error *err);

struct history_rows {
	struct history_run *items;
	size_t count, cap;
};

/* All rows of a benchmark, NULL: of all, by benchmark, then by the time of the commits. NULL for
 * `h`: none. Free with history_rows_free. */
int history_read(struct history *h, const char *benchmark, struct history_rows *out,
		 struct cg_error *err);
void history_rows_free(struct history_rows *rows);

/* Appends the names of the benchmarks that have rows, sorted. NULL for `h`: none. */
int history_benchmarks(struct history *h, struct path_list *out, struct cg_error *err);

#endif
