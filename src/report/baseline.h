/*
 * A profile as a text that is kept in a repository: self costs of functions, as callgrind writes
 * them, and nothing that changes without them.
 *
 * Names are those by which the differ finds functions again, sorted; they are not numbered, so that
 * one function more changes no other line. There are no calls, lines and addresses. Functions
 * that are below 0.01 % of every event are added up, per object, as SMALL_FUNCTIONS_NAME. The
 * totals are exact.
 */
#ifndef IRDIFF_REPORT_BASELINE_H
#define IRDIFF_REPORT_BASELINE_H

#include <stdio.h>

#include "src/diff/diff.h"

/* `d` is the difference of the profile, its head, from nothing: what every function is called.
 * `creator`: "irdiff-0.1". CG_OK, CG_ENOMEM, or CG_EIO if the stream failed. */
int baseline_text(const struct diff *d, const char *creator, FILE *to);

#endif
