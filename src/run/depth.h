/* How many callers callgrind records with each call (--separate-callers), unless the user says. */
#ifndef IRDIFF_RUN_DEPTH_H
#define IRDIFF_RUN_DEPTH_H

#include "src/run/command.h"

#define RUN_DEPTH_COMPILED 100  /* compiled programs: exact */
#define RUN_DEPTH_INTERPRETED 0 /* interpreters that nest: paths are estimated */
/* The same where paths matter more than time: at 10, CPython takes up to three times as long as
 * without contexts, at 1 a fifth longer, at 100 up to ten times. */
#define RUN_DEPTH_PATHS 10
/* Python and JavaScript whose functions have names: what a call of one costs, and who makes it, is
 * known without (arguments.c, v8.h). */
#define RUN_DEPTH_NAMED 0

/* `named`: its functions are to have names. */
unsigned depth_by_default(const struct found_command *command, bool named);

#endif
