/*
 * Private to the library: a cache of the frames at addresses of an object, from its debug
 * information, in a directory by build-id. Unpacking and walking debug information takes most of
 * the time of a short measurement, and that of libraries does not change.
 *
 * Objects whose debug information is in one file: places in it tell frames apart.
 *
 * BUILD-ID.frames, in the byte order of the machine: struct head, the addresses in
 * ascending order (uint64_t), the frames (struct row) by place in the debug information, where
 * their code begins (uint64_t), the frame of each address (uint32_t), and texts. It is only a
 * cache: what is missing, of another version or damaged is looked up again, and what cannot be
 * written is not.
 */
#ifndef CG_INLINES_CACHE_H
#define CG_INLINES_CACHE_H

#include "cgprofile/inlines.h"

/* Fills the frames of an object's addresses, if all are known; then *known is true. CG_OK,
 * CG_ENOMEM or CG_ERANGE. */
int cg_inlines_recall(const char *directory, struct cg_inlines *in,
		      const struct cg_inlines_object *object, bool *known);

/* Keeps the frames of an object's addresses, beside what was known. Its frames are
 * those from `first` on. */
void cg_inlines_remember(const char *directory, const struct cg_inlines *in,
			 const struct cg_inlines_object *object, uint32_t first);

#endif
