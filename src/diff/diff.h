/*
 * The flat difference of two profiles: one row per function, or per file, object or namespace
 * (cgprofile/rollup.h).
 *
 *     delta   = head - base
 *     share of base = delta / total of base; positive: a regression
 *
 * A function is the same on both sides after normalisation: without clone
 * suffixes, hashes and versions (cg_name_stem), object by its base name,
 * functions without a symbol by their address where the object is the same build
 * (addresses.h), elsewhere as one "???" per object. Clones of one function are one
 * row. Functions of one name in one object are told apart by their file, and
 * found again when they moved to another file or their object was renamed, or when a namespace
 * has another version in its name (renamed_namespaces.h).
 *
 * Objects are the same by their base names, and files by their paths or, where one side does not
 * have that path, by base names, those with similar paths first.
 *
 * Law, checked by diff_make: the self costs of all rows add up to the total of
 * their side, for every event; so the deltas add up to the delta of the totals.
 */
#ifndef IRDIFF_DIFF_DIFF_H
#define IRDIFF_DIFF_DIFF_H

#include "callgrind/support/index.h"
#include "cgprofile/inclusive.h"
#include "cgprofile/profile.h"
#include "cgprofile/rollup.h"
#include "src/diff/match_kind.h"
#include "src/diff/metric.h"
#include "src/diff/tolerance.h"

struct diff_side {
	bool present;
	bool bound;          /* the inclusive cost is an upper bound; if this side alone has
	                              only self costs, it is not known at all */
	uint32_t unnamed;    /* functions without symbol that are one in this row */
	uint32_t functions;  /* of a group, that cost something themselves; otherwise 0 */
	uint64_t calls;      /* of what is not inlined; of a group those from outside; 0 on both
	                              sides if one does not know them (diff_knows_calls) */
	bool inlined;        /* some of its code is, how often is not known */
	const int64_t *self; /* events of this side's profile, zeros if absent */
	const int64_t *inclusive;
};

/* A group has a name, which of a file is its path; base_file is the one that it has in base. */
struct diff_row {
	const char *name, *object, *file;    /* of head if it is there; "???": unknown */
	const char *base_object, *base_file; /* the same of base if it is there */
	const char *other_name; /* where a namespace has another version on the other side: the name
				   that the function has, or would have, there; otherwise `name` */
	enum diff_match match;
	struct diff_side base, head;
};

/* TOLERATED: it would have changed, or be new or removed, but by no more than the tolerance. */
enum diff_class {
	DIFF_UNCHANGED,
	DIFF_REGRESSED,
	DIFF_IMPROVED,
	DIFF_NEW,
	DIFF_REMOVED,
	DIFF_TOLERATED,
};

/* A benchmark that was added has no base, one that was removed no head: an empty profile takes
 * its place. */
enum diff_missing { DIFF_BOTH_THERE, DIFF_NO_BASE, DIFF_NO_HEAD };

/* What counts as a change, and of which metric. */
struct diff_options {
	const char *metric;     /* an event or a derived metric */
	uint64_t threshold_ppb; /* |delta / total of base| from which a row has changed, in 10^-9 */
	uint64_t min_delta;     /* |delta| from which it has */
	bool min_delta_given;   /* it is that of all metrics; otherwise of rare ones each counts */
	/* What is below these has changed too, if it is a row or cause, not a total or limit. */
	bool rows_below_threshold, rows_below_min_delta;
	enum diff_missing missing;
	const struct tolerance *tolerances; /* of the benchmark, by metric */
	size_t ntolerances;
	enum cg_rollup_by by; /* what a row is */
};

/* The `desc:` line of the text of a baseline, in which functions have nothing but their self costs:
 * what it lacks was not measured as 0. */
#define DIFF_SELF_ONLY_KEY "irdiff.baseline"
bool diff_self_only(const struct cg_profile *p);

#define DIFF_DEFAULT_THRESHOLD_PPB UINT64_C(500000) /* 0.05 % */
#define DIFF_DEFAULT_MIN_DELTA METRIC_LEAST_CHANGE

struct diff {
	const struct cg_profile *base, *head;
	struct diff_options options;
	struct metric base_metric, head_metric;
	uint64_t tolerance;    /* events of the metric; 0: none */
	struct diff_row *rows; /* largest |delta| of self cost first; a total order */
	size_t count;
	struct cg_strings strings; /* owns the names */
	/* Private to diff/ (match.h): the functions, and what rows are if they are no functions. */
	struct matched_groups *functions, *rolled_up;
	struct cg_index row_index;         /* of functions, to their rows plus 1 */
	const uint32_t *base_of, *head_of; /* per function of a side: its group, from 1 */
	int64_t *base_self, *head_self;    /* per group */
	struct cg_inclusive *base_inclusive, *head_inclusive;
};

/* Both profiles must outlive the result. Errors: CG_EINVAL (a side does not
 * have the metric), CG_ENOMEM, CG_EINTERNAL (a bug: the rows do not add up). */
int diff_make(const struct cg_profile *base, const struct cg_profile *head,
	      const struct diff_options *options, struct diff **out, struct cg_error *err);
void diff_free(struct diff *d);

/* Whether cachegrind wrote a profile: then it does not say who called whom. */
bool diff_without_calls(const struct cg_profile *p);

/* Whether a profile does not say who called whom, as the text of a baseline and cachegrind's files
 * do not, and the other one does. */
bool diff_lacks_calls(const struct cg_profile *p, const struct cg_profile *other);

/* Whether calls can be compared: neither side is the text of a baseline, nor lacks calls alone. */
bool diff_knows_calls(const struct diff *d);

/* The last row of a function; NULL: it has none. */
const struct diff_row *diff_find_row(const struct diff *d, const char *name, const char *object,
				     const char *file);

/* The group of a row on a side that has it. */
uint32_t diff_group(const struct diff *d, const struct diff_row *row, bool head);
/* Of each function of a side, its row plus 1; 0: it has none. NULL: out of memory; free() it. */
uint32_t *diff_rows_of_functions(const struct diff *d, bool head);

/* A metric that both sides have. */
struct diff_event {
	struct metric base, head;
};

/* CG_EINVAL: a side does not have it. `name` must outlive the result. */
int diff_find_event(const struct diff *d, const char *name, struct diff_event *out,
		    struct cg_error *err);

/* The metric of a row or of the totals. */
static inline int64_t diff_base_value(const struct diff *d, const int64_t *costs)
{
	return metric_value(&d->base_metric, costs);
}

static inline int64_t diff_head_value(const struct diff *d, const int64_t *costs)
{
	return metric_value(&d->head_metric, costs);
}

/* The tolerance on any metric, in events; 0: none, or nothing to compare with. */
uint64_t diff_tolerance(const struct diff *d, const char *metric);

/* |delta| from which any metric has changed. */
uint64_t diff_min_delta(const struct diff *d, const char *metric);

/* Whether two values of the metric, or of another one, differ, but by no more than the
 * tolerance. */
bool diff_tolerates(const struct diff *d, int64_t base, int64_t head);
bool diff_tolerates_in(const struct diff *d, const char *metric, int64_t base, int64_t head);

/* The class of two values of the metric, which are there on both sides. */
enum diff_class diff_classify_change(const struct diff *d, int64_t base, int64_t head);
/* The same of another metric, as a share of base's total of that. */
enum diff_class diff_classify_change_in(const struct diff *d, const char *metric, int64_t base,
					int64_t head);
/* By the self cost. */
enum diff_class diff_classify(const struct diff *d, const struct diff_row *row);
/* Whether a class is a change, new or removed: more than chance explains. */
bool diff_is_change(enum diff_class c);
/* "unchanged", "regressed", "improved", "new", "removed", "within tolerance". */
const char *diff_class_name(enum diff_class c);
/* Whether the cost of a call is known on both sides: nothing of it is inlined, so that all calls
 * are counted, and there are several, so that it is a mean. */
bool diff_has_per_call(const struct diff_row *row);
/* Why its self cost changed, as far as calls tell it: "more calls", "less per call", both, or the
 * class where calls explain nothing, and whether it is inlined on one side only; of a group the
 * class. Static text. */
const char *diff_reason(const struct diff *d, const struct diff_row *row);
/* "", "same", "moved", "object renamed", "inlined", "no longer inlined", "renamed",
 * "dissolved". */
const char *diff_match_name(enum diff_match m);

#endif
