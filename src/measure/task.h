/*
 * A measurement as a file, for a process that does it elsewhere (worker.h), and what came of it.
 *
 * Both are JSON, and only for an irdiff of the same version. Arguments, paths and variables may
 * have any bytes but NUL: a text that is not UTF-8 is written as {"hex": "2f746d702fff"}, so that
 * the worker gets every byte of it. A task also has the variables that the benchmark or Valgrind
 * takes from the environment of the irdiff that wrote it.
 *
 * The worker writes two files beside TASK:
 *
 *	TASK.messages    its messages to people
 *	TASK.result      as its last step: the exit code of measure(), the label and benchmark of
 *	                 each profile, the names of cases that count nothing, and what it must not
 *	                 share with other runs
 */
#ifndef IRDIFF_MEASURE_TASK_H
#define IRDIFF_MEASURE_TASK_H

#include "src/json/json.h"
#include "src/measure/measurement.h"
#include "src/run/strings.h"

#define TASK_MESSAGES ".messages"
#define TASK_RESULT ".result"

enum task_list { TASK_ARGV, TASK_ENV, TASK_VALGRIND_OPTIONS, TASK_COPIED, TASK_LISTS };

struct task {
	struct measurement measurement;
	struct measured_checkout checkout;
	struct strings variables; /* "NAME=VALUE", or "NAME" to unset it */
	struct json_value *json;  /* the file, which owns the texts */
	struct strings decoded;   /* those that are not UTF-8 */
	const char **lists[TASK_LISTS];
};

/* Writes it, readable by the user only. */
int task_write(const struct measurement *m, const char *path, struct cg_error *err);

/* Reads it. CG_EINVAL: another irdiff has written it, or it is damaged. Free with task_free, also
 * on failure. */
int task_read(const char *path, struct task *out, struct cg_error *err);
void task_free(struct task *task);

int task_write_result(const char *path, enum ending ending, const struct measured *measured,
		      struct cg_error *err);
/* Appends the measurements, without the profiles. False: the result is not complete. */
bool task_read_result(const char *path, enum ending *ending, struct measured *measured);

#endif
