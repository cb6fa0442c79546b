/*
 * Which part of a command line is being completed. The words mean what they mean to options_parse,
 * but the line is not finished: what is wrong in it is passed over.
 */
#ifndef IRDIFF_CMD_CURSOR_H
#define IRDIFF_CMD_CURSOR_H

#include "src/cmd/options.h"

enum cursor_place {
	CURSOR_NOWHERE, /* in the value of an option that is not known */
	CURSOR_OPTION,  /* the name of an option */
	CURSOR_VALUE,   /* the value of `option` */
	CURSOR_OPERAND, /* the operand behind `operands` */
	CURSOR_REST,    /* a word of the command behind "--" */
};

struct cursor {
	enum cursor_place place;
	const struct option_spec *option; /* of CURSOR_VALUE */
	const char *word;                 /* the one that the cursor is in, as far as it is typed … */
	size_t stem;                      /* … and how much of it stays: "--format=", "-o" */
	const char **operands;            /* those before it */
	size_t count;
	const char **given; /* the names of options before it */
	size_t ngiven;
	int rest; /* of CURSOR_REST: where in argv the command begins */
};

/* The cursor is at the end of the last of the words in argv[1 …]; there is at least one.
 * `takes_command` as in command_help. CG_ENOMEM; free with cursor_free. All texts belong to argv and
 * `specs`. */
int cursor_find(const struct option_spec *specs, size_t nspecs, bool takes_command, int argc,
		char **argv, struct cursor *out);
void cursor_free(struct cursor *c);

bool cursor_has_given(const struct cursor *c, const char *name);

#endif
