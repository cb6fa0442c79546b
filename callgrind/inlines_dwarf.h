/* Private to the library: debug information → frames. inlines_dwarf.c is the only file
 * that knows libdw. */
#ifndef CG_INLINES_DWARF_H
#define CG_INLINES_DWARF_H

#include "callgrind/inlines.h"

/* Fills the frames of an object's addresses, its build-id and its state. CG_OK,
 * CG_ENOMEM or CG_ERANGE. */
int cg_inlines_read_dwarf(struct cg_inlines *in, struct cg_inlines_object *object);

/* Adds a frame; its number is *id. */
int cg_inlines_add_frame(struct cg_inlines *in, const struct cg_frame *frame, uint32_t *id);

#endif
