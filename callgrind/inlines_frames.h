/* Private to the library: frames and addresses of struct cg_inlines, as they are filled in. */
#ifndef CG_INLINES_FRAMES_H
#define CG_INLINES_FRAMES_H

#include "cgprofile/inlines.h"

/* The number of the first of ascending addresses that is not below `from`. */
uint32_t cg_inlines_first_from(const uint64_t *addresses, uint32_t count, uint64_t from);

/* Adds where the code of a frame that is to be added begins, and notes that in it. */
int cg_inlines_add_starts(struct cg_inlines *in, struct cg_frame *frame, const uint64_t *addresses,
			  size_t count);

/* Adds a frame; its number is *id. */
int cg_inlines_add_frame(struct cg_inlines *in, const struct cg_frame *frame, uint32_t *id);

#endif
