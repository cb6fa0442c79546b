#include "src/browse/callers.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"

/* A path that ends in the function at the top, and the row that was reached on the way up. */
struct caller_place {
	uint32_t function; /* of `at` */
	uint32_t end, at;  /* rows of the paths */
};

struct node {
	struct caller_place *places;
	size_t nplaces;
	bool has_callers, estimated, present[BROWSE_SIDES];
	uint64_t calls[BROWSE_SIDES];
	int64_t *costs; /* owned: of each side self, then inclusive, a value per event */
};

struct callers {
	const struct browse_data *data;
	bool *nested; /* per row: its function is on the stack above it already */
	uint32_t nevents[BROWSE_SIDES];
	struct node *nodes; /* node 0 is above all */
	size_t count, cap;
};

static struct browse_row path(const struct callers *c, uint32_t row)
{
	return c->data->paths.row(c->data->paths.of, row);
}

/* ---- which rows are nested ---- */

static uint32_t most_function(const struct callers *c)
{
	uint32_t most = 0;
	for (uint32_t i = 1; i < c->data->paths.count; i++) {
		uint32_t function = path(c, i).function;
		most = function > most ? function : most;
	}
	return most;
}

static int find_nested(struct callers *c)
{
	uint32_t *until = calloc((size_t)most_function(c) + 1, sizeof *until);
	c->nested = calloc((size_t)c->data->paths.count + 1, sizeof *c->nested);
	if (!until || !c->nested) {
		free(until);
		return CG_ENOMEM;
	}
	for (uint32_t i = 1; i < c->data->paths.count; i++) {
		struct browse_row row = path(c, i);
		c->nested[i] = i < until[row.function];
		if (!c->nested[i])
			until[row.function] = row.end;
	}
	free(until);
	return CG_OK;
}

/* ---- nodes ---- */

static int64_t *self_of_caller(const struct callers *c, const struct node *n, int side)
{
	return n->costs + (side == BROWSE_HEAD ? 2 * (size_t)c->nevents[BROWSE_BASE] : 0);
}

static int64_t *inclusive_of(const struct callers *c, const struct node *n, int side)
{
	return self_of_caller(c, n, side) + c->nevents[side];
}

static void add_caller_place(const struct callers *c, struct node *n, const struct caller_place *p)
{
	struct browse_row end = path(c, p->end);

	n->estimated |= end.estimated;
	n->has_callers |= path(c, path(c, p->at).parent).function != 0;
	for (int side = 0; side < BROWSE_SIDES; side++) {
		const struct browse_costs *costs = &end.side[side];
		if (!costs->self)
			continue;
		cg_add_costs_clipped(self_of_caller(c, n, side), costs->self, c->nevents[side]);
		if (!c->nested[p->end] && costs->inclusive)
			cg_add_costs_clipped(inclusive_of(c, n, side), costs->inclusive,
					     c->nevents[side]);
		cg_add_count_clipped(&n->calls[side], costs->calls);
		n->present[side] |= costs->present;
	}
}

/* Copies the places. */
static int add_caller(struct callers *c, const struct caller_place *places, size_t count)
{
	size_t values = 2 * ((size_t)c->nevents[BROWSE_BASE] + c->nevents[BROWSE_HEAD]);
	struct node n = { .places = malloc(count * sizeof *places),
			  .nplaces = count,
			  .costs = calloc(values, sizeof *n.costs) };

	if (!n.places || !n.costs || cg_grow(&c->nodes, &c->cap, c->count + 1, sizeof *c->nodes)) {
		free(n.places);
		free(n.costs);
		return CG_ENOMEM;
	}
	memcpy(n.places, places, count * sizeof *places);
	for (size_t i = 0; i < count; i++)
		add_caller_place(c, &n, &places[i]);
	c->nodes[c->count++] = n;
	return CG_OK;
}

static int compare_caller_places(const void *left, const void *right)
{
	const struct caller_place *a = left, *b = right;
	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	return (a->end > b->end) - (a->end < b->end);
}

/* One node for the places of each function. */
static int add_groups(struct callers *c, struct caller_place *places, size_t count, uint32_t **out,
		      size_t *nout)
{
	uint32_t *nodes = malloc((count + 1) * sizeof *nodes);
	size_t n = 0;

	qsort(places, count, sizeof *places, compare_caller_places);
	for (size_t i = 0, end; nodes && i < count; i = end) {
		for (end = i + 1; end < count && places[end].function == places[i].function;)
			end++;
		nodes[n++] = (uint32_t)c->count;
		if (add_caller(c, places + i, end - i)) {
			free(nodes);
			nodes = NULL;
		}
	}
	*out = nodes;
	*nout = n;
	return nodes ? CG_OK : CG_ENOMEM;
}

/* The end of a path, and what is outside of the tree, is not a caller. */
static size_t callers_of(const struct callers *c, uint32_t node, struct caller_place *places)
{
	const struct node *n = &c->nodes[node];
	size_t count = 0;

	for (size_t i = 0; i < n->nplaces; i++) {
		uint32_t at = path(c, n->places[i].at).parent, function = path(c, at).function;
		if (function)
			places[count++] = (struct caller_place){ function, n->places[i].end, at };
	}
	return count;
}

static size_t all_ends(const struct callers *c, struct caller_place *places)
{
	size_t count = 0;
	for (uint32_t i = 1; i < c->data->paths.count; i++) {
		struct browse_row row = path(c, i);
		if (row.function && browse_has_cost(c->data, &row))
			places[count++] = (struct caller_place){ row.function, i, i };
	}
	return count;
}

static int children(void *of, uint32_t node, uint32_t **out, size_t *count)
{
	struct callers *c = of;
	size_t most = node ? c->nodes[node].nplaces : c->data->paths.count;
	struct caller_place *places = malloc((most + 1) * sizeof *places);
	if (!places)
		return CG_ENOMEM;
	size_t n = node ? callers_of(c, node, places) : all_ends(c, places);
	int status = add_groups(c, places, n, out, count);
	free(places);
	return status;
}

static struct browse_row row(const void *of, uint32_t node)
{
	const struct callers *c = of;
	const struct node *n = &c->nodes[node];
	struct browse_row r = path(c, node ? n->places[0].at : 0);

	if (node == 0)
		return r;
	r.parent = 0;
	r.end = 0;
	r.was = NULL;
	r.inlined = r.truncated = r.cut = false;
	r.estimated = n->estimated;
	r.has_children = n->has_callers;
	for (int side = 0; side < BROWSE_SIDES; side++) {
		r.side[side].calls = n->calls[side];
		r.side[side].self = c->nevents[side] ? self_of_caller(c, n, side) : NULL;
		r.side[side].inclusive = c->nevents[side] ? inclusive_of(c, n, side) : NULL;
		r.side[side].present = n->present[side];
	}
	return r;
}

int callers_make(const struct browse_data *data, struct callers **out)
{
	struct callers *c = calloc(1, sizeof *c);
	if (!c)
		return CG_ENOMEM;
	c->data = data;
	for (int side = 0; side < BROWSE_SIDES; side++)
		c->nevents[side] = data->profiles[side] ? data->profiles[side]->nevents : 0;
	if (find_nested(c) || cg_grow(&c->nodes, &c->cap, 1, sizeof *c->nodes)) {
		callers_free(c);
		return CG_ENOMEM;
	}
	c->nodes[0] = (struct node){ 0 };
	c->count = 1;
	*out = c;
	return CG_OK;
}

void callers_free(struct callers *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->count; i++) {
		free(c->nodes[i].places);
		free(c->nodes[i].costs);
	}
	free(c->nodes);
	free(c->nested);
	free(c);
}

struct outline_source callers_source(struct callers *c)
{
	return (struct outline_source){ c, children, row, NULL };
}
