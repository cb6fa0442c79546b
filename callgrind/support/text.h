/* Text from outside: reading UTF-8, and quoting it in a message. */
#ifndef CG_SUPPORT_TEXT_H
#define CG_SUPPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes the code point at the start of `text`, which has len > 0 bytes.
 * Returns its length, 1 to 4, or 0 if the bytes are not UTF-8 (overlong forms,
 * surrogates and values above U+10FFFF are not). */
size_t cg_utf8_decode(const char *text, size_t len, uint32_t *code);

/* C0, DEL and C1: the code points that steer a terminal. */
static inline bool cg_is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

#define CG_QUOTE_SIZE 88

/* Puts the text in single quotes for a message: control characters and bytes
 * that are not UTF-8 become \xNN, a long text is cut and ends in `...`.
 * Returns `out`. */
const char *cg_quote(char out[CG_QUOTE_SIZE], const char *text, size_t len);

#endif
