#include "src/init/write_config.h"

#include <string.h>

#include "src/init/build_command.h"

#define UNDER_VALGRIND 50 /* times as long */

static void write_head(FILE *to)
{
	fputs("# What irdiff measures, and the limits: see irdiff.yml(5), or its schema for editors,\n"
	      "# share/irdiff/irdiff.schema.json. Lines that are commented out are examples.\n"
	      "\n",
	      to);
	fputs("# The command that builds base and head, run in this directory. Build with the optimisation that\n"
	      "# you ship, and with debug information (-g): it provides files, lines and inlined functions.\n",
	      to);
}

static void write_build(const struct survey *s, FILE *to)
{
	char command[BUILD_COMMAND_SIZE];

	if (*build_command(s, command))
		fprintf(to, "build:\n  shell: true\n  command: >-\n    %s\n", command);
	else
		fputs("#build: make CFLAGS='-g -O2'\n", to);
	fputs("\n# The branch that `irdiff check` compares with, unless the CI names one.\n"
	      "#base: origin/main\n\n"
	      "# Files that git ignores, but the build or a benchmark needs; they are copied for base and head.\n"
	      "#copy: [data/*.json]\n\n",
	      to);
}

/* Words have no character that needs more than quotes. */
static void write_command(const struct survey_bench *b, FILE *to)
{
	fputs("command: [", to);
	for (size_t i = 0; i < b->count; i++)
		fprintf(to, "%s\"%s\"", i ? ", " : "", b->words[i]);
	fputs("]\n", to);
}

static void write_origin(const struct survey_bench *b, FILE *to)
{
	fprintf(to, "  # found in %s", b->from);
	if (b->line)
		fprintf(to, ":%llu", (unsigned long long)b->line);
	fputc('\n', to);
}

/* Python programs compile modules when they first run. */
static bool has_warm_up(const struct survey_bench *b)
{
	return strncmp(b->words[0], PYTHON_ENVIRONMENT, strlen(PYTHON_ENVIRONMENT)) == 0 ||
	       strcmp(b->words[0], PYTHON_PLAIN) == 0;
}

/* Settings that a benchmark has are no examples below it. */
static void write_settings(const struct survey *s, const struct survey_bench *b, FILE *to)
{
	fputs("    # Whether the command is a string for /bin/sh, instead of a list of words.\n"
	      "    #shell: false\n",
	      to);
	if (!b || !harness_kind(b->harness)->root)
		fputs("    # Count only this function and its callees, for example to leave out reading the input.\n"
		      "    #root: parse_document\n",
		      to);
	fputs("    # A regular expression: `irdiff profile` prints the functions that match.\n"
	      "    #filter: ^json_\n",
	      to);
	if (!b || (s->kind != PROJECT_GO && !b->variable))
		fputs("    # Environment variables to pass on or set. Besides these, the program gets only fixed ones.\n"
		      "    #env: [LD_LIBRARY_PATH, \"MODE=fast\"]\n",
		      to);
	if (!b || !*b->cwd)
		fputs("    # The directory to run in, below this one.\n"
		      "    #cwd: data\n",
		      to);
	fputs("    # End the program after this time. Under Valgrind it takes some 50 times as long.\n"
	      "    #timeout: 10m\n"
	      "    # How many callers to record with each call.\n"
	      "    #depth: 100\n",
	      to);
	if (!b || !has_warm_up(b))
		fputs("    # First run the program once without Valgrind, to fill its caches in files.\n"
		      "    #warm_up: true\n",
		      to);
	if (!b || !harness_kind(b->harness)->cases)
		fputs("    # How the program marks its cases, each with a profile of its own: irdiff.h(3), codspeed ...\n"
		      "    #cases: auto\n",
		      to);
	if (!b || !b->processes)
		fputs("    # Processes to measure: the main one with its forks (forked), one, each as a case, all,\n"
		      "    # or those that run programs of the project (project).\n"
		      "    #processes: forked\n",
		      to);
	fputs("    # Measure threads together, or each as a case.\n"
	      "    #threads: together\n"
	      "    # What else to count: system calls, allocations (a second run), branches, bus,\n"
	      "    # jumps (for --view=asm).\n"
	      "    #count: [syscalls, heap]\n"
	      "    # Whether to count memory accesses and cache misses. Instructions alone take half the time.\n"
	      "    #cache_sim: false\n",
	      to);
	if (!b || !harness_kind(b->harness)->freeze)
		fputs("    # What to make constant, so that counts repeat: malloc, random, time, pid.\n"
		      "    #freeze: [random, time]\n",
		      to);
	fputs("    # Whether to run Python, Node.js, Go, Java, .NET and Ruby with settings that make counts repeat.\n"
	      "    #presets: true\n"
	      "    # By how much counts vary: `irdiff verify` measures that.\n"
	      "    #tolerance: {Ir: 812}\n"
	      "    # Limits of this benchmark: on the total, and on the self cost of each function that matches.\n"
	      "    #limits: {Ir: \"+0.5%\", \"fn:^json_scan\": {Ir: \"+0.2%\"}}\n",
	      to);
}

/* "0.25 s, about 13 s under Valgrind" */
static void write_time(double seconds, FILE *to)
{
	double more = seconds * UNDER_VALGRIND;

	fprintf(to, seconds < 1 ? "  # takes %.2f s, about " : "  # takes %.1f s, about ", seconds);
	fprintf(to, more < 120 ? "%.0f s under Valgrind\n" : "%.0f minutes under Valgrind\n",
		more < 120 ? more + 1 : more / 60);
}

static void write_benchmark(const struct survey_bench *b, FILE *to)
{
	const struct harness_kind *harness = harness_kind(b->harness);
	const char *why = survey_why_comment(b), *mark = why ? "#" : "";

	write_origin(b, to);
	if (why)
		fprintf(to, "  # %s\n", why);
	else if (b->seconds > 0)
		write_time(b->seconds, to);
	fprintf(to, "  %s\"%s\":\n", mark, b->name);
	if (harness->why)
		fprintf(to, "    # %s\n", harness->why);
	fprintf(to, "    %s", mark);
	write_command(b, to);
	if (*b->cwd)
		fprintf(to, "    %scwd: \"%s\"\n", mark, b->cwd);
	if (b->variable)
		fprintf(to, "    # With these, functions have names.\n    %senv: [\"%s\"]\n", mark,
			b->variable);
	if (harness->root)
		fprintf(to, "    %sroot: \"%s\"\n", mark, harness->root);
	if (harness->cases)
		fprintf(to, "    %scases: %s\n", mark, harness->cases);
	if (harness->freeze)
		fprintf(to, "    # %s\n    %sfreeze: %s\n", harness->why_freeze, mark,
			harness->freeze);
	if (b->processes)
		fprintf(to, "    %sprocesses: %s\n", mark, b->processes);
	if (has_warm_up(b))
		fprintf(to, "    %swarm_up: true\n", mark);
}

static void write_benchmarks(const struct survey *s, FILE *to)
{
	fputs("# A benchmark is a program that does the same work in every run: fixed input, a fixed number of\n"
	      "# rounds (few, as counts are exact), no racing threads, no clock, no random numbers.\n",
	      to);
	if (s->tests)
		fputs("# No benchmark was found, so these are tests. Keep those that run the code that matters, and\n"
		      "# remove slow ones: under Valgrind, they take some 50 times as long.\n",
		      to);
	if (s->left_out)
		fprintf(to, "# %zu more were left out.\n", s->left_out);
	fputs("benchmarks:\n", to);
	if (s->count == 0) {
		fputs("  # No benchmark was found; edit this example.\n"
		      "  #parse:\n"
		      "    #command: [./bench, parse, data/big.json]\n",
		      to);
		write_settings(s, NULL, to);
	}
	for (size_t i = 0; i < s->count; i++) {
		write_benchmark(&s->benches[i], to);
		if (i == 0)
			write_settings(s, &s->benches[i], to);
	}
}

void write_config(const struct survey *s, FILE *to)
{
	write_head(to);
	write_build(s, to);
	write_benchmarks(s, to);
	fputs("\n# The limits of every benchmark. Ir counts instructions; \"+1%\" or \"+500\" limits growth, \"1.2M\"\n"
	      "# is a ceiling, \"=\" allows no change at all.\n"
	      "limits:\n"
	      "  Ir: \"+1%\"\n",
	      to);
}
