/* Insights (insight.h), and what they are found in. */
#ifndef IRDIFF_INSIGHT_LIST_H
#define IRDIFF_INSIGHT_LIST_H

#include "src/diff/diff.h"
#include "src/diff/environment.h"
#include "src/diff/recompiled.h"
#include "src/diff/tree.h"
#include "src/insight/rule.h"
#include "src/view/changed_file.h"

/* Around each name in `marked`; no name contains it. */
#define INSIGHT_MARK "\001"

struct insight {
	const struct insight_rule *rule; /* its id */
	const char *title;
	const char *advice; /* NULL: none is needed, as the cost fell */
	char *evidence;     /* a sentence; names in it are cut, and safe to print */
	char *marked;       /* the same with marks around names */
	const char *function, *object, *file; /* that accounts for most of it; NULL: none. As in
	                                         struct diff_row */
	double share; /* of the total or of the size of the change; below 0: against it */
	bool less;    /* the cost fell */
	bool as_many; /* of a change: it is not the number of calls that changed */
};

struct insights {
	struct insight *items; /* the largest share first, then in the order of the rules */
	size_t count;
};

void insights_free(struct insights *i);

/* What is known of a difference. */
struct insight_diff {
	const struct diff *diff;
	const struct tree_diff *tree; /* NULL: paths were not compared */
	const struct environment_diff *environment;
	const struct recompiled *recompiled; /* the largest change first */
	size_t nrecompiled;
	struct changed_files changed_files; /* none, or not known */
	bool files_are_said;                /* a remark names them */
	bool whole_names;                   /* in evidence, however long */
};

#endif
