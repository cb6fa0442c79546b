/* How a piece of work ended. Commands turn it into their exit code (src/cli/message.h). */
#ifndef IRDIFF_STATUS_ENDING_H
#define IRDIFF_STATUS_ENDING_H

#include <stdbool.h>

#include "cgprofile/error.h"

/* The larger of two is the worse. */
enum ending {
	ENDED_FINE,
	ENDED_LIMIT_EXCEEDED,
	ENDED_UNUSABLE,         /* wrong usage or configuration, or unusable files */
	ENDED_BENCHMARK_FAILED, /* a build or a benchmark failed, or the disk is full */
	ENDED_UNTRUSTED,        /* the measurement cannot be trusted */
	ENDED_BY_SIGNAL = 128,  /* plus the number of the signal that interrupted it */
};

static inline enum ending ended_by_signal(int signal)
{
	return (enum ending)(ENDED_BY_SIGNAL + signal);
}

static inline bool ending_is_signal(enum ending ending)
{
	return ending > ENDED_BY_SIGNAL;
}

/* What an error means for the work that it ended. */
static inline enum ending ending_of_error(const struct cg_error *err)
{
	return err->code == CG_EINTERNAL ? ENDED_UNTRUSTED
	       : err->code == CG_EFULL   ? ENDED_BENCHMARK_FAILED
					 : ENDED_UNUSABLE;
}

#endif
