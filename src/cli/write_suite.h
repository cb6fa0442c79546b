/* The report on a suite, written where its options say. */
#ifndef IRDIFF_CLI_WRITE_SUITE_H
#define IRDIFF_CLI_WRITE_SUITE_H

#include "src/compare/suite.h"

int write_suite(const struct suite *suite, struct cg_error *err);

#endif
