/*
 * The process that does one task of jobs.h: `irdiff --worker TASK`, started by irdiff itself, or by
 * a launcher on another machine that has the same files.
 */
#ifndef IRDIFF_MEASURE_WORKER_H
#define IRDIFF_MEASURE_WORKER_H

#include "src/status/notice.h"

#define WORKER_OPTION "--worker"

/* A file beside the task of a launcher, touched as long as somebody waits for the result. */
#define WORKER_PULSE "pulse"

/* Does the task. What it has to say, and the exit code, go to files (task.h); the code is returned,
 * too. It ends itself when nobody waits any more. */
enum ending worker_main(const char *task, const struct notices *notices);

#endif
