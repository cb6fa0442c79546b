#include "callgrind/inlines_frames.h"

#include <string.h>

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

int cg_inlines_add_starts(struct cg_inlines *in, struct cg_frame *frame, const uint64_t *addresses,
			  size_t count)
{
	if (count > UINT32_MAX - in->nstarts)
		return CG_ERANGE;
	if (cg_grow(&in->starts, &in->starts_cap, in->nstarts + count, sizeof *in->starts))
		return CG_ENOMEM;
	if (count)
		memcpy(in->starts + in->nstarts, addresses, count * sizeof *addresses);
	frame->first_start = in->nstarts;
	frame->nstarts = (uint32_t)count;
	in->nstarts += (uint32_t)count;
	return CG_OK;
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
