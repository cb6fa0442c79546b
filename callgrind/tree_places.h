/*
 * Private to the library: which records are one place of the tree.
 *
 * Callgrind adds nothing to a context when a function calls itself. So the
 * contexts of what f calls are the same at each of f's levels, and would have as
 * many ways in, among which the file does not divide what lies deeper. One way is
 * left, and the tree exact, when the levels of a function in one context are one
 * place: all of them where the context goes back to a root, and, where it was cut
 * short, those that call each other directly.
 *
 * Without contexts the levels are what tells paths apart, and stay as they are.
 *
 * Contexts may be taken as if fewer callers had been recorded: the records that
 * callgrind would not have told apart then are one place, too.
 */
#ifndef CG_TREE_PLACES_H
#define CG_TREE_PLACES_H

#include "cgprofile/profile.h"

struct cg_tree_places {
	const struct cg_profile *p;
	uint32_t *stands_for; /* per record: the one that has its costs and calls in the tree,
	                         the first of those at its place */
	uint32_t *context;    /* per record: of the profile, or after these one of `shortened` */
	struct cg_contexts shortened;
};

/* `frames`: as in struct cg_tree_options. CG_OK, CG_ENOMEM or CG_ERANGE; free with
 * cg_tree_places_free. */
int cg_tree_places_make(const struct cg_profile *p, uint32_t frames, struct cg_tree_places *out);
void cg_tree_places_free(struct cg_tree_places *places);

/* A total order on representatives of places, by what distinguishes them: equal trees have equal
 * orders, however much more the records contain. */
int cg_tree_places_compare(const struct cg_tree_places *places, uint32_t a, uint32_t b);

#endif
