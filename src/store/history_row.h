/*
 * One measured run of a benchmark, as the history keeps it: which commit was measured, by which
 * definition of the benchmark, in which environment, and what was counted.
 *
 * Rows travel between machines as one line of JSON, so what is read from one is hostile. There is
 * one way to write a row, and nothing else is read:
 *
 *     {"schema":"irdiff/run","version":2,"benchmark":…,"definition":…,"commit":…,
 *      "tree":… or null,"committed":…,"subject":…,"environment":{KEY:VALUE, …},"irdiff":…,
 *      "valgrind":…,"measured":…,"counts":{METRIC:COUNT, …}}
 *
 * without spaces and line ends, keys of the two inner objects in the order of their bytes.
 */
#ifndef IRDIFF_STORE_HISTORY_ROW_H
#define IRDIFF_STORE_HISTORY_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cgprofile/error.h"

#define HISTORY_DIGEST 17 /* bytes of a digest: 16 lower-case hexadecimal digits and a NUL */
#define HISTORY_MOST_TEXT (1 << 20) /* bytes of a row's text */
#define HISTORY_MOST_FACTS 1000     /* facts of an environment */
#define HISTORY_MOST_COUNTS 1000

struct history_pair {
	char *key, *value;
};

struct history_count {
	char *metric;
	int64_t count;
};

/* All texts are UTF-8 and owned, except in rows that callers make to be added. Times are in seconds
 * since 1970. */
struct history_run {
	char *benchmark;
	char *definition; /* digest of the benchmark's definition in irdiff.yml */
	char *commit;     /* 40 or 64 lower-case hexadecimal digits */
	char *tree;       /* the same; NULL: not known */
	int64_t committed;
	char *subject;                    /* of the commit: one line, hostile */
	struct history_pair *environment; /* facts, by key */
	size_t nenvironment;
	const char *environment_json; /* as a reader read it, not owned; NULL: none did */
	size_t environment_size;      /* bytes of that */
	char *irdiff, *valgrind;      /* versions that measured it */
	int64_t measured;
	struct history_count *counts; /* by metric; at least one */
	size_t ncounts;
};

void history_run_free(struct history_run *run);
int history_run_copy(const struct history_run *run, struct history_run *out, struct cg_error *err);

/* Whether a row may be kept; CG_EINVAL with the reason. The others look at some of its members:
 * benchmark and definition; commit, tree, committed and subject; environment; all others. */
int history_run_check(const struct history_run *run, struct cg_error *err);
int history_check_benchmark(const struct history_run *run, struct cg_error *err);
int history_check_commit(const struct history_run *run, struct cg_error *err);
int history_check_environment(const struct history_run *run, struct cg_error *err);
int history_check_counts(const struct history_run *run, struct cg_error *err);
bool history_is_time(int64_t seconds); /* of a commit or a measurement */

/* The digest of a text: good enough to distinguish texts, no protection against forgery. */
void history_digest(const char *text, char digest[HISTORY_DIGEST]);

/* The digest of its environment: rows with the same digest are of one series. */
void history_run_digest(const struct history_run *run, char digest[HISTORY_DIGEST]);

/* NULL: it was not counted. */
const int64_t *history_run_count(const struct history_run *run, const char *metric);

/* The line, without a line end; the caller's. The row must be one that may be kept. */
int history_row_text(const struct history_run *run, char **text, struct cg_error *err);

/* What reading one row after the other uses again and again. Zeroed to begin with; free it with
 * history_reader_free. */
struct history_reader {
	char *texts, *fact_texts, *json; /* of the row; of its environment, and as it was read */
	size_t texts_cap, fact_texts_cap, json_len, json_cap;
	struct history_pair *facts;
	size_t nfacts, facts_cap;
	struct history_count *counts;
	size_t ncounts, counts_cap;
};

/* Reads such a line, which may have one line end. *out is untouched on failure, and belongs to
 * the reader until it reads again. Errors: CG_ESYNTAX with `file` and `line` for the message,
 * CG_ENOMEM. */
int history_row_read(struct history_reader *reader, const char *text, size_t len, const char *file,
		     uint64_t line, struct history_run *out, struct cg_error *err);
void history_reader_free(struct history_reader *reader);

/* Whether such a line is of a later version of this format. */
bool history_row_is_newer(const char *text, size_t len);

#endif
