/* Limits in irdiff.yml; their grammar is in src/diff/limit.h. */
#include <string.h>

#include "callgrind/support/text.h"
#include "src/config/read.h"
#include "src/text/suggest.h"

struct limits_reader {
	struct limit limit; /* what is known so far of the limits below */
	struct limit_set *set;
};

static int append_limit(struct config_reader *r, const struct doc_entry *entry,
			const struct limits_reader *to, enum limit_kind kind, uint64_t value,
			const char *text)
{
	struct limit limit = to->limit;
	int rc;

	limit.kind = kind;
	limit.value = value;
	limit.text = text;
	limit.file = r->path;
	limit.line = entry->line;
	rc = limit_set_add(to->set, &limit, r->err);
	return rc == CG_OK ? rc : read_place(r, entry, rc);
}

/* ---- the map form ---- */

static int amount(struct config_reader *r, const struct doc_entry *entry,
		  const struct limits_reader *to, enum limit_kind kind, const char *expected)
{
	const char *text;
	uint64_t value;
	int rc = read_text(r, entry, expected, &text);

	if (rc != CG_OK)
		return rc;
	rc = limit_parse_amount(text, kind, &value, r->err);
	if (rc != CG_OK)
		return read_place(r, entry, rc);

	/* Reports show every limit in its short form, which has a `+`. */
	if (kind != LIMIT_CEILING && *text != '+') {
		size_t len = strlen(text);
		char *signed_text = config_pool_alloc(r->pool, len + 2, 1);

		if (!signed_text)
			return cg_fail_nomem(r->err);
		signed_text[0] = '+';
		memcpy(signed_text + 1, text, len);
		text = signed_text;
	}
	return append_limit(r, entry, to, kind, value, text);
}

static int read_max_growth(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return amount(r, entry, target, LIMIT_GROWTH, "a percentage such as 2%");
}

static int read_max_increase(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return amount(r, entry, target, LIMIT_INCREASE, "a number such as 500 or 1.5k");
}

static int read_ceiling(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return amount(r, entry, target, LIMIT_CEILING, "a number such as 1.2M");
}

static int read_equal(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	bool equal;
	int rc = read_bool(r, entry, &equal);

	if (rc != CG_OK)
		return rc;
	if (!equal)
		return READ_FAIL(r, entry->line, "'equal: false' sets no limit; remove the line");
	return append_limit(r, entry, target, LIMIT_EQUAL, 0, "=");
}

static const struct field limit_fields[] = {
	{ "max_growth", read_max_growth },
	{ "max_increase", read_max_increase },
	{ "ceiling", read_ceiling },
	{ "equal", read_equal },
};

#define LIMIT_FIELDS (sizeof limit_fields / sizeof *limit_fields)

/* ---- METRIC: VALUE ---- */

/* Whether YAML reads it as a number, and a sign in front is lost. */
static bool is_bare_number(const struct doc_node *node)
{
	const char *text = node->text;

	return node->plain && text[strspn(text, "+-0123456789_.")] == '\0' &&
	       strpbrk(text, "0123456789");
}

static int limit_text(struct config_reader *r, const struct doc_entry *entry,
		      const struct limits_reader *to)
{
	const struct doc_node *node = entry->value;
	enum limit_kind kind;
	uint64_t value;

	if (is_bare_number(node) && *node->text != '-') {
		char number[CG_QUOTE_SIZE], name[CG_QUOTE_SIZE];
		return READ_FAIL(
			r, entry->line,
			"%s: put %s in quotes, as in \"+500\": without quotes YAML reads +500 as 500, which turns "
			"a growth limit into a ceiling",
			cg_quote(name, entry->key, strlen(entry->key)),
			cg_quote(number, node->text, strlen(node->text)));
	}
	int rc = limit_parse_value(node->text, &kind, &value, r->err);
	if (rc != CG_OK)
		return read_place(r, entry, rc);
	return append_limit(r, entry, to, kind, value, node->text);
}

/* Refuses keys of the map form in place of metrics: a level is missing. */
static int refuse_misplaced(struct config_reader *r, const struct doc_entry *entry)
{
	for (size_t i = 0; i < LIMIT_FIELDS; i++)
		if (strcmp(entry->key, limit_fields[i].key) == 0)
			return READ_FAIL(r, entry->line,
					 "'%s' belongs to a metric: write Ir: {%s: …}", entry->key,
					 entry->key);
	return CG_OK;
}

/* Refuses metrics below another key: the name of a case was meant. */
static int refuse_case(struct config_reader *r, const struct doc_entry *entry)
{
	const struct doc_entry *first = entry->value->first;

	if (!first || !(first->key[0] >= 'A' && first->key[0] <= 'Z'))
		return CG_OK;
	return READ_FAIL(
		r, entry->line,
		"'%s' is not a metric, but has limits on metrics; name a case as \"case:%s\"",
		entry->key, entry->key);
}

static int read_limit_metric(struct config_reader *r, const struct doc_entry *entry,
			     const struct limits_reader *outer)
{
	static const char expected[] = "a limit: \"+2%\", \"+500\", 1.2M, \"=\", or a map such as "
				       "{max_growth: 2%}";
	struct limits_reader to = *outer;
	int rc = refuse_misplaced(r, entry);

	if (rc != CG_OK)
		return rc;
	rc = limit_parse_metric(entry->key, &to.limit.metric, &to.limit.inclusive, r->err);
	if (rc != CG_OK)
		return read_place(r, entry, rc);
	if (entry->value->kind == DOC_SCALAR && !doc_is_null(entry->value))
		return limit_text(r, entry, &to);
	rc = read_expect(r, entry, DOC_MAP, expected);
	if (rc == CG_OK)
		rc = refuse_case(r, entry);
	if (rc != CG_OK)
		return rc;
	return read_fields(r, entry->value, "a limit", limit_fields, LIMIT_FIELDS, &to);
}

/* ---- scopes ---- */

static const char limits_expected[] = "a map of metrics and limits, such as {Ir: \"+1%\"}";

static int read_function_limits(struct config_reader *r, const struct doc_entry *entry,
				const struct limits_reader *to)
{
	int rc = read_expect(r, entry, DOC_MAP, limits_expected);

	for (const struct doc_entry *e = entry->value->first; rc == CG_OK && e; e = e->next)
		rc = read_limit_metric(r, e, to);
	return rc;
}

/* Refuses "modul:REGEX": no metric has a colon. Other keys are checked as metrics. */
static int refuse_unknown_scope(struct config_reader *r, const struct doc_entry *entry)
{
	static const char *const known[] = { "fn", "mod", "namespace", "case" };
	const size_t len = strcspn(entry->key, ":");
	char word[32]; /* longer ones are like none */

	if (entry->key[len] != ':' || len >= sizeof word)
		return CG_OK;
	memcpy(word, entry->key, len);
	word[len] = '\0';
	const char *meant = suggest(word, known, sizeof known / sizeof *known);
	if (!meant || strcmp(meant, word) == 0)
		return CG_OK;
	return READ_FAIL(r, entry->line, "unknown key '%s:' in `limits`; did you mean '%s:'?", word,
			 meant);
}

/* Reads a metric of the benchmark, or a scope. */
static int read_scope(struct config_reader *r, const struct doc_entry *entry,
		      const struct limits_reader *outer)
{
	struct limits_reader to = *outer;
	int rc = refuse_unknown_scope(r, entry);

	if (rc != CG_OK)
		return rc;
	rc = limit_parse_scope(entry->key, &to.limit, r->err);
	if (rc != CG_OK)
		return read_place(r, entry, rc);
	return to.limit.function ? read_function_limits(r, entry, &to)
				 : read_limit_metric(r, entry, &to);
}

/* A pattern of cases may contain the same keys as `limits`, except further patterns. */
static int read_case_limits(struct config_reader *r, const struct doc_entry *entry,
			    struct limits_reader *to)
{
	struct limit none;

	if (to->limit.level != LIMIT_BENCHMARK)
		return READ_FAIL(r, entry->line,
				 "put limits of cases in the `limits` of their benchmark");
	int rc = read_expect(r, entry, DOC_MAP, limits_expected);
	for (const struct doc_entry *e = entry->value->first; rc == CG_OK && e; e = e->next) {
		rc = limit_parse_case(e->key, &none, r->err);
		if (rc == CG_OK && none.of_case)
			rc = READ_FAIL(r, e->line, "limits of cases cannot be nested");
		if (rc == CG_OK)
			rc = read_scope(r, e, to);
	}
	return rc;
}

int read_limits(struct config_reader *r, const struct doc_entry *entry, enum limit_level level,
		struct limit_set *set)
{
	unsigned place = 0;
	int rc = CG_OK;

	if (entry->value->kind != DOC_MAP && !doc_is_null(entry->value))
		return read_mismatch(r, entry, limits_expected);
	for (const struct doc_entry *e = entry->value->first; rc == CG_OK && e; e = e->next) {
		struct limits_reader to = { .limit.level = level, .set = set };

		rc = limit_parse_case(e->key, &to.limit, r->err);
		if (rc != CG_OK)
			return read_place(r, e, rc);
		if (to.limit.of_case)
			to.limit.place = ++place;
		rc = to.limit.of_case ? read_case_limits(r, e, &to) : read_scope(r, e, &to);
	}
	return rc;
}
