#include "callgrind/cycles.h"

#include <stdlib.h>

#include "cgprofile/error.h"

/* Calls sorted by caller: those of node n are callee[first[n]] … callee[first[n + 1] - 1]. */
struct adjacency {
	size_t *first;
	uint32_t *callee;
};

static int sort_by_caller(const struct cg_graph *g, struct adjacency *a)
{
	a->first = calloc((size_t)g->nnodes + 2, sizeof *a->first);
	a->callee = calloc((size_t)g->ncalls + 1, sizeof *a->callee);
	if (!a->first || !a->callee)
		return CG_ENOMEM;

	/* Counting sort: filling backwards moves first[n + 1] to the start of n. */
	for (uint32_t i = 0; i < g->ncalls; i++)
		a->first[g->caller[i] + 1]++;
	for (uint32_t n = 0; n < g->nnodes; n++)
		a->first[n + 1] += a->first[n];
	for (uint32_t i = g->ncalls; i-- > 0;)
		a->callee[--a->first[g->caller[i] + 1]] = g->callee[i];
	for (uint32_t n = 0; n < g->nnodes; n++)
		a->first[n] = a->first[n + 1];
	a->first[g->nnodes] = g->ncalls;
	return CG_OK;
}

struct cycles_search {
	struct adjacency calls;
	uint32_t *order;   /* when a record was met, from 1; 0: not yet */
	uint32_t *low;     /* earliest record reachable */
	size_t *edge;      /* next call to follow */
	uint32_t *path;    /* records being visited, instead of recursion */
	uint32_t *pending; /* records met whose component is open */
	bool *is_pending;
	uint32_t met, npath, npending;
};

static void cycles_meet(struct cycles_search *s, uint32_t r)
{
	s->order[r] = s->low[r] = ++s->met;
	s->edge[r] = s->calls.first[r];
	s->path[s->npath++] = r;
	s->pending[s->npending++] = r;
	s->is_pending[r] = true;
}

static void close_component(struct cycles_search *s, uint32_t root, struct cg_cycles *out)
{
	uint32_t r, component = out->count++;
	do {
		r = s->pending[--s->npending];
		s->is_pending[r] = false;
		out->of[r] = component;
		out->size[component]++;
	} while (r != root);
}

static void search_from(struct cycles_search *s, uint32_t start, struct cg_cycles *out)
{
	cycles_meet(s, start);
	while (s->npath) {
		uint32_t r = s->path[s->npath - 1];
		if (s->edge[r] < s->calls.first[r + 1]) {
			uint32_t callee = s->calls.callee[s->edge[r]++];
			if (!s->order[callee])
				cycles_meet(s, callee);
			else if (s->is_pending[callee] && s->order[callee] < s->low[r])
				s->low[r] = s->order[callee];
			continue;
		}
		s->npath--;
		if (s->low[r] == s->order[r])
			close_component(s, r, out);
		if (s->npath && s->low[r] < s->low[s->path[s->npath - 1]])
			s->low[s->path[s->npath - 1]] = s->low[r];
	}
}

int cg_cycles_find(const struct cg_graph *g, struct cg_cycles *out)
{
	size_t n = (size_t)g->nnodes + 1;
	struct cycles_search s = { 0 };
	struct cg_cycles c = { 0 };
	int status = CG_ENOMEM;

	c.of = calloc(n, sizeof *c.of);
	c.size = calloc(n, sizeof *c.size);
	s.order = calloc(n, sizeof *s.order);
	s.low = calloc(n, sizeof *s.low);
	s.edge = calloc(n, sizeof *s.edge);
	s.path = calloc(n, sizeof *s.path);
	s.pending = calloc(n, sizeof *s.pending);
	s.is_pending = calloc(n, sizeof *s.is_pending);
	if (!c.of || !c.size || !s.order || !s.low || !s.edge || !s.path || !s.pending ||
	    !s.is_pending || sort_by_caller(g, &s.calls))
		goto done;

	for (uint32_t r = 0; r < g->nnodes; r++)
		if (!s.order[r])
			search_from(&s, r, &c);
	*out = c;
	c = (struct cg_cycles){ 0 };
	status = CG_OK;
done:
	cg_cycles_free(&c);
	free(s.calls.first);
	free(s.calls.callee);
	free(s.order);
	free(s.low);
	free(s.edge);
	free(s.path);
	free(s.pending);
	free(s.is_pending);
	return status;
}

void cg_cycles_free(struct cg_cycles *c)
{
	free(c->of);
	free(c->size);
	*c = (struct cg_cycles){ 0 };
}
