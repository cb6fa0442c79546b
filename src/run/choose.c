#include "src/run/choose.h"

#include <stdint.h>
#include <string.h>

static const char *base_name(const char *path, size_t len, size_t *base_len)
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

/* The image itself, or the name that it was called by (python3 for python3.11). */
static bool is_asked_for(const struct run_profile *profile, const char *wanted)
{
	size_t len;
	const char *called = base_name(profile->command, profile->program_len, &len);

	return choose_names(profile->image, wanted) ||
	       (len == strlen(wanted) && !memcmp(called, wanted, len));
}

bool choose_below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	return !strncmp(path, dir, len) && (path[len] == '/' || (len && dir[len - 1] == '/'));
}

/* What a profile has that is not a copy of its parent's: at least so much. */
static uint64_t own_cost(const struct run_profile *profiles, size_t nprofiles,
			 const struct run_profile *profile, uint64_t cost)
{
	if (!profile->forked)
		return cost;
	for (size_t begin = 0, end; begin < nprofiles; begin = end) {
		uint64_t parents;
		end = run_profile_end(profiles, nprofiles, begin, &parents);
		if (profiles[begin].pid == profile->parent && !profiles[begin].replaced)
			return cost > parents ? cost - parents : 0;
	}
	return cost;
}

enum choice choose_profile(const struct run_profile *profiles, size_t nprofiles,
			   const char *image, const char *project,
			   size_t *first, size_t *count)
{
	bool any = false, found = false, best_below = false;
	uint64_t best = 0;

	for (size_t begin = 0, end; begin < nprofiles; begin = end) {
		const struct run_profile *profile = &profiles[begin];
		uint64_t cost;
		end = run_profile_end(profiles, nprofiles, begin, &cost);
		if (!profile->bytes)
			continue;
		any = true;
		if (image ? !is_asked_for(profile, image) : profile->launcher)
			continue;
		cost = own_cost(profiles, nprofiles, profile, cost);
		bool below = project && !image && choose_below(profile->image, project);
		if (found && (below != best_below ? best_below : cost <= best))
			continue;
		found = true;
		best = cost;
		best_below = below;
		*first = begin;
		*count = end - begin;
	}
	if (found)
		return CHOICE_MADE;
	if (!any)
		return CHOICE_NONE;
	return image ? CHOICE_NO_SUCH_IMAGE : CHOICE_ONLY_LAUNCHERS;
}
