/*
 * Whether a profile is of a program with several threads. Which of them runs when is not the same
 * in every run, and so are counts: waiting costs instructions, too.
 */
#ifndef IRDIFF_DIFF_THREADS_H
#define IRDIFF_DIFF_THREADS_H

#include "cgprofile/profile.h"

/* The fact in which the driver says how many there were (src/run/fingerprint.h). */
#define THREADS_KEY "irdiff.subject.threads"

/* Several threads, but it is not known how many. */
#define THREADS_SEVERAL UINT64_MAX

/* How many there were in all, the first one included; 0: not known, and no sign of any. Where the
 * profile does not say it, its parts tell, or that the C library begins one: what it did while it
 * was not measured is not seen then. */
uint64_t threads_of(const struct cg_profile *p);
bool threads_are_several(const struct cg_profile *p);

/* "2 threads", "several threads", for threads_are_several. */
#define THREADS_TEXT 40
const char *threads_text(uint64_t threads, char text[THREADS_TEXT]);

#endif
