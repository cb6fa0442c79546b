/* The database of the history, as history.c and history_read.c share it. */
#ifndef IRDIFF_STORE_HISTORY_DATABASE_H
#define IRDIFF_STORE_HISTORY_DATABASE_H

#include <stdint.h>

#include "cgprofile/error.h"

struct sqlite3;
struct sqlite3_stmt;

struct history {
	struct sqlite3 *db;
	char *path;
};

/* Reports why SQLite failed last. */
int history_fail(struct history *h, struct cg_error *err);
int history_fail_damaged(struct history *h, const char *what, struct cg_error *err);

int history_run_sql(struct history *h, const char *sql, struct cg_error *err);
/* *out is the caller's, for sqlite3_finalize. */
int history_prepare(struct history *h, const char *sql, struct sqlite3_stmt **out,
		    struct cg_error *err);
/* NULL is bound as NULL; the text stays the caller's until the statement is done. */
void history_bind_text(struct sqlite3_stmt *s, int place, const char *text);

/* Commits after success, rolls back otherwise; returns `status`, or why it cannot commit. */
int history_end_transaction(struct history *h, int status, struct cg_error *err);

#endif
