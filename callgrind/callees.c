#include "callgrind/callees.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"

enum { DESCRIBED = 1, CALLED = 2, WITH_OBJECT = 4, WITH_FILE = 8 };

/* ---- what was read ---- */

static int add_fact(struct cg_callees *c, uint32_t record, unsigned fact)
{
	if (cg_grow(&c->facts, &c->cap, (size_t)record + 1, sizeof *c->facts))
		return CG_ENOMEM;
	if (c->count <= record) {
		memset(c->facts + c->count, 0, record + 1 - c->count);
		c->count = (size_t)record + 1;
	}
	c->facts[record] |= (uint8_t)fact;
	return CG_OK;
}

int cg_callees_described(struct cg_callees *c, uint32_t record)
{
	return add_fact(c, record, DESCRIBED);
}

int cg_callees_called(struct cg_callees *c, uint32_t record, bool with_object, bool with_file)
{
	return add_fact(c, record,
			CALLED | (with_object ? WITH_OBJECT : 0u) | (with_file ? WITH_FILE : 0u));
}

void cg_callees_free(struct cg_callees *c)
{
	free(c->facts);
	*c = (struct cg_callees){ 0 };
}

/* ---- functions by their names ---- */

struct callees_named {
	cg_str name, place; /* the file or the object, 0 for any */
	uint32_t function;
};

struct named_list {
	struct callees_named *rows;
	size_t count;
};

struct connecting {
	struct cg_profile *p;
	uint8_t *facts;                                /* per function */
	struct named_list by_file, by_object, by_name; /* of those that were described */
	uint32_t *target;                              /* per function: 0, or the one that it is */
	uint32_t *record; /* per record: the one that it is, or itself */
};

static int callees_compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int callees_compare_places(const struct callees_named *a, const struct callees_named *b)
{
	return a->name != b->name ? callees_compare_numbers(a->name, b->name)
				  : callees_compare_numbers(a->place, b->place);
}

static int compare_named(const void *left, const void *right)
{
	return callees_compare_places(left, right);
}

/* The only function with that name and place; 0 if none or several have it. */
static uint32_t find_only(const struct named_list *list, cg_str name, cg_str place)
{
	struct callees_named wanted = { name, place, 0 };
	const struct callees_named *found = list->count ? bsearch(&wanted, list->rows, list->count,
								  sizeof wanted, compare_named)
							: NULL;
	if (!found)
		return 0;
	const struct callees_named *end = list->rows + list->count;
	bool alone = (found == list->rows || callees_compare_places(found - 1, found) != 0) &&
		     (found + 1 == end || callees_compare_places(found + 1, found) != 0);
	return alone ? found->function : 0;
}

enum callees_place { BY_FILE, BY_OBJECT, BY_NAME };

static int list_described(const struct connecting *c, enum callees_place by,
			  struct named_list *list)
{
	list->rows = malloc(((size_t)c->p->nfunctions + 1) * sizeof *list->rows);
	if (!list->rows)
		return CG_ENOMEM;
	for (uint32_t i = 1; i < c->p->nfunctions; i++) {
		const struct cg_function *f = &c->p->functions[i];
		cg_str place = by == BY_FILE ? f->file : by == BY_OBJECT ? f->object : 0;
		if (c->facts[i] & DESCRIBED)
			list->rows[list->count++] = (struct callees_named){ f->name, place, i };
	}
	qsort(list->rows, list->count, sizeof *list->rows, compare_named);
	return CG_OK;
}

/* ---- which function a callee is ---- */

static bool callees_may_be(const struct connecting *c, uint32_t function, unsigned said)
{
	return function && (!said || !(c->facts[function] & CALLED));
}

static uint32_t callees_find_target(const struct connecting *c, const struct cg_function *f,
				    cg_str name, unsigned said)
{
	uint32_t in_file = find_only(&c->by_file, name, f->file);
	uint32_t in_object = find_only(&c->by_object, name, f->object);
	uint32_t anywhere = find_only(&c->by_name, name, 0);

	if (callees_may_be(c, in_file, said & WITH_OBJECT))
		return in_file;
	if (callees_may_be(c, in_object, said & WITH_FILE))
		return in_object;
	return callees_may_be(c, anywhere, said & (WITH_OBJECT | WITH_FILE)) ? anywhere : 0;
}

/* The name without " [1/2]"; 0 if it has none, or no function is called so. */
static cg_str plain_name(const struct cg_profile *p, cg_str name)
{
	static const char digits[] = "0123456789";
	const char *text = cg_string(p, name), *at = strrchr(text, '[');

	if (!at || at <= text + 1 || at[-1] != ' ')
		return 0;
	size_t first = strspn(at + 1, digits);
	const char *slash = at + 1 + first;
	if (!first || *slash != '/')
		return 0;
	size_t second = strspn(slash + 1, digits);
	if (!second || strcmp(slash + 1 + second, "]") != 0)
		return 0;
	return cg_strings_find(&p->strings, text, (size_t)(at - 1 - text));
}

static bool find_targets(struct connecting *c)
{
	bool any = false;
	for (uint32_t i = 1; i < c->p->nfunctions; i++) {
		const struct cg_function *f = &c->p->functions[i];
		unsigned said = c->facts[i];
		if (said & DESCRIBED || !(said & CALLED))
			continue;
		c->target[i] = callees_find_target(c, f, f->name, said);
		cg_str plain = c->target[i] ? 0 : plain_name(c->p, f->name);
		if (plain)
			c->target[i] = callees_find_target(c, f, plain, said);
		any |= c->target[i] != 0;
	}
	return any;
}

/* ---- its records ---- */

static uint32_t callees_function_of(const struct connecting *c, uint32_t record)
{
	uint32_t function = c->p->records[record].function, target = c->target[function];
	return target ? target : function;
}

/* Records that were of the target from the start come first. */
static int callees_compare_records(const void *left, const void *right, void *context)
{
	const struct connecting *c = context;
	uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;
	const struct cg_record *a = &c->p->records[x], *b = &c->p->records[y];
	bool moves = callees_function_of(c, x) != a->function;

	if (callees_function_of(c, x) != callees_function_of(c, y))
		return callees_compare_numbers(callees_function_of(c, x),
					       callees_function_of(c, y));
	if (a->level != b->level)
		return callees_compare_numbers(a->level, b->level);
	if (a->context != b->context)
		return callees_compare_numbers(a->context, b->context);
	if (moves != (callees_function_of(c, y) != b->function))
		return moves ? 1 : -1;
	return callees_compare_numbers(x, y);
}

static bool callees_same_record(const struct connecting *c, uint32_t x, uint32_t y)
{
	const struct cg_record *a = &c->p->records[x], *b = &c->p->records[y];
	return callees_function_of(c, x) == callees_function_of(c, y) && a->level == b->level &&
	       a->context == b->context;
}

/* Records of one function, level and context become the first of them. */
static int move_records(struct connecting *c)
{
	struct cg_profile *p = c->p;
	uint32_t *rows = malloc(((size_t)p->nrecords + 1) * sizeof *rows), count = 0;
	if (!rows)
		return CG_ENOMEM;
	for (uint32_t r = 1; r < p->nrecords; r++) {
		c->record[r] = r;
		if (!p->records[r].inlined_into)
			rows[count++] = r;
	}
	qsort_r(rows, count, sizeof *rows, callees_compare_records, c);
	for (uint32_t i = 1; i < count; i++)
		if (callees_same_record(c, rows[i - 1], rows[i]))
			c->record[rows[i]] = c->record[rows[i - 1]];
	for (uint32_t r = 1; r < p->nrecords; r++)
		p->records[r].function = callees_function_of(c, r);
	free(rows);
	return CG_OK;
}

/* ---- tables without what became another ---- */

static int callees_compare_calls(const void *left, const void *right, void *context)
{
	const struct cg_profile *p = context;
	uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;
	const struct cg_call *a = &p->calls[x], *b = &p->calls[y];

	if (a->caller != b->caller)
		return callees_compare_numbers(a->caller, b->caller);
	if (a->callee != b->callee)
		return callees_compare_numbers(a->callee, b->callee);
	const struct cg_position at = cg_call_place(p, x), other = cg_call_place(p, y);
	if (at.file != other.file)
		return callees_compare_numbers(at.file, other.file);
	if (at.line != other.line)
		return callees_compare_numbers(at.line, other.line);
	return callees_compare_numbers(at.address, other.address);
}

/* Adds calls that became one to the first of them, and clears the others. */
static int add_up_calls(struct cg_profile *p, uint32_t *rows)
{
	size_t n = p->nevents;
	int status = CG_OK;

	for (uint32_t i = 1, first = 0; !status && i < p->ncalls - 1; i++) {
		if (callees_compare_calls(&rows[first], &rows[i], p) != 0) {
			first = i;
			continue;
		}
		uint32_t to = rows[first] < rows[i] ? rows[first] : rows[i];
		uint32_t from = rows[first] + rows[i] - to;
		if (__builtin_add_overflow(p->calls[to].count, p->calls[from].count,
					   &p->calls[to].count) ||
		    !cg_add_costs(p->call_cost + to * n, p->call_cost + from * n, n))
			status = CG_ERANGE;
		rows[first] = to;
		p->calls[from].callee = p->calls[from].caller = 0;
		rows[i] = from;
	}
	return status;
}

static void drop_cleared_calls(struct cg_profile *p)
{
	size_t n = p->nevents;
	uint32_t kept = 1;

	for (uint32_t i = 1; i < p->ncalls; i++) {
		if (!p->calls[i].caller)
			continue;
		p->calls[kept] = p->calls[i];
		if (p->call_places)
			p->call_places[kept] = p->call_places[i];
		memmove(p->call_cost + kept * n, p->call_cost + i * n, n * sizeof *p->call_cost);
		kept++;
	}
	p->ncalls = kept;
}

static int move_calls(struct connecting *c)
{
	struct cg_profile *p = c->p;
	uint32_t *rows = malloc(((size_t)p->ncalls + 1) * sizeof *rows);
	if (!rows)
		return CG_ENOMEM;
	for (uint32_t i = 1; i < p->ncalls; i++) {
		p->calls[i].callee = c->record[p->calls[i].callee];
		rows[i - 1] = i;
	}
	qsort_r(rows, p->ncalls - 1, sizeof *rows, callees_compare_calls, p);
	int status = add_up_calls(p, rows);
	free(rows);
	drop_cleared_calls(p);
	return status;
}

/* Renumbers the remaining records: those that became another one have no costs. */
static void drop_records(struct connecting *c)
{
	struct cg_profile *p = c->p;
	size_t n = p->nevents;
	uint32_t kept = 1;

	for (uint32_t r = 1; r < p->nrecords; r++) {
		if (c->record[r] != r) {
			c->record[r] = 0;
			continue;
		}
		c->record[r] = kept;
		p->records[kept] = p->records[r];
		memmove(p->record_self + kept * n, p->record_self + r * n,
			n * sizeof *p->record_self);
		kept++;
	}
	p->nrecords = kept;
	for (uint32_t r = 1; r < kept; r++)
		p->records[r].inlined_into = c->record[p->records[r].inlined_into];
	for (uint32_t i = 1; i < p->ncalls; i++) {
		p->calls[i].caller = c->record[p->calls[i].caller];
		p->calls[i].callee = c->record[p->calls[i].callee];
	}
}

/* Lines of records that were dropped add up to no cost. */
static void move_lines(struct connecting *c)
{
	struct cg_profile *p = c->p;
	size_t n = p->nevents;
	uint32_t kept = 1;

	for (uint32_t i = 1; i < p->nlines; i++) {
		uint32_t record = c->record[p->lines[i].record];
		if (!record)
			continue;
		p->lines[kept] = p->lines[i];
		p->lines[kept].record = record;
		memmove(p->line_self + kept * n, p->line_self + i * n, n * sizeof *p->line_self);
		kept++;
	}
	p->nlines = kept;
}

static void drop_functions(struct connecting *c)
{
	struct cg_profile *p = c->p;
	uint32_t kept = 1;

	for (uint32_t i = 1; i < p->nfunctions; i++) {
		bool is_another = c->target[i] != 0;
		c->target[i] = is_another ? 0 : kept;
		if (!is_another)
			p->functions[kept++] = p->functions[i];
	}
	p->nfunctions = kept;
	for (uint32_t r = 1; r < p->nrecords; r++)
		p->records[r].function = c->target[p->records[r].function];
}

/* ---- all of it ---- */

static bool callees_has_costs(const struct cg_profile *p, uint32_t record)
{
	for (uint32_t e = 0; e < p->nevents; e++)
		if (p->record_self[(size_t)record * p->nevents + e])
			return true;
	return false;
}

/* Collects what is known of each function: one with costs or calls was described, even without fn=.
 * Returns whether a callee was not described. */
static bool callees_find_facts(const struct cg_callees *callees, struct connecting *c)
{
	const struct cg_profile *p = c->p;
	bool any = false;

	for (uint32_t r = 1; r < p->nrecords; r++) {
		unsigned facts = r < callees->count ? callees->facts[r] : 0;
		if (callees_has_costs(p, r) || p->records[r].inlined_into)
			facts |= DESCRIBED;
		c->facts[p->records[r].function] |= (uint8_t)facts;
	}
	for (uint32_t i = 1; i < p->ncalls; i++)
		c->facts[p->records[p->calls[i].caller].function] |= DESCRIBED;
	for (uint32_t i = 1; i < p->nfunctions; i++)
		any |= (c->facts[i] & (CALLED | DESCRIBED)) == CALLED;
	return any;
}

static int connect(struct connecting *c)
{
	int status = list_described(c, BY_FILE, &c->by_file);
	if (!status)
		status = list_described(c, BY_OBJECT, &c->by_object);
	if (!status)
		status = list_described(c, BY_NAME, &c->by_name);
	if (status || !find_targets(c))
		return status;
	status = move_records(c);
	if (!status)
		status = move_calls(c);
	if (status)
		return status;
	drop_records(c);
	move_lines(c);
	drop_functions(c);
	return CG_OK;
}

int cg_callees_connect(const struct cg_callees *callees, struct cg_profile *p)
{
	struct connecting c = { .p = p };
	int status = CG_ENOMEM;

	if (!callees->count || p->ncalls <= 1)
		return CG_OK;
	c.facts = calloc((size_t)p->nfunctions + 1, sizeof *c.facts);
	c.target = calloc((size_t)p->nfunctions + 1, sizeof *c.target);
	c.record = calloc((size_t)p->nrecords + 1, sizeof *c.record);
	if (c.facts && c.target && c.record)
		status = callees_find_facts(callees, &c) ? connect(&c) : CG_OK;
	free(c.facts);
	free(c.target);
	free(c.record);
	free(c.by_file.rows);
	free(c.by_object.rows);
	free(c.by_name.rows);
	return status;
}
