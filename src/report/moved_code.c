#include "src/report/moved_code.h"

#include <string.h>

#include "callgrind/support/number.h"
#include "src/diff/installed.h"
#include "src/report/cause_words.h"
#include "src/text/short_name.h"
#include "src/text/text.h"

static const struct diff_row *flat_row_of_path(const struct tree_diff *t, uint32_t row)
{
	const struct tree_row *r = &t->rows[row];
	const struct cause_code code = { r->name, r->object, r->file };

	return cause_flat_row(t->diff, &code);
}

/* Whether what the caller's self cost changed by may be due to other functions, too: to other calls
 * by it that are new, or removed, as this one is, or to what counts as its own code. */
static bool shares_move_with_others(const struct causes *causes, const struct cause *c)
{
	const struct tree_row *rows = causes->tree->rows;
	const bool is_item = c >= causes->items && c < causes->items + causes->count;

	if (rows[c->caller].nabsorbed)
		return true;
	const uint32_t *calls_by = c->kind == CAUSE_NEW ? causes->new_calls_by
							: causes->removed_calls_by;
	return calls_by[rows[c->caller].function] > is_item;
}

static bool is_installed_function(const struct tree_diff *t, const struct tree_row *r)
{
	const struct cg_tree *tree = r->head.present ? t->head : t->base;
	const uint32_t node = r->head.present ? r->head.node : r->base.node;
	const struct cg_profile *p = tree->profile;
	const struct cg_function *f = &p->functions[tree->nodes[node].function];

	return is_installed_path(cg_string(p, f->object)) ||
	       is_installed_path(cg_string(p, f->file));
}

bool moved_code_find(const struct causes *causes, const struct cause *c, struct moved_code *out)
{
	const struct tree_diff *t = causes->tree;
	const struct diff *d = t->diff;
	const bool is_new = c->kind == CAUSE_NEW;

	if (!cause_is_call(c) || (!is_new && c->kind != CAUSE_REMOVED))
		return false;
	const struct tree_row *row = &t->rows[c->row];
	if (is_installed_function(t, row))
		return false; /* it had its code before */
	const bool same_calls = row->match == DIFF_DISSOLVED;
	if (!same_calls && c->caller_edit != EDIT_CHANGED)
		return false; /* of many causes, rows are searched for few */
	const struct diff_row *function = flat_row_of_path(t, c->row);
	const struct diff_row *caller = flat_row_of_path(t, c->caller);
	if (!function || !caller || (is_new ? function->base.present : function->head.present) ||
	    !caller->base.present || !caller->head.present)
		return false;
	const int64_t self = cg_delta(diff_base_value(d, caller->base.self),
				      diff_head_value(d, caller->head.self));
	const bool other_way = self && (self < 0) == (c->delta > 0);
	if (!other_way)
		return false;
	*out = (struct moved_code){ .caller = caller->name,
				    .back = !is_new,
				    .alone = !shares_move_with_others(causes, c),
				    .self = self,
				    .net = c->delta };
	cg_add_cost_clipped(&out->net, self);
	return true;
}

bool moved_code_print(const struct causes *causes, const struct cause *c, const char *lead,
		      unsigned names, FILE *to)
{
	char self[TEXT_NUMBER], net[TEXT_NUMBER];
	struct moved_code m;

	if (!moved_code_find(causes, c, &m))
		return false;
	const int64_t size = m.self < 0 ? cg_delta(m.self, 0) : m.self;
	fprintf(to, "%s%s ", lead, m.back ? "its code is now in" : "takes over code of");
	text_print_sentence_name(to, m.caller, causes->tree->rows[c->row].name, names);
	if (!m.alone)
		return true;
	fprintf(to, ", whose self cost %s by %s: net %s%s", m.self < 0 ? "fell" : "rose",
		cause_brief_cost(size, self), m.net > 0 ? "+" : "", cause_brief_cost(m.net, net));
	return true;
}
