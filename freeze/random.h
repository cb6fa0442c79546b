#ifndef IRDIFF_FREEZE_RANDOM_H
#define IRDIFF_FREEZE_RANDOM_H

#include <stddef.h>

/* The next bytes of a sequence that is the same in every process. */
void random_fill(void *buffer, size_t size);

#endif
