#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cgprofile/strings.h"
#include "src/cli/message.h"
#include "src/cli/shared_options.h"
#include "src/cli/write_suite.h"
#include "src/cmd/command.h"
#include "src/commits/comparing.h"
#include "src/compare/last_report.h"
#include "src/compare/remarking.h"
#include "src/compare/results.h"
#include "src/compare/results_overlap.h"
#include "src/compare/verdicts_file.h"
#include "src/status/said.h"

static const struct command_help help = {
	"merge",
	(const char *const[]){ "DIR… [OPTIONS]", NULL },
	"Merges the results of several machines into one report. Each DIR is the result of one shard,\n"
	"written by 'irdiff check --shard=K/N --results=DIR' or 'irdiff compare'. The report is the\n"
	"same as if one machine had compared all benchmarks, with the limits of the shards. The exit code\n"
	"is the highest of all. No shard may be missing, and all must have the same commits, irdiff.yml\n"
	"and options.",
	.takes_command = false,
	.main_options = "partial format view output top filter ignore title",
	.commands_with = commands_with_option,
	.operands = (const char *const[]){ "DIR…", NULL },
	.ranges = (const struct option_range[]){ PAGE_RANGE, { 0 } },
	.rules = (const struct option_rule[]){ { "--view", REQUIRES, "--format=text", NULL },
					       PAGE_RULES,
					       { 0 } },
};

static bool parse_merge_options(struct suite_options *s, bool *partial, int argc, char **argv,
				struct arguments *args, int *exit_code)
{
	const struct option_spec specs[] = {
		{ "partial", 0, OPTION_SWITCH, partial, NULL, "report even if shards are missing" },
		{ "format", 0, OPTION_CHOICE, &s->format, REPORT_FORMATS "|html",
		  "output format (text)" },
		{ "view", 0, OPTION_CHOICE, &s->view, "summary|flat|tree|causes",
		  "text view of a single benchmark (summary: causes, then functions)" },
		{ "output", 'o', OPTION_TEXT, &s->output, "FILE", "write to FILE" },
		{ "step-summary", 0, OPTION_SWITCH, &s->step_summary, NULL,
		  "also append a markdown report to $GITHUB_STEP_SUMMARY" },
		TOP_OPTION(&s->compare),
		{ "filter", 0, OPTION_TEXT, &s->compare.filter, "REGEX",
		  "only functions that match" },
		{ "ignore", 0, OPTION_TEXT, &s->compare.ignore, "REGEX",
		  "hide functions that match" },
		PAGE_OPTIONS(s),
		INSIGHTS_OPTION(&s->compare.insights, "auto"),
		{ "color", 0, OPTION_CHOICE, &s->color, "auto|always|never", "use colours (auto)" },
		{ "wide", 'w', OPTION_SWITCH, &s->wide, NULL, "show full names" },
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args,
			     exit_code);
}

struct merging {
	struct suite_options *options;
	const char **paths; /* of the shards; sorted with them */
	struct results *shards;
	size_t count;
	struct project project, judged; /* judged: with the irdiff.yml of the shards */
	struct config *config;
	struct suite suite;
	struct bench_failure *failures;
	size_t nfailures;
	enum ending worst;
	bool reported; /* this run has left its report */
};

/* ---- shards that match ---------------------------------------------------- */

static bool is_equal_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool are_equal(const char *const *a, size_t na, const char *const *b, size_t nb)
{
	bool equal = na == nb;
	for (size_t i = 0; equal && i < na; i++)
		equal = strcmp(a[i], b[i]) == 0;
	return equal;
}

static bool is_judged_equally(const struct results *a, const struct results *b)
{
	return a->check == b->check && a->require_base == b->require_base &&
	       a->allow_removed == b->allow_removed && a->allow_env_change == b->allow_env_change &&
	       a->no_accepted == b->no_accepted && is_equal_text(a->metric, b->metric) &&
	       is_equal_text(a->inlines, b->inlines) && is_equal_text(a->threshold, b->threshold) &&
	       is_equal_text(a->min_delta, b->min_delta) &&
	       are_equal(a->limits.items, a->limits.count, b->limits.items, b->limits.count);
}

static int check_shard(const struct results *a, const char *path_a, const struct results *b,
		       const char *path_b, struct cg_error *err)
{
	if (a->shard.of != b->shard.of)
		return cg_fail(err, CG_EINVAL, path_b, 0,
			       "belongs to a run of %" PRIu64
			       " shards, but %s to a run of %" PRIu64,
			       b->shard.of, path_a, a->shard.of);
	if (!is_equal_text(a->head_files, b->head_files) || !is_equal_text(a->head, b->head))
		return cg_fail(err, CG_EINVAL, path_b, 0,
			       "head differs from that of %s: '%s', not '%s'", path_a, b->head,
			       a->head);
	if (!is_equal_text(a->base_files, b->base_files) || !is_equal_text(a->base, b->base))
		return cg_fail(err, CG_EINVAL, path_b, 0,
			       "base differs from that of %s: '%s', not '%s'", path_a, b->base,
			       a->base);
	if (!is_equal_text(a->config, b->config) ||
	    !are_equal(a->benchmarks, a->nbenchmarks, b->benchmarks, b->nbenchmarks))
		return cg_fail(err, CG_EINVAL, path_b, 0,
			       CONFIG_NAME " or the benchmarks to measure differ from those of %s",
			       path_a);
	if (!is_judged_equally(a, b) || !is_equal_text(a->baseline, b->baseline))
		return cg_fail(err, CG_EINVAL, path_b, 0, "was judged with other options than %s",
			       path_a);
	return CG_OK;
}

/* The first two shards that say different things about their machines; false: there are none. A
 * shard that measured nothing does not know its own. */
static bool differ_in_fact(const struct merging *m, size_t fact, size_t *a, size_t *b)
{
	size_t knows = 0;

	while (knows < m->count && !m->shards[knows].facts[fact])
		knows++;
	for (size_t i = knows + 1; i < m->count; i++) {
		const char *other = m->shards[i].facts[fact];
		if (!other || strcmp(other, m->shards[knows].facts[fact]) == 0)
			continue;
		*a = knows;
		*b = i;
		return true;
	}
	return false;
}

static int check_tools(const struct merging *m, struct cg_error *err)
{
	size_t a, b;

	for (size_t f = 0; f < RESULTS_TOOLS; f++)
		if (differ_in_fact(m, f, &a, &b))
			return cg_fail(
				err, CG_EINVAL, m->paths[b], 0,
				"was measured with another Valgrind than %s (%s: %s, not %s)",
				m->paths[a], results_fact_names[f], m->shards[b].facts[f],
				m->shards[a].facts[f]);
	return CG_OK;
}

/* Shards may have run on different machines: harmless, but good to know. */
static void warn_of_machines(const struct merging *m)
{
	size_t a, b;

	for (size_t f = RESULTS_TOOLS; f < RESULTS_FACTS; f++) {
		if (!differ_in_fact(m, f, &a, &b))
			continue;
		print_warning(
			"%s was measured on another kind of machine than %s (%s differs); base and "
			"head of each benchmark are comparable, counts of different benchmarks "
			"are not",
			m->paths[b], m->paths[a], results_fact_names[f]);
		return;
	}
}

/* Each is there once and, unless some may be missing, all of them are. All are of one run. */
static int check_numbers(const struct merging *m, bool partial, struct cg_error *err)
{
	const uint64_t of = m->shards[0].shard.of;
	const char *path_of[SHARDS_MAX + 1] = { NULL };

	for (size_t i = 0; i < m->count; i++) {
		const uint64_t number = m->shards[i].shard.number;
		if (path_of[number])
			return cg_fail(err, CG_EINVAL, m->paths[i], 0,
				       "shard %" PRIu64 "/%" PRIu64 " is already given by %s",
				       number, of, path_of[number]);
		path_of[number] = m->paths[i];
	}
	for (uint64_t k = 1; !partial && k <= of; k++)
		if (!path_of[k])
			return cg_fail(err, CG_EINVAL, NULL, 0,
				       "shard %" PRIu64 "/%" PRIu64
				       " is missing; if it failed, use --partial "
				       "to report without it",
				       k, of);
	return CG_OK;
}

/* What must be equal is compared with the first one: then it is of all. */
static int check_all(struct merging *m, bool partial, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 1; !status && i < m->count; i++)
		status = check_shard(&m->shards[0], m->paths[0], &m->shards[i], m->paths[i], err);
	if (status || (status = check_tools(m, err)) || (status = check_numbers(m, partial, err)))
		return status;
	return results_find_overlap(m->shards, m->paths, m->count, err);
}

/* ---- reading ------------------------------------------------------------------ */

static int read_all_shards(struct merging *m, const struct arguments *args, struct cg_error *err)
{
	int status = CG_OK;

	m->paths = args->operands;
	m->shards = calloc(args->count, sizeof *m->shards);
	if (!m->shards)
		return cg_fail_nomem(err);
	for (; !status && m->count < args->count; m->count++)
		status = results_read(args->operands[m->count], &m->shards[m->count], err);
	return status;
}

static int take_judging(struct merging *m, struct cg_error *err)
{
	const struct results *r = &m->shards[0];
	struct comparison_options *o = &m->options->compare;
	char *path;

	m->judged.root = m->project.root;
	m->judged.commits = m->project.commits;
	o->judging = (struct judging_options){ .check = r->check,
					       .require_base = r->require_base,
					       .allow_removed = r->allow_removed,
					       .allow_env_change = r->allow_env_change,
					       .no_accepted = r->no_accepted,
					       .limits = r->limits };
	o->metric = r->metric;
	o->reading.inlines = r->inlines ? r->inlines : o->reading.inlines;
	o->threshold = r->threshold ? strtod(r->threshold, NULL) : o->threshold;
	o->min_delta = r->min_delta ? strtoull(r->min_delta, NULL, 10) : o->min_delta;
	m->options->baseline = r->baseline;
	if (!r->config)
		return CG_OK;
	if (asprintf(&path, "%s/" CONFIG_NAME, m->project.root) < 0)
		return cg_fail_nomem(err);
	int status = config_parse(r->config, strlen(r->config), path, &m->config, err);
	free(path);
	m->judged.config = m->config;
	return status;
}

/* ---- one of all ---------------------------------------------------------------- */

/* A pair of a shard, and the place of its benchmark in irdiff.yml. */
struct placed_pair {
	cg_str place;
	const struct results_pair *pair;
	size_t order;
};

static int compare_placed(const void *left, const void *right)
{
	const struct placed_pair *a = left, *b = right;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

/* Those of benchmarks that irdiff.yml does not have are left out. */
static size_t place_pairs(const struct merging *m, const struct cg_strings *benchmarks,
			  struct placed_pair *out)
{
	size_t count = 0;

	for (size_t i = 0; i < m->count; i++)
		for (size_t k = 0; k < m->shards[i].npairs; k++) {
			const struct results_pair *p = &m->shards[i].pairs[k];
			const cg_str place = cg_strings_find(benchmarks, p->name, strlen(p->name));
			if (!place || p->kept)
				continue;
			out[count] = (struct placed_pair){ place, p, count };
			count++;
		}
	return count;
}

static int add_placed_pairs(struct merging *m, const struct placed_pair *pairs, size_t count,
			    struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < count; i++) {
		const struct results_pair *p = pairs[i].pair;
		status = suite_add(&m->suite, p->base, p->head, err);
		if (status)
			break;
		struct suite_bench *b = m->suite.benches[m->suite.count - 1];
		b->first = p->first;
		b->added = p->added;
		b->c.not_run = p->not_run;
	}
	return status;
}

/* In the order of irdiff.yml. */
static int add_pairs_of_shards(struct merging *m, struct cg_error *err)
{
	const struct results *first = &m->shards[0];
	struct cg_strings benchmarks = { 0 };
	size_t most = 0;
	cg_str unused;

	for (size_t i = 0; i < m->count; i++)
		most += m->shards[i].npairs;
	struct placed_pair *pairs = calloc(most + 1, sizeof *pairs);
	int status = pairs ? cg_strings_init(&benchmarks) : CG_ENOMEM;
	for (size_t i = 0; !status && i < first->nbenchmarks; i++)
		status = cg_strings_add(&benchmarks, first->benchmarks[i],
					strlen(first->benchmarks[i]), &unused);
	if (status)
		status = cg_fail_nomem(err);
	size_t count = status ? 0 : place_pairs(m, &benchmarks, pairs);
	if (count)
		qsort(pairs, count, sizeof *pairs, compare_placed);
	if (!status)
		status = add_placed_pairs(m, pairs, count, err);
	cg_strings_free(&benchmarks);
	free(pairs);
	return status;
}

static int add_failures(struct merging *m, struct cg_error *err)
{
	size_t count = 0;

	for (size_t i = 0; i < m->count; i++)
		count += m->shards[i].nfailures;
	m->failures = calloc(count + 1, sizeof *m->failures);
	if (!m->failures)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < m->count; i++)
		for (size_t k = 0; k < m->shards[i].nfailures; k++)
			m->failures[m->nfailures++] = m->shards[i].failures[k];
	m->suite.failures = m->failures;
	m->suite.nfailures = m->nfailures;
	return CG_OK;
}

static int take_all(struct merging *m, struct cg_error *err)
{
	int status = results_take_entries(m->shards, m->paths, m->count, m->project.root, err);

	for (size_t i = 0; i < m->count; i++)
		m->worst = suite_worse(m->worst, m->shards[i].ending);
	if (!status)
		status = add_pairs_of_shards(m, err);
	return status ? status : add_failures(m, err);
}

/* --partial skips them, but readers of the verdict have to know. */
static int remark_missing_shards(struct merging *m, struct cg_error *err)
{
	uint64_t of = m->shards[0].shard.of;
	char *text;

	if (m->count >= of)
		return CG_OK;
	if (asprintf(&text,
		     "Only %zu of %" PRIu64
		     " shards were merged; the other benchmarks were not compared",
		     m->count, of) < 0)
		text = NULL;
	return remarks_add(&m->suite.remarks, REMARK_WARNING, "partial", text, NULL, err);
}

static bool has_remark(const struct remarks *r, const char *text)
{
	for (size_t i = 0; i < r->count; i++)
		if (strcmp(r->items[i].text, text) == 0)
			return true;
	return false;
}

/* Every shard has the remarks on all benchmarks. */
static int take_remarks(struct merging *m, struct cg_error *err)
{
	struct remarks *all = &m->suite.remarks;
	int status = CG_OK;

	for (size_t i = 0; i < m->count; i++)
		for (size_t k = 0; !status && k < m->shards[i].nremarks; k++)
			if (!has_remark(all, m->shards[i].remarks[k]))
				status = remarks_add(all, REMARK_WARNING, "rules",
						     strdup(m->shards[i].remarks[k]), NULL, err);
	return status;
}

/* Whether the shards had all benchmarks of irdiff.yml, not only some named ones. */
static bool is_complete(const struct merging *m)
{
	bool complete = m->count >= m->shards[0].shard.of;

	for (size_t i = 0; i < m->count; i++)
		complete = complete && m->shards[i].complete;
	return complete;
}

/* Whether each benchmark of theirs has all its cases. */
static bool has_all_cases(const struct merging *m)
{
	bool whole = true;

	for (size_t i = 0; i < m->count; i++)
		whole = whole && m->shards[i].whole;
	return whole;
}

/* Counts of other events would be said to have varied. */
static int check_first_counts(const struct suite_bench *b, struct cg_error *err)
{
	if (b->first.nbase == b->c.base.profile->nevents &&
	    b->first.nhead == b->c.head.profile->nevents)
		return CG_OK;
	return cg_fail(err, CG_EINVAL, b->head, 0,
		       "its first counts are of other events than its profile; measure it again");
}

/* What was measured twice is judged as its shard did, by both. */
static int take_second_measurements(struct merging *m, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < m->suite.count; i++) {
		struct suite_bench *b = m->suite.benches[i];
		if (!b->first.nbase || !b->head)
			continue;
		status = check_first_counts(b, err);
		if (!status)
			status = remarking_tried(&b->c, b->first.base, b->first.head, err);
	}
	return status;
}

static int report_merged(struct merging *m, struct cg_error *err)
{
	const char *const preface[] = { m->shards[0].base, m->shards[0].head, NULL };
	if (!m->suite.count) {
		print_message("no shard compared anything");
		return CG_OK;
	}
	m->suite.preface = preface;
	m->suite.complete = is_complete(m);
	m->suite.whole = has_all_cases(m);
	m->suite.shard = m->count < m->shards[0].shard.of;
	int status = suite_compare(&m->suite, &m->judged, err);
	if (!status)
		status = take_second_measurements(m, err);
	if (!status)
		status = suite_settle(&m->suite, err);
	if (!status)
		status = remark_missing_shards(m, err);
	if (!status)
		status = take_remarks(m, err);
	if (!status)
		status = write_suite(&m->suite, err);
	if (!status)
		status = suite_keep_last(&m->suite, m->project.root, err);
	m->reported = !status;
	if (!status && m->options->compare.judging.check)
		status = suite_keep_verdicts(&m->suite, &m->judged, err);
	m->worst = suite_worse(m->worst, status ? ENDED_FINE : suite_ending(&m->suite));
	return status;
}

/* What is reported of that changes no exit code. */
static void report_failed_merge(const struct merging *m, enum ending ending, const char *said)
{
	const struct failed_run run = {
		.command = "merge",
		.exit_code = (int)ending,
		.failures = m->failures,
		.nfailures = m->nfailures,
		.said = said,
	};
	struct cg_error err;

	if (m->project.root)
		last_report_fail(m->project.root, &run);
	if (write_failed_run(m->options, &run, &err))
		print_error(&err);
}

static int merge_shards(struct merging *m, const struct arguments *args, bool partial)
{
	struct cg_error err;
	struct said said;
	int status = project_open(&m->project, &terminal_notices, &err);

	if (!status) {
		last_report_forget(m->project.root);
		verdicts_file_forget(&m->project);
		status = read_all_shards(m, args, &err);
	}
	if (!status)
		status = check_all(m, partial, &err);
	if (!status)
		status = take_judging(m, &err);
	if (!status) {
		warn_of_machines(m);
		suite_options_complete(m->options);
		status = take_all(m, &err);
	}
	if (!status)
		status = report_merged(m, &err);
	said_begin(&said, &terminal_notices);
	enum ending ending = status ? notice_error(&said.notices, &err) : m->worst;
	if (ending && !m->reported)
		report_failed_merge(m, ending, said_text(&said));
	said_end(&said);
	return exit_code_of(ending);
}

static bool check_merge_operands(struct suite_options *s, const struct arguments *args,
				 int *exit_code)
{
	if (!args->count)
		*exit_code = usage_error("merge",
					 "name the results of shards: directories written by "
					 "irdiff check --results=DIR");
	else
		return suite_check_usage("merge", s, exit_code);
	return false;
}

int cmd_merge(int argc, char **argv)
{
	struct suite_options s = { .format = "text",
				   .view = "summary",
				   .color = "auto",
				   .last = true,
				   .most_frames = SUITE_FRAMES,
				   .compare = { COMPARISON_DEFAULTS, .fixed_threshold = true } };
	struct merging m = { .options = &s, .suite = { .options = &s } };
	struct arguments args = { 0 };
	bool partial = false;
	int exit_code;

	if (parse_merge_options(&s, &partial, argc, argv, &args, &exit_code) &&
	    check_merge_operands(&s, &args, &exit_code))
		exit_code = merge_shards(&m, &args, partial);
	suite_free(&m.suite);
	for (size_t i = 0; i < m.count; i++)
		results_free(&m.shards[i]);
	free(m.shards);
	free(m.failures);
	config_free(m.config);
	project_close(&m.project);
	free(s.include.items);
	free(args.operands);
	return exit_code;
}
