/*
 * Private to the library: where a name of a function may end, or where what hides its end is:
 * apostrophes, brackets, and the o of `operator`. Nearly all characters are none of these, so many
 * are looked at together.
 */
#ifndef CG_NAME_MARKS_H
#define CG_NAME_MARKS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>

static inline uint64_t cg_name_marks_of_16(const char *text)
{
	__m128i v = _mm_loadu_si128((const __m128i *)(const void *)text);
	/* The round brackets follow the apostrophe; in one bit each, < differs from >, and square
	 * brackets from curly ones. */
	__m128i after = _mm_min_epu8(_mm_sub_epi8(v, _mm_set1_epi8('\'')), _mm_set1_epi8(3));
	__m128i none = _mm_cmpeq_epi8(after, _mm_set1_epi8(3));
	__m128i angle = _mm_cmpeq_epi8(_mm_or_si128(v, _mm_set1_epi8('<' ^ '>')),
				       _mm_set1_epi8('>'));
	__m128i curly = _mm_or_si128(v, _mm_set1_epi8('[' ^ '{'));
	__m128i open = _mm_cmpeq_epi8(curly, _mm_set1_epi8('{'));
	__m128i close = _mm_cmpeq_epi8(curly, _mm_set1_epi8('}'));
	__m128i o = _mm_cmpeq_epi8(v, _mm_set1_epi8('o'));
	__m128i others = _mm_or_si128(_mm_or_si128(angle, o), _mm_or_si128(open, close));

	return (uint64_t)((~_mm_movemask_epi8(none) & 0xffff) | _mm_movemask_epi8(others));
}
#else
static inline uint64_t cg_name_marks_of_16(const char *text)
{
	uint64_t marks = 0;

	for (unsigned i = 0; i < 16; i++)
		marks |= (uint64_t)(text[i] && strchr("'()<>[]{}o", text[i])) << i;
	return marks;
}
#endif

/* Bit i is about text[i], up to 64 characters of `len`. */
static inline uint64_t cg_name_marks(const char *text, size_t len)
{
	char last[64] = { 0 };

	if (len < sizeof last)
		text = memcpy(last, text, len);
	return cg_name_marks_of_16(text) | cg_name_marks_of_16(text + 16) << 16 |
	       cg_name_marks_of_16(text + 32) << 32 | cg_name_marks_of_16(text + 48) << 48;
}

#endif
