/*
 * Rows that can be folded. What is below a row is listed, and ordered, when somebody wants to see
 * it, so that a tree of any size is as fast as what of it is open. Rows that have nothing of the
 * metric that is shown are not to be seen.
 */
#ifndef IRDIFF_BROWSE_OUTLINE_H
#define IRDIFF_BROWSE_OUTLINE_H

#include "src/browse/measure.h"

/* Where rows come from. Node 0 is above all of them. */
struct outline_source {
	void *of;
	/* The nodes right below one; *out is allocated. CG_OK or CG_ENOMEM. */
	int (*children)(void *of, uint32_t node, uint32_t **out, size_t *count);
	struct browse_row (*row)(const void *of, uint32_t node);
	/* Whether a node is not to be seen for now; asked for whenever rows are ordered. NULL: all
	 * are. */
	bool (*hides)(const void *of, uint32_t node);
};

struct outline_item {
	uint32_t node;
	uint32_t parent;               /* an item; 0: at the top */
	uint32_t depth;                /* 1: at the top */
	uint32_t place;                /* among its parent's children */
	uint32_t *children, nchildren; /* items, in order */
	bool listed, open;
	bool blank; /* it has nothing of the metric, or its source hides it: neither it nor what is
		     * below it is seen */
};

struct outline {
	struct outline_source source;
	struct browse_measure measure;
	struct outline_item *items; /* item 0 is above all, and open */
	size_t count, cap;
	uint32_t *rows; /* the items that are to be seen, in order */
	size_t nrows, rows_cap;
};

/* All but the first rows are folded. Errors of all functions that return a status: CG_ENOMEM, with
 * which the outline is as it was, or less of it is listed. */
int outline_make(const struct outline_source *source, const struct browse_measure *measure,
		 struct outline **out);
void outline_free(struct outline *o);

/* Orders all that is listed anew. */
int outline_order(struct outline *o, const struct browse_measure *measure);

/* What the row of an item shows. */
struct browse_row outline_row(const struct outline *o, uint32_t item);
/* Whether there is something below it. */
bool outline_can_open(const struct outline *o, uint32_t item);

int outline_open(struct outline *o, uint32_t item);
/* Opens an item, and what is below it as long as a single child has weight: *last is the first
 * item with several of them, or none. */
int outline_open_chain(struct outline *o, uint32_t item, uint32_t *last);
int outline_fold(struct outline *o, uint32_t item);
int outline_fold_all(struct outline *o);
/* Opens an item and all below it, as long as no more than OUTLINE_MOST items are listed; *all says
 * whether that was enough. */
#define OUTLINE_MOST 500000
int outline_open_below(struct outline *o, uint32_t item, bool *all);

/* Opens all items above this one. */
int outline_reveal(struct outline *o, uint32_t item);

/* The row of an item, or of the nearest one above it that is to be seen. */
size_t outline_row_of(const struct outline *o, uint32_t item);

/* What a search looks for. */
struct outline_search {
	const void *of;
	bool (*matches)(const void *of, uint32_t node);
	bool (*leads)(const void *of, uint32_t node); /* to a match below it, which may be folded */
};

/* The next item that matches after `from` (or before it) in the order of the rows, with those that
 * are folded; 0 if there is none. *wrapped: it is on the other side of `from`. */
int outline_find(struct outline *o, const struct outline_search *search, uint32_t from,
		 bool backwards, uint32_t *found, bool *wrapped);

#endif
