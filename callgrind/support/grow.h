/* Growable arrays: one checked way to make room. */
#ifndef CG_SUPPORT_GROW_H
#define CG_SUPPORT_GROW_H

#include <stddef.h>

/* Makes room for `need` elements of `size` bytes in *array, whose capacity in
 * elements is *cap. Grows geometrically; new memory is not initialised.
 * Returns CG_OK, or CG_ENOMEM (also when the byte count overflows), in which
 * case the array is unchanged. Free with free(). */
int cg_grow(void *array, size_t *cap, size_t need, size_t size);

/* The same where more than `need` is hardly needed soon: leaves little room. */
int cg_grow_little(void *array, size_t *cap, size_t need, size_t size);

#endif
