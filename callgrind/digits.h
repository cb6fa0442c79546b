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

/* The same of digits of hexadecimal numbers. */
static inline unsigned cg_count_hex_digits(uint64_t word)
{
	const uint64_t high = UINT64_C(0x8080808080808080), low = ~high;
	/* Without the highest bits there are no carries. Digits become 0 … 9, letters 1 … 6. */
	uint64_t digit = (word ^ UINT64_C(0x3030303030303030)) & low,
		 letter = ((word | UINT64_C(0x2020202020202020)) ^ UINT64_C(0x6060606060606060)) &
			  low;
	uint64_t no_digit = digit + UINT64_C(0x7676767676767676);
	uint64_t no_letter = (letter + UINT64_C(0x7979797979797979)) |
			     ~(letter + UINT64_C(0x7f7f7f7f7f7f7f7f));
	uint64_t other = ((no_digit & no_letter) | word) & high;
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
