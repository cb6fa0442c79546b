/*
 * Who decided the difference of two profiles: an exact partition of its total.
 *
 * If `record` calls `field` 2,400 instead of 800 times, it is in `field` that the
 * additional cost was measured, and `record` that spends it. So each part of the
 * difference is charged to the code that has to change for it to go away. Calls that
 * only head has cost what they do in head, calls that only base has what they did in
 * base; what is left is the difference of the calls that both have, and divided in
 * the same way by what was decided further down.
 *
 * For a path n that both sides have, with inclusive costs I0 (base) and I1 (head),
 * self costs S0 and S1, weights b(n) and h(n) (weight.h), and the functions k that it
 * calls:
 *
 *     own code                  S1(n) h(n) - S0(n) b(n)
 *     n calls k more often      I1(k) (h(n) - h(k))
 *     n calls k less often      -I0(k) (b(n) - b(k))
 *     n calls k, which is new   I1(k) h(n)
 *     n no longer calls k       -I0(k) b(n)
 *
 * and then the same for each k that both sides have. By induction from the leaves the
 * items at and below n add up to I1(n) h(n) - I0(n) b(n): for the whole program, whose
 * weights are 1, to the difference of the totals. (The definition is irdiff's own. It
 * treats both sides alike: exchanging them changes all signs and nothing else.)
 *
 * Where n calls k as often as before over all paths, but more often on this one, or no longer, and
 * it is not known how often n is (tree_row.calls_moved), k has the weights of n: what it costs here
 * and elsewhere is its own, and no decision about calls.
 *
 * Where the calls of k are not known on both sides, as of some inlined code, and what it does
 * does not tell how they changed (tree_match.h), it has the weights of n: all its difference is
 * its own. So it has where its cost per call makes
 * up for the number of its calls, so that less than a quarter of both effects is left:
 * then the work was only divided otherwise.
 *
 * An item that says "more often" of calls that were not more, or the other way round, is what is
 * left of a mean: a caller above is called more often, and the additional calls do less. So it
 * counts with the nearest such caller's item, if that is not smaller. If there is no such caller
 * and the path is estimated, k decided it, by its own code or by its calls: nobody knows. Nor does
 * anybody where a path was cut, whose self cost includes all below (cgprofile/tree.h).
 *
 * In a heap, n may have called k before: there these two are allocations of a function of the
 * project on the path from n through k (allocations.h).
 *
 * What is inlined into a function counts as that function's own code, if the function is called as
 * often and both cost the same together: then only debug information differs.
 *
 * If it is known which functions were edited, what functions decided whose source is the same
 * is not their doing: they have more to do, or less. It is charged to the nearest caller that was
 * edited, as work of the function that this one calls:
 *
 *     n gives k more work       own code and calls of all that was not edited, in paths from k
 *                               with no edited function in between
 *
 * The text of n is enough evidence for that. If only a declaration that n uses was edited, as of a
 * macro, that may be the reason, or just what n executes itself changed, and k counts otherwise by
 * chance or by the compiler: this is stated as what k costs, and not as of an edit.
 *
 * If there is no such caller, or one in between of which nothing is known, it stays where it is.
 *
 * Where most call paths are estimates, and causes found by them are more than three times the
 * difference and cancel each other, they say less than the self costs, which are exact. Then these
 * are the causes, unless they cancel each other nearly as much.
 *
 * Items are rounded to whole events, and own code is what is left: the sum is exact.
 * It is checked when the items are made.
 *
 * The items of one function, and those of one caller and callee, are added up over
 * all paths, and become one cause with those of what is the same in the source
 * (cause_parts.h): instances of a template, a function that was inlined on one side
 * with those it was inlined into, and what one function decides where that cancels.
 */
#ifndef IRDIFF_DIFF_CAUSES_H
#define IRDIFF_DIFF_CAUSES_H

#include "src/diff/tree.h"

enum cause_kind {
	CAUSE_SELF,
	CAUSE_CALLS,     /* more or less often than base did */
	CAUSE_NEW,       /* base never calls it here */
	CAUSE_REMOVED,   /* head never calls it here */
	CAUSE_WORK,      /* below a call that an edited function makes, code that was not edited */
	CAUSE_TOGETHER,  /* all that a function decides, where its parts cancel each other, or where
	                   it is not known which of them it is */
	CAUSE_ALLOCATES, /* own, in a heap: on paths that base does not have (allocations.h) */
	CAUSE_ALLOCATED, /* the same of head */
	CAUSE_INLINED,   /* own code: of a function that is inlined on one side, or in more places
	                  than on the other, and of those it is inlined into */
};

/* Whether the source of a function differs. Of several functions the last of these counts. */
enum code_edit {
	EDIT_NONE,
	EDIT_COMPILED, /* only how it was inlined, or what into it: causes_make finds these */
	EDIT_UNKNOWN,
	EDIT_USED,    /* the declaration of a name that it uses, as of a macro */
	EDIT_CHANGED, /* its own text */
};

/* How an enumerator changed. Of several the larger one is said. */
enum edited_value {
	VALUE_EDITED,  /* its text changed, or that of something else than an enumerator */
	VALUE_MOVED,   /* its value changed, as others before it did, not its text */
	VALUE_UNKNOWN, /* its value may have: it counts from something else, maybe the same */
};

/* The declarations that a function uses and that were edited, or use another one that was: of each
 * one that was edited. */
struct edited_use {
	char *name;      /* of the first, as it is written; hostile */
	uint32_t others; /* how many more there are */
	enum edited_value value;
};

static inline bool is_edited(enum code_edit edit)
{
	return edit >= EDIT_USED;
}

struct cause {
	enum cause_kind kind;
	uint32_t row;      /* of the function that is called, or whose own code it is: of its
	                    paths the one that differs most */
	uint32_t caller;   /* its row; 0: nobody called it. For what is its own `row`; for
	                    CAUSE_INLINED the function it is inlined into; 0: several */
	uint32_t callee;   /* of CAUSE_ALLOCATES and CAUSE_ALLOCATED: the row of what it calls to
	                    allocate; 0: not known */
	uint32_t nmoved;   /* of CAUSE_INLINED: so many functions are inlined, or were; this one is
	                      called most */
	uint32_t ncallers; /* of CAUSE_INLINED: so many functions it is inlined into, or was, whose
	                      calls are counted below */
	uint64_t base_calls, head_calls; /* on all paths; 0: not known, or none */
	int64_t base_cost, head_cost;    /* self cost for own code, otherwise inclusive */
	int64_t delta;                   /* saturates at the ends of int64_t */
	uint32_t paths;
	uint32_t first_share, nshares;    /* of causes.shares, the largest |delta| first: where the
	                                  work of CAUSE_WORK is done, or most of it */
	uint32_t first_part, nparts;      /* of causes.parts, the largest |delta| first: those of
	                                the functions that this is the sum of */
	bool now_inlined;                 /* of CAUSE_INLINED: in head, or more often there */
	enum code_edit edit, caller_edit; /* of the function and its caller */
	enum code_edit mark, caller_mark; /* the same, but also known where edits explain nothing:
	                                     see code_edits_mark */
	const struct edited_use *use;     /* what that one uses whose mark is shown, if it is
	                                     EDIT_USED; NULL: not known */
	bool estimated;                   /* one of the paths is */
	bool also_in_other;               /* of CAUSE_ALLOCATES and CAUSE_ALLOCATED: the other side
	                                     has allocations of the function, too */
	bool uncounted;                   /* the calls of one of the paths are not known */
	bool recursive;                   /* own code of a function that calls itself: those calls
	                                     are not counted */
	bool scaled;                      /* only how their number changed: see tree_match.h */
};

/* What one function executes of the work that an edited one gives it. */
struct cause_share {
	uint32_t row;
	int64_t delta; /* saturates */
};

struct causes {
	const struct tree_diff *tree;
	struct cause *items; /* the largest cause_weight first; a total order; none is 0 */
	size_t count;
	struct cause *parts; /* each of one function, or one caller and callee */
	size_t nparts;
	struct cause_share *shares;
	size_t nshares;
	/* Per number of a function: how many items are calls by it that are new, or removed. */
	uint32_t *new_calls_by, *removed_calls_by;
	bool self_only;        /* the items are self costs, as the calls were guesswork */
	bool wants_every_row;  /* they are guesswork, and the self costs need rows that only
	                          TREE_EVERY_ROW makes */
	int64_t delta;         /* of the metric of the whole program: the sum of the items */
	uint64_t sum_of_sizes; /* of the |delta|s; the nearer to |delta|, the better the paths
	                          were matched. Saturates */
};

/* `t` must outlive the result; free that with causes_free. `edits` has per number of a function
 * (struct tree_row) an enum code_edit; NULL: nothing is known of the sources. Errors: CG_ENOMEM,
 * CG_EINTERNAL (a bug: the items do not add up). */
int causes_make(const struct tree_diff *t, uint8_t *edits, struct causes **out,
		struct cg_error *err);
void causes_free(struct causes *c);

/* Whether a function allocates what only one side allocates. */
static inline bool cause_is_allocation(const struct cause *c)
{
	return c->kind == CAUSE_ALLOCATES || c->kind == CAUSE_ALLOCATED;
}

/* Whether the function itself decided it, not its caller. */
static inline bool cause_is_own(const struct cause *c)
{
	return c->kind == CAUSE_SELF || c->kind == CAUSE_TOGETHER || cause_is_allocation(c);
}

/* Whether it is about a call, not about a function alone. */
static inline bool cause_is_call(const struct cause *c)
{
	return !cause_is_own(c) && c->caller;
}

/* Of the code at its place: of a call and of inlining that of the caller. */
static inline enum code_edit cause_mark_there(const struct cause *c)
{
	return cause_is_call(c) ? c->caller_mark : c->mark;
}

/* Whether it is work that an edited declaration may have given, and nothing else tells so. */
static inline bool cause_is_possible_work(const struct cause *c)
{
	return c->kind == CAUSE_WORK && c->caller_edit == EDIT_USED;
}

/* Whether the source of the code that decided it differs: of a call its caller's, of inlining that
 * of either function. Not of possible work. */
bool cause_is_of_edit(const struct cause *c);

/* What causes are ordered by: |delta|, or three times that if it is of an edit, so that what was
 * edited is seen before what the compiler made of it elsewhere. Saturates. */
uint64_t cause_weight(const struct cause *c);

/* "self", "calls", "new", "removed", "work", "together", "allocates",
 * "allocated" or "inlining". Static text. */
const char *cause_kind_name(enum cause_kind kind);

/* "self"; "self and calls"; "more work", "less work"; if it is only possible, "costs more", "costs
 * less"; "inlined", "no longer inlined"; "more calls",
 * "fewer calls", either of them with " each time" at its end where that is so for each call of the
 * caller but not in all; "changed calls" if the number is not known; "new call", "removed call";
 * of what nobody calls "new", "removed", "other roots"; "new allocations", "removed allocations";
 * "more allocations", "fewer allocations" if the other side has some of the function, too.
 * Static text. */
const char *cause_reason(const struct cause *c);

/* Whether what a call costs explains a function's self cost: it is a mean of several calls, all of
 * which are counted, and it moved as the cause did. Then both sides have more than one call. */
bool cause_has_per_call(const struct cause *c);

#endif
