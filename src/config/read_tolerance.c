/* `tolerance:` in irdiff.yml; what it means is in src/diff/tolerance.h. */
#include <string.h>

#include "callgrind/support/text.h"
#include "src/config/read.h"

static const char expected[] = "400, \"0.1%\", or a list of both (the larger applies)";

/* Unlike a limit on growth, a tolerance applies in both directions and has no sign. */
static int read_tolerance_amount(struct config_reader *r, const struct doc_entry *entry,
				 struct tolerance *t)
{
	const char *text;
	int rc = read_text(r, entry, expected, &text);

	if (rc != CG_OK)
		return rc;
	if (strchr("+-", *text))
		return READ_FAIL(r, entry->line,
				 "'%s': a tolerance has no sign; it applies in both directions",
				 t->metric);
	bool percent = text[strlen(text) - 1] == '%';
	uint64_t *place = percent ? &t->share : &t->amount;
	if (*place)
		return READ_FAIL(r, entry->line, "'%s': expected %s", t->metric, expected);
	rc = limit_parse_amount(text, percent ? LIMIT_GROWTH : LIMIT_INCREASE, place, r->err);
	return read_place(r, entry, rc);
}

static int read_tolerance_metric(struct config_reader *r, const struct doc_entry *entry,
				 struct tolerance *t)
{
	bool inclusive = false;
	int rc = limit_parse_metric(entry->key, &t->metric, &inclusive, r->err);

	if (rc != CG_OK)
		return read_place(r, entry, rc);
	if (inclusive)
		return READ_FAIL(
			r, entry->line,
			"a tolerance on %s also applies to inclusive costs; remove 'incl.'",
			t->metric);
	if (entry->value->kind != DOC_LIST)
		return read_tolerance_amount(r, entry, t);
	rc = read_expect(r, entry, DOC_LIST, expected);
	for (const struct doc_entry *e = entry->value->first; rc == CG_OK && e; e = e->next)
		rc = read_tolerance_amount(r, e, t);
	return rc;
}

int read_tolerance(struct config_reader *r, const struct doc_entry *entry, struct tolerance **out,
		   size_t *count)
{
	const struct doc_node *map = entry->value;
	int rc = read_expect(r, entry, DOC_MAP,
			     "a map of metrics and tolerances, such as {Ir: 400}");

	if (rc != CG_OK)
		return rc;
	*out = config_pool_alloc(r->pool, map->count, sizeof **out);
	if (!*out)
		return cg_fail_nomem(r->err);
	for (const struct doc_entry *e = map->first; rc == CG_OK && e; e = e->next)
		rc = read_tolerance_metric(r, e, &(*out)[(*count)++]);
	return rc;
}
