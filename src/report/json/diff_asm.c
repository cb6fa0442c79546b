#include "src/report/json/instructions.h"
#include "src/report/json/members.h"

static int64_t base_value_of(const struct diff *d, const int64_t *costs)
{
	return costs ? diff_base_value(d, costs) : 0;
}

static int64_t head_value_of(const struct diff *d, const int64_t *costs)
{
	return costs ? diff_head_value(d, costs) : 0;
}

static void add_row_of_side(struct json *j, const char *key, const struct report_instructions *of,
			    const struct asm_row *row, int64_t self)
{
	if (!row) {
		json_none(j, key);
		return;
	}
	json_begin_object(j, key);
	json_add_instruction(j, of->listing, row);
	json_flag(j, "executed", row->executed);
	json_cost(j, "self", self);
	json_end(j);
}

static void add_instruction_pair(struct json *j, const struct diff *d,
				 const struct diff_instructions *f, const struct asm_pair *pair)
{
	const struct asm_row *base = pair->row[ASM_BASE], *head = pair->row[ASM_HEAD];
	int64_t b = base_value_of(d, base ? base->self : NULL);
	int64_t h = head_value_of(d, head ? head->self : NULL);

	json_begin_object(j, NULL);
	add_row_of_side(j, "base", &f->side[ASM_BASE], base, b);
	add_row_of_side(j, "head", &f->side[ASM_HEAD], head, h);
	json_delta(j, "delta_self", b, h);
	json_flag(j, "other_registers", pair->renamed);
	json_end(j);
}

static void add_side_of_function(struct json *j, const char *key, const struct asm_listing *l,
				 int64_t self, int64_t vector)
{
	json_begin_object(j, key);
	json_count(j, "executed", l->executed);
	json_cost(j, "self", self);
	if (l->nmissing)
		json_none(j, "self_of_vectors");
	else
		json_cost(j, "self_of_vectors", vector);
	json_add_missing_code(j, l);
	json_end(j);
}

static void add_function_instructions(struct json *j, const struct diff *d,
				      const struct diff_instructions *f)
{
	const struct asm_listing *base = f->side[ASM_BASE].listing;
	const struct asm_listing *head = f->side[ASM_HEAD].listing;

	json_begin_object(j, NULL);
	json_text(j, "function", f->row->name);
	json_text(j, "object", f->row->object);
	json_text(j, "file", f->row->file);
	add_side_of_function(j, "base", base, base_value_of(d, base->self),
			     base_value_of(d, base->vector));
	add_side_of_function(j, "head", head, head_value_of(d, head->self),
			     head_value_of(d, head->vector));
	json_begin_array(j, "instructions");
	for (size_t i = 0; i < f->pairs->count; i++)
		add_instruction_pair(j, d, f, &f->pairs->items[i]);
	json_end(j);
	json_end(j);
}

void json_add_instructions(struct json *j, const struct diff_report *r)
{
	if (r->view != DIFF_VIEW_ASM) {
		json_none(j, "instructions");
		return;
	}
	json_begin_array(j, "instructions");
	for (size_t i = 0; i < r->ninstructions; i++)
		add_function_instructions(j, r->diff, &r->instructions[i]);
	json_end(j);
}
