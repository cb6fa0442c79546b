/*
 * Which paths programs name, for whoever wants to know what a run depends on. Each traced program
 * appends to one file, so that several runs are told one after the other. A line is a character and
 * an absolute path of the host, which may have links and need not be there:
 *
 *	<	a program begins …
 *	>	… and it and all that it has started are over
 *	+PATH	named for the first time, and it is there, if only as a link
 *	-PATH	named for the first time, and it is not
 *	:PATH	opened or executed; it was named just before
 *	~PATH	about to get another name: it is renamed, or a link is made that leads to it; or to
 *		lose one, as a link that leads to it is removed, renamed or replaced
 *	*PATH	a directory that was listed
 *	=PATH	about to be made, written to or removed; it was named just before
 *	!	a program did what may depend on more than files that can be named so
 *
 * What the tracer itself answers, plain devices, and places that are only for this run are left
 * out.
 */
#ifndef IRDIFF_GUEST_NAMES_H
#define IRDIFF_GUEST_NAMES_H

#include <stdbool.h>
#include <stdio.h>

#include "cgprofile/error.h"
#include "cgprofile/strings.h"

#define NAMES_BEGIN '<'
#define NAMES_END '>'
#define NAMES_THERE '+'
#define NAMES_ABSENT '-'
#define NAMES_OPENED ':'
#define NAMES_MOVED '~'
#define NAMES_LISTED '*'
#define NAMES_CHANGED '='
#define NAMES_MORE '!'

struct names {
	FILE *to; /* NULL: nobody asks, or it cannot be written */
	struct cg_strings told;
};

/* `path` NULL: nobody asks. If it cannot be written, its last run has no end. */
void names_begin(struct names *names, const char *path);
void names_end(struct names *names);

/* A line of this kind, unless there is one. */
void names_tell(struct names *names, char kind, const char *path);

/* NAMES_THERE or NAMES_ABSENT; of a path with "..", also for what comes before each. Through a pipe
 * that is there, others may answer: NAMES_MORE. */
void names_tell_named(struct names *names, const char *path);

/* Whether the path was there when it was named for the first time, or may have been. */
bool names_had(const struct names *names, const char *path);

/* Reads such a file: `take` gets the lines of paths, in order, and returns false if memory runs
 * out. *whole: nothing is missing, and nothing else was done. CG_OK or CG_ENOMEM. */
typedef bool names_taker(void *context, char kind, const char *path);
int names_read(const char *file, names_taker *take, void *context, bool *whole,
	       struct cg_error *err);

#endif
