#include "src/diff/small_functions.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"

bool function_is_small(const struct cg_profile *p, const int64_t *self)
{
	enum { PARTS = 10000 };
	for (uint32_t e = 0; e < p->nevents; e++)
		if (self[e] &&
		    (unsigned __int128)cg_magnitude(self[e]) * PARTS >= cg_magnitude(p->total[e]))
			return false;
	return true;
}

struct small_joining {
	const struct cg_profile *p;
	struct groups *g;
	cg_str sum, unknown; /* SMALL_FUNCTIONS_NAME, "???" */
	int64_t *self;       /* per group */
	bool *named;         /* per text: a name that the other side has */
	uint32_t *into;      /* per object: the group of its small functions; 0: none yet */
};

static bool has_sum(const struct groups *g, cg_str sum)
{
	for (uint32_t i = 1; i < g->count; i++)
		if (g->keys[i].name == sum)
			return true;
	return false;
}

static int add_object_group(struct small_joining *j, cg_str object)
{
	struct groups *g = j->g;
	struct group_key *more = realloc(g->keys, ((size_t)g->count + 1) * sizeof *more);

	if (!more)
		return CG_ENOMEM;
	g->keys = more;
	g->keys[g->count] = (struct group_key){ .name = j->sum,
						.object = object,
						.file = j->unknown,
						.other = j->sum,
						.matched = j->sum,
						.bare = j->sum,
						.last = j->sum };
	j->into[object] = g->count++;
	return CG_OK;
}

/* Its own, or that of the small functions of its object. */
static int choose_group_of_small(struct small_joining *j, uint32_t group, uint32_t *out)
{
	const struct group_key *key = &j->g->keys[group];
	cg_str object = key->object;

	*out = group;
	if (j->named[key->name] ||
	    !function_is_small(j->p, j->self + (size_t)group * j->p->nevents))
		return CG_OK;
	if (!j->into[object] && add_object_group(j, object))
		return CG_ENOMEM;
	*out = j->into[object];
	return CG_OK;
}

static void sum_group_self(struct small_joining *j)
{
	const struct cg_profile *p = j->p;
	for (uint32_t r = 1; r < p->nrecords; r++) {
		uint32_t group = j->g->of[p->records[r].function];
		cg_add_costs(j->self + (size_t)group * p->nevents,
			     p->record_self + (size_t)r * p->nevents, p->nevents);
	}
}

static int join_small_groups(struct small_joining *j)
{
	uint32_t count = j->g->count;
	uint32_t *new = calloc(count, sizeof *new);
	int status = new ? CG_OK : CG_ENOMEM;

	for (uint32_t i = 1; !status && i < count; i++)
		status = choose_group_of_small(j, i, &new[i]);
	for (uint32_t f = 1; !status && f < j->p->nfunctions; f++)
		j->g->of[f] = new[j->g->of[f]];
	free(new);
	return status;
}

int small_functions_join(const struct cg_profile *p, struct cg_strings *strings,
			 const struct groups *other, struct groups *g)
{
	struct small_joining j = { .p = p, .g = g };
	int status = cg_strings_add(strings, SMALL_FUNCTIONS_NAME, strlen(SMALL_FUNCTIONS_NAME),
				    &j.sum);

	if (!status)
		status = cg_strings_add(strings, "???", 3, &j.unknown);
	if (status || !has_sum(other, j.sum))
		return status;
	j.self = calloc((size_t)g->count * p->nevents, sizeof *j.self);
	j.named = calloc(strings->count, sizeof *j.named);
	j.into = calloc(strings->count, sizeof *j.into);
	status = CG_ENOMEM;
	if (j.self && j.named && j.into) {
		for (uint32_t i = 1; i < other->count; i++)
			j.named[other->keys[i].name] = true;
		for (uint32_t i = 1; i < g->count; i++)
			if (g->keys[i].name == j.sum)
				j.into[g->keys[i].object] = i;
		sum_group_self(&j);
		status = join_small_groups(&j);
	}
	free(j.self);
	free(j.named);
	free(j.into);
	return status;
}
