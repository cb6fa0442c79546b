/* Which cases of a benchmark are asked for. */
#ifndef IRDIFF_MEASURE_CHOOSE_CASES_H
#define IRDIFF_MEASURE_CHOOSE_CASES_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"

struct case_choice {
	const char *benchmark; /* the labels of its cases begin with this */
	const char *wanted;    /* that whose label, "BENCH/CASE", is this, or, if none is called so,
				* those that it matches as in fnmatch(3); NULL: all */
	bool or_all;           /* if none is called so, all instead of those that match */
};

/* Sets `chosen` for those of the names of cases that a struct case_choice asks for. CG_EINVAL, with
 * names that there are, if that is none; CG_ENOMEM. */
int choose_cases(const void *choice, const char *const *names, size_t count, bool *chosen,
		 struct cg_error *err);

/* CG_EINVAL: none of these cases is wanted. */
int choose_fail_unknown(const char *wanted, const char *const *names, size_t count,
			struct cg_error *err);

#endif
