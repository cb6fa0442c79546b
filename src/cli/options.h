/*
 * Options of the commands. One table per command says everything about them:
 * parsing, environment variables and --help come from it.
 *
 * The variable of --min-delta is IRDIFF_MIN_DELTA; the command line wins over
 * it, and an empty one is as good as none. Options and operands may be mixed.
 * Switches take an optional yes or no, as Valgrind's do (--inclusive=yes).
 */
#ifndef IRDIFF_CLI_OPTIONS_H
#define IRDIFF_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit codes of all commands. */
enum exit_code {
	EXIT_FINE = 0,
	EXIT_LIMIT_BROKEN = 1,
	EXIT_USAGE = 2,     /* wrong usage or configuration, or unusable files */
	EXIT_BENCHMARK = 3, /* a build or a benchmark failed */
	EXIT_UNTRUSTED = 4, /* the measurement cannot be trusted */
};

enum option_kind {
	OPTION_SWITCH,  /* bool */
	OPTION_MAYBE,   /* the same, but an int: -1 until it is given */
	OPTION_TEXT,    /* const char * */
	OPTION_LIST,    /* struct text_list: may be given several times */
	OPTION_NUMBER,  /* uint64_t */
	OPTION_PERCENT, /* double, 0 to 100 */
	OPTION_CHOICE,  /* const char *, one of `choices` */
};

/* Texts belong to argv or the environment. free(items). */
struct text_list {
	const char **items; /* NULL-terminated once there is one */
	size_t count, cap;
};

struct option_spec {
	const char *name; /* without dashes */
	char letter;      /* 0: none */
	enum option_kind kind;
	void *to;            /* where the value goes; holds the default before */
	const char *arg;     /* "FILE"; for choices "a|b|c" */
	const char *help;    /* one sentence, no final full stop */
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

/* Parses argv[1 …]. Returns true to go on; false if the command is to end with
 * *exit_code: help was printed, or an error. */
bool options_parse(const struct command_help *help, const struct option_spec *specs, size_t nspecs,
		   int argc, char **argv, struct arguments *out, int *exit_code);

/* The first of these names, of which the last is NULL, that the command line itself
 * sets, other than by switching it off; NULL if it is none of them. What a variable
 * sets is a preference, which need not apply. */
const char *options_given(const struct arguments *args, const char *const *names);

/* "irdiff show: what; try 'irdiff show --help'" on stderr; returns EXIT_USAGE. */
int usage_error(const char *command, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
