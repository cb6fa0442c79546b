#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cgprofile/names.h"
#include "src/cli/message.h"
#include "src/cli/options.h"
#include "src/cli/output.h"
#include "src/cli/shared_options.h"
#include "src/cli/similar_roots.h"
#include "src/cmd/command.h"
#include "src/cmd/show_audit.h"
#include "src/compare/expand_operands.h"
#include "src/load/hints.h"
#include "src/load/insight_rules.h"
#include "src/load/instructions.h"
#include "src/load/keep_sources.h"
#include "src/load/load.h"
#include "src/load/profile_events.h"
#include "src/load/project.h"
#include "src/load/select_parts.h"
#include "src/report/insights.h"
#include "src/report/show.h"
#include "src/status/progress.h"
#include "src/store/baselines.h"
#include "src/store/find_profile.h"
#include "src/store/label.h"
#include "src/text/shell.h"
#include "src/text/suggest.h"
#include "src/view/pattern.h"

#define NOT_GIVEN (-1.0)       /* --threshold */
#define NOT_LIMITED UINT64_MAX /* --top */

struct show_settings {
	const char *view, *by, *sort, *show, *filter, *ignore, *format, *color, *output;
	const char *insights;
	bool inclusive, wide, audit;
	double threshold;
	uint64_t top, context, depth;
	const char *root; /* NULL: main */
	struct text_list include;
	struct reading_options reading;
};

static const struct command_help help = {
	"show",
	(const char *const[]){ "PROFILE [FILE…] [FILTER] [OPTIONS]", NULL },
	"Shows one profile: functions by cost (flat), with callers and callees (calls), call paths\n"
	"(tree), source lines (source) or instructions (asm). PROFILE is a file, the label\n"
	"of a profile that irdiff wrote, or a pattern of files. Several files are added up if they belong\n"
	"to one process. A last word that is not a file is FILTER, a regular expression over\n"
	"object:file:function. A benchmark with cases is shown as a list of its cases; a pattern of\n"
	"labels, such as 'parse/*', shows each case. After --, a word that begins with - is an operand.\n"
	"Without PROFILE, the labels of the project are listed.",
	.takes_command = false,
	.main_options = "view by inclusive sort top root filter format output wide",
	.commands_with = commands_with_option,
	.operands = (const char *const[]){ "PROFILE FILE…", NULL },
	.rules =
		(const struct option_rule[]){
			{ "--format", REQUIRES, "PROFILE", NULL },
			{ "--view --by --inclusive --sort --show --threshold --include --context --root --depth "
			  "--insights",
			  EXCLUDES, "--audit", NULL },
			{ "--format=csv", EXCLUDES, "--audit", NULL },
			{ "--format=json", REQUIRES, "--view=flat|tree|asm", NULL },
			{ "--format=csv", REQUIRES, "--view=flat|tree", NULL },
			{ "--format=annotate", REQUIRES, "--view=flat|calls", NULL },
			{ "--by", REQUIRES, "--view=flat", NULL },
			{ "--include --context", REQUIRES, "--view=source|asm", NULL },
			{ "--root --depth", REQUIRES, "--view=tree", NULL },
			{ "--show", EXCLUDES, "--view=tree --format=text",
			  "a tree shows one event, chosen by --sort" },
			{ "--inclusive", EXCLUDES, "--view=source|asm", NULL },
			{ 0 } },
};

static bool parse_show_options(struct show_settings *s, int argc, char **argv,
			       struct arguments *args, int *exit_code)
{
	const struct option_spec specs[] = {
		{ "view", 0, OPTION_CHOICE, &s->view, "flat|calls|tree|source|asm",
		  "what to show (flat)" },
		{ "by", 0, OPTION_CHOICE, &s->by, "function|file|object|namespace",
		  "what each row of the flat view stands for (function)" },
		{ "inclusive", 'i', OPTION_SWITCH, &s->inclusive, NULL,
		  "show inclusive instead of self cost" },
		{ "sort", 0, OPTION_TEXT, &s->sort, "EVENTS",
		  "sort by these events (the first one)" },
		{ "show", 0, OPTION_TEXT, &s->show, "EVENTS",
		  "show these events (the one that sorts; --wide: all)" },
		{ "threshold", 0, OPTION_PERCENT, &s->threshold, "PERCENT",
		  "hide functions and paths below this % of the total (0.1; inclusive: 1; with a filter: 0)" },
		{ "top", 'n', OPTION_NUMBER, &s->top, "N",
		  "show at most N functions or paths; 0: all (0; asm: 1)" },
		{ "root", 0, OPTION_TEXT, &s->root, "FUNCTION",
		  "start the tree at FUNCTION; '': where threads start (main)" },
		{ "depth", 0, OPTION_NUMBER, &s->depth, "N",
		  "show paths of at most N functions; 0: all (0)" },
		{ "filter", 0, OPTION_TEXT, &s->filter, "REGEX",
		  "only functions that match, like FILTER" },
		{ "ignore", 0, OPTION_TEXT, &s->ignore, "REGEX", "hide functions that match" },
		SELECTION_OPTIONS(&s->reading.selection),
		INLINES_OPTION(&s->reading.inlines),
		INSIGHTS_OPTION(&s->insights, "none"),
		{ "include", 'I', OPTION_LIST, &s->include, "DIR",
		  "also look for source files in DIR" },
		{ "context", 0, OPTION_NUMBER, &s->context, "N",
		  "source lines or instructions around those with costs (8)" },
		{ "audit", 0, OPTION_SWITCH, &s->audit, NULL,
		  "instead, check whether the file is consistent" },
		{ "format", 0, OPTION_CHOICE, &s->format, "text|annotate|json|csv",
		  "output format; annotate: that of callgrind_annotate (text)" },
		{ "output", 'o', OPTION_TEXT, &s->output, "FILE", "write to FILE" },
		{ "color", 0, OPTION_CHOICE, &s->color, "auto|always|never", "use colours (auto)" },
		{ "wide", 'w', OPTION_SWITCH, &s->wide, NULL, "show all columns and full names" },
		{ "lenient", 0, OPTION_SWITCH, &s->reading.lenient, NULL,
		  "skip and count malformed lines" },
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args,
			     exit_code);
}

/* Reads and finds what the report needs, then hands it over. */
struct shown_profile {
	const struct show_settings *s;
	struct part_selection selection;
	struct loaded loaded;
	uint32_t *events, *sort;
	size_t nevents, nsort;
	struct pattern *filter, *ignore;
	struct flat *flat;
	struct calls *calls;
	struct tree_view *tree;
	struct source *source;
	struct report_source *sources;
	struct source_text *texts;
	size_t nsources;
	bool *chosen; /* functions whose instructions are listed */
	struct listed_functions listed;
	struct loaded asked; /* with the contexts of calls; empty: as `loaded` */
	struct found_insights insights;
};

static void free_shown_profile(struct shown_profile *v)
{
	for (size_t i = 0; i < v->nsources; i++)
		source_text_free(&v->texts[i]);
	free(v->texts);
	listed_functions_free(&v->listed);
	free(v->chosen);
	free(v->sources);
	found_insights_free(&v->insights);
	source_free(v->source);
	tree_view_free(v->tree);
	calls_free(v->calls);
	flat_free(v->flat);
	pattern_free(v->filter);
	pattern_free(v->ignore);
	free(v->events);
	free(v->sort);
	part_selection_free(&v->selection);
	loaded_free(&v->asked);
	loaded_free(&v->loaded);
}

static int load_shown_sources(struct shown_profile *v, struct cg_error *err)
{
	const struct cg_profile *p = v->loaded.profile;
	size_t rows = v->s->top && v->s->top < v->flat->count ? v->s->top : v->flat->count;
	bool *chosen = calloc((size_t)p->nfunctions + 1, sizeof *chosen);
	if (!chosen)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < rows; i++)
		chosen[v->flat->rows[i].function] = true;
	int status = source_make(p, chosen, v->sort[0], &v->source, err);
	free(chosen);
	if (status)
		return status;

	v->sources = calloc(v->source->count + 1, sizeof *v->sources);
	v->texts = calloc(v->source->count + 1, sizeof *v->texts);
	if (!v->sources || !v->texts)
		return cg_fail_nomem(err);
	for (size_t i = 0; !status && i < v->source->count; i++) {
		cg_str file = v->source->files[i].file;
		if (file)
			status = loaded_source_text(&v->loaded, cg_string(p, file),
						    v->s->include.items, &v->texts[i], err);
		v->sources[i] = (struct report_source){ &v->source->files[i], &v->texts[i] };
		v->nsources = i + 1;
	}
	return status;
}

static int load_shown_instructions(struct shown_profile *v, struct cg_error *err)
{
	const struct cg_profile *p = v->loaded.profile;

	v->chosen = calloc((size_t)p->nfunctions + 1, sizeof *v->chosen);
	if (!v->chosen)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < v->flat->count; i++)
		v->chosen[v->flat->rows[i].function] = true;
	int status = loaded_read_code(&v->loaded, &terminal_notices, err);
	if (!status)
		status = listed_functions_make(&v->loaded, v->chosen, v->s->top, v->sort[0],
					       v->s->include.items, &v->listed, err);
	return status;
}

/* A further file may have been meant as a filter. */
static int explain_operand(int status, const struct arguments *args, struct cg_error *err)
{
	for (size_t i = 1; status == CG_ESYNTAX && i < args->count; i++)
		if (strcmp(args->operands[i], err->file) == 0)
			cg_error_context(err,
					 "not a profile (to filter functions, use --filter=%s)",
					 args->operands[i]);
	return status;
}

static int make_shown_tree(struct shown_profile *v, struct cg_error *err)
{
	struct tree_view_options options = {
		.event = v->sort[0],
		.root = v->s->root,
		.threshold = v->s->threshold,
		.depth = v->s->depth,
		.top = v->s->top,
		.filter = v->filter,
		.ignore = v->ignore,
	};
	struct progress *progress = progress_begin(&terminal_notices, "building the call tree of",
						   v->loaded.name);
	int status = tree_view_make(v->loaded.profile, &options, &v->tree, err);
	progress_end(progress);
	return status == CG_EINVAL && v->s->root
		       ? fail_similar_root(v->loaded.profile, v->s->root, err)
		       : status;
}

static int make_table(struct shown_profile *v, struct cg_error *err)
{
	const struct show_settings *s = v->s;
	struct flat_options options = {
		.sort = v->sort,
		.nsort = v->nsort,
		.by_inclusive = s->inclusive,
		.by = strcmp(s->view, "flat") == 0 ? cg_rollup_by_word(s->by) : CG_BY_FUNCTION,
		.threshold = s->threshold,
		.filter = v->filter,
		.ignore = v->ignore,
	};
	struct progress *progress = progress_begin(&terminal_notices, "adding up", v->loaded.name);
	int status = flat_make(v->loaded.profile, &options, &v->flat, err);
	progress_end(progress);
	if (!status && strcmp(s->view, "calls") == 0)
		status = calls_make(v->loaded.profile, v->sort[0], &v->calls, err);
	if (!status && strcmp(s->view, "source") == 0)
		status = load_shown_sources(v, err);
	if (!status && strcmp(s->view, "asm") == 0)
		status = load_shown_instructions(v, err);
	return status;
}

/* Then no insight concerns the filter. */
static bool filters_all(const struct shown_profile *v)
{
	return v->filter && (v->tree ? v->tree->count == 0 : v->flat && v->flat->count == 0);
}

/* Who asked for something is known by the contexts of calls. */
static int find_shown_insights(struct shown_profile *v, const struct project *project,
			       const struct arguments *args, struct cg_error *err)
{
	const struct cg_detail detail = { .contexts = true };
	const struct cg_profile *p = v->loaded.profile;
	const char *rules = v->s->insights, *metric = cg_string(p, p->events[v->sort[0]].name);
	struct load_options load = load_options_from(&v->s->reading, &v->selection.chosen, detail);
	int status = CG_OK;

	if (filters_all(v))
		return CG_OK;
	load.silent = true;
	if (!v->tree && insights_wanted(rules) && loaded_is_lasting(&v->loaded))
		status = load_profile(project, args->operands, args->count, &load, &v->asked, err);
	if (v->asked.profile)
		p = v->asked.profile;
	return status ? status
		      : insights_for_profile(rules, p, metric, v->s->wide, &v->insights, err);
}

static int prepare_shown_profile(struct shown_profile *v, const struct project *project,
				 const struct arguments *args, struct cg_error *err)
{
	const struct show_settings *s = v->s;
	bool source = strcmp(s->view, "source") == 0, tree = strcmp(s->view, "tree") == 0;
	bool self_only = !s->inclusive && strcmp(s->view, "flat") == 0 &&
			 strcmp(s->format, "annotate") == 0 && !insights_wanted(s->insights);
	const struct cg_detail detail = { .lines = source,
					  .addresses = strcmp(s->view, "asm") == 0,
					  .jumps = strcmp(s->view, "asm") == 0,
					  .contexts = tree,
					  .no_calls = self_only };

	int status = pattern_compile_optional(s->filter, &v->filter, err);
	if (!status)
		status = pattern_compile_optional(s->ignore, &v->ignore, err);
	if (!status)
		status = load_profile_as(project, args->operands, args->count, &s->reading, detail,
					 &v->selection, &v->loaded, err);
	status = explain_operand(status, args, err);
	if (!status)
		status = parse_events(v->loaded.profile, s->show, &v->events, &v->nevents, err);
	if (!status)
		status = parse_events(v->loaded.profile, s->sort, &v->sort, &v->nsort, err);
	if (status)
		return status;
	status = tree ? make_shown_tree(v, err) : make_table(v, err);
	if (status)
		return status;
	if (tree || v->flat->rollup.by == CG_BY_FUNCTION)
		mention_literal(&terminal_notices, s->filter, v->loaded.profile, NULL);
	if (s->filter)
		mention_unnamed_functions(&terminal_notices, s->filter, v->loaded.profile, NULL);
	return find_shown_insights(v, project, args, err);
}

static int render_profile(const struct shown_profile *v, struct cg_error *err)
{
	const struct show_settings *s = v->s;
	const struct cg_profile *p = v->loaded.profile;
	struct output out;
	int status = output_open(&out, s->output, s->color, s->wide, err);
	if (status)
		return status;

	bool json = strcmp(s->format, "json") == 0, csv = strcmp(s->format, "csv") == 0;
	bool flat = !v->tree && !v->calls && !v->source && !v->listed.items;
	bool compact = flat && strcmp(s->format, "text") == 0;
	bool one = strcmp(s->format, "text") == 0 && !v->tree && !s->show && !s->wide;
	size_t fit = one ? 1
		     : json || csv || compact
			     ? v->nevents
			     : events_that_fit(p, v->events, v->nevents, &out.style);
	struct show_report report = {
		.profile = p,
		.origin = v->loaded.origin,
		.events = one ? v->sort : v->events,
		.nevents = fit,
		.without_room = s->show && !one ? v->nevents - fit : 0,
		.by_inclusive = s->inclusive,
		.sort = cg_string(p, p->events[v->sort[0]].name),
		.threshold = s->threshold,
		.filter = s->filter,
		.flat = v->flat,
		.top = s->top,
		.calls = v->calls,
		.tree = v->tree,
		.sources = v->sources,
		.nsources = v->nsources,
		.instructions = v->listed.items,
		.ninstructions = v->listed.count,
		.instructions_hidden = v->listed.hidden,
		.insights = v->insights.list,
		.context = (unsigned)(s->context > 100000 ? 100000 : s->context),
	};
	if (csv)
		status = v->tree ? show_tree_csv(&report, out.to) : show_flat_csv(&report, out.to);
	else if (json)
		status = v->listed.items ? show_asm_json(&report, out.to)
			 : v->tree       ? show_tree_json(&report, out.to)
					 : show_flat_json(&report, out.to);
	else if (v->tree)
		status = show_tree_text(&report, &out.style, out.to);
	else if (v->listed.items)
		status = show_asm_text(&report, &out.style, out.to);
	else if (v->calls)
		status = show_calls_text(&report, &out.style, out.to);
	else if (v->source)
		status = show_source_text(&report, &out.style, out.to);
	else
		status = compact ? show_flat_text(&report, &out.style, out.to)
				 : show_annotate_text(&report, &out.style, out.to);
	if (!status && !json && !csv)
		status = insights_text(report.insights, NULL, &out.style, out.to);
	if (status == CG_ENOMEM)
		cg_fail_nomem(err);
	return output_close(&out, status, err);
}

static int show_profile(struct shown_profile *v, const struct project *project,
			const struct arguments *args, struct cg_error *err)
{
	const struct show_settings *s = v->s;
	const struct audit_options options = {
		.filter = s->filter,
		.ignore = s->ignore,
		.format = s->format,
		.output = s->output,
		.color = s->color,
		.wide = s->wide,
		.top = s->top,
		.reading = &s->reading,
	};

	if (s->audit)
		return explain_operand(show_audit(&options, project, args, err), args, err);
	int status = prepare_shown_profile(v, project, args, err);
	return status ? status : render_profile(v, err);
}

/* ---- several ---- */

/* What does not say what is to be shown of each: the name of a benchmark, no pattern. */
static bool is_list(const struct show_settings *s, const struct arguments *args,
		    const struct path_list *operands)
{
	const char *whole = args->operands[0];

	for (size_t i = 0; i < args->ngiven; i++)
		if (strcmp(args->given[i], "color") != 0 && strcmp(args->given[i], "wide") != 0 &&
		    strcmp(args->given[i], "output") != 0)
			return false;
	return !s->filter && label_is_case_of(operands->paths[0], whole, strlen(whole));
}

static int list_totals(const struct show_settings *s, const struct project *project,
		       const char *whole, const struct path_list *operands, struct cg_error *err)
{
	struct output out;
	int status = output_open(&out, s->output, s->color, s->wide, err);

	if (status)
		return status;
	status = expand_operands_totals(project, operands, &out.style, out.to, err);
	if (!status && !baseline_is_operand(whole) && !strpbrk(whole, "*?[")) {
		char *pattern;
		if (asprintf(&pattern, "%s/*", whole) < 0)
			return output_close(&out, cg_fail_nomem(err), err);
		fputs("\nTo show one:  irdiff show ", out.to);
		shell_print_word(out.to, operands->paths[0]);
		fputs("\nTo show each: irdiff show ", out.to);
		shell_print_quoted(out.to, pattern);
		fputc('\n', out.to);
		free(pattern);
	}
	return output_close(&out, status, err);
}

/* The filter matches nothing anywhere: whoever left out the slash of BENCH/CASE meant no filter. */
static void suggest_case(const struct project *project, const char *filter,
			 const struct path_list *labels)
{
	const char **names = calloc(labels->count + 1, sizeof *names);

	for (size_t i = 0; names && i < labels->count; i++) {
		const char *slash = strrchr(labels->paths[i], '/');
		names[i] = slash ? slash + 1 : labels->paths[i];
	}
	const char *meant = names ? suggest(filter, names, labels->count) : NULL;
	for (size_t i = 0; meant && i < labels->count; i++)
		if (names[i] == meant)
			notice_message(project->notices,
				       "no function matches '%s'; did you mean 'irdiff show %s'?",
				       filter, labels->paths[i]);
	free(names);
}

static int show_each(const struct show_settings *s, const struct project *project,
		     const struct arguments *args, const struct path_list *operands,
		     struct cg_error *err)
{
	const char *of_one = s->output ? "output" : strcmp(s->format, "text") ? "format" : NULL;
	bool matched = !s->filter;
	int status = CG_OK;

	if (of_one && operands->count > 1)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "%s has %zu profiles, but --%s requires one; name one, such as %s",
			       args->operands[0], operands->count, of_one, operands->paths[0]);
	for (size_t i = 0; !status && i < operands->count; i++) {
		struct shown_profile v = { .s = s };
		struct arguments one = *args;
		const char *operand = operands->paths[i];
		one.operands = &operand;
		if (i)
			putchar('\n');
		status = show_profile(&v, project, &one, err);
		matched |= s->audit || !filters_all(&v);
		free_shown_profile(&v);
	}
	if (!status && !matched)
		suggest_case(project, s->filter, operands);
	return status;
}

/* What there is to show; *found: anything. */
static int list_labels(const struct show_settings *s, const struct project *project, bool *found,
		       struct cg_error *err)
{
	struct path_list labels = { 0 };
	struct output out;
	int status = expand_operands_list(project, &labels, err);

	*found = !status && labels.count;
	if (*found && !(status = output_open(&out, s->output, s->color, s->wide, err))) {
		for (size_t i = 0; i < labels.count; i++) {
			text_print_name(out.to, labels.paths[i], 0);
			fputc('\n', out.to);
		}
		fputs("\nTo show one:  irdiff show ", out.to);
		shell_print_word(out.to, labels.paths[0]);
		fputc('\n', out.to);
		status = output_close(&out, CG_OK, err);
	}
	path_list_free(&labels);
	return status;
}

static int show_all(const struct show_settings *s, const struct project *project,
		    const struct arguments *args, struct cg_error *err)
{
	struct path_list several = { 0 };
	struct shown_profile v = { .s = s };
	int status = args->count == 1
			     ? expand_operands_of(project, args->operands[0], &several, err)
			     : CG_OK;

	if (!status && !several.count)
		status = show_profile(&v, project, args, err);
	else if (!status && is_list(s, args, &several))
		status = list_totals(s, project, args->operands[0], &several, err);
	else if (!status)
		status = show_each(s, project, args, &several, err);
	free_shown_profile(&v);
	path_list_free(&several);
	return status;
}

/* ---- the command ---- */

static bool names_a_file(const char *path)
{
	struct stat st;
	return strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISDIR(st.st_mode));
}

/* PROFILE, further files, and last a filter if it is not a file. Reports wrong usage. */
static bool take_filter(struct show_settings *s, struct arguments *args, int *exit_code)
{
	static const char *const filter[] = { "filter", NULL };
	size_t files = 1;

	while (files < args->count && names_a_file(args->operands[files]))
		files++;
	if (files + 1 < args->count)
		*exit_code = usage_error("show",
					 "expected PROFILE [FILE…] [FILTER], but '%s' is "
					 "neither a file nor the last word",
					 args->operands[files]);
	else if (files < args->count && options_given(args, filter))
		*exit_code = usage_error(
			"show", "--filter cannot be used with FILTER, and '%s' is not a file",
			args->operands[files]);
	else if (files < args->count && looks_like_profile(args->operands[files]))
		*exit_code = usage_error("show",
					 "no such file '%s'; to filter functions, use --filter",
					 args->operands[files]);
	else if (files < args->count)
		s->filter = args->operands[--args->count];
	return files >= args->count;
}

/* In percent: self costs are smaller than inclusive ones. Who asks for a function wants to see it,
 * however little it costs. */
static double default_threshold(const struct show_settings *s)
{
	bool self = !s->inclusive && strcmp(s->view, "tree") != 0;

	return s->filter ? 0 : self ? 0.1 : 1;
}

int cmd_show(int argc, char **argv)
{
	struct show_settings s = { .view = "flat",
				   .by = "function",
				   .format = "text",
				   .color = "auto",
				   .context = 8,
				   .threshold = NOT_GIVEN,
				   .top = NOT_LIMITED,
				   .reading.inlines = "auto",
				   .insights = "none" };
	struct arguments args = { 0 };
	struct project project = { 0 };
	struct cg_error err = { 0 };
	int exit_code;

	if (!parse_show_options(&s, argc, argv, &args, &exit_code))
		goto done;
	if (!take_filter(&s, &args, &exit_code))
		goto done;
	if (strcmp(s.view, "calls") == 0)
		s.inclusive = true;
	if (s.top == NOT_LIMITED)
		s.top = strcmp(s.view, "asm") == 0 && !s.filter;
	if (s.threshold == NOT_GIVEN)
		s.threshold = default_threshold(&s);

	int status = project_open(&project, &terminal_notices, &err);
	bool found = true;
	if (!status)
		status = args.count ? show_all(&s, &project, &args, &err)
				    : list_labels(&s, &project, &found, &err);
	exit_code = status  ? print_error(&err)
		    : found ? EXIT_FINE
			    : usage_error("show",
					  "nothing is measured here yet; name a file, or run "
					  "'irdiff profile BENCH' or 'irdiff profile -- COMMAND'");
done:
	project_close(&project);
	free(s.include.items);
	free(args.operands);
	return exit_code;
}
