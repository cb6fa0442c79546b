#include "src/init/write_config.h"

#include <string.h>

/* Cargo adds a hash to the name of a program, and says which it has built: a library's tests may
 * have the name of a benchmark, too. The program goes to where it keeps its name. */
static void cargo_command(const struct survey *s, char out[BUILD_COMMAND_SIZE])
{
	static const char built[] = CARGO_PROGRAMS "build.json";
	size_t used = (size_t)snprintf(out, BUILD_COMMAND_SIZE,
				       "mkdir -p " CARGO_PROGRAMS
				       " && CARGO_PROFILE_BENCH_DEBUG=true cargo bench --no-run "
				       "--message-format=json-render-diagnostics >%s && for b in",
				       built);

	for (size_t i = 0; i < s->count; i++)
		used += (size_t)snprintf(out + used, BUILD_COMMAND_SIZE - used, " %s",
					 s->benches[i].words[0] + strlen(CARGO_PROGRAMS));
	snprintf(
		out + used, BUILD_COMMAND_SIZE - used,
		"; do cp \"$(sed -n 's,.*\"kind\":\\[\"bench\"\\].*\"executable\":\"\\([^\"]*/'$b'-[0-9a-f]*\\)\".*,\\1,p' %s | tail -n 1)\" " CARGO_PROGRAMS
		"$b || exit; done",
		built);
}

#define TARGETS_SIZE (SURVEY_BENCHES_MAX * (CALL_WORD_MAX + 1))

/* Lists the targets of all benchmarks, also of those in comments, so that they are built when they
 * are enabled. */
static void make_targets(const struct survey *s, char out[TARGETS_SIZE])
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < s->count; i++) {
		const char *target = s->benches[i].target;
		bool again = !*target;
		for (size_t k = 0; k < i && !again; k++)
			again = strcmp(s->benches[k].target, target) == 0;
		if (!again)
			used += (size_t)snprintf(out + used, TARGETS_SIZE - used, " %s", target);
	}
}

const char *build_command(const struct survey *s, char out[BUILD_COMMAND_SIZE])
{
	static const char *const commands[] = {
		[PROJECT_UNKNOWN] = "",
		[PROJECT_CARGO] = "CARGO_PROFILE_RELEASE_DEBUG=true cargo build --release",
		[PROJECT_CMAKE] = "cmake -S . -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo && "
				  "cmake --build build",
		[PROJECT_MESON] = "{ test -f build/build.ninja || "
				  "meson setup build --buildtype=debugoptimized; } && "
				  "meson compile -C build",
		[PROJECT_MAKE] = "CFLAGS='-g -O2' CXXFLAGS='-g -O2' make",
	};
	/* a git checkout may have no configure yet */
	const char *make_configure =
		strcmp(s->marker ? s->marker : "", "configure.ac") == 0
			? "{ test -x configure || autoreconf --install; } && "
		: strcmp(s->marker ? s->marker : "", "autogen.sh") == 0
			? "{ test -x configure || NOCONFIGURE=1 sh autogen.sh; } && "
			: "";
	char targets[TARGETS_SIZE];

	make_targets(s, targets);
	if (s->kind == PROJECT_CARGO && s->count > 0)
		cargo_command(s, out);
	else if (s->kind == PROJECT_AUTOTOOLS)
		snprintf(
			out, BUILD_COMMAND_SIZE,
			"%s{ test -f Makefile || ./configure CFLAGS='-g -O2' CXXFLAGS='-g -O2'; } && "
			"make%s%s",
			make_configure, *targets ? " all" : "", targets);
	else
		snprintf(out, BUILD_COMMAND_SIZE, "%s%s", commands[s->kind], targets);
	return out;
}

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
static void write_command(const struct survey_bench *b, FILE *to, const char *indent)
{
	fprintf(to, "%scommand: [", indent);
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

static void write_settings(FILE *to)
{
	fputs("    # Whether the command is a string for /bin/sh, instead of a list of words.\n"
	      "    #shell: false\n"
	      "    # Count only this function and its callees, for example to leave out reading the input.\n"
	      "    #root: parse_document\n"
	      "    # A regular expression: `irdiff profile` prints the functions that match.\n"
	      "    #filter: ^json_\n"
	      "    # Environment variables to pass on or set. Besides these, the program gets only fixed ones.\n"
	      "    #env: [LD_LIBRARY_PATH, \"MODE=fast\"]\n"
	      "    # The directory to run in, below this one.\n"
	      "    #cwd: data\n"
	      "    # End the program after this time. Under Valgrind it takes some 50 times as long.\n"
	      "    #timeout: 10m\n"
	      "    # How many callers to record with each call.\n"
	      "    #depth: 100\n"
	      "    # First run the program once without Valgrind, to fill its caches in files.\n"
	      "    #warm_up: true\n"
	      "    # How the program marks its cases, each with a profile of its own: irdiff.h(3), codspeed ...\n"
	      "    #cases: auto\n"
	      "    # Processes to measure: the main one with its forks (forked), one, each as a case, or all.\n"
	      "    #processes: forked\n"
	      "    # Measure threads together, or each as a case.\n"
	      "    #threads: together\n"
	      "    # Values to make constant, so that counts repeat: random, time, pid.\n"
	      "    #freeze: [random, time]\n"
	      "    # Whether to run Node.js, Go, Java and Ruby with settings that make counts repeat.\n"
	      "    #presets: true\n"
	      "    # By how much counts vary: `irdiff verify` measures that.\n"
	      "    #tolerance: {Ir: 812}\n"
	      "    # Limits of this benchmark: on the total, and on the self cost of each function that matches.\n"
	      "    #limits: {Ir: \"+0.5%\", \"fn:^json_scan\": {Ir: \"+0.2%\"}}\n",
	      to);
}

static void write_benchmarks(const struct survey *s, FILE *to)
{
	fputs("# A benchmark is a program that does the same work in every run: fixed input, a fixed number of\n"
	      "# rounds (few, as counts are exact), no racing threads, no clock, no random numbers.\n"
	      "benchmarks:\n",
	      to);
	if (s->count == 0) {
		fputs("  # No benchmark was found; edit this example.\n"
		      "  #parse:\n"
		      "    #command: [./bench, parse, data/big.json]\n",
		      to);
		write_settings(to);
	}
	for (size_t i = 0; i < s->count; i++) {
		const struct survey_bench *b = &s->benches[i];
		write_origin(b, to);
		fprintf(to, "  %s\"%s\":\n", i ? "#" : "", b->name);
		if (s->kind == PROJECT_CARGO && i == 0)
			fputs("    # --test runs each of its functions once, so that counts repeat.\n",
			      to);
		write_command(b, to, i ? "    #" : "    ");
		if (i == 0)
			write_settings(to);
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
