#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/report/insights.h"
#include "src/report/json/instructions.h"
#include "src/report/json/members.h"
#include "src/report/show.h"

#define ASM_VERSION 1

/* Numbers of JSON are not large enough for all of them. */
static void add_address(struct json *j, const char *key, uint64_t address)
{
	char text[20];

	snprintf(text, sizeof text, "0x%" PRIx64, address);
	json_text(j, key, text);
}

static void add_inlined_frames(struct json *j, const struct cg_profile *p, uint32_t record)
{
	json_begin_array(j, "inlined");
	for (; record && p->records[record].inlined_into; record = p->records[record].inlined_into)
		json_text(j, NULL, cg_string(p, p->functions[p->records[record].function].name));
	json_end(j);
}

static void add_called_functions(struct json *j, const struct asm_listing *l,
				 const struct asm_row *row)
{
	const struct cg_profile *p = l->profile;

	json_begin_array(j, "calls");
	for (size_t i = row->call; i < row->call + row->ncalls; i++) {
		json_begin_object(j, NULL);
		json_text(j, "function", cg_string(p, p->functions[l->calls[i].callee].name));
		json_count(j, "count", l->calls[i].count);
		json_end(j);
	}
	json_end(j);
}

static void add_jumps(struct json *j, const struct asm_listing *l, const struct asm_row *row)
{
	if (!row->knows_jumps) {
		json_none(j, "jumps");
		return;
	}
	json_begin_object(j, "jumps");
	json_count(j, "executed", row->executions);
	json_begin_array(j, "to");
	for (size_t i = row->jump; i < row->jump + row->njumps; i++) {
		json_begin_object(j, NULL);
		add_address(j, "target", l->jumps[i].target);
		json_count(j, "count", l->jumps[i].count);
		json_end(j);
	}
	json_end(j);
	json_end(j);
}

void json_add_instruction(struct json *j, const struct asm_listing *l, const struct asm_row *row)
{
	const struct asm_instruction *i = &row->instruction;

	add_address(j, "address", i->address);
	json_text(j, "text", i->text ? cg_strings_get(l->texts, i->text) : NULL);
	json_text(j, "file", row->file ? cg_string(l->profile, row->file) : NULL);
	if (row->line)
		json_count(j, "line", row->line);
	else
		json_none(j, "line");
	add_inlined_frames(j, l->profile, row->record);
	if (i->target)
		add_address(j, "target", i->target);
	else
		json_none(j, "target");
	add_jumps(j, l, row);
	json_flag(j, "vector", i->vector);
	add_called_functions(j, l, row);
}

void json_add_missing_code(struct json *j, const struct asm_listing *l)
{
	json_begin_array(j, "missing");
	for (size_t i = 0; l && i < l->nmissing; i++) {
		const struct asm_missing *m = &l->missing[i];
		json_begin_object(j, NULL);
		json_text(j, "object", m->object);
		json_text(j, "build_id", m->code ? m->code->build_id : NULL);
		json_text(j, "reason",
			  !m->code ? "it was not kept with the profile"
				   : cg_code_state_words(m->code->state == CG_CODE_FOUND
								 ? CG_CODE_OUTSIDE
								 : m->code->state));
		json_end(j);
	}
	json_end(j);
}

/* ---- one profile ---- */

static void add_asm_costs(struct json *j, const char *key, const struct show_report *r,
			  const int64_t *costs)
{
	json_begin_object(j, key);
	for (size_t i = 0; i < r->nevents; i++) {
		const struct cg_event *e = &r->profile->events[r->events[i]];
		json_cost(j, cg_string(r->profile, e->name), costs ? costs[r->events[i]] : 0);
	}
	json_end(j);
}

static void add_asm_function(struct json *j, const struct show_report *r,
			     const struct report_instructions *of)
{
	const struct asm_listing *l = of->listing;
	const struct cg_function *f = &r->profile->functions[of->function];

	json_begin_object(j, NULL);
	json_text(j, "function", view_function(r->profile, of->function));
	json_text(j, "object", f->object ? cg_string(r->profile, f->object) : NULL);
	json_text(j, "file", f->file ? cg_string(r->profile, f->file) : NULL);
	json_count(j, "executed", l->executed);
	add_asm_costs(j, "self", r, l->self);
	if (l->nmissing)
		json_none(j, "self_of_vectors");
	else
		add_asm_costs(j, "self_of_vectors", r, l->vector);
	json_add_missing_code(j, l);
	json_begin_array(j, "instructions");
	for (size_t i = 0; i < l->nrows; i++) {
		json_begin_object(j, NULL);
		json_add_instruction(j, l, &l->rows[i]);
		json_flag(j, "executed", l->rows[i].executed);
		add_asm_costs(j, "self", r, l->rows[i].self);
		json_end(j);
	}
	json_end(j);
	json_end(j);
}

int show_asm_json(const struct show_report *r, FILE *to)
{
	struct json *j = json_new();
	if (!j)
		return CG_ENOMEM;

	json_text(j, "schema", "irdiff/asm");
	json_count(j, "version", ASM_VERSION);
	json_add_profile(j, r->profile, &r->origin);
	add_asm_costs(j, "totals", r, r->profile->total);
	json_text(j, "sorted_by", r->sort);
	json_text(j, "filter", r->filter);
	json_count(j, "hidden", r->instructions_hidden);
	json_begin_array(j, "functions");
	for (size_t i = 0; i < r->ninstructions; i++)
		add_asm_function(j, r, &r->instructions[i]);
	json_end(j);
	insights_json(j, r->insights);
	return json_finish(j, to);
}
