#include "callgrind/scan_avx512.h"

#include "callgrind/digits.h"
#include "callgrind/scan_avx2.h"
#include "callgrind/scan_lines.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define VECTOR \
	__attribute__((target( \
		"avx2,bmi,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2")))
#define INLINE VECTOR __attribute__((always_inline)) static inline

bool cg_have_avx512(void)
{
	return cg_have_avx2() && __builtin_cpu_supports("avx512f") &&
	       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
	       __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
}

/* 64 bytes. */
struct avx512_block {
	const char *bytes;
	__m512i v;
	struct line_masks m;
};

/* Compilers fetch a mask from its register each time, which takes three cycles: once is enough. */
INLINE uint64_t fetch(__mmask64 mask)
{
	uint64_t bits = mask;
	__asm__("" : "+r"(bits));
	return bits;
}

INLINE uint64_t are(__m512i v, char c)
{
	return fetch(_mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(c)));
}

INLINE uint64_t are_either(__m512i v, char c, char d)
{
	return fetch(_mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(c)) |
		     _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(d)));
}

INLINE uint64_t are_within(__m512i v, char first, unsigned char count)
{
	__m512i value = _mm512_sub_epi8(v, _mm512_set1_epi8(first));
	return fetch(_mm512_cmplt_epu8_mask(value, _mm512_set1_epi8((char)count)));
}

INLINE struct avx512_block classify_block(const char *at, bool zeros)
{
	__m512i v = _mm512_loadu_si512(at);
	struct avx512_block b = {
		.bytes = at,
		.v = v,
		.m = {
			.newlines = are(v, '\n'),
			.blanks = are(v, ' '),
			.digits = are_within(v, '0', 10),
			.signs = are_either(v, '+', '-'),
			.stars = are(v, '*'),
		},
	};

	mark_words(&b.m);
	if (zeros || b.m.others)
		b.m.zeros = are(v, '0');
	if (b.m.others) {
		b.m.jays = are(v, 'j');
		b.m.exes = are(v, 'x');
		b.m.letters = are_within(v, 'a', 6);
	}
	return b;
}

/* ---- one event ---- */

/* Sums of digits of two place values each, 10^0 and 10^1 … 10^6 and 10^7. */
struct place_sums {
	__m512i pairs[4];
	uint64_t high; /* not 0 if a number has more than four digits */
};

INLINE __m512i times_ten(void)
{
	return _mm512_broadcast_i32x4(
		_mm_setr_epi8(0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 0, 0, 0, 0, 0, 0));
}

INLINE void add_digits(__m512i *sum, __m512i v, uint64_t ones, uint64_t tens)
{
	__m512i values = _mm512_maskz_sub_epi8(ones, v, _mm512_set1_epi8('0'));
	values = _mm512_mask_shuffle_epi8(values, tens, times_ten(), v);
	*sum = _mm512_add_epi64(*sum, _mm512_sad_epu8(values, _mm512_setzero_si512()));
}

INLINE void add_single_costs(struct place_sums *s, const struct avx512_block *b, uint64_t costs)
{
	uint64_t p0 = costs & b->m.ends >> 1, p1 = p0 >> 1 & costs, p2 = p1 >> 1 & costs,
		 p3 = p2 >> 1 & costs, p4 = p3 >> 1 & costs;
	add_digits(&s->pairs[0], b->v, p0, p1);
	add_digits(&s->pairs[1], b->v, p2, p3);
	if (!p4)
		return;
	s->high |= p4;
	uint64_t p5 = p4 >> 1 & costs, p6 = p5 >> 1 & costs, p7 = p6 >> 1 & costs;
	add_digits(&s->pairs[2], b->v, p4, p5);
	add_digits(&s->pairs[3], b->v, p6, p7);
}

/* No window has so many costs that a sum of digits does not fit 32 bits. */
INLINE int64_t sum_of_pairs(__m512i low, __m512i high)
{
	const __m512i hundred = _mm512_set1_epi64(100);

	return _mm512_reduce_add_epi64(_mm512_add_epi64(low, _mm512_mul_epu32(high, hundred)));
}

INLINE int64_t sum_of_places(const struct place_sums *s)
{
	int64_t sum = sum_of_pairs(s->pairs[0], s->pairs[1]);

	return s->high ? sum + 10000 * sum_of_pairs(s->pairs[2], s->pairs[3]) : sum;
}

INLINE const char *sum_single_costs(const char *at, struct line_form of, int64_t *sum,
				    uint32_t *lines)
{
	const __m512i zero = _mm512_setzero_si512();
	struct place_sums s = { { zero, zero, zero, zero }, .high = 0 };
	uint32_t count = 0;

	for (;;) {
		struct avx512_block b = classify_block(at, of.same && of.at_zero);
		struct cost_lines l = find_cost_lines(at, &b.m, of);
		add_single_costs(&s, &b, l.costs);
		count += (uint32_t)_mm_popcnt_u64(b.m.newlines & l.all);
		at += length_to_last(l.all);
		if (l.stopped || !l.all)
			break;
	}
	*sum += sum_of_places(&s);
	*lines += count;
	return at;
}

/* ---- several events ---- */

/* Sums of two digits each of each column: 10^0 and 10^1, 10^2 and 10^3, 10^4 and 10^5. */
struct column_sums {
	__m512i low, middle, high;
};

/* The digits that are so many places before the bits of `at`, there; times ten or not. */
INLINE __m512i digits_before(__m512i v, uint64_t at, int back, bool tens)
{
	const __m512i order = _mm512_set_epi8(
		63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43,
		42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22,
		21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
	__m512i from = _mm512_sub_epi8(order, _mm512_set1_epi8((char)back));
	__m512i moved = back ? _mm512_permutexvar_epi8(from, v) : v;

	return tens ? _mm512_maskz_shuffle_epi8(at, times_ten(), moved)
		    : _mm512_maskz_sub_epi8(at, moved, _mm512_set1_epi8('0'));
}

/* Numbers of more than six digits. */
INLINE void add_large(const struct avx512_block *b, uint64_t lasts, uint64_t large,
		      uint64_t numbers, int64_t *sum)
{
	for (; large; large &= large - 1) {
		uint64_t before = (large & -large) - 1;
		unsigned at = (unsigned)_mm_popcnt_u64(up_to_last(~numbers & before));
		unsigned len = (unsigned)_tzcnt_u64(large) + 1 - at;
		sum[_mm_popcnt_u64(lasts & before)] += (int64_t)cg_digits_value(
			cg_load8(b->bytes + at), len);
	}
}

INLINE void add_pairs(__m512i *sum, __m512i pairs, uint64_t numbers)
{
	__m512i packed = _mm512_maskz_compress_epi8(numbers, pairs);
	*sum = _mm512_add_epi32(*sum, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(packed)));
}

/* Adds the lines of a block that have no more costs than columns, and returns which. */
INLINE uint64_t add_columns(struct column_sums *s, const struct avx512_block *b,
			    const struct cost_lines *l, uint32_t ncolumns, int64_t *sum)
{
	uint64_t digits = l->costs & ~b->m.ends, lasts = digits & b->m.ends >> 1;
	/* Where numbers of so many digits and more end. */
	uint64_t two = lasts & digits << 1, three = two & digits << 2, four = three & digits << 3,
		 five = four & digits << 4, six = five & digits << 5, large = six & digits << 6;
	__m512i low = _mm512_add_epi8(digits_before(b->v, lasts & ~large, 0, false),
				      digits_before(b->v, two & ~large, 1, true));
	__m512i middle = _mm512_add_epi8(digits_before(b->v, three & ~large, 2, false),
					 digits_before(b->v, four & ~large, 3, true));
	__m512i high = _mm512_add_epi8(digits_before(b->v, five & ~large, 4, false),
				       digits_before(b->v, six & ~large, 5, true));
	uint64_t taken = 0;

	for (uint64_t rest = b->m.newlines & l->all; rest; rest &= rest - 1) {
		uint64_t line = (rest ^ (rest - 1)) & ~taken, its = lasts & line;
		if (__builtin_expect((uint32_t)_mm_popcnt_u64(its) > ncolumns, 0))
			break;
		add_pairs(&s->low, low, its);
		add_pairs(&s->middle, middle, its);
		if (five & line)
			add_pairs(&s->high, high, its);
		if (large & line)
			add_large(b, its, large & line, digits, sum);
		taken |= line;
	}
	return taken;
}

INLINE void add_column_sums(const struct column_sums *s, uint32_t ncolumns, int64_t *sum)
{
	uint32_t low[AVX512_COLUMNS], middle[AVX512_COLUMNS], high[AVX512_COLUMNS];

	_mm512_storeu_si512(low, s->low);
	_mm512_storeu_si512(middle, s->middle);
	_mm512_storeu_si512(high, s->high);
	for (uint32_t i = 0; i < ncolumns; i++)
		sum[i] += low[i] + INT64_C(100) * middle[i] + INT64_C(10000) * high[i];
}

INLINE const char *sum_columns(const char *at, struct line_form of, int64_t *sum, uint32_t *lines)
{
	const __m512i zero = _mm512_setzero_si512();
	struct column_sums s = { zero, zero, zero };
	uint32_t count = 0;

	for (;;) {
		struct avx512_block b = classify_block(at, of.same && of.at_zero);
		struct cost_lines l = find_cost_lines(at, &b.m, of);
		uint64_t taken = add_columns(&s, &b, &l, of.ncolumns, sum);
		count += (uint32_t)_mm_popcnt_u64(b.m.newlines & taken);
		at += length_to_last(taken);
		if (l.stopped || !taken || taken != l.all)
			break;
	}
	if (count)
		add_column_sums(&s, of.ncolumns, sum);
	*lines += count;
	return at;
}

VECTOR const char *cg_sum_lines_avx512(const char *at, const struct scan_format *format,
				       bool at_zero, int64_t *sum, uint32_t *lines)
{
	const unsigned npositions = format->npositions;
	const uint32_t ncolumns = format->ncolumns;
	const bool same = format->joining == SCAN_SAME_LINE;

	/* Constants let the compiler leave out what does not happen. */
	if (!same && ncolumns == 1 && npositions == 1)
		return sum_single_costs(at, (struct line_form){ 1, 1, false, false }, sum, lines);
	if (!same && ncolumns == 1 && npositions == 2)
		return sum_single_costs(at, (struct line_form){ 2, 1, false, false }, sum, lines);
	if (!same && npositions == 2)
		return sum_columns(at, (struct line_form){ 2, ncolumns, false, false }, sum, lines);
	const struct line_form of = { npositions, ncolumns, same, at_zero };
	return ncolumns == 1 ? sum_single_costs(at, of, sum, lines)
			     : sum_columns(at, of, sum, lines);
}

VECTOR const char *cg_line_end_avx512(const char *at)
{
	for (;; at += 64) {
		__m512i v = _mm512_loadu_si512(at);
		uint64_t ends = _mm512_testn_epi8_mask(v, v) |
				_mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\n'));
		if (ends)
			return at + _tzcnt_u64(ends);
	}
}

#else

bool cg_have_avx512(void)
{
	return false;
}

const char *cg_sum_lines_avx512(const char *at, const struct scan_format *format, bool at_zero,
				int64_t *sum, uint32_t *lines)
{
	(void)format;
	(void)at_zero;
	(void)sum;
	(void)lines;
	return at;
}

const char *cg_line_end_avx512(const char *at)
{
	return at;
}

#endif
