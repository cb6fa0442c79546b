/*
 * The target directory of Cargo, of which only dependencies survive: crates whose sources are in
 * the directories where Cargo unpacks registries and git repositories, and their build scripts.
 * Nothing in these directories changes, so base and head agree in them. All that is made of files
 * of the project goes: programs and libraries of another commit, above all, but also what Cargo
 * would judge by the times of files, and incremental compilation.
 *
 * Cargo compiles again whatever is missing, so all that is not known to be a dependency is removed.
 */
#ifndef IRDIFF_COMMITS_CARGO_TARGET_H
#define IRDIFF_COMMITS_CARGO_TARGET_H

#include <stdbool.h>

#include "cgprofile/error.h"

bool cargo_target_is(const char *path);

/* Removes all but dependencies. `places` are paths at which the build may have seen its root, up
 * to a NULL; the target directory is `below` each. *left: whether there were dependencies. */
int cargo_target_sieve(const char *path, const char *const *places, const char *below, bool *left,
		       struct cg_error *err);

#endif
