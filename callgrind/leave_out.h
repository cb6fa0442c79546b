/* Events that are not kept. */
#ifndef CG_LEAVE_OUT_H
#define CG_LEAVE_OUT_H

#include "cgprofile/profile.h"

/* Removes the events with these names, ended by NULL, from a finished profile, but for its last
 * one. */
void cg_leave_out_events(struct cg_profile *p, const char *const *names);

#endif
