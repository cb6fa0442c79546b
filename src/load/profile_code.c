#include "src/load/profile_code.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/error.h"

/* An address of an object. */
struct code_place {
	cg_str object;
	uint64_t address;
};

struct object_places {
	cg_str object;
	uint64_t cost; /* of the first event */
	size_t first, count;
};

struct code_reading {
	const struct cg_profile *p;
	struct code_place *places;
	size_t nplaces;
	struct object_places *objects;
	size_t nobjects;
	uint64_t *addresses; /* of the places, in their order */
};

static int compare_code_places(const void *left, const void *right)
{
	const struct code_place *a = left, *b = right;
	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

static int compare_object_costs(const void *left, const void *right)
{
	const struct object_places *a = left, *b = right;
	if (a->cost != b->cost)
		return a->cost < b->cost ? 1 : -1;
	return (a->object > b->object) - (a->object < b->object);
}

/* All addresses, each once. */
static int collect_code_places(struct code_reading *r)
{
	const struct cg_profile *p = r->p;
	size_t kept = 0;

	r->places = calloc((size_t)p->nlines + 1, sizeof *r->places);
	r->addresses = calloc((size_t)p->nlines + 1, sizeof *r->addresses);
	if (!r->places || !r->addresses)
		return CG_ENOMEM;
	for (uint32_t i = 1; i < p->nlines; i++) {
		cg_str object = p->functions[p->records[p->lines[i].record].function].object;
		if (object && p->lines[i].address)
			r->places[r->nplaces++] = (struct code_place){ object,
								       p->lines[i].address };
	}
	qsort(r->places, r->nplaces, sizeof *r->places, compare_code_places);
	for (size_t i = 0; i < r->nplaces; i++)
		if (!kept || compare_code_places(&r->places[kept - 1], &r->places[i]) != 0)
			r->places[kept++] = r->places[i];
	r->nplaces = kept;
	for (size_t i = 0; i < kept; i++)
		r->addresses[i] = r->places[i].address;
	return CG_OK;
}

static int rank_objects(struct code_reading *r)
{
	const struct cg_profile *p = r->p;
	uint64_t *cost = calloc(p->strings.count, sizeof *cost);

	r->objects = calloc(r->nplaces + 1, sizeof *r->objects);
	if (!cost || !r->objects) {
		free(cost);
		return CG_ENOMEM;
	}
	for (uint32_t i = 1; i < p->nrecords; i++)
		cost[p->functions[p->records[i].function].object] += cg_magnitude(
			p->record_self[(size_t)i * p->nevents]);
	for (size_t i = 0; i < r->nplaces; i++) {
		cg_str object = r->places[i].object;
		if (!i || r->places[i - 1].object != object)
			r->objects[r->nobjects++] = (struct object_places){ object, cost[object], i,
									    0 };
		r->objects[r->nobjects - 1].count++;
	}
	free(cost);
	qsort(r->objects, r->nobjects, sizeof *r->objects, compare_object_costs);
	return CG_OK;
}

/* ---- jumps ---- */

static int compare_profile_jumps(const void *left, const void *right)
{
	const struct cg_jump *a = left, *b = right;
	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return (a->target > b->target) - (a->target < b->target);
}

/* Of the last object of `code`, from sorted ones. */
static int add_jumps_of_object(const struct cg_jump *jumps, size_t count, cg_str object,
			       struct cg_code *code)
{
	size_t low = 0, high = count;
	int status = CG_OK;

	code->objects[code->nobjects - 1].knows_jumps = count > 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (jumps[middle].object < object)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t i = low; !status && i < count && jumps[i].object == object; i++)
		status = cg_code_add_jumps(code, &(struct cg_code_jump){ jumps[i].address,
									 jumps[i].target,
									 jumps[i].count });
	return status;
}

/* NULL: out of memory. *count is 0 if they were not counted, or their numbers mean nothing. */
static struct cg_jump *sort_jumps(const struct cg_profile *p, size_t *count)
{
	struct cg_jump *jumps = calloc(p->njumps, sizeof *jumps);

	*count = p->stray_jumps ? 0 : p->njumps - 1;
	if (!jumps || !*count)
		return jumps;
	memcpy(jumps, p->jumps + 1, *count * sizeof *jumps);
	qsort(jumps, *count, sizeof *jumps, compare_profile_jumps);
	return jumps;
}

/* ---- the whole ---- */

int profile_code_read(const struct cg_profile *p, size_t most, struct cg_code *out)
{
	struct code_reading r = { .p = p };
	size_t njumps;
	struct cg_jump *jumps = sort_jumps(p, &njumps);
	int status = jumps ? collect_code_places(&r) : CG_ENOMEM;

	if (!status)
		status = rank_objects(&r);
	for (size_t i = 0; !status && i < r.nobjects; i++) {
		const struct object_places *o = &r.objects[i];
		status = cg_code_read(out, cg_string(p, o->object), r.addresses + o->first,
				      o->count, most);
		if (!status)
			status = add_jumps_of_object(jumps, njumps, o->object, out);
	}
	free(jumps);
	free(r.places);
	free(r.objects);
	free(r.addresses);
	return status;
}
