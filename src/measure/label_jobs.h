/* Labels measured by jobs (jobs.h): several at once, or by a launcher. */
#ifndef IRDIFF_MEASURE_LABEL_JOBS_H
#define IRDIFF_MEASURE_LABEL_JOBS_H

#include "src/measure/jobs.h"

struct label_job {
	const struct measurement *m; /* of a label, without a checkout */
	struct measured measured;    /* as measure() hands it over; empty: it has failed */
	enum ending ending;
};

/* Measures all of them, and prints errors. Returns the worst exit code, or after a signal 128 + N,
 * without profiles. The profiles are the caller's. */
enum ending measure_labels(const char *root, const struct jobs_options *options,
			   struct label_job *list, size_t count);

#endif
