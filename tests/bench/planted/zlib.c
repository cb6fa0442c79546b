/* The workload of zlib: compresses and decompresses a text. */
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "tests/bench/planted/random.h"

enum { SIZE = 60000 };

int main(void)
{
	static char in[SIZE], out[SIZE];
	static Bytef packed[2 * SIZE];
	z_stream z = { 0 };

	fill_text(in, SIZE);
	deflateInit2(&z, 6, Z_DEFLATED, 15, 4, Z_DEFAULT_STRATEGY);
	z.next_in = (Bytef *)in;
	z.avail_in = SIZE;
	z.next_out = packed;
	z.avail_out = sizeof packed;
	deflate(&z, Z_FINISH);
	uLong size = z.total_out;
	deflateEnd(&z);

	z = (z_stream){ 0 };
	inflateInit(&z);
	z.next_in = packed;
	z.avail_in = (uInt)size;
	z.next_out = (Bytef *)out;
	z.avail_out = SIZE;
	inflate(&z, Z_FINISH);
	inflateEnd(&z);
	puts(memcmp(in, out, SIZE) == 0 ? "the same" : "not the same");
	return 0;
}
