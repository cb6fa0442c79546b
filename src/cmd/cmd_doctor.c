#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/cli/message.h"
#include "src/cli/options.h"
#include "src/cli/output.h"
#include "src/cmd/command.h"
#include "src/compare/check_limits.h"
#include "src/doctor/examine.h"
#include "src/measure/plan.h"
#include "src/report/doctor.h"

struct doctor_settings {
	const char *format, *color, *output;
	bool quiet;
};

/* The project as far as it can be used: an invalid irdiff.yml is a finding, too. */
struct doctor_surroundings {
	char *root;
	struct config *config;
	bool wrong; /* irdiff.yml */
	struct cg_error why;
};

static const struct command_help help = {
	"doctor",
	(const char *const[]){ "[BENCHMARK…] [OPTIONS]", "[OPTIONS] -- COMMAND [ARGUMENTS]", NULL },
	"Checks what irdiff needs, and prints how to fix each problem. It checks Valgrind, with a tiny\n"
	"program; the machine; the project, its irdiff.yml, git and the data that irdiff has stored; and\n"
	"the named benchmarks (default: all), or COMMAND. It changes nothing and runs no benchmark;\n"
	"'irdiff profile' does that.",
	.takes_command = true,
	.commands_with = commands_with_option,
	.operands = (const char *const[]){ "BENCH…", NULL },
};

static bool parse_doctor_options(struct doctor_settings *s, int argc, char **argv,
				 struct arguments *args, int *exit_code)
{
	const struct option_spec specs[] = {
		{ "format", 0, OPTION_CHOICE, &s->format, "text|json", "output format (text)" },
		{ "output", 'o', OPTION_TEXT, &s->output, "FILE",
		  "write to FILE instead of standard output" },
		{ "quiet", 'q', OPTION_SWITCH, &s->quiet, NULL, "show only problems" },
		{ "color", 0, OPTION_CHOICE, &s->color, "auto|always|never",
		  "use colours (auto: on a terminal, unless NO_COLOR is set)" },
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args,
			     exit_code);
}

/* ---- the project ---- */

static char *directory_of_program(const char *path)
{
	const char *slash = strrchr(path, '/');
	return !slash ? strdup(".") : strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* If no benchmark is measured, limits apply to the events of the existing files. */
static bool has_wrong_limits(struct doctor_surroundings *s)
{
	const struct config *config = s->config;
	int status = config->benchmark_count ? check_limits(config, NULL, &s->why) : CG_OK;

	for (size_t i = 0; !status && i < config->benchmark_count; i++)
		status = check_counted_limits(config, &config->benchmarks[i], NULL, &s->why);
	if (!status)
		return false;
	config_free(s->config);
	s->config = NULL;
	return true;
}

static int look_around_program(struct doctor_surroundings *s, struct cg_error *err)
{
	char *path = NULL, *here = getcwd(NULL, 0);

	if (!here)
		return cg_fail(err, CG_EIO, ".", 0, "cannot determine the current directory");
	int status = config_find(here, &path, err);
	if (!status && path)
		s->wrong = config_load(path, &s->config, &s->why) != CG_OK || has_wrong_limits(s);
	if (!status) {
		s->root = path ? directory_of_program(path) : strdup(here);
		status = s->root ? CG_OK : cg_fail_nomem(err);
	}
	free(path);
	free(here);
	return status;
}

static void leave(struct doctor_surroundings *s)
{
	config_free(s->config);
	free(s->root);
}

/* ---- programs ---- */

/* The value from `env` in irdiff.yml; a name alone passes on the user's own. */
static const char *benchmark_variable(const struct config_benchmark *b, const char *name)
{
	const char *value = NULL;

	for (size_t i = 0; i < b->env_count; i++)
		if (strcmp(b->env[i].name, name) == 0)
			value = b->env[i].value ? b->env[i].value : getenv(name);
	return value;
}

static void examine_benchmark(struct examination *e, const struct config_benchmark *b)
{
	const char *cwd = b->cwd.text;
	bool whole = cwd && *cwd == '/';
	char *directory;

	if (asprintf(&directory, "%s%s%s", whole ? "" : e->root, cwd && !whole ? "/" : "",
		     cwd ? cwd : "") < 0) {
		e->findings->failed = true;
		return;
	}
	const struct examined_program program = {
		.argv = (const char *const *)b->command.argv,
		.cwd = directory,
		.library_path = benchmark_variable(b, "LD_LIBRARY_PATH"),
		.perf_support = benchmark_variable(b, "PYTHONPERFSUPPORT"),
		.node_options = benchmark_variable(b, "NODE_OPTIONS"),
		.warm_up = b->warm_up,
		.depth = b->depth,
		.freeze = b->freeze,
		.has_cases = b->cases != NULL,
		.shell = b->command.shell,
	};
	findings_begin(e->findings, "Benchmark %s", b->name);
	examine_program(e, &program);
	free(directory);
}

static int examine_command(struct examination *e, const char *const *argv, struct cg_error *err)
{
	char *here = getcwd(NULL, 0);

	if (!here)
		return cg_fail(err, CG_EIO, ".", 0, "cannot determine the current directory");
	const struct examined_program program = {
		.argv = argv, .cwd = here, .depth = -1, .by_command = true
	};
	findings_begin(e->findings, "Command %s", argv[0]);
	examine_program(e, &program);
	free(here);
	return CG_OK;
}

/* BENCHMARK, or BENCHMARK/CASE: its cases are all in one program. NULL if it does not exist. */
static const struct config_benchmark *find_diagnosed_benchmark(const struct config *c,
							       const char *operand)
{
	char *name = strndup(operand, strcspn(operand, "/"));
	const struct config_benchmark *b = c && name ? config_benchmark(c, name) : NULL;

	free(name);
	return b;
}

/* All named benchmarks must exist before anything is tried. */
static int check_benchmark_names(const struct doctor_surroundings *s, const struct arguments *args,
				 struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < args->count && !s->wrong; i++)
		if (!find_diagnosed_benchmark(s->config, args->operands[i]))
			status = no_benchmark(s->config, args->operands[i], err);
	return status;
}

static int examine_programs(struct examination *e, const struct arguments *args,
			    struct cg_error *err)
{
	const struct config *c = e->config;

	if (args->has_rest)
		return examine_command(e, args->rest, err);
	for (size_t i = 0; c && i < args->count; i++)
		examine_benchmark(e, find_diagnosed_benchmark(c, args->operands[i]));
	for (size_t i = 0; c && !args->count && i < c->benchmark_count; i++)
		examine_benchmark(e, &c->benchmarks[i]);
	return CG_OK;
}

/* ---- the whole ---- */

static int examine(const struct doctor_surroundings *s, const struct arguments *args,
		   struct interrupts *interrupts, struct findings *findings, struct cg_error *err)
{
	struct examination e = {
		.root = s->root, .config = s->config, .interrupts = interrupts, .findings = findings
	};

	examine_valgrind(&e);
	if (!interrupts->signal)
		examine_machine(&e);
	if (!interrupts->signal)
		examine_project(&e, s->wrong ? &s->why : NULL);
	int status = interrupts->signal ? CG_OK : examine_programs(&e, args, err);
	examination_end(&e);
	return status || !findings->failed ? status : cg_fail_nomem(err);
}

static int write_report(const struct doctor_settings *s, const struct findings *findings,
			struct cg_error *err)
{
	struct output out;
	int status = output_open(&out, s->output, s->color, true, err);

	if (status)
		return status;
	status = strcmp(s->format, "json") == 0
			 ? doctor_json(findings, s->quiet, out.to)
			 : doctor_text(findings, s->quiet, &out.style, out.to);
	if (status == CG_ENOMEM)
		cg_fail_nomem(err);
	return output_close(&out, status, err);
}

static int findings_exit_code(const struct findings *f)
{
	return findings_count(f, FINDING_PROBLEM) ? EXIT_UNTRUSTED
	       : findings_count(f, FINDING_WRONG) ? EXIT_USAGE
						  : EXIT_FINE;
}

static int diagnose(const struct doctor_settings *s, const struct arguments *args)
{
	struct doctor_surroundings around = { 0 };
	struct findings findings = { 0 };
	struct interrupts interrupts;
	struct cg_error err = { 0 };

	if (interrupts_open(&interrupts, &err))
		return print_error(&err);
	int status = look_around_program(&around, &err);
	if (!status)
		status = check_benchmark_names(&around, args, &err);
	if (!status)
		status = examine(&around, args, &interrupts, &findings, &err);
	if (!status && !interrupts.signal)
		status = write_report(s, &findings, &err);
	int exit_code = interrupts.signal ? 128 + interrupts.signal
			: status          ? print_error(&err)
					  : findings_exit_code(&findings);
	findings_free(&findings);
	leave(&around);
	interrupts_close(&interrupts);
	return exit_code;
}

int cmd_doctor(int argc, char **argv)
{
	struct doctor_settings s = { .format = "text", .color = "auto" };
	struct arguments args = { 0 };
	int exit_code;

	if (parse_doctor_options(&s, argc, argv, &args, &exit_code))
		exit_code =
			args.has_rest && args.count
				? usage_error(
					  "doctor",
					  "name benchmarks, or put a command after --, not both")
				: diagnose(&s, &args);
	free(args.operands);
	return exit_code;
}
