#include "callgrind/scan_avx2.h"

#include "callgrind/digits.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define VECTOR __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define INLINE VECTOR __attribute__((always_inline)) static inline

bool cg_have_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	       __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

/* Bit i is about byte i of a block. */
struct masks {
	uint64_t newlines, blanks, digits, zeros, signs, stars;
};

INLINE uint64_t equal(__m256i low, __m256i high, char c)
{
	__m256i wanted = _mm256_set1_epi8(c);
	uint32_t l = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted));
	uint32_t h = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted));
	return (uint64_t)h << 32 | l;
}

INLINE __m256i are_digits(__m256i bytes)
{
	__m256i value = _mm256_sub_epi8(bytes, _mm256_set1_epi8('0'));
	return _mm256_cmpeq_epi8(_mm256_min_epu8(value, _mm256_set1_epi8(9)), value);
}

INLINE struct masks classify(const char *block)
{
	__m256i low = _mm256_loadu_si256((const __m256i *)(const void *)block);
	__m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(block + 32));
	return (struct masks){
		.newlines = equal(low, high, '\n'),
		.blanks = equal(low, high, ' '),
		.digits = (uint64_t)(uint32_t)_mm256_movemask_epi8(are_digits(high)) << 32 |
			  (uint32_t)_mm256_movemask_epi8(are_digits(low)),
		.zeros = equal(low, high, '0'),
		.signs = equal(low, high, '+') | equal(low, high, '-'),
		.stars = equal(low, high, '*'),
	};
}

/* Where a number of more than eight characters begins. */
INLINE uint64_t find_long(uint64_t ends)
{
	uint64_t two = ~ends & ~ends >> 1, four = two & two >> 2, eight = four & four >> 4;
	return eight & ~ends >> 8;
}

/*
 * Characters that no cost line has. Numbers are N, +N or -N, `*` is alone, one blank is between
 * them and perhaps one at the end. Hexadecimal addresses are rare enough for the slow path.
 */
INLINE uint64_t find_odd(const struct masks *m)
{
	uint64_t ends = m->newlines | m->blanks;
	uint64_t first = m->newlines << 1 | 1, starts = (ends << 1 | 1) & ~ends;
	uint64_t known = ends | m->digits | m->signs | m->stars;
	uint64_t sign = (m->signs & ~starts) | (m->signs << 1 & ~m->digits);
	uint64_t star = (m->stars & ~starts) | (m->stars << 1 & ~ends);
	uint64_t blank = m->blanks & (first | m->blanks << 1);
	return ~known | sign | star | blank | find_long(ends);
}

INLINE uint64_t value_at(const char *number, uint64_t ends)
{
	return cg_digits_value(cg_load8(number), (unsigned)__builtin_ctzll(ends));
}

/* Adds the numbers that begin at the bits of `starts`. Most are 0. */
INLINE void add_numbers(const char *block, const struct masks *m, uint64_t starts, int64_t *sum)
{
	uint64_t ends = m->newlines | m->blanks;
	for (uint64_t rest = starts & ~(m->zeros & ends >> 1); rest; rest &= rest - 1) {
		unsigned at = (unsigned)__builtin_ctzll(rest);
		unsigned column = (unsigned)__builtin_popcountll(starts &
								 ((UINT64_C(1) << at) - 1));
		sum[column] += (int64_t)value_at(block + at, ends >> at);
	}
}

/* A block of whole lines: what is left of it, from `start` on. */
struct avx2_block {
	const char *bytes;
	struct masks m;
	uint64_t odd, ends, starts; /* ends and starts of words */
	uint64_t newlines, left;
};

INLINE struct avx2_block read_block(const char *at)
{
	struct avx2_block b = { .bytes = at, .m = classify(at), .left = UINT64_MAX };
	b.odd = find_odd(&b.m);
	b.newlines = b.m.newlines;
	b.ends = b.m.newlines | b.m.blanks;
	b.starts = (b.ends << 1 | 1) & ~b.ends;
	return b;
}

/* The bytes of the first line that is left, with its newline. */
INLINE uint64_t first_line(const struct avx2_block *b)
{
	return b->left & (b->newlines ^ (b->newlines - 1));
}

INLINE void drop_line(struct avx2_block *b)
{
	b->left &= ~(b->newlines ^ (b->newlines - 1));
	b->newlines &= b->newlines - 1;
}

INLINE const char *rest_of(const struct avx2_block *b)
{
	return b->bytes + __builtin_ctzll(b->left);
}

/* Which lines are added up, and in what form they are. */
struct avx2_lines {
	unsigned npositions;
	uint32_t ncolumns;
	bool same, at_zero; /* only those on the source line of the one before */
};

/* Whether the last position of a line, which begins and ends there, is that of the line before. */
INLINE bool is_same_position(const struct avx2_block *b, uint64_t start, uint64_t end, bool at_zero)
{
	uint64_t same = b->m.stars | (at_zero ? b->m.zeros : 0);
	return start << 1 == end && (start & same);
}

INLINE uint64_t lowest_bit(uint64_t bits)
{
	return bits & -bits;
}

INLINE bool add_line(const struct avx2_block *b, uint64_t line, struct avx2_lines of, int64_t *sum)
{
	uint64_t blanks = b->m.blanks & line, last = lowest_bit(line);
	for (unsigned i = 1; i < of.npositions; i++) {
		last = lowest_bit(blanks) << 1;
		blanks &= blanks - 1;
	}
	/* After the blank that ends the positions. */
	uint64_t costs = line & ~(blanks ^ (blanks - 1)), starts = costs & b->starts;
	bool usual = !(b->odd & line) && blanks && !(costs & (b->m.signs | b->m.stars)) &&
		     (uint32_t)__builtin_popcountll(starts) <= of.ncolumns;
	if (of.same)
		usual = usual && is_same_position(b, last, lowest_bit(blanks), of.at_zero);
	if (__builtin_expect(!usual, 0))
		return false;
	if (of.ncolumns > 1)
		add_numbers(b->bytes, &b->m, starts, sum);
	else if (starts)
		*sum += (int64_t)value_at(b->bytes + __builtin_ctzll(starts),
					  b->ends >> __builtin_ctzll(starts));
	return true;
}

/* A jump and the position after it, which carry no cost. */
INLINE bool is_jump(const struct avx2_block *b, unsigned npositions)
{
	const char *at = rest_of(b);
	struct avx2_block next = *b;
	if (*at != 'j' || (memcmp(at, "jcnd=", 5) != 0 && memcmp(at, "jump=", 5) != 0))
		return false;
	drop_line(&next);
	uint64_t line = next.newlines ? first_line(&next) : b->odd;
	return !(b->odd & line) && (unsigned)__builtin_popcountll(b->starts & line) == npositions;
}

INLINE const char *sum_lines(const char *at, struct avx2_lines of, int64_t *sum, uint32_t *lines)
{
	/* In registers. */
	int64_t first = 0;
	uint32_t count = 0;

	for (;;) {
		struct avx2_block b = read_block(at);
		while (b.newlines) {
			bool added = add_line(&b, first_line(&b), of,
					      of.ncolumns == 1 ? &first : sum);
			if (!added && !is_jump(&b, of.npositions))
				break;
			drop_line(&b);
			if (!added)
				drop_line(&b);
			count += added ? 1 : 2;
		}
		at = b.left ? rest_of(&b) : b.bytes + 64;
		/* The last line may be a jump that is cut off here. */
		if (at == b.bytes || (b.newlines && *at != 'j'))
			break;
	}
	*sum += first;
	*lines += count;
	return at;
}

VECTOR const char *cg_sum_lines_avx2(const char *at, const struct scan_format *format, bool at_zero,
				     int64_t *sum, uint32_t *lines)
{
	const unsigned npositions = format->npositions;
	const uint32_t ncolumns = format->ncolumns;

	/* Constants let the compiler leave out what does not happen. */
	if (format->joining == SCAN_SAME_LINE)
		return sum_lines(at, (struct avx2_lines){ npositions, ncolumns, true, at_zero },
				 sum, lines);
	if (ncolumns == 1 && npositions == 1)
		return sum_lines(at, (struct avx2_lines){ 1, 1, false, false }, sum, lines);
	if (ncolumns == 1 && npositions == 2)
		return sum_lines(at, (struct avx2_lines){ 2, 1, false, false }, sum, lines);
	return sum_lines(at, (struct avx2_lines){ npositions, ncolumns, false, false }, sum, lines);
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

#endif
