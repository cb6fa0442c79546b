/*
 * A measurement as a file, for a process that does it elsewhere (worker.h).
 *
 * Names and values, each with a NUL behind it, as texts of the command line and paths may be any
 * bytes: "root", "/home/me/project", "argv", "./bench", "argv", "-n", … What the benchmark or
 * Valgrind takes from the environment of who asked is in it, too.
 *
 * Beside TASK, whoever does it writes
 *
 *	TASK.messages    what it has to say to people
 *	TASK.result      as its last step: "irdiff result CODE", of which the code is measure()'s, and
 *	                 for each profile two lines, its label and its benchmark, which may be empty
 */
#ifndef IRDIFF_MEASURE_TASK_H
#define IRDIFF_MEASURE_TASK_H

#include "src/measure/measurement.h"
#include "src/run/strings.h"

#define TASK_MESSAGES ".messages"
#define TASK_RESULT ".result"

struct task {
	struct measurement measurement;
	struct measured_checkout checkout;
	struct strings variables; /* "NAME=VALUE", or "NAME", which is not to be set */
	char *text;               /* the file, which the texts are in */
	const char **lists[4];
};

/* Writes it, for nobody else to read. */
int task_write(const struct measurement *m, const char *path, struct cg_error *err);

/* Reads it. CG_EINVAL: another irdiff has written it. Free with task_free, also on failure. */
int task_read(const char *path, struct task *out, struct cg_error *err);
void task_free(struct task *task);

int task_write_result(const char *path, enum ending ending, const struct measured *measured,
		      struct cg_error *err);
/* Appends what was measured, without the profiles. False: there is none. */
bool task_read_result(const char *path, enum ending *ending, struct measured *measured);

#endif
