#include "src/guest/pids.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

#include "callgrind/support/grow.h"
#include "src/guest/guest.h"

static uint32_t hash_pid(pid_t pid)
{
	return (uint32_t)cg_hash_mix(0, (uint64_t)pid);
}

/* A process whose number the kernel has given to another one is no longer found by that number. */
struct sought_pid {
	const struct pids *pids;
	pid_t real;
};

static bool is_sought_pid(const void *context, uint32_t id)
{
	const struct sought_pid *sought = context;

	return sought->pids->real[id - 1] == sought->real;
}

static uint32_t find_real_pid(const struct pids *pids, pid_t real)
{
	struct sought_pid sought = { pids, real };

	return cg_index_find(&pids->index, hash_pid(real), is_sought_pid, &sought);
}

pid_t pids_add(struct pids *pids, pid_t real)
{
	uint32_t old = find_real_pid(pids, real);

	if (cg_grow(&pids->real, &pids->cap, pids->count + 1, sizeof *pids->real) ||
	    cg_index_reserve(&pids->index))
		return 0;
	pids->real[pids->count++] = real;
	if (old)
		for (size_t i = hash_pid(real) & pids->index.mask;;
		     i = (i + 1) & pids->index.mask) {
			if (pids->index.slots[i].id == old) {
				pids->index.slots[i].id = (uint32_t)pids->count;
				break;
			}
		}
	else
		cg_index_insert(&pids->index, hash_pid(real), (uint32_t)pids->count);
	return GUEST_PARENT + (pid_t)pids->count - 1;
}

void pids_free(struct pids *pids)
{
	free(pids->real);
	cg_index_free(&pids->index);
	*pids = (struct pids){ 0 };
}

pid_t pids_shown(const struct pids *pids, pid_t real)
{
	/* The lowest number cannot be negated, and belongs to no process. */
	uint32_t id = real < -1 && real != INT_MIN ? find_real_pid(pids, -real)
		      : real > 0                   ? find_real_pid(pids, real)
						   : 0;
	pid_t shown = GUEST_PARENT + (pid_t)id - 1;

	return !id ? real : real < 0 ? -shown : shown;
}

pid_t pids_real(const struct pids *pids, pid_t shown)
{
	pid_t number = shown < 0 && shown != INT_MIN ? -shown : shown;

	if (number < GUEST_PARENT || (size_t)(number - GUEST_PARENT) >= pids->count)
		return shown;
	pid_t real = pids->real[number - GUEST_PARENT];
	return shown < 0 ? -real : real;
}

unsigned pids_count(const struct pids *pids)
{
	return pids->count ? (unsigned)(pids->count - 1) : 0;
}
