/*
 * The counts of one benchmark by one definition, in one metric and one environment, over commits,
 * and where they changed for good.
 */
#ifndef IRDIFF_HISTORY_SERIES_H
#define IRDIFF_HISTORY_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SERIES_THRESHOLD_PPB UINT64_C(500000) /* 0.05 % */
#define SERIES_MIN_DELTA UINT64_MAX           /* that of the metric */

enum series_step {
	STEP_NONE,
	STEP_REGRESSED,
	STEP_IMPROVED,
};

/* Where a commit is relative to the one that is checked out. */
enum series_place {
	PLACE_BRANCH, /* it is on the line of first parents, or the repository is unknown */
	PLACE_MERGED, /* it came in by a merge */
	PLACE_OTHER,  /* it is not among the ancestors */
};

/* What irdiff.yml now says of what was measured. */
enum series_standing {
	STANDING_DEFINED,   /* the same, or what was measured, too; or there is no irdiff.yml */
	STANDING_REDEFINED, /* something else, by which nothing was measured yet */
	STANDING_REMOVED,   /* nothing */
};

/* A measured commit. Texts belong to who made the series. */
struct series_point {
	const char *commit, *subject;
	int64_t committed; /* seconds since 1970 */
	uint64_t number;   /* on the branch, whose root is 0; without a repository, by time */
	int64_t count;
	enum series_place place;
	/* Of those on the branch, set by series_find_steps: */
	const struct series_point *previous; /* the one measured before it; NULL: it is the first */
	enum series_step step;
	uint64_t skipped; /* commits between both that were not measured; the caller's */
};

struct series {
	const char *benchmark, *metric;
	const char *definition, *environment; /* digests */
	const char *valgrind;                 /* that counted the newest point */
	struct series_point *points;          /* oldest first */
	size_t count;
	size_t redefined; /* rows by other definitions of the benchmark, in whatever environment */
	const char *const *definitions; /* digests of these, sorted */
	size_t ndefinitions;
	size_t elsewhere;          /* rows by this one of other environments */
	const char *const *others; /* digests of these, sorted */
	size_t nothers;
	size_t off_branch;             /* points that were left out because of their place */
	size_t hidden;                 /* so many of the oldest points are not to be shown */
	size_t uncounted;              /* rows of commits that do not have the metric */
	bool by_git;                   /* ordered by git, not by the times of commits */
	enum series_standing standing; /* the caller's */
	bool level;  /* no two counts of the branch that are shown differ by a step */
	bool varies; /* series_varies */
};

/* What a count must differ by from the one before it to be a step: both, exactly; and by more than
 * the tolerance, which is the larger of an amount and a share, in whole events. */
struct step_limits {
	uint64_t threshold_ppb; /* of the size of the one before it */
	uint64_t min_delta;
	uint64_t tolerance, tolerance_ppb;
};

enum series_step series_classify(int64_t before, int64_t now, const struct step_limits *limits);

/* Whether no two counts of the branch that are shown are a step from one another. */
bool series_is_level(const struct series *s, const struct step_limits *limits);

/* Sets `previous` and `step` of all points. */
void series_find_steps(struct series_point *points, size_t count, const struct step_limits *limits);

/* Whether chance seems to change the counts: of the newest 100 commits of the branch, or at least
 * 20, at least half are steps, and a quarter of these or more go either way. */
bool series_varies(const struct series *s);

const char *series_step_name(enum series_step step);    /* "", "regressed", "improved" */
const char *series_place_name(enum series_place place); /* "", "merged", "other branch" */
/* "", or for people, the end of a sentence on a benchmark. */
const char *series_standing_words(enum series_standing standing);
/* The same of one that varies. */
#define SERIES_VARIES \
	"the count goes up and down at most commits, which may be chance (see irdiff verify)"

/* Whether what is shown is a small part, for example since Valgrind is another one. */
static inline bool series_is_mostly_elsewhere(const struct series *s)
{
	return s->elsewhere > s->count;
}
#define SERIES_MOSTLY_ELSEWHERE "most counts are of other environments, and not comparable"

#endif
