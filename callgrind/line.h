/* Private to the library: the parts of one line of a file. */
#ifndef CG_LINE_H
#define CG_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One line, without its end. `at` moves along as it is parsed. */
struct line {
	const char *start, *at, *end;
};

void cg_line_skip_blanks(struct line *l);

/* The first `c` from `at` on, or the end of the line. */
const char *cg_line_find(const struct line *l, const char *at, char c);

/* Whether a number may end here: at a blank or the end of the line. */
bool cg_line_at_number_end(const struct line *l);

/* Digits that fit uint64_t. False if there are none, or too many. */
bool cg_line_parse_decimal(struct line *l, uint64_t *value);

/* A cost: digits, perhaps behind a minus, that fit int64_t. */
bool cg_line_parse_cost(struct line *l, int64_t *value);

/* Digits, or hexadecimal ones behind 0x. */
bool cg_line_parse_number(struct line *l, uint64_t *value);

/* One position: N, +N, -N or *, where `base` is what the last three build on.
 * False if it is none or leaves the range of uint64_t. */
bool cg_line_parse_position(struct line *l, uint64_t base, uint64_t *value);

/* "(ID)": the number of a compressed name. A name may begin with a bracket too,
 * "(below main)": then false, and nothing is taken. */
bool cg_line_parse_id(struct line *l, uint64_t *id);

/* The next word, up to a blank; empty at the end of the line. */
struct line cg_line_next_word(struct line *l);

/* Whether the first `len` bytes of the line are this word. */
bool cg_line_starts_with(const struct line *l, const char *word, size_t len);

#endif
