/* What to say if a command line names neither a benchmark nor a command to measure. */
#ifndef IRDIFF_CLI_UNNAMED_BENCHMARK_H
#define IRDIFF_CLI_UNNAMED_BENCHMARK_H

/* Prints an error of usage that lists benchmarks of irdiff.yml, if there is one that can be read:
 * "irdiff profile: name a benchmark, or …; available: a, b". `hint` says how to name several, "'*'
 * measures all", or is NULL. Returns the exit code. */
int unnamed_benchmark(const char *command, const char *hint);

#endif
