/*
 * Private to the library: the parts of all files that are read as one profile.
 *
 * A part that was not selected is set aside: it is read, since it may define
 * names that later parts use, and it is counted, to be listed where nothing was
 * selected; but the profile hears nothing of it.
 *
 *     parts.c        parts as they are read
 *     parts_check.c  whether they add up to one profile
 */
#ifndef CG_PARTS_H
#define CG_PARTS_H

#include "callgrind/build.h"
#include "cgprofile/selection.h"

struct cg_parts {
	struct cg_builder *b;
	const struct cg_selection *selection; /* NULL: everything */
	struct cg_part *aside;
	size_t naside, aside_cap;
	bool in_aside; /* the current part is the last of these */
};

void cg_parts_free(struct cg_parts *s);

/* Begins a part with these facts; its sums begin at 0. CG_OK, CG_ENOMEM, or
 * CG_ERANGE if there are too many. */
int cg_parts_open(struct cg_parts *s, const struct cg_part *facts);

/* The part that was opened last, to read; NULL before the first. */
const struct cg_part *cg_parts_current(const struct cg_parts *s);

/* How many parts were opened, of both kinds. */
uint32_t cg_parts_count(const struct cg_parts *s);

/* Adds self costs to a part that is set aside. CG_OK or CG_ERANGE. */
int cg_parts_add_aside(struct cg_parts *s, const int64_t *costs);

/* As cg_build_totals and cg_build_summary, wherever the current part is. */
int cg_parts_set_totals(struct cg_parts *s, const int64_t *totals);
int cg_parts_set_summary(struct cg_parts *s, const int64_t *summary);

/* Notes of the current part that its file may be cut, or that cachegrind wrote it. */
void cg_parts_set_doubt(struct cg_parts *s, enum cg_doubt doubt);
void cg_parts_set_cachegrind(struct cg_parts *s);

/* At the end: whether anything was selected, nothing is there twice, and all
 * parts may be added up. CG_EINVAL, or CG_ECHOICE if there are several processes. */
int cg_parts_check(const struct cg_parts *s, struct cg_error *err);

#endif
