/* Private to insight/: what all kinds of evidence are found with. */
#ifndef IRDIFF_INSIGHT_FINDING_H
#define IRDIFF_INSIGHT_FINDING_H

#include "src/insight/graph.h"
#include "src/insight/insight.h"
#include "src/insight/wording.h"

enum { BASE, HEAD, SIDES };

/* One profile, with what is only made when a rule asks for it. */
struct insight_side {
	const struct cg_profile *profile;
	struct metric metric;
	struct graph graph; /* first_out NULL: not made yet */
	char *names; /* "object:file:function" of each function, as in a difference; NULL: not yet */
	size_t *name_at;     /* where it begins */
	size_t *function_at; /* where its last part does */
};

struct evidence_search {
	const struct insight_diff *data; /* NULL: one profile, which is head */
	struct insight_side sides[SIDES];
	const char *metric;
	struct insights *out;
	size_t cap;
	struct cg_error *err;
};

/* All of them: CG_OK, also if the evidence does not hold, or an error. */
int find_calls(struct evidence_search *f, const struct insight_rule *rule);
int find_little(struct evidence_search *f, const struct insight_rule *rule);
int find_growth(struct evidence_search *f, const struct insight_rule *rule);
int find_depth(struct evidence_search *f, const struct insight_rule *rule);
int find_other_build(struct evidence_search *f, const struct insight_rule *rule);
int find_same_code(struct evidence_search *f, const struct insight_rule *rule);
int find_variants(struct evidence_search *f, const struct insight_rule *rule);

/* ---- what they share ---- */

/* Words an insight and keeps it; the figures stay the caller's. `rest` has all but rule and
 * evidence. */
int finding_add(struct evidence_search *f, const struct insight_rule *rule,
		const struct figures *figures, const struct insight *rest);

/* The metric of the totals; that of a side that is not there is 0. */
int64_t finding_total(const struct evidence_search *f, int side);

/* Whether the total changed by more than what the difference calls a change. */
bool finding_changed(const struct evidence_search *f);

/* Whether a delta of the metric is a change, and by the rule's share one of weight. */
bool finding_weighs(const struct evidence_search *f, const struct insight_rule *rule,
		    int64_t delta);

/* The figures of a delta: which way it goes, how far, and its part of the difference. */
void finding_delta(const struct evidence_search *f, struct figures *figures, int64_t delta);

/* delta / size of the difference; 1 or -1 where it is as large, or there is none. */
double finding_share(const struct evidence_search *f, int64_t delta);

/* A name cut to what a sentence takes, and safe to print. */
void figure_name(struct figures *f, enum rule_figures which, const char *name);

/* "???" for "". */
const char *name_or_unknown(const char *name);

int side_graph(struct insight_side *s);

/* Which functions of each side (from `first` on) match a rule, and which only pass on what
 * others want: arrays by function, which the caller frees. */
struct rule_functions {
	bool *member[SIDES], *through[SIDES];
	bool any[SIDES];
};

int rule_functions_find(struct evidence_search *f, const struct insight_rule *rule, int first,
			struct rule_functions *out);
void rule_functions_free(struct rule_functions *m);

#endif
