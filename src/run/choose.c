#include "src/run/choose.h"

#include <stdint.h>
#include <string.h>

#include "src/run/family.h"

/* A program that costs less than this fraction of what it started is a launcher. */
#define LAUNCHERS_SHARE 20

static const char *find_base_name(const char *path, size_t len, size_t *base_len)
{
	size_t begin = len;

	while (begin && path[begin - 1] != '/')
		begin--;
	*base_len = len - begin;
	return path + begin;
}

bool choose_names(const char *path, const char *wanted)
{
	size_t len = strlen(path), wanted_len = strlen(wanted);

	if (!wanted_len || wanted_len > len || memcmp(path + len - wanted_len, wanted, wanted_len))
		return false;
	return wanted_len == len || wanted[0] == '/' || path[len - wanted_len - 1] == '/';
}

/* By the name of the image, or the name that it was called by (python3 for python3.11). */
static bool is_asked_for(const struct run_profile *profile, const char *wanted)
{
	size_t len;
	const char *called = find_base_name(profile->command, profile->program_len, &len);

	return choose_names(profile->image, wanted) ||
	       (len == strlen(wanted) && !memcmp(called, wanted, len));
}

bool choose_below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	return !strncmp(path, dir, len) && (path[len] == '/' || (len && dir[len - 1] == '/'));
}

/* The end of a profile, and how much work it is of its process. What a heap costs does not tell. */
static size_t weigh_profile(const struct run_profile *profiles, size_t nprofiles, size_t begin,
			    uint64_t *cost)
{
	size_t end = run_profile_end(profiles, nprofiles, begin, cost);

	if (profiles[begin].instructions)
		*cost = profiles[begin].instructions;
	return end;
}

/* A lower bound of what a profile has counted beyond the copy of its parent's counts. */
static uint64_t own_cost(const struct run_profile *profiles, size_t nprofiles,
			 const struct run_profile *profile, uint64_t cost)
{
	if (!profile->forked)
		return cost;
	for (size_t begin = 0, end; begin < nprofiles; begin = end) {
		uint64_t parents;
		end = weigh_profile(profiles, nprofiles, begin, &parents);
		if (profiles[begin].pid == profile->parent && !profiles[begin].replaced)
			return cost > parents ? cost - parents : 0;
	}
	return cost;
}

static uint64_t add_saturated(uint64_t a, uint64_t b)
{
	return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

/* The cost of a process and of all that continue its work (family.h). */
static uint64_t family_cost(const struct run_profile *profiles, size_t nprofiles, size_t root)
{
	uint64_t sum = 0;

	for (size_t begin = 0, end; begin < nprofiles; begin = end) {
		uint64_t cost;
		end = weigh_profile(profiles, nprofiles, begin, &cost);
		if (begin == root ||
		    (profiles[begin].forked && family_root(profiles, nprofiles, begin) == root))
			sum = add_saturated(sum, cost);
	}
	return sum;
}

/* The costliest profile so far; `found` is false before the first one. */
struct best {
	size_t first, count;
	uint64_t cost;
	bool found, preferred;
};

static void offer(struct best *best, size_t first, size_t count, uint64_t cost, bool preferred)
{
	if (best->found && (preferred != best->preferred ? best->preferred : cost <= best->cost))
		return;
	*best = (struct best){ first, count, cost, true, preferred };
}

enum choice choose_profile(const struct run_profile *profiles, size_t nprofiles,
			   const struct wanted_profile *wanted, size_t *first, size_t *count)
{
	struct best all = { 0 }, started = { 0 };
	bool any = false;

	for (size_t begin = 0, end; begin < nprofiles; begin = end) {
		const struct run_profile *profile = &profiles[begin];
		uint64_t cost;
		end = weigh_profile(profiles, nprofiles, begin, &cost);
		if (!profile->bytes)
			continue;
		any = true;
		if (wanted->image ? !is_asked_for(profile, wanted->image) : profile->launcher)
			continue;
		if (wanted->family) {
			if (family_root(profiles, nprofiles, begin) != begin)
				continue;
			cost = family_cost(profiles, nprofiles, begin);
		} else if (!wanted->parted) {
			cost = own_cost(profiles, nprofiles, profile, cost);
		}
		bool below = wanted->project && !wanted->image &&
			     choose_below(profile->image, wanted->project);
		offer(&all, begin, end - begin, cost, below);
		if (wanted->main && profile->pid == wanted->main && !wanted->image)
			offer(&started, begin, end - begin, cost, false);
	}
	if (!all.found)
		return !any            ? CHOICE_NONE
		       : wanted->image ? CHOICE_NO_SUCH_IMAGE
				       : CHOICE_ONLY_LAUNCHERS;
	/* Divided, because the product could overflow. */
	const struct best *chosen = started.found && started.cost >= all.cost / LAUNCHERS_SHARE
					    ? &started
					    : &all;
	*first = chosen->first;
	*count = chosen->count;
	return CHOICE_MADE;
}
