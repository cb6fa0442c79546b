#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/store/history.h"
#include "src/store/history_database.h"

/* Copies a text; NULL stays NULL. */
static int copy_column(sqlite3_stmt *s, int column, char **out, struct cg_error *err)
{
	const char *text = (const char *)sqlite3_column_text(s, column);
	if (!text)
		return CG_OK;
	*out = strdup(text);
	return *out ? CG_OK : cg_fail_nomem(err);
}

static int read_kept_environment(struct history *h, struct history_run *r, const char *digest,
				 struct cg_error *err)
{
	sqlite3_stmt *s = NULL;
	size_t cap = 0;
	int step;
	int status = history_prepare(
		h, "SELECT key, value FROM environments WHERE digest = ? ORDER BY key", &s, err);
	if (status)
		return status;
	history_bind_text(s, 1, digest);
	while ((step = sqlite3_step(s)) == SQLITE_ROW && !status) {
		if (cg_grow(&r->environment, &cap, r->nenvironment + 1, sizeof *r->environment)) {
			status = cg_fail_nomem(err);
			break;
		}
		struct history_pair *f = &r->environment[r->nenvironment++];
		*f = (struct history_pair){ 0 };
		status = copy_column(s, 0, &f->key, err);
		if (!status)
			status = copy_column(s, 1, &f->value, err);
	}
	if (!status && step != SQLITE_DONE)
		status = history_fail(h, err);
	sqlite3_finalize(s);
	return status;
}

static int read_counts(struct history *h, struct history_run *r, int64_t id, struct cg_error *err)
{
	sqlite3_stmt *s = NULL;
	size_t cap = 0;
	int step;
	int status = history_prepare(
		h, "SELECT metric, count FROM counts WHERE run = ? ORDER BY metric", &s, err);
	if (status)
		return status;
	sqlite3_bind_int64(s, 1, id);
	while ((step = sqlite3_step(s)) == SQLITE_ROW && !status) {
		if (cg_grow(&r->counts, &cap, r->ncounts + 1, sizeof *r->counts)) {
			status = cg_fail_nomem(err);
			break;
		}
		struct history_count *c = &r->counts[r->ncounts++];
		*c = (struct history_count){ .count = sqlite3_column_int64(s, 1) };
		status = copy_column(s, 0, &c->metric, err);
	}
	if (!status && step != SQLITE_DONE)
		status = history_fail(h, err);
	sqlite3_finalize(s);
	return status;
}

/* Checks a row: one that could not have been added is damage. */
static int check_run(struct history *h, const struct history_run *r, const char *digest,
		     struct cg_error *err)
{
	char found[HISTORY_DIGEST];
	struct cg_error why = { 0 };
	int status = history_run_check(r, &why);

	if (status == CG_ENOMEM)
		return cg_fail_nomem(err);
	if (!status)
		history_run_digest(r, found);
	if (!status && digest && strcmp(found, digest) == 0)
		return CG_OK;
	return history_fail_damaged(
		h, status ? why.message : "an environment does not match its digest", err);
}

static int read_run(struct history *h, sqlite3_stmt *s, struct history_run *r, struct cg_error *err)
{
	char *digest = NULL;
	char **const texts[] = { &r->benchmark, &r->definition, &r->commit,   &r->tree,
				 &r->subject,   &r->irdiff,     &r->valgrind, &digest };
	enum { TEXTS = sizeof texts / sizeof *texts };
	int status = CG_OK;

	for (int i = 0; !status && i < TEXTS; i++)
		status = copy_column(s, i + 1, texts[i], err);
	r->committed = sqlite3_column_int64(s, TEXTS + 1);
	r->measured = sqlite3_column_int64(s, TEXTS + 2);
	if (!status)
		status = read_kept_environment(h, r, digest, err);
	if (!status)
		status = read_counts(h, r, sqlite3_column_int64(s, 0), err);
	if (!status)
		status = check_run(h, r, digest, err);
	free(digest);
	return status;
}

static int read_runs(struct history *h, const char *benchmark, struct history_rows *rows,
		     struct cg_error *err)
{
	sqlite3_stmt *s = NULL;
	int step;
	int status = history_prepare(
		h,
		"SELECT id, benchmark, definition, commit_id, tree_id, subject, irdiff, "
		"valgrind, environment, committed, measured FROM runs "
		"WHERE ?1 IS NULL OR benchmark = ?1 "
		"ORDER BY benchmark, committed, commit_id, environment, definition",
		&s, err);
	if (status)
		return status;
	history_bind_text(s, 1, benchmark);
	while ((step = sqlite3_step(s)) == SQLITE_ROW && !status) {
		if (cg_grow(&rows->items, &rows->cap, rows->count + 1, sizeof *rows->items)) {
			status = cg_fail_nomem(err);
			break;
		}
		rows->items[rows->count++] = (struct history_run){ 0 };
		status = read_run(h, s, &rows->items[rows->count - 1], err);
	}
	if (!status && step != SQLITE_DONE)
		status = history_fail(h, err);
	sqlite3_finalize(s);
	return status;
}

int history_read(struct history *h, const char *benchmark, struct history_rows *out,
		 struct cg_error *err)
{
	struct history_rows rows = { 0 };
	int status = h ? history_run_sql(h, "BEGIN", err) : CG_OK;

	if (!status && h)
		status = history_end_transaction(h, read_runs(h, benchmark, &rows, err), err);
	if (status)
		history_rows_free(&rows);
	else
		*out = rows;
	return status;
}

void history_rows_free(struct history_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		history_run_free(&rows->items[i]);
	free(rows->items);
	*rows = (struct history_rows){ 0 };
}

int history_benchmarks(struct history *h, struct path_list *out, struct cg_error *err)
{
	sqlite3_stmt *s = NULL;
	int step, status = CG_OK;

	if (!h)
		return CG_OK;
	status = history_prepare(h, "SELECT DISTINCT benchmark FROM runs ORDER BY benchmark", &s,
				 err);
	if (status)
		return status;
	while ((step = sqlite3_step(s)) == SQLITE_ROW && !status) {
		const char *name = (const char *)sqlite3_column_text(s, 0);
		if (name)
			status = path_list_add(out, name, err);
		else if (sqlite3_errcode(h->db) == SQLITE_NOMEM)
			status = cg_fail_nomem(err);
		else
			status = history_fail_damaged(h, "a benchmark has no name", err);
	}
	if (!status && step != SQLITE_DONE)
		status = history_fail(h, err);
	sqlite3_finalize(s);
	return status;
}
