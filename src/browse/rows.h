/*
 * What a browser shows, of one profile or of the change between two, in the same terms: tables of
 * functions and of call paths, which are views of the data of src/view and src/diff. A single
 * profile is head, without a base.
 */
#ifndef IRDIFF_BROWSE_ROWS_H
#define IRDIFF_BROWSE_ROWS_H

#include "src/diff/causes.h"
#include "src/diff/tree.h"
#include "src/view/code.h"
#include "src/view/flat.h"
#include "src/view/tree.h"

/* As in lines of code. */
enum { BROWSE_BASE = CODE_BASE, BROWSE_HEAD = CODE_HEAD, BROWSE_SIDES = CODE_SIDES };

struct browse_costs {
	bool present;
	uint64_t calls;           /* 0: not known */
	const int64_t *self;      /* events of this side's profile; NULL: none */
	const int64_t *inclusive; /* NULL: not known */
	bool bound;               /* the inclusive cost is an upper bound */
};

struct browse_row {
	const char *name, *object, *file; /* hostile; "???" or "": not known */
	const char *was;   /* its name in base, if that is another function; NULL otherwise */
	uint32_t function; /* one number for one function, in all rows of a table; 0: none */
	uint32_t parent;   /* a lower row; 0: none */
	uint32_t end;      /* after its last descendant */
	bool has_children;
	bool inlined, estimated, truncated, cut; /* as in struct cg_tree_node */
	const struct cause *cause;               /* NULL: it is a function or a path */
	struct browse_costs side[BROWSE_SIDES];
};

struct browse_table {
	const void *of;
	uint32_t count; /* rows, depth first, with row 0, which is above all of them */
	struct browse_row (*row)(const void *of, uint32_t row);
};

/* An event, or what is derived from several, on both sides. */
struct browse_metric {
	struct metric of[BROWSE_SIDES];
	int64_t total[BROWSE_SIDES];
};

struct browse_data {
	const char *names[BROWSE_SIDES];                 /* of the profiles */
	const struct cg_profile *profiles[BROWSE_SIDES]; /* no base: one profile */
	const struct diff *diff;                         /* NULL: one profile */
	const struct causes *causes;                     /* of the first metric; the same */
	struct browse_metric *metrics;                   /* at least one */
	size_t nmetrics;
	bool has_calls; /* otherwise there are self costs only */
	struct browse_table functions, paths;
};

/* `metric` is the first one that is shown; the profile has it. The sources of the data must outlive
 * it. CG_OK or CG_ENOMEM. */
int browse_profile(const struct flat *flat, const struct tree_view *tree, const char *metric,
		   const char *name, struct browse_data *out);
/* The same with the causes of a change, and the metric of its diff. */
int browse_diff(const struct causes *causes, const char *base, const char *head,
		struct browse_data *out);
void browse_data_free(struct browse_data *d);

/* The metric of some costs of a side; 0 of NULL. */
static inline int64_t browse_value(const struct browse_metric *m, int side, const int64_t *costs)
{
	return costs ? metric_value(&m->of[side], costs) : 0;
}

#endif
