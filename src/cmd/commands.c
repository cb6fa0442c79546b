#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/complete.h"
#include "src/cli/completion_values.h"
#include "src/cli/help.h"
#include "src/cli/message.h"
#include "src/cli/options.h"
#include "src/cli/pager.h"
#include "src/cmd/command.h"
#include "src/cmd/help_formats.h"
#include "src/measure/worker.h"
#include "src/text/suggest.h"

#define NO_PAGER "--no-pager"
#define FORMATS_TOPIC "formats" /* of help */

static const struct command commands[] = {
	{ "init", "write a first irdiff.yml and a CI configuration for a project", cmd_init, true },
	{ "doctor", "check what irdiff needs, and say how to fix problems", cmd_doctor, false },
	{ "profile", "run a command or a benchmark under callgrind", cmd_profile, true },
	{ "verify", "check whether a benchmark is deterministic, and find out why not", cmd_verify,
	  false },
	{ "show", "show a profile: functions, calls, call tree, source, instructions", cmd_show,
	  true },
	{ "browse", "explore a profile, or the change between two, in a terminal", cmd_browse,
	  true },
	{ "diff", "compare two profiles: functions, call paths, causes; check limits with --check",
	  cmd_diff, true },
	{ "compare", "build, measure and compare two commits, or a commit and the work tree",
	  cmd_compare, true },
	{ "check", "compare and judge in CI: fail if a limit is exceeded", cmd_check, true },
	{ "merge", "merge the results of several machines into one report", cmd_merge, false },
	{ "bisect", "find the first commit that changed a count", cmd_bisect, true },
	{ "cache", "list or prune the cached measurements of commits", cmd_cache, false },
	{ "flame", "draw a flame graph of a profile, or of the change between two", cmd_flame,
	  false },
	{ "report", "write an HTML report on a change: verdict, causes, flame graphs, source",
	  cmd_report, true },
	{ "baseline", "manage baselines to compare with, and accept regressions", cmd_baseline,
	  false },
	{ "comment", "post the report of the last check on the pull request", cmd_comment, false },
	{ "history", "show the counts of benchmarks over commits, and where they changed",
	  cmd_history, true },
	{ "store", "share measurements through a git ref: push, fetch", cmd_store, false },
	{ "convert", "convert profiles to another format, or merge several into one", cmd_convert,
	  false },
};

enum { NCOMMANDS = sizeof commands / sizeof *commands };

static int print_version(void)
{
	puts("irdiff " PACKAGE_VERSION);
	return EXIT_FINE;
}

/* ---- help ---- */

static int print_commands(FILE *to, bool main_only)
{
	enum { INDENT = 13 };
	char term[INDENT];
	unsigned width = help_width();

	help_print_text(
		to,
		"irdiff counts the instructions that a program executes, with Valgrind's callgrind, "
		"and shows which functions caused a change.\n\n"
		"Usage: irdiff COMMAND [OPTIONS] …\n\nCommands:",
		width);
	for (size_t i = 0; i < NCOMMANDS; i++) {
		snprintf(term, sizeof term, "  %s", commands[i].name);
		if (!main_only || commands[i].is_main)
			help_print_term(to, term, commands[i].summary, INDENT, width);
	}
	fputc('\n', to);
	help_print_text(
		to,
		main_only ? "Run 'irdiff --help' for all commands, and 'irdiff COMMAND -h' for one."
			  : "For details, see 'irdiff COMMAND --help' and "
			    "'man irdiff-COMMAND'; for formats of profiles, 'irdiff help formats'.",
		width);
	return EXIT_FINE;
}

/* ---- commands ---- */

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

static bool command_has_option(const struct command *command, const char *option)
{
	char request[] = HAS_OPTION;
	char *name = strdup(option);
	char *words[] = { request, name, NULL };
	bool has = name && command->run(2, words) == EXIT_FINE;

	free(name);
	return has;
}

char *commands_with_option(const char *option)
{
	const char *names[NCOMMANDS];
	char *text = NULL;
	size_t count = 0, size;

	for (size_t i = 0; i < NCOMMANDS; i++)
		if (command_has_option(&commands[i], option))
			names[count++] = commands[i].name;
	FILE *to = count ? open_memstream(&text, &size) : NULL;
	if (!to)
		return NULL;
	for (size_t i = 0; i < count; i++)
		fprintf(to, "%s%s", !i ? "" : i + 1 < count ? ", " : " and ", names[i]);
	fclose(to);
	return text;
}

/* Those whose output people read. Others report while they work, draw, or write files. */
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
	static const char *const options[] = { "--help", "--version", NO_PAGER };
	const char *names[NCOMMANDS], *version = "version";
	for (size_t i = 0; i < NCOMMANDS; i++)
		names[i] = commands[i].name;
	bool option = *name == '-';
	const char *meant = option ? suggest(name, options, sizeof options / sizeof *options)
				   : suggest(name, names, NCOMMANDS);

	if (!option && !meant && suggest(name, &version, 1))
		meant = options[1];
	print_message("unknown %s '%s'%s%s%s", option ? "option" : "command", name,
		      meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
	fputs("Try 'irdiff --help'.\n", stderr);
	return EXIT_USAGE;
}

static int print_formats_topic(void)
{
	help_print_formats(stdout);
	return EXIT_FINE;
}

static void complete_first(const char *word)
{
	const struct completion_values out = { stdout, word, 0 };

	if (*word == '-') {
		candidate(&out, "--help", "list the commands");
		candidate(&out, "--version", "print the version");
		candidate(&out, NO_PAGER, "do not use a pager");
		return;
	}
	for (size_t i = 0; i < NCOMMANDS; i++)
		candidate(&out, commands[i].name, commands[i].summary);
	candidate(&out, "help", "show the help of a command");
}

static void complete_topic(const char *word)
{
	const struct completion_values out = { stdout, word, 0 };

	candidate(&out, FORMATS_TOPIC, "list the formats of profiles");
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

	const bool about = count == 2 && strcmp(words[0], "help") == 0;
	if (count == 1 || about)
		complete_first(words[count - 1]);
	if (about)
		complete_topic(words[1]);
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
	print_commands(stderr, false);
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
		return print_commands(stdout, name[1] == 'h');
	if (strcmp(name, WORKER_OPTION) == 0 && argc == 5)
		return exit_code_of(
			worker_main(argv[2], (const char *const *)argv + 3, &terminal_notices));
	if (strcmp(name, COMPLETE_OPTION) == 0)
		return complete_command(argc - 2, argv + 2);
	if (strcmp(name, "help") == 0) {
		if (argc == 2)
			return print_commands(stdout, false);
		if (strcmp(argv[2], FORMATS_TOPIC) == 0)
			return print_formats_topic();
		const struct command *about = find_command(argv[2]);
		char help[] = "--help";
		char *words[] = { argv[2], help, NULL };
		return about ? call_command(about, 2, words, may_page) : unknown_command(argv[2]);
	}
	const struct command *command = find_command(name);
	return command ? call_command(command, argc - 1, argv + 1, may_page)
		       : unknown_command(name);
}

/* A file or a pipe gets larger blocks than the system would choose, as new files do
 * (src/store/files.c); a terminal and a pager get it as it comes. */
static char *begin_large_blocks(void)
{
	enum { SIZE = 64 << 10 };
	char *block = stdout_is_seen() ? NULL : malloc(SIZE);

	if (block)
		setvbuf(stdout, block, _IOFBF, SIZE);
	return block;
}

static void end_large_blocks(char *block)
{
	if (block && setvbuf(stdout, NULL, _IONBF, 0) == 0)
		free(block);
}

int command_main(int argc, char **argv)
{
	signal(SIGXFSZ, SIG_IGN); /* then writing fails with a message */
	signal(SIGCHLD, SIG_DFL); /* ignored by a starter, it hides how processes end */
	if (argc < 2)
		return print_usage();
	char *block = begin_large_blocks();
	int code = check_stdout(dispatch(argc, argv));
	end_large_blocks(block);
	return code;
}
