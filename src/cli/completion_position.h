/*
 * Which part of a command line is being completed. Words are parsed as by options_parse, but errors
 * are ignored, as the line is unfinished.
 */
#ifndef IRDIFF_CLI_COMPLETION_POSITION_H
#define IRDIFF_CLI_COMPLETION_POSITION_H

#include "src/cli/option_spec.h"

enum completion_place {
	AT_NOWHERE, /* in the value of an option that is not known */
	AT_OPTION,  /* the name of an option */
	AT_VALUE,   /* the value of `option` */
	AT_OPERAND, /* the operand after `operands` */
	AT_REST,    /* a word of the command after "--" */
};

struct completion_position {
	enum completion_place place;
	const struct option_spec *option; /* of AT_VALUE */
	const char *word;      /* the one that the cursor is in, as far as it is typed … */
	size_t stem;           /* … and how much of it stays: "--format=", "-o" */
	const char **operands; /* those before it */
	size_t count;
	const char **given; /* the names of options before it */
	size_t ngiven;
	int rest; /* of AT_REST: where in argv the command begins */
};

/* The cursor is at the end of the last of the words in argv[1 …]; there is at least one.
 * `takes_command` as in command_help. CG_ENOMEM; free with completion_position_free. All texts
 * belong to argv and `specs`. */
int completion_position_find(const struct option_spec *specs, size_t nspecs, bool takes_command,
			     int argc, char **argv, struct completion_position *out);
void completion_position_free(struct completion_position *c);

bool completion_position_has_given(const struct completion_position *c, const char *name);

#endif
