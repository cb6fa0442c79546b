/* Numbers of processes and threads: what the kernel calls them, and what a traced program is
 * told. */
#ifndef IRDIFF_GUEST_PIDS_H
#define IRDIFF_GUEST_PIDS_H

#include <stddef.h>
#include <sys/types.h>

#include "callgrind/support/index.h"

struct pids {
	/* the kernel's numbers of GUEST_PARENT, GUEST_FIRST and so on, including those that have
	 * ended */
	pid_t *real;
	size_t count, cap;
	struct cg_index index; /* finds the kernel's number in `real`; ids are indexes plus 1 */
};

/* Gives the next number to a new one. 0: out of memory. */
pid_t pids_add(struct pids *pids, pid_t real);
void pids_free(struct pids *pids);

/* Translates one into the other. The sign is kept, as a negative number is a process group; an
 * unknown number is returned as it is. */
pid_t pids_shown(const struct pids *pids, pid_t real);
pid_t pids_real(const struct pids *pids, pid_t shown);

/* How many there were, the parent not included. */
unsigned pids_count(const struct pids *pids);

#endif
