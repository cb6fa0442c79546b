#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/browse/terminal.h"
#include "src/cli/shared_options.h"
#include "src/cli/similar_roots.h"
#include "src/cmd/command.h"
#include "src/compare/comparison.h"
#include "src/compare/make_comparison.h"
#include "src/load/browse_instructions.h"
#include "src/load/browse_sources.h"
#include "src/load/hints.h"
#include "src/status/progress.h"

struct browse_settings {
	const char *root, *color;
	struct text_list include;
	struct comparison_options compare;
};

static const struct command_help help = {
	"browse",
	(const char *const[]){ "PROFILE [OPTIONS]", "BASE HEAD [OPTIONS]", NULL },
	"Shows a profile, or the change between two, interactively in a terminal: a list of functions, a\n"
	"call tree that can be folded, the callers of each function, the causes of the change, and source\n"
	"with the cost of each line. Tab changes the view, Enter folds, / searches with a regular\n"
	"expression, m changes the metric, d switches between base, head and the change, o shows the\n"
	"source, ? lists all keys, q quits. Profiles are files, labels, or patterns of files.",
	.takes_command = false,
	.main_options = "metric threshold root include color",
	.commands_with = commands_with_option,
	.operands = (const char *const[]){ "PROFILE PROFILE", NULL },
	.rules = (const struct option_rule[]){ { "--threshold --min-delta", REQUIRES, "BASE HEAD",
						 NULL },
					       { "--root", EXCLUDES, "BASE HEAD", NULL },
					       { 0 } },
};

static bool parse_browse_options(struct browse_settings *s, int argc, char **argv,
				 struct arguments *args, int *exit_code)
{
	struct comparison_options *c = &s->compare;
	const struct option_spec specs[] = {
		METRIC_OPTIONS(c),
		{ "root", 0, OPTION_TEXT, &s->root, "FUNCTION",
		  "start the call tree of one profile at FUNCTION; '': where threads start (main)" },
		{ "include", 'I', OPTION_LIST, &s->include, "DIR",
		  "also look for source files in DIR" },
		INLINES_OPTION(&c->reading.inlines),
		SELECTION_OPTIONS(&c->reading.selection),
		{ "color", 0, OPTION_CHOICE, &s->color, "auto|always|never", "use colours (auto)" },
		{ "lenient", 0, OPTION_SWITCH, &c->reading.lenient, NULL,
		  "skip and count malformed lines" },
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args,
			     exit_code);
}

/* All that is browsed. A single profile is the head of the comparison. */
struct browsing {
	const struct browse_settings *s;
	struct comparison c;
	struct flat *flat;
	struct tree_view *tree;
	struct browse_data data;
	struct browse_sources sources;
	struct browse_instructions instructions;
	struct browse *browse;
};

static void free_browsing(struct browsing *b)
{
	browse_free(b->browse);
	browse_sources_free(&b->sources);
	browse_instructions_free(&b->instructions);
	browse_data_free(&b->data);
	tree_view_free(b->tree);
	flat_free(b->flat);
	comparison_free(&b->c);
}

/* ---- one profile ---- */

static const struct cg_detail paths_detail = { .contexts = true };

static struct load_options browse_load_options(const struct browsing *b)
{
	return load_options_from(&b->s->compare.reading, &b->c.selection.chosen, paths_detail);
}

static int make_browsed_tree(struct browsing *b, uint32_t event, struct cg_error *err)
{
	const struct loaded *l = &b->c.head;
	const struct tree_view_options options = { .event = event, .root = b->s->root };
	struct progress *progress = progress_begin(&terminal_notices, "building the call tree of",
						   l->name);
	int status = tree_view_make(l->profile, &options, &b->tree, err);

	progress_end(progress);
	return status == CG_EINVAL && b->s->root ? fail_similar_root(l->profile, b->s->root, err)
						 : status;
}

static int make_one(struct browsing *b, const struct project *project, const char *operand,
		    struct cg_error *err)
{
	const struct comparison_options *o = &b->s->compare;
	struct loaded *l = &b->c.head;
	struct metric metric;

	int status = load_profile_as(project, &operand, 1, &o->reading, paths_detail,
				     &b->c.selection, l, err);
	if (status)
		return status;
	const char *name = o->metric ? o->metric : metric_default(l->profile);
	if (!metric_find(l->profile, name, &metric))
		return cg_fail(err, CG_EINVAL, NULL, 0, "the profile has no event or metric '%s'",
			       name);

	uint32_t event = metric_main_event(l->profile, name);
	const struct flat_options options = { .sort = &event, .nsort = 1 };
	status = flat_make(l->profile, &options, &b->flat, err);
	if (!status)
		status = make_browsed_tree(b, event, err);
	if (!status && browse_profile(b->flat, b->tree, name, l->name, &b->data))
		status = cg_fail_nomem(err);
	return status;
}

/* ---- two ---- */

static int make_two(struct browsing *b, const struct project *project, const char *base,
		    const char *head, struct cg_error *err)
{
	int status = comparison_make(project, base, head, &b->s->compare, &b->c, err);
	if (!status && browse_diff(b->c.causes, b->c.base.name, b->c.head.name, &b->data))
		status = cg_fail_nomem(err);
	return status;
}

static int make_browser(struct browsing *b, const struct project *project,
			const struct arguments *args, struct cg_error *err)
{
	bool two = args->count == 2;
	const char *base = two ? args->operands[0] : NULL, *head = args->operands[two];
	int status = two ? make_two(b, project, base, head, err) : make_one(b, project, head, err);
	if (status)
		return status;

	const struct load_again profiles = {
		.project = project,
		.operands = { base, head },
		.load = browse_load_options(b),
		.lasting = loaded_is_lasting(&b->c.head) && (!two || loaded_is_lasting(&b->c.base)),
	};
	b->instructions.profiles = profiles;
	b->sources = (struct browse_sources){
		.profiles = profiles,
		.metric = b->data.metrics[0].of[BROWSE_HEAD].name,
		.dirs = b->s->include.items,
	};
	struct browse_code_finder finder = browse_sources_finder(&b->sources);
	browse_instructions_offer(&b->instructions, &finder);
	return browse_make(&b->data, &finder, &b->browse) ? cg_fail_nomem(err) : CG_OK;
}

/* ---- the command ---- */

static bool wants_color(const char *choice)
{
	const char *no_color = getenv("NO_COLOR");
	return strcmp(choice, "always") == 0 ||
	       (strcmp(choice, "auto") == 0 && !(no_color && *no_color));
}

static const char *without_terminal(const struct arguments *args)
{
	return args->count == 2 ? "irdiff diff" : "irdiff show";
}

/* Reports wrong usage. */
static bool check_browsing(const struct arguments *args, int *exit_code)
{
	const char *instead = without_terminal(args);
	const char *term = getenv("TERM");

	if (args->count < 1 || args->count > 2)
		*exit_code = usage_error("browse", "expected PROFILE, or BASE HEAD");
	else if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		*exit_code = usage_error("browse",
					 "standard %s is not a terminal; use '%s' to print text",
					 isatty(STDOUT_FILENO) ? "input" : "output", instead);
	else if (!term || !*term || strcmp(term, "dumb") == 0)
		*exit_code = usage_error("browse",
					 "the terminal cannot move the cursor (TERM is '%s'); "
					 "use '%s' to print text",
					 term ? term : "", instead);
	else
		return true;
	return false;
}

static int run_browser(const struct browsing *b, const struct arguments *args, int *signal,
		       struct cg_error *err)
{
	int status = browse_run(b->browse, stdin, stdout, wants_color(b->s->color), signal, err);
	if (status != CG_EINVAL)
		return status;
	const struct cg_error why = *err;
	return cg_fail(err, status, NULL, 0, "%s; use '%s' to print text", why.message,
		       without_terminal(args));
}

int cmd_browse(int argc, char **argv)
{
	struct browse_settings s = { .color = "auto",
				     .compare = { COMPARISON_DEFAULTS, .tree = true, .causes = true,
						  .one_tree = true, .only_paths = true } };
	struct arguments args = { 0 };
	struct project project = { 0 };
	struct cg_error err = { 0 };
	struct browsing b = { .s = &s };
	int exit_code, signal = 0;

	s.compare.insights = "none";
	if (!parse_browse_options(&s, argc, argv, &args, &exit_code) ||
	    !check_browsing(&args, &exit_code))
		goto done;

	int status = project_open(&project, &terminal_notices, &err);
	if (!status)
		status = make_browser(&b, &project, &args, &err);
	if (!status)
		status = run_browser(&b, &args, &signal, &err);
	exit_code = status ? print_error(&err) : signal ? 128 + signal : EXIT_FINE;
done:
	free_browsing(&b);
	project_close(&project);
	free(s.include.items);
	free(args.operands);
	return exit_code;
}
