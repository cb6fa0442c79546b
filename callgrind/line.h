/* Private to the library: the parts of one line of a file. Inline is what is
 * needed for each name. */
#ifndef CG_LINE_H
#define CG_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The line in front of `calls=1` where it is not known how often a function was called, or where it
 * was inlined. To other tools it is a comment: they take the cost of 0 calls for self cost. */
#define CG_UNCOUNTED_CALL "# called 0 times"

/* How often an inlined function is called is a comment below its `fn=`, which older versions
 * ignore. */
#define CG_INLINED_CALLS "# inlined calls: "

/* So is each line of the function around it that calls it, in the file of the last fi= or fe=, with
 * the number of calls there, 0 if unknown, and what they cost. */
#define CG_INLINED_AT "# inlined at: "

/* One line, without its end. `at` moves along as it is parsed. */
struct line {
	const char *start, *at, *end;
};

static inline void cg_line_skip_blanks(struct line *l)
{
	while (l->at < l->end && (*l->at == ' ' || *l->at == '\t'))
		l->at++;
}

/* The first `c` from `at` on, or the end of the line. */
const char *cg_line_find(const struct line *l, const char *at, char c);

/* Whether a number may end here: at a blank or the end of the line. */
static inline bool cg_line_at_number_end(const struct line *l)
{
	return l->at == l->end || *l->at == ' ' || *l->at == '\t';
}

/* Digits that fit uint64_t. False without digits, or with too many. */
static inline bool cg_line_parse_decimal(struct line *l, uint64_t *value)
{
	uint64_t v = 0;
	const char *start = l->at;

	for (; l->at < l->end && (unsigned)(*l->at - '0') < 10; l->at++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*l->at - '0'), &v))
			return false;
	*value = v;
	return l->at > start;
}

/* A cost: a number, perhaps after a minus, that fits int64_t. */
bool cg_line_parse_cost(struct line *l, int64_t *value);

/* Hexadecimal digits after 0x that fit uint64_t. */
bool cg_line_parse_hex(struct line *l, uint64_t *value);

/* One of both. */
static inline bool cg_line_parse_number(struct line *l, uint64_t *value)
{
	bool hex = l->end - l->at > 2 && l->at[0] == '0' && (l->at[1] == 'x' || l->at[1] == 'X');
	return hex ? cg_line_parse_hex(l, value) : cg_line_parse_decimal(l, value);
}

/* One position: N, +N, -N or *, where `base` is the base of the last three. False if it is not a
 * position or leaves the range of uint64_t. */
bool cg_line_parse_any_position(struct line *l, uint64_t base, uint64_t *value);

/* The same, quick for the most common: "* " and "+5 ". */
static inline bool cg_line_parse_position(struct line *l, uint64_t base, uint64_t *value)
{
	const char *at = l->at;
	if (l->end - at < 3)
		return cg_line_parse_any_position(l, base, value);
	if (at[0] == '*' && at[1] == ' ') {
		*value = base;
		l->at = at + 2;
		return true;
	}
	unsigned step = (unsigned)(at[1] - '0');
	if (at[0] != '+' || step > 9 || at[2] != ' ' || base > UINT64_MAX - 9)
		return cg_line_parse_any_position(l, base, value);
	*value = base + step;
	l->at = at + 3;
	return true;
}

/* "(ID)": the number of a compressed name. A name may begin with a bracket too,
 * "(below main)": then false, and nothing is taken. */
static inline bool cg_line_parse_id(struct line *l, uint64_t *id)
{
	struct line ahead = *l;
	if (ahead.at == ahead.end || *ahead.at != '(')
		return false;
	ahead.at++;
	if (!cg_line_parse_number(&ahead, id) || ahead.at == ahead.end || *ahead.at != ')')
		return false;
	l->at = ahead.at + 1;
	return true;
}

/* The next word, up to a blank; empty at the end of the line. */
struct line cg_line_next_word(struct line *l);

/* Whether the first `len` bytes of the line are this word. */
static inline bool cg_line_starts_with(const struct line *l, const char *word, size_t len)
{
	return strlen(word) == len && (size_t)(l->end - l->start) >= len &&
	       memcmp(l->start, word, len) == 0;
}

#endif
