/* The names of what a run measures in irdiff.yml and on the command line, in the order of their
 * enums (src/run/request.h). `between` separates them, `last` comes before the last one: RUN_COMMA
 * in tables, "|" for the choices of an option, ", " and " or " in messages. */
#ifndef IRDIFF_RUN_SETTING_NAMES_H
#define IRDIFF_RUN_SETTING_NAMES_H

#define RUN_COMMA ,

/* enum run_cases */
#define RUN_CASES_NAMES(between, last) \
	"auto" between "none" between "irdiff" between "dumps" between "codspeed" between \
	"criterion" between "divan" between "libtest" between "google-benchmark" between \
	"go" between "gungraun" between "catch2" last "nanobench"
/* enum run_processes */
#define RUN_PROCESSES_NAMES(between, last) \
	"forked" between "one" between "each" between "all" last "project"
/* Whether threads are measured separately: no, or yes. */
#define RUN_THREADS_NAMES(last) "together" last "each"

#endif
