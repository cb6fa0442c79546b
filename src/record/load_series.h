/* The history of a benchmark as series: which rows, in which order. */
#ifndef IRDIFF_RECORD_LOAD_SERIES_H
#define IRDIFF_RECORD_LOAD_SERIES_H

#include "cgprofile/profile.h"
#include "src/history/series.h"
#include "src/record/branch.h"
#include "src/status/notice.h"
#include "src/store/history.h"

/* What was read of the history, and where each of its commits is. */
struct placed_book {
	const struct history_book *book;
	const struct branch *branch;
	struct place_of_commit *places; /* of the commits of the book; their ids are those there */
};

/* Views of both, which must stay. Free with placed_book_free. */
int place_commits(const struct history_book *book, const struct branch *branch,
		  struct placed_book *out, struct cg_error *err);
void placed_book_free(struct placed_book *placed);

struct series_options {
	const char *metric;     /* of events, or derived; NULL: Ir, or the first there is */
	const char *definition; /* begin of a digest; NULL: `present`, or as `environment` */
	const char
		*present; /* digest of the definition in irdiff.yml, which is preferred; or NULL */
	const char *environment; /* begin of a digest; NULL: that of the newest commit on
	                            the branch, as it was measured last */
	struct step_limits limits;
	bool all;                 /* also commits that are not on the branch */
	int64_t since;            /* show no commits before this time; 0: all */
	const char *since_commit; /* id; the branch begins with it, if it is on it */
	const char *until;        /* id of the last commit that is shown; NULL: the newest */
	size_t most;              /* show the newest so many; 0: all */
};

struct loaded_series {
	struct series series;               /* its texts belong to the book and the options */
	const char **definitions, **others; /* those of other rows, each once */
	struct history_book book;           /* its own, if it was loaded for a profile */
};

/* Errors: CG_EINVAL: no row has the environment or the definition; CG_ENOMEM. A series without
 * points records why. Free with loaded_series_free. */
int load_series(const struct placed_book *placed, const char *benchmark,
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
