#include "callgrind/scan_avx2.h"

#include "callgrind/digits.h"
#include "callgrind/scan_lines.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

#define VECTOR __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define INLINE VECTOR __attribute__((always_inline)) static inline

/* Without it, lzcnt is another instruction. Not all compilers know it by name. */
static bool have_lzcnt(void)
{
	enum { EXTENDED_FEATURES = 0x80000001, LZCNT = 1 << 5 };
	unsigned a, b, c, d;

	return __get_cpuid(EXTENDED_FEATURES, &a, &b, &c, &d) && (c & LZCNT);
}

bool cg_have_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	       __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") && have_lzcnt();
}

/* 64 bytes. */
struct avx2_block {
	__m256i low, high;
	uint64_t bit0, bit3; /* of each byte */
	struct line_masks m;
};

INLINE uint64_t fetch(__m256i low, __m256i high)
{
	return (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32 |
	       (uint32_t)_mm256_movemask_epi8(low);
}

INLINE uint64_t are(const struct avx2_block *b, char c)
{
	__m256i wanted = _mm256_set1_epi8(c);

	return fetch(_mm256_cmpeq_epi8(b->low, wanted), _mm256_cmpeq_epi8(b->high, wanted));
}

INLINE uint64_t are_within(const struct avx2_block *b, char first, char count)
{
	__m256i origin = _mm256_set1_epi8(first), last = _mm256_set1_epi8((char)(count - 1));
	__m256i low = _mm256_sub_epi8(b->low, origin), high = _mm256_sub_epi8(b->high, origin);

	return fetch(_mm256_cmpeq_epi8(_mm256_min_epu8(low, last), low),
		     _mm256_cmpeq_epi8(_mm256_min_epu8(high, last), high));
}

/* Bytes that are what the table has for their lower half. */
INLINE uint64_t are_in(const struct avx2_block *b, __m128i table)
{
	__m256i both = _mm256_broadcastsi128_si256(table);

	return fetch(_mm256_cmpeq_epi8(_mm256_shuffle_epi8(both, b->low), b->low),
		     _mm256_cmpeq_epi8(_mm256_shuffle_epi8(both, b->high), b->high));
}

/* Bit `k` of each byte. A mask is made of their highest bits. */
#define TAKE_BIT(b, k) \
	fetch(_mm256_slli_epi16((b)->low, 7 - (k)), _mm256_slli_epi16((b)->high, 7 - (k)))

INLINE struct avx2_block classify_block(const char *at, bool zeros)
{
	const __m128i digits = _mm_setr_epi8('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', -1,
					     -1, -1, -1, -1, -1);
	const __m128i blank_or_mark = _mm_setr_epi8(' ', -1, -1, -1, -1, -1, -1, -1, -1, -1, '*',
						    '+', -1, '-', -1, -1);
	struct avx2_block b = {
		.low = _mm256_loadu_si256((const __m256i *)(const void *)at),
		.high = _mm256_loadu_si256((const __m256i *)(const void *)(at + 32)),
	};
	struct line_masks *m = &b.m;
	uint64_t others = are_in(&b, blank_or_mark);

	/* Only the blank lacks bit 3, and of the others, only the star lacks bit 0. */
	b.bit0 = TAKE_BIT(&b, 0);
	b.bit3 = TAKE_BIT(&b, 3);
	m->newlines = are(&b, '\n');
	m->blanks = others & ~b.bit3;
	m->digits = are_in(&b, digits);
	m->signs = others & b.bit3 & b.bit0;
	m->stars = others & b.bit3 & ~b.bit0;
	mark_words(m);
	if (zeros || m->others)
		m->zeros = are(&b, '0');
	if (m->others) {
		m->jays = are(&b, 'j');
		m->exes = are(&b, 'x');
		m->letters = are_within(&b, 'a', 6);
	}
	return b;
}

/* ---- one event ---- */

/* The bits of all digits: bit i of the mask bitK is bit K of byte i. */
struct digit_planes {
	uint64_t bit0, bit1, bit2, bit3;
};

INLINE struct digit_planes take_planes(const struct avx2_block *b)
{
	return (struct digit_planes){ b->bit0, TAKE_BIT(b, 1), TAKE_BIT(b, 2), b->bit3 };
}

INLINE uint64_t sum_digits(const struct digit_planes *d, uint64_t at)
{
	return (uint64_t)(_mm_popcnt_u64(d->bit0 & at) + 2 * _mm_popcnt_u64(d->bit1 & at) +
			  4 * _mm_popcnt_u64(d->bit2 & at) + 8 * _mm_popcnt_u64(d->bit3 & at));
}

INLINE int64_t sum_costs(const struct avx2_block *b, uint64_t costs)
{
	struct digit_planes d = take_planes(b);
	uint64_t ones = costs & b->m.ends >> 1, tens = ones >> 1 & costs,
		 hundreds = tens >> 1 & costs;
	uint64_t sum = sum_digits(&d, ones) + 10 * sum_digits(&d, tens);

	for (uint64_t unit = 100; hundreds; unit *= 10, hundreds = hundreds >> 1 & costs)
		sum += unit * sum_digits(&d, hundreds);
	return (int64_t)sum;
}

INLINE const char *sum_single_costs(const char *at, struct line_form of, int64_t *sum,
				    uint32_t *lines)
{
	int64_t total = 0;
	uint32_t count = 0;

	for (;;) {
		struct avx2_block b = classify_block(at, of.same && of.at_zero);
		struct cost_lines l = find_cost_lines(at, &b.m, of);
		total += sum_costs(&b, l.costs);
		count += (uint32_t)_mm_popcnt_u64(b.m.newlines & l.all);
		at += length_to_last(l.all);
		if (l.stopped || !l.all)
			break;
	}
	*sum += total;
	*lines += count;
	return at;
}

/* ---- several events ---- */

/* Whether a run of `len` bits or more may be among `bits`. */
INLINE bool has_run(uint64_t bits, uint32_t len)
{
	uint32_t shorter = 1;

	for (; 2 * shorter <= len && bits; shorter *= 2)
		bits &= bits >> shorter;
	return bits != 0;
}

/* The lines up to the first one that has more costs than there are columns. */
INLINE uint64_t without_excess(const struct avx2_block *b, const struct cost_lines *l,
			       uint32_t ncolumns)
{
	uint64_t taken = 0;

	for (uint64_t rest = b->m.newlines & l->all; rest; rest &= rest - 1) {
		uint64_t line = (rest ^ (rest - 1)) & ~taken;
		if ((uint32_t)_mm_popcnt_u64(b->m.starts & l->costs & line) > ncolumns)
			break;
		taken |= line;
	}
	return taken;
}

/* Adds the lines of a block that have no more costs than columns, and returns which. */
INLINE uint64_t add_columns(const char *at, const struct avx2_block *b, const struct cost_lines *l,
			    uint32_t ncolumns, int64_t *sum)
{
	uint64_t taken = l->all;

	if (has_run(l->costs, 2 * ncolumns + 1))
		taken = without_excess(b, l, ncolumns);
	uint64_t starts = b->m.starts & l->costs & taken;
	/* Most costs are 0. */
	for (uint64_t rest = starts & ~(b->m.zeros & b->m.ends >> 1); rest; rest &= rest - 1) {
		unsigned from = (unsigned)_tzcnt_u64(rest);
		unsigned line = length_to_last(_bzhi_u64(b->m.newlines, from));
		unsigned column = (unsigned)_mm_popcnt_u64(_bzhi_u64(starts, from) >> line);
		unsigned len = (unsigned)_tzcnt_u64(b->m.ends >> from);
		sum[column] += (int64_t)cg_digits_value(cg_load8(at + from), len);
	}
	return taken;
}

INLINE const char *sum_columns(const char *at, struct line_form of, int64_t *sum, uint32_t *lines)
{
	uint32_t count = 0;

	for (;;) {
		struct avx2_block b = classify_block(at, true);
		struct cost_lines l = find_cost_lines(at, &b.m, of);
		uint64_t taken = add_columns(at, &b, &l, of.ncolumns, sum);
		count += (uint32_t)_mm_popcnt_u64(b.m.newlines & taken);
		at += length_to_last(taken);
		if (l.stopped || !taken || taken != l.all)
			break;
	}
	*lines += count;
	return at;
}

VECTOR const char *cg_sum_lines_avx2(const char *at, const struct scan_format *format, bool at_zero,
				     int64_t *sum, uint32_t *lines)
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

VECTOR const char *cg_line_end_avx2(const char *at)
{
	const __m256i newline = _mm256_set1_epi8('\n'), nul = _mm256_setzero_si256();

	for (;; at += 32) {
		__m256i v = _mm256_loadu_si256((const __m256i *)(const void *)at);
		__m256i ends = _mm256_or_si256(_mm256_cmpeq_epi8(v, newline),
					       _mm256_cmpeq_epi8(v, nul));
		uint32_t mask = (uint32_t)_mm256_movemask_epi8(ends);
		if (mask)
			return at + _tzcnt_u32(mask);
	}
}

#else

bool cg_have_avx2(void)
{
	return false;
}

const char *cg_sum_lines_avx2(const char *at, const struct scan_format *format, bool at_zero,
			      int64_t *sum, uint32_t *lines)
{
	(void)format;
	(void)at_zero;
	(void)sum;
	(void)lines;
	return at;
}

const char *cg_line_end_avx2(const char *at)
{
	return at;
}

#endif
