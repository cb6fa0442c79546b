/*
 * Private to the library: decimal numbers, eight digits at a time in one word
 * ("SIMD within a register"). The first byte in memory is the lowest of a word.
 */
#ifndef CG_DIGITS_H
#define CG_DIGITS_H

#include <stdint.h>
#include <string.h>

static inline uint64_t cg_load8(const char *at)
{
	uint64_t word;
	memcpy(&word, at, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

/* How many of the next 8 bytes are digits before the first other character. */
static inline unsigned cg_count_digits(uint64_t word)
{
	/* Digits become 0 … 9, and only these have no bit above the lowest four, neither
	 * now nor with 6 added. A carry can only reach bytes after the first other one. */
	uint64_t x = word ^ UINT64_C(0x3030303030303030);
	uint64_t other = ((x + UINT64_C(0x0606060606060606)) | x) & UINT64_C(0xf0f0f0f0f0f0f0f0);
	return other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
}

/* The number that `len` (1 to 8) leading digits of a word make. */
static inline uint64_t cg_digits_value(uint64_t word, unsigned len)
{
	word <<= 64 - 8 * len;
	word &= UINT64_C(0x0f0f0f0f0f0f0f0f);
	word = word * 10 + (word >> 8);
	return (((word & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064)) +
		(((word >> 16) & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001))) >>
	       32;
}

#endif
