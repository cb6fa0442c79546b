#include "src/load/insight_rules.h"

#include <string.h>

bool insights_wanted(const char *rules)
{
	return rules && strcmp(rules, "none") != 0;
}

static int load_rules(const char *rules, struct rule_book **book, struct cg_error *err)
{
	if (*book)
		return CG_OK;
	return strcmp(rules, "auto") == 0 ? rule_book_builtin(book, err)
					  : rule_book_load(rules, book, err);
}

int insights_for_diff(const char *rules, struct rule_book **shared, const struct insight_diff *data,
		      struct found_insights *out, struct cg_error *err)
{
	struct rule_book **book = shared ? shared : &out->book;

	if (!insights_wanted(rules))
		return CG_OK;
	int status = load_rules(rules, book, err);
	return status ? status : insights_of_diff(rule_book_rules(*book), data, &out->list, err);
}

int insights_for_profile(const char *rules, const struct cg_profile *p, const char *metric,
			 bool whole_names, struct found_insights *out, struct cg_error *err)
{
	if (!insights_wanted(rules))
		return CG_OK;
	int status = load_rules(rules, &out->book, err);
	return status ? status
		      : insights_of_profile(rule_book_rules(out->book), p, metric, whole_names,
					    &out->list, err);
}

void found_insights_free(struct found_insights *f)
{
	insights_free(f->list);
	rule_book_free(f->book);
	*f = (struct found_insights){ 0 };
}
