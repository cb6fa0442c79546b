/* Which system calls are looked at, and what is done with each. Private to src/guest. */
#ifndef IRDIFF_GUEST_CALLS_H
#define IRDIFF_GUEST_CALLS_H

#include <stdbool.h>

#include "src/guest/visit.h"

#ifdef REGISTERS_ARCH

/* What the filter says of a call: it is in the table, or it is made as by programs for another
 * machine, such as 32-bit ones. */
#define CALLS_NATIVE 0
#define CALLS_FOREIGN 1

/* Makes the kernel stop the calling process, and all that it starts, at these calls. False:
 * errno. */
bool calls_filter(const struct guest *guest);

/* Handles a thread at the beginning or end of a call. Writes its registers back if they changed. */
enum turn calls_enter(struct traced *traced, struct guest_task *task);
void calls_leave(struct traced *traced, struct guest_task *task);

/* Forgets a call whose end will not be seen: an execve() that succeeded. */
void calls_forget(struct guest_task *task);

#endif
#endif
