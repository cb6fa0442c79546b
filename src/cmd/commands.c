#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "src/cli/complete.h"
#include "src/cli/completion_values.h"
#include "src/cli/message.h"
#include "src/cli/options.h"
#include "src/cli/pager.h"
#include "src/cmd/command.h"
#include "src/measure/worker.h"
#include "src/text/suggest.h"

#define NO_PAGER "--no-pager"

static const struct command commands[] = {
	{ "init", "write a first irdiff.yml for a project, and what its CI needs", cmd_init },
	{ "doctor", "check what irdiff needs, and say what to do where something is missing",
	  cmd_doctor },
	{ "profile", "run a command or a benchmark under callgrind", cmd_profile },
	{ "verify", "whether a benchmark counts the same in every run, and what makes it",
	  cmd_verify },
	{ "show", "what one profile says: functions, callers and callees, paths of calls, source",
	  cmd_show },
	{ "browse", "look around in a profile, or in the difference of two, in a terminal",
	  cmd_browse },
	{ "diff",
	  "compare two profiles: functions, paths of calls, causes; --check judges by limits",
	  cmd_diff },
	{ "compare", "build and measure two commits, or one and the work tree, and compare them",
	  cmd_compare },
	{ "check", "the gate for CI: compare, judge against the limits, fail if one is broken",
	  cmd_check },
	{ "merge", "make one report of what several machines have compared", cmd_merge },
	{ "bisect", "find the first commit that changed a count", cmd_bisect },
	{ "cache", "what was measured of commits: list it, remove what is old", cmd_cache },
	{ "flame", "draw a flame graph of a profile, or of the difference of two", cmd_flame },
	{ "report", "write a page about a difference: verdict, causes, flame graphs, source",
	  cmd_report },
	{ "baseline", "keep profiles of benchmarks to compare with, and accept regressions",
	  cmd_baseline },
	{ "comment", "put the report of the last check on the pull request", cmd_comment },
	{ "history", "what benchmarks counted over commits, and where that changed", cmd_history },
	{ "store", "share what was measured by a ref of git: push, fetch", cmd_store },
	{ "convert", "write profiles in another format, or several as one", cmd_convert },
};

enum { NCOMMANDS = sizeof commands / sizeof *commands };

static int print_version(void)
{
	puts("irdiff " PACKAGE_VERSION);
	return EXIT_FINE;
}

static int print_all_commands(FILE *to)
{
	fputs("irdiff counts the instructions a program executes, by Valgrind's callgrind, and says\n"
	      "which functions made it slower.\n\nUsage: irdiff COMMAND [OPTIONS] …\n\nCommands:\n",
	      to);
	for (size_t i = 0; i < NCOMMANDS; i++)
		fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].summary);
	fputs("\n'irdiff COMMAND --help' and 'man irdiff-COMMAND' say more.\n", to);
	return EXIT_FINE;
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

/* Those whose output is to be read. Others talk while they work, draw, or write files. */
static bool is_paged(const struct command *command)
{
	static const char *const others[] = {
		"init", "profile", "browse", "flame", "comment", "store", "convert",
	};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(command->name, others[i]) == 0)
			return false;
	return true;
}

static int call_command(const struct command *command, int argc, char **argv, bool may_page)
{
	int exit_code;

	if (may_page && is_paged(command) && !pager_begin(&exit_code))
		return exit_code;
	return command->run(argc, argv);
}

static int unknown_command(const char *name)
{
	const char *names[NCOMMANDS];
	for (size_t i = 0; i < NCOMMANDS; i++)
		names[i] = commands[i].name;
	const char *meant = suggest(name, names, NCOMMANDS);

	print_message("there is no command '%s'%s%s%s", name, meant ? "; did you mean '" : "",
		      meant ? meant : "", meant ? "'?" : "");
	fputs("Try 'irdiff --help'.\n", stderr);
	return EXIT_USAGE;
}

static void complete_first(const char *word)
{
	const struct completion_values out = { stdout, word, 0 };

	if (*word == '-') {
		candidate(&out, "--help", "which commands there are");
		candidate(&out, "--version", "the version of irdiff");
		candidate(&out, NO_PAGER, "write to the terminal itself");
		return;
	}
	for (size_t i = 0; i < NCOMMANDS; i++)
		candidate(&out, commands[i].name, commands[i].summary);
	candidate(&out, "help", "show the help of a command");
}

/* What the last of the words after "irdiff" may become (complete.h). */
static int complete_command(int count, char **words)
{
	if (count > 1 && strcmp(words[0], NO_PAGER) == 0) {
		count--;
		words++;
	}
	const struct command *command = count > 1 ? find_command(words[0]) : NULL;
	char request[] = COMPLETE_OPTION;

	if (count == 1 || (count == 2 && strcmp(words[0], "help") == 0))
		complete_first(words[count - 1]);
	if (!command)
		return EXIT_FINE;
	words[0] = request;
	return command->run(count, words);
}

/* A full disk or a closed pipe under standard output fails the command. */
static int check_stdout(int exit_code)
{
	struct cg_error err;

	if (fflush(stdout) == 0 && !ferror(stdout))
		return exit_code;
	cg_fail(&err, cg_io_status(errno), NULL, 0, "cannot write to standard output: %s",
		strerror(errno));
	return print_error(&err);
}

static int print_usage(void)
{
	print_all_commands(stderr);
	return EXIT_USAGE;
}

static int dispatch(int argc, char **argv)
{
	bool may_page = strcmp(argv[1], NO_PAGER) != 0;

	if (!may_page) {
		argv++;
		if (--argc < 2)
			return print_usage();
	}
	const char *name = argv[1];

	if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
		return print_version();
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		return print_all_commands(stdout);
	if (strcmp(name, WORKER_OPTION) == 0 && argc == 3)
		return exit_code_of(worker_main(argv[2], &terminal_notices));
	if (strcmp(name, COMPLETE_OPTION) == 0)
		return complete_command(argc - 2, argv + 2);
	if (strcmp(name, "help") == 0) {
		if (argc == 2)
			return print_all_commands(stdout);
		const struct command *about = find_command(argv[2]);
		char help[] = "--help";
		char *words[] = { argv[2], help, NULL };
		return about ? call_command(about, 2, words, may_page) : unknown_command(argv[2]);
	}
	const struct command *command = find_command(name);
	return command ? call_command(command, argc - 1, argv + 1, may_page)
		       : unknown_command(name);
}

int command_main(int argc, char **argv)
{
	signal(SIGXFSZ, SIG_IGN); /* then writing fails, which is said */
	if (argc < 2)
		return print_usage();
	return check_stdout(dispatch(argc, argv));
}
