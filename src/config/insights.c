#include "src/config/insights.h"

#include <stdlib.h>
#include <string.h>

#include "src/config/file.h"
#include "src/config/read.h"
#include "src/diff/limit.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Made by build-aux/embed.sh. */
extern const char insights_yml[];
extern const size_t insights_yml_size;

struct rule_book {
	struct config_pool *pool;
	struct insight_rules rules;
};

/* ---- values ---- */

static int read_texts(struct config_reader *r, const struct doc_entry *entry, const char *expected,
		      struct rule_texts *out)
{
	int rc = read_expect(r, entry, DOC_LIST, expected);
	if (rc != CG_OK)
		return rc;
	out->items = config_pool_alloc(r->pool, entry->value->count, sizeof *out->items);
	if (!out->items)
		return cg_fail_nomem(r->err);
	out->count = 0;
	for (const struct doc_entry *e = entry->value->first; rc == CG_OK && e; e = e->next)
		rc = read_line(r, e, expected, &out->items[out->count++]);
	return rc;
}

static int read_wording(struct config_reader *r, const struct doc_entry *entry, const char **out)
{
	int rc = read_line(r, entry, "text with figures such as {share}", out);
	if (rc == CG_OK)
		rc = read_place(r, entry, rule_check_wording(*out, r->err));
	return rc;
}

/* ---- keys ---- */

static int read_id(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct insight_rule *rule = target;
	int rc = read_line(r, entry, "a name", &rule->id);

	if (rc == CG_OK && rule->id[strspn(rule->id, "abcdefghijklmnopqrstuvwxyz0123456789-")])
		return read_mismatch(r, entry, "a name of lower-case letters, digits and '-'");
	return rc;
}

static int read_title(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_line(r, entry, "a title", &((struct insight_rule *)target)->title);
}

static int read_less(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_line(r, entry, "a title", &((struct insight_rule *)target)->less);
}

static int read_kind(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	const char *text;
	int rc = read_line(r, entry, "a kind of evidence", &text);

	for (int i = 0; rc == CG_OK && i < RULE_KINDS; i++) {
		if (strcmp(text, rule_kind_names[i]) == 0) {
			((struct insight_rule *)target)->kind = (enum rule_kind)i;
			return CG_OK;
		}
	}
	return rc != CG_OK
		       ? rc
		       : read_mismatch(
				 r, entry,
				 "calls, little, growth, depth, same code, other build, variants, other code or lost vectors");
}

static int read_functions(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_texts(r, entry, "a list of regular expressions",
			  &((struct insight_rule *)target)->functions);
}

static int read_through(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_texts(r, entry, "a list of regular expressions",
			  &((struct insight_rule *)target)->through);
}

static int read_variants(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_texts(r, entry, "a list of name parts",
			  &((struct insight_rule *)target)->variants);
}

static int read_objects(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_line(r, entry, "a regular expression",
			 &((struct insight_rule *)target)->objects);
}

static int read_event(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_line(r, entry, "the name of an event", &((struct insight_rule *)target)->event);
}

static int read_than(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_line(r, entry, "the name of an event", &((struct insight_rule *)target)->than);
}

static int read_unless(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_line(r, entry, "the name of an event",
			 &((struct insight_rule *)target)->unless);
}

static int read_part(struct config_reader *r, const struct doc_entry *entry, uint64_t *out)
{
	const char *text;
	int rc = read_text(r, entry, "a percentage such as 10%", &text);

	if (rc == CG_OK)
		rc = read_place(r, entry, limit_parse_amount(text, LIMIT_GROWTH, out, r->err));
	if (rc == CG_OK && *out > RULE_WHOLE)
		return read_mismatch(r, entry, "at most 100%");
	return rc;
}

static int read_share(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_part(r, entry, &((struct insight_rule *)target)->share);
}

static int read_density(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_part(r, entry, &((struct insight_rule *)target)->density);
}

static int read_rule_amount(struct config_reader *r, const struct doc_entry *entry, uint32_t *out)
{
	return read_number(r, entry, 1, 1000000, "a number from 1 to 1000000", out);
}

static int read_per_million(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_rule_amount(r, entry, &((struct insight_rule *)target)->per_million);
}

static int read_calls(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_rule_amount(r, entry, &((struct insight_rule *)target)->calls);
}

static int read_times(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_rule_amount(r, entry, &((struct insight_rule *)target)->times);
}

static int read_frames(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_rule_amount(r, entry, &((struct insight_rule *)target)->frames);
}

static int read_profile_wording(struct config_reader *r, const struct doc_entry *entry,
				void *target)
{
	return read_wording(r, entry, &((struct insight_rule *)target)->profile);
}

static int read_change(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_wording(r, entry, &((struct insight_rule *)target)->change);
}

static int read_advice(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_line(r, entry, "what to do", &((struct insight_rule *)target)->advice);
}

static int read_as_many(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_line(r, entry, "a title", &((struct insight_rule *)target)->as_many);
}

static int read_as_many_advice(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	return read_line(r, entry, "what to do", &((struct insight_rule *)target)->as_many_advice);
}

static const struct field rule_fields[] = {
	{ "id", read_id },
	{ "kind", read_kind },
	{ "title", read_title },
	{ "less", read_less },
	{ "as_many", read_as_many },
	{ "as_many_advice", read_as_many_advice },
	{ "functions", read_functions },
	{ "objects", read_objects },
	{ "through", read_through },
	{ "variants", read_variants },
	{ "event", read_event },
	{ "than", read_than },
	{ "unless", read_unless },
	{ "share", read_share },
	{ "per_million", read_per_million },
	{ "calls", read_calls },
	{ "times", read_times },
	{ "density", read_density },
	{ "frames", read_frames },
	{ "profile", read_profile_wording },
	{ "change", read_change },
	{ "advice", read_advice },
};

/* ---- rules ---- */

/* The first missing key that a rule of this kind must have. */
static const char *missing_rule_key(const struct insight_rule *rule)
{
	bool of_functions = rule->kind == RULE_CALLS || rule->kind == RULE_LITTLE;

	if (!rule->id)
		return "id";
	if (!rule->title)
		return "title";
	if (!rule->advice)
		return "advice";
	if (!rule->profile && !rule->change)
		return "change";
	if (of_functions && !rule->functions.count && !(rule->kind == RULE_CALLS && rule->event))
		return "functions";
	if (rule->kind == RULE_GROWTH && !rule->event)
		return "event";
	if (rule->kind == RULE_GROWTH && !rule->than)
		return "than";
	if (rule->kind == RULE_VARIANTS && !rule->variants.count)
		return "variants";
	if (rule->kind != RULE_SAME_CODE && rule->kind != RULE_BUILD && !rule->share &&
	    !rule->per_million)
		return "share";
	return NULL;
}

static int read_rule(struct config_reader *r, const struct doc_entry *entry,
		     struct insight_rule *rule)
{
	int rc = read_expect(r, entry, DOC_MAP, "a rule: a map");

	*rule = (struct insight_rule){ .kind = RULE_KINDS,
				       .file = r->path,
				       .line = entry->line,
				       .calls = 1,
				       .times = 1,
				       .frames = 1 };
	if (rc == CG_OK)
		rc = read_fields(r, entry->value, "a rule", rule_fields, COUNT(rule_fields), rule);
	if (rc != CG_OK)
		return rc;
	const char *missing = rule->kind == RULE_KINDS ? "kind" : missing_rule_key(rule);
	if (missing)
		return READ_FAIL(r, entry->line, "missing key '%s'", missing);
	return CG_OK;
}

static int check_id(struct config_reader *r, const struct insight_rules *rules,
		    const struct insight_rule *rule)
{
	for (const struct insight_rule *other = rules->items; other < rule; other++)
		if (strcmp(other->id, rule->id) == 0)
			return READ_FAIL(r, rule->line, "duplicate id, first used in line %llu",
					 (unsigned long long)other->line);
	return CG_OK;
}

static int read_rules(struct config_reader *r, const struct doc_entry *entry, void *target)
{
	struct insight_rules *rules = target;
	int rc = read_expect(r, entry, DOC_LIST, "a list of rules");

	if (rc != CG_OK)
		return rc;
	rules->items = config_pool_alloc(r->pool, entry->value->count, sizeof *rules->items);
	if (!rules->items)
		return cg_fail_nomem(r->err);
	for (const struct doc_entry *e = entry->value->first; rc == CG_OK && e; e = e->next) {
		rc = read_rule(r, e, &rules->items[rules->count]);
		if (rc == CG_OK)
			rc = check_id(r, rules, &rules->items[rules->count++]);
	}
	return rc;
}

static int read_book(struct config_reader *r, const char *text, size_t len,
		     struct insight_rules *rules)
{
	static const struct field fields[] = { { "rules", read_rules } };
	const struct doc_node *root = NULL;

	if (len > INSIGHTS_BYTES_MAX)
		return cg_fail(r->err, CG_ERANGE, r->path, 0, "the file is larger than %d bytes",
			       INSIGHTS_BYTES_MAX);
	int rc = document_parse(text, len, r->path, r->pool, &root, r->err);
	if (rc != CG_OK || !root)
		return rc; /* without rules nothing could be reported */
	if (root->kind != DOC_MAP)
		return READ_FAIL(r, root->line, "expected 'rules:' and a list");
	return read_fields(r, root, "the file", fields, COUNT(fields), rules);
}

int rule_book_parse(const char *text, size_t len, const char *path, struct rule_book **book,
		    struct cg_error *err)
{
	struct rule_book *new = calloc(1, sizeof *new);
	struct cg_error error = { 0 };

	if (!new || !(new->pool = config_pool_new())) {
		rule_book_free(new);
		return cg_fail_nomem(err);
	}
	struct config_reader r = { .pool = new->pool, .err = &error };
	r.path = config_pool_text(new->pool, path, strlen(path));
	int rc = r.path ? read_book(&r, text, len, &new->rules) : cg_fail_nomem(&error);
	if (rc != CG_OK) {
		rule_book_free(new);
		if (err)
			*err = error;
		return rc;
	}
	*book = new;
	return CG_OK;
}

int rule_book_load(const char *path, struct rule_book **book, struct cg_error *err)
{
	char *text;
	size_t len;
	int rc = config_file_read(path, INSIGHTS_BYTES_MAX, &text, &len, err);

	if (rc != CG_OK)
		return rc;
	rc = rule_book_parse(text, len, path, book, err);
	free(text);
	return rc;
}

int rule_book_builtin(struct rule_book **book, struct cg_error *err)
{
	return rule_book_parse(insights_yml, insights_yml_size, "insights.yml", book, err);
}

const struct insight_rules *rule_book_rules(const struct rule_book *book)
{
	return &book->rules;
}

void rule_book_free(struct rule_book *book)
{
	if (!book)
		return;
	config_pool_free(book->pool);
	free(book);
}
