/* Whether options have values in their range and may be combined: see struct option_rule. */
#ifndef IRDIFF_CLI_OPTION_RULES_H
#define IRDIFF_CLI_OPTION_RULES_H

#include "src/cli/option_spec.h"

/* Who set an option. */
struct option_state {
	bool given;         /* the command line */
	bool from_variable; /* a variable, and not the command line */
	union option_value {
		bool on;
		int maybe;
		const char *text;
		uint64_t number;
		double percent;
	} standard; /* what it was before; a list was empty */
};

/* The variable that sets an option: IRDIFF_MIN_DELTA for "min-delta". Returns `name`. */
enum { OPTION_VARIABLE_SIZE = 64 };
const char *option_variable(const char *option, char name[OPTION_VARIABLE_SIZE]);

/* What an option holds; 0 of a list. */
union option_value option_value_of(const struct option_spec *o);

/* False if a range or a rule of the command is broken: an error of usage was printed. Options that
 * a variable has set against a rule become what they were. `states` has one row per spec. */
bool option_rules_hold(const struct command_help *help, const struct option_spec *specs,
		       size_t nspecs, struct option_state *states, const struct arguments *args);

#endif
