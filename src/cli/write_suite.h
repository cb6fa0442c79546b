/* The report on a suite, written where its options say. */
#ifndef IRDIFF_CLI_WRITE_SUITE_H
#define IRDIFF_CLI_WRITE_SUITE_H

#include "src/compare/suite.h"

int write_suite(const struct suite *suite, struct cg_error *err);

/* Reports a run that compared nothing, in formats for CI and the summary of a step: who reads these
 * does not see its messages. */
int write_failed_run(const struct suite_options *options, const struct failed_run *run,
		     struct cg_error *err);

#endif
