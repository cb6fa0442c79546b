#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/options.h"
#include "src/cli/output.h"
#include "src/cli/subcommand.h"
#include "src/cmd/command.h"
#include "src/commits/measure_commits.h"
#include "src/compare/accepting.h"
#include "src/compare/baseline_operand.h"
#include "src/compare/save_baseline.h"
#include "src/diff/environment.h"
#include "src/git/git.h"
#include "src/load/load.h"
#include "src/report/text/table.h"

struct setting {
	bool store;
	const char *why;
	struct text_list limits;
	const struct project *project;
	const char *const *operands; /* after the verb */
	size_t count;
	const char *commit;
	int *exit_code; /* of what could not be measured */
};

static const struct command_help help = {
	"baseline",
	(const char *const[]){ "save NAME [BENCH]… [--commit=REF] [--store]", "list",
			       "show NAME [BENCH]…", "rm NAME [BENCH]…",
			       "accept [BENCH]… --why=TEXT [--limit=LIMIT]…", "prune", NULL },
	"Keeps profiles of benchmarks under a name, to compare with later: irdiff diff --baseline=NAME\n"
	"BENCH, irdiff report --baseline=NAME.\n"
	"\n"
	"save keeps the profile of each BENCH in baselines/NAME/, as short text files to commit. Without\n"
	"BENCH it saves all benchmarks, and removes any other from the baseline. list lists the\n"
	"baselines, show lists the benchmarks of one; rm removes a baseline, or some of its benchmarks.\n"
	"\n"
	"accept writes the regressions that the last comparison with --check found to\n"
	"irdiff-accepted.yml. They fail no check as long as their counts stay the same. list also shows\n"
	"the state of accepted regressions, and prune removes those that have expired: the last\n"
	"comparison found other counts, or no exceeded limit.",
	.takes_command = false,
	.commands_with = commands_with_option,
	.operands = (const char *const[]){ "save BASELINE BENCH… --store --commit", "list",
					   "show BASELINE BENCH…", "rm BASELINE BENCH…",
					   "accept BENCH… --why --limit", "prune", NULL },
	.rules = (const struct option_rule[]){ { "--store", EXCLUDES, "--commit",
						 "its profiles are in the cache" },
					       { 0 } },
};

static bool parse_baseline_options(struct setting *s, int argc, char **argv, struct arguments *args,
				   int *exit_code)
{
	const struct option_spec specs[] = {
		{ "store", 0, OPTION_SWITCH, &s->store, NULL,
		  "save: also keep all files of the profiles, in .irdiff/" },
		{ "commit", 0, OPTION_TEXT, &s->commit, "REF",
		  "save: profiles of this commit, built and measured like 'irdiff compare' does" },
		{ "why", 0, OPTION_TEXT, &s->why, "TEXT", "accept: the reason, for reviewers" },
		{ "limit", 'l', OPTION_LIST, &s->limits, "LIMIT",
		  "accept: only regressions of this metric or limit; may be repeated" },
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args,
			     exit_code);
}

/* ---- operands ---- */

/* The benchmarks after the name, of each all cases, or those of the baseline. */
static int list_given(const struct setting *s, struct path_list *out, struct cg_error *err)
{
	int status = CG_OK;

	if (s->count == 1)
		return baseline_list_benches(s->project->root, s->operands[0], out, err);
	for (size_t i = 1; !status && i < s->count; i++)
		status = baseline_cases(s->project, s->operands[0], s->operands[i], out, err);
	return status;
}

/* If the baseline lacks it: fails, and lists the benchmarks that the baseline has. */
static int check_there(const struct setting *s, const char *bench, struct cg_error *err)
{
	struct profile_paths unused;
	char *operand;
	int status = baseline_operand(s->operands[0], bench, &operand, err);

	if (status)
		return status;
	status = baseline_find(s->project->root, operand, &unused, err);
	if (!status)
		profile_paths_free(&unused);
	free(operand);
	return status;
}

static int require_any(const struct setting *s, const struct path_list *benches,
		       struct cg_error *err)
{
	return benches->count ? CG_OK : check_there(s, "any", err);
}

/* ---- save ---- */

/* Whether .gitignore hides the files of a baseline from `git add`. */
static bool is_ignored(const struct setting *s, const char *name)
{
	struct git *git = NULL;
	struct cg_error err;
	char *path = NULL;
	bool ignored = false;

	if (asprintf(&path, "%s/baselines/%s/x", s->project->root, name) < 0)
		return false;
	const char *const args[] = { "check-ignore", "-q", "--", path, NULL };
	if (git_open(s->project->root, NULL, &git, &err) == CG_OK)
		ignored = git_says_yes(git, args);
	git_close(git);
	free(path);
	return ignored;
}

static void print_saved(const struct setting *s, const struct path_list *benches)
{
	const char *name = s->operands[0];
	const char *share = s->store ? "/, and all files in .irdiff/"
			    : is_ignored(s, name)
				    ? "/; git ignores it, so use `git add -f` to share it"
				    : "/; commit it to share it";

	fputs("Saved ", stdout);
	for (size_t i = 0; i < benches->count; i++) {
		fputs(i ? ", " : "", stdout);
		text_print_name(stdout, benches->paths[i], 0);
	}
	fputs(" as baselines/", stdout);
	text_print_name(stdout, name, 0);
	puts(share);
}

/* The benchmarks that were named, or all of irdiff.yml: they need not have been measured here. */
static int list_configured(const struct setting *s, struct path_list *out, struct cg_error *err)
{
	const struct config *c = s->project->config;
	int status = CG_OK;

	for (size_t i = 1; !status && i < s->count; i++)
		status = path_list_add(out, s->operands[i], err);
	for (size_t i = 0; !status && s->count == 1 && c && i < c->benchmark_count; i++)
		status = path_list_add(out, c->benchmarks[i].name, err);
	return status;
}

/* As they are at a commit. */
static int save_commit(const struct setting *s, struct cg_error *err)
{
	const struct build_area_options options = { 0 };
	struct path_list wanted = { 0 }, benches = { 0 }, operands = { 0 };
	int status = list_configured(s, &wanted, err);

	if (!status && !wanted.count)
		status = cg_fail(err, CG_EINVAL, NULL, 0,
				 "no benchmarks: " CONFIG_NAME " not found");
	if (!status)
		*s->exit_code = exit_code_of(
			measure_at(s->project, s->commit, &wanted, &options, &benches, &operands));
	if (!status && !*s->exit_code)
		status = save_baseline(s->project, s->operands[0], &benches, &operands,
				       s->count == 1, false, err);
	if (!status && !*s->exit_code)
		print_saved(s, &benches);
	path_list_free(&wanted);
	path_list_free(&benches);
	path_list_free(&operands);
	return status;
}

static int save_new_baseline(const struct setting *s, struct cg_error *err)
{
	if (s->commit)
		return save_commit(s, err);

	const char *name = s->operands[0];
	bool whole = s->count == 1;
	struct path_list labels = { 0 };
	int status = whole ? baseline_benches(s->project, &labels, err)
			   : baseline_given(s->project, s->operands + 1, s->count - 1, &labels,
					    err);

	if (!status && !labels.count)
		status = cg_fail(err, CG_EINVAL, NULL, 0,
				 "no measurements yet; run 'irdiff profile BENCH'");
	if (!status)
		status = save_baseline(s->project, name, &labels, &labels, whole, s->store, err);
	if (!status)
		print_saved(s, &labels);
	path_list_free(&labels);
	return status;
}

/* ---- list ---- */

static int print_baseline(const struct project *project, const char *name, struct cg_error *err)
{
	struct path_list benches = { 0 };
	int status = baseline_list_benches(project->root, name, &benches, err);

	if (!status) {
		text_print_name(stdout, name, 0);
		putchar(':');
	}
	for (size_t i = 0; !status && i < benches.count; i++) {
		fputs(i ? ", " : " ", stdout);
		text_print_name(stdout, benches.paths[i], 0);
	}
	if (!status)
		putchar('\n');
	path_list_free(&benches);
	return status;
}

static int list(const struct setting *s, struct cg_error *err)
{
	struct path_list names = { 0 };
	int status = baseline_list(s->project->root, &names, err);

	for (size_t i = 0; !status && i < names.count; i++)
		status = print_baseline(s->project, names.paths[i], err);
	if (!status && !names.count)
		puts("No baselines yet; run 'irdiff baseline save NAME'.");
	path_list_free(&names);
	return status ? status : accepted_list(s->project, stdout, err);
}

/* ---- show ---- */

static int add_row(struct text_table *t, const char *bench, const struct loaded *l,
		   const struct baseline_forms *forms)
{
	const struct cg_profile *p = l->profile;
	char cost[TEXT_NUMBER];
	char *name = text_safe(bench), *metric = text_safe(cg_string(p, p->events[0].name));
	char *commit = text_safe(l->origin.commit ? l->origin.commit : "");
	const char *cells[] = { name, text_cost(p->total[0], cost), metric,
				forms->usable ? "all files" : "text", commit };
	int status = name && metric && commit ? text_table_add(t, "", cells) : CG_ENOMEM;

	free(commit);
	free(metric);
	free(name);
	return status;
}

static int show_one(const struct setting *s, const char *bench, struct text_table *t,
		    struct cg_error *err)
{
	const char *name = s->operands[0];
	const struct load_options load = { .lookup = inlines_lookup("no") };
	struct baseline_forms forms;
	struct loaded loaded = { 0 };
	char *operand;
	int status = baseline_operand(name, bench, &operand, err);

	if (status)
		return status;
	const char *operands[] = { operand };
	status = baseline_forms(s->project->root, name, bench, &forms, err);
	if (!status)
		status = load_profile(s->project, operands, 1, &load, &loaded, err);
	if (!status && add_row(t, bench, &loaded, &forms))
		status = cg_fail_nomem(err);
	loaded_free(&loaded);
	free(operand);
	return status;
}

static int show_baseline(const struct setting *s, struct cg_error *err)
{
	static const char *const titles[] = { "benchmark", "total", "", "saved as", "commit" };
	struct path_list benches = { 0 };
	struct text_table t = { 0 };
	struct output out;
	int status = list_given(s, &benches, err);

	if (!status)
		status = require_any(s, &benches, err);
	if (!status && text_table_init(&t, benches.count + 1, "lrlll"))
		status = cg_fail_nomem(err);
	if (!status)
		status = output_open(&out, NULL, "auto", true, err);
	if (!status && text_table_add(&t, text_dim(&out.style), titles))
		status = cg_fail_nomem(err);
	for (size_t i = 0; !status && i < benches.count; i++)
		status = show_one(s, benches.paths[i], &t, err);
	if (!status)
		text_table_print(&t, &out.style, out.to);
	text_table_free(&t);
	path_list_free(&benches);
	return status;
}

/* ---- rm ---- */

static int rm(const struct setting *s, struct cg_error *err)
{
	const char *root = s->project->root, *name = s->operands[0];
	struct path_list benches = { 0 };
	int status = list_given(s, &benches, err);

	if (!status)
		status = require_any(s, &benches, err);
	for (size_t i = 0; !status && i < benches.count; i++)
		status = check_there(s, benches.paths[i], err);
	for (size_t i = 0; !status && i < benches.count; i++) {
		struct baseline_forms forms;
		status = baseline_forms(root, name, benches.paths[i], &forms, err);
		if (!status)
			status = baseline_remove(root, name, benches.paths[i], &forms, err);
	}
	path_list_free(&benches);
	return status;
}

/* ---- accept, prune ---- */

static int accept_regressions(const struct setting *s, struct cg_error *err)
{
	const struct acceptance_choice choice = { s->operands, s->count, s->limits.items,
						  s->limits.count, s->why };
	return accept_broken(s->project, &choice, stdout, err);
}

static int prune_accepted(const struct setting *s, struct cg_error *err)
{
	return accepted_prune(s->project, stdout, err);
}

/* ---- all of them ---- */

struct verb {
	const char *name;
	int (*run)(const struct setting *s, struct cg_error *err);
	size_t least, most; /* operands */
};

static const struct verb verbs[] = {
	{ "save", save_new_baseline, 1, SIZE_MAX },    { "list", list, 0, 0 },
	{ "show", show_baseline, 1, SIZE_MAX },        { "rm", rm, 1, SIZE_MAX },
	{ "accept", accept_regressions, 0, SIZE_MAX }, { "prune", prune_accepted, 0, 0 },
};

enum { NVERBS = sizeof verbs / sizeof *verbs };

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < NVERBS; i++)
		if (strcmp(verbs[i].name, name) == 0)
			return &verbs[i];
	return NULL;
}

/* Prints what is wrong. */
static const struct verb *choose_verb(const struct arguments *args, int *exit_code)
{
	*exit_code = EXIT_USAGE;
	if (!subcommand_check(&help, args))
		return NULL;
	const struct verb *v = find_verb(args->operands[0]);
	if (args->count - 1 < v->least)
		usage_error("baseline", "expected the NAME of a baseline after %s", v->name);
	else if (args->count - 1 > v->most)
		usage_error("baseline", "%s takes no operands", v->name);
	else
		return v;
	return NULL;
}

int cmd_baseline(int argc, char **argv)
{
	struct setting s = { 0 };
	struct arguments args = { 0 };
	struct project project = { 0 };
	struct cg_error err = { 0 };
	const struct verb *verb;
	int exit_code;

	if (!parse_baseline_options(&s, argc, argv, &args, &exit_code) ||
	    !(verb = choose_verb(&args, &exit_code)))
		goto done;
	if (verb->run == accept_regressions && (!s.why || !*s.why)) {
		exit_code = usage_error("baseline", "accept requires a reason; use --why=TEXT");
		goto done;
	}
	exit_code = EXIT_FINE;
	s.exit_code = &exit_code;
	s.project = &project;
	s.operands = args.operands + 1;
	s.count = args.count - 1;
	int status = project_open(&project, &terminal_notices, &err);
	if (!status)
		status = verb->run(&s, &err);
	if (status)
		exit_code = print_error(&err);
done:
	project_close(&project);
	free(s.limits.items);
	free(args.operands);
	return exit_code;
}
