/*
 * A part of the benchmarks, for one of several machines that share the work: `--shard K/N`.
 *
 * The part of a benchmark depends only on a hash of its name and on N: all shards agree without
 * communication, and adding or removing a benchmark moves no other one. So shards are equal in
 * size only on average.
 */
#ifndef IRDIFF_MEASURE_SHARD_H
#define IRDIFF_MEASURE_SHARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/status/notice.h"

#define SHARDS_MAX 1000

struct shard {
	uint64_t number,
		of; /* number is 1 … of; of 0: without shards, all benchmarks belong to this one */
};

/* Reads "2/3"; leaves *out as it is and returns false if the text is not of this form. */
bool shard_parse(const char *text, struct shard *out);
bool shard_has(const struct shard *shard, const char *benchmark);

/* Reports that none of `count` benchmarks belongs to the shard. */
void shard_tell_empty(const struct notices *n, const struct shard *shard, size_t count);

#endif
