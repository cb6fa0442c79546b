/* The history of a benchmark as series: which rows, in which order. */
#ifndef IRDIFF_RECORD_LOAD_SERIES_H
#define IRDIFF_RECORD_LOAD_SERIES_H

#include "cgprofile/profile.h"
#include "src/history/series.h"
#include "src/status/notice.h"
#include "src/store/history.h"

struct branch;

struct series_options {
	const char *metric; /* of events, or derived; NULL: Ir, or the first there is */
	const char *
		/* begin of a digest; NULL: that of the row measured last, or `present` */
		definition;
	const char
		*present; /* digest of the definition in irdiff.yml, which is preferred; or NULL */
	const char *environment; /* begin of a digest; NULL: that of the row measured last */
	struct step_limits limits;
	bool all;                 /* also commits that are not on the branch */
	int64_t since;            /* show no commits before this time; 0: all */
	const char *since_commit; /* id; the branch begins with it, if it is on it */
	const char *until;        /* id of the last commit that is shown; NULL: the newest */
	size_t most;              /* show the newest so many; 0: all */
};

struct loaded_series {
	struct series series;            /* its texts belong to `rows` and the options */
	const struct history_run **runs; /* of its points */
	struct history_rows rows;
	char (*digests)[HISTORY_DIGEST];                         /* of the rows' environments */
	char definition[HISTORY_DIGEST], digest[HISTORY_DIGEST]; /* that were chosen */
	const char **definitions, **others; /* those of other rows, each once */
};

/* Errors: those of history_read; CG_EINVAL: no row has the environment or the definition. A
 * series without points records why. Free with loaded_series_free; *out must not be moved, as
 * the series points into it. */
int load_series(struct history *h, const char *benchmark, const struct branch *branch,
		const struct series_options *options, struct loaded_series *out,
		struct cg_error *err);
/* The history of the benchmark that a profile is of, by its definition and in its environment,
 * for a report's page: up to the commit of the profile, or to HEAD if that is not known. A failure
 * is a warning, and leaves `series.count` 0. */
void load_series_of_profile(const struct notices *n, const char *root, const struct cg_profile *p,
			    const char *metric, const struct step_limits *limits,
			    struct loaded_series *out);

void loaded_series_free(struct loaded_series *l);

#endif
