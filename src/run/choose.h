/* Chooses which of several profiles the user meant. */
#ifndef IRDIFF_RUN_CHOOSE_H
#define IRDIFF_RUN_CHOOSE_H

#include <stdbool.h>
#include <stddef.h>

#include "src/run/result.h"

enum choice {
	CHOICE_MADE,
	CHOICE_NONE,           /* no profiles, or only empty files */
	CHOICE_ONLY_LAUNCHERS, /* a shell, make …, and nothing that it started */
	CHOICE_NO_SUCH_IMAGE,  /* none is of the image asked for */
};

struct wanted_profile {
	const char *image;   /* a base name or a path; NULL: not asked for */
	const char *project; /* canonical, if a script or a launcher was started, whose own
			      * business is seldom meant; else NULL */
	pid_t main;          /* the process of a program that was started itself; else 0 */
	/* processes wrote their counts before they forked, so that no profile begins with a copy */
	bool parted;
	/* its cost includes all that it has forked (family.h), of which it is the first */
	bool family;
};

/*
 * `profiles` is sorted by pid, generation and part. If an image is asked for, its costliest profile
 * is chosen. Otherwise the profile of the main process is chosen, unless it costs so little
 * compared with what it started that it is only a launcher. Otherwise the costliest is chosen,
 * preferably of images below `project`. A known launcher is never chosen. Of a forked profile only
 * the cost beyond the copy of its parent's counts matters; with `family` that is added to its
 * parent's cost. *first and *count are the parts of the chosen profile.
 */
enum choice choose_profile(const struct run_profile *profiles, size_t nprofiles,
			   const struct wanted_profile *wanted, size_t *first, size_t *count);

/* Whether `path` is `wanted`, or ends in it after a slash. */
bool choose_names(const char *path, const char *wanted);

/* Whether a path lies in a directory or below. */
bool choose_below(const char *path, const char *dir);

#endif
