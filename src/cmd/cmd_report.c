#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/cmd/command.h"
#include "src/cmd/comparison.h"
#include "src/cmd/hot_sources.h"
#include "src/cmd/reporting.h"
#include "src/flame/flame.h"
#include "src/report/page_report.h"

#define OLD ".old" /* ends the label of the profile that another one replaced */

enum { MOST_SOURCES = 6 };

struct settings {
	const char *format, *title, *root, *output;
	bool step_summary;
	uint64_t most_frames;
	struct text_list include;
	struct comparison_options compare;
};

static const struct command_help help = {
	"report",
	(const char *const[]){ "[-o FILE] BASE HEAD [BASE HEAD]… [OPTIONS]",
			       "[-o FILE] [LABEL] [OPTIONS]", NULL },
	"Writes what two profiles differ in as a page for a browser: verdict, causes, flame graphs of\n"
	"base, head and the difference, a table of all functions, the source of what decided, and\n"
	"differences of the environment. It is one file that loads nothing. Several pairs become one\n"
	"report with an overview. LABEL alone is compared with the profile that it replaced, and\n"
	"without operands all labels are that replaced one. --format writes it for other readers.",
	.takes_command = false,
};

static bool parse(struct settings *s, int argc, char **argv, struct arguments *args, int *exit_code)
{
	struct comparison_options *c = &s->compare;
	const struct option_spec specs[] = {
		{ "output", 'o', OPTION_TEXT, &s->output, "FILE", "write to FILE" },
		{ "format", 0, OPTION_CHOICE, &s->format, "html|markdown|github|junit|csv",
		  "how to write it (html)" },
		{ "step-summary", 0, OPTION_SWITCH, &s->step_summary, NULL,
		  "append the report as markdown to $GITHUB_STEP_SUMMARY, too" },
		{ "title", 0, OPTION_TEXT, &s->title, "TEXT", "what the page is called (by the profile)" },
		JUDGING_OPTIONS(&c->judging),
		METRIC_OPTIONS(c),
		{ "root", 0, OPTION_TEXT, &s->root, "FUNCTION",
		  "begin flame graphs there; '': where threads begin (main)" },
		{ "max-frames", 0, OPTION_NUMBER, &s->most_frames, "N",
		  "keep at most N frames of all flame graphs, the widest (50000)" },
		{ "include", 'I', OPTION_LIST, &s->include, "DIR", "look for source files in DIR too" },
		INSIGHTS_OPTION(&c->insights, "auto"),
		INLINES_OPTION(&c->inlines),
		SELECTION_OPTIONS(&c->selection),
		{ "lenient", 0, OPTION_SWITCH, &c->lenient, NULL, "skip malformed lines and count them" },
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args, exit_code);
}

/* ---- one benchmark ---- */

struct bench {
	const char *base, *head; /* operands */
	struct comparison c;
	struct places places;
	/* Of the page only. */
	struct flame *in_base, *in_head, *in_diff;
	struct hot_sources sources;
};

static void free_bench(struct bench *b)
{
	places_free(&b->places);
	hot_sources_free(&b->sources);
	flame_free(b->in_base);
	flame_free(b->in_head);
	flame_free(b->in_diff);
	comparison_free(&b->c);
}

/* Only one side may have the function at which paths are to begin. */
static int root_graph(const char *root, bool needed, struct flame **graph, struct cg_error *err)
{
	struct flame *rooted = NULL;
	bool *is_root = NULL;
	int status = flame_find_root(*graph, root, &is_root, err);

	if (status == CG_EINVAL && !needed)
		return CG_OK;
	const struct flame_options options = { .is_root = is_root };
	if (!status)
		status = flame_make(*graph, &options, &rooted, err);
	free(is_root);
	if (status)
		return status;
	flame_free(*graph);
	*graph = rooted;
	return CG_OK;
}

static int finish_graph(const struct settings *s, size_t most, bool needed, struct flame **graph,
			struct cg_error *err)
{
	struct flame *limited = NULL;
	int status = root_graph(s->root, needed, graph, err);
	if (!status)
		status = flame_limit(*graph, most, &limited, err);
	if (status)
		return status;
	flame_free(*graph);
	*graph = limited;
	return CG_OK;
}

/* One after the other: before it is limited, a graph may be large. */
static int make_graphs(struct bench *b, const struct settings *s, size_t most, struct cg_error *err)
{
	const char *metric = b->c.diff->options.metric;
	int status = flame_of_diff(b->c.tree, &b->in_diff, err);

	if (!status)
		status = finish_graph(s, most, true, &b->in_diff, err);
	if (!status)
		status = flame_of_tree(b->c.tree->base, metric, &b->in_base, err);
	if (!status)
		status = finish_graph(s, most, false, &b->in_base, err);
	if (!status)
		status = flame_of_tree(b->c.tree->head, metric, &b->in_head, err);
	return status ? status : finish_graph(s, most, false, &b->in_head, err);
}

static bool is_page(const struct settings *s)
{
	return !report_format_is_fixed(s->format);
}

/* Each graph gets `most_frames`: what there is room for if all of them were as large. */
static int make_bench(struct bench *b, const struct project *project, const struct settings *s,
		      size_t most_frames, struct cg_error *err)
{
	int status = comparison_make(project, b->base, b->head, &s->compare, &b->c, err);
	if (!status && report_format_has_places(s->format))
		status = places_find(project, b->base, b->head, &b->c, &b->places, err);
	if (status || !is_page(s))
		return status;
	status = make_graphs(b, s, most_frames, err);
	if (!status)
		status = hot_sources_find(project, b->base, b->head, &b->c, s->include.items,
					  MOST_SOURCES, &b->sources, err);
	return status;
}

/* ---- which ones ---- */

struct reporting {
	const struct settings *s;
	struct bench *benches;
	size_t count;
	struct path_list words; /* operands that were made here */
};

static int add_pair(struct reporting *r, const char *base, const char *head, struct cg_error *err)
{
	struct bench *more = realloc(r->benches, (r->count + 1) * sizeof *more);
	if (!more)
		return cg_fail_nomem(err);
	r->benches = more;
	r->benches[r->count++] = (struct bench){ .base = base, .head = head };
	return CG_OK;
}

/* A label and what it replaced. */
static int add_replaced(struct reporting *r, const char *label, struct cg_error *err)
{
	char *old;
	if (asprintf(&old, "%s" OLD, label) < 0)
		return cg_fail_nomem(err);
	int status = path_list_add(&r->words, old, err);
	free(old);
	if (!status)
		status = path_list_add(&r->words, label, err);
	return status ? status : add_pair(r, r->words.paths[r->words.count - 2],
					  r->words.paths[r->words.count - 1], err);
}

static bool is_in(const struct path_list *labels, const char *label, const char *end)
{
	size_t len = strlen(label), n = strlen(end);
	for (size_t i = 0; i < labels->count; i++)
		if (strncmp(labels->paths[i], label, len) == 0 &&
		    strcmp(labels->paths[i] + len, end) == 0 && strlen(labels->paths[i]) == len + n)
			return true;
	return false;
}

static int add_label(struct reporting *r, const struct project *project, const char *label,
		     struct cg_error *err)
{
	struct path_list labels = { 0 };
	int status = store_list_labels(project->root, &labels, err);

	if (!status && is_in(&labels, label, "") && !is_in(&labels, label, OLD))
		status = cg_fail(err, CG_EINVAL, NULL, 0, "%s has not replaced a profile: measure it "
				 "again, or name BASE and HEAD", label);
	/* Who names what is not there hears of that, not of what it would have replaced. */
	if (!status && !is_in(&labels, label, ""))
		status = store_find_profiles(project->root, label, &r->words, err);
	if (!status && !is_in(&labels, label, ""))
		status = cg_fail(err, CG_EINVAL, NULL, 0, "%s is no label: name BASE and HEAD", label);
	path_list_free(&labels);
	return status ? status : add_replaced(r, label, err);
}

static int add_all_replaced(struct reporting *r, const struct project *project,
			    struct cg_error *err)
{
	struct path_list labels = { 0 };
	int status = store_list_labels(project->root, &labels, err);

	for (size_t i = 0; !status && i < labels.count; i++)
		if (is_in(&labels, labels.paths[i], OLD))
			status = add_replaced(r, labels.paths[i], err);
	path_list_free(&labels);
	if (!status && !r->count)
		status = cg_fail(err, CG_EINVAL, NULL, 0, "no profile in %s has replaced another one: "
				 "measure again what is to be compared, or name BASE and HEAD",
				 project->root);
	return status;
}

static int list_benches(struct reporting *r, const struct project *project,
			const struct arguments *args, struct cg_error *err)
{
	int status = CG_OK;

	if (args->count == 0)
		return add_all_replaced(r, project, err);
	if (args->count == 1)
		return add_label(r, project, args->operands[0], err);
	for (size_t i = 0; !status && i + 1 < args->count; i += 2)
		status = add_pair(r, args->operands[i], args->operands[i + 1], err);
	return status;
}

/* ---- writing ---- */

static int write_page(const struct reporting *r, const struct suite_report *suite, FILE *to)
{
	struct page_bench *pages = calloc(r->count, sizeof *pages);
	if (!pages)
		return CG_ENOMEM;
	for (size_t i = 0; i < r->count; i++) {
		const struct bench *b = &r->benches[i];
		pages[i] = (struct page_bench){ b->in_base, b->in_head, b->in_diff, b->sources.items,
						b->sources.count };
	}
	const struct page_report page = {
		.suite = suite,
		.benches = pages,
		.title = r->s->title ? r->s->title :
			 r->count == 1 ? suite->benches[0].name : "Benchmarks",
	};
	int status = page_html(&page, to);
	free(pages);
	return status;
}

static int write_report(const struct reporting *r, const struct suite_report *suite,
			struct cg_error *err)
{
	struct output out;
	int status = output_open(&out, r->s->output, "never", true, err);
	if (status)
		return status;
	status = is_page(r->s) ? write_page(r, suite, out.to) :
				 report_write(r->s->format, suite, out.to);
	if (status == CG_ENOMEM)
		cg_fail_nomem(err);
	return output_close(&out, status, err);
}

static int render(const struct reporting *r, struct cg_error *err)
{
	struct bench_report *reports = calloc(r->count, sizeof *reports);
	if (!reports)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < r->count; i++) {
		const struct bench *b = &r->benches[i];
		reports[i] = (struct bench_report){ report_bench_name(&b->c),
						    comparison_report(&b->c), b->places.cause,
						    b->places.verdicts };
	}
	const struct suite_report suite = { reports, r->count };
	int status = write_report(r, &suite, err);
	if (!status && r->s->step_summary)
		status = report_step_summary(&suite, err);
	free(reports);
	return status;
}

/* The worst of all. */
static int judge_all(const struct reporting *r)
{
	int worst = EXIT_FINE;
	for (size_t i = 0; i < r->count; i++) {
		int code = comparison_exit_code(&r->benches[i].c);
		worst = code > worst ? code : worst;
	}
	return worst;
}

/* Prints what makes no sense together. */
static bool check_usage(const struct settings *s, const struct arguments *args, int *exit_code)
{
	static const char *const pages[] = { "title", "root", "max-frames", "include", NULL };
	const char *unused = judging_unused(&s->compare.judging, args);
	const char *of_pages = is_page(s) ? NULL : options_given(args, pages);

	if (args->count > 1 && args->count % 2)
		*exit_code = usage_error("report", "expected BASE HEAD [BASE HEAD]…, but there are %zu "
					 "operands", args->count);
	else if (unused)
		*exit_code = usage_error("report", "--%s goes with --check", unused);
	else if (of_pages)
		*exit_code = usage_error("report", "--%s goes with --format=html", of_pages);
	else if (s->most_frames < 100)
		*exit_code = usage_error("report", "--max-frames is at least 100");
	else if (is_page(s) && !s->output && isatty(STDOUT_FILENO))
		*exit_code = usage_error("report", "a page is nothing to read in a terminal: write it to a "
					 "file with -o report.html");
	else
		return true;
	return false;
}

int cmd_report(int argc, char **argv)
{
	struct settings s = { .format = "html", .most_frames = 50000, .compare = { COMPARISON_DEFAULTS } };
	struct arguments args = { 0 };
	struct project project = { 0 };
	struct cg_error err = { 0 };
	struct reporting r = { .s = &s };
	int exit_code;

	if (!parse(&s, argc, argv, &args, &exit_code))
		goto done;
	if (!check_usage(&s, &args, &exit_code))
		goto done;

	s.compare.tree = s.compare.causes = is_page(&s);
	report_format_needs(s.format, s.step_summary, &s.compare);
	if (strcmp(s.format, "csv") == 0)
		s.compare.top = 0;
	int status = project_open(&project, &err);
	if (!status)
		status = list_benches(&r, &project, &args, &err);
	for (size_t i = 0; !status && i < r.count; i++)
		status = make_bench(&r.benches[i], &project, &s, s.most_frames / r.count / 3, &err);
	if (!status)
		status = render(&r, &err);
	exit_code = status ? print_error(&err) : judge_all(&r);
done:
	for (size_t i = 0; i < r.count; i++)
		free_bench(&r.benches[i]);
	free(r.benches);
	path_list_free(&r.words);
	project_close(&project);
	free(s.include.items);
	free(s.compare.judging.limits.items);
	free(args.operands);
	return exit_code;
}
