#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/store/history.h"
#include "src/store/history_database.h"

/* ---- statements ---- */

static const char *const statement_texts[STATEMENTS] = {
	[FIND_ENVIRONMENT] = "SELECT id, facts FROM environments WHERE digest = ?",
	[ADD_ENVIRONMENT] = "INSERT INTO environments (digest, facts) VALUES (?, ?)",
	[FIND_METHOD] = "SELECT id FROM methods WHERE irdiff = ? AND valgrind = ? AND metrics = ?",
	[ADD_METHOD] = "INSERT INTO methods (irdiff, valgrind, metrics) VALUES (?, ?, ?)",
	[FIND_COMMIT] = "SELECT id, tree_id, committed, subject FROM commits WHERE commit_id = ?",
	[ADD_COMMIT] = "INSERT INTO commits (commit_id, tree_id, committed, subject) "
		       "VALUES (?1, ?2, ?3, ?4)",
	[CHANGE_COMMIT] = "UPDATE commits SET tree_id = ?2, committed = ?3, subject = ?4 "
			  "WHERE commit_id = ?1",
	[FIND_SERIES] = "SELECT id FROM series "
			"WHERE benchmark = ? AND definition = ? AND environment = ?",
	[ADD_SERIES] = "INSERT INTO series (benchmark, definition, environment) VALUES (?, ?, ?)",
	[FIND_RUN] = "SELECT measured, counts, metrics, irdiff, valgrind "
		     "FROM runs JOIN methods ON id = method "
		     "WHERE series = ?1 AND commit_number = ?2",
	[ADD_RUN] = "INSERT INTO runs (series, commit_number, method, measured, counts) "
		    "VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
	[FIND_FAN] = "SELECT changes, tree, rows, taken, given FROM shared WHERE fan = ?",
	[CHANGE_FAN] = "INSERT INTO shared (fan, changes) VALUES (?, 1) "
		       "ON CONFLICT (fan) DO UPDATE SET changes = changes + 1",
	[SET_FAN] =
		"INSERT INTO shared (fan, tree, rows, taken, given) VALUES (?1, ?2, ?3, ?4, ?5) "
		"ON CONFLICT (fan) DO UPDATE SET tree = ?2, rows = ?3, taken = ?4, given = ?5",
	[CHANGE_RUN] = "UPDATE runs SET method = ?3, measured = ?4, counts = ?5 "
		       "WHERE series = ?1 AND commit_number = ?2",
};

int history_statement(struct history *h, enum history_statement which, sqlite3_stmt **out,
		      struct cg_error *err)
{
	sqlite3_stmt **s = &h->statements[which];
	int status = *s ? CG_OK : history_prepare(h, statement_texts[which], s, err);
	if (!status)
		*out = *s;
	return status;
}

int history_step(struct history *h, sqlite3_stmt *s, struct cg_error *err)
{
	int status = sqlite3_step(s) == SQLITE_DONE ? CG_OK : history_fail(h, err);
	sqlite3_reset(s);
	return status;
}

/* Takes the id from the first column of a result; 0 without a result. */
static int step_to_id(struct history *h, sqlite3_stmt *s, int64_t *id, struct cg_error *err)
{
	int step = sqlite3_step(s);
	if (step != SQLITE_ROW && step != SQLITE_DONE)
		return history_fail(h, err);
	*id = step == SQLITE_ROW ? sqlite3_column_int64(s, 0) : 0;
	return CG_OK;
}

/* ---- what rows refer to ---- */

/* Whether the key was found before. */
static bool is_known(struct history *h, enum history_table table, int64_t *id)
{
	const struct history_known *k = &h->known[table];
	cg_str text = k->cap ? cg_strings_find(&k->texts, h->key.bytes, h->key.size) : 0;
	if (text)
		*id = k->ids[text];
	return text;
}

/* To know it is not needed: without memory, it is looked for again. */
static void set_known(struct history *h, enum history_table table, int64_t id)
{
	struct history_known *k = &h->known[table];
	cg_str text;

	if (!k->cap && cg_strings_init(&k->texts))
		return;
	if (!cg_grow(&k->ids, &k->cap, k->texts.count + 1, sizeof *k->ids) &&
	    !cg_strings_add(&k->texts, h->key.bytes, h->key.size, &text) && text)
		k->ids[text] = id;
}

/* After a transaction was rolled back, what was added is no more. */
static void forget_known(struct history *h)
{
	for (size_t i = 0; i < REFERRED_TABLES; i++) {
		cg_strings_free(&h->known[i].texts);
		free(h->known[i].ids);
		h->known[i] = (struct history_known){ 0 };
	}
	h->last_environment.json.size = 0;
	memset(h->changed, 0, sizeof h->changed);
}

void history_end_writing(struct history *h)
{
	for (size_t i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(h->statements[i]);
	forget_known(h);
	free(h->key.bytes);
	free(h->last_environment.json.bytes);
}

static void begin_key(struct history *h)
{
	h->key.size = 0;
	h->key.failed = false;
}

/* A text that lacks makes a key that is not known, so that the row is checked. */
static void put_key_line(struct history *h, const char *text)
{
	row_put(&h->key, text ? text : "");
	row_put_bytes(&h->key, "\n", 1);
}

static int end_key(struct history *h, struct cg_error *err)
{
	row_put_bytes(&h->key, "", 1);
	h->key.size -= !h->key.failed;
	return h->key.failed ? cg_fail_nomem(err) : CG_OK;
}

/* Finds the row of a table that has these texts and, if it is not 0, this number, or adds it. */
static int find_or_add(struct history *h, enum history_statement find, enum history_statement add,
		       const char *const *texts, int count, int64_t number, int64_t *id,
		       struct cg_error *err)
{
	sqlite3_stmt *s = NULL;
	int status = CG_OK;

	*id = 0;
	for (int trying = 0; !status && !*id && trying < 2; trying++) {
		status = history_statement(h, trying ? add : find, &s, err);
		for (int i = 0; !status && i < count; i++)
			history_bind_text(s, i + 1, texts[i]);
		if (!status && number)
			sqlite3_bind_int64(s, count + 1, number);
		if (!status)
			status = trying ? history_step(h, s, err) : step_to_id(h, s, id, err);
		sqlite3_reset(s);
		if (!status && trying)
			*id = sqlite3_last_insert_rowid(h->db);
	}
	return status;
}

/* Two environments of one digest would be one series. */
static int check_facts(struct history *h, int64_t id, struct cg_error *err)
{
	sqlite3_stmt *s = h->statements[FIND_ENVIRONMENT];
	int64_t again;
	int status = step_to_id(h, s, &again, err);
	const char *facts = status || again != id ? NULL : (const char *)sqlite3_column_text(s, 1);
	bool same = facts && strcmp(facts, h->key.bytes) == 0;

	sqlite3_reset(s);
	return status || same
		       ? status
		       : cg_fail(err, CG_EINVAL, NULL, 0,
				 "invalid row: its environment has the digest of another one");
}

/* Quicker than to make a key: most rows have that of the row before them. */
static bool is_last_environment(const struct history *h, const struct history_run *r)
{
	const struct row_text *last = &h->last_environment.json;

	return r->environment_json && last->size == r->environment_size &&
	       memcmp(last->bytes, r->environment_json, last->size) == 0;
}

static void set_last_environment(struct history *h, const struct history_run *r, int64_t id)
{
	struct row_text *last = &h->last_environment.json;

	last->size = 0;
	last->failed = false;
	h->last_environment.id = id;
	if (r->environment_json)
		row_put_bytes(last, r->environment_json, r->environment_size);
}

/* Of a row whose environment is another one than the last. */
static int find_other_environment(struct history *h, const struct history_run *r, int64_t *id,
				  struct cg_error *err)
{
	char digest[HISTORY_DIGEST];
	int status = history_check_environment(r, err);

	if (status)
		return status;
	begin_key(h);
	for (size_t i = 0; i < r->nenvironment; i++) {
		put_key_line(h, r->environment[i].key);
		put_key_line(h, r->environment[i].value);
	}
	status = end_key(h, err);
	if (status || is_known(h, ENVIRONMENTS, id))
		return status;
	history_run_digest(r, digest);
	status = find_or_add(h, FIND_ENVIRONMENT, ADD_ENVIRONMENT,
			     (const char *const[]){ digest, h->key.bytes }, 2, 0, id, err);
	if (!status)
		status = check_facts(h, *id, err);
	if (!status)
		set_known(h, ENVIRONMENTS, *id);
	return status;
}

static int find_environment(struct history *h, const struct history_run *r, int64_t *id,
			    struct cg_error *err)
{
	*id = h->last_environment.id;
	if (is_last_environment(h, r))
		return CG_OK;
	int status = find_other_environment(h, r, id, err);
	if (!status)
		set_last_environment(h, r, *id);
	return status;
}

static int find_method(struct history *h, const struct history_run *r, int64_t *id,
		       struct cg_error *err)
{
	begin_key(h);
	put_key_line(h, r->irdiff);
	put_key_line(h, r->valgrind);
	size_t metrics = h->key.size;
	for (size_t i = 0; i < r->ncounts; i++)
		put_key_line(h, r->counts[i].metric);
	int status = end_key(h, err);
	if (status || is_known(h, METHODS, id))
		return status;
	status = history_check_counts(r, err);
	if (!status)
		status = find_or_add(
			h, FIND_METHOD, ADD_METHOD,
			(const char *const[]){ r->irdiff, r->valgrind, h->key.bytes + metrics }, 3,
			0, id, err);
	if (!status)
		set_known(h, METHODS, *id);
	return status;
}

static int find_series(struct history *h, const struct history_run *r, int64_t environment,
		       int64_t *id, struct cg_error *err)
{
	begin_key(h);
	put_key_line(h, r->benchmark);
	put_key_line(h, r->definition);
	row_put_integer(&h->key, "", environment);
	int status = end_key(h, err);
	if (status || is_known(h, SERIES, id))
		return status;
	status = history_check_benchmark(r, err);
	if (!status)
		status = find_or_add(h, FIND_SERIES, ADD_SERIES,
				     (const char *const[]){ r->benchmark, r->definition }, 2,
				     environment, id, err);
	if (!status)
		set_known(h, SERIES, *id);
	return status;
}

/* Git determines what a commit is; where rows differ nevertheless, that with a tree is right, or
 * the greater one: on each machine, in whatever order rows come. */
static bool is_better(const struct history_run *r, sqlite3_stmt *s)
{
	const char *tree = (const char *)sqlite3_column_text(s, 1);
	int64_t committed = sqlite3_column_int64(s, 2);
	const char *subject = (const char *)sqlite3_column_text(s, 3);
	int order = strcmp(r->tree ? r->tree : "", tree ? tree : "");

	if (!order)
		order = (r->committed > committed) - (r->committed < committed);
	return (order ? order : strcmp(r->subject, subject ? subject : "")) > 0;
}

static int write_commit(struct history *h, enum history_statement how, const struct history_run *r,
			struct cg_error *err)
{
	sqlite3_stmt *s = NULL;
	int status = history_statement(h, how, &s, err);
	if (status)
		return status;
	h->changed[history_fan_of(r->commit)] = true;
	history_bind_text(s, 1, r->commit);
	history_bind_text(s, 2, r->tree);
	sqlite3_bind_int64(s, 3, r->committed);
	history_bind_text(s, 4, r->subject);
	return history_step(h, s, err);
}

static int find_commit(struct history *h, const struct history_run *r, int64_t *id,
		       struct cg_error *err)
{
	sqlite3_stmt *s = NULL;

	begin_key(h);
	put_key_line(h, r->commit);
	put_key_line(h, r->tree);
	put_key_line(h, r->subject);
	row_put_integer(&h->key, "", r->committed);
	int status = end_key(h, err);
	if (status || is_known(h, COMMITS, id))
		return status;
	status = history_check_commit(r, err);
	if (!status)
		status = history_statement(h, FIND_COMMIT, &s, err);
	if (status)
		return status;
	history_bind_text(s, 1, r->commit);
	status = step_to_id(h, s, id, err);
	bool changes = !status && *id && is_better(r, s);
	sqlite3_reset(s);
	if (!status && (changes || !*id))
		status = write_commit(h, changes ? CHANGE_COMMIT : ADD_COMMIT, r, err);
	if (!status && !*id)
		*id = sqlite3_last_insert_rowid(h->db);
	if (!status)
		set_known(h, COMMITS, *id);
	return status;
}

/* ---- rows ---- */

struct run_key {
	int64_t series, commit;
};

static int write_run(struct history *h, enum history_statement how, struct run_key key,
		     int64_t method, const struct history_run *r, struct cg_error *err)
{
	unsigned char packed[HISTORY_PACKED_SIZE(HISTORY_MOST_COUNTS)];
	size_t size = history_pack(r->counts, r->ncounts, packed);
	sqlite3_stmt *s = NULL;
	int status = history_statement(h, how, &s, err);
	if (status)
		return status;
	sqlite3_bind_int64(s, 1, key.series);
	sqlite3_bind_int64(s, 2, key.commit);
	sqlite3_bind_int64(s, 3, method);
	sqlite3_bind_int64(s, 4, r->measured);
	sqlite3_bind_blob(s, 5, packed, (int)size, SQLITE_STATIC);
	status = history_step(h, s, err);
	if (!status && sqlite3_changes(h->db))
		h->changed[history_fan_of(r->commit)] = true;
	return status;
}

static int note_difference(const char *metric, int64_t before, int64_t now,
			   struct history_added *added, struct cg_error *err)
{
	bool first = !added->metric;

	if (!first && strcmp(metric, "Ir") != 0)
		return CG_OK;
	free(added->metric);
	added->metric = strdup(metric);
	added->before = before;
	added->now = now;
	return added->metric ? CG_OK : cg_fail_nomem(err);
}

/* The row that is there, which has the key of one that is added; all that is the same in both is
 * taken from that. */
struct existing_run {
	struct history_run row; /* its texts are the statement's, or in `metrics` */
	struct history_count counts[HISTORY_MOST_COUNTS];
	char *metrics;
};

/* Each metric of the method is a line. */
static int split_kept_metrics(struct history *h, struct existing_run *kept, struct cg_error *err)
{
	char *at = kept->metrics, *end;

	for (; (end = strchr(at, '\n')) && kept->row.ncounts < HISTORY_MOST_COUNTS; at = end + 1) {
		*end = '\0';
		kept->counts[kept->row.ncounts++].metric = at;
	}
	return *at ? history_fail_damaged(h, "metrics that are not lines", err) : CG_OK;
}

static int take_kept_counts(struct history *h, sqlite3_stmt *s, struct existing_run *kept,
			    struct cg_error *err)
{
	const char *metrics = (const char *)sqlite3_column_text(s, 2);
	const void *packed = sqlite3_column_blob(s, 1);
	int64_t counts[HISTORY_MOST_COUNTS];
	struct history_run *row = &kept->row;

	if (!metrics || !packed || !row->irdiff || !row->valgrind)
		return history_fail_damaged(h, "a row without metrics", err);
	kept->metrics = strdup(metrics);
	if (!kept->metrics)
		return cg_fail_nomem(err);
	int status = split_kept_metrics(h, kept, err);
	if (!status &&
	    !history_unpack(packed, (size_t)sqlite3_column_bytes(s, 1), counts, row->ncounts))
		status = history_fail_damaged(h, "counts that do not fit their metrics", err);
	for (size_t i = 0; !status && i < row->ncounts; i++)
		kept->counts[i].count = counts[i];
	return status;
}

static int note_differences(const struct existing_run *kept, const struct history_run *r,
			    struct history_added *added, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < kept->row.ncounts; i++) {
		const struct history_count *before = &kept->counts[i];
		const int64_t *now = history_run_count(r, before->metric);
		if (now && *now != before->count)
			status = note_difference(before->metric, before->count, *now, added, err);
	}
	return status;
}

/* Of two rows of one second, the same one stays in whatever order they come, and wherever rows are
 * shared: that whose text is greater. */
static int is_run_replaced(struct history *h, const struct history_run *kept,
			   const struct history_run *r, bool *is, struct cg_error *err)
{
	char *before = NULL, *now = NULL;
	int status = CG_OK;

	*is = kept->measured < r->measured;
	if (kept->measured == r->measured) {
		status = history_row_text(r, &now, err);
		if (!status && history_row_text(kept, &before, err))
			status = history_fail_damaged(h, "a row that may not be kept", err);
		*is = !status && strcmp(before, now) < 0;
	}
	free(before);
	free(now);
	return status;
}

/* Replaces a row that is there, unless that was measured later. */
static int replace_run(struct history *h, struct run_key key, int64_t method,
		       const struct history_run *r, struct history_added *added,
		       struct cg_error *err)
{
	struct existing_run kept = { .row = *r };
	sqlite3_stmt *s = NULL;
	bool is = false;
	int status = history_statement(h, FIND_RUN, &s, err);
	if (status)
		return status;
	sqlite3_bind_int64(s, 1, key.series);
	sqlite3_bind_int64(s, 2, key.commit);
	status = step_to_id(h, s, &kept.row.measured, err);
	kept.row.irdiff = (char *)sqlite3_column_text(s, 3);
	kept.row.valgrind = (char *)sqlite3_column_text(s, 4);
	kept.row.counts = kept.counts;
	kept.row.ncounts = 0;
	added->known = true;
	added->measured = kept.row.measured;
	if (!status)
		status = take_kept_counts(h, s, &kept, err);
	if (!status)
		status = note_differences(&kept, r, added, err);
	if (!status)
		status = is_run_replaced(h, &kept.row, r, &is, err);
	sqlite3_reset(s);
	free(kept.metrics);
	return status || !is ? status : write_run(h, CHANGE_RUN, key, method, r, err);
}

int history_put(struct history *h, const struct history_run *r, struct history_added *added,
		struct cg_error *err)
{
	struct history_added found = { 0 };
	struct run_key key;
	int64_t environment, method;
	int status = find_environment(h, r, &environment, err);

	if (!status)
		status = find_series(h, r, environment, &key.series, err);
	if (!status)
		status = find_commit(h, r, &key.commit, err);
	if (!status)
		status = find_method(h, r, &method, err);
	if (!status && !history_is_time(r->measured))
		status = history_check_counts(r, err);
	if (!status)
		status = write_run(h, ADD_RUN, key, method, r, err);
	if (!status && !sqlite3_changes(h->db))
		status = replace_run(h, key, method, r, &found, err);
	if (status || !added)
		free(found.metric);
	else
		*added = found;
	return status;
}

int history_begin(struct history *h, struct cg_error *err)
{
	return history_run_sql(h, "BEGIN IMMEDIATE", err);
}

int history_end(struct history *h, int status, struct cg_error *err)
{
	if (!status)
		status = history_count_changes(h, err);
	status = history_end_transaction(h, status, err);
	if (status)
		forget_known(h);
	return status;
}

int history_add(struct history *h, const struct history_run *run, struct history_added *added,
		struct cg_error *err)
{
	struct history_added found = { 0 };
	int status = history_begin(h, err);

	if (status)
		return status;
	status = history_end(h, history_put(h, run, &found, err), err);
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
	int status = history_begin(h, err);

	if (status)
		return status;
	for (size_t i = 0; !status && i < count; i++) {
		struct history_added added = { 0 };
		status = history_put(h, &runs[i], &added, err);
		differing += added.metric != NULL;
		free(added.metric);
	}
	status = history_end(h, status, err);
	if (!status)
		*changed = differing;
	return status;
}

/* ---- ask ---- */

static int ask_whether(struct history *h, const char *sql, const struct history_run *r,
		       const char *digest, bool *is, struct cg_error *err)
{
	sqlite3_stmt *s = NULL;
	int status = history_prepare(h, sql, &s, err);
	if (status)
		return status;
	history_bind_text(s, 1, r->benchmark);
	history_bind_text(s, 2, r->commit);
	history_bind_text(s, 3, r->definition);
	if (digest)
		history_bind_text(s, 4, digest);
	else
		sqlite3_bind_int64(s, 4, r->measured);
	int step = sqlite3_step(s);
	if (step == SQLITE_ROW || step == SQLITE_DONE)
		*is = step == SQLITE_ROW;
	else
		status = history_fail(h, err);
	sqlite3_finalize(s);
	return status;
}

#define FROM_RUNS_OF \
	"SELECT 1 FROM runs JOIN series ON series.id = series JOIN commits ON commits.id = commit_number " \
	"JOIN environments ON environments.id = environment " \
	"WHERE benchmark = ? AND commit_id = ? AND definition = ? AND "

int history_has(struct history *h, const struct history_run *run, bool *has, struct cg_error *err)
{
	char digest[HISTORY_DIGEST];

	history_run_digest(run, digest);
	return ask_whether(h, FROM_RUNS_OF "digest = ?", run, digest, has, err);
}

int history_has_measured(struct history *h, const struct history_run *run, bool *has,
			 struct cg_error *err)
{
	return ask_whether(h, FROM_RUNS_OF "measured = ?", run, NULL, has, err);
}
