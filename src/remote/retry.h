/* When a request that failed is worth another attempt, and after how long. */
#ifndef IRDIFF_REMOTE_RETRY_H
#define IRDIFF_REMOTE_RETRY_H

#include <stdint.h>

#define RETRY_WAIT_MAX 60 /* seconds, of all waits together */

/* Begin with the number of attempts after the first one, and zeros. */
struct retry {
	unsigned left;
	unsigned done;
	unsigned waited; /* seconds so far */
};

/* Counts an attempt and returns how many seconds to wait before it; -1: no more attempts. It waits
 * no less than the service asks for (-1: it does not), or else 1, 2, 4 … */
int retry_next(struct retry *r, int64_t asked);

#endif
