/* The machine code of any function that a person asks for: profiles are read with addresses when
 * the first one is asked for. */
#ifndef IRDIFF_LOAD_BROWSE_INSTRUCTIONS_H
#define IRDIFF_LOAD_BROWSE_INSTRUCTIONS_H

#include "src/browse/browse.h"
#include "src/load/instructions.h"
#include "src/load/load_again.h"

struct browse_instructions {
	struct load_again profiles;
	/* of the last function */
	struct cg_strings texts; /* of instructions */
	struct asm_listing *listing[BROWSE_SIDES];
	bool *chosen[BROWSE_SIDES]; /* functions of its name */
	char *note;                 /* what is inlined into what is listed; "" */
	char **lines;               /* of the screen */
	size_t nlines;
};

/* Adds itself to a finder. */
void browse_instructions_offer(struct browse_instructions *s, struct browse_code_finder *to);
void browse_instructions_free(struct browse_instructions *s);

#endif
