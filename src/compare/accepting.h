/* Accepting the limits that the last judged comparison broke, in irdiff-accepted.yml. */
#ifndef IRDIFF_COMPARE_ACCEPTING_H
#define IRDIFF_COMPARE_ACCEPTING_H

#include <stdio.h>

#include "src/load/project.h"

struct acceptance_choice {
	const char *const *benchmarks; /* none: all */
	size_t count;
	const char *const *limits; /* "Ir", "Ir=+1%", "Ir=+1% fn:^json_"; none: all */
	size_t nlimits;
	const char *why;
};

/* Writes an entry for each chosen limit that was exceeded, and prints them and which
 * comparison that was. CG_EINVAL if no
 * exceeded limit is chosen. */
int accept_broken(const struct project *project, const struct acceptance_choice *choice, FILE *to,
		  struct cg_error *err);

/* Prints the entries and what the last comparison made of them; nothing without entries. */
int accepted_list(const struct project *project, FILE *to, struct cg_error *err);

/* Removes entries of subjects that the last comparison judged without exceeding a limit: base
 * has caught up. Prints them. */
int accepted_prune(const struct project *project, FILE *to, struct cg_error *err);

#endif
