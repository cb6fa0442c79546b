/*
 * What a pair counted before it was measured once more, to learn whether chance has decided
 * (comparing_repeat.c). It is kept with head's entry of the cache, so that whoever compares the
 * pair again by the same limits gets the same verdict, and need not measure a third time.
 */
#ifndef IRDIFF_COMPARE_COUNTED_BEFORE_H
#define IRDIFF_COMPARE_COUNTED_BEFORE_H

#include <stdbool.h>
#include <stdint.h>

#include "cgprofile/error.h"

/* Totals, of CG_MAX_EVENTS; NULL: it was not measured once more. */
struct counted_before {
	int64_t *base, *head;
	bool found;  /* it was by an earlier command */
	bool beside; /* it was because of another case of its benchmark, and exceeded no limit */
};

/* What was compared. */
struct counted_pair {
	const char *base, *head;    /* operands; head's is an entry; base: NULL: none */
	const char *limits;         /* a word that is the same for the same limits and tolerances */
	uint32_t events[2];         /* totals of base and head */
	const int64_t *base_totals; /* of base now; NULL: none */
};

/* Keeps them. CG_OK, CG_ENOMEM or CG_EIO. */
int counted_before_keep(const char *root, const struct counted_pair *pair,
			const struct counted_before *counted, struct cg_error *err);

/* Fills *out if they were kept for the same, or for another base that counted what this one counts
 * now, such as a commit that changes only the documentation. CG_OK or CG_ENOMEM. */
int counted_before_find(const char *root, const struct counted_pair *pair,
			struct counted_before *out, struct cg_error *err);

/* Where a pair's counts are kept, in a directory outside the cache. */
struct counted_place {
	const char *root, *path; /* of the file */
	const char *base;        /* as in counted_pair */
};

/* Copies what is kept of a pair, if anything is, to the same pair by other operands. What is kept
 * for another base stays of that, and replaces nothing. CG_OK, CG_ENOMEM or CG_EIO. */
int counted_before_copy(const struct counted_place *from, const struct counted_place *to,
			struct cg_error *err);

/* What an entry has, as text, before the entry is replaced; the caller's. NULL: nothing. */
char *counted_before_text(const char *root, const char *entry);
/* Gives it to the new entry. CG_OK, CG_ENOMEM or CG_EIO. */
int counted_before_restore(const char *root, const char *entry, const char *text,
			   struct cg_error *err);

void counted_before_free(struct counted_before *counted);

#endif
