#include "src/init/write_config.h"

#include <string.h>

/* Cargo adds a hash to the name of a program, for each version of what it was built from, and puts
 * a file PROGRAM-HASH.d beside it: the newest goes to where it keeps its name. */
static void cargo_command(const struct survey *s, char out[BUILD_COMMAND_SIZE])
{
	size_t used = (size_t)snprintf(
		out, BUILD_COMMAND_SIZE,
		"CARGO_PROFILE_BENCH_DEBUG=true cargo bench --no-run && mkdir -p " CARGO_PROGRAMS
		" && for b in");

	for (size_t i = 0; i < s->count; i++)
		used += (size_t)snprintf(out + used, BUILD_COMMAND_SIZE - used, " %s",
					 s->benches[i].words[0] + strlen(CARGO_PROGRAMS));
	snprintf(
		out + used, BUILD_COMMAND_SIZE - used,
		"; do cp \"$(ls -t target/release/deps/$b-* | grep -v '[.]d$' | head -n 1)\" " CARGO_PROGRAMS
		"$b || exit; done");
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
	fputs("# What irdiff measures, and what it may cost: see irdiff.yml(5), or its schema for\n"
	      "# editors, share/irdiff/irdiff.schema.json. What is commented out are examples.\n"
	      "\n",
	      to);
	fputs("# How it is built, in this directory, for both sides of a comparison. Build as you ship, and\n"
	      "# with debug information (-g): files, lines and inlined functions are known by it.\n",
	      to);
}

static void write_build(const struct survey *s, FILE *to)
{
	char command[BUILD_COMMAND_SIZE];

	if (*build_command(s, command))
		fprintf(to, "build:\n  shell: true\n  command: >-\n    %s\n", command);
	else
		fputs("#build: make CFLAGS='-g -O2'\n", to);
	fputs("\n# The branch that `irdiff check` compares with, when the CI does not say it.\n"
	      "#base: origin/main\n\n"
	      "# Files that git ignores, but the build or a benchmark needs: they are copied to both sides.\n"
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
	fputs("    # The command is a text for /bin/sh, instead of a list of words.\n"
	      "    #shell: false\n"
	      "    # Only what runs below this function counts: not reading the input, for example.\n"
	      "    #root: parse_document\n"
	      "    # The functions that `irdiff profile` prints: a regex.\n"
	      "    #filter: ^json_\n"
	      "    # It gets no variables but those that are named or set here.\n"
	      "    #env: [LD_LIBRARY_PATH, \"MODE=fast\"]\n"
	      "    # Where it runs, below this directory.\n"
	      "    #cwd: data\n"
	      "    # When it has failed, under Valgrind, where it takes some 50 times as long.\n"
	      "    #timeout: 10m\n"
	      "    # How many callers are recorded with each call.\n"
	      "    #depth: 100\n"
	      "    # Run it once before, so that caches it keeps in files are filled.\n"
	      "    #warm_up: true\n"
	      "    # How it says where cases begin, which are measured one by one: irdiff.h(3), codspeed ...\n"
	      "    #cases: auto\n"
	      "    # Of several processes: the program and what it forks, one, each as a case, or all together.\n"
	      "    #processes: forked\n"
	      "    # Threads are added up (together), or each is a case.\n"
	      "    #threads: together\n"
	      "    # What is made constant for it, so that counts repeat: random, time, pid.\n"
	      "    #freeze: [random, time]\n"
	      "    # By how much counts vary all the same: `irdiff verify` measures that.\n"
	      "    #tolerance: {Ir: 812}\n"
	      "    # Its own limits: of the whole, and of each function that matches, its self cost.\n"
	      "    #limits: {Ir: \"+0.5%\", \"fn:^json_scan\": {Ir: \"+0.2%\"}}\n",
	      to);
}

static void write_benchmarks(const struct survey *s, FILE *to)
{
	fputs("# A benchmark is a program that does the same work in every run: a fixed input, a fixed number of\n"
	      "# rounds (few: counts are exact), no threads that race, no clock, no random numbers.\n"
	      "benchmarks:\n",
	      to);
	if (s->count == 0) {
		fputs("  # None was found: edit this example.\n"
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
	fputs("\n# What every benchmark may grow by: Ir are instructions. \"+1%\" or \"+500\" is growth, \"1.2M\" a\n"
	      "# ceiling, \"=\" no change at all.\n"
	      "limits:\n"
	      "  Ir: \"+1%\"\n",
	      to);
}
