/*
 * Private to diff/: which function that only base has is which one that only head has, by what
 * they count.
 *
 * A function that was only renamed counts exactly what it did. So one of base and one of head are
 * the same if both have the same self cost in all events that do not depend on addresses
 * (instructions, reads, writes, branches: not misses), and the same number of calls, and if
 *
 *     - the last parts of their names are the same, as where a namespace was renamed; of several
 *       that are all alike, each is one of the others; or
 *     - no other function that only its side has counts the same, and it is at least 100 of the
 *       first such event: below that it would be a coincidence too often. Only functions of the
 *       project: those of libraries are rarely renamed.
 *
 * Exchanging base and head changes no pair.
 */
#ifndef IRDIFF_DIFF_SAME_COUNTS_H
#define IRDIFF_DIFF_SAME_COUNTS_H

#include "src/diff/diff.h"
#include "src/diff/match.h"

/* Adds pairs to `m`, as DIFF_RENAMED. CG_OK or CG_ENOMEM. */
int match_same_counts(const struct diff *d, const struct cg_strings *strings,
		      const struct groups *base, const struct groups *head, struct match *m);

#endif
