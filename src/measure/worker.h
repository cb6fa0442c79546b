/*
 * The process that does one task of jobs.h: `irdiff --worker TASK SHARED CPUS`, started by irdiff
 * itself, or by a launcher on another machine that has the same files.
 */
#ifndef IRDIFF_MEASURE_WORKER_H
#define IRDIFF_MEASURE_WORKER_H

#include "src/status/notice.h"

#define WORKER_OPTION "--worker"

/* A file next to the task of a launcher, touched as long as irdiff waits for the result. */
#define WORKER_PULSE "pulse"

/* Does the task, and writes its messages and its result to files (task.h). `numbers` are what
 * request.shared becomes, and how many runs it may make at the same time. Returns the exit code.
 * The process ends when irdiff no longer waits for it. */
enum ending worker_main(const char *task, const char *const *numbers,
			const struct notices *notices);

#endif
