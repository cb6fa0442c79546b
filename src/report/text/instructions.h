/* Private to report/: how the text views of one profile and of a difference print instructions. */
#ifndef IRDIFF_REPORT_TEXT_INSTRUCTIONS_H
#define IRDIFF_REPORT_TEXT_INSTRUCTIONS_H

#include "src/report/instructions.h"
#include "src/text/text.h"

/* How wide the columns after those of costs are. */
struct instruction_columns {
	int address;
	unsigned text;   /* of instructions */
	unsigned source; /* 0: any number */
	bool no_source;  /* there is no room for it */
};

void instruction_columns_fit(struct instruction_columns *c, const struct asm_listing *listing,
			     const struct asm_row *row);
/* Once all rows are fitted: `taken` columns are before these. */
void instruction_columns_share(struct instruction_columns *c, unsigned taken,
			       const struct text_style *style);

/* "   hash is inlined here (*); this is all of main", if so, and a newline; the last blank before
 * an address becomes the sign. CG_OK or CG_ENOMEM. */
int instruction_print_inlined(const struct report_instructions *base,
			      const struct report_instructions *head,
			      const struct text_style *style, bool *any, FILE *to);
/* The sign of a row of such a function. */
char instruction_sign(const struct report_instructions *of, const struct asm_row *row, bool any);

/* "  0x1139  addps xmm0, xmm1      vec.c:5 (scale) return x * 2.5f;" and a newline. The source is
 * left out where `last`, which becomes the row, has the same. CG_OK or CG_ENOMEM. */
int instruction_print(const struct instruction_columns *c, const struct report_instructions *of,
		      const struct asm_row *row, const struct asm_row **last, FILE *to);
/* What it calls: "=> qsort (12x)", behind the columns of costs. CG_OK or CG_ENOMEM. */
int instruction_print_calls(const struct asm_listing *listing, const struct asm_row *row,
			    unsigned indent, FILE *to);

/* What instruction_jumps_text says, each in a line of its own, likewise. */
int instruction_print_jumps(const struct asm_listing *base, const struct asm_listing *head,
			    const struct asm_pair *pair, unsigned indent, FILE *to);

#endif
