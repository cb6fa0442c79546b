/*
 * The list in which the dynamic loader of glibc looks libraries up, /etc/ld.so.cache, made small. It has
 * all that are installed, so how long a look-up takes changes with every package: by up to 172 Ir. A
 * benchmark that is traced gets one with the libraries that its program names. All others the loader looks
 * for in the directories of the system, where it is shown those that are elsewhere.
 */
#ifndef IRDIFF_RUN_LOADER_CACHE_H
#define IRDIFF_RUN_LOADER_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"
#include "src/run/interrupt.h"
#include "src/run/strings.h"

#define LOADER_CACHE "/etc/ld.so.cache"

/* The directories that this loader looks into in any case, and what `program` names. `names` is empty for
 * one that cannot be asked (musl, before 2.33); both are the caller's to free. */
int loader_cache_ask(const char *ld_so, const char *program, struct interrupts *interrupts,
		     struct strings *directories, struct strings *names, struct cg_error *err);

/* The small list of a whole one: *made, of *made_size bytes, is the caller's to free(). NULL: there is no
 * library in it. `elsewhere` gets what would not be found otherwise: by turns the path in the first of
 * `directories` by which the loader looks for it, and where it is. Format: sysdeps/generic/dl-cache.h of
 * glibc. CG_ESYNTAX: `cache` has another one. */
int loader_cache_make(const char *cache, size_t size, const struct strings *directories,
		      const struct strings *names, char **made, size_t *made_size,
		      struct strings *elsewhere, struct cg_error *err);

#endif
