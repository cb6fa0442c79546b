/*
 * Names of cases in the results of harnesses that do not list them. One that occurs again becomes
 * "NAME #2". The results are hostile; a name with control characters is refused, as the cases are
 * told apart by their order.
 */
#ifndef IRDIFF_RUN_HARNESS_RESULTS_H
#define IRDIFF_RUN_HARNESS_RESULTS_H

#include "cgprofile/error.h"
#include "src/run/strings.h"

/* Catch2's: "<TestCase name=…>", and in it "<BenchmarkResults name=… iterations=…>", each on a line
 * of its own, are "TEST CASE/BENCHMARK". CG_EINVAL: one did not run a single iteration. */
int harness_read_xml(const char *text, struct strings *names, struct cg_error *err);

/* nanobench's: rows of Markdown, the last cell of each is the name, "`NAME`". */
int harness_read_table(const char *text, struct strings *names, struct cg_error *err);

#endif
