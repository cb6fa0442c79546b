#include "callgrind/scan_avx512.h"

#include "callgrind/digits.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

#define VECTOR \
	__attribute__((target( \
		"avx2,bmi,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2")))
#define INLINE VECTOR __attribute__((always_inline)) static inline

/* Without it, lzcnt is another instruction. Not all compilers know it by name. */
static bool have_lzcnt(void)
{
	enum { EXTENDED_FEATURES = 0x80000001, LZCNT = 1 << 5 };
	unsigned a, b, c, d;

	return __get_cpuid(EXTENDED_FEATURES, &a, &b, &c, &d) && (c & LZCNT);
}

bool cg_have_avx512(void)
{
	return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
	       __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("avx512f") &&
	       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
	       __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
	       have_lzcnt();
}

/* Bit i of a mask is about byte i of a block. */
struct avx512_block {
	const char *bytes;
	__m512i v;
	uint64_t newlines, blanks, ends, starts; /* ends and starts of words */
	uint64_t digits, signs, stars;
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

INLINE struct avx512_block classify_block(const char *at)
{
	__m512i v = _mm512_loadu_si512(at);
	struct avx512_block b = {
		.bytes = at,
		.v = v,
		.newlines = are(v, '\n'),
		.blanks = are(v, ' '),
		.digits = are_within(v, '0', 10),
		.signs = are_either(v, '+', '-'),
		.stars = are(v, '*'),
	};
	b.ends = b.newlines | b.blanks;
	b.starts = (b.ends << 1 | 1) & ~b.ends;
	return b;
}

/* The first of `stops` from each bit of `from` on. Between two bits of `from`, there must be one:
 * carries run through everything else. */
INLINE uint64_t first_after(uint64_t stops, uint64_t from)
{
	return (~stops + from) & stops;
}

/* From each bit of `from` up to that of `to`, without it. */
INLINE uint64_t between(uint64_t from, uint64_t to)
{
	return to - from;
}

INLINE uint64_t highest_bit(uint64_t bits)
{
	return UINT64_C(1) << (63 - _lzcnt_u64(bits));
}

/* All up to the last of `bits`, with it. */
INLINE uint64_t up_to_last(uint64_t bits)
{
	return bits ? UINT64_MAX >> _lzcnt_u64(bits) : 0;
}

/* Jumps and the positions after them. */
struct avx512_jumps {
	uint64_t lines, line_ends;         /* of jumps, with the newlines */
	uint64_t positions, position_ends; /* of the lines after them */
};

/* Which of the lines are jumps. */
INLINE uint64_t find_jumps(const char *at, uint64_t maybe)
{
	uint64_t jumps = 0;
	do {
		const char *line = at + _tzcnt_u64(maybe);
		uint32_t key;
		memcpy(&key, line, sizeof key);
		/* "jcnd" and "jump" */
		bool is = (key == 0x646e636a) | (key == 0x706d756a);
		jumps |= is && line[4] == '=' ? maybe & -maybe : 0;
		maybe &= maybe - 1;
	} while (maybe);
	return jumps;
}

/* Characters that no cost line has at this place. Positions are N, +N, -N or `*`, costs are N; one
 * blank is between them and perhaps one at the end. */
INLINE uint64_t find_oddities(const struct avx512_block *b)
{
	uint64_t two = ~b->ends & ~b->ends >> 1, four = two & two >> 2, eight = four & four >> 4;
	uint64_t nine = eight & ~b->ends >> 8;
	uint64_t known = b->ends | b->digits | b->signs | b->stars;

	return ~known | ((b->signs | b->stars) & ~b->starts) | (b->signs << 1 & ~b->digits) |
	       (b->stars << 1 & ~b->ends) | nine |
	       (b->blanks & (b->newlines << 1 | 1 | b->blanks << 1));
}

/* Words that begin like a hexadecimal number: 0xN, of up to 16 digits. What is odd in them is
 * less than in others. */
INLINE uint64_t find_hex_words(const struct avx512_block *b, uint64_t exes, uint64_t *odd)
{
	uint64_t two = ~b->ends & ~b->ends >> 1, four = two & two >> 2, eight = four & four >> 4;
	uint64_t nineteen = eight & eight >> 8 & two >> 16 & ~b->ends >> 18;
	uint64_t begin = b->starts & are(b->v, '0') & exes >> 1 & ~b->ends >> 2 & ~nineteen;
	uint64_t words = between(begin, first_after(b->ends, begin));
	uint64_t digits = b->digits | are_within(b->v, 'a', 6) | begin << 1;

	*odd = (*odd & ~words) | (words & ~digits);
	return words;
}

/* Which lines are added up, and in what form they are. */
struct avx512_form {
	unsigned npositions;
	uint32_t ncolumns;
	bool same, at_zero; /* only those on the source line of the one before */
};

/* The lines of a block that can be taken, and where their costs are. */
struct avx512_lines {
	uint64_t all;   /* from the first to the newline of the last */
	uint64_t costs; /* without the newlines */
	uint64_t jump_ends;
	bool stopped; /* the next line cannot be taken */
};

INLINE struct avx512_lines find_lines(const struct avx512_block *b, struct avx512_form of)
{
	struct avx512_lines l = { .all = up_to_last(b->newlines) };
	struct avx512_jumps j = { 0 };
	uint64_t first = b->newlines << 1 | 1;
	uint64_t odd = find_oddities(b), hex = 0;
	uint64_t jumps = are(b->v, 'j') & first & l.all;

	if (jumps) {
		uint64_t last = highest_bit(first & l.all), maybe = jumps;
		jumps = find_jumps(b->bytes, maybe);
		odd |= maybe ^ jumps;
		/* The position is not in this block. */
		if (jumps & last) {
			l.all = last - 1;
			jumps ^= last;
		}
		j.line_ends = first_after(b->newlines, jumps);
		j.lines = between(jumps, j.line_ends) | j.line_ends;
		uint64_t next = j.line_ends << 1;
		j.position_ends = first_after(b->newlines, next);
		j.positions = between(next, j.position_ends) | j.position_ends;
		odd = (odd & ~j.lines) | (j.line_ends & maybe >> 1);
	}
	uint64_t exes = are(b->v, 'x') & l.all & ~j.lines;
	if (exes)
		hex = find_hex_words(b, exes, &odd);

	uint64_t word = first & l.all & ~jumps, end = 0;
	for (unsigned i = 0; i < of.npositions; i++) {
		uint64_t begin = word;
		end = first_after(b->ends, begin);
		odd |= begin & b->newlines;
		if (i + 1 < of.npositions)
			odd |= end & b->newlines;
		word = end << 1;
		if (of.same && i + 1 == of.npositions) {
			uint64_t same = b->stars | (of.at_zero ? are(b->v, '0') : 0);
			odd |= ((begin & ~same) | (begin << 1 ^ end)) & ~j.positions;
		}
	}
	odd |= end & b->newlines & ~j.position_ends;
	uint64_t costs = (end & b->blanks) << 1;
	odd |= costs & j.positions & ~b->newlines;
	if (of.ncolumns == 1) {
		uint64_t cost_ends = first_after(b->ends, costs);
		odd |= (cost_ends & b->blanks) << 1 & ~b->newlines;
		l.costs = between(costs, cost_ends);
	} else {
		uint64_t line_ends = b->newlines & l.all & ~j.line_ends & ~end;
		l.costs = between(costs, line_ends);
	}
	odd |= l.costs & (b->signs | b->stars | hex);

	odd &= l.all;
	if (odd) {
		l.stopped = true;
		uint64_t good = b->newlines & ((odd & -odd) - 1);
		/* A jump is only complete with the position after it. */
		if (good && (highest_bit(good) & j.line_ends))
			good ^= highest_bit(good);
		l.all = up_to_last(good);
		l.costs &= l.all;
	}
	return l;
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
	uint64_t p0 = costs & b->ends >> 1, p1 = p0 >> 1 & costs, p2 = p1 >> 1 & costs,
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

INLINE const char *sum_single_costs(const char *at, struct avx512_form of, int64_t *sum,
				    uint32_t *lines)
{
	const __m512i zero = _mm512_setzero_si512();
	struct place_sums s = { { zero, zero, zero, zero }, .high = 0 };
	uint32_t count = 0;

	for (;;) {
		struct avx512_block b = classify_block(at);
		struct avx512_lines l = find_lines(&b, of);
		add_single_costs(&s, &b, l.costs);
		count += (uint32_t)_mm_popcnt_u64(b.newlines & l.all);
		at += 64 - _lzcnt_u64(l.all);
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
			    const struct avx512_lines *l, uint32_t ncolumns, int64_t *sum)
{
	uint64_t digits = l->costs & ~b->ends, lasts = digits & b->ends >> 1;
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

	for (uint64_t rest = b->newlines & l->all; rest; rest &= rest - 1) {
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

INLINE const char *sum_columns(const char *at, struct avx512_form of, int64_t *sum, uint32_t *lines)
{
	const __m512i zero = _mm512_setzero_si512();
	struct column_sums s = { zero, zero, zero };
	uint32_t count = 0;

	for (;;) {
		struct avx512_block b = classify_block(at);
		struct avx512_lines l = find_lines(&b, of);
		uint64_t taken = add_columns(&s, &b, &l, of.ncolumns, sum);
		count += (uint32_t)_mm_popcnt_u64(b.newlines & taken);
		at += 64 - _lzcnt_u64(taken);
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
		return sum_single_costs(at, (struct avx512_form){ 1, 1, false, false }, sum, lines);
	if (!same && ncolumns == 1 && npositions == 2)
		return sum_single_costs(at, (struct avx512_form){ 2, 1, false, false }, sum, lines);
	if (!same && npositions == 2)
		return sum_columns(at, (struct avx512_form){ 2, ncolumns, false, false }, sum,
				   lines);
	const struct avx512_form of = { npositions, ncolumns, same, at_zero };
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
