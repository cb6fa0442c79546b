/* The workload of xxHash: hashes a text as a whole and in pieces. */
#include <stdio.h>
#include <xxhash.h>

#include "tests/bench/planted/random.h"

enum { SIZE = 100000 };

int main(void)
{
	static char in[SIZE];
	XXH64_state_t *state = XXH64_createState();

	fill_text(in, SIZE);
	XXH64_reset(state, 1);
	for (size_t at = 0; at < SIZE; at += 125)
		XXH64_update(state, in + at, 125);
	printf("%llx %llx\n", (unsigned long long)XXH64(in, SIZE, 1),
	       (unsigned long long)XXH64_digest(state));
	XXH64_freeState(state);
	return 0;
}
