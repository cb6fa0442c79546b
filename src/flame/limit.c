#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/flame/build.h"
#include "src/flame/flame.h"

/* Frames are as wide as those above them or narrower, so a least width leaves a tree. Of
 * equals that would be too many, none is kept. */
static int find_narrowest(const struct flame *f, size_t most, uint64_t *out)
{
	*out = 0;
	if (f->count <= most)
		return CG_OK;
	uint64_t *widths = calloc(f->count, sizeof *widths);
	if (!widths)
		return CG_ENOMEM;
	for (uint32_t i = 0; i < f->count; i++)
		widths[i] = f->frames[i].width;
	qsort(widths, f->count, sizeof *widths, cg_larger_first);
	*out = widths[most] == UINT64_MAX ? UINT64_MAX : widths[most] + 1;
	free(widths);
	return CG_OK;
}

static const int64_t *limited_costs_of(const struct flame_events *e, const int64_t *costs,
				       uint32_t frame)
{
	return e->profile ? costs + (size_t)frame * e->profile->nevents : NULL;
}

/* Adds one frame for all that is left out below a frame, with the sum of their costs. */
static int add_smaller_frames(struct flame_build *b, const struct flame *f, uint32_t i,
			      uint32_t parent)
{
	const struct flame_function smaller = { .name = FLAME_SMALLER, .object = "", .file = "" };
	const struct flame_frame facts = { .match = DIFF_SAME,
					   .base.present = f->base.profile != NULL,
					   .head.present = true };
	uint32_t function, frame;
	int status = flame_build_function(b, &smaller, &function);

	if (!status)
		status = flame_build_frame(b, parent, function, &facts, &frame);
	if (status)
		return status;
	b->flame->frames[frame].rest += f->frames[i].end - i;
	return flame_build_costs(b, frame, limited_costs_of(&f->base, f->base.inclusive, i),
				 limited_costs_of(&f->head, f->head.inclusive, i));
}

static int keep_frame(struct flame_build *b, const struct flame *f, uint32_t i, uint32_t *kept)
{
	const struct flame_frame *n = &f->frames[i];
	uint32_t function;
	int status = flame_build_function(b, &f->functions[n->function], &function);

	if (!status && i)
		status = flame_build_frame(b, kept[n->parent], function, n, &kept[i]);
	return status ? status
		      : flame_build_costs(b, kept[i], limited_costs_of(&f->base, f->base.self, i),
					  limited_costs_of(&f->head, f->head.self, i));
}

static int copy_widest(struct flame_build *b, const struct flame *f, uint64_t narrowest,
		       uint32_t *kept)
{
	int status = CG_OK;

	for (uint32_t i = 0; !status && i < f->count;) {
		bool narrow = i && f->frames[i].width < narrowest;
		status = narrow ? add_smaller_frames(b, f, i, kept[f->frames[i].parent])
				: keep_frame(b, f, i, kept);
		i = narrow ? f->frames[i].end : i + 1;
	}
	return status;
}

int flame_limit(const struct flame *from, size_t most, struct flame **out, struct cg_error *err)
{
	uint32_t *kept = calloc((size_t)from->count + 1, sizeof *kept);
	struct flame_build b;
	uint64_t narrowest;
	int status = flame_build_init(&b, &from->base, &from->head);

	if (!status)
		status = kept ? find_narrowest(from, most, &narrowest) : CG_ENOMEM;
	if (!status)
		status = copy_widest(&b, from, narrowest, kept);
	if (!status) {
		b.flame->exact = from->exact;
		status = flame_build_finish(&b, out);
	}
	flame_build_free(&b);
	free(kept);
	return status ? flame_fail(status, err) : CG_OK;
}
