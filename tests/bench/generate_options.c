#include "tests/bench/generate_options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* Digits, and perhaps k, M or G, up to `max`. */
static bool parse_number(const char *text, uint64_t max, uint64_t *n)
{
	static const char units[] = "kMG";
	char *end;

	errno = 0;
	uint64_t value = strtoull(text, &end, 10), unit = 1;
	if (errno || !isdigit((unsigned char)*text))
		return false;
	const char *found = *end ? strchr(units, *end) : NULL;
	for (const char *u = units; found && u <= found; u++)
		unit *= 1000;
	if (found)
		end++;
	if (*end || value > max / unit)
		return false;
	*n = value * unit;
	return true;
}

/* As in files of Valgrind: a call graph's own share grows with what is said of each line. */
static uint32_t usual_functions(const struct options *o)
{
	uint64_t n = o->size / (o->contexts ? 950 : o->instr ? 2300 : 400);
	return n < 3 ? 3 : n < UINT32_MAX / 2 ? (uint32_t)n : UINT32_MAX / 2;
}

bool parse_options(int argc, char **argv, struct options *o)
{
	static const struct option table[] = {
		{ "functions", required_argument, NULL, 'f' },
		{ "events", required_argument, NULL, 'e' },
		{ "contexts", no_argument, NULL, 'c' },
		{ "instr", no_argument, NULL, 'i' },
		{ "jumps", no_argument, NULL, 'j' },
		{ 0 },
	};
	uint64_t functions = 0, events = 1;
	bool ok = true;

	for (int c; ok && (c = getopt_long(argc, argv, "", table, NULL)) != -1;) {
		if (c == 'f')
			ok = parse_number(optarg, 100000000, &functions) && functions >= 3;
		else if (c == 'e')
			ok = parse_number(optarg, MAX_EVENTS, &events) && events > 0;
		else if (c == 'c')
			o->contexts = true;
		else if (c == 'i')
			o->instr = true;
		else if (c == 'j')
			o->jumps = true;
		else
			ok = false;
	}
	if (!ok || optind + 1 != argc ||
	    !parse_number(argv[optind], UINT64_C(1000000000000), &o->size))
		return false;
	o->events = (unsigned)events;
	o->functions = functions ? (uint32_t)functions : usual_functions(o);
	return true;
}
