/*
 * Measurements done by processes of their own (worker.h), several at a time, here or where a
 * launcher takes them.
 *
 *	enum ending ending = jobs_open(&jobs, root, &options, &err) …
 *	jobs_add(jobs, &measurement, "json of main", cache_last_run(root, "json"), &err) …
 *	jobs_run(jobs, &interrupts);
 *	jobs_ending(jobs, 0) …
 *	jobs_close(jobs);
 *
 * A failed job does not stop the others. The messages of each are printed together, in the order in
 * which the jobs were added.
 *
 * Jobs do not disturb each other. One that is about to write what another may see, or cannot be
 * watched, ends before it does so (run.h). It runs again after the others: if it writes in its own
 * directory, when no other uses that, else alone. So does one that has failed beside others, as it
 * may have lacked memory or time. With a launcher, that is up to the user.
 */
#ifndef IRDIFF_MEASURE_JOBS_H
#define IRDIFF_MEASURE_JOBS_H

#include "src/measure/measurement.h"
#include "src/run/interrupt.h"
#include "src/status/ending.h"
#include "src/store/meta.h"

#define JOBS_AT_ONCE_MAX 64 /* fewer than slots (slot.h) */

struct jobs_options {
	uint64_t at_once; /* 0: as many as there is room for (capacity.h) */
	const char
		*launcher; /* words in front of the worker's command, quoted as in a shell; NULL or
			         "": none */
	bool quiet;        /* no progress */
	const struct notices *notices; /* receives errors and progress */
};

/* How many run at the same time, at most. */
unsigned jobs_at_once(const struct jobs_options *options);

/* Whether jobs are to do so many measurements: otherwise the caller does as well without them. */
bool jobs_are_wanted(const struct jobs_options *options, size_t count);

bool jobs_have_launcher(const struct jobs_options *options);

struct jobs;

/* The project's .irdiff/ must be there. The options must outlive the jobs. CG_EINVAL: the launcher
 * is not plain words, or not found. */
int jobs_open(const char *root, const struct jobs_options *options, struct jobs **out,
	      struct cg_error *err);
/* NULL is allowed. */
void jobs_close(struct jobs *jobs);

/* Writes a measurement down: it need not outlive the call. `about` is what people call it; `last`
 * is how it went the last time. */
int jobs_add(struct jobs *jobs, const struct measurement *m, const char *about,
	     struct meta_run last, struct cg_error *err);

/* Runs all jobs. Returns ENDED_FINE, also if jobs failed, or 128 + N after a signal. */
enum ending jobs_run(struct jobs *jobs, struct interrupts *interrupts);

/* How the i-th job ended: as measure() returned, or ENDED_BENCHMARK_FAILED if its worker left no
 * result. */
enum ending jobs_ending(const struct jobs *jobs, size_t i);

/* Hands over what it has measured, without the profiles. */
void jobs_take_measured(struct jobs *jobs, size_t i, struct measured *out);

#endif
