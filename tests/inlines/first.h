/* Of first.c: what is inlined where functions begin. */
#ifndef FIRST_H
#define FIRST_H

struct rows {
	unsigned *row, count;
};

static inline __attribute__((always_inline)) unsigned *begin(const struct rows *r)
{
	return r->row;
}

static inline __attribute__((always_inline)) unsigned *end(const struct rows *r)
{
	return r->row + r->count;
}

/* Compiled for itself: it is of this file. */
static __attribute__((noinline)) unsigned rest(const struct rows *r)
{
	return *begin(r) % 7;
}

#endif
