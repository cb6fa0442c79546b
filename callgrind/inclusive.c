#include "cgprofile/inclusive.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/cycles.h"
#include "callgrind/support/number.h"

static void mark_negative(bool *negative, const int64_t *costs, size_t rows, uint32_t n)
{
	for (size_t i = 0; i < rows; i++)
		for (uint32_t e = 0; e < n; e++)
			negative[e] |= costs[i * n + e] < 0;
}

bool *cg_negative_events(const struct cg_profile *p)
{
	bool *negative = calloc((size_t)p->nevents + 1, sizeof *negative);
	if (!negative)
		return NULL;
	mark_negative(negative, p->record_self, p->nrecords, p->nevents);
	mark_negative(negative, p->call_cost, p->ncalls, p->nevents);
	return negative;
}

int64_t *cg_record_out(const struct cg_profile *p)
{
	uint32_t n = p->nevents;
	size_t size = (size_t)p->nrecords * n;
	int64_t *out = malloc((size ? size : 1) * sizeof *out);
	if (!out)
		return NULL;

	memcpy(out, p->record_self, size * sizeof *out);
	for (uint32_t i = 1; i < p->ncalls; i++)
		cg_add_costs_clipped(out + (size_t)p->calls[i].caller * n,
				     p->call_cost + (size_t)i * n, n);
	return out;
}

static uint32_t group_of_record(const struct cg_profile *p, const uint32_t *group, uint32_t record)
{
	uint32_t function = p->records[record].function;
	return group ? group[function] : function;
}

/* Takes from each record's out what enters a function that is on the stack. */
static void exclude_reentries(const struct cg_profile *p, const uint32_t *group,
			      const bool *negative, int64_t *out)
{
	uint32_t n = p->nevents;
	for (uint32_t i = 1; i < p->ncalls; i++) {
		const struct cg_call *c = &p->calls[i];
		if (p->records[c->callee].level <= 1 &&
		    group_of_record(p, group, c->caller) != group_of_record(p, group, c->callee))
			continue;
		int64_t *rest = out + (size_t)c->callee * n;
		const int64_t *in = p->call_cost + (size_t)i * n;
		for (uint32_t e = 0; e < n; e++)
			rest[e] = rest[e] > in[e] || negative[e] ? cg_delta(in[e], rest[e]) : 0;
	}
}

/* The calls as a graph, of records or of groups. */
struct inclusive_graph {
	struct cg_graph calls;
	uint32_t *caller, *callee;
};

static int make_graph(const struct cg_profile *p, uint32_t nnodes, bool of_records,
		      const uint32_t *group, struct inclusive_graph *g)
{
	*g = (struct inclusive_graph){
		.caller = malloc(((size_t)p->ncalls + 1) * sizeof *g->caller),
		.callee = malloc(((size_t)p->ncalls + 1) * sizeof *g->callee)
	};
	if (!g->caller || !g->callee)
		return CG_ENOMEM;
	for (uint32_t i = 1; i < p->ncalls; i++) {
		uint32_t from = p->calls[i].caller, to = p->calls[i].callee;
		g->caller[i - 1] = of_records ? from : group_of_record(p, group, from);
		g->callee[i - 1] = of_records ? to : group_of_record(p, group, to);
	}
	g->calls = (struct cg_graph){ nnodes, p->ncalls - 1, g->caller, g->callee };
	return CG_OK;
}

static void free_graph(struct inclusive_graph *g)
{
	free(g->caller);
	free(g->callee);
}

static int find_cycles(const struct cg_profile *p, uint32_t nnodes, bool of_records,
		       const uint32_t *group, struct cg_cycles *out)
{
	struct inclusive_graph g;
	int status = make_graph(p, nnodes, of_records, group, &g);
	if (!status)
		status = cg_cycles_find(&g.calls, out);
	free_graph(&g);
	return status;
}

/* Which kinds of records a group has. */
struct group_records {
	uint32_t functions;
	bool inlined;
};

/* A function may be entered again where its records do not show it: as a clone of
 * itself at the clone's first level, or inlined into a function that it calls. */
static int bound_reentered(const struct cg_profile *p, const uint32_t *group,
			   struct cg_inclusive *inc)
{
	struct group_records *members = calloc((size_t)inc->count + 1, sizeof *members);
	struct cg_cycles cycles;
	if (!members || find_cycles(p, inc->count, false, group, &cycles)) {
		free(members);
		return CG_ENOMEM;
	}
	for (uint32_t f = 1; f < p->nfunctions; f++)
		members[group ? group[f] : f].functions++;
	for (uint32_t r = 1; r < p->nrecords; r++)
		members[group_of_record(p, group, r)].inlined |= p->records[r].inlined_into != 0;
	for (uint32_t g = 0; g < inc->count; g++)
		if ((members[g].functions > 1 || members[g].inlined) &&
		    cycles.size[cycles.of[g]] > 1)
			inc->bound[g] = true;
	free(members);
	cg_cycles_free(&cycles);
	return CG_OK;
}

/* What a cycle costs as a whole bounds each of its records: the self cost of
 * its records and the calls that leave it. */
static int bound_cycles(const struct cg_profile *p, const uint32_t *group, const bool *negative,
			int64_t *out, struct cg_inclusive *inc)
{
	uint32_t n = p->nevents;
	struct cg_cycles cycles;
	if (find_cycles(p, p->nrecords, true, NULL, &cycles))
		return CG_ENOMEM;
	int64_t *whole = calloc(((size_t)cycles.count + 1) * n, sizeof *whole);
	if (!whole) {
		cg_cycles_free(&cycles);
		return CG_ENOMEM;
	}

	for (uint32_t r = 1; r < p->nrecords; r++)
		cg_add_costs_clipped(whole + (size_t)cycles.of[r] * n,
				     p->record_self + (size_t)r * n, n);
	for (uint32_t i = 1; i < p->ncalls; i++) {
		uint32_t from = cycles.of[p->calls[i].caller];
		if (from != cycles.of[p->calls[i].callee])
			cg_add_costs_clipped(whole + (size_t)from * n, p->call_cost + (size_t)i * n,
					     n);
	}
	for (uint32_t r = 1; r < p->nrecords; r++) {
		if (cycles.size[cycles.of[r]] == 1)
			continue;
		inc->bound[group_of_record(p, group, r)] = true;
		for (uint32_t e = 0; e < n; e++) {
			int64_t limit = whole[(size_t)cycles.of[r] * n + e];
			if (!negative[e] && out[(size_t)r * n + e] > limit)
				out[(size_t)r * n + e] = limit;
		}
	}
	free(whole);
	cg_cycles_free(&cycles);
	return CG_OK;
}

static void sum_up_groups(const struct cg_profile *p, const uint32_t *group, const bool *negative,
			  const int64_t *out, struct cg_inclusive *inc)
{
	uint32_t n = p->nevents;

	for (uint32_t r = 1; r < p->nrecords; r++)
		cg_add_costs_clipped(inc->cost + (size_t)group_of_record(p, group, r) * n,
				     out + (size_t)r * n, n);
	for (uint32_t g = 0; g < inc->count; g++)
		for (uint32_t e = 0; e < n; e++)
			if (!negative[e] && inc->cost[(size_t)g * n + e] > p->total[e]) {
				/* With levels this is Valgrind's own slip of a few counts. */
				inc->cost[(size_t)g * n + e] = p->total[e];
				inc->bound[g] |= !p->has_levels;
			}
	for (uint32_t i = 1; i < p->ncalls; i++) {
		const struct cg_call *c = &p->calls[i];
		uint32_t to = group_of_record(p, group, c->callee);
		if (p->records[c->callee].inlined_into) /* known of some only */
			continue;
		/* A function that jumps to its own cold part is not called by it. */
		if (group_of_record(p, group, c->caller) != to ||
		    p->records[c->caller].function == p->records[c->callee].function)
			cg_add_count_clipped(&inc->calls[to], c->count);
	}
}

int cg_inclusive_compute(const struct cg_profile *p, const uint32_t *group, uint32_t count,
			 struct cg_inclusive **result)
{
	if (!p->has_calls)
		return CG_EINVAL;
	uint32_t rows = group ? count : p->nfunctions;
	struct cg_inclusive *inc = calloc(1, sizeof *inc);
	int64_t *out = cg_record_out(p);
	bool *negative = cg_negative_events(p);
	int status = CG_ENOMEM;

	if (!inc || !out || !negative)
		goto done;
	inc->count = rows;
	inc->cost = calloc(((size_t)rows + 1) * p->nevents, sizeof *inc->cost);
	inc->calls = calloc((size_t)rows + 1, sizeof *inc->calls);
	inc->bound = calloc((size_t)rows + 1, sizeof *inc->bound);
	if (!inc->cost || !inc->calls || !inc->bound)
		goto done;

	exclude_reentries(p, group, negative, out);
	if (!p->has_levels && bound_cycles(p, group, negative, out, inc))
		goto done;
	if ((group || p->has_inlined) && bound_reentered(p, group, inc))
		goto done;
	sum_up_groups(p, group, negative, out, inc);
	*result = inc;
	inc = NULL;
	status = CG_OK;
done:
	free(negative);
	free(out);
	cg_inclusive_free(inc);
	return status;
}

void cg_inclusive_free(struct cg_inclusive *inc)
{
	if (!inc)
		return;
	free(inc->cost);
	free(inc->calls);
	free(inc->bound);
	free(inc);
}
