#include "src/load/choose_events.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 16 }; /* three columns each */

int shown_events_parse(const struct diff *d, const char *list, struct shown_events *out,
		       struct cg_error *err)
{
	struct shown_events *s = out;
	char *state = NULL;
	int status = CG_OK;

	*s = (struct shown_events){ 0 };
	if (!list)
		return CG_OK;
	s->names = strdup(list);
	s->items = calloc(MOST_EVENTS, sizeof *s->items);
	if (!s->names || !s->items)
		return cg_fail_nomem(err);
	for (char *name = strtok_r(s->names, ",", &state); !status && name;
	     name = strtok_r(NULL, ",", &state)) {
		if (s->count == MOST_EVENTS)
			return cg_fail(err, CG_EINVAL, NULL, 0, "--show shows at most %d events",
				       MOST_EVENTS);
		status = diff_find_event(d, name, &s->items[s->count++], err);
	}
	if (!status && !s->count)
		status = cg_fail(err, CG_EINVAL, NULL, 0, "no events in '%s'", list);
	return status;
}

void shown_events_free(struct shown_events *s)
{
	free(s->items);
	free(s->names);
	*s = (struct shown_events){ 0 };
}
