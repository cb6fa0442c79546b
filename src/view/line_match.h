/*
 * Which lines of one version of a text are lines of the other, as a diff says it: pairs of equal
 * lines, in the same order on both sides.
 *
 * Lines that are there just once in each version are matched first, the longest row of them that
 * keeps its order; then in the same way what lies between them ("patience diff"): so a brace is
 * hardly ever taken for that of another function. Where none is left, as many lines as possible are
 * matched, unless they are very many.
 *
 * Exchanging the versions changes no pair.
 */
#ifndef IRDIFF_VIEW_LINE_MATCH_H
#define IRDIFF_VIEW_LINE_MATCH_H

#include <stddef.h>
#include <stdint.h>

#define LINE_MATCH_NONE UINT32_MAX

/* A version: lines are equal if their keys are, which are below `nkeys` of line_match. A line has
 * the same key whichever version is base. */
struct line_keys {
	const uint32_t *keys;
	uint32_t count;
};

/* partner[i]: which line of head line i of base is, or LINE_MATCH_NONE. CG_OK or CG_ENOMEM. */
int line_match(const struct line_keys *base, const struct line_keys *head, uint32_t nkeys,
	       uint32_t *partner);

#endif
