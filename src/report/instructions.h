/* What reports show of instructions: those of one function, or those of base and head. Views that
 * own nothing. */
#ifndef IRDIFF_REPORT_INSTRUCTIONS_H
#define IRDIFF_REPORT_INSTRUCTIONS_H

#include <stdio.h>

#include "src/asm/match.h"
#include "src/view/line_texts.h"

struct report_instructions {
	const struct asm_listing *listing; /* NULL: this side does not have the function */
	const struct line_texts *lines;
	uint32_t function;  /* of the profile of the listing */
	const bool *chosen; /* functions of the profile that were asked for; NULL: not known */
};

/* Whether both are at one place in the source; `a` may be NULL. */
bool instruction_is_beside(const struct asm_row *a, const struct asm_row *b);

/* Where it is in the source: "vec.c:5 (scale)". "" if that is not known, or where `last` is, which
 * may be NULL. NULL if memory ran out; free() it. Hostile. */
char *instruction_place(const struct asm_listing *listing, const struct asm_row *row,
			const struct asm_row *last);

/* Where it is in the source, and what stands there: "vec.c:5 (scale) return x * 2.5f;". "" if that
 * is not known. NULL if memory ran out; free() it. Hostile. */
char *instruction_source(const struct report_instructions *of, const struct asm_row *row);

/* Whether it is a jump of which something is to be said: that of an unconditional one to a constant
 * address is plain. */
bool instruction_has_jumps(const struct asm_row *row);

/* How often it jumped, wherever to. */
uint64_t instruction_jumps(const struct asm_listing *listing, const struct asm_row *row);

/* How often it jumped of how often it was executed: "jumped 99 of 100 times"; where base and head
 * differ, of both, "… in base" and "… in head"; to computed addresses, of each, "jumped 4 of 20
 * times to 0x1191". `between` is before each but the first. A listing may be NULL if its row is. ""
 * if there is nothing to say. NULL if memory ran out; free() it. */
char *instruction_jumps_text(const struct asm_listing *base, const struct asm_listing *head,
			     const struct asm_pair *pair, const char *between);

/* Why the code of an object is not shown: "no code of PATH (build-id 12ab): …". NULL if memory ran
 * out; free() it. Hostile. */
char *instructions_missing(const struct asm_missing *m);

#endif
