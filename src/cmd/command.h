/* The commands of irdiff. Adding one: a file src/cmd/cmd_NAME.c, a line in the table in
 * commands.c, a man page, a golden case. */
#ifndef IRDIFF_CMD_COMMAND_H
#define IRDIFF_CMD_COMMAND_H

#include "src/cli/options.h"

struct command {
	const char *name;
	const char *summary;
	int (*run)(int argc, char **argv); /* argv[0] is the name; returns the exit code */
	bool is_main;                      /* 'irdiff -h' lists it */
};

/* Runs the command that argv names; the exit code of the program. */
int command_main(int argc, char **argv);

/* As in struct command_help. */
char *commands_with_option(const char *option);

int cmd_bisect(int argc, char **argv);
int cmd_browse(int argc, char **argv);
int cmd_cache(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_init(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_profile(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_store(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_flame(int argc, char **argv);
int cmd_baseline(int argc, char **argv);
int cmd_comment(int argc, char **argv);
int cmd_history(int argc, char **argv);
int cmd_convert(int argc, char **argv);

#endif
