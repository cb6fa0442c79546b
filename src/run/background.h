/*
 * Processes that run beside each other while the caller waits for any of them.
 *
 * Each has a session of its own, so that a Ctrl-C of the terminal reaches only the caller, who then
 * ends them. It gets SIGTERM when the caller's thread dies. When it is over, what it leaves in its
 * group goes on until background_end.
 */
#ifndef IRDIFF_RUN_BACKGROUND_H
#define IRDIFF_RUN_BACKGROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "cgprofile/error.h"
#include "src/run/interrupt.h"

struct background {
	pid_t pid; /* 0: none */
	int pidfd; /* -1: this kernel has none */
};

/* Starts the program at `path` with the caller's environment and an empty standard input; what it
 * prints goes to the file `log`. CG_EIO if it cannot be started; *out is untouched then. */
int background_start(const char *path, const char *const *argv, const char *log,
		     struct background *out, struct cg_error *err);

/* Whether it has ended; background_end comes next. */
bool background_is_over(const struct background *b);

/* Kills what one that is over has left in its group, and empties *b. Returns the status of
 * waitpid(2). */
int background_end(struct background *b);

/* Sends a signal to it and all of its group. */
void background_signal(const struct background *b, int signal);

/* Waits until one of them ends, a signal for the caller arrives, or so many milliseconds have
 * passed. Empty entries are skipped. */
void background_wait(const struct background *const *list, size_t count,
		     const struct interrupts *interrupts, int milliseconds);

#endif
