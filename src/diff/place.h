/*
 * Where in the source a change is: the one line to point to.
 *
 * For a call it is the line of the call, of several the one whose calls cost most. For
 * a function's own code it is the line whose cost grew most. Lines have other numbers in two
 * versions, so they are matched as if the function had been edited in one place: above it they are
 * counted from the function's first line, below it from its last, and the place is where
 * then the least has changed. If no line grew, it is the first one.
 */
#ifndef IRDIFF_DIFF_PLACE_H
#define IRDIFF_DIFF_PLACE_H

#include "src/diff/metric.h"

/* A function as rows of differences name it; "???" or NULL: any. */
struct place_function {
	const char *name, *object, *file;
};

struct place {
	const char *file; /* of head's profile; NULL: nothing is known */
	uint32_t line;
};

/* The line where `caller` calls `callee`, in a profile with lines. Nothing if there is none. CG_OK
 * or CG_ENOMEM. */
int place_of_call(const struct cg_profile *p, const char *metric,
		  const struct place_function *caller, const struct place_function *callee,
		  struct place *out);

/* The line of a function of head. Both profiles have lines; base may be NULL. CG_OK or
 * CG_ENOMEM. */
int place_of_code(const struct cg_profile *base, const struct cg_profile *head, const char *metric,
		  const struct place_function *function, struct place *out);

#endif
