/*
 * Runs one benchmark under callgrind so that the counts depend on the program
 * and its input and on nothing else, and says which files came out of it.
 *
 * The command runs with a constant environment, in a workspace whose paths
 * are the same everywhere (see workspace.h), under the real Valgrind
 * with --trace-children=yes: every ELF image that the command turns into
 * leaves a raw callgrind file. run_benchmark() lists them all and says which
 * one did the work. It parses no profile: it reads Valgrind's log and the
 * `cmd:` and `totals:` lines of the files.
 *
 *	struct run_request request;
 *	struct run_result result = { 0 };
 *
 *	run_request_init(&request);
 *	request.argv = argv;
 *	request.root = "/home/me/project";
 *	request.workdir = "/home/me/project/.irdiff/tmp/1234";
 *	status = run_benchmark(&request, &result, &err);
 *	... result.failure, result.profiles[result.chosen].path ...
 *	run_result_free(&result);
 *
 * Two runs at once, of one irdiff or of several, do not disturb each other.
 * While a run lasts the calling thread blocks SIGINT, SIGTERM and SIGHUP and
 * takes them itself; the mask is restored before run_benchmark() returns.
 */
#ifndef IRDIFF_RUN_RUN_H
#define IRDIFF_RUN_RUN_H

#include "cgprofile/error.h"
#include "src/run/request.h"
#include "src/run/result.h"

/* Measures. Returns CG_OK when result->failure is RUN_MEASURED; else a negative
 * code, with the reason in one sentence in `err`. Unlike other out-parameters
 * *result is filled as far as it goes on failure too, and must be freed in
 * both cases; it need not be initialised. */
int run_benchmark(const struct run_request *request, struct run_result *result,
		  struct cg_error *err);

#endif
