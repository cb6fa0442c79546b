/* Private to the library and irdiff: folded stacks as cg_read_file and cg_write_folded see them.
 * cgprofile/folded.h describes the format. */
#ifndef CG_FOLDED_H
#define CG_FOLDED_H

#include <stdbool.h>
#include <stddef.h>

#include "callgrind/format.h"
#include "cgprofile/folded.h"

#define CG_FOLDED_INLINED "_[i]"           /* ends the name of an inlined frame */
#define CG_FOLDED_MOST (UINT64_C(1) << 30) /* bytes of stacks that are written */

/* Whether the beginning of a file looks like folded stacks. */
bool cg_folded_detect(const char *bytes, size_t len);

extern const struct cg_format cg_folded_format;

/* Replaces what a reader of stacks would take for something else, as said there, in a name
 * of at least one byte: of the first function of a stack, or of one that is inlined. */
void cg_folded_name(char *name, size_t len, bool first, bool inlined);

#endif
