#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/store/history.h"
#include "src/store/history_database.h"

/* ---- texts ---- */

/* Copies a text; NULL stays NULL. */
static int copy_column(sqlite3_stmt *s, int column, char **out, struct cg_error *err)
{
	const char *text = (const char *)sqlite3_column_text(s, column);
	if (!text)
		return CG_OK;
	*out = strdup(text);
	return *out ? CG_OK : cg_fail_nomem(err);
}

/* Takes a line of a text, and ends it; NULL: there is no whole one. */
static char *take_line(char **at)
{
	char *line = *at, *end = strchr(line, '\n');
	if (!end)
		return NULL;
	*end = '\0';
	*at = end + 1;
	return line;
}

static size_t count_whole_lines(const char *text)
{
	size_t n = 0;
	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* ---- tables ---- */

struct book_reading {
	struct history *h;
	struct history_book *book;
	const char *benchmark;
	const char *fan;  /* the only one that is read; NULL: all */
	uint32_t *ranks;  /* of commits by number: their indices in the book */
	int64_t *numbers; /* of commits in the book, if only a fan is read */
	size_t numbers_cap;
	struct cg_error *err;
};

/* What cannot have been added is damage. */
static int check_as_row(struct book_reading *r, const struct history_run *run,
			int (*check)(const struct history_run *, struct cg_error *))
{
	struct cg_error why = { 0 };
	int status = check(run, &why);

	if (!status)
		return CG_OK;
	return status == CG_ENOMEM ? cg_fail_nomem(r->err)
				   : history_fail_damaged(r->h, why.message, r->err);
}

/* Calls `take` for each row of a query whose first column is an id: 1, 2, 3, … */
static int read_table(struct book_reading *r, const char *sql,
		      int (*take)(struct book_reading *, sqlite3_stmt *))
{
	sqlite3_stmt *s = NULL;
	int64_t id = 0;
	int step = SQLITE_DONE;
	int status = history_prepare(r->h, sql, &s, r->err);

	while (!status && (step = sqlite3_step(s)) == SQLITE_ROW)
		status = sqlite3_column_int64(s, 0) == ++id && id < UINT32_MAX
				 ? take(r, s)
				 : history_fail_damaged(r->h, "a number is missing", r->err);
	if (!status && step != SQLITE_DONE)
		status = history_fail(r->h, r->err);
	sqlite3_finalize(s);
	return status;
}

static int split_facts(struct book_reading *r, struct history_environment *e)
{
	size_t lines = count_whole_lines(e->texts);
	char *at = e->texts;

	if (lines % 2 || lines / 2 > HISTORY_MOST_FACTS)
		return history_fail_damaged(r->h, "facts that are not pairs", r->err);
	e->facts = calloc(lines / 2 + 1, sizeof *e->facts);
	if (!e->facts)
		return cg_fail_nomem(r->err);
	for (; e->count < lines / 2; e->count++) {
		char *key = take_line(&at);
		e->facts[e->count] = (struct history_pair){ key, take_line(&at) };
	}
	return *at ? history_fail_damaged(r->h, "facts that are not lines", r->err) : CG_OK;
}

static int take_kept_environment(struct book_reading *r, sqlite3_stmt *s)
{
	struct history_book *b = r->book;
	const char *digest = (const char *)sqlite3_column_text(s, 1);

	if (cg_grow(&b->environments, &b->environments_cap, b->nenvironments + 1,
		    sizeof *b->environments))
		return cg_fail_nomem(r->err);
	struct history_environment *e = &b->environments[b->nenvironments++];
	*e = (struct history_environment){ 0 };
	int status = copy_column(s, 2, &e->texts, r->err);
	if (!status && !e->texts)
		status = history_fail_damaged(r->h, "an environment has no facts", r->err);
	if (!status)
		status = split_facts(r, e);
	const struct history_run run = { .environment = e->facts, .nenvironment = e->count };
	if (!status)
		status = check_as_row(r, &run, history_check_environment);
	if (!status)
		history_run_digest(&run, e->digest);
	if (!status && (!digest || strcmp(digest, e->digest) != 0))
		status = history_fail_damaged(r->h, "an environment does not match its digest",
					      r->err);
	return status;
}

static int split_metrics(struct book_reading *r, struct history_method *m)
{
	size_t lines = count_whole_lines(m->texts);
	char *at = m->texts;

	if (lines > HISTORY_MOST_COUNTS)
		return history_fail_damaged(r->h, "too many metrics", r->err);
	m->metrics = calloc(lines + 1, sizeof *m->metrics);
	if (!m->metrics)
		return cg_fail_nomem(r->err);
	while (m->count < lines)
		m->metrics[m->count++] = take_line(&at);
	return *at ? history_fail_damaged(r->h, "metrics that are not lines", r->err) : CG_OK;
}

static int take_method(struct book_reading *r, sqlite3_stmt *s)
{
	struct history_count counts[HISTORY_MOST_COUNTS];
	struct history_book *b = r->book;

	if (cg_grow(&b->methods, &b->methods_cap, b->nmethods + 1, sizeof *b->methods))
		return cg_fail_nomem(r->err);
	struct history_method *m = &b->methods[b->nmethods++];
	*m = (struct history_method){ 0 };
	int status = copy_column(s, 1, &m->irdiff, r->err);
	if (!status)
		status = copy_column(s, 2, &m->valgrind, r->err);
	if (!status)
		status = copy_column(s, 3, &m->texts, r->err);
	if (!status && !m->texts)
		status = history_fail_damaged(r->h, "a row without metrics", r->err);
	if (!status)
		status = split_metrics(r, m);
	for (size_t i = 0; !status && i < m->count; i++)
		counts[i] = (struct history_count){ .metric = m->metrics[i] };
	const struct history_run run = {
		.irdiff = m->irdiff, .valgrind = m->valgrind, .counts = counts, .ncounts = m->count
	};
	return status ? status : check_as_row(r, &run, history_check_counts);
}

static int take_kept_commit(struct book_reading *r, sqlite3_stmt *s)
{
	struct history_book *b = r->book;

	if (cg_grow(&b->commits, &b->commits_cap, b->ncommits + 1, sizeof *b->commits))
		return cg_fail_nomem(r->err);
	struct history_commit *c = &b->commits[b->ncommits++];
	*c = (struct history_commit){ .committed = sqlite3_column_int64(s, 3) };
	int status = copy_column(s, 1, &c->id, r->err);
	if (!status)
		status = copy_column(s, 2, &c->tree, r->err);
	if (!status)
		status = copy_column(s, 4, &c->subject, r->err);
	const struct history_run run = {
		.commit = c->id, .tree = c->tree, .committed = c->committed, .subject = c->subject
	};
	return status ? status : check_as_row(r, &run, history_check_commit);
}

static int read_fan_commits(struct book_reading *r)
{
	struct history_book *b = r->book;
	char first[HISTORY_FAN_NAME + 1], last[HISTORY_FAN_NAME + 1];
	sqlite3_stmt *s = NULL;
	int step = SQLITE_DONE;
	int status = history_prepare(
		r->h,
		"SELECT id, commit_id, tree_id, committed, subject FROM commits "
		"WHERE commit_id BETWEEN ? AND ? ORDER BY commit_id",
		&s, r->err);

	snprintf(first, sizeof first, "%s0", r->fan);
	snprintf(last, sizeof last, "%sg", r->fan);
	if (!status) {
		history_bind_text(s, 1, first);
		history_bind_text(s, 2, last);
	}
	while (!status && (step = sqlite3_step(s)) == SQLITE_ROW) {
		if (cg_grow(&r->numbers, &r->numbers_cap, b->ncommits + 1, sizeof *r->numbers))
			status = cg_fail_nomem(r->err);
		else
			r->numbers[b->ncommits] = sqlite3_column_int64(s, 0);
		if (!status)
			status = take_kept_commit(r, s);
	}
	if (!status && step != SQLITE_DONE)
		status = history_fail(r->h, r->err);
	sqlite3_finalize(s);
	return status;
}

struct numbered_commit {
	struct history_commit commit;
	uint32_t number;
};

static int compare_numbered_commits(const void *left, const void *right)
{
	const struct history_commit *a = left, *b = right;
	if (a->committed != b->committed)
		return a->committed < b->committed ? -1 : 1;
	return strcmp(a->id, b->id);
}

/* Sorts commits, which are in the order of their numbers, by time. */
static int rank_commits(struct book_reading *r)
{
	struct history_book *b = r->book;
	struct numbered_commit *all = calloc(b->ncommits + 1, sizeof *all);

	r->ranks = calloc(b->ncommits + 1, sizeof *r->ranks);
	if (!all || !r->ranks) {
		free(all);
		return cg_fail_nomem(r->err);
	}
	for (size_t i = 0; i < b->ncommits; i++)
		all[i] = (struct numbered_commit){ b->commits[i], (uint32_t)i };
	qsort(all, b->ncommits, sizeof *all, compare_numbered_commits);
	for (size_t i = 0; i < b->ncommits; i++) {
		b->commits[i] = all[i].commit;
		r->ranks[all[i].number] = (uint32_t)i;
	}
	free(all);
	return CG_OK;
}

static int read_commits(struct book_reading *r)
{
	if (r->fan)
		return read_fan_commits(r);
	int status = read_table(
		r, "SELECT id, commit_id, tree_id, committed, subject FROM commits ORDER BY id",
		take_kept_commit);
	return status ? status : rank_commits(r);
}

/* ---- series ---- */

static int take_counts(struct book_reading *r, sqlite3_stmt *s, struct history_point *p)
{
	struct history_book *b = r->book;
	size_t n = b->methods[p->method].count;

	if (cg_grow(&b->counts, &b->counts_cap, b->ncounts + n, sizeof *b->counts))
		return cg_fail_nomem(r->err);
	const unsigned char *packed = sqlite3_column_blob(s, 3);
	p->counts = b->ncounts;
	b->ncounts += n;
	return packed && history_unpack(packed, (size_t)sqlite3_column_bytes(s, 3),
					b->counts + p->counts, n)
		       ? CG_OK
		       : history_fail_damaged(r->h, "counts that do not fit their metrics", r->err);
}

static int take_point(struct book_reading *r, sqlite3_stmt *s, uint32_t commit,
		      struct history_series *to, size_t *cap)
{
	int64_t method = sqlite3_column_int64(s, 1);

	if (method < 1 || (uint64_t)method > r->book->nmethods)
		return history_fail_damaged(r->h, "a row of no method", r->err);
	if (cg_grow(&to->points, cap, to->count + 1, sizeof *to->points))
		return cg_fail_nomem(r->err);
	struct history_point *p = &to->points[to->count++];
	*p = (struct history_point){ .commit = commit,
				     .method = (uint32_t)(method - 1),
				     .measured = sqlite3_column_int64(s, 2) };
	if (!history_is_time(p->measured))
		return history_fail_damaged(r->h, "a time before 1970 or after 9999", r->err);
	return take_counts(r, s, p);
}

static int compare_points(const void *left, const void *right)
{
	const struct history_point *a = left, *b = right;
	return (a->commit > b->commit) - (a->commit < b->commit);
}

/* All points that a query has, whose first column is the number of a commit. */
static int step_points(struct book_reading *r, sqlite3_stmt *s, struct history_series *to,
		       size_t *cap)
{
	int step = SQLITE_DONE, status = CG_OK;

	while (!status && (step = sqlite3_step(s)) == SQLITE_ROW) {
		int64_t commit = sqlite3_column_int64(s, 0);
		status = commit < 1 || (uint64_t)commit > r->book->ncommits
				 ? history_fail_damaged(r->h, "a row of no commit", r->err)
				 : take_point(r, s, r->ranks[commit - 1], to, cap);
	}
	if (!status && step != SQLITE_DONE)
		status = history_fail(r->h, r->err);
	sqlite3_reset(s);
	return status;
}

static int read_series_points(struct book_reading *r, sqlite3_stmt *s, int64_t id,
			      struct history_series *to)
{
	size_t cap = 0;

	sqlite3_bind_int64(s, 1, id);
	int status = step_points(r, s, to, &cap);
	if (to->count)
		qsort(to->points, to->count, sizeof *to->points, compare_points);
	for (size_t i = 1; !status && i < to->count; i++)
		if (to->points[i - 1].commit == to->points[i].commit)
			status = history_fail_damaged(r->h, "a row is there twice", r->err);
	return status;
}

/* Those of the commits of a fan, one by one. */
static int read_fan_points(struct book_reading *r, sqlite3_stmt *s, int64_t id,
			   struct history_series *to)
{
	size_t cap = 0;
	int status = CG_OK;

	sqlite3_bind_int64(s, 1, id);
	for (size_t i = 0; !status && i < r->book->ncommits; i++) {
		sqlite3_bind_int64(s, 2, r->numbers[i]);
		int step = sqlite3_step(s);
		if (step == SQLITE_ROW)
			status = take_point(r, s, (uint32_t)i, to, &cap);
		else if (step != SQLITE_DONE)
			status = history_fail(r->h, r->err);
		sqlite3_reset(s);
	}
	return status;
}

static int take_series(struct book_reading *r, sqlite3_stmt *s)
{
	struct history_book *b = r->book;
	int64_t environment = sqlite3_column_int64(s, 3);

	if (environment < 1 || (uint64_t)environment > b->nenvironments)
		return history_fail_damaged(r->h, "a series of no environment", r->err);
	if (cg_grow(&b->series, &b->series_cap, b->nseries + 1, sizeof *b->series))
		return cg_fail_nomem(r->err);
	struct history_series *to = &b->series[b->nseries++];
	*to = (struct history_series){ .environment = &b->environments[environment - 1] };
	int status = copy_column(s, 1, &to->benchmark, r->err);
	if (!status)
		status = copy_column(s, 2, &to->definition, r->err);
	const struct history_run run = { .benchmark = to->benchmark, .definition = to->definition };
	return status ? status : check_as_row(r, &run, history_check_benchmark);
}

static bool is_wanted_series(const char *name, const char *benchmark)
{
	size_t len = benchmark ? strlen(benchmark) : 0;
	return !benchmark ||
	       (strncmp(name, benchmark, len) == 0 && (!name[len] || name[len] == '/'));
}

static void free_series(struct history_series *s)
{
	free(s->benchmark);
	free(s->definition);
	free(s->points);
}

#define POINTS "SELECT commit_number, method, measured, counts FROM runs WHERE series = ?"

/* Reads the points of all series, whose ids are 1, 2, 3, …; those without are left out. */
static int read_all_points(struct book_reading *r)
{
	struct history_book *b = r->book;
	sqlite3_stmt *s = NULL;
	size_t all = b->nseries, kept = 0;
	int status = history_prepare(r->h, r->fan ? POINTS " AND commit_number = ?" : POINTS, &s,
				     r->err);

	for (size_t i = 0; i < all; i++) {
		struct history_series *to = &b->series[i];
		if (!status && is_wanted_series(to->benchmark, r->benchmark))
			status = (r->fan ? read_fan_points
					 : read_series_points)(r, s, (int64_t)i + 1, to);
		if (to->count)
			b->series[kept++] = *to;
		else
			free_series(to);
	}
	b->nseries = kept;
	sqlite3_finalize(s);
	return status;
}

static int compare_kept_series(const void *left, const void *right)
{
	const struct history_series *a = left, *b = right;
	int order = strcmp(a->benchmark, b->benchmark);
	if (!order)
		order = strcmp(a->environment->digest, b->environment->digest);
	return order ? order : strcmp(a->definition, b->definition);
}

/* ---- the whole ---- */

static int read_whole_book(struct book_reading *r)
{
	int status = read_table(r, "SELECT id, digest, facts FROM environments ORDER BY id",
				take_kept_environment);
	if (!status)
		status = read_table(r,
				    "SELECT id, irdiff, valgrind, metrics FROM methods ORDER BY id",
				    take_method);
	if (!status)
		status = read_commits(r);
	if (!status)
		status = read_table(
			r, "SELECT id, benchmark, definition, environment FROM series ORDER BY id",
			take_series);
	if (!status)
		status = read_all_points(r);
	if (!status && r->book->nseries)
		qsort(r->book->series, r->book->nseries, sizeof *r->book->series,
		      compare_kept_series);
	free(r->ranks);
	free(r->numbers);
	return status;
}

/* All at once, in the transaction that there is, or in one of its own. */
static int read_at_once(struct book_reading r, struct history_book *out)
{
	struct history_book book = { 0 };
	bool begins = r.h && sqlite3_get_autocommit(r.h->db);
	int status = begins ? history_run_sql(r.h, "BEGIN", r.err) : CG_OK;

	r.book = &book;
	if (!status && r.h)
		status = read_whole_book(&r);
	if (begins)
		status = history_end_transaction(r.h, status, r.err);
	if (status)
		history_book_free(&book);
	else
		*out = book;
	return status;
}

int history_read(struct history *h, const char *benchmark, struct history_book *out,
		 struct cg_error *err)
{
	return read_at_once((struct book_reading){ .h = h, .benchmark = benchmark, .err = err },
			    out);
}

int history_read_fan(struct history *h, unsigned fan, struct history_book *out,
		     struct cg_error *err)
{
	char name[HISTORY_FAN_NAME];

	history_fan_name(fan, name);
	return read_at_once((struct book_reading){ .h = h, .fan = name, .err = err }, out);
}

int history_method_event(const void *method, const char *name)
{
	const struct history_method *m = method;

	for (size_t i = 0; i < m->count; i++)
		if (strcmp(m->metrics[i], name) == 0)
			return (int)i;
	return -1;
}

void history_book_free(struct history_book *b)
{
	for (size_t i = 0; i < b->ncommits; i++) {
		free(b->commits[i].id);
		free(b->commits[i].tree);
		free(b->commits[i].subject);
	}
	for (size_t i = 0; i < b->nenvironments; i++) {
		free(b->environments[i].texts);
		free(b->environments[i].facts);
	}
	for (size_t i = 0; i < b->nmethods; i++) {
		free(b->methods[i].irdiff);
		free(b->methods[i].valgrind);
		free(b->methods[i].texts);
		free(b->methods[i].metrics);
	}
	for (size_t i = 0; i < b->nseries; i++)
		free_series(&b->series[i]);
	free(b->commits);
	free(b->environments);
	free(b->methods);
	free(b->series);
	free(b->counts);
	*b = (struct history_book){ 0 };
}

const int64_t *history_counts(const struct history_book *book, const struct history_point *point)
{
	return book->counts + point->counts;
}

struct history_run history_run_of(const struct history_book *book,
				  const struct history_series *series,
				  const struct history_point *point,
				  struct history_count counts[HISTORY_MOST_COUNTS])
{
	const struct history_commit *c = &book->commits[point->commit];
	const struct history_method *m = &book->methods[point->method];

	for (size_t i = 0; i < m->count; i++)
		counts[i] = (struct history_count){ m->metrics[i], history_counts(book, point)[i] };
	return (struct history_run){ .benchmark = series->benchmark,
				     .definition = series->definition,
				     .commit = c->id,
				     .tree = c->tree,
				     .committed = c->committed,
				     .subject = c->subject,
				     .environment = series->environment->facts,
				     .nenvironment = series->environment->count,
				     .irdiff = m->irdiff,
				     .valgrind = m->valgrind,
				     .measured = point->measured,
				     .counts = counts,
				     .ncounts = m->count };
}

int history_benchmarks(struct history *h, struct path_list *out, struct cg_error *err)
{
	sqlite3_stmt *s = NULL;
	int step, status = CG_OK;

	if (!h)
		return CG_OK;
	status = history_prepare(
		h,
		"SELECT DISTINCT benchmark FROM series "
		"WHERE EXISTS (SELECT 1 FROM runs WHERE runs.series = series.id) ORDER BY benchmark",
		&s, err);
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
