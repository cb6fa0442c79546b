/*
 * Three profiles: main, a regression, and its fix. What the regression lost, what the fix wins
 * back, and what is left:
 *
 *     lost = regression - main      left = fix - main      recovered = regression - fix
 *
 * so lost = recovered + left, for each row and for the totals, and rows add up to the totals.
 *
 * A row is a function, or a group of a roll-up. It is the same in all three if it is in the
 * differences of main and regression and of regression and fix; what the regression has not is
 * the same in main and fix if it is so in their difference.
 */
#ifndef IRDIFF_DIFF_FIX_H
#define IRDIFF_DIFF_FIX_H

#include "src/diff/diff.h"

enum fix_side { FIX_MAIN, FIX_REGRESSION, FIX_FIX, FIX_SIDES };

enum fix_state {
	FIX_AS_MAIN,       /* nothing lost, nothing left */
	FIX_RECOVERED,     /* lost, and nothing is left; it may be better than main */
	FIX_PARTLY,        /* less is left than was lost */
	FIX_NOT_RECOVERED, /* as much is left */
	FIX_WORSE,         /* more is */
	FIX_NEW_COST,      /* not lost by the regression, but dearer than in main */
	FIX_GAIN,          /* not lost, and cheaper than in main */
};

/* One for each side; those of a side where it is not are zeros. */
struct fix_row {
	const char *name, *object, *file; /* of the fix, or else the regression, or main */
	bool present[FIX_SIDES], bound[FIX_SIDES];
	bool inlined[FIX_SIDES]; /* of a function: some of its code is, how often is not known */
	uint64_t calls[FIX_SIDES];
	const int64_t *self[FIX_SIDES], *inclusive[FIX_SIDES]; /* events of that side's profile */
};

struct fix_diff {
	const struct diff *lost; /* of main and regression */
	const struct diff *left; /* of main and fix */
	const struct diff *won;  /* of regression and fix */
	struct fix_row *rows;    /* the largest of |lost| and |left| first; a total order */
	size_t count;
	int64_t *self[FIX_SIDES];
	struct cg_inclusive *inclusive[FIX_SIDES];
};

/* Whether it is known how often a row's functions were called on a side. */
bool fix_knows_calls(const struct fix_row *row, enum fix_side side);

/* Three values of the metric. */
struct fix_values {
	int64_t main, regression, fix;
};

/* The diffs have the same options and profiles, and outlive the result. Errors: CG_ENOMEM,
 * CG_EINTERNAL (a bug: rows do not add up). */
int fix_make(const struct diff *lost, const struct diff *left, const struct diff *won,
	     struct fix_diff **out, struct cg_error *err);
void fix_free(struct fix_diff *f);

const struct cg_profile *fix_profile(const struct fix_diff *f, enum fix_side side);
/* The metric of self or inclusive costs of a row. */
struct fix_values fix_values_of(const struct fix_diff *f, const int64_t *const costs[FIX_SIDES]);
struct fix_values fix_totals(const struct fix_diff *f);

/* What counts as a change is as in the diffs: threshold and minimum. */
enum fix_state fix_classify(const struct fix_diff *f, struct fix_values v);
/* "same as main", "recovered", "partly recovered", "not recovered", "worse", "new cost",
 * "improved" */
const char *fix_state_name(enum fix_state s);
/* Whether a row is worth showing: what was lost, is left, or moved between regression and fix. */
bool fix_is_large(const struct fix_diff *f, struct fix_values v);

#endif
