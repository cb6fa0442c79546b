/* The workload of libbz2: compresses and decompresses a text. */
#include <bzlib.h>
#include <stdio.h>
#include <string.h>

#include "tests/bench/planted/random.h"

enum { SIZE = 25000 };

void bz_internal_error(int code)
{
	printf("error %d\n", code);
}

int main(void)
{
	static char in[SIZE], out[SIZE], packed[2 * SIZE];
	unsigned size = sizeof packed, unpacked = SIZE;

	fill_text(in, SIZE);
	BZ2_bzBuffToBuffCompress(packed, &size, in, SIZE, 1, 0, 0);
	BZ2_bzBuffToBuffDecompress(out, &unpacked, packed, size, 0, 0);
	puts(unpacked == SIZE && memcmp(in, out, SIZE) == 0 ? "the same" : "not the same");
	return 0;
}
