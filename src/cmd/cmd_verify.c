#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cgprofile/names.h"
#include "src/cli/message.h"
#include "src/cli/options.h"
#include "src/cli/output.h"
#include "src/cli/unnamed_benchmark.h"
#include "src/cmd/command.h"
#include "src/diff/run_notes.h"
#include "src/load/project.h"
#include "src/measure/determinism_trials.h"
#include "src/measure/plan.h"
#include "src/measure/repeat_runs.h"
#include "src/measure/runtime.h"
#include "src/report/verify_report.h"
#include "src/run/cases.h"
#include "src/run/count.h"
#include "src/run/freeze.h"
#include "src/run/heap.h"
#include "src/run/setting_names.h"
#include "src/store/label.h"

#define MOST_RUNS 1000

struct verify_settings {
	const char *format, *output, *color, *valgrind, *image, *cases;
	struct text_list env;
	uint64_t runs, timeout, trials_timeout;
	int presets, cache_sim; /* -1: as irdiff.yml says */
	bool remedies, wide;
};

static const struct command_help help = {
	"verify",
	(const char *const[]){ "[BENCH[/CASE]] [-n N] [OPTIONS]",
			       "[-n N] [OPTIONS] -- COMMAND ARGS…", NULL },
	"Runs each benchmark of irdiff.yml, or one, or a command, N times while the environment varies, and\n"
	"compares all counts, of all its cases or of one. If runs differ, it names the functions and calls\n"
	"that vary, tries settings that may make them equal, or less different, and says what to write into\n"
	"irdiff.yml. The runs are not stored.",
	.takes_command = true,
	.main_options = "runs remedies env image cases timeout format",
	.commands_with = commands_with_option,
	.operands = (const char *const[]){ "BENCH", NULL },
	.ranges = (const struct option_range[]){ { "runs", 2, MOST_RUNS }, { 0 } },
};

static bool parse_verify_options(struct verify_settings *s, int argc, char **argv,
				 struct arguments *args, int *exit_code)
{
	const struct option_spec specs[] = {
		{ "runs", 'n', OPTION_NUMBER, &s->runs, "N", "number of runs to compare (5)" },
		{ "remedies", 0, OPTION_SWITCH, &s->remedies, NULL,
		  "if runs differ, look for settings that make them equal (yes)" },
		{ "trials-timeout", 0, OPTION_NUMBER, &s->trials_timeout, "SECONDS",
		  "end the trials of remedies after this time in all; 0: never (15 times the first run, at least 300)" },
		{ "env", 'e', OPTION_LIST, &s->env, "NAME[=VALUE]",
		  "pass a variable on to the program, or set it" },
		{ "image", 0, OPTION_TEXT, &s->image, "PROGRAM",
		  "if several programs run, compare this one (the command, unless it is a launcher)" },
		{ "cases", 0, OPTION_CHOICE, &s->cases, RUN_CASES_NAMES("|", "|"),
		  "how the program marks where its cases begin and end (auto)" },
		{ "presets", 0, OPTION_MAYBE, &s->presets, NULL,
		  "set what makes counts of Node.js, Go, Java, .NET and Ruby repeat, or nearly (yes)" },
		{ "cache-sim", 0, OPTION_MAYBE, &s->cache_sim, NULL, "simulate caches (yes)" },
		{ "timeout", 0, OPTION_NUMBER, &s->timeout, "SECONDS",
		  "end a run after this time; 0: never (0)" },
		{ "valgrind", 0, OPTION_TEXT, &s->valgrind, "PATH",
		  "the Valgrind to use (the one in $PATH)" },
		{ "format", 0, OPTION_CHOICE, &s->format, "text|json", "output format (text)" },
		{ "output", 'o', OPTION_TEXT, &s->output, "FILE",
		  "write to FILE instead of standard output" },
		{ "color", 0, OPTION_CHOICE, &s->color, "auto|always|never", "use colours (auto)" },
		{ "wide", 'w', OPTION_SWITCH, &s->wide, NULL, "show full names" },
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args,
			     exit_code);
}

/* ---- runs ---- */

/* Of all benchmarks. */
struct verify_output {
	struct output output;
	bool open;  /* since the first report */
	int status; /* of the reports; not CG_OK: what is written is not whole, or cannot be */
};

struct verification {
	const struct verify_settings *s;
	const struct project *project;
	struct verify_output *out;
	struct plan plan;
	char *cwd; /* of a command, owned */
	const char *benchmark;
	struct repeating how;
	struct repeated repeated;
	struct determinism_trials search;
	struct cg_error err;
};

static int take_verified_benchmark(struct verification *v, const char *name)
{
	const struct config *config = v->project->config;
	const struct config_benchmark *b = config ? config_benchmark(config, name) : NULL;

	if (!b)
		return no_benchmark(config, name, &v->err);
	v->benchmark = v->how.choice.benchmark = b->name;
	v->how.name = name;
	if (strchr(name, '/'))
		v->how.choice.wanted = name;
	return plan_benchmark(&v->plan, b, &v->how.request, &v->err);
}

static int take_verified_command(struct verification *v, const char *program)
{
	v->cwd = getcwd(NULL, 0);
	if (!v->cwd)
		return cg_fail_nomem(&v->err);
	v->how.request.cwd = v->cwd;
	v->how.request.by_command = true;
	v->how.name = v->how.choice.benchmark = cg_base_name(program);
	return CG_OK;
}

/* The heap is another run of the same benchmark. */
static int choose_profile_verified(struct verification *v)
{
	struct run_request *r = &v->how.request;

	if (!v->benchmark || !(r->count & COUNT_HEAP))
		return CG_OK;
	if (!v->how.choice.wanted) {
		notice_message(&terminal_notices,
			       "this verifies the instructions of %s; 'irdiff verify %s/" LABEL_HEAP
			       "' verifies its heap",
			       v->benchmark, v->benchmark);
	} else if (label_is_heap_of(v->how.choice.wanted, v->benchmark)) {
		if (heap_refuse_harness(r, v->benchmark, &v->err))
			return CG_EINVAL;
		v->how.choice.wanted = NULL;
		heap_request(r);
	}
	return CG_OK;
}

/* `name`: of a benchmark or case; NULL: a command. */
static int plan_verification(struct verification *v, const char *name, const struct arguments *args)
{
	const struct verify_settings *s = v->s;
	struct run_request *r = &v->how.request;
	int status;

	run_request_init(r);
	v->how.notices = v->project->notices;
	v->how.root = v->project->root;
	v->how.runs = s->runs;
	status = name ? take_verified_benchmark(v, name) : take_verified_command(v, args->rest[0]);
	for (size_t i = 0; !status && args->has_rest && args->rest[i]; i++)
		status = plan_add_argument(&v->plan, args->rest[i], &v->err);
	for (size_t i = 0; !status && i < s->env.count; i++)
		status = plan_add_variable(&v->plan, s->env.items[i], &v->err);
	r->argv = v->plan.argv;
	r->env = v->plan.env;
	r->valgrind = s->valgrind;
	r->image = s->image;
	if (s->presets >= 0)
		r->presets = s->presets;
	if (s->cache_sim >= 0)
		r->cache_sim = s->cache_sim;
	if (s->cases)
		cases_parse(s->cases, &r->cases);
	if (s->timeout != UINT64_MAX)
		r->timeout = s->timeout > UINT32_MAX ? UINT32_MAX : (unsigned)s->timeout;
	if (!status && v->benchmark)
		status = plan_check_built(r, v->project->config, v->benchmark, "verify", &v->err);
	return status ? status : choose_profile_verified(v);
}

/* ---- results ---- */

/* All that is to be frozen so that the program reads nothing that may differ; NULL: that does not
 * help. */
static const char *choose_to_freeze(const struct repeated *runs, char text[FREEZE_TEXT])
{
	unsigned kinds = (runs->shown & RUN_READS_CLOCK ? FREEZE_TIME : 0) |
			 (runs->shown & RUN_READS_RANDOM ? FREEZE_RANDOM : 0) |
			 (runs->shown & RUN_READS_PID ? FREEZE_PID : 0);

	if (runs->static_image || runtime_with_threads(runs->runtime) || !(kinds & ~runs->frozen))
		return NULL;
	return freeze_names(kinds | runs->frozen, ", ", text);
}

static int print(struct verification *v, const struct variation *variation,
		 const struct variation *reduced)
{
	const struct verify_settings *s = v->s;
	char to_freeze[FREEZE_TEXT];
	const struct verify_report report = {
		.name = v->how.name,
		.benchmark = v->benchmark,
		.profile = v->repeated.profiles[0],
		.runs = v->repeated.count,
		.equal = v->repeated.equal,
		.details = v->repeated.details,
		.threads = v->repeated.threads,
		.threads_of = runtime_with_threads(v->repeated.runtime),
		.reads = v->repeated.shown,
		.to_freeze = choose_to_freeze(&v->repeated, to_freeze),
		.variation = variation,
		.attempts = v->search.attempts,
		.nattempts = v->search.nattempts,
		.seconds = v->search.seconds,
		.remedy = v->search.found ? &v->search.remedy : NULL,
		.probable = v->search.threads,
		.reduction = reduced ? &v->search.remedy : NULL,
		.reduced = reduced,
		.reduced_runs = v->search.reduced.count,
	};
	struct output *out = &v->out->output;
	int status = v->out->open ? CG_OK : output_open(out, s->output, s->color, s->wide, &v->err);

	v->out->status = status;
	if (status)
		return status;
	if (v->out->open)
		fputc('\n', out->to); /* between two reports */
	v->out->open = true;
	status = strcmp(s->format, "json") == 0 ? verify_json(&report, out->to)
						: verify_text(&report, &out->style, out->to);
	fflush(out->to); /* the next benchmark may take long */
	v->out->status = status == CG_ENOMEM ? cg_fail_nomem(&v->err) : CG_OK;
	return v->out->status;
}

static int find_variation(struct verification *v, const struct repeated *runs,
			  struct variation *out)
{
	int status = variation_find((const struct cg_profile *const *)runs->profiles, runs->count,
				    out);
	return status ? cg_fail(&v->err, status, NULL, 0, "cannot compare the runs") : CG_OK;
}

static int report_verification(struct verification *v)
{
	struct variation variation = { 0 }, reduced = { 0 };
	bool is_reduced = v->search.reduced.count > 0;
	int status = find_variation(v, &v->repeated, &variation);

	if (!status && is_reduced)
		status = find_variation(v, &v->search.reduced, &reduced);
	if (!status)
		status = print(v, &variation, is_reduced ? &reduced : NULL);
	variation_free(&variation);
	variation_free(&reduced);
	if (status)
		return print_error(&v->err);
	return v->repeated.equal ? EXIT_FINE : EXIT_UNTRUSTED;
}

static int verify(struct verification *v, const char *name, const struct arguments *args)
{
	enum ending ending = ENDED_FINE;

	if (plan_verification(v, name, args))
		return print_error(&v->err);
	if (repeat(&v->how, &v->repeated, &ending))
		return exit_code_of(ending);
	if (!v->repeated.equal && v->s->remedies &&
	    determinism_trials_run(&v->how, &v->repeated, v->s->trials_timeout, &v->search,
				   &ending))
		return exit_code_of(ending);
	return report_verification(v);
}

/* ---- one benchmark, or all ---- */

/* `with`: settings, project and output. */
static int verify_one(const struct verification *with, const char *name,
		      const struct arguments *args)
{
	struct verification v = *with;
	int exit_code = verify(&v, name, args);

	determinism_trials_free(&v.search);
	repeated_free(&v.repeated);
	plan_free(&v.plan);
	free(v.cwd);
	return exit_code;
}

/* Then another benchmark would be run for nothing. */
static bool cannot_write(const struct verify_output *out)
{
	return out->status || (out->open && ferror(out->output.to));
}

/* The exit code is that of the benchmark that ended worst; of two, the larger is the worse. */
static int verify_each(const struct verification *with, const struct arguments *args)
{
	const struct config *config = with->project->config;
	int worst = EXIT_FINE;

	if (config->benchmark_count > 1 && strcmp(with->s->format, "json") == 0)
		return usage_error("verify",
				   "--format=json is a report on one benchmark; name one");
	for (size_t i = 0; i < config->benchmark_count && !cannot_write(with->out); i++) {
		int exit_code = verify_one(with, config->benchmarks[i].name, args);
		worst = exit_code > worst ? exit_code : worst;
		if (ending_is_signal((enum ending)worst))
			break;
	}
	return worst;
}

static int verify_operands(const struct verify_settings *s, const struct arguments *args)
{
	struct project project = { 0 };
	struct verify_output out = { 0 };
	struct cg_error err;
	const struct verification with = { .s = s, .project = &project, .out = &out };
	const bool named = args->count || (args->has_rest && args->rest[0]);
	int exit_code;

	if (project_open(&project, &terminal_notices, &err))
		return print_error(&err);
	if (named)
		exit_code = verify_one(&with, args->count ? args->operands[0] : NULL, args);
	else if (project.config && project.config->benchmark_count && !args->has_rest)
		exit_code = verify_each(&with, args);
	else
		exit_code = unnamed_benchmark("verify", NULL);
	/* A part of the reports does not replace a file. */
	if (ending_is_signal((enum ending)exit_code) && !out.status)
		out.status = CG_EINTERNAL;
	if (out.open && output_close(&out.output, out.status, &err) && !out.status)
		exit_code = print_error(&err);
	project_close(&project);
	return exit_code;
}

int cmd_verify(int argc, char **argv)
{
	struct verify_settings s = { .format = "text",
				     .color = "auto",
				     .runs = 5,
				     .timeout = UINT64_MAX,
				     .trials_timeout = TRIALS_DEFAULT,
				     .presets = -1,
				     .cache_sim = -1,
				     .remedies = true };
	struct arguments args = { 0 };
	int exit_code;

	if (parse_verify_options(&s, argc, argv, &args, &exit_code)) {
		if (args.count > 1)
			exit_code = usage_error("verify", "expected one BENCH, or -- COMMAND");
		else
			exit_code = verify_operands(&s, &args);
	}
	free(s.env.items);
	free(args.operands);
	return exit_code;
}
