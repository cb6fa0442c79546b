/*
 * A second measurement of a benchmark of an interpreter, with more callers, for the causes of a
 * change. The first one is cheap and has the same counts, which are all that a verdict needs.
 */
#ifndef IRDIFF_COMMITS_DEEPER_H
#define IRDIFF_COMMITS_DEEPER_H

#include "src/compare/comparison.h"
#include "src/config/config.h"

/* A change of the total that is worth another run, as a share of base: 0.5 %. */
#define DEEPER_WORTH_PPB UINT64_C(5000000)

/* Whether a limit fails, or the total changed by at least this share of base and beyond the
 * threshold, and the causes are estimates that it can replace: neither is so if the user has chosen
 * how many callers are recorded. *percent: of the sizes of all causes. */
bool deeper_is_wanted(const struct comparison *c, const struct config_benchmark *b,
		      uint64_t worth_ppb, unsigned *percent);

/* The benchmark to measure for them. It shares everything with `b`, which must outlive it. */
struct config_benchmark deeper_benchmark(const struct config_benchmark *b);

/* Tells what is done, and why; and why that was of no use. */
void deeper_tell(const struct notices *n, const struct config_benchmark *b, unsigned percent);
void deeper_tell_unequal(const struct notices *n, const char *name);

#endif
