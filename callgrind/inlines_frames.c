#include "callgrind/inlines_frames.h"

#include "callgrind/support/grow.h"

uint32_t cg_inlines_first_from(const uint64_t *addresses, uint32_t count, uint64_t from)
{
	uint32_t low = 0, high = count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (addresses[middle] < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int cg_inlines_add_frame(struct cg_inlines *in, const struct cg_frame *frame, uint32_t *id)
{
	if (in->nframes == UINT32_MAX)
		return CG_ERANGE;
	if (cg_grow(&in->frames, &in->frames_cap, (size_t)in->nframes + 1, sizeof *in->frames))
		return CG_ENOMEM;
	*id = in->nframes++;
	in->frames[*id] = *frame;
	return CG_OK;
}
