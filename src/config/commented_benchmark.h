/* Benchmarks that irdiff.yml has only as comments, as `irdiff init` writes what it found. */
#ifndef IRDIFF_CONFIG_COMMENTED_BENCHMARK_H
#define IRDIFF_CONFIG_COMMENTED_BENCHMARK_H

#include <stddef.h>
#include <stdint.h>

/* The number of the line, from 1 on, that would be the benchmark of that name without its '#', with
 * a command in it or in the next line; 0: no line would be. */
uint64_t config_commented_benchmark_in(const char *text, size_t len, const char *name);

/* The same for a file; 0 also if it cannot be read. */
uint64_t config_commented_benchmark(const char *path, const char *name);

#endif
