/*
 * The list in which the dynamic loader of glibc looks up libraries, /etc/ld.so.cache, shortened. It
 * lists all installed libraries, so how long a look-up takes changes with every package: by up to
 * 172 Ir. A traced benchmark gets a list of the libraries that its program names. The loader looks
 * for all others in the directories of the system; libraries that are elsewhere are shown to it
 * there.
 */
#ifndef IRDIFF_RUN_LOADER_CACHE_H
#define IRDIFF_RUN_LOADER_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"
#include "src/run/interrupt.h"
#include "src/run/strings.h"

#define LOADER_CACHE "/etc/ld.so.cache"

/* The directories that this loader searches in any case, and the libraries that `program` names.
 * `names` is empty for a loader that cannot be asked (musl, glibc before 2.33); both are the
 * caller's to free. */
int loader_cache_ask(const char *ld_so, const char *program, struct interrupts *interrupts,
		     struct strings *directories, struct strings *names, struct cg_error *err);

/* Makes the short list of a whole one: *made, of *made_size bytes, is the caller's to free(). NULL:
 * it would list no library. `elsewhere` gets pairs of paths of libraries that would not be found
 * otherwise: the path in the first of `directories` at which the loader looks, and the real one.
 * The format is that of glibc's <dl-cache.h>. CG_ESYNTAX: `cache` has another format. */
int loader_cache_make(const char *cache, size_t size, const struct strings *directories,
		      const struct strings *names, char **made, size_t *made_size,
		      struct strings *elsewhere, struct cg_error *err);

#endif
