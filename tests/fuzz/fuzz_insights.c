/* Rules of insights, and what they say of profiles: sections "rules", "base" and "head". */
#include "callgrind/support/text.h"
#include "src/config/insights.h"
#include "src/insight/insight.h"
#include "tests/fuzz/reading.h"
#include "tests/fuzz/sections.h"

static bool is_text(const struct rule_texts *texts)
{
	for (size_t i = 0; i < texts->count; i++)
		if (!texts->items[i])
			return false;
	return true;
}

static void check_rules(const struct insight_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++) {
		const struct insight_rule *r = &rules->items[i];
		LAW(r->kind < RULE_KINDS && *r->title && r->advice && (r->profile || r->change),
		    "rule %zu is whole", i);
		LAW(r->id[strspn(r->id, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0',
		    "rule %zu has a name", i);
		LAW(r->share <= RULE_WHOLE && r->density <= RULE_WHOLE, "rule %zu has shares", i);
		LAW(is_text(&r->functions) && is_text(&r->through) && is_text(&r->variants),
		    "rule %zu has texts", i);
		LAW((!r->profile || !rule_check_wording(r->profile, NULL)) &&
			    (!r->change || !rule_check_wording(r->change, NULL)),
		    "rule %zu is worded", i);
		for (size_t j = 0; j < i; j++)
			LAW(strcmp(rules->items[j].id, r->id) != 0, "%s is there twice", r->id);
	}
}

static bool has_control(const char *text)
{
	uint32_t code;
	for (size_t used, len = strlen(text); len; text += used, len -= used) {
		used = cg_utf8_decode(text, len, &code);
		if (!used || cg_is_control(code))
			return true;
	}
	return false;
}

static bool is_of(const struct insight_rule *rule, const struct insight_rules *rules)
{
	return rule >= rules->items && rule < rules->items + rules->count;
}

static double size_of(double share)
{
	return share < 0 ? -share : share;
}

static void check_said(const struct insights *said, const struct insight_rules *rules, bool of_diff)
{
	for (size_t i = 0; i < said->count; i++) {
		const struct insight *s = &said->items[i];
		const char *wording = of_diff ? s->rule->change : s->rule->profile;
		LAW(is_of(s->rule, rules) && wording, "what is said has a rule");
		LAW(size_of(s->share) <= 1 + 1e-9, "%s: a share of %f", s->rule->id, s->share);
		LAW(s->title == s->rule->title || (s->less && s->title == s->rule->less),
		    "%s has its title", s->rule->id);
		LAW(has_control(wording) || !has_control(s->evidence),
		    "%s: '%s' is not printed as it is", s->rule->id, s->evidence);
		LAW(!i || size_of(s[-1].share) >= size_of(s->share),
		    "the largest share comes first");
	}
}

/* Regexes of rules are compiled, and tried, when they are needed. */
static bool is_refused(int status, const struct cg_error *err)
{
	check_error(status, err);
	LAW(!status || status == CG_EINVAL || status == CG_ERANGE, "status %d: %s", status,
	    err->message);
	return status != CG_OK;
}

static void look_at_one(const struct insight_rules *rules, const struct cg_profile *p)
{
	struct insights *said = NULL;
	struct cg_error err = { 0 };
	const char *event = cg_string(p, p->events[0].name);

	if (is_refused(insights_of_profile(rules, p, event, true, &said, &err), &err))
		return;
	check_said(said, rules, false);
	insights_free(said);
}

static void look_at_both(const struct insight_rules *rules, const struct cg_profile *base,
			 const struct cg_profile *head)
{
	struct diff_options options = { .metric = cg_string(head, head->events[0].name),
					.min_delta = 1 };
	struct environment_diff environment;
	struct insights *said = NULL;
	struct cg_error err = { 0 };
	struct diff *d = NULL;
	struct tree_diff *tree = NULL;

	if (diff_make(base, head, &options, &d, &err))
		return;
	LAW(!environment_compare(base, head, &environment), "out of memory");
	int status = tree_diff_make(d, TREE_ALL, TREE_CHANGED_ROWS, &tree, &err);
	LAW(!status || status == CG_ERANGE, "paths cannot be compared: %s", err.message);
	err = (struct cg_error){ 0 };
	const struct insight_diff data = { .diff = d, .tree = tree, .environment = &environment };
	if (!is_refused(insights_of_diff(rules, &data, &said, &err), &err)) {
		check_said(said, rules, true);
		insights_free(said);
	}
	environment_diff_free(&environment);
	tree_diff_free(tree);
	diff_free(d);
}

static void look_at(const struct insight_rules *rules, const struct cg_profile *base,
		    const struct cg_profile *head)
{
	check_rules(rules);
	if (head)
		look_at_one(rules, head);
	if (base && head)
		look_at_both(rules, base, head);
}

static struct cg_profile *profile_in(const uint8_t *data, size_t size, const char *name)
{
	struct section s;
	return find_section(data, size, name, &s) ? flat_profile_of((const uint8_t *)s.text, s.len)
						  : NULL;
}

/* Read once: they are always the same. */
static const struct insight_rules *our_rules(void)
{
	static struct rule_book *ours;
	struct cg_error err = { 0 };

	LAW(ours || !rule_book_builtin(&ours, &err), "our own rules: %s", err.message);
	return rule_book_rules(ours);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cg_profile *base = profile_in(data, size, "base"),
			  *head = profile_in(data, size, "head");
	struct rule_book *book = NULL;
	struct cg_error err = { 0 };
	struct section s;

	find_section(data, size, "rules", &s);
	int status = rule_book_parse(s.text, s.len, "rules.yml", &book, &err);
	check_error(status, &err);
	LAW(!status || strcmp(err.file, "rules.yml") == 0, "an error names the file");
	if (!status)
		look_at(rule_book_rules(book), base, head);
	look_at(our_rules(), base, head);
	rule_book_free(book);
	cg_profile_free(base);
	cg_profile_free(head);
	return 0;
}
