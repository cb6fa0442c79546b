#include "src/browse/code_row.h"

#include <string.h>

#include "src/diff/place.h"

static bool is_same_function(const struct browse_row *a, const struct browse_row *b)
{
	return strcmp(a->name, b->name) == 0 && strcmp(a->file, b->file) == 0 &&
	       strcmp(a->object, b->object) == 0;
}

static void add_sides_of_function(const struct browse_data *data, struct browse_row *row)
{
	const struct browse_table *t = &data->functions;

	for (uint32_t i = 1; i < t->count; i++) {
		struct browse_row function = t->row(t->of, i);
		if (!is_same_function(&function, row))
			continue;
		for (int side = 0; side < BROWSE_SIDES; side++)
			row->side[side].present |= function.side[side].present;
	}
}

struct browse_row browse_code_row(const struct browse_data *data, const struct browse_row *row)
{
	const struct cause *c = row->cause;
	struct browse_row of = c && cause_is_call(c) ? data->paths.row(data->paths.of, c->caller)
						     : *row;

	add_sides_of_function(data, &of);
	return of;
}

/* ---- the line of a call ---- */

static struct place_function placed(const struct tree_row *row, const char *name)
{
	return (struct place_function){ .name = name, .object = row->object, .file = row->file };
}

static bool is_file(const struct code_side *side, const char *file)
{
	return side->file && side->file->file &&
	       strcmp(cg_string(side->profile, side->file->file), file) == 0;
}

int browse_call_line(const struct browse_data *data, const struct cause *cause,
		     const struct code_sides *sides, const struct code *code, size_t *line,
		     bool *found)
{
	const struct tree_row *rows = data->causes->tree->rows;
	const struct tree_row *caller = &rows[cause->caller], *callee = &rows[cause->row];
	const struct place_sides profiles = { .base = sides->side[BROWSE_BASE].profile,
					      .head = sides->side[BROWSE_HEAD].profile,
					      .metric = data->diff->options.metric,
					      .shrank = cause->delta < 0 };
	const struct place_call call = { .base_caller = placed(caller, caller->base_name),
					 .base_callee = placed(callee, callee->base_name),
					 .caller = placed(caller, caller->name),
					 .callee = placed(callee, callee->name),
					 .by_cost = cause->kind != CAUSE_CALLS };
	struct place at = { 0 };

	*found = false;
	if (place_of_call(&profiles, &call, &at))
		return CG_ENOMEM;
	const int side = at.in_base ? BROWSE_BASE : BROWSE_HEAD;
	if (!at.file || !is_file(&sides->side[side], at.file))
		return CG_OK;
	for (size_t i = 0; i < code->count && !*found; i++) {
		*line = i;
		*found = code->lines[i].in[side] && code->lines[i].number[side] == at.line;
	}
	return CG_OK;
}
