/* Private to the search for causes: what causes.c and self_costs.c share. */
#ifndef IRDIFF_DIFF_CAUSE_SEARCH_H
#define IRDIFF_DIFF_CAUSE_SEARCH_H

#include "callgrind/support/index.h"
#include "src/diff/allocations.h"
#include "src/diff/causes.h"

/* What the paths of an item have in common. */
struct item_key {
	/* Numbers of functions; those of both sides are the same unless it was renamed. */
	uint32_t function, base_function, caller, base_caller;
	bool own;
	bool allocates; /* on paths that only one side has: */
	bool of_head;   /* which one that is; false if it does not allocate */
};

/* An item on its way: costs and counts of several paths. */
struct item {
	struct item_key key;
	bool with_calls; /* own, and more than what its own code decided */
	bool in_base, in_head;
	bool both_changed;                   /* a path that both sides have */
	bool base_uncounted, head_uncounted; /* the calls of one of the paths are not known */
	bool inlined_uncounted;              /* nor those of one where it is inlined */
	struct cause cause;
	__int128 delta, base_cost, head_cost;
	__int128 work;             /* of the delta: what is executed otherwise in the same code */
	unsigned __int128 largest; /* |delta| of the path in `cause` */
};

/* What was decided at one row. */
struct amounts {
	__int128 own;     /* by its own code */
	__int128 calls;   /* by its caller, about how often it is called */
	__int128 work;    /* by its caller, about what it is called for */
	uint32_t editor;  /* the row, or the nearest above it, that was edited; 0: no such row */
	uint32_t below;   /* the row below that one, on the path to this; 0: it is this */
	uint32_t nearest; /* the row, or the nearest above it, where `calls` agrees with the
	                     number of calls */
	bool with_calls;  /* `own` has more than what its own code decided */
};

/* Work that a row below an edited one does. */
struct given_work {
	uint32_t below; /* the row that the edited one calls */
	uint32_t row;   /* that does it */
	uint32_t item;
	__int128 delta;
};

struct cause_search {
	const struct tree_diff *t;
	const uint8_t *edits;
	struct allocators allocators;
	struct amounts *amounts; /* per row */
	uint32_t *own_of;        /* per row that both sides have: its item */
	struct item *items;      /* item 0 is unused */
	size_t count, cap;
	struct cg_index index;
	struct given_work *works;
	size_t nworks, works_cap;
	uint32_t *item_of_call; /* per row that a matched one calls: its item */
	bool *holds_edited;     /* per row: a function that edited code is inlined into */
	bool *estimated; /* per function in the source: it, or what it calls, is on a path without a
	                    row that is an estimate */
	bool *recursive; /* per number of a function: it calls itself */
	bool self_only;  /* causes are where the costs are */
	bool wants_every_row; /* a function decided something that has only paths without a row */
};

static inline int64_t clip_cause(__int128 n)
{
	return n > INT64_MAX ? INT64_MAX : n < INT64_MIN ? INT64_MIN : (int64_t)n;
}

/* ---- causes.c ---- */

/* Finds the item with this key, or adds one. *out is valid until the next item is added. CG_OK or
 * CG_ENOMEM. */
int cause_find_item(struct cause_search *f, const struct item_key *wanted, struct item **out);

/* The item with this key, or NULL. */
struct item *cause_find_old_item(const struct cause_search *f, const struct item_key *wanted);

/* Adds a path to the item it counts for. */
void cause_add_path(struct item *item, const struct cause_search *f, const struct tree_row *path,
		    __int128 delta);

/* Calls of a path, or of several; 0 of a side that has it: not known. */
void cause_add_calls(struct item *item, bool in_base, uint64_t base, bool in_head, uint64_t head);

/* ---- given_work.c; only where f->edits is known ---- */

/* Whether the source of a row's function differs. */
enum code_edit cause_edit_of(const struct cause_search *f, uint32_t row);

/* Fills f->holds_edited: such a function became other code itself, and what it does differently may
 * be because of that, whatever its callers give it to do. CG_OK or CG_ENOMEM. */
int cause_find_holders(struct cause_search *f);

/* What a row decided whose source is the same is work that the edited function gives it; to be
 * called for each row after the one above it. CG_OK or CG_ENOMEM. */
int cause_credit_editor(struct cause_search *f, uint32_t row);

/* Fills in who does the work of each item of work, when c->parts are made. CG_OK or CG_ENOMEM. */
int cause_finish_shares(struct cause_search *f, struct causes *c);

/* ---- unchanged_paths.c ---- */

/* Adds the costs and calls of paths without a row to the items that others made. CG_OK or
 * CG_ENOMEM. */
int cause_add_unchanged_paths(struct cause_search *f);

/* ---- self_costs.c ---- */

/*
 * Adds an item for the self cost of each function, and notes in f->own_of which rows have it.
 *
 * Over all paths, a function has the self cost that it has in the difference of functions; but a
 * tree of estimates rounds it on each path, and a path that was cut has that of others, too. A
 * function that then has no path at all counts with the nearest caller that has one: the one whose
 * calls of it cost most. CG_OK or CG_ENOMEM.
 */
int cause_add_self_costs(struct cause_search *f);

#endif
