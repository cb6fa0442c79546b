/* Which of several profiles is the one that was meant. */
#ifndef IRDIFF_RUN_CHOOSE_H
#define IRDIFF_RUN_CHOOSE_H

#include <stdbool.h>
#include <stddef.h>

#include "src/run/result.h"

enum choice {
	CHOICE_MADE,
	CHOICE_NONE,           /* there are no profiles, or all are empty files */
	CHOICE_ONLY_LAUNCHERS, /* a shell, make …, and nothing that it started */
	CHOICE_NO_SUCH_IMAGE,  /* none is of the image asked for */
};

struct wanted_profile {
	const char *image;   /* a base name or a path; NULL: not asked for */
	const char *project; /* canonical, if a script or a launcher was started, whose own
			      * business is seldom meant; else NULL */
	pid_t main;          /* the process of a program that was started itself; else 0 */
	bool parted; /* what forked had written its counts before, so that nothing is a copy */
	bool family; /* it counts with all that it has forked (family.h) */
};

/*
 * `profiles` is sorted by pid, generation and part. If an image is asked for: the
 * costliest profile of it. Else that of the main process, unless it costs so
 * little beside what it started that it is only a launcher. Else the costliest;
 * if there are some of images below `project`, the costliest of these. Never one
 * of a known launcher. Of a forked profile only what its parent has not counted
 * as well makes it costly; with `family` that makes its parent costly. *first and *count are the parts of
 * the one chosen.
 */
enum choice choose_profile(const struct run_profile *profiles, size_t nprofiles,
			   const struct wanted_profile *wanted, size_t *first, size_t *count);

/* Whether `path` is `wanted`, or ends in it after a slash. */
bool choose_names(const char *path, const char *wanted);

/* Whether a path lies in a directory or below. */
bool choose_below(const char *path, const char *dir);

#endif
