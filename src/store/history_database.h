/* The database of the history, as the files history*.c share it. */
#ifndef IRDIFF_STORE_HISTORY_DATABASE_H
#define IRDIFF_STORE_HISTORY_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include "cgprofile/error.h"
#include "cgprofile/strings.h"
#include "src/store/history_fan.h"
#include "src/store/history_row.h"
#include "src/store/row_json.h"

struct sqlite3;
struct sqlite3_stmt;

/* The tables that rows refer to: what several rows have in common is there once. */
enum history_table { ENVIRONMENTS, METHODS, COMMITS, SERIES, REFERRED_TABLES };

enum history_statement {
	FIND_ENVIRONMENT,
	ADD_ENVIRONMENT,
	FIND_METHOD,
	ADD_METHOD,
	FIND_COMMIT,
	ADD_COMMIT,
	CHANGE_COMMIT,
	FIND_SERIES,
	ADD_SERIES,
	FIND_RUN,
	ADD_RUN,
	CHANGE_RUN,
	FIND_FAN,
	CHANGE_FAN,
	SET_FAN,
	STATEMENTS,
};

/* What was found or added before: by its texts, its id. */
struct history_known {
	struct cg_strings texts;
	int64_t *ids; /* of each text */
	size_t cap;
};

/* The environment of the last row that was found or added. */
struct history_last_environment {
	struct row_text json; /* empty: not known */
	int64_t id;
};

struct history {
	struct sqlite3 *db;
	char *path;
	char *checked; /* the root, if all pages were checked; otherwise NULL */
	struct sqlite3_stmt *statements[STATEMENTS]; /* those that were used */
	struct history_known known[REFERRED_TABLES];
	struct history_last_environment last_environment;
	struct row_text key;        /* that is looked for */
	bool changed[HISTORY_FANS]; /* in this transaction */
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

/* The statement stays the database's. */
int history_statement(struct history *h, enum history_statement which, struct sqlite3_stmt **out,
		      struct cg_error *err);
/* Runs a statement that has no result, and resets it for the next time. */
int history_step(struct history *h, struct sqlite3_stmt *s, struct cg_error *err);

/* Counts the changes of fans in this transaction. */
int history_count_changes(struct history *h, struct cg_error *err);

/* Frees what writing keeps. */
void history_end_writing(struct history *h);

/*
 * Counts as the database has them: each as a number of 7 bits a byte, the lowest first, whose
 * highest bit says that more follow; 0, -1, 1, -2, … are 0, 1, 2, 3, …
 */
#define HISTORY_PACKED_SIZE(n) ((n)*10) /* at most */

size_t history_pack(const struct history_count *counts, size_t n, unsigned char *to);
/* False: the bytes are not exactly so many counts. */
bool history_unpack(const unsigned char *bytes, size_t size, int64_t *counts, size_t n);

#endif
