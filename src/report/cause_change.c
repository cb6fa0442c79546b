#include "src/report/cause_change.h"

#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/names.h"
#include "src/report/cause_words.h"
#include "src/text/short_name.h"
#include "src/text/text.h"

/* ---- own code ---- */

/* Both in the same way: "999,980 → 1,200,000", with all digits if fewer do not tell them apart. */
static void print_brief_pair(int64_t base, int64_t head, FILE *to)
{
	const uint64_t million = 1000000;
	bool exact = (base && cg_magnitude(base) < million) ||
		     (head && cg_magnitude(head) < million);
	char b[TEXT_NUMBER], h[TEXT_NUMBER];

	exact |= base != head && strcmp(cause_brief_cost(base, b), cause_brief_cost(head, h)) == 0;
	fprintf(to, "%s → %s", exact ? text_cost(base, b) : cause_brief_cost(base, b),
		exact ? text_cost(head, h) : cause_brief_cost(head, h));
}

/* But for less than the digits that are shown. */
static bool accounts_for_all(const struct cause *c)
{
	enum { PARTS = 200 };
	uint64_t other = cg_distance(cg_delta(c->base_cost, c->head_cost), c->delta);
	return other <= cg_magnitude(c->delta) / PARTS;
}

/* The function that a cause is about, if it is one with one name on both sides; NULL otherwise. */
static const struct diff_row *flat_row_of_cause(const struct tree_diff *t, const struct cause *c)
{
	const struct tree_row *row = &t->rows[c->row];
	const struct cause_code code = { row->name, row->object, row->file };

	if (row->match == DIFF_RENAMED || row->nabsorbed || c->nparts > 1)
		return NULL;
	const struct diff_row *all = cause_flat_row(t->diff, &code);
	return all && all->base.present && all->head.present ? all : NULL;
}

/* Where paths are estimates, each is rounded: the whole function is not. False: both sides have
 * more of the function than the paths on which they were compared. */
static bool whole_self_costs(const struct tree_diff *t, const struct cause *c, int64_t *base,
			     int64_t *head)
{
	const struct diff_row *all = flat_row_of_cause(t, c);
	int64_t b = all ? diff_base_value(t->diff, all->base.self) : c->base_cost;
	int64_t h = all ? diff_head_value(t->diff, all->head.self) : c->head_cost;
	bool rounded = cg_distance(b, c->base_cost) <= c->paths &&
		       cg_distance(h, c->head_cost) <= c->paths;

	*base = rounded ? b : c->base_cost;
	*head = rounded ? h : c->head_cost;
	return rounded;
}

bool cause_self_costs(const struct causes *causes, const struct cause *c, int64_t *base,
		      int64_t *head)
{
	if (c->kind != CAUSE_SELF || !accounts_for_all(c))
		return false;
	whole_self_costs(causes->tree, c, base, head);
	return true;
}

/* " 2.16 M → 2.50 M Ir", the sums of all. False: of one they do not explain it. */
static bool print_self_costs(const struct cause_among *of, size_t count, FILE *to)
{
	const struct tree_diff *t = of[0].causes->tree;
	int64_t base = 0, head = 0;
	bool all = true;

	for (size_t i = 0; i < count; i++) {
		int64_t b, h;
		if (!accounts_for_all(of[i].cause))
			return false;
		all &= whole_self_costs(of[i].causes->tree, of[i].cause, &b, &h);
		cg_add_cost_clipped(&base, b);
		cg_add_cost_clipped(&head, h);
	}
	fputc(' ', to);
	print_brief_pair(base, head, to);
	fputc(' ', to);
	text_print_name(to, t->diff->options.metric, 0);
	fputs(all ? "" : " on common paths", to);
	return true;
}

static bool all_have_per_call(const struct cause_among *of, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!cause_has_per_call(of[i].cause))
			return false;
	return true;
}

/* A function that is called more often costs more, which is not its own doing: then only what a
 * call costs shows what is. */
static void print_self_change(const struct cause_among *of, size_t count, const struct cause *sum,
			      FILE *to)
{
	char pair[TEXT_PAIR];

	fputs("self", to);
	if (print_self_costs(of, count, to) || !all_have_per_call(of, count) ||
	    !cause_has_per_call(sum))
		return;
	fprintf(to, " %s ",
		text_per_call_pair(sum->base_cost, sum->base_calls, sum->head_cost, sum->head_calls,
				   pair));
	text_print_name(to, of[0].causes->tree->diff->options.metric, 0);
	fputs(" a call", to);
}

/* ---- calls ---- */

/* Rows do not tell clones of a function apart. NULL: any function. */
static bool is_of_function(const struct cg_profile *p, uint32_t record, const char *name)
{
	const char *is = cg_string(p, p->functions[p->records[record].function].name);

	if (!name)
		return true;
	const size_t len = strlen(name);
	return strncmp(is, name, len) == 0 && cg_name_stem(is, strlen(is)) == len;
}

static uint64_t count_calls_between(const struct cg_profile *p, const char *caller,
				    const char *callee)
{
	uint64_t sum = 0;

	for (uint32_t i = 1; i < p->ncalls; i++)
		if (is_of_function(p, p->calls[i].callee, callee) &&
		    is_of_function(p, p->calls[i].caller, caller))
			sum += p->calls[i].count;
	return sum;
}

/* "~" where paths are estimates, and the calls on them are not all that there are. */
static const char *mark_of_calls(const struct tree_diff *t, const struct cause *c)
{
	const char *callee = t->rows[c->row].name;
	const char *caller = c->caller ? t->rows[c->caller].name : NULL;

	if (!c->estimated)
		return "";
	if (c->kind == CAUSE_INLINED) {
		const struct cg_profile *calling = c->now_inlined ? t->diff->base : t->diff->head;
		uint64_t calls = c->base_calls + c->head_calls;
		return count_calls_between(calling, caller, callee) == calls ? "" : "~";
	}
	return count_calls_between(t->diff->base, caller, callee) == c->base_calls &&
			       count_calls_between(t->diff->head, caller, callee) == c->head_calls
		       ? ""
		       : "~";
}

/* Of several: of any of them. */
static const char *mark_of_all(const struct cause_among *of, size_t count)
{
	const char *mark = "";

	for (size_t i = 0; i < count && !*mark; i++)
		mark = mark_of_calls(of[i].causes->tree, of[i].cause);
	return mark;
}

static void print_number_of_calls(const struct cause_among *of, size_t count, uint64_t calls,
				  FILE *to)
{
	char number[TEXT_NUMBER];

	fprintf(to, ", %s%s %s", mark_of_all(of, count), text_count(calls, number),
		text_calls_word(calls, calls));
}

/* Whether a caller makes as many calls each time it is called, on all paths together. */
static bool is_made_as_often(const struct tree_diff *t, const struct cause *c)
{
	const char *caller = t->rows[c->caller].name, *callee = t->rows[c->row].name;
	const struct cg_profile *base = t->diff->base, *head = t->diff->head;
	unsigned __int128 before = count_calls_between(base, caller, callee);
	unsigned __int128 after = count_calls_between(head, caller, callee);

	before *= count_calls_between(head, NULL, caller);
	after *= count_calls_between(base, NULL, caller);
	return before && before == after;
}

/* Per call of the caller, on the path that changed most; where that is not known, as the cause
 * says. Of estimated paths only all together tell. */
static bool is_made_more_often(const struct tree_diff *t, const struct cause *c)
{
	if (c->estimated && is_made_as_often(t, c))
		return c->delta < 0;

	const struct tree_row *row = &t->rows[c->row], *caller = &t->rows[c->caller];
	unsigned __int128 base = (unsigned __int128)row->base.calls * caller->head.calls;
	unsigned __int128 head = (unsigned __int128)row->head.calls * caller->base.calls;

	return base && head && base != head ? head > base : c->delta > 0;
}

/* Where the number of calls does not say why, as the caller itself is called more or less often,
 * the share of its calls that make them does. */
static void print_why_of_calls(const struct tree_diff *t, const struct cause *c, unsigned names,
			       FILE *to)
{
	if (is_made_more_often(t, c) != (c->delta > 0)) {
		fprintf(to, " that cost %s", c->delta > 0 ? "more" : "less");
		return;
	}
	fprintf(to, ", %s in each call of ", c->delta > 0 ? "more" : "fewer");
	text_print_sentence_name(to, cause_caller(t, c), t->rows[c->row].name, names);
}

static void print_calls_change(const struct cause_among *of, size_t count, const struct cause *sum,
			       unsigned names, FILE *to)
{
	char calls[TEXT_PAIR];
	uint64_t base = sum->base_calls, head = sum->head_calls;
	bool says_why = sum->delta > 0 ? head > base : head < base;

	/* The inlined code, or a loop in it: nobody counted which. */
	if (!base || !head) {
		fputs(!sum->scaled     ? cause_reason(of[0].cause)
		      : sum->delta > 0 ? "executed more"
				       : "executed less",
		      to);
		return;
	}
	if (count > 1 && !says_why) {
		fputs(cause_reason(of[0].cause), to);
		return;
	}
	fprintf(to, "%s%s %s", mark_of_all(of, count), text_calls(base, head, calls),
		text_calls_word(base, head));
	if (!says_why)
		print_why_of_calls(of[0].causes->tree, of[0].cause, names, to);
}

/* That it is called more or less often is another cause. */
static void print_work_change(const struct cause_among *of, size_t count, const struct cause *sum,
			      FILE *to)
{
	const uint64_t calls = sum->head_calls;
	char number[TEXT_NUMBER];

	fputs(cause_reason(sum), to);
	for (size_t i = 0; i < count; i++)
		if (of[i].cause->uncounted || of[i].cause->base_calls != of[i].cause->head_calls)
			return;
	fprintf(to, " in %s %s", text_count(calls, number), text_calls_word(calls, calls));
}

static void print_inlining(const struct cause_among *of, size_t count, const struct cause *sum,
			   FILE *to)
{
	char number[TEXT_NUMBER];

	fputs(cause_reason(sum), to);
	if (sum->nmoved > 1 && count > 1) {
		fputs(", like other functions", to);
		return;
	}
	if (sum->nmoved > 1) {
		fprintf(to, ", like %s other function%s", text_count(sum->nmoved - 1, number),
			sum->nmoved == 2 ? "" : "s");
		return;
	}
	if (sum->ncallers > 1 && count == 1)
		fprintf(to, " into %s functions", text_count(sum->ncallers, number));
	if (sum->base_calls || sum->head_calls)
		print_number_of_calls(of, count, sum->base_calls + sum->head_calls, to);
}

static void print_call_there(const struct cause_among *of, size_t count, const struct cause *sum,
			     FILE *to)
{
	bool is_new = sum->kind == CAUSE_NEW;
	uint64_t calls = is_new ? sum->head_calls : sum->base_calls;

	fputs(is_new ? "new" : "removed", to);
	if (calls)
		print_number_of_calls(of, count, calls, to);
	else
		fputs(" call", to);
}

/* ---- one, or the sum of several ---- */

/* 0: not known of all. */
static uint64_t sum_of_calls(uint64_t a, uint64_t b)
{
	uint64_t sum;

	if (!a || !b)
		return 0;
	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static struct cause sum_of_causes(const struct cause_among *of, size_t count)
{
	struct cause sum = *of[0].cause;

	for (size_t i = 1; i < count; i++) {
		const struct cause *c = of[i].cause;
		sum.base_calls = sum_of_calls(sum.base_calls, c->base_calls);
		sum.head_calls = sum_of_calls(sum.head_calls, c->head_calls);
		cg_add_cost_clipped(&sum.base_cost, c->base_cost);
		cg_add_cost_clipped(&sum.head_cost, c->head_cost);
		cg_add_cost_clipped(&sum.delta, c->delta);
		sum.nmoved = c->nmoved > sum.nmoved ? c->nmoved : sum.nmoved;
		sum.uncounted |= c->uncounted;
		sum.recursive |= c->recursive;
		sum.estimated |= c->estimated;
		sum.scaled &= c->scaled;
	}
	return sum;
}

void cause_print_changes(const struct cause_among *of, size_t count, unsigned names, FILE *to)
{
	const struct cause sum = sum_of_causes(of, count);

	if (sum.kind == CAUSE_SELF)
		print_self_change(of, count, &sum, to);
	else if (sum.kind == CAUSE_WORK)
		print_work_change(of, count, &sum, to);
	else if (sum.kind == CAUSE_INLINED)
		print_inlining(of, count, &sum, to);
	else if (!cause_is_call(&sum))
		fputs(cause_reason(of[0].cause), to);
	else if (sum.kind == CAUSE_CALLS)
		print_calls_change(of, count, &sum, names, to);
	else
		print_call_there(of, count, &sum, to);
}

void cause_print_change(const struct causes *causes, const struct cause *c, unsigned names,
			FILE *to)
{
	cause_print_changes(&(struct cause_among){ causes, c }, 1, names, to);
}
