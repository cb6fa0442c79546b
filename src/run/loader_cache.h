/*
 * The list in which the dynamic loader of glibc looks libraries up, /etc/ld.so.cache, made small. It has
 * all that are installed, so how long a look-up takes changes with every package: by up to 172 Ir. A
 * benchmark that is traced gets one with the libraries that its program names, and with those that are in
 * no directory of the system, where the loader would not find them otherwise; all others it finds in these
 * directories.
 */
#ifndef IRDIFF_RUN_LOADER_CACHE_H
#define IRDIFF_RUN_LOADER_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "callgrind/support/error.h"
#include "src/run/interrupt.h"
#include "src/run/strings.h"

#define LOADER_CACHE "/etc/ld.so.cache"

/* The directories that this loader looks into in any case, and what `program` names. `names` is empty for
 * one that cannot be asked (musl, before 2.33); both are the caller's to free. */
int loader_cache_ask(const char *ld_so, const char *program, struct interrupts *interrupts,
		     struct strings *directories, struct strings *names, struct cg_error *err);

/* The small list of a whole one: *made, of *made_size bytes, is the caller's to free(). NULL: there is no
 * library in it. Formats: sysdeps/generic/dl-cache.h of glibc. CG_ESYNTAX: `cache` has another one. */
int loader_cache_make(const char *cache, size_t size, const struct strings *directories,
		      const struct strings *names, char **made, size_t *made_size,
		      struct cg_error *err);

#endif
