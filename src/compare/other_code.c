#include "src/compare/other_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/asm/disassemble.h"
#include "src/asm/stack.h"
#include "src/compare/changed_instructions.h"
#include "src/compare/edited_code.h"
#include "src/diff/same_code.h"
#include "src/text/short_name.h"
#include "src/text/text.h"

struct other_code_search {
	const struct diff *d; /* of the profiles with addresses */
	const struct loaded *loaded[ASM_SIDES];
	uint8_t *states[ASM_SIDES]; /* per function: enum source_state */
	struct other_code *out;
};

/* ---- candidates ---- */

static int64_t change_of_row(const struct diff *d, const struct diff_row *row)
{
	return cg_delta(diff_base_value(d, row->base.self), diff_head_value(d, row->head.self));
}

/* With as many calls as before, so that it does not just have more to do. */
static bool may_have_other_code(const struct diff *d, const struct diff_row *row)
{
	return row->base.present && row->head.present && row->base.calls &&
	       row->base.calls == row->head.calls && !row->base.inlined && !row->head.inlined &&
	       diff_is_change(diff_classify(d, row));
}

bool other_code_possible(const struct diff *d)
{
	if (d->options.by != CG_BY_FUNCTION || !diff_knows_calls(d) || same_builds(d) ||
	    !both_by_irdiff(d) || asm_ready(NULL))
		return false;
	for (size_t i = 0; i < d->count; i++)
		if (may_have_other_code(d, &d->rows[i]))
			return true;
	return false;
}

/* ---- the source ---- */

static bool is_of_row(const struct other_code_search *s, int side, uint32_t function, size_t row)
{
	const struct diff *d = s->d;
	const uint32_t *group_of = side == ASM_HEAD ? d->head_of : d->base_of;

	return group_of[function] == diff_group(d, &d->rows[row], side == ASM_HEAD);
}

/* Otherwise the lines of a function do not tell those of what is inlined into it. A profile without
 * any is known to have none if irdiff looked for them while measuring. */
static bool knows_inlined(const struct loaded *l)
{
	return l->inlining.report.source != INLINING_UNKNOWN ||
	       (l->apart && cg_desc_value(l->profile, INLINING_KEY));
}

/* Its own source is known and the same, and nothing that is inlined into it may be edited. */
static bool source_is_unchanged(const struct other_code_search *s, int side, size_t row)
{
	const struct cg_profile *p = s->loaded[side]->profile;

	if (!knows_inlined(s->loaded[side]))
		return false;
	for (uint32_t r = 1; r < p->nrecords; r++) {
		uint32_t function = p->records[r].function;
		uint8_t state = s->states[side][function];
		if (!is_of_row(s, side, asm_machine_function(p, r), row))
			continue;
		if (state != SOURCE_SAME &&
		    (state != SOURCE_OF_LIBRARY || function == asm_machine_function(p, r)))
			return false;
	}
	return true;
}

/* Something of its machine code is known to be edited. */
static bool source_is_edited(const struct other_code_search *s, int side, size_t row)
{
	const struct cg_profile *p = s->loaded[side]->profile;

	for (uint32_t r = 1; r < p->nrecords; r++)
		if (s->states[side][p->records[r].function] == SOURCE_EDITED &&
		    is_of_row(s, side, asm_machine_function(p, r), row))
			return true;
	return false;
}

/* ---- the code ---- */

static uint64_t size_of_row(const struct diff *d, const struct asm_row *row, int side)
{
	if (!row || !row->executed)
		return 0;
	return cg_magnitude(side == ASM_HEAD ? diff_head_value(d, row->self)
					     : diff_base_value(d, row->self));
}

static bool is_code_known(const struct diff_instructions *i)
{
	return !i->side[ASM_BASE].listing->nmissing && !i->side[ASM_HEAD].listing->nmissing;
}

/* Whether instructions that only one side has account for the change, or for half of it. */
static bool is_other_code(const struct diff *d, const struct diff_instructions *i, int64_t delta)
{
	uint64_t size = 0;

	for (size_t k = 0; k < i->pairs->count; k++) {
		const struct asm_pair *pair = &i->pairs->items[k];
		bool both = pair->row[ASM_BASE] && pair->row[ASM_HEAD];
		for (int side = 0; !both && side < ASM_SIDES; side++)
			size += size_of_row(d, pair->row[side], side);
	}
	return size && size >= cg_magnitude(delta) / 2;
}

static int64_t cost_of_side(const struct diff *d, const int64_t *costs, int side)
{
	return side == ASM_HEAD ? diff_head_value(d, costs) : diff_base_value(d, costs);
}

/* Whether an edited function costs more with less than half of the vector instructions, of which
 * it had many. An edit that makes it do more leaves them as they are, or multiplies them. */
static bool has_lost_vectors(const struct diff *d, const struct diff_instructions *i, int64_t delta)
{
	const int64_t many = 10; /* one in so many */
	int64_t vectors[ASM_SIDES];

	for (int side = 0; side < ASM_SIDES; side++)
		vectors[side] = cost_of_side(d, i->side[side].listing->vector, side);
	return delta > 0 && vectors[ASM_HEAD] < vectors[ASM_BASE] / 2 &&
	       vectors[ASM_BASE] >=
		       cost_of_side(d, i->side[ASM_BASE].listing->self, ASM_BASE) / many;
}

/* ---- what is different ---- */

/* What a class of instructions costs on both sides, if its share of the function differs. */
static void list_share(const struct diff_instructions *i, const struct diff *d, const char *what,
		       const int64_t part[ASM_SIDES], FILE *to)
{
	const double least = 0.02;
	int64_t whole[ASM_SIDES];
	double share[ASM_SIDES];
	char buffer[ASM_SIDES][TEXT_NUMBER];

	for (int side = 0; side < ASM_SIDES; side++) {
		whole[side] = cost_of_side(d, i->side[side].listing->self, side);
		share[side] = whole[side] ? (double)part[side] / (double)whole[side] : 0;
	}
	if (share[ASM_BASE] - share[ASM_HEAD] < least && share[ASM_HEAD] - share[ASM_BASE] < least)
		return;
	fprintf(to, "%s%s %s → %s", ftell(to) > 0 ? ", " : "", what,
		text_part(part[ASM_BASE], whole[ASM_BASE], buffer[ASM_BASE]),
		text_part(part[ASM_HEAD], whole[ASM_HEAD], buffer[ASM_HEAD]));
}

static int list_stack(const struct diff_instructions *i, const struct diff *d, FILE *to)
{
	int64_t cost[ASM_SIDES];

	for (int side = 0; side < ASM_SIDES; side++) {
		const struct asm_listing *l = i->side[side].listing;
		int64_t *sum = calloc((size_t)l->profile->nevents + 1, sizeof *sum);
		if (!sum)
			return CG_ENOMEM;
		asm_cost_of_stack(l, sum);
		cost[side] = cost_of_side(d, sum, side);
		free(sum);
	}
	list_share(i, d, "accesses to the stack", cost, to);
	return CG_OK;
}

static bool has_inlined(const struct asm_listing *l, const char *name)
{
	const struct cg_profile *p = l->profile;

	for (size_t i = 0; i < l->nrows; i++)
		for (uint32_t r = l->rows[i].record; r && p->records[r].inlined_into;
		     r = p->records[r].inlined_into)
			if (strcmp(cg_string(p, p->functions[p->records[r].function].name), name) ==
			    0)
				return true;
	return false;
}

/* What one side calls and the other has inlined. */
static void list_inlined(const struct asm_listing *calling, const struct asm_listing *inlining,
			 const char *verb, FILE *to)
{
	enum { LISTED = 2 };
	const struct cg_profile *p = calling->profile;
	const char *names[LISTED], *last = "";
	char *shown[LISTED];
	size_t listed = 0;

	for (size_t i = 0; i < calling->ncalls && listed < LISTED; i++) {
		const char *name = cg_string(p, p->functions[calling->calls[i].callee].name);
		if (strcmp(name, last) == 0 || has_inlined(calling, name) ||
		    !has_inlined(inlining, name))
			continue;
		names[listed++] = last = name;
	}
	text_sentence_names(names, listed, TEXT_SENTENCE_NAME, shown);
	for (size_t i = 0; i < listed; i++) {
		fprintf(to, "%s%s %s", ftell(to) > 0 ? ", " : "", verb, shown[i] ? shown[i] : "?");
		free(shown[i]);
	}
}

static char *list_what_differs(const struct diff *d, const struct diff_instructions *i)
{
	const struct asm_listing *base = i->side[ASM_BASE].listing;
	const struct asm_listing *head = i->side[ASM_HEAD].listing;
	const int64_t vector[] = { diff_base_value(d, base->vector),
				   diff_head_value(d, head->vector) };
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	list_share(i, d, "vector instructions", vector, to);
	int status = list_stack(i, d, to);
	list_inlined(base, head, "now inlined:", to);
	list_inlined(head, base, "no longer inlined:", to);
	if (fclose(to) == 0 && !status)
		return text;
	free(text);
	return NULL;
}

/* ---- the whole ---- */

static int add_recompiled(struct other_code_search *s, const struct diff_instructions *i,
			  bool edited, struct cg_error *err)
{
	struct recompiled *r = &s->out->items[s->out->count];

	*r = (struct recompiled){
		.function = strdup(i->row->name),
		.object = strdup(i->row->object),
		.file = strdup(i->row->file),
		.base = diff_base_value(s->d, i->side[ASM_BASE].listing->self),
		.head = diff_head_value(s->d, i->side[ASM_HEAD].listing->self),
		.edited = edited,
		.what = list_what_differs(s->d, i),
	};
	s->out->count++;
	return r->function && r->object && r->file && r->what ? CG_OK : cg_fail_nomem(err);
}

static bool is_recompiled(const struct other_code_search *s, const struct diff_instructions *i,
			  uint32_t row, bool edited)
{
	const int64_t delta = change_of_row(s->d, &s->d->rows[row]);

	if (i->row != &s->d->rows[row] || !is_code_known(i))
		return false;
	return edited ? has_lost_vectors(s->d, i, delta) : is_other_code(s->d, i, delta);
}

/* The code of one row. */
static int look_at_code(struct other_code_search *s, uint32_t row, bool edited,
			const char *const *dirs, struct cg_error *err)
{
	struct changed_instructions code;
	int status = changed_instructions_make(s->d, &row, 1, NULL, s->loaded[ASM_BASE],
					       s->loaded[ASM_HEAD], dirs, &code, err);

	for (size_t i = 0; !status && i < code.count; i++)
		if (is_recompiled(s, &code.items[i], row, edited))
			status = add_recompiled(s, &code.items[i], edited, err);
	changed_instructions_free(&code);
	return status;
}

static int look_at_rows(struct other_code_search *s, const char *const *dirs, struct cg_error *err)
{
	enum { MOST = 5 };
	int status = CG_OK, looked = 0;

	s->out->items = calloc(MOST, sizeof *s->out->items);
	if (!s->out->items)
		return cg_fail_nomem(err);
	for (size_t i = 0; !status && i < s->d->count && looked < MOST; i++) {
		if (!may_have_other_code(s->d, &s->d->rows[i]))
			continue;
		bool edited = source_is_edited(s, ASM_BASE, i) || source_is_edited(s, ASM_HEAD, i);
		if (edited ? change_of_row(s->d, &s->d->rows[i]) <= 0
			   : !source_is_unchanged(s, ASM_BASE, i) ||
				     !source_is_unchanged(s, ASM_HEAD, i))
			continue;
		status = look_at_code(s, (uint32_t)i, edited, dirs, err);
		looked++;
	}
	return status;
}

int other_code_find(const struct diff *d, const struct loaded *base, const struct loaded *head,
		    const char *const *dirs, struct other_code *out, struct cg_error *err)
{
	struct other_code_search s = { .loaded = { base, head }, .out = out };
	struct diff *with_addresses = NULL;

	if (!base->code.nobjects || !head->code.nobjects)
		return CG_OK;
	int status = diff_make(base->profile, head->profile, &d->options, &with_addresses, err);
	s.d = with_addresses;
	if (!status)
		status = edited_code_states(base, head, dirs, s.states, err);
	if (!status)
		status = look_at_rows(&s, dirs, err);
	free(s.states[ASM_BASE]);
	free(s.states[ASM_HEAD]);
	diff_free(with_addresses);
	return status;
}

void other_code_free(struct other_code *o)
{
	for (size_t i = 0; i < o->count; i++) {
		free(o->items[i].function);
		free(o->items[i].object);
		free(o->items[i].file);
		free(o->items[i].what);
	}
	free(o->items);
	*o = (struct other_code){ 0 };
}
