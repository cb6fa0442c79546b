#include "src/measure/shard.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/status/ending.h"
#include "src/status/notice.h"

static bool parse_shard_number(const char *text, char end, const char **rest, uint64_t *n)
{
	char *stop;
	if (*text < '1' || *text > '9')
		return false;
	*n = strtoull(text, &stop, 10);
	*rest = stop + 1;
	return *stop == end && *n <= SHARDS_MAX;
}

bool shard_parse(const char *text, struct shard *out)
{
	struct shard s;
	const char *rest;

	if (!parse_shard_number(text, '/', &rest, &s.number) ||
	    !parse_shard_number(rest, '\0', &rest, &s.of) || s.number > s.of)
		return false;
	*out = s;
	return true;
}

/* FNV-1a, stirred at the end: the remainder of a power of two would be of the last bytes alone. It
 * must stay as it is: shards may be of different irdiffs. */
static uint64_t hash_of_name(const char *text)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3u;
	h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
	return h ^ (h >> 33);
}

bool shard_has(const struct shard *shard, const char *benchmark)
{
	return !shard->of || hash_of_name(benchmark) % shard->of == shard->number - 1;
}

void shard_tell_empty(const struct notices *n, const struct shard *shard, size_t count)
{
	notice_message(n,
		       "none of %zu benchmark%s belongs to shard %" PRIu64 "/%" PRIu64
		       "; nothing to do",
		       count, count == 1 ? "" : "s", shard->number, shard->of);
}
