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
	uint32_t first, after; /* where the places of this address begin, and where they end */
};

struct asm_places {
	const struct cg_profile *p;
	struct asm_place *items; /* of all objects, sorted */
	size_t count;
	uint32_t *
		of_functions; /* which of them each function has, ascending; function by function */
	uint32_t *first;      /* nfunctions + 1: where those of a function begin */
};

struct listing_making {
	const struct cg_profile *p;
	const struct cg_code *code;
	struct cg_strings *texts;
	struct asm_listing *out;
	const struct asm_place *places;
	size_t nplaces;
	uint32_t *own; /* which places are of the functions that are listed, ascending */
	size_t nown;
	uint64_t *starts; /* the addresses of the run at hand, each once */
	size_t nstarts, starts_cap;
	struct asm_code decoded; /* the run at hand */
	size_t ncosts;           /* rows of costs that are taken */
	int executions;          /* the event that counts them; -1: none does */
};

/* ---- functions ---- */

uint32_t asm_machine_function(const struct cg_profile *p, uint32_t record)
{
	return p->records[cg_machine_record(p, record)].function;
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

static uint32_t function_called_by(const struct cg_profile *p, uint32_t call)
{
	return p->records[p->calls[call].callee].function;
}

static bool is_same_address(const struct asm_place *a, const struct asm_place *b)
{
	return a->object == b->object && a->address == b->address;
}

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
	/* Those of one callee are neighbours. */
	uint32_t to = function_called_by(p, a->call), other = function_called_by(p, b->call);
	if (to != other)
		return to < other ? -1 : 1;
	return (a->call > b->call) - (a->call < b->call);
}

static void add_asm_place(struct asm_places *places, uint32_t record, uint64_t address,
			  uint32_t line, uint32_t call)
{
	uint32_t function = asm_machine_function(places->p, record);

	if (is_linkage_stub(places->p, function))
		return;
	places->items[places->count++] = (struct asm_place){
		places->p->functions[function].object, address, line, call, function, 0, 0
	};
}

static void find_places_of_addresses(struct asm_places *places)
{
	for (size_t i = 0, after; i < places->count; i = after) {
		for (after = i + 1; after < places->count; after++)
			if (!is_same_address(&places->items[after], &places->items[i]))
				break;
		for (size_t k = i; k < after; k++) {
			places->items[k].first = (uint32_t)i;
			places->items[k].after = (uint32_t)after;
		}
	}
}

static int sort_places_by_function(struct asm_places *places)
{
	const struct cg_profile *p = places->p;
	uint32_t *next = calloc((size_t)p->nfunctions + 1, sizeof *next);

	places->of_functions = calloc(places->count + 1, sizeof *places->of_functions);
	places->first = calloc((size_t)p->nfunctions + 1, sizeof *places->first);
	if (!next || !places->of_functions || !places->first) {
		free(next);
		return CG_ENOMEM;
	}
	for (size_t i = 0; i < places->count; i++)
		places->first[places->items[i].function + 1]++;
	for (uint32_t f = 0; f < p->nfunctions; f++)
		places->first[f + 1] += places->first[f];
	memcpy(next, places->first, ((size_t)p->nfunctions + 1) * sizeof *next);
	for (size_t i = 0; i < places->count; i++)
		places->of_functions[next[places->items[i].function]++] = (uint32_t)i;
	free(next);
	return CG_OK;
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
		asm_places_free(places);
		return CG_ENOMEM;
	}
	for (uint32_t i = 1; i < p->nlines; i++)
		add_asm_place(places, p->lines[i].record, p->lines[i].address, i, 0);
	for (uint32_t i = 1; i < p->ncalls; i++)
		if (!p->records[p->calls[i].callee].inlined_into)
			add_asm_place(places, p->calls[i].caller, cg_call_place(p, i).address, 0,
				      i);
	qsort_r(places->items, places->count, sizeof *places->items, compare_asm_places, (void *)p);
	find_places_of_addresses(places);
	int status = sort_places_by_function(places);
	if (status)
		asm_places_free(places);
	else
		*out = places;
	return status;
}

void asm_places_free(struct asm_places *places)
{
	if (!places)
		return;
	free(places->items);
	free(places->of_functions);
	free(places->first);
	free(places);
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

/* Those of one callee come one after the other. */
static int add_asm_call(struct listing_making *m, struct asm_row *row, uint32_t call)
{
	struct asm_listing *l = m->out;
	const uint32_t callee = function_called_by(m->p, call);
	const uint64_t count = m->p->calls[call].count;
	struct asm_call *last = row->ncalls ? &l->calls[l->ncalls - 1] : NULL;

	if (last && last->callee == callee)
		return __builtin_add_overflow(last->count, count, &last->count) ? CG_ERANGE : CG_OK;
	if (cg_grow(&l->calls, &l->calls_cap, l->ncalls + 1, sizeof *l->calls))
		return CG_ENOMEM;
	l->calls[l->ncalls++] = (struct asm_call){ callee, count };
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

/* Adds what the functions have at the address of own[*at] to a row; *at becomes where the next
 * address begins. */
static int fill_asm_row(struct listing_making *m, struct asm_row *row, size_t *at)
{
	const struct asm_place *first = &m->places[m->own[*at]];
	int status = CG_OK;

	for (; !status && *at < m->nown; ++*at) {
		const struct asm_place *place = &m->places[m->own[*at]];
		if (!is_same_address(place, first))
			break;
		if (place->line)
			add_costs_of_line(m, row, place->line);
		else
			status = add_asm_call(m, row, place->call);
	}
	m->ncosts += row->executed;
	return status;
}

/* ---- code ---- */

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

/* An address whose code is not there. */
static int list_without_code(struct listing_making *m, size_t *at, const char *path,
			     const struct cg_code_object *object)
{
	const struct asm_instruction bare = { .address = m->places[m->own[*at]].address };
	int status = note_missing_code(m, path, object);
	struct asm_row *row = status ? NULL : add_asm_row(m, &bare);

	return row ? fill_asm_row(m, row, at) : CG_ENOMEM;
}

static bool is_in_range(const struct asm_place *place, const struct asm_place *of_object,
			const struct cg_code_range *r)
{
	return place->object == of_object->object && place->address >= r->address &&
	       place->address - r->address < r->size;
}

/* Where the code of own[at] begins, of which nothing is listed: what is before the first address of
 * a range that is executed belongs to it. */
static uint64_t begin_of_run(const struct listing_making *m, size_t at,
			     const struct cg_code_range *r)
{
	const struct asm_place *own = &m->places[m->own[at]];

	return !own->first || !is_in_range(&m->places[own->first - 1], own, r) ? r->address
									       : own->address;
}

/* Finds the addresses of a range, from that of own[at] on, between which no other function executes
 * anything. *end becomes where the code ends. Returns where the places after them begin. */
static int find_run(struct listing_making *m, size_t at, const struct cg_code_range *r,
		    size_t *after, uint64_t *end)
{
	const struct asm_place *first = &m->places[m->own[at]], *next = first;

	m->nstarts = 0;
	while (at < m->nown && is_same_address(&m->places[m->own[at]], next) &&
	       is_in_range(next, first, r)) {
		const struct asm_place *place = next;
		if (cg_grow(&m->starts, &m->starts_cap, m->nstarts + 1, sizeof *m->starts))
			return CG_ENOMEM;
		m->starts[m->nstarts++] = place->address;
		while (at < m->nown && is_same_address(&m->places[m->own[at]], place))
			at++;
		next = m->places + place->after;
		if (next == m->places + m->nplaces)
			break;
	}
	bool other = next < m->places + m->nplaces && is_in_range(next, first, r);
	*end = other ? next->address : r->address + r->size;
	*after = at;
	return CG_OK;
}

/* What all functions have at an address, as jumps are counted for all of them. */
struct asm_address {
	uint64_t executions;
	bool calls;
};

static struct asm_address sum_of_address(const struct listing_making *m,
					 const struct asm_place *place)
{
	const struct cg_profile *p = m->p;
	struct asm_address sum = { 0 };

	for (uint32_t i = place->first; i < place->after; i++) {
		const struct asm_place *at = &m->places[i];
		sum.calls |= !at->line;
		if (at->line)
			sum.executions += cg_magnitude(p->line_self[(size_t)at->line * p->nevents +
								    (size_t)m->executions]);
	}
	return sum;
}

/* Valgrind counts a jump out of its function, or to the beginning of it, as a call. Without a
 * count, only other jumps are known to have never been made. */
static bool is_never_made(const struct asm_instruction *i, const struct asm_address *sum,
			  const struct cg_code_range *r)
{
	return i->flow == ASM_BRANCH && r->whole && !sum->calls && i->target > r->address &&
	       i->target - r->address < r->size;
}

/* Valgrind counts jumps apart from executions: numbers that contradict each other are not known. */
static int add_jumps_of_row(struct listing_making *m, struct asm_row *row,
			    const struct asm_place *place, const struct cg_code_object *object,
			    const struct cg_code_range *r)
{
	struct asm_listing *l = m->out;
	const uint8_t flow = row->instruction.flow;
	uint64_t made = 0;
	size_t count;

	if (!object->knows_jumps || m->executions < 0 || !row->executed ||
	    (flow != ASM_JUMP && flow != ASM_BRANCH))
		return CG_OK;
	const struct cg_code_jump *jumps = cg_code_jumps_from(object, place->address, &count);
	const struct asm_address sum = sum_of_address(m, place);
	for (size_t i = 0; i < count; i++)
		if (__builtin_add_overflow(made, jumps[i].count, &made) || made > sum.executions)
			return CG_OK;
	row->knows_jumps = count || is_never_made(&row->instruction, &sum, r);
	row->executions = sum.executions;
	row->jump = l->njumps;
	row->njumps = count;
	if (cg_grow(&l->jumps, &l->jumps_cap, l->njumps + count, sizeof *l->jumps))
		return CG_ENOMEM;
	for (size_t i = 0; i < count; i++)
		l->jumps[l->njumps++] = (struct asm_jump){ jumps[i].target, jumps[i].count };
	return CG_OK;
}

/* Adds a row for each place from own[*at] up to `after`, and for the instructions between and after
 * them, which were not executed. A function without a symbol ends at its last executed instruction,
 * as its end is not known. */
static int add_rows_of_run(struct listing_making *m, size_t *at, size_t after,
			   const struct cg_code_object *object, const struct cg_code_range *r)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < m->decoded.count && (r->whole || *at < after); i++) {
		const struct asm_instruction *instruction = &m->decoded.items[i];
		bool known = *at < after && m->places[m->own[*at]].address == instruction->address;
		struct asm_row *row = add_asm_row(m, instruction);
		status = !row ? CG_ENOMEM : known ? fill_asm_row(m, row, at) : CG_OK;
		if (!status && known)
			status = add_jumps_of_row(m, row, &m->places[m->own[*at - 1]], object, r);
	}
	return status;
}

/* The places of a range from own[*at] on, up to those of another function. */
static int list_run(struct listing_making *m, size_t *at, const struct cg_code_object *object,
		    const struct cg_code_range *r)
{
	uint64_t begin = begin_of_run(m, *at, r), end;
	size_t after;
	int status = find_run(m, *at, r, &after, &end);

	m->decoded.count = 0;
	if (!status)
		status = asm_disassemble(object, m->code->bytes + r->at + (begin - r->address),
					 (size_t)(end - begin), begin, m->starts, m->nstarts,
					 m->texts, &m->decoded);
	return status ? status : add_rows_of_run(m, at, after, object, r);
}

static int list_all(struct listing_making *m)
{
	const struct cg_code_object *object = NULL;
	cg_str found = 0;
	int status = CG_OK;

	for (size_t at = 0; !status && at < m->nown;) {
		const struct asm_place *place = &m->places[m->own[at]];
		const char *path = cg_string(m->p, place->object);
		if (!at || place->object != found)
			object = cg_code_find(m->code, path);
		found = place->object;
		const struct cg_code_range *r = object ? cg_code_range_at(object, place->address)
						       : NULL;
		status = r ? list_run(m, &at, object, r) : list_without_code(m, &at, path, object);
	}
	return status;
}

/* ---- the whole ---- */

static int compare_places_listed(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

static int find_own_places(struct listing_making *m, const struct asm_places *places,
			   const uint32_t *functions, size_t nfunctions)
{
	size_t count = 0;

	for (size_t i = 0; i < nfunctions; i++)
		count += places->first[functions[i] + 1] - places->first[functions[i]];
	m->own = calloc(count + 1, sizeof *m->own);
	if (!m->own)
		return CG_ENOMEM;
	for (size_t i = 0; i < nfunctions; i++) {
		uint32_t first = places->first[functions[i]];
		uint32_t size = places->first[functions[i] + 1] - first;
		memcpy(m->own + m->nown, places->of_functions + first, size * sizeof *m->own);
		m->nown += size;
	}
	if (nfunctions > 1)
		qsort(m->own, m->nown, sizeof *m->own, compare_places_listed);
	return CG_OK;
}

static int begin_listing(struct listing_making *m)
{
	const size_t n = m->p->nevents;
	struct asm_listing *l = calloc(1, sizeof *l);

	if (!l)
		return CG_ENOMEM;
	m->out = l;
	l->profile = m->p;
	l->texts = m->texts;
	l->costs = calloc((m->nown + 3) * n, sizeof *l->costs);
	if (!l->costs)
		return CG_ENOMEM;
	l->self = l->costs + (m->nown + 1) * n;
	l->vector = l->self + n;
	return CG_OK;
}

int asm_listing_make(const struct asm_places *places, const struct cg_code *code,
		     const uint32_t *functions, size_t nfunctions, struct cg_strings *texts,
		     struct asm_listing **out)
{
	struct listing_making m = { .p = places->p,
				    .code = code,
				    .texts = texts,
				    .executions = cg_event_index(places->p, "Ir"),
				    .places = places->items,
				    .nplaces = places->count };
	int status = find_own_places(&m, places, functions, nfunctions);

	if (!status)
		status = begin_listing(&m);
	if (!status)
		status = list_all(&m);
	free(m.own);
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
	free(l->jumps);
	free(l->missing);
	free(l->costs);
	free(l);
}
