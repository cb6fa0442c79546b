#include "src/store/history_row.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/text.h"
#include "src/store/label.h"

#define LATEST INT64_C(253402300799) /* the last second of the year 9999 */
#define HASH_BEGIN UINT64_C(0xcbf29ce484222325)
#define OPENING "{\"schema\":\"irdiff/run\",\"version\":2,\"benchmark\":"

enum { MOST_KEY = 200, MOST_LINE = 10000 };

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
		used = cg_utf8_decode(text, len, &code);
		if (!used)
			return false;
	}
	return true;
}

static bool is_row_time(int64_t t)
{
	return t >= 0 && t <= LATEST;
}

static int refuse_row(struct cg_error *err, const char *what, const char *expected)
{
	return cg_fail(err, CG_EINVAL, NULL, 0, "invalid row: %s must be %s", what, expected);
}

static int check_environment(const struct history_run *r, struct cg_error *err)
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

static int check_counts(const struct history_run *r, struct cg_error *err)
{
	if (!r->ncounts || r->ncounts > HISTORY_MOST_COUNTS)
		return cg_fail(err, CG_EINVAL, NULL, 0, "the row has no counts, or too many");
	for (size_t i = 0; i < r->ncounts; i++) {
		const struct history_count *c = &r->counts[i];
		if (!is_line(c->metric, MOST_KEY) || !*c->metric)
			return refuse_row(err, "a metric", "a name");
		if (i && strcmp(c[-1].metric, c->metric) >= 0)
			return refuse_row(err, "the list of counts", "sorted by metric");
	}
	return CG_OK;
}

int history_run_check(const struct history_run *r, struct cg_error *err)
{
	if (!r->benchmark || label_check(r->benchmark, NULL))
		return refuse_row(err, "the benchmark", "a benchmark name");
	if (!is_hex(r->definition, HISTORY_DIGEST - 1))
		return refuse_row(err, "the definition", "16 lower-case hexadecimal digits");
	if (!is_commit_id(r->commit))
		return refuse_row(err, "the commit", "40 or 64 lower-case hexadecimal digits");
	if (r->tree && !is_commit_id(r->tree))
		return refuse_row(err, "the tree", "40 or 64 lower-case hexadecimal digits");
	if (!is_row_time(r->committed) || !is_row_time(r->measured))
		return refuse_row(err, "a time", "between the years 1970 and 9999");
	if (!is_line(r->subject, MOST_LINE))
		return refuse_row(err, "the subject", "a line of text");
	if (!is_line(r->irdiff, MOST_KEY) || !is_line(r->valgrind, MOST_KEY))
		return refuse_row(err, "a version", "a line of text");
	int status = check_environment(r, err);
	return status ? status : check_counts(r, err);
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

static void put_json_text(FILE *to, const char *text)
{
	fputc('"', to);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (c < 0x20)
			fprintf(to, "\\u%04x", c);
		else if (c == '"' || c == '\\')
			fprintf(to, "\\%c", c);
		else
			fputc(c, to);
	}
	fputc('"', to);
}

static void put_member(FILE *to, const char *key, const char *text)
{
	fprintf(to, ",\"%s\":", key);
	put_json_text(to, text);
}

static void put_row(FILE *to, const struct history_run *r)
{
	fputs(OPENING, to);
	put_json_text(to, r->benchmark);
	put_member(to, "definition", r->definition);
	put_member(to, "commit", r->commit);
	if (r->tree)
		put_member(to, "tree", r->tree);
	else
		fputs(",\"tree\":null", to);
	fprintf(to, ",\"committed\":%" PRId64, r->committed);
	put_member(to, "subject", r->subject);
	fputs(",\"environment\":{", to);
	for (size_t i = 0; i < r->nenvironment; i++) {
		fputs(i ? "," : "", to);
		put_json_text(to, r->environment[i].key);
		fputc(':', to);
		put_json_text(to, r->environment[i].value);
	}
	fputc('}', to);
	put_member(to, "irdiff", r->irdiff);
	put_member(to, "valgrind", r->valgrind);
	fprintf(to, ",\"measured\":%" PRId64 ",\"counts\":{", r->measured);
	for (size_t i = 0; i < r->ncounts; i++) {
		fputs(i ? "," : "", to);
		put_json_text(to, r->counts[i].metric);
		fprintf(to, ":%" PRId64, r->counts[i].count);
	}
	fputs("}}", to);
}

int history_row_text(const struct history_run *r, char **text, struct cg_error *err)
{
	char *bytes = NULL;
	size_t size;
	int status = history_run_check(r, err);
	if (status)
		return status;

	FILE *to = open_memstream(&bytes, &size);
	if (!to)
		return cg_fail_nomem(err);
	put_row(to, r);
	bool failed = ferror(to);
	if (fclose(to) != 0 || failed) {
		free(bytes);
		return cg_fail_nomem(err);
	}
	*text = bytes;
	return CG_OK;
}

/* ---- reading ---- */

/* The state of the reader. After the first failure nothing more is read. */
struct row_reading {
	const char *at, *end;
	int status;
};

static bool take_exactly(struct row_reading *in, const char *expected)
{
	size_t len = strlen(expected);
	if (in->status || (size_t)(in->end - in->at) < len || memcmp(in->at, expected, len) != 0)
		return false;
	in->at += len;
	return true;
}

static void expect_exactly(struct row_reading *in, const char *expected)
{
	if (!take_exactly(in, expected) && !in->status)
		in->status = CG_ESYNTAX;
}

/* Takes \", \\ or a control character as put_json_text writes it; 0: something else. */
static char take_escape(struct row_reading *in)
{
	static const char digits[] = "0123456789abcdef";
	const char *high, *low;

	if (take_exactly(in, "\""))
		return '"';
	if (take_exactly(in, "\\"))
		return '\\';
	if (!take_exactly(in, "u00") || in->end - in->at < 2)
		return 0;
	high = memchr(digits, in->at[0], 16);
	low = memchr(digits, in->at[1], 16);
	in->at += 2;
	return high && low ? (char)((high - digits) * 16 + (low - digits)) : 0;
}

static char *take_json_text(struct row_reading *in)
{
	expect_exactly(in, "\"");
	const char *close = in->status ? NULL : in->at;
	while (close && close < in->end && *close != '"')
		close += *close == '\\' ? 2 : 1;
	if (!close || close >= in->end) {
		in->status = in->status ? in->status : CG_ESYNTAX;
		return NULL;
	}
	char *text = malloc((size_t)(close - in->at) + 1), *to = text;
	if (!text) {
		in->status = CG_ENOMEM;
		return NULL;
	}
	while (!in->status && in->at < close) {
		char c = *in->at++;
		if (c == '\\')
			c = take_escape(in);
		if (!c)
			in->status = CG_ESYNTAX;
		*to++ = c;
	}
	*to = '\0';
	expect_exactly(in, "\"");
	return text;
}

static int64_t take_integer(struct row_reading *in)
{
	bool negative = take_exactly(in, "-");
	int64_t n = 0;
	const char *first = in->at;

	for (; !in->status && in->at < in->end && *in->at >= '0' && *in->at <= '9'; in->at++) {
		int digit = *in->at - '0';
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, negative ? -digit : digit, &n))
			in->status = CG_ESYNTAX;
	}
	if (in->at == first && !in->status)
		in->status = CG_ESYNTAX;
	return n;
}

static char *take_member(struct row_reading *in, const char *lead)
{
	expect_exactly(in, lead);
	return take_json_text(in);
}

static void take_row_environment(struct row_reading *in, struct history_run *r)
{
	size_t cap = 0;

	expect_exactly(in, ",\"environment\":{");
	for (bool more = !take_exactly(in, "}"); more && !in->status;
	     more = !in->status && take_exactly(in, ",")) {
		if (r->nenvironment == HISTORY_MOST_FACTS)
			in->status = CG_ESYNTAX;
		else if (cg_grow(&r->environment, &cap, r->nenvironment + 1,
				 sizeof *r->environment))
			in->status = CG_ENOMEM;
		if (in->status)
			return;
		struct history_pair *f = &r->environment[r->nenvironment++];
		f->key = take_json_text(in);
		f->value = take_member(in, ":");
	}
	if (r->nenvironment)
		expect_exactly(in, "}");
}

static void take_row_counts(struct row_reading *in, struct history_run *r)
{
	size_t cap = 0;

	expect_exactly(in, ",\"counts\":{");
	do {
		if (r->ncounts == HISTORY_MOST_COUNTS)
			in->status = CG_ESYNTAX;
		else if (cg_grow(&r->counts, &cap, r->ncounts + 1, sizeof *r->counts))
			in->status = CG_ENOMEM;
		if (in->status)
			return;
		struct history_count *c = &r->counts[r->ncounts++];
		c->metric = take_json_text(in);
		expect_exactly(in, ":");
		c->count = take_integer(in);
	} while (take_exactly(in, ","));
	expect_exactly(in, "}}");
}

static void take_history_row(struct row_reading *in, struct history_run *r)
{
	r->benchmark = take_member(in, OPENING);
	r->definition = take_member(in, ",\"definition\":");
	r->commit = take_member(in, ",\"commit\":");
	if (!take_exactly(in, ",\"tree\":null"))
		r->tree = take_member(in, ",\"tree\":");
	expect_exactly(in, ",\"committed\":");
	r->committed = take_integer(in);
	r->subject = take_member(in, ",\"subject\":");
	take_row_environment(in, r);
	r->irdiff = take_member(in, ",\"irdiff\":");
	r->valgrind = take_member(in, ",\"valgrind\":");
	expect_exactly(in, ",\"measured\":");
	r->measured = take_integer(in);
	take_row_counts(in, r);
}

/* A row must read as it would be written, so that each row has one text. */
static bool is_canonical(const struct history_run *r, const char *text, size_t len, int *status,
			 struct cg_error *why)
{
	char *again = NULL;
	*status = history_row_text(r, &again, why);
	bool same = !*status && strlen(again) == len && memcmp(again, text, len) == 0;
	free(again);
	return same;
}

int history_row_parse(const char *text, size_t len, const char *file, uint64_t line,
		      struct history_run *out, struct cg_error *err)
{
	struct history_run r = { 0 };
	struct cg_error why = { 0 };

	if (len && text[len - 1] == '\n')
		len--;
	if (len > HISTORY_MOST_TEXT)
		return cg_fail(err, CG_ESYNTAX, file, line,
			       "the line is too long for a row of a history");
	struct row_reading in = { .at = text, .end = text + len };
	take_history_row(&in, &r);
	if (!in.status && in.at != in.end)
		in.status = CG_ESYNTAX;
	if (!in.status && !is_canonical(&r, text, len, &in.status, &why) && !in.status)
		in.status = CG_ESYNTAX;
	if (!in.status) {
		*out = r;
		return CG_OK;
	}
	size_t at = (size_t)(in.at - text);
	history_run_free(&r);
	if (in.status == CG_ENOMEM)
		return cg_fail_nomem(err);
	if (in.status == CG_EINVAL)
		return cg_fail(err, CG_ESYNTAX, file, line, "%s", why.message);
	return cg_fail(err, CG_ESYNTAX, file, line,
		       "not a history row written by irdiff (from byte %zu on)", at + 1);
}
