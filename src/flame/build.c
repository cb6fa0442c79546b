#include "src/flame/build.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/depth_first.h"
#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"

/* ---- functions ---- */

struct wanted_function {
	const struct flame *f;
	const struct flame_function *key;
};

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_frames_function(const void *context, uint32_t id)
{
	const struct wanted_function *w = context;
	const struct flame_function *f = &w->f->functions[id];
	return is_same_text(f->name, w->key->name) && is_same_text(f->object, w->key->object) &&
	       is_same_text(f->file, w->key->file) && is_same_text(f->base_name, w->key->base_name);
}

static uint32_t hash_frames_function(const struct flame_function *f)
{
	uint64_t hash = cg_hash_bytes(f->name, strlen(f->name));
	hash = cg_hash_mix(hash, cg_hash_bytes(f->object, strlen(f->object)));
	return (uint32_t)cg_hash_mix(hash, cg_hash_bytes(f->file, strlen(f->file)));
}

int flame_build_function(struct flame_build *b, const struct flame_function *function,
			 uint32_t *out)
{
	struct flame *f = b->flame;
	uint32_t hash = hash_frames_function(function);

	*out = cg_index_find(&b->functions, hash, is_frames_function,
			     &(struct wanted_function){ f, function });
	if (*out)
		return CG_OK;
	if (cg_index_reserve(&b->functions) ||
	    cg_grow(&f->functions, &b->functions_cap, (size_t)f->nfunctions + 1,
		    sizeof *f->functions))
		return CG_ENOMEM;
	*out = f->nfunctions++;
	f->functions[*out] = *function;
	cg_index_insert(&b->functions, hash, *out);
	return CG_OK;
}

/* ---- frames ---- */

static bool is_frames_inlined(const struct flame_frame *f)
{
	return (f->base.inlined || !f->base.present) && (f->head.inlined || !f->head.present);
}

struct wanted_frame {
	const struct flame *f;
	uint32_t parent, function;
	bool inlined;
};

static bool is_frame(const void *context, uint32_t id)
{
	const struct wanted_frame *w = context;
	const struct flame_frame *f = &w->f->frames[id];
	return f->parent == w->parent && f->function == w->function &&
	       is_frames_inlined(f) == w->inlined;
}

static void merge_side(struct flame_side *into, const struct flame_side *from)
{
	if (!from->present)
		return;
	if (!into->present) {
		*into = *from;
		return;
	}
	into->inlined &= from->inlined;
	into->estimated |= from->estimated;
	if (__builtin_add_overflow(into->calls, from->calls, &into->calls))
		into->calls = 0;
	if (!is_same_text(into->via, from->via))
		into->via = NULL;
}

static void merge_frame(struct flame_frame *into, const struct flame_frame *facts)
{
	merge_side(&into->base, &facts->base);
	merge_side(&into->head, &facts->head);
	if (into->match != facts->match)
		into->match = DIFF_SAME;
	if (!into->row)
		into->row = facts->row;
}

/* The events of a side have room for one more frame, whose costs are 0. */
static int grow_events(struct flame_events *e, size_t *cap, uint32_t count)
{
	size_t n = e->profile ? e->profile->nevents : 0;

	if (!n)
		return CG_OK;
	if (cg_grow(&e->self, cap, count + (size_t)1, n * sizeof *e->self))
		return CG_ENOMEM;
	memset(e->self + count * n, 0, n * sizeof *e->self);
	return CG_OK;
}

static int add_frame(struct flame_build *b, const struct flame_frame *frame, uint32_t *out)
{
	struct flame *f = b->flame;

	if (f->count == UINT32_MAX || grow_events(&f->base, &b->base_cap, f->count) ||
	    grow_events(&f->head, &b->head_cap, f->count) ||
	    cg_grow(&f->frames, &b->frames_cap, (size_t)f->count + 1, sizeof *f->frames))
		return CG_ENOMEM;
	*out = f->count++;
	f->frames[*out] = *frame;
	return CG_OK;
}

int flame_build_frame(struct flame_build *b, uint32_t parent, uint32_t function,
		      const struct flame_frame *facts, uint32_t *out)
{
	struct wanted_frame wanted = { b->flame, parent, function, is_frames_inlined(facts) };
	uint32_t hash = (uint32_t)cg_hash_keyed(
		cg_hash_keyed(cg_hash_keyed(cg_hash_secret(), parent), function), wanted.inlined);
	uint32_t found = cg_index_find(&b->frames, hash, is_frame, &wanted);

	if (found) {
		merge_frame(&b->flame->frames[found], facts);
		*out = found;
		return CG_OK;
	}
	struct flame_frame frame = *facts;
	frame.function = function;
	frame.parent = parent;
	frame.width = 0;
	frame.rest = 0;
	if (cg_index_reserve(&b->frames) || add_frame(b, &frame, &found))
		return CG_ENOMEM;
	cg_index_insert(&b->frames, hash, found);
	*out = found;
	return CG_OK;
}

static bool add_frames_costs(struct flame_events *e, uint32_t frame, const int64_t *costs)
{
	size_t n = e->profile ? e->profile->nevents : 0;
	return !costs || cg_add_costs(e->self + frame * n, costs, n);
}

int flame_build_costs(struct flame_build *b, uint32_t frame, const int64_t *base,
		      const int64_t *head)
{
	return add_frames_costs(&b->flame->base, frame, base) &&
			       add_frames_costs(&b->flame->head, frame, head)
		       ? CG_OK
		       : CG_ERANGE;
}

int flame_build_init(struct flame_build *b, const struct flame_events *base,
		     const struct flame_events *head)
{
	const struct flame_function none = { .name = "", .object = "", .file = "" };
	uint32_t number;

	*b = (struct flame_build){ .flame = calloc(1, sizeof *b->flame) };
	struct flame *f = b->flame;
	if (!f)
		return CG_ENOMEM;
	f->exact = true;
	f->head = (struct flame_events){ .profile = head->profile, .metric = head->metric };
	if (base && base->profile)
		f->base = (struct flame_events){ .profile = base->profile, .metric = base->metric };
	const struct flame_frame all = { .base.present = f->base.profile != NULL,
					 .head.present = true };
	if (cg_grow(&f->functions, &b->functions_cap, 1, sizeof *f->functions))
		return CG_ENOMEM;
	f->functions[f->nfunctions++] = none;
	return add_frame(b, &all, &number);
}

/* ---- finishing ---- */

static bool has_frames_cost(const struct flame_events *e, uint32_t frame)
{
	size_t n = e->profile ? e->profile->nevents : 0;
	for (size_t i = 0; i < n; i++)
		if (e->self[frame * n + i])
			return true;
	return false;
}

static int sum_frames_up(struct flame_events *e, const struct flame_frame *frames, uint32_t count)
{
	size_t n = e->profile ? e->profile->nevents : 0;

	if (!n)
		return CG_OK;
	e->inclusive = calloc(count, n * sizeof *e->inclusive);
	if (!e->inclusive)
		return CG_ENOMEM;
	memcpy(e->inclusive, e->self, count * n * sizeof *e->self);
	for (uint32_t i = count; i-- > 1;)
		if (!cg_add_costs(e->inclusive + frames[i].parent * n, e->inclusive + i * n, n))
			return CG_ERANGE;
	return CG_OK;
}

static uint64_t larger_magnitude(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Children before their parents. Widths cannot overflow: a sum stops at the largest. */
static void set_widths(struct flame *f)
{
	for (uint32_t i = f->count; i-- > 0;) {
		struct flame_frame *n = &f->frames[i];
		uint64_t base = cg_magnitude(flame_value(&f->base, f->base.inclusive, i));
		uint64_t head = cg_magnitude(flame_value(&f->head, f->head.inclusive, i));
		n->width = larger_magnitude(n->width, larger_magnitude(base, head));
		if (i)
			cg_add_count_clipped(&f->frames[n->parent].width, n->width);
	}
}

static int compare_frames(const void *left, const void *right, void *context)
{
	const struct flame *f = context;
	const struct flame_frame *a = &f->frames[*(const uint32_t *)left];
	const struct flame_frame *b = &f->frames[*(const uint32_t *)right];
	const struct flame_function *x = &f->functions[a->function],
				    *y = &f->functions[b->function];

	if (a->width != b->width)
		return a->width < b->width ? 1 : -1;
	int order = strcmp(x->name, y->name);
	if (!order)
		order = strcmp(x->object, y->object);
	if (!order)
		order = strcmp(x->file, y->file);
	return order ? order : is_frames_inlined(a) - is_frames_inlined(b);
}

static void move_costs(struct flame_events *e, int64_t *scratch, const uint32_t *order,
		       uint32_t count)
{
	size_t n = e->profile ? e->profile->nevents : 0;
	int64_t *const columns[] = { e->self, e->inclusive };

	for (size_t c = 0; n && c < 2; c++) {
		for (uint32_t i = 0; i < count; i++)
			memcpy(scratch + i * n, columns[c] + order[i] * n, n * sizeof *scratch);
		memcpy(columns[c], scratch, count * n * sizeof *scratch);
	}
}

/* Puts the frames in their order and leaves out what costs nothing; `place` and `parent` have
 * room for all of them. */
static void arrange(struct flame *f, struct flame_frame *frames, uint32_t *order, uint32_t *place,
		    uint32_t *parent, const bool *kept, int64_t *scratch)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < f->count; i++) {
		uint32_t old = order[i];
		if (!kept[old])
			continue;
		place[old] = count;
		order[count] = old;
		frames[count] = f->frames[old];
		frames[count].parent = parent[count] = count ? place[frames[count].parent] : 0;
		frames[count].depth = count ? frames[parent[count]].depth + 1 : 0;
		count++;
	}
	move_costs(&f->base, scratch, order, count);
	move_costs(&f->head, scratch, order, count);
	cg_depth_first_ends(parent, count, place);
	for (uint32_t i = 0; i < count; i++)
		frames[i].end = place[i];
	free(f->frames);
	f->frames = frames;
	f->count = count;
}

/* Siblings are adjacent, from the start of their parent. `next`: per frame, where its next child
 * begins. */
static void set_places(struct flame *f, uint64_t *next)
{
	for (uint32_t i = 0; i < f->count; i++) {
		struct flame_frame *n = &f->frames[i];
		n->x = i ? next[n->parent] : 0;
		next[i] = n->x;
		if (i && __builtin_add_overflow(n->x, n->width, &next[n->parent]))
			next[n->parent] = UINT64_MAX;
	}
}

static size_t most_events(const struct flame *f)
{
	size_t base = f->base.profile ? f->base.profile->nevents : 0;
	size_t head = f->head.profile->nevents;
	return base > head ? base : head;
}

static int lay_out(struct flame *f)
{
	size_t room = (size_t)f->count + 1;
	struct flame_frame *frames = calloc(room, sizeof *frames);
	uint32_t *order = calloc(room, sizeof *order), *place = calloc(room, sizeof *place);
	uint32_t *parent = calloc(room, sizeof *parent);
	bool *kept = calloc(room, sizeof *kept);
	uint64_t *next = calloc(room, sizeof *next);
	int64_t *scratch = calloc(room, (most_events(f) + 1) * sizeof *scratch);
	int status = frames && order && place && parent && kept && next && scratch ? CG_OK
										   : CG_ENOMEM;
	for (uint32_t i = 0; !status && i < f->count; i++)
		parent[i] = f->frames[i].parent;
	if (!status)
		status = cg_depth_first(parent, f->count, compare_frames, f, order);
	if (!status) {
		for (uint32_t i = f->count; i-- > 0;) {
			kept[i] |= i == 0 || has_frames_cost(&f->base, i) ||
				   has_frames_cost(&f->head, i);
			kept[parent[i]] |= kept[i];
		}
		arrange(f, frames, order, place, parent, kept, scratch);
		set_places(f, next);
		frames = NULL;
	}
	free(frames);
	free(order);
	free(place);
	free(parent);
	free(kept);
	free(next);
	free(scratch);
	return status;
}

int flame_build_finish(struct flame_build *b, struct flame **out)
{
	struct flame *f = b->flame;
	int status = sum_frames_up(&f->base, f->frames, f->count);

	if (!status)
		status = sum_frames_up(&f->head, f->frames, f->count);
	if (!status) {
		set_widths(f);
		status = lay_out(f);
	}
	if (!status) {
		*out = f;
		b->flame = NULL;
	}
	return status;
}

void flame_build_free(struct flame_build *b)
{
	cg_index_free(&b->frames);
	cg_index_free(&b->functions);
	flame_free(b->flame);
	b->flame = NULL;
}

int flame_fail(int status, struct cg_error *err)
{
	if (status == CG_ENOMEM)
		return cg_fail_nomem(err);
	return cg_fail(err, status, NULL, 0, "the cost of a call path exceeds 2^63");
}
