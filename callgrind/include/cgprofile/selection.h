/*
 * Which parts of a profile are wanted: those of some processes, threads and dumps.
 *
 * A process that dumps several times writes parts 1, 2, 3 …, each with what it
 * cost since the one before; with --separate-threads=yes it writes each part once
 * per thread. These add up to the process. Different processes do not: what a
 * process does after fork(2) is counted on top of all that its parent had counted.
 */
#ifndef CGPROFILE_SELECTION_H
#define CGPROFILE_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cgprofile/api.h"
#include "cgprofile/profile.h"

CG_BEGIN_DECLS

/* The numbers from `first` to `last`. */
struct cg_range {
	uint64_t first, last;
};

/* What is left 0 excludes nothing. */
struct cg_selection {
	bool every_process;          /* add up parts of different processes */
	bool merge;                  /* add up whatever there is, also what looks like the same part
			     * twice: on other machines pids may be the same */
	const struct cg_range *pids; /* the same, if one of these is theirs */
	size_t npids;
	const struct cg_range *threads;
	size_t nthreads;
	/* A part is wanted for its number or for its trigger, by patterns as in
	 * fnmatch(3). A pattern also fits what follows "Client Request: ". */
	const struct cg_range *parts;
	size_t nparts;
	const char *const *triggers;
	size_t ntriggers;
};

/* Whether a part of this profile is wanted. NULL: every part is. */
bool cg_selection_has(const struct cg_selection *s, const struct cg_profile *p,
		      const struct cg_part *part);

CG_END_DECLS

#endif
