#include "callgrind/coarsen.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/inlined_records.h"
#include "callgrind/name_clones.h"

struct coarsening {
	const struct cg_profile *p;
	const struct cg_read_options *how;
	struct cg_builder *b;
	struct cg_inlined_records *inlined; /* NULL: nothing is known to be */
	cg_str *strings;                    /* those of p in the new one; 0: not needed yet */
	uint32_t *records;                  /* those of p in the new one; 0: not needed */
};

/* ---- what is taken over ---- */

static int take_string(struct coarsening *c, cg_str from, cg_str *to)
{
	const char *text = cg_string(c->p, from);
	int status = CG_OK;

	if (from && !c->strings[from])
		status = cg_build_string(c->b, text, strlen(text), &c->strings[from]);
	*to = c->strings[from];
	return status;
}

/* Copies several strings, up to the first failure. */
static int take_strings(struct coarsening *c, const cg_str *const from[], cg_str *const to[],
			size_t count)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < count; i++)
		status = take_string(c, *from[i], to[i]);
	return status;
}

static int take_events(struct coarsening *c)
{
	int status = CG_OK;

	for (uint32_t i = 0; !status && i < c->p->nevents; i++) {
		const struct cg_event *e = &c->p->events[i];
		struct cg_event event;
		status = take_strings(
			c, (const cg_str *const[]){ &e->name, &e->long_name, &e->formula },
			(cg_str *const[]){ &event.name, &event.long_name, &event.formula }, 3);
		if (!status)
			status = cg_build_event(c->b, &event);
	}
	return status;
}

static int take_descs(struct coarsening *c)
{
	int status = CG_OK;

	for (uint32_t i = 0; !status && i < c->p->ndescs; i++) {
		const struct cg_desc *d = &c->p->descs[i];
		cg_str key, value;
		status = take_strings(c, (const cg_str *const[]){ &d->key, &d->value },
				      (cg_str *const[]){ &key, &value }, 2);
		if (!status)
			status = cg_build_desc(c->b, key, value);
	}
	return status;
}

static int take_part(struct coarsening *c, const struct cg_part *from)
{
	int status = cg_build_part(c->b);
	if (status)
		return status;

	struct cg_part *part = cg_builder_part(c->b);
	part->pid = from->pid;
	part->thread = from->thread;
	part->number = from->number;
	status = take_strings(
		c, (const cg_str *const[]){ &from->file, &from->command, &from->trigger },
		(cg_str *const[]){ &part->file, &part->command, &part->trigger }, 3);
	if (!status && from->totals)
		status = cg_build_totals(c->b, from->totals);
	if (!status && from->summary)
		status = cg_build_summary(c->b, from->summary);
	return status;
}

static int coarsen_take_header(struct coarsening *c)
{
	const struct cg_profile *p = c->p;
	cg_str creator;
	int status = take_string(c, p->creator, &creator);

	if (!status)
		status = cg_build_creator(c->b, creator);
	if (!status)
		status = take_events(c);
	if (!status)
		status = take_descs(c);
	for (uint32_t i = 0; !status && i < p->nparts; i++)
		status = take_part(c, &p->parts[i]);
	if (p->of_addresses)
		cg_build_addresses(c->b);
	if (p->has_levels)
		cg_build_levels(c->b);
	return status;
}

/* Counts that the builder only accepts one by one. */
static void coarsen_take_counts(const struct coarsening *c, struct cg_profile *made)
{
	made->left_out = c->p->left_out;
	made->bytes = c->p->bytes;
	made->skipped = c->p->skipped;
	made->redefined = c->p->redefined;
}

/* Which part a line was in is not known any more: the builder has counted all for the last. */
static void take_sums_of_parts(const struct coarsening *c, struct cg_profile *made)
{
	for (uint32_t i = 0; i < c->p->nparts; i++)
		memcpy(made->parts[i].self, c->p->parts[i].self,
		       c->p->nevents * sizeof *made->total);
}

/* ---- functions and records ---- */

static bool is_cold(const struct coarsening *c, const char *name)
{
	size_t len = strlen(name);
	return c->how->join_cold && cg_name_without_cold(name, len) < len;
}

static const char *coarsen_name_of(const struct coarsening *c, uint32_t record)
{
	const struct cg_profile *p = c->p;
	return cg_string(p, p->functions[p->records[record].function].name);
}

static int coarsen_take_name(struct coarsening *c, cg_str from, cg_str *to)
{
	const char *name = cg_string(c->p, from);

	return is_cold(c, name)
		       ? cg_build_string(c->b, name, cg_name_without_cold(name, strlen(name)), to)
		       : take_string(c, from, to);
}

static int take_record(struct coarsening *c, uint32_t record)
{
	const struct cg_record *from = &c->p->records[record];
	const struct cg_function *f = &c->p->functions[from->function];
	struct cg_record r = { .level = from->level,
			       .inlined_into = c->records[from->inlined_into] };
	struct cg_function function;
	int status = take_strings(c, (const cg_str *const[]){ &f->object, &f->file },
				  (cg_str *const[]){ &function.object, &function.file }, 2);

	if (!status)
		status = coarsen_take_name(c, f->name, &function.name);
	if (!status && !from->inlined_into)
		status = cg_inlined_records_function(c->inlined, &function);
	if (!status)
		status = cg_build_function(c->b, &function, &r.function);
	return status ? status : cg_build_record(c->b, &r, &c->records[record]);
}

/* Adds all records that are not inlined, whether they have costs or not. */
static int take_records(struct coarsening *c)
{
	int status = CG_OK;

	for (uint32_t r = 1; !status && r < c->p->nrecords; r++)
		if (!c->p->records[r].inlined_into)
			status = take_record(c, r);
	return status;
}

/* Adds inlined records that have costs; readers have limited how deep they are inlined. */
static int take_inlined(struct coarsening *c, uint32_t record)
{
	if (c->records[record])
		return CG_OK;
	int status = take_inlined(c, c->p->records[record].inlined_into);
	return status ? status : take_record(c, record);
}

/* Whether a record is an interpreter at work that is not to be kept apart. */
static bool runs_outer(const struct coarsening *c, uint32_t record, uint32_t outer)
{
	const struct cg_profile *p = c->p;

	return !c->how->keep_interpreters && p->functions[p->records[record].function].object &&
	       !p->functions[p->records[outer].function].object;
}

/* What is known of the address takes precedence over inlining that the file records. */
static int find_record(struct coarsening *c, uint32_t from, struct cg_position *at,
		       uint32_t *record)
{
	uint32_t outer = cg_machine_record(c->p, from), around = c->records[outer];
	cg_str object = c->strings[c->p->functions[c->p->records[outer].function].object];
	int status = CG_OK;

	*record = around;
	if (runs_outer(c, from, outer)) {
		*at = (struct cg_position){ 0 };
		return take_string(c, c->p->functions[c->p->records[outer].function].file,
				   &at->file);
	}
	if (c->inlined)
		status = cg_inlined_records_find(c->inlined, object, around, at, record);
	if (status || *record != around)
		return status;
	status = take_inlined(c, from);
	*record = c->records[from];
	return status;
}

/* ---- costs ---- */

/* Calls of what is inlined at an address. */
static int enter(struct coarsening *c, uint32_t from, const struct cg_position *at,
		 const int64_t *costs)
{
	uint32_t outer = cg_machine_record(c->p, from);
	cg_str object = c->strings[c->p->functions[c->p->records[outer].function].object];

	return cg_inlined_records_enter(c->inlined, object, c->records[outer], at, costs);
}

static int coarsen_take_lines(struct coarsening *c)
{
	const struct cg_profile *p = c->p;
	int status = CG_OK;

	for (uint32_t i = 1; !status && i < p->nlines; i++) {
		const struct cg_line *l = &p->lines[i];
		struct cg_position at = { .line = l->line, .address = l->address };
		uint32_t record;
		status = take_string(c, l->file, &at.file);
		if (!status)
			status = find_record(c, l->record, &at, &record);
		if (!status && c->inlined)
			status = enter(c, l->record, &at, p->line_self + (size_t)i * p->nevents);
		if (!status)
			status = cg_build_self(c->b, record, &at,
					       p->line_self + (size_t)i * p->nevents);
		if (!status && c->inlined)
			status = cg_inlined_records_cost(c->inlined, record,
							 p->line_self + (size_t)i * p->nevents);
	}
	return status;
}

/* A function does not call its own cold part. */
static bool is_of_itself(const struct coarsening *c, const struct cg_call *call)
{
	uint32_t around = cg_machine_record(c->p, call->caller);
	return c->records[around] == c->records[call->callee] &&
	       is_cold(c, coarsen_name_of(c, call->callee));
}

static int take_call(struct coarsening *c, uint32_t number, const int64_t *costs)
{
	const struct cg_call *call = &c->p->calls[number];
	struct cg_position at = cg_call_place(c->p, number);
	uint32_t caller;
	int status = take_string(c, at.file, &at.file);

	if (!status)
		status = find_record(c, call->caller, &at, &caller);
	if (status || is_of_itself(c, call))
		return status;
	status = cg_build_call(c->b, caller, c->records[call->callee], &at, call->count, costs);
	if (!status && c->inlined)
		status = cg_inlined_records_cost(c->inlined, caller, costs);
	return status;
}

/* If addresses tell what is inlined, that may not be all that the file has. */
static int take_entries(struct coarsening *c, uint32_t number, const int64_t *costs)
{
	const struct cg_call *call = &c->p->calls[number];
	struct cg_position at = cg_call_place(c->p, number);
	int status = cg_build_entries(c->b, c->records[call->callee],
				      call->count ? call->count : CG_ENTRIES_UNKNOWN);

	if (status || c->inlined)
		return status;
	at.address = 0;
	status = take_string(c, at.file, &at.file);
	return status ? status
		      : cg_build_site(c->b, c->records[call->callee], &at, call->count, costs);
}

/* What links a record to code inlined into it is made anew by the builder. */
static int take_calls(struct coarsening *c)
{
	const struct cg_profile *p = c->p;
	int status = CG_OK;

	for (uint32_t i = 1; !status && i < p->ncalls; i++) {
		const int64_t *costs = p->call_cost + (size_t)i * p->nevents;
		if (!p->records[p->calls[i].callee].inlined_into)
			status = take_call(c, i, costs);
		else if (c->records[p->calls[i].callee])
			status = take_entries(c, i, costs);
	}
	return status;
}

static int coarsen_take_all(struct coarsening *c)
{
	int status = coarsen_take_header(c);

	if (!status && c->how->inlines)
		status = cg_inlined_records_new(c->b, c->how->inlines, &c->inlined);
	if (!status)
		status = take_records(c);
	if (!status)
		status = coarsen_take_lines(c);
	if (!status)
		status = take_calls(c);
	return status ? status : cg_inlined_records_finish(c->inlined);
}

/* ---- the whole ---- */

static bool can_be_made(const struct cg_profile *p, const struct cg_detail *wanted)
{
	return p->has_addresses && p->has_calls && !p->has_contexts && !wanted->contexts &&
	       !wanted->no_calls;
}

int cg_coarsen(const struct cg_profile *p, const struct cg_read_options *how,
	       struct cg_profile **out)
{
	struct coarsening c = { .p = p, .how = how };
	int status = CG_OK;

	if (!can_be_made(p, &how->detail))
		return CG_EINVAL;
	c.strings = calloc(p->strings.count + 1, sizeof *c.strings);
	c.records = calloc(p->nrecords, sizeof *c.records);
	if (!c.strings || !c.records)
		status = CG_ENOMEM;
	if (!status)
		status = cg_builder_new(&c.b, &how->detail);
	if (!status)
		status = coarsen_take_all(&c);
	cg_inlined_records_free(c.inlined);
	free(c.strings);
	free(c.records);
	if (status) {
		cg_builder_free(c.b);
		return status;
	}
	status = cg_builder_finish(c.b, out);
	if (!status) {
		coarsen_take_counts(&c, *out);
		take_sums_of_parts(&c, *out);
	}
	return status;
}
