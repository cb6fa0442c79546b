#include "src/store/history_row.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/text.h"
#include "src/store/label.h"
#include "src/store/row_json.h"

#define LATEST INT64_C(253402300799) /* the last second of the year 9999 */
#define HASH_BEGIN UINT64_C(0xcbf29ce484222325)
#define SCHEMA "{\"schema\":\"irdiff/run\",\"version\":"
#define OPENING SCHEMA "2,\"benchmark\":"

enum { ROW_VERSION = 2, MOST_KEY = 200, MOST_LINE = 10000 };

void history_run_free(struct history_run *r)
{
	for (size_t i = 0; i < r->nenvironment; i++) {
		free(r->environment[i].key);
		free(r->environment[i].value);
	}
	for (size_t i = 0; i < r->ncounts; i++)
		free(r->counts[i].metric);
	free(r->environment);
	free(r->counts);
	free(r->benchmark);
	free(r->definition);
	free(r->commit);
	free(r->tree);
	free(r->subject);
	free(r->irdiff);
	free(r->valgrind);
	*r = (struct history_run){ 0 };
}

static bool copy_into(char **to, const char *text)
{
	*to = text ? strdup(text) : NULL;
	return !text || *to;
}

int history_run_copy(const struct history_run *r, struct history_run *out, struct cg_error *err)
{
	struct history_run c = { .committed = r->committed, .measured = r->measured };
	bool fine = copy_into(&c.benchmark, r->benchmark) &&
		    copy_into(&c.definition, r->definition) && copy_into(&c.commit, r->commit) &&
		    copy_into(&c.tree, r->tree) && copy_into(&c.subject, r->subject) &&
		    copy_into(&c.irdiff, r->irdiff) && copy_into(&c.valgrind, r->valgrind);

	c.environment = calloc(r->nenvironment + 1, sizeof *c.environment);
	c.counts = calloc(r->ncounts + 1, sizeof *c.counts);
	fine = fine && c.environment && c.counts;
	for (; fine && c.nenvironment < r->nenvironment; c.nenvironment++)
		fine = copy_into(&c.environment[c.nenvironment].key,
				 r->environment[c.nenvironment].key) &&
		       copy_into(&c.environment[c.nenvironment].value,
				 r->environment[c.nenvironment].value);
	for (; fine && c.ncounts < r->ncounts; c.ncounts++) {
		c.counts[c.ncounts].count = r->counts[c.ncounts].count;
		fine = copy_into(&c.counts[c.ncounts].metric, r->counts[c.ncounts].metric);
	}
	if (!fine) {
		history_run_free(&c);
		return cg_fail_nomem(err);
	}
	*out = c;
	return CG_OK;
}

/* ---- what may be kept ---- */

static bool is_hex(const char *text, size_t len)
{
	return text && strlen(text) == len && strspn(text, "0123456789abcdef") == len;
}

static bool is_commit_id(const char *text)
{
	return is_hex(text, 40) || is_hex(text, 64);
}

/* Whether it is one line of UTF-8. A subject may contain terminal sequences, which are escaped when
 * it is shown. */
static bool is_line(const char *text, size_t most)
{
	size_t len = text ? strlen(text) : 0;
	uint32_t code;

	if (!text || len > most || memchr(text, '\n', len))
		return false;
	for (size_t used; len; text += used, len -= used) {
		used = (unsigned char)*text < 0x80 ? 1 : cg_utf8_decode(text, len, &code);
		if (!used)
			return false;
	}
	return true;
}

bool history_is_time(int64_t t)
{
	return t >= 0 && t <= LATEST;
}

static int refuse_row(struct cg_error *err, const char *what, const char *expected)
{
	return cg_fail(err, CG_EINVAL, NULL, 0, "invalid row: %s must be %s", what, expected);
}

int history_check_environment(const struct history_run *r, struct cg_error *err)
{
	if (r->nenvironment > HISTORY_MOST_FACTS)
		return refuse_row(err, "the number of facts", "smaller");
	for (size_t i = 0; i < r->nenvironment; i++) {
		const struct history_pair *f = &r->environment[i];
		if (!is_line(f->key, MOST_KEY) || !*f->key || !is_line(f->value, MOST_LINE))
			return refuse_row(err, "a fact of the environment", "a line of text");
		if (i && strcmp(f[-1].key, f->key) >= 0)
			return refuse_row(err, "the environment", "sorted by key");
	}
	return CG_OK;
}

int history_check_commit(const struct history_run *r, struct cg_error *err)
{
	if (!is_commit_id(r->commit))
		return refuse_row(err, "the commit", "40 or 64 lower-case hexadecimal digits");
	if (r->tree && !is_commit_id(r->tree))
		return refuse_row(err, "the tree", "40 or 64 lower-case hexadecimal digits");
	if (!history_is_time(r->committed))
		return refuse_row(err, "a time", "between the years 1970 and 9999");
	return is_line(r->subject, MOST_LINE) ? CG_OK
					      : refuse_row(err, "the subject", "a line of text");
}

int history_check_counts(const struct history_run *r, struct cg_error *err)
{
	if (!r->ncounts || r->ncounts > HISTORY_MOST_COUNTS)
		return cg_fail(err, CG_EINVAL, NULL, 0, "the row has no counts, or too many");
	if (!history_is_time(r->measured))
		return refuse_row(err, "a time", "between the years 1970 and 9999");
	if (!is_line(r->irdiff, MOST_KEY) || !is_line(r->valgrind, MOST_KEY))
		return refuse_row(err, "a version", "a line of text");
	for (size_t i = 0; i < r->ncounts; i++) {
		const struct history_count *c = &r->counts[i];
		if (!is_line(c->metric, MOST_KEY) || !*c->metric)
			return refuse_row(err, "a metric", "a name");
		if (i && strcmp(c[-1].metric, c->metric) >= 0)
			return refuse_row(err, "the list of counts", "sorted by metric");
	}
	return CG_OK;
}

int history_check_benchmark(const struct history_run *r, struct cg_error *err)
{
	if (!r->benchmark || label_check(r->benchmark, NULL))
		return refuse_row(err, "the benchmark", "a benchmark name");
	if (!is_hex(r->definition, HISTORY_DIGEST - 1))
		return refuse_row(err, "the definition", "16 lower-case hexadecimal digits");
	return CG_OK;
}

static int check_all_but_environment(const struct history_run *r, struct cg_error *err)
{
	int status = history_check_benchmark(r, err);
	if (!status)
		status = history_check_commit(r, err);
	return status ? status : history_check_counts(r, err);
}

int history_run_check(const struct history_run *r, struct cg_error *err)
{
	int status = check_all_but_environment(r, err);
	return status ? status : history_check_environment(r, err);
}

/* FNV-1a: good enough to distinguish texts. It protects nothing, since anyone who can write rows
 * can write any counts. */
static uint64_t hash_text(uint64_t state, const char *text)
{
	do
		state = (state ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	while (*text++);
	return state;
}

void history_digest(const char *text, char digest[HISTORY_DIGEST])
{
	snprintf(digest, HISTORY_DIGEST, "%016" PRIx64, hash_text(HASH_BEGIN, text));
}

void history_run_digest(const struct history_run *r, char digest[HISTORY_DIGEST])
{
	uint64_t state = HASH_BEGIN;

	for (size_t i = 0; i < r->nenvironment; i++)
		state = hash_text(hash_text(state, r->environment[i].key), r->environment[i].value);
	snprintf(digest, HISTORY_DIGEST, "%016" PRIx64, state);
}

const int64_t *history_run_count(const struct history_run *r, const char *metric)
{
	for (size_t i = 0; i < r->ncounts; i++)
		if (strcmp(r->counts[i].metric, metric) == 0)
			return &r->counts[i].count;
	return NULL;
}

/* ---- writing ---- */

static void put_row_environment(struct row_text *to, const struct history_run *r)
{
	row_put(to, "{");
	for (size_t i = 0; i < r->nenvironment; i++) {
		row_put_text(to, i ? "," : "", r->environment[i].key);
		row_put_text(to, ":", r->environment[i].value);
	}
	row_put(to, "}");
}

static void put_row_counts(struct row_text *to, const struct history_run *r)
{
	row_put(to, "{");
	for (size_t i = 0; i < r->ncounts; i++) {
		row_put_text(to, i ? "," : "", r->counts[i].metric);
		row_put_integer(to, ":", r->counts[i].count);
	}
	row_put(to, "}");
}

static void put_row(struct row_text *to, const struct history_run *r)
{
	row_put_text(to, OPENING, r->benchmark);
	row_put_text(to, ",\"definition\":", r->definition);
	row_put_text(to, ",\"commit\":", r->commit);
	if (r->tree)
		row_put_text(to, ",\"tree\":", r->tree);
	else
		row_put(to, ",\"tree\":null");
	row_put_integer(to, ",\"committed\":", r->committed);
	row_put_text(to, ",\"subject\":", r->subject);
	row_put(to, ",\"environment\":");
	put_row_environment(to, r);
	row_put_text(to, ",\"irdiff\":", r->irdiff);
	row_put_text(to, ",\"valgrind\":", r->valgrind);
	row_put_integer(to, ",\"measured\":", r->measured);
	row_put(to, ",\"counts\":");
	put_row_counts(to, r);
	row_put(to, "}");
}

int history_row_text(const struct history_run *r, char **text, struct cg_error *err)
{
	struct row_text to = { 0 };
	int status = history_run_check(r, err);
	if (status)
		return status;

	put_row(&to, r);
	return row_text_finish(&to, text, err);
}

/* ---- reading ---- */

static void take_facts(struct row_reading *in, struct history_reader *reader)
{
	size_t n = 0;

	row_expect(in, "{");
	for (bool more = !row_take(in, "}"); more && !in->status;
	     more = !in->status && row_take(in, ",")) {
		if (n == HISTORY_MOST_FACTS)
			in->status = CG_ESYNTAX;
		else if (cg_grow(&reader->facts, &reader->facts_cap, n + 1, sizeof *reader->facts))
			in->status = CG_ENOMEM;
		if (in->status)
			return;
		char *key = row_take_text(in, "");
		reader->facts[n++] = (struct history_pair){ key, row_take_text(in, ":") };
	}
	if (n)
		row_expect(in, "}");
	reader->nfacts = n;
}

/* Forgets an environment that is wrong, so that it is not taken for that of the next row. */
static int keep_environment(struct history_reader *reader, const char *json, size_t len,
			    struct cg_error *why)
{
	const struct history_run facts = { .environment = reader->facts,
					   .nenvironment = reader->nfacts };
	int status = history_check_environment(&facts, why);

	reader->json_len = 0;
	if (!status && cg_grow(&reader->json, &reader->json_cap, len, 1))
		status = CG_ENOMEM;
	if (status)
		return status;
	memcpy(reader->json, json, len);
	reader->json_len = len;
	return CG_OK;
}

/* Most rows have the environment of the row before them. */
static int take_row_environment(struct row_reading *in, struct history_reader *reader,
				struct cg_error *why)
{
	const char *json = in->at;
	size_t left = (size_t)(in->end - in->at);

	if (in->status || (reader->json_len && reader->json_len <= left &&
			   memcmp(json, reader->json, reader->json_len) == 0)) {
		in->at += in->status ? 0 : reader->json_len;
		return CG_OK;
	}
	reader->json_len = 0;
	if (cg_grow(&reader->fact_texts, &reader->fact_texts_cap, left, 1)) {
		in->status = CG_ENOMEM;
		return CG_OK;
	}
	char *texts = in->texts;
	in->texts = reader->fact_texts;
	take_facts(in, reader);
	in->texts = texts;
	return in->status ? CG_OK : keep_environment(reader, json, (size_t)(in->at - json), why);
}

static void take_row_counts(struct row_reading *in, struct history_reader *reader)
{
	size_t n = 0;

	row_expect(in, "{");
	do {
		if (n == HISTORY_MOST_COUNTS)
			in->status = CG_ESYNTAX;
		else if (cg_grow(&reader->counts, &reader->counts_cap, n + 1,
				 sizeof *reader->counts))
			in->status = CG_ENOMEM;
		if (in->status)
			return;
		struct history_count *c = &reader->counts[n++];
		c->metric = row_take_text(in, "");
		row_expect(in, ":");
		c->count = row_take_integer(in);
	} while (row_take(in, ","));
	row_expect(in, "}");
	reader->ncounts = n;
}

/* What is wrong although it can be read is returned. */
static int take_history_row(struct row_reading *in, struct history_reader *reader,
			    struct history_run *r, struct cg_error *why)
{
	r->benchmark = row_take_text(in, OPENING);
	r->definition = row_take_text(in, ",\"definition\":");
	r->commit = row_take_text(in, ",\"commit\":");
	if (!row_take(in, ",\"tree\":null"))
		r->tree = row_take_text(in, ",\"tree\":");
	row_expect(in, ",\"committed\":");
	r->committed = row_take_integer(in);
	r->subject = row_take_text(in, ",\"subject\":");
	row_expect(in, ",\"environment\":");
	int status = take_row_environment(in, reader, why);
	r->irdiff = row_take_text(in, ",\"irdiff\":");
	r->valgrind = row_take_text(in, ",\"valgrind\":");
	row_expect(in, ",\"measured\":");
	r->measured = row_take_integer(in);
	row_expect(in, ",\"counts\":");
	take_row_counts(in, reader);
	row_expect(in, "}");
	if (in->at != in->end && !in->status)
		in->status = CG_ESYNTAX;
	r->environment = reader->facts;
	r->nenvironment = reader->nfacts;
	r->environment_json = reader->json_len ? reader->json : NULL;
	r->environment_size = reader->json_len;
	r->counts = reader->counts;
	r->ncounts = reader->ncounts;
	return status || in->status ? status : check_all_but_environment(r, why);
}

bool history_row_is_newer(const char *text, size_t len)
{
	struct row_reading in = { .at = text, .end = text + len };

	row_expect(&in, SCHEMA);
	int64_t version = row_take_integer(&in);
	return !in.status && version > ROW_VERSION;
}

int history_row_read(struct history_reader *reader, const char *text, size_t len, const char *file,
		     uint64_t line, struct history_run *out, struct cg_error *err)
{
	struct history_run r = { 0 };
	struct cg_error why = { 0 };

	if (len && text[len - 1] == '\n')
		len--;
	if (len > HISTORY_MOST_TEXT)
		return cg_fail(err, CG_ESYNTAX, file, line,
			       "the line is too long for a row of a history");
	if (cg_grow(&reader->texts, &reader->texts_cap, len + 1, 1))
		return cg_fail_nomem(err);
	struct row_reading in = { .at = text, .end = text + len, .texts = reader->texts };
	int status = take_history_row(&in, reader, &r, &why);
	if (in.status == CG_ENOMEM || status == CG_ENOMEM)
		return cg_fail_nomem(err);
	if (in.status && history_row_is_newer(text, len))
		return cg_fail(err, CG_ESYNTAX, file, line,
			       "the row was written by a newer irdiff; use that irdiff");
	if (in.status)
		return cg_fail(err, CG_ESYNTAX, file, line,
			       "not a history row written by irdiff (from byte %zu on)",
			       (size_t)(in.at - text) + 1);
	if (status)
		return cg_fail(err, CG_ESYNTAX, file, line, "%s", why.message);
	*out = r;
	return CG_OK;
}

void history_reader_free(struct history_reader *reader)
{
	free(reader->texts);
	free(reader->fact_texts);
	free(reader->json);
	free(reader->facts);
	free(reader->counts);
	*reader = (struct history_reader){ 0 };
}
