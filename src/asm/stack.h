/* Which instructions access the stack: where there are more of them, values that were in registers
 * no longer are. */
#ifndef IRDIFF_ASM_STACK_H
#define IRDIFF_ASM_STACK_H

#include "src/asm/listing.h"

/* Adds up what they cost; `sum` has nevents zeros. Accesses by a frame pointer count where the code
 * sets one up. */
void asm_cost_of_stack(const struct asm_listing *l, int64_t *sum);

#endif
