/* What kind of profile is to be generated. */
#ifndef TESTS_BENCH_GENERATE_OPTIONS_H
#define TESTS_BENCH_GENERATE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum { MAX_EVENTS = 13 };

struct options {
	uint64_t size;
	uint32_t functions;
	unsigned events;
	bool contexts, instr, jumps;
};

/* As the command line says; false: it is wrong. */
bool parse_options(int argc, char **argv, struct options *o);

#endif
