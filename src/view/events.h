/* Events of a profile that a user names. */
#ifndef IRDIFF_VIEW_EVENTS_H
#define IRDIFF_VIEW_EVENTS_H

#include "cgprofile/profile.h"

/* Events named by a list "Ir,Dw"; NULL: all of the profile. free(*events). */
int parse_events(const struct cg_profile *p, const char *list, uint32_t **events, size_t *count,
		 struct cg_error *err);

#endif
