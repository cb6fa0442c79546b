/* The history of a benchmark as series: which rows, in which order. */
#ifndef IRDIFF_CMD_SERIES_OF_H
#define IRDIFF_CMD_SERIES_OF_H

#include "callgrind/profile.h"
#include "src/history/series.h"
#include "src/store/history.h"

struct branch;

struct series_options {
	const char *metric;      /* of events, or derived; NULL: Ir, or the first there is */
	const char *environment; /* begin of a digest; NULL: that of the row measured last */
	struct step_limits limits;
	bool all;                /* also commits that are not on the branch */
	int64_t since;           /* no commits before; 0: all */
	const char *since_commit; /* id; the branch begins with it, if it is on it */
	size_t most;             /* show so many, the newest; 0: all */
};

struct loaded_series {
	struct series series; /* its texts belong to `rows` and the options */
	const struct history_run **runs; /* of its points */
	struct history_rows rows;
	char (*digests)[HISTORY_DIGEST]; /* of the rows */
	char digest[HISTORY_DIGEST];     /* that was chosen */
	const char **others;             /* of `digests`: the others, each once */
};

/* Errors: those of history_read; CG_EINVAL: no row has the environment. A series may have no points:
 * it says why. Free with loaded_series_free; *out stays where it is, for its texts. */
int series_of(struct history *h, const char *benchmark, const struct branch *branch,
	      const struct series_options *options, struct loaded_series *out, struct cg_error *err);
/* The history of the benchmark that a profile is of, in its environment, for a report's page. What
 * cannot be had is no error, but a warning, and `series.count` is 0. */
void series_of_profile(const char *root, const struct cg_profile *p, const char *metric,
		       const struct step_limits *limits, struct loaded_series *out);

void loaded_series_free(struct loaded_series *l);

#endif
