/* Whether options have values in their range and may stand together: see struct option_rule. */
#ifndef IRDIFF_CLI_OPTION_RULES_H
#define IRDIFF_CLI_OPTION_RULES_H

#include "src/cli/option_spec.h"

/* False if a range or a rule of the command is broken: an error of usage was printed. */
bool option_rules_hold(const struct command_help *help, const struct option_spec *specs,
		       size_t nspecs, const struct arguments *args);

#endif
