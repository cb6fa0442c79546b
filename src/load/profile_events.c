#include "src/load/profile_events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/diff/metric.h"

static void list_event_names(const struct cg_profile *p, char *text, size_t size)
{
	size_t used = 0;
	text[0] = '\0';
	for (uint32_t e = 0; e < p->nevents && used < size; e++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", e ? " " : "",
					 cg_string(p, p->events[e].name));
}

static int find_event(const struct cg_profile *p, const char *name, uint32_t *event,
		      struct cg_error *err)
{
	char known[300];
	int found = cg_event_index(p, metric_event_name(name));
	if (found < 0) {
		list_event_names(p, known, sizeof known);
		return cg_fail(err, CG_EINVAL, NULL, 0, "unknown event '%s'; the profile has: %s",
			       name, known);
	}
	*event = (uint32_t)found;
	return CG_OK;
}

int parse_events(const struct cg_profile *p, const char *list, uint32_t **events, size_t *count,
		 struct cg_error *err)
{
	uint32_t *found = NULL;
	size_t n = 0, cap = 0;
	int status = cg_grow(&found, &cap, (size_t)p->nevents + 1, sizeof *found);
	char *copy = strdup(list ? list : ""), *state = NULL;

	if (status || !copy)
		status = cg_fail_nomem(err);
	for (uint32_t e = 0; !status && !list && e < p->nevents; e++)
		found[n++] = e;
	for (char *name = copy ? strtok_r(copy, ",", &state) : NULL; !status && name;
	     name = strtok_r(NULL, ",", &state)) {
		if (cg_grow(&found, &cap, n + 1, sizeof *found))
			status = cg_fail_nomem(err);
		else
			status = find_event(p, name, &found[n++], err);
	}
	if (!status && n == 0)
		status = cg_fail(err, CG_EINVAL, NULL, 0, "no event in '%s'", list);
	free(copy);
	if (status) {
		free(found);
		return status;
	}
	*events = found;
	*count = n;
	return CG_OK;
}
