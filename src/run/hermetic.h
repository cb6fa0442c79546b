/*
 * The constant environment of a measured program. Names, order and values are
 * the same everywhere; only PATH, the tunables and what the user passes by name
 * come from outside.
 */
#ifndef IRDIFF_RUN_HERMETIC_H
#define IRDIFF_RUN_HERMETIC_H

#include <stddef.h>

#include "cgprofile/error.h"
#include "src/run/interrupt.h"

/* PATH is padded to a multiple of this, so that its length seldom differs. */
#define HERMETIC_PATH_STEP 512

struct environment {
	char **vars; /* "NAME=VALUE", NULL-terminated once there is one; for execve */
	size_t count;
	size_t cap;
};

/* Sets a variable; one that exists keeps its place. */
int environment_set(struct environment *environment, const char *name, const char *value,
		    struct cg_error *err);

/* The value, or NULL. */
const char *environment_get(const struct environment *environment, const char *name);
void environment_free(struct environment *environment);

/* Absolute entries of a PATH, each once, without slashes at their ends, and
 * /usr/local/bin:/usr/bin:/bin if nothing is left. NULL: out of memory. */
char *hermetic_path(const char *path);

/* The same with slashes at the end of the last entry up to a multiple of HERMETIC_PATH_STEP: the
 * length of a variable affects counts (14 … 16k Ir). */
char *hermetic_padded_path(const char *path);

/* The recipe. `pass` holds "NAME" (the caller's own value, nothing if it has
 * none) and "NAME=VALUE", may be NULL; `tunables` becomes GLIBC_TUNABLES unless
 * it is "". *environment is untouched on failure. */
int hermetic_environment(const char *const *pass, const char *path, const char *tunables,
			 struct environment *environment, struct cg_error *err);

/* The value of GLIBC_TUNABLES that makes this ld.so choose the same string functions on every CPU;
 * ld.so is asked which form it understands. "" if it understands none (musl, another architecture)
 * or `ld_so` is NULL. *tunables is the caller's to free(). */
int hermetic_tunables(const char *ld_so, struct interrupts *interrupts, char **tunables,
		      struct cg_error *err);

#endif
