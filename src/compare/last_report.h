/*
 * The report that the last `irdiff check`, `compare` or `merge` left for `irdiff comment`:
 * .irdiff/last/report.md. It belongs to the run that ended last, or does not exist: a run removes
 * it at the start, and a run that fails leaves a report about the failure. A wrong command line
 * removes it, too, and leaves none.
 */
#ifndef IRDIFF_COMPARE_LAST_REPORT_H
#define IRDIFF_COMPARE_LAST_REPORT_H

#include "src/report/suite_report.h"

#define LAST_DIRECTORY ".irdiff/last"
#define LAST_REPORT LAST_DIRECTORY "/report.md"

/* Below the project's root. */
void last_report_forget(const char *root);

int last_report_write(const char *root, const struct suite_report *suite, struct cg_error *err);

/* Without .irdiff/ it creates no files; a failure to write the report changes no exit code. */
void last_report_fail(const char *root, const struct failed_run *run);

#endif
