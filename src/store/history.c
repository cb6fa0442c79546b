#include "src/store/history.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/store/beneath.h"
#include "src/store/history_checked.h"
#include "src/store/history_database.h"

enum {
	OURS = 0x69726466, /* the file's application id: "irdf" */
	TABLES = 4,        /* version of the tables */
	PATIENCE = 20000,  /* milliseconds to wait for another irdiff */
};

/*
 * Facts and metrics are texts of lines: a key and its value by turns, or a metric each. A run's
 * counts (history_pack) are in the order of its method's metrics. Ids are 1, 2, 3, …: nothing but a
 * run is ever replaced, and nothing is deleted.
 */
static const char *const make =
	"CREATE TABLE environments ("
	"  id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, facts TEXT NOT NULL);"
	"CREATE TABLE methods ("
	"  id INTEGER PRIMARY KEY, irdiff TEXT NOT NULL, valgrind TEXT NOT NULL, metrics TEXT NOT NULL,"
	"  UNIQUE (irdiff, valgrind, metrics));"
	"CREATE TABLE commits ("
	"  id INTEGER PRIMARY KEY, commit_id TEXT NOT NULL UNIQUE, tree_id TEXT,"
	"  committed INTEGER NOT NULL, subject TEXT NOT NULL);"
	"CREATE TABLE series ("
	"  id INTEGER PRIMARY KEY, benchmark TEXT NOT NULL, definition TEXT NOT NULL,"
	"  environment INTEGER NOT NULL, UNIQUE (benchmark, definition, environment));"
	"CREATE TABLE runs ("
	"  series INTEGER NOT NULL, commit_number INTEGER NOT NULL, method INTEGER NOT NULL,"
	"  measured INTEGER NOT NULL, counts BLOB NOT NULL,"
	"  PRIMARY KEY (series, commit_number)) WITHOUT ROWID;"
	"CREATE TABLE shared ("
	"  fan TEXT PRIMARY KEY, changes INTEGER NOT NULL DEFAULT 0, tree TEXT NOT NULL DEFAULT '',"
	"  rows INTEGER NOT NULL DEFAULT 0, taken INTEGER NOT NULL DEFAULT 0,"
	"  given INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;";

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
		return cg_fail(
			err, CG_EIO, h->path, 0,
			sqlite3_extended_errcode(h->db) == SQLITE_READONLY_ROLLBACK
				? "cannot read the history: a change was interrupted, and cannot be undone "
				  "because the file or directory is read-only"
				: "cannot write the history: its file or directory is read-only");
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
	if (!status && !version)
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
		flags |= SQLITE_OPEN_NOMUTEX; /* no two threads use it */
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
	int status = open_database(root, SQLITE_OPEN_READWRITE, &h, err);

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
	/* Until a transaction begins, nothing of the file is changed. */
	bool was_checked = history_was_checked(root, h->path);
	status = make_history_tables(h, err);
	if (!status && !was_checked)
		status = check_pages(h, err);
	if (!status && !(h->checked = strdup(root)))
		status = cg_fail_nomem(err);
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
	history_end_writing(h);
	sqlite3_close(h->db);
	if (h->checked)
		history_set_checked(h->checked, h->path);
	free(h->checked);
	free(h->path);
	free(h);
}

/* ---- statements ---- */

void history_bind_text(sqlite3_stmt *s, int place, const char *text)
{
	if (text)
		sqlite3_bind_text(s, place, text, -1, SQLITE_STATIC);
	else
		sqlite3_bind_null(s, place);
}
