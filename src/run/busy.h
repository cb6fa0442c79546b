/* A child that keeps a processor busy, as others on a machine do. It dies with its parent. */
#ifndef IRDIFF_RUN_BUSY_H
#define IRDIFF_RUN_BUSY_H

#include <sys/types.h>

/* Its pid; -1: none could be made. */
pid_t busy_begin(void);

/* Ends it; nothing for -1. */
void busy_end(pid_t pid);

#endif
