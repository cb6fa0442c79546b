/* Evidence by calls: what those of some functions cost, and how many there are. */
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/names.h"
#include "src/insight/finders.h"
#include "src/insight/rule_functions.h"
#include "src/text/text.h"

/* The event whose number the rule is about; -1: it is about calls. */
static int counted_event(const struct insight_side *s, const struct insight_rule *rule)
{
	return rule_counts_event(rule) ? cg_event_index(s->profile, rule->event) : -1;
}

/* Finds the entries of each side that has such functions. */
static int find_side_entries(struct evidence_search *f, const struct insight_rule *rule,
			     const struct rule_functions *m, struct entries entries[SIDES])
{
	int status = CG_OK;

	for (int i = 0; !status && i < SIDES; i++) {
		entries[i] = (struct entries){ .counted = true };
		if (!m->any[i] || !f->sides[i].profile->has_calls)
			continue;
		status = insight_side_graph(&f->sides[i]);
		if (!status)
			status = entries_find(&f->sides[i].graph, m->member[i], m->through[i],
					      counted_event(&f->sides[i], rule), &entries[i]);
	}
	return status ? cg_fail_nomem(f->err) : CG_OK;
}

/* Instructions of a side: what numbers of calls are related to. 0: not counted. */
static uint64_t instructions(const struct evidence_search *f, int side)
{
	const struct cg_profile *p = f->sides[side].profile;
	int event = p ? cg_event_index(p, "Ir") : -1;
	return event < 0 || p->total[event] < 0 ? 0 : (uint64_t)p->total[event];
}

static bool is_frequent(const struct insight_rule *rule, uint64_t calls, uint64_t all)
{
	return rule->per_million && all && calls >= rule->calls &&
	       (unsigned __int128)calls * 1000000 >= (unsigned __int128)all * rule->per_million;
}

/* Whether there are enough calls for a hot path; where they were not counted, their cost alone
 * decides. */
static bool are_many(const struct insight_rule *rule, const struct entries *e)
{
	return !e->counted || e->calls_least >= rule->calls;
}

static void figure_frequency(struct figures *figures, uint64_t calls, uint64_t all)
{
	char buffer[TEXT_NUMBER];
	unsigned __int128 n = all ? (unsigned __int128)calls * 1000000 / all : 0;

	if (all)
		figure_set(figures, FIGURE_PER_MILLION, "%s",
			   n > UINT64_MAX ? "?" : text_count((uint64_t)n, buffer));
}

/* ---- callers ---- */

/* What a function asked for, on each side. */
struct asking {
	const char *name, *object, *file;
	const char *objects[SIDES]; /* base names: those of a renamed object are the same one */
	int64_t cost[SIDES];
	uint64_t calls[SIDES];
};

static bool is_stem(const char *stem, const char *name)
{
	size_t len = cg_name_stem(name, strlen(name));
	return strncmp(stem, name, len) == 0 &&
	       (stem[len] == '\0' || cg_name_stem(stem, strlen(stem)) == len);
}

/* Where the diff matched the function in the other profile. */
static void find_objects(const struct evidence_search *f, int side, struct asking *a)
{
	const struct diff *d = f->data ? f->data->diff : NULL;
	const char *own = cg_base_name(a->object);

	a->objects[BASE] = a->objects[HEAD] = own;
	for (size_t i = 0; d && i < d->count; i++) {
		const struct diff_row *row = &d->rows[i];
		const char *base = row->base_object, *head = row->object;
		if (strcmp(side == BASE ? base : head, own) != 0 || !is_stem(row->name, a->name))
			continue;
		a->objects[BASE] = base;
		a->objects[HEAD] = head;
		return;
	}
}

static struct asking describe_caller(const struct evidence_search *f, int side,
				     const struct entry_caller *c)
{
	const struct cg_profile *p = f->sides[side].profile;
	const struct cg_function *function = &p->functions[c->function];
	struct asking a = { .name = cg_string(p, function->name),
			    .object = cg_string(p, function->object),
			    .file = cg_string(p, function->file) };

	find_objects(f, side, &a);
	return a;
}

/* Adds what all functions of this name asked for on one side. */
static void add_side(const struct evidence_search *f, const struct entries *e, int side,
		     struct asking *to)
{
	const struct cg_profile *p = f->sides[side].profile;

	for (size_t i = 0; i < e->ncallers; i++) {
		const struct cg_function *function = &p->functions[e->callers[i].function];
		if (!is_stem(to->name, cg_string(p, function->name)) ||
		    strcmp(to->objects[side], cg_base_name(cg_string(p, function->object))) != 0)
			continue;
		to->cost[side] = cg_delta(-e->callers[i].cost, to->cost[side]);
		to->calls[side] += e->callers[i].calls;
	}
}

static int64_t asked(const struct asking *a, bool by_calls)
{
	return by_calls ? (int64_t)(a->calls[HEAD] - a->calls[BASE])
			: cg_delta(a->cost[BASE], a->cost[HEAD]);
}

/* Who asked for most of a delta, by cost or by calls. Whoever did is among the costliest callers
 * of a side, or his part is small. */
static struct asking find_asking(const struct evidence_search *f,
				 const struct entries entries[SIDES], int64_t delta, bool by_calls)
{
	enum { COSTLIEST = 64 };
	struct asking best = { 0 };
	int64_t most = 0;

	for (int side = SIDES - 1; side >= 0; side--) {
		for (size_t i = 0; i < entries[side].ncallers && i < COSTLIEST; i++) {
			struct asking a = describe_caller(f, side, &entries[side].callers[i]);
			add_side(f, &entries[BASE], BASE, &a);
			add_side(f, &entries[HEAD], HEAD, &a);
			int64_t part = asked(&a, by_calls);
			if ((part < 0) != (delta < 0) || cg_magnitude(part) <= cg_magnitude(most))
				continue;
			most = part;
			best = a;
		}
	}
	/* A caller with a small part of the delta is not evidence, and an address is not a name. */
	bool tells = best.name && !cg_name_is_address(best.name) &&
		     cg_magnitude(most) >= cg_magnitude(delta) / 4;
	return tells ? best : (struct asking){ 0 };
}

/* A caller may ask for more than all of a change, where others ask for less; up to a hundredth more
 * is all of it. */
static void figure_part(struct figures *figures, int64_t part, int64_t delta)
{
	enum { NEARLY = 100 };
	const uint64_t size = cg_magnitude(part), all = cg_magnitude(delta);
	char own[TEXT_NUMBER], others[TEXT_NUMBER];

	if (size <= all)
		figure_share(figures, FIGURE_CALLER_SHARE, (int64_t)size, (int64_t)all);
	else if (size - all <= all / NEARLY)
		figure_set(figures, FIGURE_CALLER_SHARE, "all");
	else
		figure_set(figures, FIGURE_CALLER_ALONE, "%s by %s, while for others it %s by %s",
			   delta < 0 ? "fell" : "grew", text_count(size, own),
			   delta < 0 ? "grew" : "fell", text_count(size - all, others));
}

static void figure_asking(struct figures *figures, const struct asking *a, int64_t delta,
			  bool by_calls)
{
	if (!a->name)
		return;
	figure_name(figures, FIGURE_CALLER, a->name);
	figure_part(figures, asked(a, by_calls), delta);
	if (a->calls[BASE] || a->calls[HEAD]) {
		figure_count(figures, FIGURE_CALLER_CALLS, a->calls[HEAD]);
		figure_count(figures, FIGURE_CALLER_BASE_CALLS, a->calls[BASE]);
		figure_count(figures, FIGURE_CALLER_HEAD_CALLS, a->calls[HEAD]);
	}
}

static struct insight about(const struct asking *a, double share)
{
	if (!a->name)
		return (struct insight){ .share = share };
	return (struct insight){ .function = a->name,
				 .object = name_or_unknown(cg_base_name(a->object)),
				 .file = name_or_unknown(a->file),
				 .share = share };
}

/* ---- one profile ---- */

static int say_profile(struct evidence_search *f, const struct insight_rule *rule,
		       const struct entries entries[SIDES])
{
	const struct entries *e = &entries[HEAD];
	int64_t total = evidence_total(f, HEAD);
	uint64_t all = instructions(f, HEAD);
	bool frequent = e->counted && is_frequent(rule, e->calls_least, all);
	bool costly = rule->share && e->least > 0 && are_many(rule, e) &&
		      (unsigned __int128)e->least * RULE_WHOLE >=
			      (unsigned __int128)cg_magnitude(total) * rule->share;
	struct figures figures = { .whole_names = f->whole_names };

	if (!e->any || (!frequent && !costly))
		return CG_OK;
	int64_t amount = costly ? e->least : (int64_t)e->calls_least;
	struct asking a = find_asking(f, entries, amount, !costly);
	figure_name(&figures, FIGURE_METRIC, f->metric);
	figure_set(&figures, FIGURE_LEAST, "%s", e->least == e->most ? "" : "at least ");
	figure_cost(&figures, FIGURE_COST, e->least);
	figure_share(&figures, FIGURE_SHARE, e->least, total);
	if (e->counted) {
		figure_count(&figures, FIGURE_CALLS, e->calls_least);
		figure_frequency(&figures, e->calls_least, all);
	}
	figure_asking(&figures, &a, amount, !costly);
	struct insight insight = about(&a, total ? (double)e->least / (double)total : 0);
	int status = evidence_add(f, rule, &figures, &insight);
	figures_free(&figures);
	return status;
}

/* ---- a difference ---- */

/* The smallest delta that the bounds allow; 0: even its sign is unknown. */
static int64_t sure_delta(const struct entries entries[SIDES])
{
	const struct entries *b = &entries[BASE], *h = &entries[HEAD];
	if (h->least > b->most)
		return cg_delta(b->most, h->least);
	return h->most < b->least ? cg_delta(b->least, h->most) : 0;
}

static int64_t sure_calls(const struct entries entries[SIDES])
{
	const struct entries *b = &entries[BASE], *h = &entries[HEAD];
	if (!b->counted || !h->counted)
		return 0;
	if (h->calls_least > b->calls_most)
		return (int64_t)(h->calls_least - b->calls_most);
	return h->calls_most < b->calls_least ? -(int64_t)(b->calls_least - h->calls_most) : 0;
}

static bool is_exact(const struct entries entries[SIDES])
{
	return entries[BASE].least == entries[BASE].most &&
	       entries[HEAD].least == entries[HEAD].most;
}

static bool has_as_many_calls(const struct entries entries[SIDES])
{
	const struct entries *b = &entries[BASE], *h = &entries[HEAD];

	return b->counted && h->counted && b->calls_least == b->calls_most &&
	       h->calls_least == h->calls_most && b->calls_least == h->calls_least;
}

/* A few more calls are no hot path, and not as many as before either: a rule that tells the two
 * apart says neither. */
static bool are_few_more(const struct insight_rule *rule, const struct entries entries[SIDES])
{
	uint64_t change = cg_magnitude(sure_calls(entries));

	return rule->as_many && change && change < rule->calls;
}

/* Up to a tenth more or fewer calls of many are not a change. */
static bool is_more_frequent(const struct evidence_search *f, const struct insight_rule *rule,
			     const struct entries entries[SIDES])
{
	uint64_t b = entries[BASE].calls_most, h = entries[HEAD].calls_most;
	uint64_t x = instructions(f, BASE), y = instructions(f, HEAD);
	uint64_t change = cg_magnitude(sure_calls(entries));

	return change && change >= (b > h ? b : h) / 10 && is_frequent(rule, change, x > y ? x : y);
}

/* `exact`: what is said is no bound. */
static void figure_both(const struct evidence_search *f, const struct entries entries[SIDES],
			bool exact, struct figures *figures)
{
	const struct entries *b = &entries[BASE], *h = &entries[HEAD];

	figure_set(figures, FIGURE_LEAST, "%s", exact ? "" : "at least ");
	if (is_exact(entries)) {
		figure_cost(figures, FIGURE_BASE, b->least);
		figure_cost(figures, FIGURE_HEAD, h->least);
	}
	if (!b->counted || !h->counted)
		return;
	if (exact) {
		figure_count(figures, FIGURE_BASE_CALLS, b->calls_least);
		figure_count(figures, FIGURE_HEAD_CALLS, h->calls_least);
	}
	figure_count(figures, FIGURE_CALLS, cg_magnitude(sure_calls(entries)));
	figure_frequency(figures, h->calls_least, instructions(f, HEAD));
}

static int say_change(struct evidence_search *f, const struct insight_rule *rule,
		      const struct entries entries[SIDES])
{
	int64_t delta = sure_delta(entries);
	bool many = are_many(rule, &entries[delta < 0 ? BASE : HEAD]);
	/* More calls are not "less" because each costs less. */
	bool only_cheaper = delta < 0 && sure_calls(entries) > 0;
	bool costly = many && !only_cheaper && !are_few_more(rule, entries) &&
		      evidence_weighs(f, rule, delta);
	bool frequent = is_more_frequent(f, rule, entries);
	struct figures figures = { .whole_names = f->whole_names };

	if (!costly && !frequent)
		return CG_OK;
	int64_t amount = costly ? delta : sure_calls(entries);
	struct asking a = find_asking(f, entries, amount, !costly);
	evidence_delta(f, &figures, delta);
	figure_set(&figures, FIGURE_MOVED, "%s", amount < 0 ? "fell" : "grew");
	/* The event is known exactly, also where its cost is not. */
	bool exact = is_exact(entries) || (!costly && rule_counts_event(rule));
	figure_both(f, entries, exact, &figures);
	figure_asking(&figures, &a, amount, !costly);
	struct insight insight = about(&a, evidence_share(f, delta));
	insight.less = amount < 0;
	insight.as_many = has_as_many_calls(entries);
	int status = evidence_add(f, rule, &figures, &insight);
	figures_free(&figures);
	return status;
}

/* A file whose calls cost more than its total contradicts itself. */
static bool is_possible(const struct evidence_search *f, const struct entries entries[SIDES])
{
	for (int i = 0; i < SIDES; i++)
		if (cg_magnitude(entries[i].least) > cg_magnitude(evidence_total(f, i)))
			return false;
	return true;
}

/* What was not counted is not none. */
static bool was_counted(const struct evidence_search *f, const struct insight_rule *rule)
{
	for (int i = 0; i < SIDES; i++)
		if (f->sides[i].profile && rule_counts_event(rule) &&
		    counted_event(&f->sides[i], rule) < 0)
			return false;
	return true;
}

int find_calls(struct evidence_search *f, const struct insight_rule *rule)
{
	struct entries entries[SIDES] = { 0 };
	struct rule_functions m;

	/* An event that the rule names is evidence of its own. */
	if (f->data && !rule->event && !evidence_changed(f))
		return CG_OK;
	if (rule->event ? !was_counted(f, rule) : !evidence_has_calls(f))
		return CG_OK;
	int status = rule_functions_find(f, rule, BASE, &m);
	if (status)
		return status;
	if (m.any[BASE] || m.any[HEAD])
		status = find_side_entries(f, rule, &m, entries);
	if (!status && is_possible(f, entries))
		status = f->data ? say_change(f, rule, entries) : say_profile(f, rule, entries);
	entries_free(&entries[BASE]);
	entries_free(&entries[HEAD]);
	rule_functions_free(&m);
	return status;
}

/* ---- next to nothing ---- */

/* The object with the largest self cost, if it has a name: code that was made while the program ran
 * has none. */
static void figure_object(const struct insight_side *s, struct figures *figures)
{
	const struct cg_profile *p = s->profile;
	int64_t *cost = calloc((size_t)p->strings.count + 1, sizeof *cost); /* by its name */
	cg_str most = 0;

	for (uint32_t r = 1; cost && r < p->nrecords; r++) {
		cg_str object = p->functions[p->records[r].function].object;
		int64_t self = metric_value(&s->metric, p->record_self + (size_t)r * p->nevents);
		if (__builtin_add_overflow(cost[object], self, &cost[object]))
			cost[object] = INT64_MAX;
		if (object && cost[object] > cost[most])
			most = object;
	}
	if (!cost)
		figures->failed = true;
	if (most && text_is_known(cg_string(p, most))) {
		figure_name(figures, FIGURE_LIST, cg_base_name(cg_string(p, most)));
		figure_share(figures, FIGURE_CALLER_SHARE, cost[most],
			     metric_value(&s->metric, p->total));
	}
	free(cost);
}

static int say_little(struct evidence_search *f, const struct insight_rule *rule,
		      const struct entries *e)
{
	int64_t total = evidence_total(f, HEAD);
	struct figures figures = { .whole_names = f->whole_names };

	if (!e->any || total <= 0 ||
	    (unsigned __int128)cg_magnitude(e->most) * RULE_WHOLE >
		    (unsigned __int128)cg_magnitude(total) * rule->share)
		return CG_OK;
	figure_name(&figures, FIGURE_METRIC, f->metric);
	figure_cost(&figures, FIGURE_COST, e->most);
	figure_share(&figures, FIGURE_SHARE, e->most, total);
	figure_object(&f->sides[HEAD], &figures);
	int status = evidence_add(f, rule, &figures, &(struct insight){ .share = 1 });
	figures_free(&figures);
	return status;
}

int find_little(struct evidence_search *f, const struct insight_rule *rule)
{
	struct entries entries[SIDES] = { 0 };
	struct rule_functions m;

	if (!evidence_has_calls(f))
		return CG_OK;
	int status = rule_functions_find(f, rule, HEAD, &m);
	if (status)
		return status;
	if (m.any[HEAD])
		status = find_side_entries(f, rule, &m, entries);
	if (!status && m.any[HEAD])
		status = say_little(f, rule, &entries[HEAD]);
	entries_free(&entries[HEAD]);
	rule_functions_free(&m);
	return status;
}
