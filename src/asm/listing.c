#include "src/asm/listing.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "cgprofile/error.h"

/* What a profile has of an address. */
struct asm_place {
	cg_str object;
	uint64_t address;
	uint32_t line; /* of the profile; 0: none */
	uint32_t call; /* of the profile; 0: none */
	uint32_t function;
};

struct asm_places {
	const struct cg_profile *p;
	struct asm_place *items; /* of all objects, sorted */
	size_t count;
};

struct listing_making {
	const struct cg_profile *p;
	const struct cg_code *code;
	const bool *chosen;
	struct cg_strings *texts;
	struct asm_listing *out;
	const struct asm_place *places;
	size_t nplaces;
	uint64_t *starts; /* the addresses of the range at hand, each once */
	size_t nstarts, starts_cap;
	struct asm_code decoded; /* the range at hand */
	size_t ncosts;           /* rows of costs that are taken */
};

/* ---- functions ---- */

uint32_t asm_machine_function(const struct cg_profile *p, uint32_t record)
{
	while (p->records[record].inlined_into)
		record = p->records[record].inlined_into;
	return p->records[record].function;
}

/* Whether it is a stub of the procedure linkage table, a jump to a function of a library. Valgrind
 * does not always know the object of its addresses, which are then run-time addresses, and would
 * be those of other code. */
static bool is_linkage_stub(const struct cg_profile *p, uint32_t function)
{
	static const char suffix[] = "@plt";
	const char *name = cg_string(p, p->functions[function].name);
	const size_t len = strlen(name), most = sizeof suffix - 1;

	return len > most && strcmp(name + len - most, suffix) == 0;
}

void asm_find_machine_functions(const struct cg_profile *p, const bool *chosen, bool *machine)
{
	memset(machine, 0, p->nfunctions * sizeof *machine);
	for (uint32_t r = 1; r < p->nrecords; r++)
		if (chosen[p->records[r].function])
			machine[asm_machine_function(p, r)] = true;
	for (uint32_t f = 1; f < p->nfunctions; f++)
		machine[f] = machine[f] && !is_linkage_stub(p, f);
}

/* ---- places ---- */

static int compare_asm_places(const void *left, const void *right, void *context)
{
	const struct asm_place *a = left, *b = right;
	const struct cg_profile *p = context;

	if (a->object != b->object)
		return strcmp(cg_string(p, a->object), cg_string(p, b->object));
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (a->call > b->call) - (a->call < b->call);
}

static void add_asm_place(struct asm_places *places, uint32_t record, uint64_t address,
			  uint32_t line, uint32_t call)
{
	uint32_t function = asm_machine_function(places->p, record);

	if (is_linkage_stub(places->p, function))
		return;
	places->items[places->count++] = (struct asm_place){ places->p->functions[function].object,
							     address, line, call, function };
}

int asm_places_make(const struct cg_profile *p, struct asm_places **out)
{
	struct asm_places *places = calloc(1, sizeof *places);

	if (!p->has_addresses || !places) {
		free(places);
		return p->has_addresses ? CG_ENOMEM : CG_EINVAL;
	}
	places->p = p;
	places->items = calloc((size_t)p->nlines + p->ncalls + 1, sizeof *places->items);
	if (!places->items) {
		free(places);
		return CG_ENOMEM;
	}
	for (uint32_t i = 1; i < p->nlines; i++)
		add_asm_place(places, p->lines[i].record, p->lines[i].address, i, 0);
	for (uint32_t i = 1; i < p->ncalls; i++)
		if (!p->records[p->calls[i].callee].inlined_into)
			add_asm_place(places, p->calls[i].caller, p->calls[i].address, 0, i);
	qsort_r(places->items, places->count, sizeof *places->items, compare_asm_places, (void *)p);
	*out = places;
	return CG_OK;
}

void asm_places_free(struct asm_places *places)
{
	if (places)
		free(places->items);
	free(places);
}

static bool is_own_place(const struct listing_making *m, size_t at)
{
	return m->chosen[m->places[at].function];
}

/* ---- rows ---- */

static struct asm_row *add_asm_row(struct listing_making *m, const struct asm_instruction *i)
{
	struct asm_listing *l = m->out;

	if (cg_grow(&l->rows, &l->rows_cap, l->nrows + 1, sizeof *l->rows))
		return NULL;
	struct asm_row *row = &l->rows[l->nrows];
	*row = (struct asm_row){ .instruction = *i, .call = l->ncalls };
	if (l->nrows) {
		const struct asm_instruction *last = &row[-1].instruction;
		row->gap = last->size && last->address + last->size != i->address;
	}
	l->nrows++;
	return row;
}

static int add_asm_call(struct listing_making *m, struct asm_row *row, const struct cg_call *c)
{
	struct asm_listing *l = m->out;
	uint32_t callee = m->p->records[c->callee].function;

	for (size_t i = row->call; i < l->ncalls; i++)
		if (l->calls[i].callee == callee)
			return __builtin_add_overflow(l->calls[i].count, c->count,
						      &l->calls[i].count)
				       ? CG_ERANGE
				       : CG_OK;
	if (cg_grow(&l->calls, &l->calls_cap, l->ncalls + 1, sizeof *l->calls))
		return CG_ENOMEM;
	l->calls[l->ncalls++] = (struct asm_call){ callee, c->count };
	row->ncalls++;
	return CG_OK;
}

/* Sums of self costs cannot overflow. */
static void add_costs_of_line(struct listing_making *m, struct asm_row *row, uint32_t line)
{
	const struct cg_profile *p = m->p;
	const struct cg_line *from = &p->lines[line];
	const int64_t *self = p->line_self + (size_t)line * p->nevents;
	int64_t *sum = m->out->costs + m->ncosts * p->nevents;

	if (!row->executed) {
		row->executed = true;
		row->self = sum;
		row->record = from->record;
		row->file = from->file;
		row->line = from->line;
		m->out->executed++;
	}
	cg_add_costs(sum, self, p->nevents);
	cg_add_costs(m->out->self, self, p->nevents);
	if (row->instruction.vector)
		cg_add_costs(m->out->vector, self, p->nevents);
}

/* Adds what the profile has of the address of `places[at]` to a row. Returns where the next address
 * begins. */
static int fill_asm_row(struct listing_making *m, struct asm_row *row, size_t *at)
{
	const struct asm_place first = m->places[*at];
	int status = CG_OK;

	for (; !status && *at < m->nplaces; ++*at) {
		const struct asm_place *place = &m->places[*at];
		if (place->object != first.object || place->address != first.address)
			break;
		if (!is_own_place(m, *at))
			continue;
		if (place->line)
			add_costs_of_line(m, row, place->line);
		else
			status = add_asm_call(m, row, &m->p->calls[place->call]);
	}
	m->ncosts += row->executed;
	return status;
}

/* Whether a function that was chosen has something at the address of `places[at]`. */
static bool is_own_address(const struct listing_making *m, size_t at, size_t end)
{
	const uint64_t address = m->places[at].address;

	for (; at < end && m->places[at].address == address; at++)
		if (is_own_place(m, at))
			return true;
	return false;
}

static size_t after_address(const struct listing_making *m, size_t at, size_t end)
{
	const uint64_t address = m->places[at].address;

	while (at < end && m->places[at].address == address)
		at++;
	return at;
}

/* ---- code ---- */

/* An address whose code is not there. */
static int add_row_without_code(struct listing_making *m, size_t *at)
{
	const struct asm_instruction bare = { .address = m->places[*at].address };
	struct asm_row *row = add_asm_row(m, &bare);

	return row ? fill_asm_row(m, row, at) : CG_ENOMEM;
}

/* Rows of a range, whose places are those from `places[*at]` up to `end`: of instructions that are
 * executed by a function that was chosen, and of those after them up to the next function. Where a
 * function without a symbol ends is not known, and so it ends where its execution does. */
static int add_rows_of_range(struct listing_making *m, size_t *at, size_t end, bool whole)
{
	bool own = is_own_address(m, *at, end);
	int status = CG_OK;

	for (size_t i = 0; !status && i < m->decoded.count && (whole || *at < end); i++) {
		const struct asm_instruction *instruction = &m->decoded.items[i];
		bool known = *at < end && m->places[*at].address == instruction->address;
		if (known)
			own = is_own_address(m, *at, end);
		if (!own) {
			*at = known ? after_address(m, *at, end) : *at;
			continue;
		}
		struct asm_row *row = add_asm_row(m, instruction);
		status = !row ? CG_ENOMEM : known ? fill_asm_row(m, row, at) : CG_OK;
	}
	return status;
}

/* Where instructions are known to begin: at `places[at]` up to `end`, those of a range. */
static int list_starts(struct listing_making *m, size_t at, size_t end)
{
	m->nstarts = 0;
	for (; at < end; at++) {
		if (m->nstarts && m->starts[m->nstarts - 1] == m->places[at].address)
			continue;
		if (cg_grow(&m->starts, &m->starts_cap, m->nstarts + 1, sizeof *m->starts))
			return CG_ENOMEM;
		m->starts[m->nstarts++] = m->places[at].address;
	}
	return CG_OK;
}

static int decode_range(struct listing_making *m, const struct cg_code_object *object,
			const struct cg_code_range *r)
{
	m->decoded.count = 0;
	return asm_disassemble(object, m->code->bytes + r->at, r->size, r->address, m->starts,
			       m->nstarts, m->texts, &m->decoded);
}

/* The first place after a range. *own: whether a chosen function has a place in the range. */
static size_t after_range(const struct listing_making *m, size_t at, size_t end,
			  const struct cg_code_range *r, bool *own)
{
	for (*own = false; at < end && m->places[at].address - r->address < r->size; at++)
		*own |= is_own_place(m, at);
	return at;
}

static int note_missing_code(struct listing_making *m, const char *path,
			     const struct cg_code_object *object)
{
	struct asm_listing *l = m->out;

	if (l->nmissing && strcmp(l->missing[l->nmissing - 1].object, path) == 0)
		return CG_OK;
	if (cg_grow(&l->missing, &l->missing_cap, l->nmissing + 1, sizeof *l->missing))
		return CG_ENOMEM;
	l->missing[l->nmissing++] = (struct asm_missing){ path, object };
	return CG_OK;
}

/* The places from *at on of one range. */
static int list_range(struct listing_making *m, size_t *at, size_t end,
		      const struct cg_code_object *object, const struct cg_code_range *r)
{
	bool own;
	size_t next = after_range(m, *at, end, r, &own);

	if (!own) {
		*at = next;
		return CG_OK;
	}
	int status = list_starts(m, *at, next);
	if (!status)
		status = decode_range(m, object, r);
	return status ? status : add_rows_of_range(m, at, next, r->whole);
}

/* Places [at, end) are those of one object. */
static int list_object(struct listing_making *m, size_t at, size_t end)
{
	const char *path = cg_string(m->p, m->places[at].object);
	const struct cg_code_object *object = cg_code_find(m->code, path);
	int status = CG_OK;

	while (!status && at < end) {
		const struct cg_code_range *r = object ? cg_code_range_at(object,
									  m->places[at].address)
						       : NULL;
		if (r) {
			status = list_range(m, &at, end, object, r);
		} else if (is_own_address(m, at, end)) {
			status = note_missing_code(m, path, object);
			if (!status)
				status = add_row_without_code(m, &at);
		} else {
			at = after_address(m, at, end);
		}
	}
	return status;
}

/* Of the objects in which a function was chosen. */
static int list_all(struct listing_making *m)
{
	int status = CG_OK;

	for (size_t at = 0, end; !status && at < m->nplaces; at = end) {
		bool own = false;
		for (end = at; end < m->nplaces && m->places[end].object == m->places[at].object;
		     end++)
			own |= is_own_place(m, end);
		if (own)
			status = list_object(m, at, end);
	}
	return status;
}

static int begin_listing(struct listing_making *m)
{
	const size_t n = m->p->nevents;
	struct asm_listing *l = calloc(1, sizeof *l);
	size_t nown = 0;

	if (!l)
		return CG_ENOMEM;
	m->out = l;
	l->profile = m->p;
	l->texts = m->texts;
	for (size_t i = 0; i < m->nplaces; i++)
		nown += is_own_place(m, i);
	l->costs = calloc((nown + 3) * n, sizeof *l->costs);
	if (!l->costs)
		return CG_ENOMEM;
	l->self = l->costs + (nown + 1) * n;
	l->vector = l->self + n;
	return CG_OK;
}

int asm_listing_make(const struct asm_places *places, const struct cg_code *code,
		     const bool *chosen, struct cg_strings *texts, struct asm_listing **out)
{
	struct listing_making m = { .p = places->p,
				    .code = code,
				    .chosen = chosen,
				    .texts = texts,
				    .places = places->items,
				    .nplaces = places->count };
	int status = begin_listing(&m);

	if (!status)
		status = list_all(&m);
	free(m.starts);
	asm_code_free(&m.decoded);
	if (status)
		asm_listing_free(m.out);
	else
		*out = m.out;
	return status;
}

void asm_listing_free(struct asm_listing *l)
{
	if (!l)
		return;
	free(l->rows);
	free(l->calls);
	free(l->missing);
	free(l->costs);
	free(l);
}
