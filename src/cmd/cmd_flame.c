#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "src/cli/output.h"
#include "src/cli/shared_options.h"
#include "src/cli/similar_roots.h"
#include "src/cmd/command.h"
#include "src/compare/comparison.h"
#include "src/compare/make_comparison.h"
#include "src/flame/flame.h"
#include "src/load/hints.h"
#include "src/report/flame_report.h"

struct flame_settings {
	const char *root, *filter, *ignore, *format, *output;
	bool reversed;
	uint64_t depth, width;
	double min_width; /* percent */
	struct comparison_options compare;
};

static const struct command_help help = {
	"flame",
	(const char *const[]){ "PROFILE [OPTIONS]", "BASE HEAD [OPTIONS]", NULL },
	"Draws a flame graph as SVG: one frame for each call path, callees below callers, as wide as its\n"
	"inclusive cost. For two profiles it draws a differential flame graph: a frame is as wide as the\n"
	"larger of both costs, and its colour shows how much the function's self cost changed there: red\n"
	"is more, green is less, hatched is new or, with a dashed outline, removed. In a browser, click\n"
	"to zoom, press Esc to zoom out and / to search; without its script the picture is static.\n"
	"Profiles are files, labels, or patterns of files.",
	.takes_command = false,
	.main_options = "metric root reverse filter depth width format output",
	.commands_with = commands_with_option,
	.operands = (const char *const[]){ "PROFILE PROFILE", NULL },
	.ranges = (const struct option_range[]){ { "width", 300, 100000 }, { 0 } },
	.rules = (const struct option_rule[]){ { "--threshold --min-delta", REQUIRES, "BASE HEAD",
						 NULL },
					       { "--width --min-width", REQUIRES, "--format=svg",
						 NULL },
					       { 0 } },
};

static bool parse_flame_options(struct flame_settings *s, int argc, char **argv,
				struct arguments *args, int *exit_code)
{
	struct comparison_options *c = &s->compare;
	const struct option_spec specs[] = {
		METRIC_OPTIONS(c),
		{ "root", 0, OPTION_TEXT, &s->root, "FUNCTION",
		  "start at FUNCTION; '': where threads start (main)" },
		{ "reverse", 'r', OPTION_SWITCH, &s->reversed, NULL,
		  "start with the functions that spend the cost, callers below them" },
		{ "filter", 0, OPTION_TEXT, &s->filter, "REGEX",
		  "only stacks with a matching function" },
		{ "ignore", 0, OPTION_TEXT, &s->ignore, "REGEX",
		  "no stacks with a matching function" },
		{ "depth", 0, OPTION_NUMBER, &s->depth, "N",
		  "paths of at most N functions, the last with its inclusive cost; 0: all (0)" },
		{ "min-width", 0, OPTION_PERCENT, &s->min_width, "PERCENT",
		  "leave out frames narrower than this (0.01)" },
		{ "width", 0, OPTION_NUMBER, &s->width, "PIXELS", "width of the picture (1200)" },
		INLINES_OPTION(&c->reading.inlines),
		SELECTION_OPTIONS(&c->reading.selection),
		{ "format", 0, OPTION_CHOICE, &s->format, "svg|folded",
		  "a picture, or folded stacks with one or both costs (svg)" },
		{ "output", 'o', OPTION_TEXT, &s->output, "FILE", "write to FILE" },
		{ "lenient", 0, OPTION_SWITCH, &c->reading.lenient, NULL,
		  "skip and count malformed lines" },
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args,
			     exit_code);
}

struct flame_drawing {
	const struct flame_settings *s;
	struct comparison c; /* of one profile: head only */
	struct pattern *filter, *ignore;
	struct flame *all, *shown;
	bool *is_root;
};

static void free_drawing(struct flame_drawing *d)
{
	free(d->is_root);
	flame_free(d->shown);
	flame_free(d->all);
	pattern_free(d->filter);
	pattern_free(d->ignore);
	comparison_free(&d->c);
}

static int load_flame_profile(struct flame_drawing *d, const struct project *project,
			      const char *operand, struct cg_error *err)
{
	const struct comparison_options *o = &d->s->compare;
	const struct cg_detail detail = { .contexts = true };
	int status = load_profile_as(project, &operand, 1, &o->reading, detail, &d->c.selection,
				     &d->c.head, err);
	if (status)
		return status;
	return flame_of_profile(d->c.head.profile,
				o->metric ? o->metric : metric_default(d->c.head.profile), &d->all,
				err);
}

/* For an unknown function, suggests a similar one. */
static int find_flame_root(struct flame_drawing *d, struct cg_error *err)
{
	int status = flame_find_root(d->all, d->s->root, &d->is_root, err);

	return status == CG_EINVAL ? fail_similar_root(d->c.head.profile, d->s->root, err) : status;
}

static int make_diff(struct flame_drawing *d, struct cg_error *err)
{
	int status = comparison_add_names(&d->c, d->filter, err);

	if (!status)
		status = comparison_add_names(&d->c, d->ignore, err);
	return status ? status : flame_of_diff(d->c.tree, &d->all, err);
}

static int make_flame(struct flame_drawing *d, const struct project *project,
		      const struct arguments *args, struct cg_error *err)
{
	const struct flame_settings *s = d->s;
	int status = pattern_compile_optional(s->filter, &d->filter, err);

	if (!status)
		status = pattern_compile_optional(s->ignore, &d->ignore, err);
	if (!status && args->count == 1)
		status = load_flame_profile(d, project, args->operands[0], err);
	else if (!status)
		status = comparison_make(project, args->operands[0], args->operands[1], &s->compare,
					 &d->c, err);
	if (!status && d->c.tree)
		status = make_diff(d, err);
	if (!status)
		status = find_flame_root(d, err);
	if (status)
		return status;

	const struct flame_options options = {
		.is_root = d->is_root,
		.filter = d->filter,
		.ignore = d->ignore,
		.reversed = s->reversed,
		.depth = s->depth > UINT32_MAX ? 0 : (uint32_t)s->depth,
	};
	status = flame_make(d->all, &options, &d->shown, err);
	if (!status && (s->filter || s->ignore) && d->shown->count == 1)
		status = cg_fail(err, CG_EINVAL, NULL, 0, "--filter and --ignore leave no stacks");
	return status;
}

static int render_flame(const struct flame_drawing *d, struct cg_error *err)
{
	enum { MOST_LEVELS = 500 };
	const struct flame_settings *s = d->s;
	bool folded = strcmp(s->format, "folded") == 0;
	struct output out;
	int status = output_open(&out, s->output, "never", true, err);
	if (status)
		return status;

	struct flame_report report = {
		.flame = d->shown,
		.diff = d->c.diff,
		.tree = d->c.tree,
		.base = d->c.base.origin,
		.head = d->c.head.origin,
		.root = s->root && *s->root      ? s->root
			: !s->root && d->is_root ? "main"
						 : NULL,
		.filter = s->filter,
		.ignore = s->ignore,
		.reversed = s->reversed,
		.width = (unsigned)s->width,
		.min_width = s->min_width / 100 * (double)s->width,
		.most_levels = MOST_LEVELS,
	};
	status = folded ? flame_folded(&report, out.to) : flame_svg(&report, out.to);
	if (status == CG_ENOMEM)
		cg_fail_nomem(err);
	else if (status)
		cg_fail(err, status, NULL, 0,
			"folded stacks cannot hold negative costs; choose "
			"another metric with --metric");
	return output_close(&out, status, err);
}

/* An extension of FILE for a format that cannot be written; NULL: none. */
static const char *foreign_picture(const char *file)
{
	static const char *const endings[] = { ".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp",
					       ".pdf", ".ps",  ".eps",  ".htm", ".html" };
	const char *dot = file ? strrchr(file, '.') : NULL;

	for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
		if (strcasecmp(dot, endings[i]) == 0)
			return dot;
	return NULL;
}

/* Reports wrong usage. */
static bool check_picture(const struct flame_settings *s, const struct arguments *args,
			  int *exit_code)
{
	bool svg = strcmp(s->format, "svg") == 0;
	const char *foreign = foreign_picture(s->output);

	if (args->count < 1 || args->count > 2)
		*exit_code = usage_error("flame", "expected PROFILE, or BASE HEAD");
	else if (foreign)
		*exit_code = usage_error("flame",
					 "%s: cannot write %s; name it .svg, which browsers show",
					 s->output, foreign);
	else if (svg && !s->output && isatty(STDOUT_FILENO))
		*exit_code = usage_error("flame",
					 "refusing to write SVG to a terminal; redirect it or use "
					 "-o flame.svg");
	else
		return true;
	return false;
}

int cmd_flame(int argc, char **argv)
{
	struct flame_settings s = { .format = "svg",
				    .width = 1200,
				    .min_width = 0.01,
				    .compare = { COMPARISON_DEFAULTS, .tree = true,
						 .only_paths = true } };
	struct arguments args = { 0 };
	struct project project = { 0 };
	struct cg_error err = { 0 };
	struct flame_drawing d = { .s = &s };
	int exit_code;

	if (!parse_flame_options(&s, argc, argv, &args, &exit_code))
		goto done;
	if (!check_picture(&s, &args, &exit_code))
		goto done;

	int status = project_open(&project, &terminal_notices, &err);
	if (!status)
		status = make_flame(&d, &project, &args, &err);
	if (!status)
		status = render_flame(&d, &err);
	exit_code = status ? print_error(&err) : EXIT_FINE;
done:
	free_drawing(&d);
	project_close(&project);
	free(args.operands);
	return exit_code;
}
