/* Reports on the comparisons of one or several benchmarks. The structs are views: they own
 * nothing. */
#ifndef IRDIFF_REPORT_SUITE_REPORT_H
#define IRDIFF_REPORT_SUITE_REPORT_H

#include "src/report/diff_report.h"

struct bench_report {
	const char *name;
	struct diff_report diff; /* with paths and causes where they were asked for */
};

struct suite_report {
	const struct bench_report *benches; /* at least one */
	size_t count;
};

#endif
