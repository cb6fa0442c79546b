#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "src/cli/message.h"
#include "src/cli/options.h"
#include "src/cli/output.h"
#include "src/cli/shared_options.h"
#include "src/cmd/command.h"
#include "src/commits/measure_commits.h"
#include "src/commits/series_of_config.h"
#include "src/diff/metric.h"
#include "src/git/refs.h"
#include "src/load/project.h"
#include "src/measure/plan.h"
#include "src/record/branch.h"
#include "src/record/known_metrics.h"
#include "src/record/load_series.h"
#include "src/report/history_report.h"
#include "src/site/site.h"
#include "src/store/files.h"
#include "src/text/suggest.h"
#include "src/text/text.h"

struct history_settings {
	const char *metric, *since, *measure, *definition, *environment, *format, *output, *color,
		*import, *title;
	uint64_t top, min_delta, reports, newest;
	double threshold;
	bool all, steps, wide, export;
	struct jobs_options jobs;
};

#define MIN_DELTA_NOT_GIVEN UINT64_MAX

/* Options that apply when the history is shown. */
#define SHOWN_ONLY \
	"--metric --top --since --steps --all --definition --environment --threshold --min-delta " \
	"--format --color --wide"

static const struct command_help help = {
	"history",
	(const char *const[]){ "[BENCH] [OPTIONS]",
			       "[BENCH] --measure=new|RANGE [OPTIONS] [-- PATH…]",
			       "--export [BENCH] [-o FILE]", "--import=FILE", NULL },
	"Shows the counts of a benchmark at the measured commits, and where they changed; without BENCH,\n"
	"one line for each benchmark. 'irdiff profile BENCH' adds to the history if the work tree has no\n"
	"changes. Commits are in the order of the current branch; counts from different environments, or\n"
	"by different definitions in irdiff.yml, are never mixed in one table. With PATH, --measure only\n"
	"measures A and the commits that change one of these files or directories.",
	.takes_paths = true,
	.main_options = "measure metric top since steps all format output",
	.commands_with = commands_with_option,
	.operands = (const char *const[]){ "BENCH", NULL },
	.ranges = (const struct option_range[]){ JOBS_RANGE, { 0 } },
	.rules =
		(const struct option_rule[]){
			{ SHOWN_ONLY, EXCLUDES, "--import", NULL },
			{ SHOWN_ONLY, EXCLUDES, "--export", NULL },
			{ "--output --export --measure", EXCLUDES, "--import", NULL },
			{ "--measure", EXCLUDES, "--export", NULL },
			{ "--jobs --launcher", REQUIRES, "--measure", NULL },
			{ "--newest", REQUIRES, "--measure=new", NULL },
			{ "--definition --environment", REQUIRES, "BENCH", NULL },
			{ "--format=html", REQUIRES, "--output", NULL },
			{ "--reports --title", REQUIRES, "--format=html", NULL },
			{ "--top --since --steps --all --color --wide", EXCLUDES, "--format=html",
			  NULL },
			{ 0 } },
};

static bool parse_history_options(struct history_settings *s, int argc, char **argv,
				  struct arguments *args, int *exit_code)
{
	const struct option_spec specs[] = {
		{ "measure", 0, OPTION_TEXT, &s->measure, "new|RANGE",
		  "first measure A and A..B, or A..HEAD for A; new: commits without counts" },
		{ "newest", 0, OPTION_NUMBER, &s->newest, "N",
		  "--measure=new: of the newest N commits; 0: all (20)" },
		JOBS_OPTIONS(&s->jobs),
		{ "metric", 'm', OPTION_TEXT, &s->metric, "METRIC",
		  "event to show, or EstCycles, CEst, L1hits, LLhits, RAMhits (Ir)" },
		{ "top", 'n', OPTION_NUMBER, &s->top, "N", "show at most N commits; 0: all (20)" },
		{ "since", 0, OPTION_TEXT, &s->since, "REF|DATE",
		  "start at a commit, or at a day such as 2026-01-31" },
		{ "steps", 0, OPTION_SWITCH, &s->steps, NULL,
		  "only commits where the count changed" },
		{ "all", 0, OPTION_SWITCH, &s->all, NULL,
		  "also commits of other branches, and merged ones" },
		{ "definition", 0, OPTION_TEXT, &s->definition, "DIGEST",
		  "counts by this definition of BENCH (that of irdiff.yml, or of the newest commit)" },
		{ "environment", 0, OPTION_TEXT, &s->environment, "DIGEST",
		  "counts from this environment (that of the newest commit)" },
		{ "threshold", 0, OPTION_PERCENT, &s->threshold, "PERCENT",
		  "smallest change of a step, in percent (0.05)" },
		{ "min-delta", 0, OPTION_NUMBER, &s->min_delta, "N",
		  "smallest change of a step, in events (100; --threshold=0: 1)" },
		{ "format", 0, OPTION_CHOICE, &s->format, "text|json|csv|html",
		  "output format (text); html: a site in the directory FILE" },
		{ "output", 'o', OPTION_TEXT, &s->output, "FILE", "write to FILE" },
		{ "title", 0, OPTION_TEXT, &s->title, "TEXT",
		  "the project's name on the site (that of its directory)" },
		{ "reports", 0, OPTION_NUMBER, &s->reports, "N",
		  "with --format=html, reports on at most N steps of each benchmark: the newest and the largest (20)" },
		{ "color", 0, OPTION_CHOICE, &s->color, "auto|always|never", "use colours (auto)" },
		{ "wide", 'w', OPTION_SWITCH, &s->wide, NULL, "show full subjects" },
		{ "export", 0, OPTION_SWITCH, &s->export, NULL,
		  "write the history as lines for --import" },
		{ "import", 0, OPTION_TEXT, &s->import, "FILE",
		  "add lines that --export wrote; -: standard input" },
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args,
			     exit_code);
}

/* ---- moving rows between machines ---- */

/* A copy of what is left of a stream, which it closes. */
static int spool(FILE *from, const char *name, FILE **out, struct cg_error *err)
{
	char bytes[BUFSIZ];
	FILE *to = tmpfile();
	int status = to ? CG_OK : file_fail("a temporary file", "create", err);

	for (size_t got; !status && (got = fread(bytes, 1, sizeof bytes, from));)
		if (fwrite(bytes, 1, got, to) != got)
			status = file_fail("a temporary file", "write", err);
	if (!status && ferror(from))
		status = file_fail(name, "read", err);
	if (!status && fflush(to))
		status = file_fail("a temporary file", "write", err);
	fclose(from);
	if (status) {
		if (to)
			fclose(to);
		return status;
	}
	rewind(to);
	*out = to;
	return CG_OK;
}

/* A pipe is read to its end before the history is locked, as it may take long. */
static int open_import(const char *path, const char *name, FILE **out, struct cg_error *err)
{
	FILE *from = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
	struct stat st;

	if (!from)
		return file_fail(path, "open", err);
	if (fstat(fileno(from), &st) || !S_ISREG(st.st_mode))
		return spool(from, name, out, err);
	*out = from;
	return CG_OK;
}

/* Adds each line of a file; `changed`: how many counts differ from existing ones. */
static int import_lines(struct history *h, FILE *from, const char *name, uint64_t *lines,
			size_t *changed, struct cg_error *err)
{
	struct history_reader reader = { 0 };
	char *line = NULL;
	size_t cap = 0;
	int status = CG_OK;

	for (ssize_t len; !status && (len = getline(&line, &cap, from)) > 0;) {
		struct history_run run;
		struct history_added added = { 0 };
		status = history_row_read(&reader, line, (size_t)len, name, ++*lines, &run, err);
		if (!status)
			status = history_put(h, &run, &added, err);
		*changed += added.metric != NULL;
		free(added.metric);
	}
	if (!status && !feof(from))
		status = file_fail(name, "read", err);
	free(line);
	history_reader_free(&reader);
	return status;
}

static int import_rows(const char *root, const char *path, struct cg_error *err)
{
	const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
	struct history *h = NULL;
	uint64_t lines = 0;
	size_t changed = 0;
	FILE *from = NULL;
	int status = open_import(path, name, &from, err);

	if (!status)
		status = history_open_to_write(root, &h, err);
	if (!status)
		status = history_begin(h, err);
	if (!status)
		status = history_end(h, import_lines(h, from, name, &lines, &changed, err), err);
	if (!status)
		printf("%" PRIu64 " row%s read\n", lines, lines == 1 ? "" : "s");
	if (!status && changed)
		print_warning(
			"%zu row%s other counts than the history, at the same commit and in the same environment; "
			"the later measurement is kept",
			changed, changed == 1 ? " has" : "s have");
	history_close(h);
	if (from)
		fclose(from);
	return status;
}

/* A benchmark with cases stands for all of them. */
static bool is_meant_series(const char *wanted, const char *name)
{
	size_t len = strlen(wanted);
	return strncmp(name, wanted, len) == 0 &&
	       (!name[len] || (name[len] == '/' && !strchr(wanted, '/')));
}

static int export_series(const struct history_book *book, const struct history_series *s, FILE *to,
			 struct cg_error *err)
{
	struct history_count counts[HISTORY_MOST_COUNTS];
	int status = CG_OK;

	for (size_t i = 0; !status && i < s->count; i++) {
		const struct history_run run = history_run_of(book, s, &s->points[i], counts);
		char *text;
		status = history_row_text(&run, &text, err);
		if (!status) {
			fprintf(to, "%s\n", text);
			free(text);
		}
	}
	return status;
}

static int export_rows(struct history *h, const struct history_settings *s, const char *benchmark,
		       struct cg_error *err)
{
	struct history_book book = { 0 };
	struct output out;
	int status = history_read(h, benchmark, &book, err);

	if (!status)
		status = output_open(&out, s->output, "never", true, err);
	if (status) {
		history_book_free(&book);
		return status;
	}
	for (size_t i = 0; !status && i < book.nseries; i++)
		if (!benchmark || is_meant_series(benchmark, book.series[i].benchmark))
			status = export_series(&book, &book.series[i], out.to, err);
	history_book_free(&book);
	return output_close(&out, status, err);
}

/* ---- showing ---- */

struct shown_history {
	const struct history_settings *s;
	const struct project *project;
	struct history *history;
	struct git *git;        /* NULL: no repository, */
	struct cg_error no_git; /* and why */
	struct branch branch;
	struct history_book book;
	struct placed_book placed;
	struct series_options options;
	char *since_commit;
	struct path_list benchmarks; /* to show */
	struct loaded_series *loaded;
	size_t count;
};

static void free_shown_history(struct shown_history *g)
{
	for (size_t i = 0; i < g->count; i++)
		loaded_series_free(&g->loaded[i]);
	free(g->loaded);
	free(g->since_commit);
	path_list_free(&g->benchmarks);
	placed_book_free(&g->placed);
	history_book_free(&g->book);
	branch_free(&g->branch);
	git_close(g->git);
	history_close(g->history);
}

/* "2026-01-31": the start of that day, in UTC. */
static bool parse_day(const char *text, int64_t *seconds)
{
	struct tm tm = { 0 };
	const char *end = strlen(text) == 10 ? strptime(text, "%Y-%m-%d", &tm) : NULL;

	if (!end || *end)
		return false;
	*seconds = (int64_t)timegm(&tm);
	return true;
}

static int find_since(struct shown_history *g, struct cg_error *err)
{
	const char *since = g->s->since;
	struct git_commit commit;

	if (!since || parse_day(since, &g->options.since))
		return CG_OK;
	if (!g->git)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "--since: '%s' is not a day such as 2026-01-31, and commits are "
			       "not known: %s",
			       since, g->no_git.message);
	int status = git_resolve(g->git, since, &g->since_commit, err);
	if (status)
		cg_error_context(err, "--since: '%s' is not a day such as 2026-01-31", since);
	else
		status = git_describe_commit(g->git, g->since_commit, &commit, err);
	if (status)
		return status;
	g->options.since = commit.committed;
	g->options.since_commit = g->since_commit;
	git_commit_free(&commit);
	return CG_OK;
}

static int no_such_history(const struct shown_history *g, const char *benchmark,
			   struct cg_error *err)
{
	char *known = suggest_known(benchmark, (const char *const *)g->benchmarks.paths,
				    g->benchmarks.count, "irdiff history");
	int status = known ? cg_fail(err, CG_EINVAL, NULL, 0, "no history of '%s'%s", benchmark,
				     known)
			   : cg_fail_nomem(err);

	free(known);
	return status;
}

/* A benchmark of irdiff.yml is not taken for a misspelled one. */
static int no_history(const struct shown_history *g, const char *benchmark, struct cg_error *err)
{
	const struct config *c = g->project->config;
	const bool defined = c && config_benchmark(c, benchmark);

	if (g->benchmarks.count && (!defined || strchr(benchmark, '/')))
		return no_such_history(g, benchmark, err);
	if (!defined)
		return no_benchmark(c, benchmark, err);
	return cg_fail(err, CG_EINVAL, NULL, 0,
		       "no history of '%s' yet; commit all changes and run 'irdiff profile %s'",
		       benchmark, benchmark);
}

static int choose_shown_benchmarks(struct shown_history *g, const char *benchmark,
				   struct cg_error *err)
{
	struct path_list *all = &g->benchmarks;
	int status = history_benchmarks(g->history, all, err);

	if (status || !benchmark)
		return status;
	struct path_list wanted = { 0 };
	for (size_t i = 0; !status && i < all->count; i++)
		if (is_meant_series(benchmark, all->paths[i]))
			status = path_list_add(&wanted, all->paths[i], err);
	if (!status && !wanted.count)
		return no_history(g, benchmark, err);
	path_list_free(all);
	*all = wanted;
	return status;
}

static int load_with_limits(const struct shown_history *g, const char *benchmark,
			    struct series_options options, const char *metric,
			    struct loaded_series *out, struct cg_error *err)
{
	series_set_limits(g->project->config, benchmark, metric, &options.limits);
	int status = load_series(&g->placed, benchmark, &options, out, err);
	if (!status && (status = series_set_standing(g->project->config, &out->series, err))) {
		loaded_series_free(out);
		*out = (struct loaded_series){ 0 };
	}
	return status;
}

/* Prefers counts by the current definition of the benchmark in irdiff.yml. Which metric is shown of
 * one without Ir is only known once its rows were found. */
static int load_one_history(const struct shown_history *g, const char *benchmark,
			    struct loaded_series *out, struct cg_error *err)
{
	char present[HISTORY_DIGEST];
	struct series_options options = g->options;
	const char *wanted = options.metric ? options.metric : "Ir", *found;
	int status = series_definition(g->project->config, benchmark, present, err);

	options.present = *present ? present : NULL;
	if (!status)
		status = load_with_limits(g, benchmark, options, wanted, out, err);
	if (status || !(found = out->series.metric) || strcmp(found, wanted) == 0)
		return status;
	loaded_series_free(out);
	*out = (struct loaded_series){ 0 };
	return load_with_limits(g, benchmark, options, found, out, err);
}

static int load_all(struct shown_history *g, struct cg_error *err)
{
	int status = CG_OK;

	g->loaded = calloc(g->benchmarks.count + 1, sizeof *g->loaded);
	if (!g->loaded)
		return cg_fail_nomem(err);
	for (size_t i = 0; !status && i < g->benchmarks.count; i++) {
		status = load_one_history(g, g->benchmarks.paths[i], &g->loaded[i], err);
		g->count += !status;
	}
	return status;
}

static int place_history(struct shown_history *g, const char *benchmark, struct cg_error *err)
{
	int status;

	if ((status = branch_of(g->git, "HEAD", &g->branch, err)) ||
	    (status = history_read(g->history, benchmark, &g->book, err)))
		return status;
	if (!g->git)
		g->branch.why = g->no_git;
	return place_commits(&g->book, &g->branch, &g->placed, err);
}

static bool lacks_wanted_metric(const struct series *s)
{
	return s->uncounted && !s->count && !s->off_branch;
}

static int no_such_metric(const struct shown_history *g, bool one, struct cg_error *err)
{
	const struct series *s = &g->loaded[0].series;
	char *known = known_metrics(&g->book, g->loaded, g->count, s->metric,
				    one ? "; it has:" : "; they have:");
	int status = !known ? cg_fail_nomem(err)
		     : one  ? cg_fail(err, CG_EINVAL, NULL, 0, "%s was measured without '%s'%s",
				      s->benchmark, s->metric, known)
			    : cg_fail(err, CG_EINVAL, NULL, 0,
				      "all benchmarks were measured without '%s'%s", s->metric,
				      known);

	free(known);
	return status;
}

/* A benchmark and its heap have no metric in common. */
static int leave_out_without_metric(struct shown_history *g, const char *benchmark,
				    struct cg_error *err)
{
	size_t kept = 0;

	for (size_t i = 0; i < g->count; i++)
		kept += !lacks_wanted_metric(&g->loaded[i].series);
	if (!kept && g->count)
		return no_such_metric(g, benchmark != NULL, err);
	kept = 0;
	for (size_t i = 0; i < g->count; i++) {
		if (lacks_wanted_metric(&g->loaded[i].series))
			loaded_series_free(&g->loaded[i]);
		else
			g->loaded[kept++] = g->loaded[i];
	}
	g->count = kept;
	return CG_OK;
}

static int prepare_history(struct shown_history *g, const char *benchmark, struct cg_error *err)
{
	int status;

	if ((status = choose_shown_benchmarks(g, benchmark, err)) ||
	    (status = find_since(g, err)) || (status = place_history(g, benchmark, err)))
		return status;
	status = load_all(g, err);
	if (status || (!benchmark && !g->options.metric))
		return status;
	return leave_out_without_metric(g, benchmark, err);
}

/* Its cases are too many for a table each; its heap is not. */
static bool is_one_benchmark(const struct shown_history *g)
{
	size_t heaps = 0;

	for (size_t i = 0; i < g->count; i++)
		heaps += metric_is_of_heap(g->loaded[i].series.metric);
	return g->count && heaps <= 1 && g->count - heaps <= 1;
}

static void warn_of_order(const struct shown_history *g)
{
	char *why = text_safe(g->branch.why.message);

	print_warning("commits are sorted by time only, so that a step may be between commits of "
		      "different branches: %s",
		      why ? why : "");
	free(why);
}

static int write_history(const struct shown_history *g, bool one, struct output *out)
{
	const struct history_settings *s = g->s;
	const struct series **series = calloc(g->count + 1, sizeof *series);
	int status;

	if (!series)
		return CG_ENOMEM;
	for (size_t i = 0; i < g->count; i++)
		series[i] = &g->loaded[i].series;
	const struct history_report r = { series, g->count, s->steps, (size_t)s->top,
					  g->branch.known ? NULL : g->branch.why.message };
	if (strcmp(s->format, "text") != 0 && history_is_by_time(&r))
		warn_of_order(g);
	if (strcmp(s->format, "json") == 0)
		status = history_json(&r, out->to);
	else if (strcmp(s->format, "csv") == 0)
		status = history_csv(&r, out->to);
	else if (one)
		status = history_text(&r, &out->style, out->to);
	else if (g->count)
		status = history_text_overview(&r, &out->style, out->to);
	else
		status =
			fputs("No history yet; 'irdiff history --measure=new' measures the newest commits.\n",
			      out->to) < 0
				? CG_EIO
				: CG_OK;
	free(series);
	return status;
}

static int show_history(struct shown_history *g, const char *benchmark, struct cg_error *err)
{
	struct output out;
	int status = prepare_history(g, benchmark, err);

	if (!status)
		status = output_open(&out, g->s->output, g->s->color, g->s->wide, err);
	if (status)
		return status;
	status = write_history(g, benchmark && is_one_benchmark(g), &out);
	if (status == CG_ENOMEM)
		cg_fail_nomem(err);
	return output_close(&out, status, err);
}

/* ---- as a site ---- */

static int write_history_site(struct shown_history *g, struct cg_error *err)
{
	struct site_request r = { .project = g->project,
				  .git = g->git,
				  .placed = &g->placed,
				  .metric = g->options.metric,
				  .limits = g->options.limits,
				  .reports = g->s->reports,
				  .title = g->s->title };
	struct own_files_counts counts;
	int status = site_open(g->s->output, &r.files, err);

	if (!status)
		status = place_history(g, NULL, err);
	if (!status && !g->branch.known)
		warn_of_order(g);
	if (!status)
		status = site_write(&r, &counts, err);
	own_files_close(r.files);
	if (!status)
		printf("%s: %zu files, %zu written, %zu removed\n", g->s->output, counts.total,
		       counts.written, counts.removed);
	return status;
}

/* ---- the command ---- */

static bool is_digest(const char *text)
{
	size_t len = strlen(text);
	return len >= 4 && len < HISTORY_DIGEST && strspn(text, "0123456789abcdef") == len;
}

/* The option whose value is not a digest; NULL: none. */
static const char *wrong_digest(const struct history_settings *s)
{
	return s->environment && !is_digest(s->environment) ? "environment"
	       : s->definition && !is_digest(s->definition) ? "definition"
							    : NULL;
}

/* Reports wrong usage. */
static bool check_history_operands(const struct history_settings *s, const struct arguments *args,
				   int *exit_code)
{
	const char *wrong = wrong_digest(s);

	if (args->count > 1)
		*exit_code = usage_error("history", "expected at most one BENCH");
	else if (args->has_rest && !s->measure)
		*exit_code = usage_error("history", "-- PATH requires --measure");
	else if (s->import && args->count)
		*exit_code = usage_error(
			"history", "--import cannot be used with BENCH; it adds the whole file");
	else if (strcmp(s->format, "html") == 0 && args->count)
		*exit_code = usage_error(
			"history", "--format=html writes pages of all benchmarks; leave out '%s'",
			args->operands[0]);
	else if (strcmp(s->format, "html") == 0 && strcmp(s->output, "-") == 0)
		*exit_code = usage_error("history", "--format=html writes a directory; name one");
	else if (wrong)
		*exit_code = usage_error(
			"history", "--%s: expected at least the first 4 of 16 hexadecimal digits",
			wrong);
	else
		return true;
	return false;
}

/* Who wants no threshold wants every change. */
static uint64_t smallest_step(const struct history_settings *s)
{
	return s->min_delta != MIN_DELTA_NOT_GIVEN ? s->min_delta
	       : s->threshold > 0                  ? SERIES_MIN_DELTA
						   : 1;
}

static int run_history(const struct history_settings *s, const struct project *project,
		       const char *benchmark, struct cg_error *err)
{
	struct shown_history g = { .s = s, .project = project };

	if (s->import)
		return import_rows(project->root, s->import, err);
	g.options = (struct series_options){
		.metric = s->metric ? metric_event_name(s->metric) : NULL,
		.definition = benchmark ? s->definition : NULL,
		.environment = benchmark ? s->environment : NULL,
		.limits = { .threshold_ppb = (uint64_t)(s->threshold * 1e7 + 0.5),
			    .min_delta = smallest_step(s) },
		.all = s->all,
	};
	int status = history_open(project->root, &g.history, err);
	/* Without a repository, commits are in the order of their times. */
	if (git_open(project->root, NULL, &g.git, &g.no_git))
		g.git = NULL;
	if (!status)
		status = s->export ? export_rows(g.history, s, benchmark, err)
			 : strcmp(s->format, "html") == 0 ? write_history_site(&g, err)
							  : show_history(&g, benchmark, err);
	free_shown_history(&g);
	return status;
}

static int measure_history(const struct history_settings *s, const struct project *project,
			   const char *bench, const char *const *paths)
{
	const struct wanted_range wanted = { s->measure, paths, (size_t)s->newest };
	const struct build_area_options options = { .trust_failures = true, .jobs = s->jobs };

	return exit_code_of(measure_range(project, &wanted, bench, &options));
}

int cmd_history(int argc, char **argv)
{
	struct history_settings s = { .format = "text",
				      .color = "auto",
				      .top = 20,
				      .reports = 20,
				      .newest = 20,
				      .min_delta = MIN_DELTA_NOT_GIVEN,
				      .threshold = (double)SERIES_THRESHOLD_PPB / 1e7 };
	struct arguments args = { 0 };
	struct project project = { 0 };
	struct cg_error err = { 0 };
	int exit_code;

	if (parse_history_options(&s, argc, argv, &args, &exit_code) &&
	    check_history_operands(&s, &args, &exit_code)) {
		int status = project_open(&project, &terminal_notices, &err);
		const char *bench = args.count ? args.operands[0] : NULL;
		exit_code = EXIT_FINE;
		if (!status && s.measure)
			exit_code = measure_history(&s, &project, bench, args.rest);
		if (!status && !exit_code)
			status = run_history(&s, &project, bench, &err);
		exit_code = status ? print_error(&err) : exit_code;
	}
	project_close(&project);
	free(args.operands);
	return exit_code;
}
