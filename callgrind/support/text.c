#include "callgrind/support/text.h"

#include <string.h>

size_t cg_utf8_decode(const char *text, size_t len, uint32_t *code)
{
	const unsigned char *s = (const unsigned char *)text;
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t need = s[0] < 0x80   ? 1
		      : s[0] < 0xc0 ? 0
		      : s[0] < 0xe0 ? 2
		      : s[0] < 0xf0 ? 3
		      : s[0] < 0xf8 ? 4
				    : 0;

	if (need == 0 || need > len)
		return 0;

	uint32_t value = need == 1 ? s[0] : s[0] & (0x7fu >> need);
	for (size_t i = 1; i < need; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (s[i] & 0x3f);
	}
	if (value < smallest[need] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return 0;
	*code = value;
	return need;
}

/* Writes the first character of `text` as it may be shown; returns the length
 * written (at most 4), *used is the length read. */
static size_t quote_one(char out[4], const char *text, size_t len, size_t *used)
{
	static const char hex[] = "0123456789abcdef";
	uint32_t code;
	size_t n = cg_utf8_decode(text, len, &code);

	if (n > 0 && !cg_is_control(code)) {
		memcpy(out, text, n);
		*used = n;
		return n;
	}
	/* A C1 control is escaped byte by byte, like what is not UTF-8. */
	out[0] = '\\';
	out[1] = 'x';
	out[2] = hex[(unsigned char)text[0] >> 4];
	out[3] = hex[(unsigned char)text[0] & 15];
	*used = 1;
	return 4;
}

const char *cg_quote(char out[CG_QUOTE_SIZE], const char *text, size_t len)
{
	static const char cut[] = "...'";
	size_t room = CG_QUOTE_SIZE - sizeof cut;
	size_t at = 0;
	bool whole = true;

	out[at++] = '\'';
	for (size_t i = 0, used; i < len; i += used) {
		char one[4];
		size_t n = quote_one(one, text + i, len - i, &used);
		if (at + n > room) {
			whole = false;
			break;
		}
		memcpy(out + at, one, n);
		at += n;
	}
	const char *end = whole ? "'" : cut;
	memcpy(out + at, end, strlen(end) + 1);
	return out;
}
