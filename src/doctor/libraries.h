/* What a program loads at its start, as its loader says: no program of the project is run for
 * it. */
#ifndef IRDIFF_DOCTOR_LIBRARIES_H
#define IRDIFF_DOCTOR_LIBRARIES_H

#include <stdbool.h>

#include "cgprofile/error.h"
#include "src/run/interrupt.h"
#include "src/run/strings.h"

/* Whether a path is below a directory, by its text. */
bool is_below(const char *path, const char *root);

/* Whether a loader may be run. The image names its loader, and may name any program of the project,
 * which must not run here. So it must be in a system directory of libraries, also after all links
 * are resolved, and not below the project's root, `root`. */
bool is_system_loader(const char *path, const char *root);

struct libraries {
	struct strings paths;   /* paths of loaded libraries, canonical */
	struct strings missing; /* names of libraries that are not found */
};

/* Asks `loader` what the program at `path` loads, when that is started in `cwd` with this
 * LD_LIBRARY_PATH, which may be NULL. Libraries that are not found are no error. CG_EIO, with the
 * words of the loader: it cannot load the program for another reason. *out is the caller's to
 * free, untouched on failure. */
int libraries_ask(const char *loader, const char *path, const char *cwd, const char *library_path,
		  struct interrupts *interrupts, struct libraries *out, struct cg_error *err);
void libraries_free(struct libraries *libraries);

#endif
