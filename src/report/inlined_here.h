/* What is said of a function that is shown because of what is inlined into it. */
#ifndef IRDIFF_REPORT_INLINED_HERE_H
#define IRDIFF_REPORT_INLINED_HERE_H

#include <stdbool.h>

#include "src/asm/match.h"

/* Whether an instruction belongs to one of the chosen functions of its profile, which may be
 * inlined. NULL: none is. */
bool inlined_here_is_marked(const struct asm_listing *listing, const struct asm_row *row,
			    const bool *chosen);

/* "hash is inlined here (*); this is all of main", of listings of base and head; either may be
 * NULL. "" if nothing that is chosen is inlined into another function. NULL if memory ran out;
 * free() it. */
char *inlined_here_text(const struct asm_listing *const listing[ASM_SIDES],
			const bool *const chosen[ASM_SIDES]);

#endif
