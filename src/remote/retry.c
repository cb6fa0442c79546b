#include "src/remote/retry.h"

int retry_next(struct retry *r, int64_t asked)
{
	unsigned left = RETRY_WAIT_MAX - r->waited;
	int64_t wait = asked >= 0 ? asked : r->done < 6 ? 1 << r->done : RETRY_WAIT_MAX;

	if (r->left == 0 || wait > left)
		return -1;
	r->left--;
	r->done++;
	r->waited += (unsigned)wait;
	return (int)wait;
}
