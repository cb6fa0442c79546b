/* The workload of LZ4: compresses and decompresses a text, in small pieces. */
#include <lz4.h>
#include <stdio.h>
#include <string.h>

#include "tests/bench/planted/random.h"

enum { PIECE = 5000, PIECES = 40 };

int main(void)
{
	static char in[PIECE * PIECES], out[PIECE], packed[2 * PIECE];
	int same = 0;

	fill_text(in, sizeof in);
	for (int i = 0; i < PIECES; i++) {
		const char *piece = in + i * PIECE;
		int size = LZ4_compress_default(piece, packed, PIECE, sizeof packed);
		int unpacked = LZ4_decompress_safe(packed, out, size, PIECE);
		same += unpacked == PIECE && memcmp(piece, out, PIECE) == 0;
	}
	printf("%d pieces the same\n", same);
	return 0;
}
