#include <stdlib.h>
#include <string.h>

#include "src/cmd/causes.h"
#include "src/cmd/command.h"
#include "src/cmd/common.h"
#include "src/cmd/load.h"
#include "src/cmd/options.h"
#include "src/cmd/paths.h"
#include "src/cmd/selecting.h"
#include "src/report/diff_report.h"

#define DEFAULT_LIMIT "Ir=+1%"
#define NOT_GIVEN UINT64_MAX /* --min-delta */

struct settings {
	const char *view, *metric, *inlines, *filter, *ignore, *format, *color, *output, *benchmark;
	bool check, require_base, allow_env_change, wide, lenient;
	double threshold;
	uint64_t min_delta, top;
	struct text_list limits;
	struct selection_texts selection;
};

static const struct command_help help = {
	"diff",
	(const char *const[]){ "BASE HEAD [FILTER] [OPTIONS]", NULL },
	"Compares two profiles, function by function: what each cost itself, how often it was\n"
	"called, and what it was worth of the base's total (impact); with --view=tree path by path\n"
	"of calls: what was spent there and below; with --view=causes by who decided: whose own\n"
	"code costs more, and who calls something more often. BASE and HEAD are files, labels, or\n"
	"patterns of files that are one profile: 'old/callgrind.out.*'. FILTER is a regular\n"
	"expression over object:file:function. Behind -- a word is no option, even if it begins\n"
	"with -.\n"
	"\n"
	"With --check the comparison is judged against the limits of irdiff.yml (of the benchmark\n"
	"that was measured, and the general ones) and of --limit; without any, Ir may grow by 1 %.\n"
	"A limit is METRIC=VALUE, or 'METRIC=VALUE fn:REGEX' for functions. VALUE is +2% (growth),\n"
	"+500 (absolute growth), 1.2M (ceiling) or = (must not change).",
	.takes_command = false,
};

static bool parse(struct settings *s, int argc, char **argv, struct arguments *args, int *exit_code)
{
	const struct option_spec specs[] = {
		{ "view", 0, OPTION_CHOICE, &s->view, "flat|tree|causes",
		  "functions, paths of calls, or who decided the difference (flat)" },
		{ "check", 0, OPTION_SWITCH, &s->check, NULL, "judge against the limits; exit 1 if one is broken" },
		{ "limit", 'l', OPTION_LIST, &s->limits, "LIMIT", "one more limit; may be given several times" },
		{ "bench", 'b', OPTION_TEXT, &s->benchmark, "NAME",
		  "use the limits of this benchmark (the one that HEAD measured)" },
		{ "require-base", 0, OPTION_SWITCH, &s->require_base, NULL,
		  "fail where a limit has no base to compare with, or no function" },
		{ "allow-env-change", 0, OPTION_SWITCH, &s->allow_env_change, NULL,
		  "judge although the environments differ" },
		{ "metric", 'm', OPTION_TEXT, &s->metric, "METRIC",
		  "event to compare, or EstCycles, CEst, L1hits, LLhits, RAMhits (Ir)" },
		{ "threshold", 0, OPTION_PERCENT, &s->threshold, "PERCENT",
		  "impact from which a function, path or cause counts as changed (0.05)" },
		{ "min-delta", 0, OPTION_NUMBER, &s->min_delta, "N",
		  "difference from which it does (100; of samples 1)" },
		{ "top", 'n', OPTION_NUMBER, &s->top, "N", "show at most N functions, paths or causes; 0: all (20)" },
		{ "filter", 0, OPTION_TEXT, &s->filter, "REGEX", "only functions that match, as FILTER" },
		{ "ignore", 0, OPTION_TEXT, &s->ignore, "REGEX", "no functions that match" },
		INLINES_OPTION(&s->inlines),
		SELECTION_OPTIONS(&s->selection),
		{ "format", 0, OPTION_CHOICE, &s->format, "text|json", "how to write it (text)" },
		{ "output", 'o', OPTION_TEXT, &s->output, "FILE", "write to FILE" },
		{ "color", 0, OPTION_CHOICE, &s->color, "auto|always|never", "use colours (auto)" },
		{ "wide", 'w', OPTION_SWITCH, &s->wide, NULL, "whole names" },
		{ "lenient", 0, OPTION_SWITCH, &s->lenient, NULL, "skip malformed lines and count them" },
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args, exit_code);
}

struct comparing {
	const struct settings *s;
	const struct project *project;
	struct part_selection selection;
	struct loaded base, head;
	struct pattern *filter, *ignore;
	struct diff *diff;
	struct tree_diff *tree; /* NULL: functions only */
	struct chosen_paths paths;
	struct causes *causes; /* NULL: not asked for */
	struct chosen_causes chosen_causes;
	struct environment_diff environment;
	struct limit_set own_limits;
	struct limit_rule *rules;
	size_t nrules;
	struct judgement judgement;
	uint32_t *rows;
	size_t nrows, changed, filtered;
};

static void free_comparing(struct comparing *c)
{
	free(c->rows);
	judgement_free(&c->judgement);
	free(c->rules);
	limit_set_free(&c->own_limits);
	environment_diff_free(&c->environment);
	chosen_causes_free(&c->chosen_causes);
	causes_free(c->causes);
	chosen_paths_free(&c->paths);
	tree_diff_free(c->tree);
	diff_free(c->diff);
	pattern_free(c->filter);
	pattern_free(c->ignore);
	part_selection_free(&c->selection);
	loaded_free(&c->base);
	loaded_free(&c->head);
}

/* ---- limits ---- */

static int find_benchmark(const struct comparing *c, const struct config_benchmark **out,
			  struct cg_error *err)
{
	const struct config *config = c->project->config;
	const char *name = c->s->benchmark;

	*out = NULL;
	if (name && !(config && (*out = config_benchmark(config, name))))
		return cg_fail(err, CG_EINVAL, config ? config->path : NULL, 0,
			       "there is no benchmark '%s'%s", name,
			       config ? "" : ": no " CONFIG_NAME " was found");
	if (!name && config) {
		name = cg_desc_value(c->head.profile, SUBJECT_PREFIX "benchmark");
		*out = name ? config_benchmark(config, name) : NULL;
	}
	return CG_OK;
}

static int collect_limits(struct comparing *c, struct cg_error *err)
{
	const struct config_benchmark *benchmark;
	const struct limit_set *sets[3];
	size_t nsets = 0, count = 0;
	int status = find_benchmark(c, &benchmark, err);

	for (size_t i = 0; !status && i < c->s->limits.count; i++)
		status = limit_set_add_spec(&c->own_limits, c->s->limits.items[i],
					    LIMIT_COMMAND_LINE, "--limit", err);
	if (c->project->config)
		sets[nsets++] = &c->project->config->limits;
	if (benchmark)
		sets[nsets++] = &benchmark->limits;
	sets[nsets++] = &c->own_limits;
	for (size_t i = 0; i < nsets; i++)
		count += sets[i]->count;
	if (!status && count == 0)
		status = limit_set_add_spec(&c->own_limits, DEFAULT_LIMIT, LIMIT_GENERAL, "default",
					    err);
	return status ? status : limit_resolve(sets, nsets, &c->rules, &c->nrules, err);
}

/* A limit on what was not measured is a mistake; one on functions that are not
 * there may be one. */
static int check_judgement(const struct comparing *c, struct cg_error *err)
{
	for (size_t i = 0; i < c->judgement.count; i++) {
		const struct limit_verdict *v = &c->judgement.verdicts[i];
		const struct limit *limit = v->rule.limit;
		if (v->status == LIMIT_NO_METRIC)
			return cg_fail(err, CG_EINVAL, limit->file, limit->line,
				       "a limit on %s, which %s has not measured", limit->metric,
				       c->head.origin.name);
		if (v->status == LIMIT_NO_MATCH)
			print_warning("the limit %s on fn:%s matches no function", limit->text,
				      limit->function);
	}
	return CG_OK;
}

/* ---- rows ---- */

static int is_chosen(const struct comparing *c, const struct diff_row *row, bool *chosen,
		     struct cg_error *err)
{
	bool matches = true, ignored = false;
	int status = CG_OK;

	if (c->filter)
		status = pattern_matches_name(c->filter, row->object, row->file, row->name, &matches,
					      err);
	if (!status && matches && c->ignore)
		status = pattern_matches_name(c->ignore, row->object, row->file, row->name, &ignored,
					      err);
	*chosen = matches && !ignored;
	return status;
}

/* New and removed functions count from the same size on as changed ones. */
static bool is_large(const struct comparing *c, const struct diff_row *row)
{
	struct diff_row both = *row;
	both.base.present = both.head.present = true;
	return diff_classify(c->diff, &both) != DIFF_UNCHANGED;
}

static int choose_rows(struct comparing *c, struct cg_error *err)
{
	c->rows = calloc(c->diff->count + 1, sizeof *c->rows);
	if (!c->rows)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < c->diff->count; i++) {
		bool chosen;
		if (!is_large(c, &c->diff->rows[i]))
			continue;
		c->changed++;
		int status = is_chosen(c, &c->diff->rows[i], &chosen, err);
		if (status)
			return status;
		if (chosen)
			c->rows[c->filtered++] = (uint32_t)i;
	}
	c->nrows = c->s->top && c->s->top < c->filtered ? c->s->top : c->filtered;
	return CG_OK;
}

static int choose_tree(struct comparing *c, struct cg_error *err)
{
	int status = tree_diff_make(c->diff, TREE_ALL, &c->tree, err);
	if (status)
		return status;
	if (strcmp(c->s->view, "tree") == 0)
		return choose_paths(c->tree, c->filter, c->ignore, c->s->top, &c->paths, err);
	status = causes_make(c->tree, &c->causes, err);
	return status ? status : choose_causes(c->causes, c->filter, c->ignore, c->s->top,
					       &c->chosen_causes, err);
}

/* ---- the command ---- */

static const char *default_metric(const struct cg_profile *p)
{
	return cg_event_index(p, "Ir") >= 0 ? "Ir" : cg_string(p, p->events[0].name);
}

/* A hundred instructions are noise, a hundred samples are not. */
static uint64_t default_min_delta(const char *metric)
{
	return strcmp(metric, "samples") == 0 ? 1 : DIFF_DEFAULT_MIN_DELTA;
}

static int compare(struct comparing *c, const char *base, const char *head, struct cg_error *err)
{
	const struct settings *s = c->s;
	bool tree = strcmp(s->view, "flat") != 0;
	bool fold = inlines_folded(s->inlines);
	struct load_options load = {
		.read = { .lenient = s->lenient,
			  .detail.contexts = tree,
			  .fold_inlined = fold,
			  .join_cold = !fold,
			  .selection = &c->selection.chosen },
		.stored = tree ? STORED_CONTEXTS : fold ? STORED_PLAIN : STORED_LINES,
		.lookup = inlines_lookup(s->inlines),
	};

	int status = part_selection_parse(&s->selection, &c->selection, err);
	if (!status)
		status = compile_optional(s->filter, &c->filter, err);
	if (!status)
		status = compile_optional(s->ignore, &c->ignore, err);
	if (!status)
		status = load_profiles(c->project, base, head, &load, &c->base, &c->head, err);
	if (status)
		return status;
	warn_about_inlines(s->inlines, c->base.profile, c->base.name);
	warn_about_inlines(s->inlines, c->head.profile, c->head.name);

	struct diff_options options = {
		.metric = s->metric ? s->metric : default_metric(c->base.profile),
		.threshold_ppb = (uint64_t)(s->threshold * 1e7 + 0.5),
	};
	options.min_delta = s->min_delta != NOT_GIVEN ? s->min_delta :
							default_min_delta(options.metric);
	status = diff_make(c->base.profile, c->head.profile, &options, &c->diff, err);
	if (!status && environment_compare(c->base.profile, c->head.profile, &c->environment))
		status = cg_fail_nomem(err);
	if (!status && s->check)
		status = collect_limits(c, err);
	if (!status && s->check)
		status = judge(c->diff, c->rules, c->nrules, s->require_base, &c->judgement, err);
	if (!status && s->check)
		status = check_judgement(c, err);
	if (!status && tree)
		status = choose_tree(c, err);
	return status ? status : choose_rows(c, err);
}

static int render(const struct comparing *c, struct cg_error *err)
{
	const struct settings *s = c->s;
	struct output out;
	int status = output_open(&out, s->output, s->color, s->wide, err);
	if (status)
		return status;

	struct diff_report report = {
		.diff = c->diff,
		.base = c->base.origin,
		.head = c->head.origin,
		.environment = &c->environment,
		.judgement = s->check ? &c->judgement : NULL,
		.require_base = s->require_base,
		.rows = c->rows,
		.nrows = c->nrows,
		.changed = c->changed,
		.filtered = c->filtered,
		.filter = s->filter,
		.tree = c->tree,
		.paths = c->paths.rows,
		.npaths = c->paths.count,
		.paths_changed = c->paths.changed,
		.paths_hidden = c->paths.hidden,
		.causes = c->causes,
		.chosen_causes = c->chosen_causes.items,
		.ncauses = c->chosen_causes.count,
		.causes_large = c->chosen_causes.large,
		.causes_hidden = c->chosen_causes.hidden,
		.causes_smaller = c->chosen_causes.smaller,
		.smaller_delta = c->chosen_causes.smaller_delta,
	};
	status = strcmp(s->format, "json") == 0 ? diff_json(&report, out.to) :
						  diff_text(&report, &out.style, out.to);
	if (status == CG_ENOMEM)
		cg_fail_nomem(err);
	return output_close(&out, status, err);
}

/* 1 if a limit is broken; 4 if the counts cannot be compared at all. */
static int judge_exit_code(const struct comparing *c)
{
	if (!c->s->check)
		return EXIT_FINE;
	if (c->environment.count && !c->s->allow_env_change) {
		fputs("irdiff: base and head were measured in different environments (", stderr);
		for (size_t i = 0; i < c->environment.count; i++) {
			fputs(i ? ", " : "", stderr);
			text_print_name(stderr, c->environment.differences[i].key, 40);
		}
		fputs("): measure both again, or judge all the same with --allow-env-change\n",
		      stderr);
		return EXIT_UNTRUSTED;
	}
	if (!c->environment.base_known || !c->environment.head_known)
		print_warning("%s does not say in which environment it was measured; the counts may "
			      "not be comparable", !c->environment.base_known ? c->base.name : c->head.name);
	return c->judgement.broken ? EXIT_LIMIT_BROKEN : EXIT_FINE;
}

/* Prints what makes no sense together. */
static bool check_usage(const struct settings *s, const struct arguments *args, int *exit_code)
{
	static const char *const filter[] = { "filter", NULL };
	static const char *const judging[] = { "limit", "bench", "require-base", "allow-env-change",
					       NULL };
	const char *unused = s->check ? NULL : options_given(args, judging);

	if (args->count < 2 || args->count > 3)
		*exit_code = usage_error("diff", "expected BASE HEAD [FILTER]");
	else if (args->count == 3 && options_given(args, filter))
		*exit_code = usage_error("diff", "--filter goes without FILTER");
	else if (unused)
		*exit_code = usage_error("diff", "--%s goes with --check", unused);
	else
		return true;
	return false;
}

int cmd_diff(int argc, char **argv)
{
	struct settings s = {
		.view = "flat",
		.format = "text",
		.color = "auto",
		.threshold = (double)DIFF_DEFAULT_THRESHOLD_PPB / 1e7,
		.min_delta = NOT_GIVEN,
		.top = 20,
		.inlines = "auto",
	};
	struct arguments args = { 0 };
	struct project project = { 0 };
	struct cg_error err = { 0 };
	struct comparing c = { .s = &s, .project = &project };
	int exit_code;

	if (!parse(&s, argc, argv, &args, &exit_code))
		goto done;
	if (!check_usage(&s, &args, &exit_code))
		goto done;
	if (args.count == 3)
		s.filter = args.operands[2];

	int status = project_open(&project, &err);
	if (!status)
		status = compare(&c, args.operands[0], args.operands[1], &err);
	if (!status)
		status = render(&c, &err);
	exit_code = status ? print_error(&err) : judge_exit_code(&c);
done:
	free_comparing(&c);
	project_close(&project);
	free(s.limits.items);
	free(args.operands);
	return exit_code;
}
