/* Events of a profile that a user names. */
#ifndef IRDIFF_LOAD_PROFILE_EVENTS_H
#define IRDIFF_LOAD_PROFILE_EVENTS_H

#include "cgprofile/profile.h"

/* Events named by a list "Ir,Dw", or by another name of one of the heap; NULL: all of the profile.
 * free(*events). */
int parse_events(const struct cg_profile *p, const char *list, uint32_t **events, size_t *count,
		 struct cg_error *err);

#endif
