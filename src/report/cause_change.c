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

/* How often a caller is called: on the path of the cause if that is the only one, or in all. 0:
 * that is not known. */
static void count_calls_of_caller(const struct tree_diff *t, const struct cause *c, uint64_t *base,
				  uint64_t *head)
{
	const struct tree_row *caller = &t->rows[c->caller];
	const char *before = caller->base_name ? caller->base_name : caller->name;
	const bool one_path = c->paths == 1 && !c->estimated;

	*base = one_path ? caller->base.calls : count_calls_between(t->diff->base, NULL, before);
	*head = one_path ? caller->head.calls
			 : count_calls_between(t->diff->head, NULL, caller->name);
}

/* Whether it is the number of calls for each call of the caller that changed as the cause did.
 * Otherwise the calls are others. If nobody knows, it is as the cause says. */
static bool moves_for_each_call(const struct tree_diff *t, const struct cause *c)
{
	uint64_t base, head;

	count_calls_of_caller(t, c, &base, &head);
	if (!base || !head)
		return true;
	const unsigned __int128 before = (unsigned __int128)c->base_calls * head;
	const unsigned __int128 after = (unsigned __int128)c->head_calls * base;
	return c->delta > 0 ? after > before : after < before;
}

/* Where the number of calls alone does not say why: the caller itself is called more or less often,
 * or the calls are others. */
static void print_why_of_calls(const struct tree_diff *t, const struct cause *c, unsigned names,
			       FILE *to)
{
	const bool more = c->delta > 0, same = c->base_calls == c->head_calls;

	fputs(same ? " as before, " : ", ", to);
	if (!moves_for_each_call(t, c)) {
		fprintf(to, c->head_calls == 1 ? "but a %s one" : "but %s ones",
			more ? "costlier" : "cheaper");
		return;
	}
	if (same)
		fputs("although ", to);
	else
		fprintf(to, "but %s each time ", more ? "more" : "fewer");
	text_print_sentence_name(to, cause_caller(t, c), t->rows[c->row].name, names);
	fputs(!same ? " is called" : more ? " is called less often" : " is called more often", to);
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
