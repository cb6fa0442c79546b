/*
 * Options of the commands. One table per command says everything about them: parsing, environment variables,
 * --help and completion come from it.
 */
#ifndef IRDIFF_CLI_OPTION_SPEC_H
#define IRDIFF_CLI_OPTION_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/text/text_list.h"

enum option_kind {
	OPTION_SWITCH,  /* bool */
	OPTION_MAYBE,   /* the same, but an int: -1 until it is given */
	OPTION_TEXT,    /* const char * */
	OPTION_LIST,    /* struct text_list: may be given several times */
	OPTION_NUMBER,  /* uint64_t */
	OPTION_PERCENT, /* double, 0 to 100 */
	OPTION_CHOICE,  /* const char *, one of `choices` */
};

struct option_spec {
	const char *name; /* without dashes */
	char letter;      /* 0: none */
	enum option_kind kind;
	void *to;         /* where the value goes; holds the default before */
	const char *arg;  /* "FILE"; for choices "a|b|c" */
	const char *help; /* one sentence, no final full stop */
};

struct command_help {
	const char *name;
	const char *const *usage; /* lines behind the name, NULL-terminated */
	const char *description;
	bool takes_command; /* behind "--" stands a command; otherwise more operands */
	/* What the operands are, for completion, in the words of complete.c: lines, NULL-terminated,
	 * of which the first that applies counts: "PROFILE FILE…" always, "--baseline BENCH" where that
	 * option is given, "save BASELINE BENCH…" where that is the first operand (subcommand.h).
	 * NULL: files. */
	const char *const *operands;
};

/* What is left of the command line. free(operands). */
struct arguments {
	const char **operands;
	size_t count;
	const char **given; /* names of options that it sets; goes with operands */
	size_t ngiven;
	bool has_rest;           /* there was a "--" with a command behind it: */
	const char *const *rest; /* that command, NULL-terminated, of argv */
};

#endif
