/* The report on a suite, written where its options say. */
#ifndef IRDIFF_CLI_WRITE_SUITE_H
#define IRDIFF_CLI_WRITE_SUITE_H

#include "src/compare/suite.h"

int write_suite(const struct suite *suite, struct cg_error *err);

/* Of a run that compared nothing: only for who does not read its messages, as a format for CI, and
 * the summary of a step. */
int write_failed_run(const struct suite_options *options, const struct failed_run *run,
		     struct cg_error *err);

#endif
