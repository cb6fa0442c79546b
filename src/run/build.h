/*
 * Builds a project where it will be measured: at /irdiff-run/w (see workspace.h), so that paths in
 * the program (__FILE__, RPATH, debug information) are the same for base and head, for every user
 * and on every machine. Where tracing is refused it is built at the path of its directory.
 *
 * The build has the user's environment, but for what would make two builds differ or point git and
 * make elsewhere: SOURCE_DATE_EPOCH is set where it is not, and GIT_…, MAKEFLAGS, MAKELEVEL are
 * not.
 */
#ifndef IRDIFF_RUN_BUILD_H
#define IRDIFF_RUN_BUILD_H

#include <stdbool.h>

#include "cgprofile/error.h"
#include "src/run/interrupt.h"

/* 2000-01-01, which a program that prints its build date shows */
#define BUILD_EPOCH "946684800"

/* Where a project is seen while it is built and measured. */
#define BUILD_PLACE "/irdiff-run/w"

struct build_request {
	const char *const *argv; /* NULL-terminated */
	const char *root;        /* an existing directory, which the build sees at BUILD_PLACE */
	const char *cwd;         /* where it runs: root, or below it; absolute */
	const char *log;         /* file that gets stdout and stderr */
	const char *names; /* file that gets the paths that it names, as names.h has them, if it is
			    * traced; NULL: none */
	bool in_place;     /* build at the path of the directory */
};

struct build_result {
	bool built;         /* it ended with status 0 */
	bool traced;        /* it was at BUILD_PLACE, not at the path of its directory */
	int exit_status;    /* otherwise, when it ended by itself */
	int term_signal;    /* that killed it, or 0 */
	int interrupted_by; /* signal that irdiff received, or 0 */
	char *tail;         /* as tail_with_error, hostile; the caller's */
	double seconds;
};

/* Runs it to its end. Errors: it could not be started: CG_EIO, CG_EINVAL (no such program),
 * CG_ENOMEM. */
int run_build(const struct build_request *request, struct interrupts *interrupts,
	      struct build_result *result, struct cg_error *err);
void build_result_free(struct build_result *result);

#endif
