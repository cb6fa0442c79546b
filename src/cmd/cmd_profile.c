#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cgprofile/names.h"
#include "src/cli/message.h"
#include "src/cli/options.h"
#include "src/cli/output.h"
#include "src/cli/shared_options.h"
#include "src/cli/unnamed_benchmark.h"
#include "src/cmd/command.h"
#include "src/commits/key_text.h"
#include "src/commits/revision_key.h"
#include "src/diff/environment.h"
#include "src/load/hints.h"
#include "src/load/inlining.h"
#include "src/load/older_program.h"
#include "src/load/profile_events.h"
#include "src/load/project.h"
#include "src/measure/label_jobs.h"
#include "src/measure/measure.h"
#include "src/measure/plan.h"
#include "src/measure/shard.h"
#include "src/measure/warn_older.h"
#include "src/record/record_run.h"
#include "src/report/text/totals.h"
#include "src/run/cases.h"
#include "src/run/command.h"
#include "src/run/count.h"
#include "src/run/freeze.h"
#include "src/run/setting_names.h"
#include "src/run/signals.h"
#include "src/store/label.h"
#include "src/text/shell.h"
#include "src/text/text.h"
#include "src/view/pattern.h"

struct profile_settings {
	const char *label, *filter, *root, *image, *cwd, *cases, *processes, *threads, *freeze,
		*count, *signals, *color, *valgrind;
	struct text_list env, valgrind_options;
	uint64_t timeout, depth, top;
	int warm_up, presets, cache_sim; /* -1: as irdiff.yml says */
	bool in_place, wide, quiet;
	struct jobs_options jobs;
	const char *shard_text;
	struct shard shard;
};

static const struct command_help help = {
	"profile",
	(const char *const[]){ "BENCH[/CASE] [FILTER] [OPTIONS] [-- ARGS…]",
			       "PATTERN [OPTIONS] [-- ARGS…]",
			       "[--label=LABEL] [OPTIONS] -- COMMAND ARGS…", NULL },
	"Runs a benchmark of irdiff.yml, or a command, under callgrind in an environment that is the same\n"
	"everywhere, so that its counts are the same in every run. Writes profiles/LABEL.callgrind,\n"
	".callgrind.flat.txt (self cost per function) and .callgrind.tree.txt (inclusive cost, callers\n"
	"and callees); the raw data, the program's output and a record of the measurement go to\n"
	".irdiff/profiles/LABEL.callgrind/. A profile that it replaces is kept as LABEL.old. Prints the hottest\n"
	"functions that match FILTER, a regular expression over object:file:function. A PATTERN, such as\n"
	"'json*', runs all benchmarks that match, each under its own label.",
	.takes_command = true,
	.main_options = "label root env cwd timeout jobs processes top quiet",
	.commands_with = commands_with_option,
	.operands = (const char *const[]){ "BENCH", NULL },
	.ranges = (const struct option_range[]){ JOBS_RANGE, { 0 } },
};

static bool parse_profile_options(struct profile_settings *s, int argc, char **argv,
				  struct arguments *args, int *exit_code)
{
	const struct option_spec specs[] = {
		{ "label", 'L', OPTION_TEXT, &s->label, "LABEL",
		  "name of the profile (name of the benchmark or command)" },
		{ "filter", 0, OPTION_TEXT, &s->filter, "REGEX",
		  "print only functions that match, like FILTER" },
		{ "root", 0, OPTION_TEXT, &s->root, "FUNCTION",
		  "measure only FUNCTION and its callees" },
		{ "env", 'e', OPTION_LIST, &s->env, "NAME[=VALUE]",
		  "pass a variable on to the program, or set it" },
		{ "cwd", 0, OPTION_TEXT, &s->cwd, "DIR",
		  "run in DIR (the current directory; for BENCH, as in irdiff.yml)" },
		{ "timeout", 0, OPTION_NUMBER, &s->timeout, "SECONDS",
		  "end the program after this time; 0: never (0)" },
		{ "image", 0, OPTION_TEXT, &s->image, "PROGRAM",
		  "if several programs run, measure this one (the command, unless it is a launcher)" },
		{ "depth", 0, OPTION_NUMBER, &s->depth, "N",
		  "callers to record with each call (100; 0 for Python, Ruby …; 10 for Node, Java)" },
		{ "cache-sim", 0, OPTION_MAYBE, &s->cache_sim, NULL, "simulate caches (yes)" },
		{ "warm-up", 0, OPTION_MAYBE, &s->warm_up, NULL,
		  "first run it once without Valgrind, to fill its caches in files (.pyc …)" },
		{ "cases", 0, OPTION_CHOICE, &s->cases, RUN_CASES_NAMES("|", "|"),
		  "how the program marks where its cases begin and end (auto)" },
		{ "processes", 0, OPTION_CHOICE, &s->processes, RUN_PROCESSES_NAMES("|", "|"),
		  "if several processes run, measure the main one with its forks, the main one alone, "
		  "each separately, the sum of all, or of those that run programs of the project (forked)" },
		{ "threads", 0, OPTION_CHOICE, &s->threads, RUN_THREADS_NAMES("|"),
		  "measure threads together, or each separately (together)" },
		{ "signals", 0, OPTION_TEXT, &s->signals, "SIGNALS",
		  "signals that may kill a measured process, such as SEGV,TERM" },
		{ "freeze", 0, OPTION_TEXT, &s->freeze, "KINDS",
		  "values to make constant, such as random,time,pid (none)" },
		{ "count", 0, OPTION_TEXT, &s->count, "COUNTERS",
		  "what to count besides, branches, bus, heap, jumps, syscalls (none)" },
		{ "presets", 0, OPTION_MAYBE, &s->presets, NULL,
		  "set what makes counts of Node.js, Go, Java, .NET and Ruby repeat, or nearly (yes)" },
		{ "in-place", 0, OPTION_SWITCH, &s->in_place, NULL,
		  "run the program at its own path, although its length can affect counts" },
		JOBS_OPTIONS(&s->jobs),
		SHARD_OPTION(&s->shard_text),
		{ "valgrind", 0, OPTION_TEXT, &s->valgrind, "PATH",
		  "the Valgrind to use (the one in $PATH)" },
		{ "valgrind-option", 0, OPTION_LIST, &s->valgrind_options, "OPTION",
		  "additional option for Valgrind; may be repeated" },
		{ "top", 'n', OPTION_NUMBER, &s->top, "N",
		  "print at most N functions; 0: all (20)" },
		{ "color", 0, OPTION_CHOICE, &s->color, "auto|always|never", "use colours (auto)" },
		{ "wide", 'w', OPTION_SWITCH, &s->wide, NULL, "show all columns and full names" },
		{ "quiet", 'q', OPTION_SWITCH, &s->quiet, NULL, "print only errors" },
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args,
			     exit_code);
}

struct measuring_plan {
	struct measurement m;
	struct plan plan;
	char *label; /* owned, if made up */
	char *cwd;   /* owned */
	char definition[HISTORY_DIGEST];
};

static void free_plan(struct measuring_plan *p)
{
	plan_free(&p->plan);
	free(p->label);
	free(p->cwd);
}

static bool names_a_program(const char *path)
{
	struct stat st;
	return strchr(path, '/') && shell_is_plain(path) && access(path, X_OK) == 0 &&
	       stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static int take_profiled_benchmark(struct measuring_plan *p, struct profile_settings *s,
				   const struct project *project, const char *name,
				   struct cg_error *err)
{
	const struct config_benchmark *b = project->config ? config_benchmark(project->config, name)
							   : NULL;
	if (!b && names_a_program(name))
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "unknown benchmark '%s'; to measure the program, put it after --: "
			       "irdiff profile -- %s",
			       name, name);
	if (!b && !project->config)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "unknown benchmark '%s': %s not found; to measure a command, put it "
			       "after --",
			       name, CONFIG_NAME);
	if (!b)
		return no_benchmark(project->config, name, err);
	p->m.benchmark = b->name;
	p->m.label = b->name;
	if (strchr(name, '/'))
		p->m.wanted = name;
	if (!s->filter)
		s->filter = b->filter.text;
	return plan_benchmark(&p->plan, b, &p->m.request, err);
}

/* A command runs where the user is, under the name of its program. */
static int take_profiled_command(struct measuring_plan *p, const char *program,
				 struct cg_error *err)
{
	p->cwd = getcwd(NULL, 0);
	p->label = strdup(cg_base_name(program));
	if (!p->cwd || !p->label)
		return cg_fail_nomem(err);
	p->m.request.cwd = p->cwd;
	p->m.request.by_command = true;
	p->m.label = p->label;
	return command_check_path(program, err);
}

/* On the command line a directory is relative to where the user is; in
 * irdiff.yml, to that file. */
static int take_cwd(struct measuring_plan *p, const char *dir, struct cg_error *err)
{
	char *here, *path;

	p->m.request.cwd = dir;
	if (*dir == '/')
		return CG_OK;
	here = getcwd(NULL, 0);
	if (!here)
		return cg_fail(err, CG_EIO, ".", 0, "cannot determine the current directory");
	int length = asprintf(&path, "%s/%s", here, dir);
	free(here);
	if (length < 0)
		return cg_fail_nomem(err);
	free(p->cwd);
	p->cwd = path;
	p->m.request.cwd = path;
	return CG_OK;
}

/* "random,time" */
static int take_profile_signals(const char *list, uint64_t *signals, struct cg_error *err)
{
	char name[SIGNAL_TEXT];

	for (; *list; list += *list == ',') {
		size_t len = strcspn(list, ",");
		snprintf(name, sizeof name, "%.*s", (int)len, list);
		int number = signal_number(name);
		if (!number)
			return cg_fail(
				err, CG_EINVAL, NULL, 0,
				"--signals: expected signals that end a process, separated by commas, such as "
				"SEGV,TERM, but found '%.*s'",
				(int)len, list);
		*signals |= UINT64_C(1) << number;
		list += len;
	}
	return CG_OK;
}

/* The command line wins over irdiff.yml. */
static int apply_settings(struct measuring_plan *p, const struct profile_settings *s,
			  struct cg_error *err)
{
	struct run_request *r = &p->m.request;
	int status = CG_OK;

	for (size_t i = 0; !status && i < s->env.count; i++)
		status = plan_add_variable(&p->plan, s->env.items[i], err);
	r->argv = p->plan.argv;
	r->env = p->plan.env;
	r->valgrind_options = s->valgrind_options.items;
	if (s->cache_sim >= 0)
		r->cache_sim = s->cache_sim;
	r->in_place = s->in_place;
	r->image = s->image;
	r->valgrind = s->valgrind;
	if (s->warm_up >= 0)
		r->warm_up = s->warm_up;
	if (s->presets >= 0)
		r->presets = s->presets;
	if (s->cases)
		cases_parse(s->cases, &r->cases);
	if (s->processes)
		processes_parse(s->processes, &r->processes);
	if (s->threads)
		r->each_thread = strcmp(s->threads, "each") == 0;
	if (s->label)
		p->m.label = s->label;
	if (s->root)
		r->function = s->root;
	if (!status && s->cwd)
		status = take_cwd(p, s->cwd, err);
	if (!status && s->freeze)
		status = kinds_parse(kinds_to_freeze, s->freeze, "freeze", FREEZE_KINDS, &r->freeze,
				     err);
	if (!status && s->count)
		status = kinds_parse(count_kinds, s->count, "count", COUNT_KINDS, &r->count, err);
	if (!status && s->signals)
		status = take_profile_signals(s->signals, &r->signals, err);
	if (s->timeout != UINT64_MAX)
		r->timeout = s->timeout > UINT32_MAX ? UINT32_MAX : (unsigned)s->timeout;
	if (s->depth != UINT64_MAX)
		r->depth = s->depth > CONFIG_DEPTH_MAX ? CONFIG_DEPTH_MAX : (unsigned)s->depth;
	return status ? status : label_check_new(p->m.label, err);
}

/* The history only has counts of benchmarks as irdiff.yml defines them. */
static bool is_as_configured(const struct profile_settings *s, const struct arguments *args)
{
	return args->count && !(args->has_rest && args->rest[0]) && !s->root && !s->cwd &&
	       !s->image && !s->env.count && s->depth == UINT64_MAX && s->warm_up < 0 &&
	       s->presets < 0 && !s->cases && !s->processes && !s->threads && !s->freeze &&
	       !s->count && s->cache_sim < 0;
}

static int take_definition(struct measuring_plan *p, const struct project *project,
			   struct cg_error *err)
{
	int status = definition_of(config_benchmark(project->config, p->m.benchmark), p->definition,
				   err);
	p->m.definition = status ? NULL : p->definition;
	return status;
}

static int plan_profile(struct measuring_plan *p, struct profile_settings *s,
			const struct project *project, const struct arguments *args,
			struct cg_error *err)
{
	int status;

	run_request_init(&p->m.request);
	p->m.notices = project->notices;
	p->m.root = project->root;
	if (args->count)
		status = take_profiled_benchmark(p, s, project, args->operands[0], err);
	else
		status = take_profiled_command(p, args->rest[0], err);
	if (args->count == 2)
		s->filter = args->operands[1];
	if (!status && is_as_configured(s, args))
		status = take_definition(p, project, err);
	for (size_t i = 0; !status && args->has_rest && args->rest[i]; i++)
		status = plan_add_argument(&p->plan, args->rest[i], err);
	return status ? status : apply_settings(p, s, err);
}

static int print_hot_functions(const struct profile_settings *s, const char *label,
			       const struct cg_profile *p, const struct pattern *filter,
			       struct cg_error *err)
{
	uint32_t *events = NULL;
	size_t nevents = 0;
	struct flat *flat = NULL;
	struct inlining inlining = { 0 };
	struct output out;
	int status = parse_events(p, NULL, &events, &nevents, err);
	struct flat_options options = { .sort = events, .nsort = nevents, .filter = filter };

	if (!status)
		status = inlining_stored(p, &inlining, err);
	if (!status)
		status = flat_make(p, &options, &flat, err);
	if (!status)
		status = output_open(&out, NULL, s->color, s->wide, err);
	if (!status) {
		struct show_report report = {
			.profile = p,
			.origin = { .name = label,
				    .command = cg_string(p, p->parts[0].command),
				    .commit = cg_desc_value(p, SUBJECT_PREFIX "commit"),
				    .changed = environment_is_dirty(p),
				    .inlining = &inlining.report },
			.events = events,
			.nevents = s->wide ? nevents : 1,
			.fixed_events = true,
			.sort = cg_string(p, p->events[0].name),
			.filter = s->filter,
			.flat = flat,
			.top = s->top,
		};
		if (show_flat_text(&report, &out.style, out.to))
			status = cg_fail_nomem(err);
		status = output_close(&out, status, err);
	}
	flat_free(flat);
	inlining_free(&inlining);
	free(events);
	return status;
}

static int print_totals(const struct profile_settings *s, const struct measured *measured,
			struct cg_error *err)
{
	struct totals_row *rows = calloc(measured->count, sizeof *rows);
	struct output out;
	int status = rows ? output_open(&out, NULL, s->color, s->wide, err) : cg_fail_nomem(err);

	if (!status) {
		for (size_t i = 0; i < measured->count; i++)
			rows[i] = (struct totals_row){ measured->items[i].label,
						       measured->items[i].profile };
		if (totals_text(rows, measured->count, &out.style, out.to))
			status = cg_fail_nomem(err);
		status = output_close(&out, status, err);
	}
	free(rows);
	return status;
}

static int print_place(const struct measured *measured, struct cg_error *err)
{
	char *path = label_path(measured->items[0].label);
	if (!path)
		return cg_fail_nomem(err);
	fputs("\nWrote profiles/", stdout);
	text_print_name(stdout, path, 0);
	fputs(".callgrind, .callgrind.flat.txt and .callgrind.tree.txt", stdout);
	if (measured->count > 1)
		printf(", and %zu more", measured->count - 1);
	putchar('\n');
	free(path);
	return CG_OK;
}

/* Of several cases: the hot functions of each if a filter is given, else their totals. */
static int print_measured(const struct profile_settings *s, const struct measured *measured,
			  const struct pattern *filter, struct cg_error *err)
{
	int status = CG_OK;

	if (measured->count > 1 && !filter)
		status = print_totals(s, measured, err);
	else
		for (size_t i = 0; !status && i < measured->count; i++) {
			if (i)
				putchar('\n');
			status = print_hot_functions(s, measured->items[i].label,
						     measured->items[i].profile, filter, err);
		}
	return status ? status : print_place(measured, err);
}

/* Here, or where the launcher runs it. */
static int profile_one(const struct profile_settings *s, const struct measurement *m,
		       struct measured *out)
{
	struct label_job job = { .m = m };
	if (!jobs_are_wanted(&s->jobs, 1))
		return exit_code_of(measure(m, out));
	int exit_code = exit_code_of(measure_labels(m->root, &s->jobs, &job, 1));
	*out = job.measured;
	return exit_code;
}

/* ---- the history ---- */

/* Whether no source is known to be newer than the program; otherwise it warns. What is damaged is
 * reported when it is shown. */
static bool is_up_to_date(const struct project *project, const struct measuring_plan *plan,
			  const struct measured *measured)
{
	char *source = NULL;
	struct cg_error err;
	bool counted = false;

	for (size_t i = 0; !source && i < measured->count; i++) {
		const struct measured_profile *of = &measured->items[i];
		counted = plan->m.definition && !project->config->build.argc &&
			  commit_of_profile(of->profile);
		older_program_source(project->root, of->label, of->profile, &source, &err);
	}
	if (!source)
		return true;
	warn_older_program(&terminal_notices, measured->items[0].label, source,
			   counted ? ". Its counts may be those of other code, so they are not "
				     "added to the history"
				   : "");
	free(source);
	return false;
}

static void remember(const struct project *project, const struct measuring_plan *plan,
		     const struct measured *measured)
{
	if (!is_up_to_date(project, plan, measured) || !plan->m.definition)
		return;
	for (size_t i = 0; i < measured->count; i++)
		record_work_tree(&terminal_notices, project->root, measured->items[i].profile,
				 time(NULL), project->config->build.argc > 0);
}

/* ---- several --------------------------------------------------------------- */

struct several {
	struct measuring_plan *plans;
	struct label_job *jobs;
	size_t count;
	size_t matching; /* in all shards */
};

static void free_several(struct several *all)
{
	for (size_t i = 0; i < all->count; i++) {
		measured_free(&all->jobs[i].measured);
		free_plan(&all->plans[i]);
	}
	free(all->plans);
	free(all->jobs);
}

/* Room for all, as plans point into themselves. */
static int plan_several(struct several *all, const struct profile_settings *s,
			const struct project *project, const struct arguments *args,
			struct cg_error *err)
{
	const struct config *config = project->config;
	int status = CG_OK;

	all->plans = calloc(config->benchmark_count + 1, sizeof *all->plans);
	all->jobs = calloc(config->benchmark_count + 1, sizeof *all->jobs);
	if (!all->plans || !all->jobs)
		return cg_fail_nomem(err);
	for (size_t i = 0; !status && i < config->benchmark_count; i++) {
		const char *name = config->benchmarks[i].name;
		struct profile_settings own = *s;
		struct arguments of_one = *args;
		if (fnmatch(args->operands[0], name, 0) != 0)
			continue;
		all->matching++;
		if (!shard_has(&s->shard, name))
			continue;
		of_one.operands = &name;
		struct measuring_plan *plan = &all->plans[all->count];
		all->jobs[all->count++].m = &plan->m;
		status = plan_profile(plan, &own, project, &of_one, err);
		plan->m.quiet = s->quiet;
		plan->m.beside = jobs_at_once(&s->jobs) > 1;
	}
	return status || all->matching ? status : no_benchmark(config, args->operands[0], err);
}

/* The totals of all; the jobs keep the profiles. */
static int print_several(const struct profile_settings *s, const struct several *all,
			 struct cg_error *err)
{
	struct measured list = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < all->count; i++)
		count += all->jobs[i].measured.count;
	list.items = calloc(count + 1, sizeof *list.items);
	if (!list.items)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < all->count; i++)
		for (size_t k = 0; k < all->jobs[i].measured.count; k++)
			list.items[list.count++] = all->jobs[i].measured.items[k];
	int status = count ? print_totals(s, &list, err) : CG_OK;
	if (!status && count)
		status = print_place(&list, err);
	free(list.items);
	return status;
}

/* "BENCH/CASE" requires a single benchmark. */
static bool is_benchmark_pattern(const struct project *project, const struct arguments *args)
{
	return args->count && project->config && strpbrk(args->operands[0], "*?[") &&
	       !strchr(args->operands[0], '/') &&
	       !config_benchmark(project->config, args->operands[0]);
}

static int check_several(const struct arguments *args)
{
	static const char *const of_one[] = { "label", "filter", "top", NULL };
	const char *unused = options_given(args, of_one);

	if (args->count > 1)
		return usage_error("profile", "FILTER requires one benchmark");
	return unused ? usage_error("profile", "--%s requires one benchmark", unused) : EXIT_FINE;
}

static void remember_several(const struct project *project, const struct several *all)
{
	for (size_t i = 0; i < all->count; i++)
		remember(project, &all->plans[i], &all->jobs[i].measured);
}

static int run_several(const struct profile_settings *s, const struct arguments *args,
		       const struct project *project)
{
	struct several all = { 0 };
	struct cg_error err;
	int exit_code = check_several(args);

	if (!exit_code && plan_several(&all, s, project, args, &err))
		exit_code = print_error(&err);
	if (!exit_code && !all.count)
		shard_tell_empty(&terminal_notices, &s->shard, all.matching);
	else if (!exit_code)
		exit_code = exit_code_of(
			measure_labels(project->root, &s->jobs, all.jobs, all.count));
	remember_several(project, &all);
	if (!s->quiet && print_several(s, &all, &err))
		exit_code = print_error(&err);
	free_several(&all);
	return exit_code;
}

/* ---- the whole -------------------------------------------------------------- */

static int profile_operands(struct profile_settings *s, const struct arguments *args)
{
	struct project project = { 0 };
	struct measuring_plan plan = { 0 };
	struct pattern *filter = NULL;
	struct measured measured = { 0 };
	struct cg_error err = { 0 };
	int exit_code;

	int status = project_open(&project, &terminal_notices, &err);
	if (!status && is_benchmark_pattern(&project, args)) {
		exit_code = run_several(s, args, &project);
		goto done;
	}
	if (!status && s->shard.of) {
		exit_code = usage_error("profile",
					"--shard requires a pattern of benchmarks, such as '*'");
		goto done;
	}
	if (!status)
		status = plan_profile(&plan, s, &project, args, &err);
	if (!status && plan.m.benchmark)
		status = plan_check_built(&plan.m.request, project.config, plan.m.benchmark,
					  "profile", &err);
	if (!status)
		status = pattern_compile_optional(s->filter, &filter, &err);
	if (status) {
		exit_code = print_error(&err);
		goto done;
	}
	plan.m.quiet = s->quiet;
	plan.m.beside = jobs_at_once(&s->jobs) > 1;
	exit_code = profile_one(s, &plan.m, &measured);
	remember(&project, &plan, &measured);
	if (measured.count && !s->quiet && print_measured(s, &measured, filter, &err))
		exit_code = print_error(&err);
	if (measured.count && !s->quiet)
		mention_unnamed_functions(&terminal_notices, s->filter, measured.items[0].profile,
					  NULL);
	if (measured.count && !s->quiet && plan.m.benchmark)
		mention_debug_information(&terminal_notices, measured.items[0].profile,
					  project.root, project.config);
done:
	measured_free(&measured);
	pattern_free(filter);
	free_plan(&plan);
	project_close(&project);
	return exit_code;
}

int cmd_profile(int argc, char **argv)
{
	struct profile_settings s = { .color = "auto",
				      .timeout = UINT64_MAX,
				      .depth = UINT64_MAX,
				      .top = 20,
				      .warm_up = -1,
				      .presets = -1,
				      .cache_sim = -1 };
	struct arguments args = { 0 };
	int exit_code;

	if (parse_profile_options(&s, argc, argv, &args, &exit_code)) {
		s.jobs.quiet = s.quiet;
		s.jobs.notices = &terminal_notices;
		if (args.count > 2 && names_a_program(args.operands[0]))
			exit_code = usage_error("profile", "to measure a program, put -- before %s",
						args.operands[0]);
		else if (args.count > 2)
			exit_code = usage_error("profile",
						"expected BENCH [FILTER], or -- COMMAND");
		else if (args.count == 0 && !(args.has_rest && args.rest[0]))
			exit_code = unnamed_benchmark("profile", "'*' measures all");
		else if (shard_check_usage("profile", s.shard_text, &s.shard, &exit_code))
			exit_code = profile_operands(&s, &args);
	}
	free(s.env.items);
	free(s.valgrind_options.items);
	free(args.operands);
	return exit_code;
}
