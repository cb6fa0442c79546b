/* What the workloads in C have in common: text that looks random and is the same in every run. */
#ifndef IRDIFF_PLANTED_RANDOM_H
#define IRDIFF_PLANTED_RANDOM_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* Text with repetitions, as compressors expect. */
static inline void fill_text(char *text, size_t size)
{
	static const char *const words[] = { "copper", "tin",    "zinc",    "iron",
					     "lead",   "silver", "mercury", "gold" };
	uint32_t state = 1;
	size_t at = 0;

	while (at < size) {
		uint32_t number = next_random(&state);
		const char *word = words[number % 8];
		while (*word && at < size)
			text[at++] = *word++;
		for (number >>= 12; number && at < size; number /= 26)
			text[at++] = (char)('a' + number % 26);
		if (at < size)
			text[at++] = number % 5 ? ' ' : '\n';
	}
}

#endif
