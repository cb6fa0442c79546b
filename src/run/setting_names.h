/* What irdiff.yml and the command line call the ways to choose what a run measures, each in the order of its
 * enum (src/run/request.h). `between` stands between them, `last` before the last one: for
 * tables RUN_COMMA, for the choices of an option "|", for messages ", " and " or ". */
#ifndef IRDIFF_RUN_SETTING_NAMES_H
#define IRDIFF_RUN_SETTING_NAMES_H

#define RUN_COMMA ,

/* enum run_cases */
#define RUN_CASES_NAMES(between, last) \
	"auto" between "none" between "irdiff" between "dumps" last "codspeed"
/* enum run_processes */
#define RUN_PROCESSES_NAMES(between, last) "forked" between "one" between "each" last "all"
/* Whether each thread is measured for itself: no, or yes. */
#define RUN_THREADS_NAMES(last) "together" last "each"

#endif
