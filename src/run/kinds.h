/* Sets of kinds that users name, such as what to freeze: a bit for each. */
#ifndef IRDIFF_RUN_KINDS_H
#define IRDIFF_RUN_KINDS_H

#include <stddef.h>

#include "cgprofile/error.h"

struct kind {
	const char *name; /* NULL ends a list */
	unsigned bit;
};

/* The bit of the kind with that name; 0: unknown. */
unsigned kind_of_name(const struct kind *kinds, const char *name, size_t len);

/* The names of a set, in the order of the list, separated by `between`; "" if the set is empty.
 * Returns `text`, in which `size` bytes suffice for all names. */
const char *kind_names(const struct kind *kinds, unsigned set, const char *between, char *text,
		       size_t size);

/* Reads the value of an option: names separated by commas, or "none". CG_EINVAL: another word,
 * with what is `expected` instead. */
int kinds_parse(const struct kind *kinds, const char *list, const char *option,
		const char *expected, unsigned *set, struct cg_error *err);

#endif
