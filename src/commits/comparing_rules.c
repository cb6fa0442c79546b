/* Reports how a change bends the rules that judge it, for whoever reviews the change. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/commits/changed_value.h"
#include "src/commits/comparing_state.h"
#include "src/commits/key_text.h"
#include "src/commits/revision_key.h"

/* The enumeration of changes that is being printed. */
struct listing {
	FILE *to;
	bool any;
};

static void begin_item(struct listing *l)
{
	fputs(l->any ? "; " : "", l->to);
	l->any = true;
}

static bool is_same_or_neither(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* ---- limits ---- */

static bool limits_same_count(const struct limit *a, const struct limit *b)
{
	return a->kind == b->kind && a->inclusive == b->inclusive &&
	       strcmp(a->metric, b->metric) == 0 && is_same_or_neither(a->function, b->function) &&
	       is_same_or_neither(a->of_case, b->of_case);
}

static const struct limit *find_limit(const struct limit_set *set, const struct limit *like)
{
	for (size_t i = 0; set && i < set->count; i++)
		if (limits_same_count(set->items[i], like))
			return set->items[i];
	return NULL;
}

static void print_limit_change(struct listing *l, const struct limit *limit, const char *from,
			       const char *to)
{
	begin_item(l);
	fprintf(l->to, "the limit on %s%s", limit->inclusive ? "inclusive " : "", limit->metric);
	if (limit->function)
		fprintf(l->to, " of %s%s", limit->module ? "" : "fn:", limit->function);
	if (limit->of_case)
		fprintf(l->to, " in case:%s", limit->of_case);
	if (from && to)
		fprintf(l->to, " was %s and is %s", from, to);
	else
		fprintf(l->to, " %s %s", from ? from : to, from ? "was removed" : "is new");
}

static void list_limits(struct listing *l, const struct limit_set *base,
			const struct limit_set *head)
{
	for (size_t i = 0; base && i < base->count; i++) {
		const struct limit *old = base->items[i], *now = find_limit(head, old);
		if (!now || old->value != now->value)
			print_limit_change(l, old, old->text, now ? now->text : NULL);
	}
	for (size_t i = 0; head && i < head->count; i++)
		if (!find_limit(base, head->items[i]))
			print_limit_change(l, head->items[i], NULL, head->items[i]->text);
}

/* ---- tolerances ---- */

static void print_tolerated_amount(FILE *to, const struct tolerance *t)
{
	if (!t) {
		fputs("none", to);
		return;
	}
	if (t->amount || !t->share)
		fprintf(to, "%" PRIu64, t->amount);
	if (t->share)
		fprintf(to, "%s%.9g%%", t->amount ? " or " : "",
			(double)t->share * 100 / (double)LIMIT_WHOLE);
}

static void list_tolerance(struct listing *l, const char *metric, const struct tolerance *old,
			   const struct tolerance *now)
{
	if (old && now && old->amount == now->amount && old->share == now->share)
		return;
	begin_item(l);
	fprintf(l->to, "the tolerance on %s was ", metric);
	print_tolerated_amount(l->to, old);
	fputs(" and is ", l->to);
	print_tolerated_amount(l->to, now);
}

static void list_tolerances(struct listing *l, const struct config_benchmark *base,
			    const struct config_benchmark *head)
{
	for (size_t i = 0; i < base->ntolerances; i++) {
		const struct tolerance *t = &base->tolerances[i];
		list_tolerance(l, t->metric, t,
			       tolerance_find(head->tolerances, head->ntolerances, t->metric));
	}
	for (size_t i = 0; i < head->ntolerances; i++) {
		const struct tolerance *t = &head->tolerances[i];
		if (!tolerance_find(base->tolerances, base->ntolerances, t->metric))
			list_tolerance(l, t->metric, NULL, t);
	}
}

/* ---- what is measured ---- */

static void list_value(struct listing *l, const char *key, const char *old, const char *now)
{
	begin_item(l);
	fprintf(l->to, "%s: ", key);
	changed_value_print(l->to, old, now);
}

static int list_texts(struct listing *l, const char *key, const struct config_text *old,
		      size_t nold, const struct config_text *now, size_t nnow, struct cg_error *err)
{
	char *before = NULL, *after = NULL;
	int status;

	if (changed_value_same_list(old, nold, now, nnow))
		return CG_OK;
	status = changed_value_list(old, nold, &before, err);
	if (!status)
		status = changed_value_list(now, nnow, &after, err);
	if (!status)
		list_value(l, key, before, after);
	free(before);
	free(after);
	return status;
}

static int list_build(struct listing *l, const struct config *base, const struct config *head,
		      struct cg_error *err)
{
	char *old = NULL, *now = NULL;
	int status;

	if (changed_value_same_command(&base->build, &head->build))
		return CG_OK;
	status = changed_value_command(&base->build, &old, err);
	if (!status)
		status = changed_value_command(&head->build, &now, err);
	if (!status)
		list_value(l, "build", old, now);
	free(old);
	free(now);
	return status;
}

/* Changes for the whole project: how its programs are built, and what they are compared with. */
static int list_project(struct listing *l, const struct config *base, const struct config *head,
			struct cg_error *err)
{
	int status = list_build(l, base, head, err);

	if (!status)
		status = list_texts(l, "copy", base->copy, base->copy_count, head->copy,
				    head->copy_count, err);
	if (!status && !is_same_or_neither(base->base.text, head->base.text))
		list_value(l, "base", base->base.text, head->base.text);
	return status;
}

/* ---- the whole ---- */

static int list_definition(struct listing *l, const struct config_benchmark *base,
			   const struct config_benchmark *head, struct cg_error *err)
{
	char old[HISTORY_DIGEST], now[HISTORY_DIGEST];
	int status = definition_of(base, old, err);

	if (!status)
		status = definition_of(head, now, err);
	if (status || strcmp(old, now) == 0)
		return status;
	begin_item(l);
	fputs("the benchmark is defined differently (", l->to);
	status = changed_value_definition(l->to, base, head, err);
	fputs("), and is measured with head's definition for base and head", l->to);
	return status;
}

static bool judges(const struct comparing *c)
{
	return c->suite.options->compare.judging.check;
}

/* `of` NULL: all benchmarks. Takes the text. */
static int add_rules_remark(struct comparing *c, const char *of, char *changes,
			    struct cg_error *err)
{
	const bool judged = judges(c);
	char *text = NULL;

	if (asprintf(&text, "Head changes %s%s%s%s" CONFIG_NAME ": %s", judged ? "the rules" : "",
		     judged && of ? " of " : "", of ? of : "", judged || of ? " in " : "",
		     changes) < 0)
		text = NULL;
	free(changes);
	return remarks_add(&c->suite.remarks, REMARK_WARNING, "rules", text, NULL, err);
}

/* What is compared. */
struct rules {
	const struct config *base, *head;                 /* general ones … */
	const struct config_benchmark *of_base, *of_head; /* … or, if not NULL, of a benchmark */
};

static int list_rules(struct listing *l, const struct rules *r, bool judged, struct cg_error *err)
{
	if (judged)
		list_limits(l, r->of_head ? &r->of_base->limits : &r->base->limits,
			    r->of_head ? &r->of_head->limits : &r->head->limits);
	if (!r->of_head)
		return list_project(l, r->base, r->head, err);
	if (judged)
		list_tolerances(l, r->of_base, r->of_head);
	return list_definition(l, r->of_base, r->of_head, err);
}

static int remark_rules(struct comparing *c, const struct rules *r, struct cg_error *err)
{
	char *text = NULL;
	size_t size;
	struct listing l = { .to = open_memstream(&text, &size) };

	if (!l.to)
		return cg_fail_nomem(err);
	int status = list_rules(&l, r, judges(c), err);
	if (fclose(l.to) != 0 && !status)
		status = cg_fail_nomem(err);
	if (!status && l.any)
		return add_rules_remark(c, r->of_head ? r->of_head->name : NULL, text, err);
	free(text);
	return status;
}

int comparing_remark_rules(struct comparing *c, struct cg_error *err)
{
	const struct config *base = c->base.own_config, *head = comparing_definitions(c);
	int status = CG_OK;

	if (!base || !head || c->options->command)
		return CG_OK;
	status = remark_rules(c, &(struct rules){ .base = base, .head = head }, err);
	for (size_t i = 0; !status && i < c->nbenches; i++) {
		const struct config_benchmark *now = c->benches[i].benchmark,
					      *old = config_benchmark(base, now->name);
		if (old && !c->benches[i].removed)
			status = remark_rules(c, &(struct rules){ .of_base = old, .of_head = now },
					      err);
	}
	return status;
}
