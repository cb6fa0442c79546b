/* Reads the profile of a run (src/run/run.h), or reports its failure. */
#ifndef IRDIFF_MEASURE_RUN_RESULT_H
#define IRDIFF_MEASURE_RUN_RESULT_H

#include "cgprofile/reader.h"
#include "src/measure/choose_cases.h"
#include "src/run/run.h"
#include "src/status/notice.h"

/* Which of its cases are asked for, as in choose_cases(). *chosen has an element for each, and is
 * the caller's. */
int run_choose_cases(const struct run_result *result, const struct case_choice *choice,
		     bool **chosen, struct cg_error *err);

/* The raw files of all that it has measured, those of its cases if it has some, as indexes of
 * result->profiles. `files` has room for as many as there are; returns how many it got. */
size_t run_files(const struct run_result *result, size_t *files);

/* The same of the cases that are asked for. CG_EINTERNAL if one of them was not measured; else as
 * choose_cases(). */
int run_files_of(const struct run_result *result, const struct case_choice *choice, size_t *files,
		 size_t *count, struct cg_error *err);

/* Reads some of its raw files as one profile, under the paths of the host. Paths and selection
 * of the options are set. */
int read_run(const struct run_result *result, const size_t *which, size_t count,
	     const struct cg_read_options *how, struct cg_profile **out, struct cg_error *err);

/* Prints the error and, if the benchmark failed, the end of its output. Returns how the work
 * ends. */
enum ending tell_failed_run(const struct notices *n, const struct run_result *result,
			    const struct cg_error *err);

/* Says what the preset of its runtime has set; quiet if nothing was. */
void tell_preset(const struct notices *n, const struct run_result *result);

#endif
