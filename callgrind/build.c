#include "callgrind/build.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/context_texts.h"
#include "callgrind/contexts.h"
#include "callgrind/inlined_links.h"
#include "callgrind/support/grow.h"
#include "callgrind/support/index.h"
#include "callgrind/support/number.h"

/* Sums that are kept per part and event: a file of nothing but `totals:` lines
 * must not fill the memory. A million parts of a few events remain possible. */
#define MAX_PART_SUMS (8 * 1024 * 1024)

/* Size of the tables that needs no input to explain it. */
#define FREE_SIZE (16 * 1024 * 1024)

/* A profile being built, with the capacities and indices that are needed only meanwhile. */
struct cg_builder {
	struct cg_profile *p;
	struct cg_detail detail;
	uint64_t input;    /* bytes that were read */
	uint64_t *sizes;   /* of all self costs, per event; NULL before the first part */
	uint64_t any_size; /* the bits of all of them */
	/* Self costs that one record got in a row; not yet in its sum, nor in that of the part. */
	int64_t *pending;
	uint32_t pending_record; /* 0: nothing is pending */
	uint32_t last_line;
	size_t events_cap, parts_cap, descs_cap;
	size_t functions_cap, records_cap, calls_cap, call_places_cap, lines_cap, jumps_cap;
	size_t record_self_cap, call_cost_cap, line_self_cap;
	struct cg_inlined_links links;
	struct cg_context_texts contexts;
	struct cg_index descs, functions, records, calls, lines, jumps; /* descs by row + 1 */
};

int cg_builder_new(struct cg_builder **out, const struct cg_detail *detail)
{
	struct cg_builder *b = calloc(1, sizeof *b);
	if (!b)
		return CG_ENOMEM;
	b->p = calloc(1, sizeof *b->p);
	if (!b->p || cg_strings_init(&b->p->strings)) {
		cg_builder_free(b);
		return CG_ENOMEM;
	}

	b->detail = *detail;
	b->detail.lines |= detail->addresses;
	b->p->has_calls = !b->detail.no_calls;
	b->p->has_lines = b->detail.lines;
	b->p->has_addresses = b->detail.addresses;
	b->p->has_contexts = b->detail.contexts;
	/* Row 0 of these tables means "none". */
	b->p->nfunctions = b->p->nrecords = b->p->ncalls = b->p->nlines = b->p->njumps = 1;
	*out = b;
	return CG_OK;
}

void cg_builder_free(struct cg_builder *b)
{
	if (!b)
		return;
	cg_profile_free(b->p);
	free(b->sizes);
	free(b->pending);
	cg_inlined_links_free(&b->links);
	cg_context_texts_free(&b->contexts);
	cg_index_free(&b->descs);
	cg_index_free(&b->functions);
	cg_index_free(&b->records);
	cg_index_free(&b->calls);
	cg_index_free(&b->lines);
	cg_index_free(&b->jumps);
	free(b);
}

static int reserve_call_place(struct cg_builder *b)
{
	struct cg_profile *p = b->p;

	return p->has_lines ? cg_grow(&p->call_places, &b->call_places_cap, p->ncalls + 1,
				      sizeof *p->call_places)
			    : CG_OK;
}

/* Tables that stayed empty still need their row 0. */
static int reserve_row_zero(struct cg_builder *b)
{
	struct cg_profile *p = b->p;
	size_t n = p->nevents ? p->nevents : 1;

	if (cg_grow(&p->functions, &b->functions_cap, 1, sizeof *p->functions) ||
	    cg_grow(&p->records, &b->records_cap, 1, sizeof *p->records) ||
	    cg_grow(&p->calls, &b->calls_cap, 1, sizeof *p->calls) || reserve_call_place(b) ||
	    cg_grow(&p->lines, &b->lines_cap, 1, sizeof *p->lines) ||
	    cg_grow(&p->jumps, &b->jumps_cap, 1, sizeof *p->jumps) ||
	    cg_grow(&p->record_self, &b->record_self_cap, n, sizeof *p->record_self) ||
	    cg_grow(&p->call_cost, &b->call_cost_cap, n, sizeof *p->call_cost) ||
	    cg_grow(&p->line_self, &b->line_self_cap, n, sizeof *p->line_self))
		return CG_ENOMEM;

	memset(&p->functions[0], 0, sizeof p->functions[0]);
	memset(&p->records[0], 0, sizeof p->records[0]);
	memset(&p->calls[0], 0, sizeof p->calls[0]);
	if (p->call_places)
		memset(&p->call_places[0], 0, sizeof p->call_places[0]);
	memset(&p->lines[0], 0, sizeof p->lines[0]);
	memset(&p->jumps[0], 0, sizeof p->jumps[0]);
	memset(p->record_self, 0, n * sizeof *p->record_self);
	memset(p->call_cost, 0, n * sizeof *p->call_cost);
	memset(p->line_self, 0, n * sizeof *p->line_self);
	return CG_OK;
}

/* The sums cannot overflow, as the sizes do not. */
static void add_pending(struct cg_builder *b)
{
	struct cg_profile *p = b->p;

	if (!b->pending_record)
		return;
	cg_add_costs(p->parts[p->nparts - 1].self, b->pending, p->nevents);
	cg_add_costs(p->record_self + (size_t)b->pending_record * p->nevents, b->pending,
		     p->nevents);
	memset(b->pending, 0, p->nevents * sizeof *b->pending);
	b->pending_record = 0;
}

const struct cg_profile *cg_builder_profile(struct cg_builder *b)
{
	add_pending(b);
	return b->p;
}

int cg_builder_finish(struct cg_builder *b, struct cg_profile **out)
{
	struct cg_profile *p = b->p;
	add_pending(b);
	int status = reserve_row_zero(b);
	if (!status && p->has_inlined && !b->detail.no_calls)
		status = cg_inlined_links_make(&b->links, b);

	p->bytes = b->input;
	p->total = calloc(p->nevents ? p->nevents : 1, sizeof *p->total);
	if (!p->total)
		status = CG_ENOMEM;
	for (uint32_t i = 0; !status && i < p->nparts; i++)
		if (!cg_add_costs(p->total, p->parts[i].self, p->nevents))
			status = CG_ERANGE;
	if (!status) {
		*out = p;
		b->p = NULL;
	}
	cg_builder_free(b);
	return status;
}

void cg_build_read(struct cg_builder *b, size_t bytes)
{
	b->input += bytes;
}

uint64_t cg_builder_secret(const struct cg_builder *b)
{
	return b->p->strings.secret;
}

uint64_t cg_build_input(const struct cg_builder *b)
{
	return b->input;
}

/* Bytes of the tables that grow with the input, without the room they have left. */
static uint64_t tables_size(const struct cg_builder *b)
{
	const struct cg_profile *p = b->p;
	enum { INDEXED = 2 * sizeof(struct cg_index_slot) };
	uint64_t costs = p->nevents * sizeof(uint64_t);

	return p->strings.nbytes + p->strings.count * (sizeof *p->strings.offset + INDEXED) +
	       p->contexts.ncallers * sizeof *p->contexts.callers +
	       p->contexts.count * (sizeof *p->contexts.end + INDEXED) +
	       b->contexts.index.count * INDEXED +
	       (p->nparts + p->left_out) * (sizeof *p->parts + 3 * costs) +
	       p->nfunctions * (uint64_t)(sizeof *p->functions + INDEXED) +
	       p->nrecords * (sizeof *p->records + INDEXED + costs) +
	       p->ncalls * (sizeof *p->calls + INDEXED + costs) +
	       (p->call_places ? p->ncalls * sizeof *p->call_places : 0) +
	       p->nlines * (sizeof *p->lines + INDEXED + costs) +
	       cg_inlined_links_size(&b->links, p->nevents);
}

/* Files of Valgrind with all its 14 events need up to 6 times their length, with
 * addresses 17 times. More events than that, each line with one of them, could
 * need a hundred times as much. */
int cg_build_check_size_with(const struct cg_builder *b, uint64_t besides)
{
	uint64_t most_per_byte = b->detail.lines ? 32 : 16;
	bool fits = tables_size(b) + besides <= FREE_SIZE + most_per_byte * b->input;
	return fits ? CG_OK : CG_ERANGE;
}

int cg_build_check_size(const struct cg_builder *b)
{
	return cg_build_check_size_with(b, 0);
}

int cg_build_string(struct cg_builder *b, const char *text, size_t len, cg_str *id)
{
	return cg_strings_add(&b->p->strings, text, len, id);
}

int cg_build_hashed(struct cg_builder *b, const char *text, size_t len, uint32_t hash, cg_str *id)
{
	return cg_strings_add_hashed(&b->p->strings, text, len, hash, id);
}

int cg_build_context(struct cg_builder *b, const char *text, size_t len, uint32_t hash,
		     uint32_t *context)
{
	return cg_context_texts_find(&b->contexts, b->p, text, len, hash, context);
}

int cg_build_callers(struct cg_builder *b, const cg_str *callers, size_t count, uint32_t *context)
{
	return cg_contexts_add(&b->p->contexts, callers, count, context);
}

void cg_build_prefetch_context(const struct cg_builder *b, uint32_t hash, enum cg_text_stage stage)
{
	cg_context_texts_prefetch(&b->contexts, b->p, hash, stage);
}

int cg_build_creator(struct cg_builder *b, cg_str creator)
{
	b->p->creator = creator;
	return CG_OK;
}

int cg_build_event(struct cg_builder *b, const struct cg_event *event)
{
	struct cg_profile *p = b->p;
	if (p->nevents >= CG_MAX_EVENTS)
		return CG_ERANGE;
	if (p->nparts > 0)
		return CG_EINVAL;
	if (cg_grow(&p->events, &b->events_cap, p->nevents + 1, sizeof *p->events))
		return CG_ENOMEM;
	p->events[p->nevents++] = *event;
	return CG_OK;
}

static uint64_t keyed(const struct cg_builder *b, uint64_t x, uint64_t y)
{
	return cg_hash_keyed(cg_hash_keyed(b->p->strings.secret, x), y);
}

/* Two ids as one number: each mixing takes as long as what it saves. */
static inline uint64_t both_ids(uint32_t x, uint32_t y)
{
	return (uint64_t)x << 32 | y;
}

/* A key that is looked up in an index. */
struct build_key {
	const struct cg_profile *p;
	const void *row;
};

static bool same_desc(const void *context, uint32_t id)
{
	const struct build_key *k = context;
	const struct cg_desc *a = k->row, *d = &k->p->descs[id - 1];
	return a->key == d->key && a->value == d->value;
}

int cg_build_desc(struct cg_builder *b, cg_str key, cg_str value)
{
	struct cg_profile *p = b->p;
	struct cg_desc desc = { key, value };
	struct build_key k = { p, &desc };
	uint32_t hash = (uint32_t)keyed(b, key, value);

	if (cg_index_find(&b->descs, hash, same_desc, &k))
		return CG_OK;
	if (p->ndescs == UINT32_MAX)
		return CG_ERANGE;
	if (cg_grow(&p->descs, &b->descs_cap, (size_t)p->ndescs + 1, sizeof *p->descs) ||
	    cg_index_reserve(&b->descs))
		return CG_ENOMEM;
	p->descs[p->ndescs++] = desc;
	cg_index_insert(&b->descs, hash, p->ndescs);
	return CG_OK;
}

int cg_build_part(struct cg_builder *b)
{
	struct cg_profile *p = b->p;
	if (p->nevents == 0)
		return CG_EINVAL;
	if ((size_t)p->nparts * p->nevents >= MAX_PART_SUMS)
		return CG_ERANGE;
	if (cg_grow(&p->parts, &b->parts_cap, p->nparts + 1, sizeof *p->parts))
		return CG_ENOMEM;

	add_pending(b);
	if (!b->sizes)
		b->sizes = calloc(p->nevents, sizeof *b->sizes);
	if (!b->pending)
		b->pending = calloc(p->nevents, sizeof *b->pending);
	int64_t *self = b->sizes && b->pending ? calloc(p->nevents, sizeof *self) : NULL;
	if (!self)
		return CG_ENOMEM;
	p->parts[p->nparts++] = (struct cg_part){ .self = self };
	return CG_OK;
}

struct cg_part *cg_builder_part(struct cg_builder *b)
{
	add_pending(b);
	return b->p->nparts ? &b->p->parts[b->p->nparts - 1] : NULL;
}

static int set_numbers(const struct cg_builder *b, int64_t **numbers, const int64_t *from)
{
	size_t size = b->p->nevents * sizeof *from;
	if (!*numbers && !(*numbers = malloc(size)))
		return CG_ENOMEM;
	memcpy(*numbers, from, size);
	return CG_OK;
}

int cg_build_totals(struct cg_builder *b, const int64_t *totals)
{
	struct cg_part *part = cg_builder_part(b);
	return part ? set_numbers(b, &part->totals, totals) : CG_EINVAL;
}

int cg_build_summary(struct cg_builder *b, const int64_t *summary)
{
	struct cg_part *part = cg_builder_part(b);
	return part ? set_numbers(b, &part->summary, summary) : CG_EINVAL;
}

void cg_build_addresses(struct cg_builder *b)
{
	b->p->of_addresses = true;
}

void cg_build_levels(struct cg_builder *b)
{
	b->p->has_levels = true;
}

void cg_build_left_out(struct cg_builder *b)
{
	b->p->left_out++;
}

void cg_build_skipped(struct cg_builder *b)
{
	b->p->skipped++;
}

void cg_build_redefined(struct cg_builder *b)
{
	b->p->redefined++;
}

/*
 * Adds row *count of `size` bytes to a table, together with its row of costs
 * (all zero) where the table has one, and enters it in the index.
 */
struct build_table {
	void *rows;
	size_t *rows_cap;
	uint32_t *count;
	size_t size;
	void *costs;
	size_t *costs_cap;
	struct cg_index *index;
};

static int build_add_row(const struct cg_builder *b, const struct build_table *t, const void *row,
			 uint32_t hash, uint32_t *id)
{
	size_t n = b->p->nevents;
	if (*t->count == UINT32_MAX)
		return CG_ERANGE;
	if (cg_grow(t->rows, t->rows_cap, (size_t)*t->count + 1, t->size) ||
	    cg_index_reserve(t->index) ||
	    (t->costs &&
	     cg_grow(t->costs, t->costs_cap, ((size_t)*t->count + 1) * n, sizeof(int64_t))))
		return CG_ENOMEM;

	char *rows;
	memcpy(&rows, t->rows, sizeof rows);
	memcpy(rows + (size_t)*t->count * t->size, row, t->size);
	if (t->costs) {
		int64_t *costs;
		memcpy(&costs, t->costs, sizeof costs);
		memset(costs + (size_t)*t->count * n, 0, n * sizeof *costs);
	}
	*id = (*t->count)++;
	cg_index_insert(t->index, hash, *id);
	return CG_OK;
}

static bool same_function(const void *context, uint32_t id)
{
	const struct build_key *k = context;
	const struct cg_function *a = k->row, *f = &k->p->functions[id];
	return a->name == f->name && a->object == f->object && a->file == f->file;
}

int cg_build_function(struct cg_builder *b, const struct cg_function *f, uint32_t *function)
{
	struct cg_profile *p = b->p;
	uint32_t hash = (uint32_t)keyed(b, both_ids(f->name, f->object), f->file);
	struct build_key k = { p, f };

	*function = cg_index_find(&b->functions, hash, same_function, &k);
	if (*function)
		return CG_OK;
	struct build_table t = { .rows = &p->functions,
				 .rows_cap = &b->functions_cap,
				 .count = &p->nfunctions,
				 .size = sizeof *f,
				 .index = &b->functions };
	return build_add_row(b, &t, f, hash, function);
}

static bool build_same_record(const void *context, uint32_t id)
{
	const struct build_key *k = context;
	const struct cg_record *a = k->row, *r = &k->p->records[id];
	return a->function == r->function && a->level == r->level && a->context == r->context &&
	       a->inlined_into == r->inlined_into;
}

static void note_callers(struct cg_profile *p, uint32_t context)
{
	size_t callers = cg_contexts_size(&p->contexts, context);

	if (callers > p->most_callers)
		p->most_callers = (uint32_t)callers;
}

int cg_build_record(struct cg_builder *b, const struct cg_record *r, uint32_t *record)
{
	struct cg_profile *p = b->p;
	struct cg_record kept = *r;
	if (p->nevents == 0)
		return CG_EINVAL;
	if (!b->detail.contexts)
		kept.context = 0;
	if (kept.level > 1)
		p->has_levels = true;
	p->has_inlined |= kept.inlined_into != 0;
	if (b->detail.max_level && kept.level > b->detail.max_level)
		kept.level = b->detail.max_level;

	uint32_t hash = (uint32_t)keyed(b, both_ids(kept.function, kept.level),
					both_ids(kept.context, kept.inlined_into));
	struct build_key k = { p, &kept };

	*record = cg_index_find(&b->records, hash, build_same_record, &k);
	if (*record)
		return CG_OK;
	note_callers(p, kept.context);
	struct build_table t = { .rows = &p->records,
				 .rows_cap = &b->records_cap,
				 .count = &p->nrecords,
				 .size = sizeof kept,
				 .costs = &p->record_self,
				 .costs_cap = &b->record_self_cap,
				 .index = &b->records };
	return build_add_row(b, &t, &kept, hash, record);
}

int cg_build_entries(struct cg_builder *b, uint32_t record, uint64_t count)
{
	return cg_inlined_links_enter(&b->links, record, count);
}

int cg_build_site(struct cg_builder *b, uint32_t record, const struct cg_position *at,
		  uint64_t count, const int64_t *costs)
{
	if (!b->detail.lines || b->detail.no_calls || !at->line)
		return CG_OK;
	return cg_inlined_links_add(&b->links, b->p, record, at, count, costs);
}

static bool same_line(const void *context, uint32_t id)
{
	const struct build_key *k = context;
	const struct cg_line *a = k->row, *l = &k->p->lines[id];
	return a->record == l->record && a->file == l->file && a->line == l->line &&
	       a->address == l->address;
}

/* Where code is in several contexts, its lines come in the same order, with some left out. */
static uint32_t following_line(const struct cg_builder *b, const struct build_key *k)
{
	enum { LEFT_OUT = 3 };
	uint32_t end = b->last_line + 2 + LEFT_OUT;

	for (uint32_t id = b->last_line + 1; id < end && id < b->p->nlines; id++)
		if (same_line(k, id))
			return id;
	return 0;
}

static int build_find_line(struct cg_builder *b, const struct cg_line *line, uint32_t *id)
{
	struct cg_profile *p = b->p;
	struct build_key k = { p, line };

	*id = following_line(b, &k);
	if (*id)
		return CG_OK;
	uint64_t mixed = keyed(b, both_ids(line->record, line->file), line->line);
	uint32_t hash = (uint32_t)cg_hash_keyed(mixed, line->address);
	*id = cg_index_find(&b->lines, hash, same_line, &k);
	if (*id)
		return CG_OK;
	struct build_table t = { .rows = &p->lines,
				 .rows_cap = &b->lines_cap,
				 .count = &p->nlines,
				 .size = sizeof *line,
				 .costs = &p->line_self,
				 .costs_cap = &b->line_self_cap,
				 .index = &b->lines };
	return build_add_row(b, &t, line, hash, id);
}

/* The sums cannot overflow, as the sizes do not. */
static int build_add_line(struct cg_builder *b, uint32_t record, const struct cg_position *at,
			  const int64_t *costs)
{
	struct cg_line line = { .record = record,
				.file = at->file,
				.line = at->line,
				.address = b->detail.addresses ? at->address : 0 };
	int status = build_find_line(b, &line, &b->last_line);

	if (!status)
		cg_add_costs(b->p->line_self + (size_t)b->last_line * b->p->nevents, costs,
			     b->p->nevents);
	return status;
}

bool cg_build_self_fits(const struct cg_builder *b, const int64_t *costs)
{
	bool fits = true;
	for (uint32_t e = 0; b->sizes && e < b->p->nevents; e++)
		fits &= b->sizes[e] + cg_magnitude(costs[e]) <= INT64_MAX;
	return fits;
}

bool cg_build_nears_limit(const struct cg_builder *b)
{
	return b->any_size >> 62;
}

/* Nothing is changed if they do not fit. */
static bool add_sizes(struct cg_builder *b, const int64_t *costs)
{
	uint32_t n = b->p->nevents;
	uint64_t any = 0;

	for (uint32_t e = 0; e < n; e++)
		any |= b->sizes[e] += cg_magnitude(costs[e]);
	b->any_size = any;
	if (any <= INT64_MAX)
		return true;
	for (uint32_t e = 0; e < n; e++)
		b->sizes[e] -= cg_magnitude(costs[e]);
	return false;
}

int cg_build_self(struct cg_builder *b, uint32_t record, const struct cg_position *at,
		  const int64_t *costs)
{
	if (b->p->nparts == 0)
		return CG_EINVAL;
	if (!add_sizes(b, costs))
		return CG_ERANGE;
	if (b->pending_record != record)
		add_pending(b);
	b->pending_record = record;
	cg_add_costs(b->pending, costs, b->p->nevents);
	return b->detail.lines ? build_add_line(b, record, at, costs) : CG_OK;
}

static bool same_call(const void *context, uint32_t id)
{
	const struct build_key *k = context;
	const struct cg_call_ahead *a = k->row;
	const struct cg_call *c = &k->p->calls[id];
	const struct cg_position *at = k->p->call_places ? &k->p->call_places[id] : NULL;
	return a->call.caller == c->caller && a->call.callee == c->callee &&
	       (!at ||
		(a->at.file == at->file && a->at.line == at->line && a->at.address == at->address));
}

void cg_build_call_begin(const struct cg_builder *b, uint32_t caller, uint32_t callee,
			 const struct cg_position *at, struct cg_call_ahead *ahead)
{
	*ahead = (struct cg_call_ahead){ .call = { .caller = caller, .callee = callee } };
	if (b->detail.lines)
		ahead->at = *at;
	if (!b->detail.addresses)
		ahead->at.address = 0;
	uint64_t mixed = keyed(b, both_ids(caller, callee),
			       both_ids(ahead->at.file, ahead->at.line));
	ahead->hash = (uint32_t)cg_hash_keyed(mixed, ahead->at.address);
	cg_index_prefetch(&b->calls, ahead->hash);
}

void cg_build_call_prefetch(const struct cg_builder *b, const struct cg_call_ahead *ahead)
{
	uint32_t id = cg_index_first(&b->calls, ahead->hash);

	if (!id)
		return;
	__builtin_prefetch(&b->p->calls[id]);
	__builtin_prefetch(&b->p->call_cost[(size_t)id * b->p->nevents]);
}

int cg_build_call_end(struct cg_builder *b, const struct cg_call_ahead *ahead, uint64_t count,
		      const int64_t *costs)
{
	struct cg_profile *p = b->p;
	struct build_key k = { p, ahead };
	if (b->detail.no_calls)
		return CG_OK;

	uint32_t id = cg_index_find(&b->calls, ahead->hash, same_call, &k);
	if (!id) {
		struct build_table t = { .rows = &p->calls,
					 .rows_cap = &b->calls_cap,
					 .count = &p->ncalls,
					 .size = sizeof ahead->call,
					 .costs = &p->call_cost,
					 .costs_cap = &b->call_cost_cap,
					 .index = &b->calls };
		int status = reserve_call_place(b);
		if (!status)
			status = build_add_row(b, &t, &ahead->call, ahead->hash, &id);
		if (status)
			return status;
		if (p->call_places)
			p->call_places[id] = ahead->at;
	}
	int64_t *sum = p->call_cost + (size_t)id * p->nevents;
	if (__builtin_add_overflow(p->calls[id].count, count, &p->calls[id].count) ||
	    !cg_add_costs(sum, costs, p->nevents))
		return CG_ERANGE;
	return CG_OK;
}

int cg_build_call(struct cg_builder *b, uint32_t caller, uint32_t callee,
		  const struct cg_position *at, uint64_t count, const int64_t *costs)
{
	struct cg_call_ahead ahead;

	cg_build_call_begin(b, caller, callee, at, &ahead);
	return cg_build_call_end(b, &ahead, count, costs);
}

static bool same_jump(const void *context, uint32_t id)
{
	const struct build_key *k = context;
	const struct cg_jump *a = k->row, *j = &k->p->jumps[id];
	return a->object == j->object && a->address == j->address && a->target == j->target;
}

int cg_build_jumps(struct cg_builder *b, const struct cg_jump *jumps, uint64_t executed)
{
	struct cg_profile *p = b->p;
	struct cg_jump none = *jumps;
	struct build_key k = { p, jumps };

	if (!b->detail.jumps || !jumps->count)
		return CG_OK;
	p->stray_jumps |= jumps->count > executed;
	none.count = 0;
	uint64_t mixed = keyed(b, jumps->object, jumps->address);
	uint32_t hash = (uint32_t)cg_hash_keyed(mixed, jumps->target);
	uint32_t id = cg_index_find(&b->jumps, hash, same_jump, &k);
	if (!id) {
		struct build_table t = { .rows = &p->jumps,
					 .rows_cap = &b->jumps_cap,
					 .count = &p->njumps,
					 .size = sizeof none,
					 .index = &b->jumps };
		int status = build_add_row(b, &t, &none, hash, &id);
		if (status)
			return status;
	}
	return __builtin_add_overflow(p->jumps[id].count, jumps->count, &p->jumps[id].count)
		       ? CG_ERANGE
		       : CG_OK;
}
