/* Measuring one command or benchmark and keeping its profile under a label. */
#ifndef IRDIFF_CMD_MEASURE_H
#define IRDIFF_CMD_MEASURE_H

#include "callgrind/profile.h"
#include "src/run/run.h"

struct measurement {
	const char *root;      /* the project's root: where profiles are kept */
	const char *label;
	const char *benchmark; /* of irdiff.yml; NULL: a command of the command line */
	bool quiet;            /* no progress, but errors and warnings */
	struct run_request request; /* `root` and `workdir` are set by measure() */
};

/*
 * Runs it, writes profiles/LABEL.callgrind and its companions, and hands over
 * the profile that was written, with lines, without contexts. Errors, the end
 * of a failed benchmark's output included, go to stderr. Returns the exit code:
 * 0, 2, 3, 4, or 128 + N after a signal.
 */
int measure(const struct measurement *m, struct cg_profile **out);

#endif
