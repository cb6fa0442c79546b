#include "src/text/sparkline.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"

enum { LEVELS = 8, BYTES = 3 }; /* at most, of a bar */

static unsigned level_of_bar(int64_t n, int64_t least, int64_t most)
{
	unsigned __int128 above = cg_distance(least, n), range = cg_distance(least, most);
	return range ? (unsigned)((above * (LEVELS - 1) + range / 2) / range) : LEVELS / 2 - 1;
}

static int64_t largest(const int64_t *numbers, size_t from, size_t to)
{
	int64_t most = numbers[from];
	for (size_t i = from + 1; i < to; i++)
		most = numbers[i] > most ? numbers[i] : most;
	return most;
}

char *text_sparkline(const int64_t *numbers, size_t count, unsigned width, bool ascii)
{
	static const char *const blocks[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const plain[] = { "_", ".", ":", "-", "=", "+", "*", "#" };
	size_t bars = width && width < count ? width : count, used = 0;
	char *line = malloc(bars * BYTES + 1);
	int64_t least = count ? numbers[0] : 0, most = count ? largest(numbers, 0, count) : 0;

	if (!line)
		return NULL;
	for (size_t i = 1; i < count; i++)
		least = numbers[i] < least ? numbers[i] : least;
	for (size_t i = 0; i < bars; i++) {
		int64_t n = largest(numbers, i * count / bars, (i + 1) * count / bars);
		const char *bar = (ascii ? plain : blocks)[level_of_bar(n, least, most)];
		size_t len = strlen(bar);
		memcpy(line + used, bar, len);
		used += len;
	}
	line[used] = '\0';
	return line;
}
