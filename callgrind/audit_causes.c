#include "callgrind/audit_causes.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/names.h"

/* Sums per event that causes are held against; they stay at the ends of the range. */
struct finder {
	const struct cg_profile *p;
	struct cg_audit *a;
	bool valgrind;    /* callgrind counted it: counts are exact, and its habits are known */
	bool switched;    /* all summaries are 0, though there are costs */
	int64_t *surplus; /* what the summaries have beyond the self costs, below 0: lack */
	int64_t *lacking; /* what records lack without another cause */
	int64_t *extra;   /* what records and roots have too much */
	int64_t *unbound; /* what the binder of the dynamic linker lacks */
	uint64_t *rows;   /* per record: calls from and to it */
	bool *recursive;  /* per record: calls itself */
	uint32_t *home;   /* per name: a root that has its costs, or a record with too much */
	bool *hollow;     /* per name: there is a record that is called and has no costs */
};

static int64_t causes_size_of(int64_t cost)
{
	return cost == INT64_MIN ? INT64_MAX : cost < 0 ? -cost : cost;
}

static int64_t off(const struct finder *f, uint32_t record, uint32_t event)
{
	return f->a->local[event] ? 0 : cg_audit_difference(f->p, f->a, record, event);
}

/* Whether the record has nowhere too little (sign 1), or nowhere too much (-1). */
static bool causes_is_one_sided(const struct finder *f, uint32_t record, int sign)
{
	for (uint32_t e = 0; e < f->p->nevents; e++) {
		int64_t difference = off(f, record, e);
		if (sign > 0 ? difference < 0 : difference > 0)
			return false;
	}
	return true;
}

/* ---- names that explain a cause ---- */

static bool causes_is_named(const struct finder *f, uint32_t record, const char *const *stems,
			    size_t n)
{
	const char *name = cg_string(f->p, f->p->functions[f->p->records[record].function].name);
	size_t len = cg_name_stem(name, strlen(name));
	for (size_t i = 0; i < n; i++)
		if (strlen(stems[i]) == len && memcmp(stems[i], name, len) == 0)
			return true;
	return false;
}

static bool causes_begins_threads(const struct finder *f, uint32_t record)
{
	static const char *const names[] = { "clone",    "__clone",      "clone3",
					     "__clone3", "start_thread", "thread_start" };
	return causes_is_named(f, record, names, sizeof names / sizeof *names);
}

static bool ends_programs(const struct finder *f, uint32_t record)
{
	static const char *const names[] = { "_Exit", "_exit", "exit_group" };
	return causes_is_named(f, record, names, sizeof names / sizeof *names);
}

static bool binds(const struct finder *f, uint32_t record)
{
	const char *name = cg_string(f->p, f->p->functions[f->p->records[record].function].name);
	return strncmp(name, "_dl_runtime_resolve", 19) == 0 ||
	       strcmp(name, "dyld_stub_binder") == 0;
}

/* ---- causes of single records ---- */

/* Valgrind's summary includes what the program counted last in it, and no record does. */
static bool was_left_in_a_block(const struct finder *f, uint32_t record)
{
	for (uint32_t e = 0; e < f->p->nevents; e++) {
		int64_t difference = off(f, record, e);
		if (difference > 0 ||
		    (difference < 0 &&
		     (f->surplus[e] <= 0 || cg_magnitude(difference) > (uint64_t)f->surplus[e])))
			return false;
	}
	return true;
}

static bool causes_has_costs(const struct finder *f, uint32_t record)
{
	for (uint32_t e = 0; e < f->p->nevents; e++)
		if (f->a->out[(size_t)record * f->p->nevents + e])
			return true;
	return false;
}

static bool causes_is_rounded(const struct finder *f, uint32_t record)
{
	for (uint32_t e = 0; e < f->p->nevents; e++)
		if (cg_magnitude(off(f, record, e)) > f->rows[record] + 1)
			return false;
	return true;
}

static cg_str causes_name_of(const struct finder *f, uint32_t record)
{
	return f->p->functions[f->p->records[record].function].name;
}

/* Some writers leave the files of functions off, or state those of callers:
 * then calls lead to records without costs, and costs are in records without
 * calls. Counts of others than Valgrind are too rough to match them by amount. */
static enum cg_audit_cause foreign_cause(const struct finder *f, struct cg_audit_record *row)
{
	uint32_t home = f->home[causes_name_of(f, row->record)];

	if (!causes_has_costs(f, row->record)) {
		row->other = home;
		return home ? CG_AUDIT_SPLIT : CG_AUDIT_NO_COSTS;
	}
	if (causes_is_rounded(f, row->record))
		return CG_AUDIT_ROUNDED;
	if (f->hollow[causes_name_of(f, row->record)] && causes_is_one_sided(f, row->record, 1))
		return CG_AUDIT_SPLIT;
	return f->recursive[row->record] ? CG_AUDIT_RECURSIVE : CG_AUDIT_UNEXPLAINED;
}

static enum cg_audit_cause own_cause(const struct finder *f, struct cg_audit_record *row)
{
	uint32_t record = row->record;

	if (!f->valgrind)
		return foreign_cause(f, row);
	if (causes_begins_threads(f, record) && causes_is_one_sided(f, record, 1))
		return CG_AUDIT_THREAD;
	if (ends_programs(f, record) && was_left_in_a_block(f, record))
		return CG_AUDIT_ENDED;
	if (binds(f, record) && causes_is_one_sided(f, record, -1))
		return CG_AUDIT_LAZY;
	return CG_AUDIT_UNEXPLAINED;
}

/* ---- records that lack exactly what another one has too much ---- */

struct causes_candidate {
	struct cg_audit_record *row;
	const struct finder *f;
	bool lacks;
};

static int causes_compare_candidates(const void *left, const void *right)
{
	const struct causes_candidate *x = left, *y = right;
	for (uint32_t e = 0; e < x->f->p->nevents; e++) {
		uint64_t a = cg_magnitude(off(x->f, x->row->record, e));
		uint64_t b = cg_magnitude(off(y->f, y->row->record, e));
		if (a != b)
			return a < b ? -1 : 1;
	}
	if (x->lacks != y->lacks)
		return x->lacks ? -1 : 1;
	return (x->row->record > y->row->record) - (x->row->record < y->row->record);
}

static bool same_amounts(const struct causes_candidate *x, const struct causes_candidate *y)
{
	for (uint32_t e = 0; e < x->f->p->nevents; e++)
		if (cg_magnitude(off(x->f, x->row->record, e)) !=
		    cg_magnitude(off(y->f, y->row->record, e)))
			return false;
	return true;
}

static bool same_name(const struct cg_profile *p, uint32_t x, uint32_t y)
{
	const struct cg_record *a = &p->records[x], *b = &p->records[y];
	return p->functions[a->function].name == p->functions[b->function].name &&
	       a->level == b->level && a->context == b->context;
}

static void marry(const struct finder *f, struct cg_audit_record *x, struct cg_audit_record *y)
{
	bool same = same_name(f->p, x->record, y->record);
	x->cause = y->cause = same ? CG_AUDIT_SPLIT : CG_AUDIT_LOST_CALL;
	x->other = y->record;
	y->other = x->record;
}

static size_t causes_collect(const struct finder *f, struct causes_candidate *c,
			     struct cg_audit_record *rows, size_t count, size_t n)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t record = rows[i].record;
		bool lacks = causes_is_one_sided(f, record, -1);
		if (rows[i].cause == CG_AUDIT_UNEXPLAINED && rows[i].events &&
		    (lacks || causes_is_one_sided(f, record, 1)))
			c[n++] = (struct causes_candidate){ &rows[i], f, lacks };
	}
	return n;
}

/* Pairs records only where one pair has this amount: several could be coincidence. */
static int pair_up(const struct finder *f)
{
	struct causes_candidate *c = calloc(f->a->nrecords + f->a->nroots + 1, sizeof *c);
	if (!c)
		return CG_ENOMEM;
	size_t n = causes_collect(f, c, f->a->records, f->a->nrecords, 0);
	n = causes_collect(f, c, f->a->roots, f->a->nroots, n);
	qsort(c, n, sizeof *c, causes_compare_candidates);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && same_amounts(&c[i], &c[end]); end++)
			;
		if (end == i + 2 && c[i].lacks && !c[i + 1].lacks)
			marry(f, c[i].row, c[i + 1].row);
	}
	free(c);
	return CG_OK;
}

/* ---- causes that all remaining records share ---- */

static void add_up_rest(struct finder *f)
{
	const struct cg_audit *a = f->a;
	for (uint32_t e = 0; e < f->p->nevents; e++) {
		for (size_t i = 0; i < a->nrecords; i++) {
			int64_t difference = off(f, a->records[i].record, e);
			if (a->records[i].cause == CG_AUDIT_LAZY)
				cg_add_cost_clipped(&f->unbound[e], causes_size_of(difference));
			else if (a->records[i].cause == CG_AUDIT_UNEXPLAINED)
				cg_add_cost_clipped(difference < 0 ? &f->lacking[e] : &f->extra[e],
						    causes_size_of(difference));
		}
		for (size_t i = 0; i < a->nroots; i++)
			if (a->roots[i].cause == CG_AUDIT_UNEXPLAINED)
				cg_add_cost_clipped(&f->extra[e], off(f, a->roots[i].record, e));
	}
}

/* What was counted and not written may be what is missing here; what was
 * written and not counted by the summary, what is too much. */
static enum cg_audit_cause shared_cause(const struct finder *f, const struct cg_audit_record *row)
{
	bool lacks = false, thrown_away = true, entered = true, bound = true;

	for (uint32_t e = 0; e < f->p->nevents; e++) {
		int64_t difference = off(f, row->record, e);
		lacks |= difference < 0;
		thrown_away &= difference >= 0 || f->lacking[e] <= f->surplus[e];
		entered &= difference <= 0 || f->switched ||
			   f->extra[e] <= cg_delta(f->surplus[e], 0);
		bound &= difference == 0 || (difference > 0 && f->extra[e] <= f->unbound[e]);
	}
	if (thrown_away && entered)
		return lacks ? CG_AUDIT_ZEROED : CG_AUDIT_ENTERED;
	return bound ? CG_AUDIT_LAZY : CG_AUDIT_UNEXPLAINED;
}

static void explain_rest(const struct finder *f, struct cg_audit_record *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (rows[i].cause == CG_AUDIT_UNEXPLAINED)
			rows[i].cause = shared_cause(f, &rows[i]);
}

/* ---- summaries ---- */

/* Whether programs that ended in the middle of a block account for all that it has beyond. */
static bool is_program_end(const struct finder *f, const struct cg_audit_sum *sum)
{
	int64_t lacking = 0;

	for (size_t i = 0; i < f->a->nrecords; i++)
		if (f->a->records[i].cause == CG_AUDIT_ENDED)
			cg_add_cost_clipped(&lacking, causes_size_of(off(f, f->a->records[i].record,
									 sum->event)));
	return lacking > 0 && lacking == f->surplus[sum->event];
}

static bool causes_is_zero(const int64_t *costs, uint32_t n)
{
	for (uint32_t e = 0; e < n; e++)
		if (costs[e])
			return false;
	return true;
}

static enum cg_audit_cause cause_of_summary(const struct finder *f, const struct cg_audit_sum *sum)
{
	if (!f->valgrind)
		return CG_AUDIT_UNEXPLAINED;
	if (causes_is_zero(f->p->parts[sum->part].summary, f->p->nevents))
		return CG_AUDIT_SWITCHED;
	if (sum->stated == 0 && f->a->local[sum->event])
		return CG_AUDIT_NOT_SUMMED;
	if (sum->stated > sum->self)
		return is_program_end(f, sum) ? CG_AUDIT_ENDED : CG_AUDIT_UNWRITTEN;
	return f->extra[sum->event] == cg_delta(f->surplus[sum->event], 0) ? CG_AUDIT_OUTSIDE
									   : CG_AUDIT_UNEXPLAINED;
}

static void explain_summaries(const struct finder *f)
{
	for (size_t i = 0; i < f->a->summaries.count; i++)
		f->a->summaries.rows[i].cause = cause_of_summary(f, &f->a->summaries.rows[i]);
}

/* ---- all of it ---- */

static void look_at_parts(struct finder *f)
{
	const struct cg_profile *p = f->p;
	bool costs = false, summaries = false;

	f->switched = f->valgrind;
	for (uint32_t i = 0; i < p->nparts; i++) {
		const struct cg_part *part = &p->parts[i];
		costs |= !causes_is_zero(part->self, p->nevents);
		summaries |= part->summary != NULL;
		f->switched &= !part->summary || causes_is_zero(part->summary, p->nevents);
		for (uint32_t e = 0; part->summary && e < p->nevents; e++)
			cg_add_cost_clipped(&f->surplus[e],
					    cg_delta(part->self[e], part->summary[e]));
	}
	f->switched &= costs && summaries;
}

/* irdiff writes sums of what is recorded: only the callers of a function that it left out show
 * its cost. */
static void look_at_ends(struct finder *f)
{
	if (strncmp(cg_string(f->p, f->p->creator), "irdiff-", 7) != 0 ||
	    !causes_is_zero(f->surplus, f->p->nevents))
		return;
	for (size_t i = 0; i < f->a->nrecords; i++) {
		uint32_t record = f->a->records[i].record;
		for (uint32_t e = 0; ends_programs(f, record) && e < f->p->nevents; e++) {
			int64_t cost = off(f, record, e);
			if (cost < 0)
				cg_add_cost_clipped(&f->surplus[e], causes_size_of(cost));
		}
	}
}

static void causes_look_at_calls(struct finder *f)
{
	for (uint32_t i = 1; i < f->p->ncalls; i++) {
		const struct cg_call *c = &f->p->calls[i];
		f->rows[c->caller]++;
		f->rows[c->callee]++;
		f->recursive[c->caller] |= c->caller == c->callee;
	}
}

static void look_at_names(struct finder *f)
{
	const struct cg_audit *a = f->a;

	for (size_t i = a->nrecords; i-- > 0;) {
		uint32_t record = a->records[i].record;
		if (!causes_has_costs(f, record))
			f->hollow[causes_name_of(f, record)] = true;
		else if (causes_is_one_sided(f, record, 1))
			f->home[causes_name_of(f, record)] = record;
	}
	for (size_t i = a->nroots; i-- > 0;)
		f->home[causes_name_of(f, a->roots[i].record)] = a->roots[i].record;
}

/* The costliest root that is not a thread's is where the program begins, unless
 * counting began in the middle of it. */
static void explain_roots(const struct finder *f)
{
	bool begun = f->switched;
	for (size_t i = 0; i < f->a->nroots; i++) {
		struct cg_audit_record *root = &f->a->roots[i];
		if (causes_begins_threads(f, root->record)) {
			root->cause = CG_AUDIT_THREAD;
		} else if (!f->valgrind && f->hollow[causes_name_of(f, root->record)]) {
			root->cause = CG_AUDIT_SPLIT;
		} else if (!begun) {
			root->cause = CG_AUDIT_NONE;
			begun = true;
		}
	}
}

static int causes_find(struct finder *f)
{
	look_at_parts(f);
	look_at_ends(f);
	causes_look_at_calls(f);
	look_at_names(f);
	explain_roots(f);
	for (size_t i = 0; i < f->a->nrecords; i++)
		f->a->records[i].cause = own_cause(f, &f->a->records[i]);
	if (f->valgrind && pair_up(f))
		return CG_ENOMEM;
	add_up_rest(f);
	if (f->valgrind) {
		explain_rest(f, f->a->records, f->a->nrecords);
		explain_rest(f, f->a->roots, f->a->nroots);
	}
	explain_summaries(f);
	return CG_OK;
}

static bool causes_allocate(struct finder *f)
{
	size_t events = (size_t)f->p->nevents + 1, records = (size_t)f->p->nrecords + 1;
	size_t names = (size_t)f->p->strings.count + 1;

	f->surplus = calloc(events, sizeof *f->surplus);
	f->lacking = calloc(events, sizeof *f->lacking);
	f->extra = calloc(events, sizeof *f->extra);
	f->unbound = calloc(events, sizeof *f->unbound);
	f->rows = calloc(records, sizeof *f->rows);
	f->recursive = calloc(records, sizeof *f->recursive);
	f->home = calloc(names, sizeof *f->home);
	f->hollow = calloc(names, sizeof *f->hollow);
	return f->surplus && f->lacking && f->extra && f->unbound && f->rows && f->recursive &&
	       f->home && f->hollow;
}

static void causes_release(struct finder *f)
{
	free(f->surplus);
	free(f->lacking);
	free(f->extra);
	free(f->unbound);
	free(f->rows);
	free(f->recursive);
	free(f->home);
	free(f->hollow);
}

/* A file of irdiff may hold the counts of Valgrind or of others; Valgrind always writes this. */
static bool is_of_valgrind(const struct cg_profile *p)
{
	const char *creator = cg_string(p, p->creator);

	return strncmp(creator, "callgrind", 9) == 0 ||
	       (strncmp(creator, "irdiff-", 7) == 0 && cg_desc_value(p, "I1 cache"));
}

int cg_audit_find_causes(const struct cg_profile *p, struct cg_audit *a)
{
	struct finder f = {
		.p = p,
		.a = a,
		.valgrind = is_of_valgrind(p),
	};
	int status = causes_allocate(&f) ? causes_find(&f) : CG_ENOMEM;
	causes_release(&f);
	return status;
}
