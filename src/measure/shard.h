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

#define SHARDS_MAX 1000

struct shard {
	uint64_t number, of; /* 1 … of; of 0: there are no shards, and all belongs to this one */
};

/* "2/3"; *out is untouched if it is nothing like that. */
bool shard_parse(const char *text, struct shard *out);
bool shard_has(const struct shard *shard, const char *benchmark);

/* Takes the value of --shard, which may be NULL; a wrong one is an error of usage. */
bool shard_check_usage(const char *command, const char *text, struct shard *out, int *exit_code);

/* Line in the table of options of a command. */
#define SHARD_OPTION(text)                                                                         \
	{ "shard", 0, OPTION_TEXT, (text), "K/N",                                                  \
	  "only the benchmarks of part K of N, for one of several machines" }

/* Says on standard error that none of so many belongs to it. */
void shard_print_empty(const struct shard *shard, size_t count);

#endif
