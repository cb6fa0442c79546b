/*
 * Text, fast: every function writes at a place, whose room the caller sees to, and returns the
 * place behind it. printf would take longer than all the rest of the generator.
 */
#ifndef TESTS_BENCH_PUT_H
#define TESTS_BENCH_PUT_H

#include <stdint.h>
#include <string.h>

static inline char *put_text(char *at, const char *text)
{
	size_t len = strlen(text);
	memcpy(at, text, len);
	return at + len;
}

/* Two digits at a time. */
static inline char *put_number(char *at, uint64_t n)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";
	if (n < 10) { /* most are */
		*at = (char)('0' + n);
		return at + 1;
	}
	unsigned len = 2;
	for (uint64_t limit = 100; len < 20 && n >= limit; limit *= 10)
		len++;
	char *digit = at + len;
	for (; n >= 10; n /= 100)
		memcpy(digit -= 2, pairs + 2 * (n % 100), 2);
	if (digit > at)
		*at = (char)('0' + n);
	return at + len;
}

/* At least `width` digits. */
static inline char *put_hex(char *at, uint64_t n, unsigned width)
{
	unsigned len = width;
	*at++ = '0';
	*at++ = 'x';
	while (len < 16 && n >> (4 * len))
		len++;
	for (unsigned i = len; i-- > 0; n >>= 4)
		at[i] = "0123456789abcdef"[n & 15];
	return at + len;
}

/* What stands for a name that was given before. */
static inline char *put_id(char *at, uint64_t id)
{
	*at++ = '(';
	at = put_number(at, id);
	*at++ = ')';
	return at;
}

#endif
