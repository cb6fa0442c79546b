/*
 * Options of the commands. One table per command says everything about them: parsing, environment
 * variables, --help and completion come from it.
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

/* The values that an OPTION_NUMBER may have. */
struct option_range {
	const char *name;
	uint64_t least, most;
};

/*
 * Which options exclude each other, and which require others. Rules are checked once the whole
 * command line is parsed.
 *
 * A rule applies to options that the command line or a variable sets (to an option listed with
 * values: if it is set to one of these). A variable sets a preference: it is dropped if it breaks a
 * rule. Only the command line can cause an error. A condition holds if each of its words does:
 *
 *     --check             the switch is on, or the option has a value
 *     --view=flat|tree    the option has one of these values
 *     BASE HEAD           there are as many operands as words in capitals, or more
 *     -- COMMAND          a command follows "--"
 */
struct option_rule {
	const char *options; /* "--root --depth", "--format=json|csv" */
	enum { REQUIRES, EXCLUDES } kind;
	const char *condition; /* "--view=flat --format=text" */
	const char *hint;      /* what to do instead, NULL if that is obvious */
};

struct arguments;

struct command_help {
	const char *name;
	const char *const *usage; /* lines after the name, NULL-terminated */
	const char *description;
	bool takes_command; /* a command follows "--", or … */
	bool takes_paths;   /* … paths do; otherwise more operands */
	/* What the operands are, for completion, in the words of complete.c: lines,
	 * NULL-terminated, of which the first that applies counts: "PROFILE FILE…" always,
	 * "--baseline BENCH" where that option is given, "save BASELINE BENCH…" where that is the
	 * first operand (subcommand.h). NULL: files. */
	const char *const *operands;
	/* "view top": the options that -h lists; NULL: all. */
	const char *main_options;
	const char *html_by;               /* what writes --format=html instead; NULL: nothing */
	const char *by_default;            /* the subcommand if none is named; NULL: one must be */
	const struct option_range *ranges; /* the last has no name; NULL: any number is fine */
	const struct option_rule *rules;   /* the last has no `options`; NULL: no rules */
	/* Where a rule is broken: prints what else is wrong, if that is the cause, and returns
	 * whether it did. `bench` is the value of --bench, NULL without one. NULL: none is known */
	bool (*explain)(const struct arguments *args, const char *bench);
	/* "check, compare and diff", the commands that have an option; NULL: none. free() it. */
	char *(*commands_with)(const char *option);
};

/* What is left of the command line. free(operands). */
struct arguments {
	const char **operands;
	size_t count;
	const char **given; /* names of options that it sets; in the memory of `operands` */
	size_t ngiven;
	bool has_rest;           /* a command or paths follow "--": */
	const char *const *rest; /* these, NULL-terminated, of argv */
};

#endif
