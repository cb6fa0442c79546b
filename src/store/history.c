#include "src/store/history.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/store/beneath.h"
#include "src/store/history_database.h"

enum {
	OURS = 0x69726466, /* the file's application id: "irdf" */
	TABLES = 2,        /* version of the tables */
	PATIENCE = 20000,  /* milliseconds to wait for another irdiff */
};

static const char *const make =
	"CREATE TABLE environments ("
	"  digest TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,"
	"  PRIMARY KEY (digest, key)) WITHOUT ROWID;"
	"CREATE TABLE runs ("
	"  id INTEGER PRIMARY KEY, benchmark TEXT NOT NULL, definition TEXT NOT NULL, commit_id TEXT NOT NULL, "
	"  tree_id TEXT, committed INTEGER NOT NULL, subject TEXT NOT NULL, environment TEXT NOT NULL,"
	"  irdiff TEXT NOT NULL, valgrind TEXT NOT NULL, measured INTEGER NOT NULL,"
	"  UNIQUE (benchmark, commit_id, definition, environment));"
	"CREATE TABLE counts ("
	"  run INTEGER NOT NULL, metric TEXT NOT NULL, count INTEGER NOT NULL,"
	"  PRIMARY KEY (run, metric)) WITHOUT ROWID;";

/* ---- errors ---- */

int history_fail(struct history *h, struct cg_error *err)
{
	switch (sqlite3_errcode(h->db)) {
	case SQLITE_NOMEM:
		return cg_fail_nomem(err);
	case SQLITE_FULL:
		return cg_fail(err, CG_EFULL, h->path, 0,
			       "cannot write the history: the disk is full");
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return cg_fail(
			err, CG_EIO, h->path, 0,
			"the history is locked by another program; try again when that has ended");
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
	case SQLITE_MISMATCH:
		return cg_fail(
			err, CG_EIO, h->path, 0,
			"the history is damaged, or not a database (%s); move it away, and irdiff starts a new "
			"one; `sqlite3 FILE .recover` may recover its contents",
			sqlite3_errmsg(h->db));
	case SQLITE_READONLY:
		return cg_fail(err, CG_EIO, h->path, 0,
			       "cannot write the history: its file or directory is read-only");
	default:
		return cg_fail(err, CG_EIO, h->path, 0, "cannot use the history: %s",
			       sqlite3_errmsg(h->db));
	}
}

int history_run_sql(struct history *h, const char *sql, struct cg_error *err)
{
	return sqlite3_exec(h->db, sql, NULL, NULL, NULL) == SQLITE_OK ? CG_OK
								       : history_fail(h, err);
}

int history_prepare(struct history *h, const char *sql, sqlite3_stmt **out, struct cg_error *err)
{
	return sqlite3_prepare_v2(h->db, sql, -1, out, NULL) == SQLITE_OK ? CG_OK
									  : history_fail(h, err);
}

/* The first column of the first row of a query. */
static int ask_number(struct history *h, const char *sql, int64_t *out, struct cg_error *err)
{
	sqlite3_stmt *s = NULL;
	int status = history_prepare(h, sql, &s, err);
	if (!status && sqlite3_step(s) != SQLITE_ROW)
		status = history_fail(h, err);
	if (!status)
		*out = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return status;
}

int history_fail_damaged(struct history *h, const char *what, struct cg_error *err)
{
	return cg_fail(err, CG_EIO, h->path, 0,
		       "the history is damaged (%s); move it away, and irdiff starts a new one",
		       what);
}

/* ---- open ---- */

/* *version is 0 of an empty file. */
static int check_file(struct history *h, int64_t *version, struct cg_error *err)
{
	int64_t owner, tables;
	int status = ask_number(h, "PRAGMA application_id", &owner, err);

	if (!status)
		status = ask_number(h, "PRAGMA user_version", version, err);
	if (!status)
		status = ask_number(h, "SELECT count(*) FROM sqlite_master", &tables, err);
	if (status)
		return status;
	if (owner != OURS && (owner || *version || tables))
		return cg_fail(
			err, CG_EINVAL, h->path, 0,
			"not a database of irdiff; move it away, and irdiff starts a history");
	if (*version > TABLES || *version < 0)
		return cg_fail(
			err, CG_EINVAL, h->path, 0,
			"the history was written by a newer irdiff (version %lld, this irdiff knows %d); use that irdiff",
			(long long)*version, TABLES);
	if (*version && *version < TABLES)
		return cg_fail(
			err, CG_EINVAL, h->path, 0,
			"the history was written by an older irdiff (version %lld, this irdiff knows %d); move it "
			"away, and irdiff starts a new one",
			(long long)*version, TABLES);
	return CG_OK;
}

int history_end_transaction(struct history *h, int status, struct cg_error *err)
{
	if (!status)
		status = history_run_sql(h, "COMMIT", err);
	if (status && !sqlite3_get_autocommit(h->db))
		sqlite3_exec(h->db, "ROLLBACK", NULL, NULL, NULL);
	return status;
}

/* Another irdiff may do the same: the second one finds the tables made. */
static int make_history_tables(struct history *h, struct cg_error *err)
{
	int64_t version;
	char pragma[80];
	int status = history_run_sql(h, "BEGIN IMMEDIATE", err);

	if (status)
		return status;
	status = check_file(h, &version, err);
	if (!status && !version)
		status = history_run_sql(h, make, err);
	snprintf(pragma, sizeof pragma, "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 OURS, TABLES);
	if (!status)
		status = history_run_sql(h, pragma, err);
	return history_end_transaction(h, status, err);
}

/* A database is input like any other: it may not bring code, and no number of it is trusted. */
static int configure(struct history *h, struct cg_error *err)
{
	sqlite3_busy_timeout(h->db, PATIENCE);
	sqlite3_db_config(h->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(h->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(h->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(h->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_limit(h->db, SQLITE_LIMIT_LENGTH, HISTORY_MOST_TEXT);
	return history_run_sql(h,
			       "PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON; "
			       "PRAGMA mmap_size = 0",
			       err);
}

/* The database must be readable where nothing can be written, so it has no write-ahead log. */
static int open_database(const char *root, int flags, struct history **out, struct cg_error *err)
{
	struct history *h = calloc(1, sizeof *h);
	struct stat st;
	int status = h ? CG_OK : cg_fail_nomem(err);

	if (!status && asprintf(&h->path, "%s/.irdiff/history.db", root) < 0) {
		h->path = NULL;
		status = cg_fail_nomem(err);
	}
	bool is_new = !status && beneath_stat(root, h->path, &st) != 0 &&
		      (errno == ENOENT || errno == ENOTDIR);
	if (!status && !is_new)
		status = beneath_check(root, h->path, err);
	/* SQLite takes a file of one byte for an empty one (unixFileSize), and replaces it. */
	if (!status && !is_new && st.st_size == 1)
		status = history_fail_damaged(h, "a file of one byte", err);
	if (!status && is_new && !(flags & SQLITE_OPEN_CREATE)) {
		history_close(h);
		h = NULL;
	} else if (!status) {
		if (sqlite3_open_v2(h->path, &h->db, flags, NULL) != SQLITE_OK)
			status = history_fail(h, err);
		if (!status)
			status = configure(h, err);
	}
	if (status)
		history_close(h);
	else
		*out = h;
	return status;
}

int history_open(const char *root, struct history **out, struct cg_error *err)
{
	struct history *h = NULL;
	int64_t version;
	int status = open_database(root, SQLITE_OPEN_READWRITE, &h, err);

	if (!status && h) {
		status = check_file(h, &version, err);
		/* Another irdiff is just making it, or was killed before it did. */
		if (!status && !version)
			status = make_history_tables(h, err);
	}
	if (status)
		history_close(h);
	else
		*out = h;
	return status;
}

/* Checks all pages: "ok", or the first fault. */
static int check_pages(struct history *h, struct cg_error *err)
{
	sqlite3_stmt *s = NULL;
	int status = history_prepare(h, "PRAGMA quick_check(1)", &s, err);

	if (!status && sqlite3_step(s) != SQLITE_ROW)
		status = history_fail(h, err);
	const char *said = status ? NULL : (const char *)sqlite3_column_text(s, 0);
	if (said && strcmp(said, "ok") != 0)
		status = cg_fail(
			err, CG_EIO, h->path, 0,
			"the history is damaged (%.200s); move it away, and irdiff starts a new one; `sqlite3 FILE "
			".recover` may recover its contents",
			said);
	sqlite3_finalize(s);
	return status;
}

int history_check(const char *root, struct cg_error *err)
{
	struct history *h = NULL;
	int64_t version;
	int status = open_database(root, SQLITE_OPEN_READONLY, &h, err);

	if (!status && h)
		status = check_file(h, &version, err);
	if (!status && h)
		status = check_pages(h, err);
	history_close(h);
	return status;
}

int history_open_to_write(const char *root, struct history **out, struct cg_error *err)
{
	struct history *h = NULL;
	int status = store_prepare(root, err);

	if (!status)
		status = open_database(root, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &h, err);
	if (status)
		return status;
	status = make_history_tables(h, err);
	if (!status)
		status = check_pages(h, err);
	if (status)
		history_close(h);
	else
		*out = h;
	return status;
}

void history_close(struct history *h)
{
	if (!h)
		return;
	sqlite3_close(h->db);
	free(h->path);
	free(h);
}

/* ---- write ---- */

void history_bind_text(sqlite3_stmt *s, int place, const char *text)
{
	if (text)
		sqlite3_bind_text(s, place, text, -1, SQLITE_STATIC);
	else
		sqlite3_bind_null(s, place);
}

/* Runs a statement for one row, and resets it for the next. */
static int step_again(struct history *h, sqlite3_stmt *s, struct cg_error *err)
{
	int status = sqlite3_step(s) == SQLITE_DONE ? CG_OK : history_fail(h, err);
	sqlite3_reset(s);
	return status;
}

static int keep_environment(struct history *h, const struct history_run *r, const char *digest,
			    struct cg_error *err)
{
	sqlite3_stmt *s = NULL;
	int status = history_prepare(h, "INSERT OR IGNORE INTO environments VALUES (?, ?, ?)", &s,
				     err);

	for (size_t i = 0; !status && i < r->nenvironment; i++) {
		history_bind_text(s, 1, digest);
		history_bind_text(s, 2, r->environment[i].key);
		history_bind_text(s, 3, r->environment[i].value);
		status = step_again(h, s, err);
	}
	sqlite3_finalize(s);
	return status;
}

static int put_counts(struct history *h, const struct history_run *r, int64_t id,
		      struct cg_error *err)
{
	sqlite3_stmt *s = NULL;
	int status = history_prepare(h, "INSERT INTO counts VALUES (?, ?, ?)", &s, err);

	for (size_t i = 0; !status && i < r->ncounts; i++) {
		sqlite3_bind_int64(s, 1, id);
		history_bind_text(s, 2, r->counts[i].metric);
		sqlite3_bind_int64(s, 3, r->counts[i].count);
		status = step_again(h, s, err);
	}
	sqlite3_finalize(s);
	return status;
}

static int put_run(struct history *h, const struct history_run *r, const char *digest,
		   struct cg_error *err)
{
	sqlite3_stmt *s = NULL;
	int status = history_prepare(
		h,
		"INSERT INTO runs (benchmark, commit_id, tree_id, committed, subject, "
		"environment, irdiff, valgrind, measured, definition) "
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		&s, err);
	if (status)
		return status;
	history_bind_text(s, 1, r->benchmark);
	history_bind_text(s, 2, r->commit);
	history_bind_text(s, 3, r->tree);
	sqlite3_bind_int64(s, 4, r->committed);
	history_bind_text(s, 5, r->subject);
	history_bind_text(s, 6, digest);
	history_bind_text(s, 7, r->irdiff);
	history_bind_text(s, 8, r->valgrind);
	sqlite3_bind_int64(s, 9, r->measured);
	history_bind_text(s, 10, r->definition);
	status = step_again(h, s, err);
	sqlite3_finalize(s);
	if (!status)
		status = keep_environment(h, r, digest, err);
	return status ? status : put_counts(h, r, sqlite3_last_insert_rowid(h->db), err);
}

static int find_run(struct history *h, const struct history_run *r, const char *digest, int64_t *id,
		    int64_t *measured, struct cg_error *err)
{
	sqlite3_stmt *s = NULL;
	int status = history_prepare(
		h,
		"SELECT id, measured FROM runs WHERE benchmark = ? AND commit_id = ? "
		"AND environment = ? AND definition = ?",
		&s, err);
	if (status)
		return status;
	history_bind_text(s, 1, r->benchmark);
	history_bind_text(s, 2, r->commit);
	history_bind_text(s, 3, digest);
	history_bind_text(s, 4, r->definition);
	int step = sqlite3_step(s);
	*id = step == SQLITE_ROW ? sqlite3_column_int64(s, 0) : 0;
	*measured = step == SQLITE_ROW ? sqlite3_column_int64(s, 1) : 0;
	if (step != SQLITE_ROW && step != SQLITE_DONE)
		status = history_fail(h, err);
	sqlite3_finalize(s);
	return status;
}

static int compare_kept_counts(struct history *h, const struct history_run *r, int64_t id,
			       struct history_added *added, struct cg_error *err)
{
	sqlite3_stmt *s = NULL;
	int step = SQLITE_DONE;
	int status = history_prepare(h,
				     "SELECT metric, count FROM counts WHERE run = ? "
				     "ORDER BY metric <> 'Ir', metric",
				     &s, err);
	if (status)
		return status;
	sqlite3_bind_int64(s, 1, id);
	while (!added->metric && !status && (step = sqlite3_step(s)) == SQLITE_ROW) {
		const char *metric = (const char *)sqlite3_column_text(s, 0);
		const int64_t *now = metric ? history_run_count(r, metric) : NULL;
		if (!now || *now == sqlite3_column_int64(s, 1))
			continue;
		added->before = sqlite3_column_int64(s, 1);
		added->now = *now;
		added->metric = strdup(metric);
		if (!added->metric)
			status = cg_fail_nomem(err);
	}
	if (!status && step != SQLITE_ROW && step != SQLITE_DONE)
		status = history_fail(h, err);
	sqlite3_finalize(s);
	return status;
}

static int forget_run(struct history *h, int64_t id, struct cg_error *err)
{
	char sql[120];
	snprintf(sql, sizeof sql,
		 "DELETE FROM counts WHERE run = %lld; "
		 "DELETE FROM runs WHERE id = %lld",
		 (long long)id, (long long)id);
	return history_run_sql(h, sql, err);
}

/* Adds a row inside a transaction. */
static int add_history_run(struct history *h, const struct history_run *r,
			   struct history_added *added, struct cg_error *err)
{
	char digest[HISTORY_DIGEST];
	int64_t id, measured;
	int status = history_run_check(r, err);

	if (status)
		return status;
	history_run_digest(r, digest);
	status = find_run(h, r, digest, &id, &measured, err);
	if (!status && id) {
		added->known = true;
		status = compare_kept_counts(h, r, id, added, err);
	}
	if (status || (id && measured > r->measured))
		return status;
	if (id)
		status = forget_run(h, id, err);
	return status ? status : put_run(h, r, digest, err);
}

int history_add(struct history *h, const struct history_run *run, struct history_added *added,
		struct cg_error *err)
{
	struct history_added found = { 0 };
	int status = history_run_sql(h, "BEGIN IMMEDIATE", err);

	if (status)
		return status;
	status = history_end_transaction(h, add_history_run(h, run, &found, err), err);
	if (status || !added)
		free(found.metric);
	else
		*added = found;
	return status;
}

int history_add_all(struct history *h, const struct history_run *runs, size_t count,
		    size_t *changed, struct cg_error *err)
{
	size_t differing = 0;
	int status = history_run_sql(h, "BEGIN IMMEDIATE", err);

	if (status)
		return status;
	for (size_t i = 0; !status && i < count; i++) {
		struct history_added added = { 0 };
		status = add_history_run(h, &runs[i], &added, err);
		differing += added.metric != NULL;
		free(added.metric);
	}
	status = history_end_transaction(h, status, err);
	if (!status)
		*changed = differing;
	return status;
}

/* ---- ask ---- */

int history_has(struct history *h, const struct history_run *run, bool *has, struct cg_error *err)
{
	char digest[HISTORY_DIGEST];
	int64_t id, measured;

	history_run_digest(run, digest);
	int status = find_run(h, run, digest, &id, &measured, err);
	if (!status)
		*has = id != 0;
	return status;
}

int history_has_measured(struct history *h, const struct history_run *run, bool *has,
			 struct cg_error *err)
{
	sqlite3_stmt *s = NULL;
	int status = history_prepare(h,
				     "SELECT 1 FROM runs WHERE benchmark = ? AND commit_id = ? "
				     "AND definition = ? AND measured = ?",
				     &s, err);
	if (status)
		return status;
	history_bind_text(s, 1, run->benchmark);
	history_bind_text(s, 2, run->commit);
	history_bind_text(s, 3, run->definition);
	sqlite3_bind_int64(s, 4, run->measured);
	int step = sqlite3_step(s);
	if (step == SQLITE_ROW || step == SQLITE_DONE)
		*has = step == SQLITE_ROW;
	else
		status = history_fail(h, err);
	sqlite3_finalize(s);
	return status;
}
