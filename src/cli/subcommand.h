/*
 * Commands with subcommands: 'irdiff cache list', 'irdiff store push'. The lines in `operands` of
 * such a command begin with them, and end with the options that they take:
 *
 *     "push REMOTE --history-only --keep --days"
 *
 * Errors of usage and completion both come from there.
 */
#ifndef IRDIFF_CLI_SUBCOMMAND_H
#define IRDIFF_CLI_SUBCOMMAND_H

#include "src/cli/option_spec.h"

/* Whether a line of `operands` is of a subcommand. */
bool is_subcommand(const char *line);

/* The line of the subcommand of this name; NULL: there is no such subcommand. */
const char *subcommand_find(const struct command_help *help, const char *name);

/* Whether the subcommand of a line takes an option, named without its dashes. */
bool subcommand_takes(const char *line, const char *option);

/* Whether the first operand is a subcommand that takes the options that the command line itself
 * sets. If not, an error was printed. */
bool subcommand_check(const struct command_help *help, const struct arguments *args);

#endif
