/*
 * Private to the library: which lines of a block of 64 bytes are cost lines, and where their costs
 * are. The vectors of scan_avx2.c and scan_avx512.c make bit masks, one bit per byte: where
 * newlines, blanks, digits, signs are. Here, all lines are taken apart at once, by additions whose
 * carries run from the start of a word to its end.
 */
#ifndef CG_SCAN_LINES_H
#define CG_SCAN_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* For callers that are compiled for other processors than the rest. */
#define SCAN_INLINE __attribute__((always_inline)) static inline

/* Bit i of a mask is about byte i of a block. */
struct line_masks {
	uint64_t newlines, blanks, ends, starts; /* ends and starts of words */
	uint64_t digits, signs, stars;
	uint64_t others; /* in whole lines; if there are none, the masks below are not needed */
	uint64_t zeros, jays, exes, letters; /* 0, j, x, a to f */
};

/* Which lines are added up, and in what form they are. */
struct line_form {
	unsigned npositions;
	uint32_t ncolumns;
	bool same, at_zero; /* only those on the source line of the one before */
};

/* The lines of a block that can be taken, and where their costs are. */
struct cost_lines {
	uint64_t all;   /* from the first to the newline of the last */
	uint64_t costs; /* without the newlines */
	bool stopped;   /* the next line cannot be taken */
};

/* The first of `stops` from each bit of `from` on. Between two bits of `from`, there must be one:
 * carries run through everything else. */
SCAN_INLINE uint64_t first_after(uint64_t stops, uint64_t from)
{
	return (~stops + from) & stops;
}

/* From each bit of `from` up to that of `to`, without it. */
SCAN_INLINE uint64_t between(uint64_t from, uint64_t to)
{
	return to - from;
}

/* Of at least one bit. */
SCAN_INLINE uint64_t highest_bit(uint64_t bits)
{
	return UINT64_C(1) << (63 - __builtin_clzll(bits));
}

/* The bytes up to the last of `bits`, with it. */
SCAN_INLINE unsigned length_to_last(uint64_t bits)
{
	return bits ? 64 - (unsigned)__builtin_clzll(bits) : 0;
}

/* All up to the last of `bits`, with it. */
SCAN_INLINE uint64_t up_to_last(uint64_t bits)
{
	return bits ? UINT64_MAX >> __builtin_clzll(bits) : 0;
}

SCAN_INLINE void mark_words(struct line_masks *m)
{
	m->ends = m->newlines | m->blanks;
	m->starts = (m->ends << 1 | 1) & ~m->ends;
	m->others = ~(m->ends | m->digits | m->signs | m->stars) & up_to_last(m->newlines);
}

/* Jumps and the positions after them. */
struct block_jumps {
	uint64_t lines, line_ends;         /* of jumps, with the newlines */
	uint64_t positions, position_ends; /* of the lines after them */
};

/* Which of the lines are jumps. */
SCAN_INLINE uint64_t find_jumps(const char *at, uint64_t maybe)
{
	uint64_t jumps = 0;
	do {
		const char *line = at + __builtin_ctzll(maybe);
		uint32_t key;
		memcpy(&key, line, sizeof key);
		/* "jcnd" and "jump" */
		bool is = (key == 0x646e636a) | (key == 0x706d756a);
		jumps |= is && line[4] == '=' ? maybe & -maybe : 0;
		maybe &= maybe - 1;
	} while (maybe);
	return jumps;
}

/* From where on eight characters of one word follow. */
SCAN_INLINE uint64_t runs_of_eight(uint64_t ends)
{
	uint64_t two = ~ends & ~ends >> 1, four = two & two >> 2;

	return four & four >> 4;
}

/* Characters that no cost line has at this place. Positions are N, +N, -N or `*`, costs are N; one
 * blank is between them and perhaps one at the end. */
SCAN_INLINE uint64_t find_oddities(const struct line_masks *m)
{
	uint64_t nine = runs_of_eight(m->ends) & ~m->ends >> 8;

	return m->others | ((m->signs | m->stars) & ~m->starts) | (m->signs << 1 & ~m->digits) |
	       (m->stars << 1 & ~m->ends) | nine |
	       (m->blanks & (m->newlines << 1 | 1 | m->blanks << 1));
}

/* Words that begin like a hexadecimal number: 0xN, of up to 16 digits. What is odd in them is
 * less than in others. */
SCAN_INLINE uint64_t find_hex_words(const struct line_masks *m, uint64_t exes, uint64_t *odd)
{
	uint64_t two = ~m->ends & ~m->ends >> 1, eight = runs_of_eight(m->ends);
	uint64_t nineteen = eight & eight >> 8 & two >> 16 & ~m->ends >> 18;
	uint64_t begin = m->starts & m->zeros & exes >> 1 & ~m->ends >> 2 & ~nineteen;
	uint64_t words = between(begin, first_after(m->ends, begin));
	uint64_t digits = m->digits | m->letters | begin << 1;

	*odd = (*odd & ~words) | (words & ~digits);
	return words;
}

/* Leaves only the lines before the first odd character. */
SCAN_INLINE void stop_lines(struct cost_lines *l, uint64_t newlines, uint64_t jump_ends,
			    uint64_t odd)
{
	uint64_t good = newlines & ((odd & -odd) - 1);

	/* A jump is only complete with the position after it. */
	if (good && (highest_bit(good) & jump_ends))
		good ^= highest_bit(good);
	l->stopped = true;
	l->all = up_to_last(good);
	l->costs &= l->all;
}

SCAN_INLINE struct cost_lines find_cost_lines(const char *block, const struct line_masks *m,
					      struct line_form of)
{
	struct cost_lines l = { .all = up_to_last(m->newlines) };
	struct block_jumps j = { 0 };
	uint64_t first = m->newlines << 1 | 1;
	uint64_t odd = find_oddities(m), hex = 0;
	uint64_t jumps = m->others ? m->jays & first & l.all : 0;

	if (jumps) {
		uint64_t last = highest_bit(first & l.all), maybe = jumps;
		jumps = find_jumps(block, maybe);
		odd |= maybe ^ jumps;
		/* The position is not in this block. */
		if (jumps & last) {
			l.all = last - 1;
			jumps ^= last;
		}
		j.line_ends = first_after(m->newlines, jumps);
		j.lines = between(jumps, j.line_ends) | j.line_ends;
		uint64_t next = j.line_ends << 1;
		j.position_ends = first_after(m->newlines, next);
		j.positions = between(next, j.position_ends) | j.position_ends;
		odd = (odd & ~j.lines) | (j.line_ends & maybe >> 1);
	}
	uint64_t exes = m->others ? m->exes & l.all & ~j.lines : 0;
	if (exes)
		hex = find_hex_words(m, exes, &odd);

	uint64_t word = first & l.all & ~jumps, end = 0;
	for (unsigned i = 0; i < of.npositions; i++) {
		uint64_t begin = word;
		end = first_after(m->ends, begin);
		odd |= begin & m->newlines;
		if (i + 1 < of.npositions)
			odd |= end & m->newlines;
		word = end << 1;
		if (of.same && i + 1 == of.npositions) {
			uint64_t same = m->stars | (of.at_zero ? m->zeros : 0);
			odd |= ((begin & ~same) | (begin << 1 ^ end)) & ~j.positions;
		}
	}
	odd |= end & m->newlines & ~j.position_ends;
	uint64_t costs = (end & m->blanks) << 1;
	odd |= costs & j.positions & ~m->newlines;
	if (of.ncolumns == 1) {
		uint64_t cost_ends = first_after(m->ends, costs);
		odd |= (cost_ends & m->blanks) << 1 & ~m->newlines;
		l.costs = between(costs, cost_ends);
	} else {
		uint64_t line_ends = m->newlines & l.all & ~j.line_ends & ~end;
		l.costs = between(costs, line_ends);
	}
	odd |= l.costs & (m->signs | m->stars | hex);

	odd &= l.all;
	if (odd)
		stop_lines(&l, m->newlines, j.line_ends, odd);
	return l;
}

#endif
