/*
 * Selecting parts of a profile by process, thread and dump.
 *
 * A process that dumps several times writes parts 1, 2, 3 …, each with the costs
 * since the previous one; with --separate-threads=yes it writes each part once
 * per thread. These add up to the process. Different processes do not: the counts
 * of a process after fork(2) begin with a copy of its parent's counts.
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

/* Members that are 0 exclude nothing. */
struct cg_selection {
	bool every_process;          /* add up parts of different processes */
	bool merge;                  /* add up whatever there is, also what looks like the same part
			     * twice: on other machines pids may be the same */
	const struct cg_range *pids; /* the same, if one of these is theirs */
	size_t npids;
	const struct cg_range *threads;
	size_t nthreads;
	/* A part is selected by its number or by its trigger, with patterns as in
	 * fnmatch(3). A pattern may also match the text after "Client Request: ". */
	const struct cg_range *parts;
	size_t nparts;
	const char *const *triggers;
	size_t ntriggers;
};

/* Whether a part of this profile is selected. NULL: every part is. */
bool cg_selection_has(const struct cg_selection *s, const struct cg_profile *p,
		      const struct cg_part *part);

CG_END_DECLS

#endif
