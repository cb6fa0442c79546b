/* Reports how a change bends the rules that judge it, for whoever reviews the change. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

static bool same_words(const struct config_command *a, const struct config_command *b)
{
	bool same = a->argc == b->argc;

	for (size_t i = 0; same && i < a->argc; i++)
		same = strcmp(a->argv[i], b->argv[i]) == 0;
	return same;
}

static bool same_texts(const struct config_text *a, size_t acount, const struct config_text *b,
		       size_t bcount)
{
	bool same = acount == bcount;

	for (size_t i = 0; same && i < acount; i++)
		same = strcmp(a[i].text, b[i].text) == 0;
	return same;
}

static void list_inputs(struct listing *l, const struct config_benchmark *base,
			const struct config_benchmark *head)
{
	if (base->inputs_given == head->inputs_given &&
	    same_texts(base->inputs, base->input_count, head->inputs, head->input_count))
		return;
	begin_item(l);
	fputs("inputs: lists other files", l->to);
}

/* Changes for the whole project: how its programs are built, and what they are compared with. */
static void list_project(struct listing *l, const struct config *base, const struct config *head)
{
	const bool same[] = { same_words(&base->build, &head->build),
			      same_texts(base->copy, base->copy_count, head->copy,
					 head->copy_count),
			      is_same_or_neither(base->base.text, head->base.text) };
	static const char *const keys[] = { "build", "copy", "base" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (same[i])
			continue;
		begin_item(l);
		fprintf(l->to, "%s: changed", keys[i]);
	}
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
	fputs("the benchmark is defined differently, and is measured with head's definition for base and head",
	      l->to);
	return CG_OK;
}

/* `of` NULL: all benchmarks. Takes the text. */
static int add_rules_remark(struct comparing *c, const char *of, char *changes,
			    struct cg_error *err)
{
	char *text = NULL;

	if (asprintf(&text, "Head changes the rules%s%s in " CONFIG_NAME ": %s", of ? " of " : "",
		     of ? of : "", changes) < 0)
		text = NULL;
	free(changes);
	return remarks_add(&c->suite.remarks, REMARK_WARNING, "rules", text, NULL, err);
}

/* What is compared. */
struct rules {
	const struct config *base, *head;                 /* general ones … */
	const struct config_benchmark *of_base, *of_head; /* … or, if not NULL, of a benchmark */
};

static int list_rules(struct listing *l, const struct rules *r, struct cg_error *err)
{
	if (!r->of_head) {
		list_limits(l, &r->base->limits, &r->head->limits);
		list_project(l, r->base, r->head);
		return CG_OK;
	}
	list_limits(l, &r->of_base->limits, &r->of_head->limits);
	list_tolerances(l, r->of_base, r->of_head);
	list_inputs(l, r->of_base, r->of_head);
	return list_definition(l, r->of_base, r->of_head, err);
}

static int remark_rules(struct comparing *c, const struct rules *r, struct cg_error *err)
{
	char *text = NULL;
	size_t size;
	struct listing l = { .to = open_memstream(&text, &size) };

	if (!l.to)
		return cg_fail_nomem(err);
	int status = list_rules(&l, r, err);
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
