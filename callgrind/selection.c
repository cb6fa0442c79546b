#include "cgprofile/selection.h"

#include <fnmatch.h>
#include <string.h>

#define REQUEST "Client Request: "

static bool in_ranges(const struct cg_range *ranges, size_t count, uint64_t number)
{
	for (size_t i = 0; i < count; i++)
		if (number >= ranges[i].first && number <= ranges[i].last)
			return true;
	return false;
}

static bool has_trigger(const struct cg_selection *s, const char *trigger)
{
	bool request = strncmp(trigger, REQUEST, sizeof REQUEST - 1) == 0;
	const char *name = request ? trigger + sizeof REQUEST - 1 : trigger;

	for (size_t i = 0; *trigger && i < s->ntriggers; i++)
		if (fnmatch(s->triggers[i], trigger, 0) == 0 ||
		    fnmatch(s->triggers[i], name, 0) == 0)
			return true;
	return false;
}

bool cg_selection_has(const struct cg_selection *s, const struct cg_profile *p,
		      const struct cg_part *part)
{
	if (!s)
		return true;
	if (s->npids && !in_ranges(s->pids, s->npids, part->pid))
		return false;
	if (s->nthreads && !in_ranges(s->threads, s->nthreads, part->thread))
		return false;
	return (!s->nparts && !s->ntriggers) || in_ranges(s->parts, s->nparts, part->number) ||
	       has_trigger(s, cg_string(p, part->trigger));
}
