/*
 * Parsing of options.
 *
 * The variable of --min-delta is IRDIFF_MIN_DELTA; the command line wins over
 * it, and an empty one is ignored. Options and operands may be mixed.
 * Switches take an optional yes or no, as Valgrind's do (--inclusive=yes).
 */
#ifndef IRDIFF_CLI_OPTIONS_H
#define IRDIFF_CLI_OPTIONS_H

#include "src/cli/message.h"
#include "src/cli/option_spec.h"

/* Parses argv[1 …]. Returns true to go on; false if the command is to end with
 * *exit_code: help was printed, or an error. */
bool options_parse(const struct command_help *help, const struct option_spec *specs, size_t nspecs,
		   int argc, char **argv, struct arguments *out, int *exit_code);

/* A command that is run with HAS_OPTION as argv[0], which no command line can do, does nothing but
 * say whether it has the long option argv[1]: EXIT_FINE if so. */
#define HAS_OPTION "--has-option"

/* The first of these names, of which the last is NULL, that the command line itself
 * sets, other than by switching it off; NULL if it sets none of them. What a variable
 * sets is a preference, which need not apply. */
const char *options_given(const struct arguments *args, const char *const *names);

#endif
