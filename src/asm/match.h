/*
 * The instructions of base and head as one list. Instructions are matched in their order: first
 * those that are equal but for addresses, then between them those that are equal but for registers
 * and places on the stack as well. Calls are of the same function by name, where they were made on
 * both sides. Padding moves with the alignment of what is after it, so it separates nothing: it is
 * matched last, and left out where it was not executed.
 *
 * Laws: the rows of a side are those of its listing, in their order, without such padding;
 * exchanging the sides exchanges them in each pair; between two matched rows, what only base has
 * comes before what only head has.
 */
#ifndef IRDIFF_ASM_MATCH_H
#define IRDIFF_ASM_MATCH_H

#include "src/asm/listing.h"

enum { ASM_BASE, ASM_HEAD, ASM_SIDES };

struct asm_pair {
	const struct asm_row *row[ASM_SIDES]; /* NULL: that side does not have it */
	bool renamed;                         /* they differ in registers or places on the stack */
};

struct asm_pairs {
	struct asm_pair *items;
	size_t count;
};

/* Of listings with the same texts. A listing without rows may be NULL. CG_OK or CG_ENOMEM; free
 * `items`. */
int asm_match(const struct asm_listing *base, const struct asm_listing *head,
	      struct asm_pairs *out);

#endif
