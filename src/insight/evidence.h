/* Private to insight/: what all kinds of evidence are found with. */
#ifndef IRDIFF_INSIGHT_EVIDENCE_H
#define IRDIFF_INSIGHT_EVIDENCE_H

#include "src/insight/graph.h"
#include "src/insight/list.h"
#include "src/insight/wording.h"

enum { BASE, HEAD, SIDES };

/* One profile, with what is only made when a rule asks for it. */
struct insight_side {
	const struct cg_profile *profile;
	struct metric metric;
	struct graph graph; /* first_out NULL: not made yet */
	/* "object:file:function" of each function, as in a difference; NULL: not yet */
	char *names;
	size_t *name_at;     /* where it begins */
	size_t *function_at; /* where its last part does */
};

struct evidence_search {
	const struct insight_diff *data; /* NULL: one profile, which is head */
	struct insight_side sides[SIDES];
	const char *metric;
	bool whole_names; /* in evidence */
	struct insights *out;
	size_t cap;
	struct cg_error *err;
};

/* Adds an insight whose evidence is the rule's wording with these figures, which stay the
 * caller's. `rest` has everything but rule and evidence. */
int evidence_add(struct evidence_search *f, const struct insight_rule *rule,
		 const struct figures *figures, const struct insight *rest);

/* The metric of a profile's total; 0 for a missing profile. */
int64_t evidence_total(const struct evidence_search *f, int side);

/* Whether every profile has calls. One without, such as cachegrind's, tells what functions cost
 * themselves, and neither what they called nor how often nor at which depth. */
bool evidence_has_calls(const struct evidence_search *f);

/* Whether the total changed by more than the threshold of the diff. */
bool evidence_changed(const struct evidence_search *f);

/* Whether a delta of the metric is a change, and at least the rule's share of the whole change. */
bool evidence_weighs(const struct evidence_search *f, const struct insight_rule *rule,
		     int64_t delta);

/* Sets the figures of a delta: its direction, its size, and its share of the change. */
void evidence_delta(const struct evidence_search *f, struct figures *figures, int64_t delta);

/* delta / size of the change; 1 or -1 if it is as large, or if nothing changed. */
double evidence_share(const struct evidence_search *f, int64_t delta);

/* Makes the graph of calls, unless it is there. CG_OK or CG_ENOMEM. */
int insight_side_graph(struct insight_side *s);
void insight_side_free(struct insight_side *s);

#endif
