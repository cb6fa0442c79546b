/*
 * Running a benchmark several times while its surroundings change: irdiff's environment grows, its
 * work directory has longer names, another process uses the CPU, seconds pass. None of these may
 * change a count, and no profile is kept.
 */
#ifndef IRDIFF_MEASURE_REPEAT_RUNS_H
#define IRDIFF_MEASURE_REPEAT_RUNS_H

#include "cgprofile/profile.h"
#include "src/measure/choose_cases.h"
#include "src/measure/runtime.h"
#include "src/report/verify_report.h"
#include "src/run/run.h"
#include "src/status/notice.h"

#define REPEATING_IS_LONG 60 /* seconds: the user is told that it takes longer */

struct repeating {
	const struct notices *notices; /* receives errors */
	const char *root;              /* of the project; its work directories are used */
	const char *name;              /* of the benchmark, or of one of its cases, for progress */
	struct case_choice choice;     /* which cases are measured */
	struct run_request
		request; /* `cwd` as in irdiff.yml; `root`, `workdir`, `hidden` are set */
	size_t runs;
	size_t more;       /* runs that follow if all are equal */
	const char *doing; /* what is tried, for progress; NULL: nothing */
	bool trial;        /* report no failure; stop when runs differ and … */
	uint64_t most;     /* … the totals of the first event are so far apart */
	double until;      /* no run goes on after this, of the monotonic clock; 0: never */
};

struct repeated {
	struct cg_profile **profiles; /* of each run, without lines and contexts */
	size_t count;
	bool equal;        /* byte by byte: all costs of all lines and addresses, in all contexts */
	unsigned details;  /* enum verify_detail: where they are not */
	bool untraced;     /* so pids were not constant */
	unsigned frozen;   /* enum freeze: what was made constant */
	bool static_image; /* nothing can be loaded into it */
	bool threads;      /* it has several, as far as that is known */
	unsigned reads;    /* enum run_reads: what it may have read; all, if that is not known */
	unsigned shown;    /* the same, as far as functions show it, and it was not frozen */
	bool qt;           /* it loads Qt */
	bool timed_out;    /* the last run did not end in time, and was ended */
	bool out_of_time;  /* it was ended as `until` had come */
	double seconds;    /* that the first run took, with reading its counts */
	enum runtime runtime; /* of the last run */
};

/* CG_OK, or an error that was printed unless it is a trial, with the exit code in *ending.
 * Free *out in both cases. */
int repeat(const struct repeating *how, struct repeated *out, enum ending *ending);
/* The totals of the first event; at least one run. */
struct spread repeated_spread(const struct repeated *r);
void repeated_free(struct repeated *r);

#endif
