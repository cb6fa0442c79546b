/* The events that a comparison shows beside each other, from a list of them. */
#ifndef IRDIFF_LOAD_CHOOSE_EVENTS_H
#define IRDIFF_LOAD_CHOOSE_EVENTS_H

#include "src/diff/diff.h"

struct shown_events {
	struct diff_event *items;
	size_t count;
	char *names; /* own those of the items */
};

/* "Ir,Dw" or derived metrics; NULL: none. CG_EINVAL: a profile does not have one, or they are none
 * or very many. On failure, too, free with shown_events_free. */
int shown_events_parse(const struct diff *d, const char *list, struct shown_events *out,
		       struct cg_error *err);
void shown_events_free(struct shown_events *s);

#endif
