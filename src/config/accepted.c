#include "src/config/accepted.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/config/file.h"
#include "src/config/read.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* An entry, and whether it has those keys whose presence no value shows. */
struct acceptance_draft {
	struct acceptance a;
	bool has_head;
};

/* ---- values ---- */

static int read_count(struct config_reader *r, const struct doc_entry *entry, int64_t *out)
{
	const char *text = entry->value->text;
	char *end = NULL;

	if (entry->value->kind != DOC_SCALAR || !*text ||
	    strspn(text, "-0123456789") != strlen(text))
		return read_mismatch(r, entry, "a whole number");
	errno = 0;
	long long n = strtoll(text, &end, 10);
	if (errno || end == text || *end)
		return read_mismatch(r, entry, "a 64-bit whole number");
	*out = n;
	return CG_OK;
}

static int read_accepted_benchmark(struct config_reader *r, const struct doc_entry *entry,
				   void *target)
{
	return read_line(r, entry, "the name of a benchmark",
			 &((struct acceptance_draft *)target)->a.benchmark);
}

static int read_accepted_metric(struct config_reader *r, const struct doc_entry *entry,
				void *target)
{
	return read_line(r, entry, "a metric such as Ir or incl.Ir",
			 &((struct acceptance_draft *)target)->a.metric);
}

static int read_accepted_function(struct config_reader *r, const struct doc_entry *entry,
				  void *target)
{
	return read_line(r, entry, "the name of a function",
			 &((struct acceptance_draft *)target)->a.function);
}

static int read_limit(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_line(r, entry, "a limit such as \"+1%\"",
			 &((struct acceptance_draft *)target)->a.limit);
}

static int read_accepted_base(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	((struct acceptance_draft *)target)->a.has_base = true;
	return read_count(r, entry, &((struct acceptance_draft *)target)->a.base);
}

static int read_head(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	((struct acceptance_draft *)target)->has_head = true;
	return read_count(r, entry, &((struct acceptance_draft *)target)->a.head);
}

static int read_accepted_tolerance(struct config_reader *r, const struct doc_entry *entry,
				   void *target)
{
	int64_t events;
	int rc = read_count(r, entry, &events);

	if (rc == CG_OK && events < 0)
		rc = read_mismatch(r, entry, "a number of events, 0 or more");
	if (rc == CG_OK)
		((struct acceptance_draft *)target)->a.tolerance = (uint64_t)events;
	return rc;
}

static int read_why(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	static const char expected[] = "a reason, on one line";
	const char *text;
	int rc = read_line(r, entry, expected, &text);

	if (rc == CG_OK && !text[strspn(text, " ")])
		rc = read_mismatch(r, entry, expected);
	if (rc == CG_OK)
		((struct acceptance_draft *)target)->a.why = text;
	return rc;
}

static int read_date(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	static const char expected[] = "a date such as 2026-11-21", shape[] = "dddd-dd-dd";
	const char *text;
	int rc = read_line(r, entry, expected, &text);

	if (rc != CG_OK)
		return rc;
	bool fits = strlen(text) == strlen(shape);
	for (size_t i = 0; fits && shape[i]; i++)
		fits = shape[i] == 'd' ? text[i] >= '0' && text[i] <= '9' : text[i] == shape[i];
	((struct acceptance_draft *)target)->a.date = text;
	return fits ? CG_OK : read_mismatch(r, entry, expected);
}

static int read_who(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_line(r, entry, "a name", &((struct acceptance_draft *)target)->a.who);
}

static const struct field entry_fields[] = {
	{ "benchmark", read_accepted_benchmark },
	{ "metric", read_accepted_metric },
	{ "function", read_accepted_function },
	{ "limit", read_limit },
	{ "base", read_accepted_base },
	{ "head", read_head },
	{ "tolerance", read_accepted_tolerance },
	{ "why", read_why },
	{ "date", read_date },
	{ "who", read_who },
};

/* ---- entries ---- */

static const char *missing_acceptance_key(const struct acceptance_draft *e)
{
	return !e->a.benchmark ? "benchmark"
	       : !e->a.metric  ? "metric"
	       : !e->has_head  ? "head"
	       : !e->a.why     ? "why"
	       : !e->a.date    ? "date"
			       : NULL;
}

static int read_acceptance(struct config_reader *r, const struct doc_entry *entry,
			   struct acceptance *out)
{
	struct acceptance_draft e = { .a.line = entry->line };
	int rc = read_expect(r, entry, DOC_MAP, "an accepted regression: a map");

	if (rc == CG_OK)
		rc = read_fields(r, entry->value, "an accepted regression", entry_fields,
				 COUNT(entry_fields), &e);
	if (rc != CG_OK)
		return rc;
	const char *missing = missing_acceptance_key(&e);
	if (missing)
		return READ_FAIL(r, entry->line, "missing key '%s'", missing);
	*out = e.a;
	return CG_OK;
}

bool acceptance_same_subject(const struct acceptance *a, const struct acceptance *b)
{
	return strcmp(a->benchmark, b->benchmark) == 0 && strcmp(a->metric, b->metric) == 0 &&
	       (a->function && b->function ? strcmp(a->function, b->function) == 0
					   : !a->function && !b->function);
}

static int check_accepted_once(struct config_reader *r, const struct accepted *list,
			       const struct acceptance *a)
{
	for (const struct acceptance *other = list->items; other < a; other++)
		if (acceptance_same_subject(other, a) && other->head == a->head &&
		    other->has_base == a->has_base && other->base == a->base)
			return READ_FAIL(r, a->line, "duplicate of the entry in line %llu",
					 (unsigned long long)other->line);
	return CG_OK;
}

static int read_list(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct accepted *list = target;
	const struct doc_node *value = entry->value;

	if (doc_is_null(value) || (value->kind == DOC_LIST && !value->first))
		return CG_OK;
	int rc = read_expect(r, entry, DOC_LIST, "a list of accepted regressions");
	if (rc != CG_OK)
		return rc;
	list->items = config_pool_alloc(r->pool, value->count, sizeof *list->items);
	if (!list->items)
		return cg_fail_nomem(r->err);
	for (const struct doc_entry *e = value->first; rc == CG_OK && e; e = e->next) {
		rc = read_acceptance(r, e, &list->items[list->count]);
		if (rc == CG_OK)
			rc = check_accepted_once(r, list, &list->items[list->count++]);
	}
	return rc;
}

/* ---- files ---- */

static int read_accepted_file(struct config_reader *r, const char *text, size_t len,
			      struct accepted *list)
{
	static const struct field fields[] = { { "accepted", read_list } };
	const struct doc_node *root = NULL;

	if (len > ACCEPTED_BYTES_MAX)
		return cg_fail(r->err, CG_ERANGE, r->path, 0, "the file is larger than %d bytes",
			       ACCEPTED_BYTES_MAX);
	int rc = document_parse(text, len, r->path, r->pool, &root, r->err);
	if (rc != CG_OK || !root)
		return rc;
	if (root->kind != DOC_MAP)
		return READ_FAIL(r, root->line, "expected 'accepted:' and a list");
	return read_fields(r, root, "the file", fields, COUNT(fields), list);
}

int accepted_parse(const char *text, size_t len, const char *path, struct accepted *out,
		   struct cg_error *err)
{
	struct accepted list = { .pool = config_pool_new() };
	struct cg_error error = { 0 };
	struct config_reader r = { .pool = list.pool, .err = &error };

	if (!list.pool)
		return cg_fail_nomem(err);
	r.path = config_pool_text(list.pool, path, strlen(path));
	int rc = r.path ? read_accepted_file(&r, text, len, &list) : cg_fail_nomem(&error);
	if (rc != CG_OK) {
		accepted_free(&list);
		if (err)
			*err = error;
		return rc;
	}
	*out = list;
	return CG_OK;
}

int accepted_load(const char *path, struct accepted *out, struct cg_error *err)
{
	char *text;
	size_t len;

	if (access(path, F_OK) != 0 && errno == ENOENT) {
		*out = (struct accepted){ 0 };
		return CG_OK;
	}
	int rc = config_file_read(path, ACCEPTED_BYTES_MAX, &text, &len, err);
	if (rc != CG_OK)
		return rc;
	rc = accepted_parse(text, len, path, out, err);
	free(text);
	return rc;
}

void accepted_free(struct accepted *a)
{
	config_pool_free(a->pool);
	*a = (struct accepted){ 0 };
}
