/* Searches for the smallest set of remedies that makes a benchmark's counts the same in every run:
 * it tries them one by one, then together. If all of them do not, the set is sought with which they
 * vary least. */
#ifndef IRDIFF_MEASURE_DETERMINISM_TRIALS_H
#define IRDIFF_MEASURE_DETERMINISM_TRIALS_H

#include "src/measure/remedies.h"
#include "src/measure/repeat_runs.h"
#include "src/report/verify_report.h"
#include "src/status/ending.h"

/* The trials and their results. */
struct determinism_trials {
	struct verify_attempt *attempts;
	size_t nattempts, cap;
	double seconds;              /* that all may take; 0: any */
	struct verify_remedy remedy; /* what the benchmark is to have … */
	bool found;              /* … with which it counts the same in every run, or else … */
	bool threads;            /* … though it has several threads, so that it may be chance */
	struct repeated reduced; /* … its runs with it, if it varies less; without runs: none */
};

/* Searches remedies for a benchmark whose runs differed as in `before`. A failed trial is an
 * attempt like the others. With several threads, where equal runs may be chance, they are followed
 * by as many. All together take at most so many `seconds` (0: any), or by default
 * (TRIALS_DEFAULT) 15 times the first run, and at least 300. Prints errors; *ending is that of a
 * signal, or of the error. Free *out in any case. */
#define TRIALS_DEFAULT UINT64_MAX
int determinism_trials_run(const struct repeating *how, const struct repeated *before,
			   uint64_t seconds, struct determinism_trials *out, enum ending *ending);
void determinism_trials_free(struct determinism_trials *s);

#endif
