/* The causes of a change. */
#include <string.h>

#include "callgrind/support/number.h"
#include "src/report/cancelled.h"
#include "src/report/cause_words.h"
#include "src/report/json/members.h"
#include "src/report/moved_code.h"
#include "src/report/summary.h"

enum { BRIEF_CAUSES = 5 }; /* unless --top says otherwise */

/* The program as a whole has no name. */
static void add_cause_function(struct json *j, const struct tree_row *row)
{
	if (*row->name) {
		json_begin_object(j, "function");
		json_text(j, "function", row->name);
		json_text(j, "object", row->object);
		json_text(j, "file", row->file);
		json_end(j);
	} else {
		json_none(j, "function");
	}
	if (row->match == DIFF_RENAMED)
		json_text(j, "base_function", row->base_name);
}

/* Mostly it is in the object and the file of the function. */
static void add_cause_caller(struct json *j, const struct tree_row *caller,
			     const struct tree_row *function)
{
	if (!*caller->name)
		return;
	json_begin_object(j, "caller");
	json_text(j, "function", caller->name);
	if (strcmp(caller->object, function->object) != 0)
		json_text(j, "object", caller->object);
	if (strcmp(caller->file, function->file) != 0)
		json_text(j, "file", caller->file);
	json_end(j);
	if (caller->match == DIFF_RENAMED)
		json_text(j, "base_caller", caller->base_name);
}

/* The first is always there, others if they are 0.1 % of the change. */
static size_t causes_in_brief(const struct diff_report *r)
{
	size_t shown = json_rows_in_brief(r, r->ncauses, BRIEF_CAUSES);
	const uint64_t least = cg_magnitude(r->causes->delta) / 1000;

	while (r->top == DIFF_TOP_AUTO && shown > 1 &&
	       cg_magnitude(r->causes->items[r->chosen_causes[shown - 1]].delta) < least)
		shown--;
	return shown;
}

static void add_cause_side(struct json *j, const char *key, uint64_t calls, int64_t cost,
			   const char *via)
{
	json_begin_object(j, key);
	json_count(j, "calls", calls);
	json_cost(j, "cost", cost);
	if (via)
		json_text(j, "via", via);
	json_end(j);
}

/* Mostly it is in the file of the function. */
static void add_cause_place(struct json *j, const struct cause_place *at,
			    const struct tree_row *function)
{
	if (!at)
		return;
	json_begin_object(j, "place");
	if (strcmp(at->file, function->file) != 0)
		json_text(j, "file", at->file);
	json_count(j, "line", at->line);
	if (at->in_base)
		json_text(j, "side", "base");
	json_end(j);
}

enum { MOST_PARTS = 10 };

/* Who does the work of a cause. */
static void add_cause_shares(struct json *j, const struct causes *causes, const struct cause *c)
{
	json_begin_array(j, "parts");
	for (uint32_t i = 0; i < c->nshares && i < MOST_PARTS; i++) {
		const struct cause_share *share = &causes->shares[c->first_share + i];
		json_begin_object(j, NULL);
		json_text(j, "function", causes->tree->rows[share->row].name);
		json_delta(j, "delta", 0, share->delta);
		json_end(j);
	}
	json_end(j);
	json_count(j, "number_of_parts", c->nshares);
}

/* What a cause is the sum of: the largest parts. */
static void add_cause_parts(struct json *j, const struct causes *causes, const struct cause *c)
{
	const struct tree_row *rows = causes->tree->rows;

	if (c->kind == CAUSE_WORK && c->nshares > 1) {
		add_cause_shares(j, causes, c);
		return;
	}
	if (c->nparts < 2)
		return;
	json_begin_array(j, "parts");
	for (uint32_t i = 0; i < c->nparts && i < MOST_PARTS; i++) {
		const struct cause *part = &causes->parts[c->first_part + i];
		json_begin_object(j, NULL);
		json_text(j, "function", rows[part->row].name);
		if (cause_is_call(part))
			json_text(j, "caller", rows[part->caller].name);
		json_delta(j, "delta", 0, part->delta);
		json_end(j);
	}
	json_end(j);
	json_count(j, "number_of_parts", c->nparts);
}

/* Present if code moved between the function and its caller, and no other function. */
static void add_net_of_move(struct json *j, const struct causes *causes, const struct cause *c)
{
	struct moved_code moved;

	if (moved_code_find(causes, c, &moved) && moved.alone)
		json_delta(j, "net", 0, moved.net);
}

/* Mostly the text of the function was edited itself. */
static void add_edited_use(struct json *j, const struct edited_use *use)
{
	if (!use)
		return;
	json_begin_object(j, "edited_declaration");
	json_text(j, "name", use->name);
	json_count(j, "others", use->others);
	json_flag(j, "moved", use->value != VALUE_EDITED);
	json_end(j);
}

static void add_diff_cause(struct json *j, const struct causes *causes, const struct cause *c,
			   const struct cause_place *at)
{
	const struct tree_row *row = &causes->tree->rows[c->row];

	json_begin_object(j, NULL);
	json_text(j, "kind", cause_kind_name(c->kind));
	json_text(j, "reason", cause_reason(c));
	add_cause_function(j, row);
	if (cause_is_call(c))
		add_cause_caller(j, &causes->tree->rows[c->caller], row);
	if (c->ncallers > 1)
		json_count(j, "number_of_callers", c->ncallers);
	if (c->nmoved > 1)
		json_count(j, "number_of_functions", c->nmoved);
	json_add_matched(j, row->match);
	json_add_absorbed(j, causes->tree, row);
	if (is_edited(c->mark))
		json_flag(j, "edited", true);
	if (is_edited(c->caller_mark))
		json_flag(j, "caller_edited", true);
	add_edited_use(j, c->use);
	if (c->paths > 1)
		json_count(j, "paths", c->paths);
	if (c->estimated)
		json_flag(j, "estimated", true);
	add_cause_place(j, at, row);
	add_cause_parts(j, causes, c);
	bool call = cause_is_call(c);
	if (c->kind != CAUSE_NEW && c->kind != CAUSE_ALLOCATES && c->kind != CAUSE_TOGETHER)
		add_cause_side(j, "base", c->base_calls, c->base_cost, call ? row->base.via : NULL);
	if (c->kind != CAUSE_REMOVED && c->kind != CAUSE_ALLOCATED && c->kind != CAUSE_TOGETHER)
		add_cause_side(j, "head", c->head_calls, c->head_cost, call ? row->head.via : NULL);
	json_delta(j, "delta", 0, c->delta);
	add_net_of_move(j, causes, c);
	if (causes->delta)
		json_share(j, "share", (double)c->delta / (double)causes->delta);
	else
		json_none(j, "share");
	json_end(j);
}

/* Mostly there are none. */
static void add_cancelled(struct json *j, const struct diff_report *r)
{
	struct cancelled_change of[CANCELLED_CHANGES];

	if (!cancelled_find(r, of))
		return;
	json_begin_array(j, "cancelled");
	for (size_t i = 0; i < CANCELLED_CHANGES; i++) {
		json_begin_object(j, NULL);
		add_cause_function(j, of[i].row);
		if (tree_row_inlined(of[i].row))
			json_flag(j, "inlined", true);
		json_text(j, "class", cancelled_how(r, &of[i]));
		json_delta(j, "delta", 0, of[i].delta);
		json_end(j);
	}
	json_end(j);
}

void json_add_causes(struct json *j, const struct diff_report *r)
{
	if (!r->causes) {
		json_none(j, "causes");
		return;
	}
	size_t shown = causes_in_brief(r);
	json_begin_object(j, "causes");
	json_flag(j, "exact", r->causes->tree->exact);
	json_flag(j, "without_inlined", r->without_inlined);
	json_delta(j, "delta", 0, r->causes->delta);
	json_count(j, "sum_of_sizes", r->causes->sum_of_sizes);
	json_count(j, "changed", r->causes_large);
	json_count(j, "hidden", r->causes_hidden + (r->ncauses - shown));
	json_begin_object(j, "smaller");
	json_count(j, "count", r->causes_smaller + (r->ncauses - shown));
	json_delta(j, "delta", 0, summary_smaller_causes(r, shown));
	json_end(j);
	json_begin_array(j, "items");
	for (size_t i = 0; i < shown; i++)
		add_diff_cause(j, r->causes, &r->causes->items[r->chosen_causes[i]],
			       cause_place_of(r, i));
	json_end(j);
	add_cancelled(j, r);
	json_end(j);
}
