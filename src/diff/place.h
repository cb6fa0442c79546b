/*
 * Where in the source a change is: the one line to point to.
 *
 * For a call it is the line of the call, of several the one whose calls changed most. For
 * a function's self cost it is the line whose cost changed most in the direction of the change, or
 * if none did, in the other one.
 * Lines have other numbers in two versions. If their texts were matched, it is known which line is
 * which; otherwise it is estimated, as if the function had been edited in one place: above it lines
 * are counted from the function's first line, below it from its last, and the place is where
 * then the least has changed. If no line changed so, it is the first one of the function, or the
 * call that is made most.
 */
#ifndef IRDIFF_DIFF_PLACE_H
#define IRDIFF_DIFF_PLACE_H

#include "src/diff/metric.h"

/* A function as rows of differences name it; "???" or NULL: any. */
struct place_function {
	const char *name, *object, *file;
	const struct place_function *also; /* whose lines in its file count as its own */
	size_t nalso;
};

struct place {
	const char *file; /* of a profile; NULL: nothing is known */
	uint32_t line;
	bool in_base;                      /* of base's profile: head does not have the line */
	const char *base_file, *head_file; /* that were compared; NULL: no lines on that side */
};

/* Which lines of two versions of a file are the same, by number; 0: none. */
struct place_match {
	const uint32_t *base_of; /* per line of head */
	uint32_t nhead;
	const uint32_t *head_of; /* per line of base */
	uint32_t nbase;
};

/* Two profiles with lines, and what is looked for in them. */
struct place_sides {
	const struct cg_profile *base, *head; /* NULL: not compared */
	const char *metric;
	const struct place_match *match; /* NULL: to be estimated */
	bool shrank;                     /* what changed costs less in head */
	bool either; /* a function's line that changed most counts in both directions */
};

/* The line where a caller calls a callee, which have other names in base if they were renamed:
 * by their number, or if that is not known or `by_cost`, by what they cost. Nothing if there is no
 * such call. CG_OK or CG_ENOMEM. */
struct place_call {
	struct place_function base_caller, base_callee, caller, callee;
	bool by_cost;
};
int place_of_call(const struct place_sides *sides, const struct place_call *call,
		  struct place *out);

/* The line of a function, as head and as base name it. CG_OK or CG_ENOMEM. */
int place_of_code(const struct place_sides *sides, const struct place_function *base,
		  const struct place_function *head, struct place *out);

#endif
