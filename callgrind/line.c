#include "callgrind/line.h"

#include <string.h>

const char *cg_line_find(const struct line *l, const char *at, char c)
{
	while (at < l->end && *at != c)
		at++;
	return at;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool cg_line_parse_hex(struct line *l, uint64_t *value)
{
	uint64_t v = 0;
	const char *start = l->at += 2;
	int digit;

	for (; l->at < l->end && (digit = hex_digit(*l->at)) >= 0; l->at++) {
		if (v >> 60)
			return false;
		v = v << 4 | (uint64_t)digit;
	}
	*value = v;
	return l->at > start;
}

bool cg_line_parse_cost(struct line *l, int64_t *value)
{
	bool negative = l->at < l->end && *l->at == '-';
	uint64_t size;

	l->at += negative;
	if (!cg_line_parse_number(l, &size) || size > INT64_MAX)
		return false;
	*value = negative ? -(int64_t)size : (int64_t)size;
	return true;
}

bool cg_line_parse_any_position(struct line *l, uint64_t base, uint64_t *value)
{
	uint64_t offset;
	char sign;

	cg_line_skip_blanks(l);
	if (l->at == l->end)
		return false;
	sign = *l->at;
	if (sign == '*') {
		l->at++;
		*value = base;
		return cg_line_at_number_end(l);
	}
	if (sign == '+' || sign == '-')
		l->at++;
	if (!cg_line_parse_number(l, &offset) || !cg_line_at_number_end(l))
		return false;
	if (sign == '+')
		return !__builtin_add_overflow(base, offset, value);
	if (sign == '-')
		return !__builtin_sub_overflow(base, offset, value);
	*value = offset;
	return true;
}

struct line cg_line_next_word(struct line *l)
{
	cg_line_skip_blanks(l);
	struct line word = { l->at, l->at, l->at };
	while (word.end < l->end && *word.end != ' ' && *word.end != '\t')
		word.end++;
	l->at = word.end;
	return word;
}
