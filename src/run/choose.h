/* Which of several profiles is the one that was meant. */
#ifndef IRDIFF_RUN_CHOOSE_H
#define IRDIFF_RUN_CHOOSE_H

#include <stdbool.h>
#include <stddef.h>

#include "src/run/run.h"

enum choice {
	CHOICE_MADE,
	CHOICE_NONE,           /* there are no profiles, or all are empty files */
	CHOICE_ONLY_LAUNCHERS, /* a shell, make …, and nothing that it started */
	CHOICE_NO_SUCH_IMAGE,  /* none is of the image asked for */
};

/*
 * `profiles` is sorted by pid, generation and part. With `image` (a base name or
 * a path): the costliest profile of it. Without: the costliest of all; if there
 * are some below `project` (canonical; NULL unless a script or a launcher was
 * started, whose own business is seldom meant), the costliest of these.
 * Launchers never. Of a forked profile only what its parent has not counted as
 * well makes it costly. *first and *count are the parts of the one chosen.
 */
enum choice choose_profile(const struct run_profile *profiles, size_t nprofiles,
			   const char *image, const char *project,
			   size_t *first, size_t *count);

/* Whether `path` is `wanted`, or ends in it after a slash. */
bool choose_names(const char *path, const char *wanted);

/* Whether a path lies in a directory or below. */
bool choose_below(const char *path, const char *dir);

#endif
