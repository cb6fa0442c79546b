/* Private to the library: what compilers append to the name of a function that they copied or
 * split. */
#ifndef CG_NAME_CLONES_H
#define CG_NAME_CLONES_H

#include <stddef.h>

/* The length of a name without one suffix of a clone, or one " [clone …]", or both, as cg_name_stem
 * lists them. */
size_t cg_name_without_clone(const char *name, size_t len);

/* The length of a name without the suffix (.cold, .cold.N, " [clone .cold]") of code that a
 * compiler split off the function of that name. */
size_t cg_name_without_cold(const char *name, size_t len);

/*
 * The callers of a function, as in a calling context, without cold parts: a part is its
 * function, and its function does not call it. `joined` has room for `len` bytes; returns
 * how many it has.
 */
size_t cg_name_join_cold(const char *name, size_t name_len, const char *callers, size_t len,
			 char *joined);

#endif
