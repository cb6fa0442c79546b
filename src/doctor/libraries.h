/* What a program loads at its start, as its loader says: no program of the project is run for
 * it. */
#ifndef IRDIFF_DOCTOR_LIBRARIES_H
#define IRDIFF_DOCTOR_LIBRARIES_H

#include <stdbool.h>

#include "cgprofile/error.h"
#include "src/run/interrupt.h"
#include "src/run/strings.h"

/* Whether a path is below a directory, going by its text. */
bool is_below(const char *path, const char *root);

/* A loader is asked by running it. The image names it, and may name any program of the project,
 * none of which is run here: only what the system has put where its libraries are, also behind
 * all links, and not below the project, which is in `root`. */
bool is_system_loader(const char *path, const char *root);

struct libraries {
	struct strings paths;   /* of those that are loaded, canonical */
	struct strings missing; /* names of those that are not found */
};

/* Asks `loader` what the program at `path` loads, when that is started in `cwd` with this
 * LD_LIBRARY_PATH, which may be NULL. Libraries that are not found are no error. CG_EIO, with the
 * words of the loader: it cannot load the program for another reason. *out is the caller's to
 * free, untouched on failure. */
int libraries_ask(const char *loader, const char *path, const char *cwd, const char *library_path,
		  struct interrupts *interrupts, struct libraries *out, struct cg_error *err);
void libraries_free(struct libraries *libraries);

#endif
