/*
 * A part of the benchmarks, for one of several machines that share the work: `--shard K/N`.
 *
 * Which part a benchmark belongs to follows from its name and N alone, by a hash: all shards agree
 * without talking to each other, and a benchmark that is added or removed moves no other one. So
 * shards are equal in size only on average.
 */
#ifndef IRDIFF_MEASURE_SHARD_H
#define IRDIFF_MEASURE_SHARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/status/notice.h"

#define SHARDS_MAX 1000

struct shard {
	uint64_t number, of; /* 1 … of; of 0: there are no shards, and all belongs to this one */
};

/* "2/3"; *out is untouched if it is nothing like that. */
bool shard_parse(const char *text, struct shard *out);
bool shard_has(const struct shard *shard, const char *benchmark);

/* Tells that none of so many belongs to it. */
void shard_tell_empty(const struct notices *n, const struct shard *shard, size_t count);

#endif
