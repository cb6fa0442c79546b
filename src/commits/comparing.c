#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "cgprofile/names.h"
#include "src/commits/comparing_state.h"
#include "src/commits/revision_ahead.h"
#include "src/commits/revision_build.h"
#include "src/commits/revision_measure.h"
#include "src/commits/revision_plan.h"
#include "src/commits/revision_results.h"
#include "src/compare/check_limits.h"
#include "src/compare/last_report.h"
#include "src/compare/results.h"
#include "src/compare/verdicts_file.h"
#include "src/measure/plan.h"
#include "src/status/notice.h"
#include "src/status/said.h"
#include "src/store/cache.h"
#include "src/store/label.h"

/* ---- which benchmarks ----------------------------------------------------- */

int comparing_add_bench(struct comparing *c, const struct measured_bench *bench,
			struct cg_error *err)
{
	if (cg_grow(&c->benches, &c->benches_cap, c->nbenches + 1, sizeof *c->benches))
		return cg_fail_nomem(err);
	c->benches[c->nbenches++] = *bench;
	return CG_OK;
}

static int add_measured_bench(struct comparing *c, const struct config_benchmark *b,
			      struct cg_error *err)
{
	return comparing_add_bench(c, &(struct measured_bench){ .benchmark = b }, err);
}

/* Head asks the question: its definitions apply to base and head. */
struct config *comparing_definitions(const struct comparing *c)
{
	return c->range.head && c->head.own_config ? c->head.own_config : c->project.config;
}

/* Whether "BENCH", which has all its cases, or "BENCH/CASE" means this benchmark. */
static bool names_benchmark(const char *wanted, const char *name)
{
	char *bench = strndup(wanted, label_benchmark_length(wanted));
	bool names = bench && (strcmp(bench, name) == 0 || fnmatch(bench, name, 0) == 0);

	free(bench);
	return names;
}

bool comparing_means(const char *wanted, const char *name)
{
	char *bench = strndup(name, label_benchmark_length(name));
	bool meant = bench && (strcmp(wanted, name) == 0 || fnmatch(wanted, name, 0) == 0 ||
			       (!strchr(wanted, '/') && names_benchmark(wanted, bench)));

	free(bench);
	return meant;
}

static bool is_named_benchmark(const struct text_list *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (comparing_means(names->items[i], name))
			return true;
	return names->count == 0;
}

bool comparing_wants_any_of(const struct comparing *c, const char *bench)
{
	const struct text_list *names = &c->names;

	for (size_t i = 0; i < names->count; i++)
		if (names_benchmark(names->items[i], bench))
			return true;
	return names->count == 0;
}

static int check_chosen_names(const struct config *config, const struct text_list *names,
			      struct cg_error *err)
{
	for (size_t i = 0; i < names->count; i++) {
		bool found = comparing_is_tag(names->items[i]);
		for (size_t k = 0; !found && k < config->benchmark_count; k++)
			found = names_benchmark(names->items[i], config->benchmarks[k].name);
		if (!found)
			return no_benchmark(config, names->items[i], err);
	}
	return CG_OK;
}

static int take_compared_command(struct comparing *c, struct cg_error *err)
{
	const char *const *words = c->options->command;
	const uint64_t depth = c->options->depth;
	struct config_benchmark *b = &c->command;

	b->name = cg_base_name(words[0]);
	b->depth = depth == COMPARING_DEPTH_AUTO ? -1
		   : depth > CONFIG_DEPTH_MAX    ? CONFIG_DEPTH_MAX
						 : (int)depth;
	b->no_caches = !c->options->cache_sim;
	b->cases = c->options->cases;
	b->image = c->options->image;
	b->command.argv = (char **)words;
	while (words[b->command.argc])
		b->command.argc++;
	int status = label_check_new(b->name, err);
	return status ? status : add_measured_bench(c, b, err);
}

static int check_any_benchmark(const struct config *config, struct cg_error *err)
{
	if (!config)
		return cg_fail(
			err, CG_EINVAL, NULL, 0,
			"no benchmarks: no " CONFIG_NAME
			" found ('irdiff init' writes one); to compare a command, put it after --");
	return config->benchmark_count
		       ? CG_OK
		       : cg_fail(err, CG_EINVAL, config->path, 0,
				 "no benchmarks; add one as shown in irdiff.yml(5)");
}

static int choose_compared_benchmarks(struct comparing *c, struct cg_error *err)
{
	struct config *config = comparing_definitions(c);
	const struct text_list *names = &c->names;

	c->judged = c->project;
	c->judged.config = config;
	if (c->options->command)
		return take_compared_command(c, err);
	int status = check_any_benchmark(config, err);
	if (!status)
		status = comparing_find_names(c, config, err);
	if (!status)
		status = check_chosen_names(config, &c->options->benches, err);
	if (status)
		return status;
	c->wanted = calloc(config->benchmark_count + 1, sizeof *c->wanted);
	if (!c->wanted)
		status = cg_fail_nomem(err);
	for (size_t i = 0; !status && i < config->benchmark_count; i++) {
		const char *name = config->benchmarks[i].name;
		if (!comparing_wants_any_of(c, name))
			continue;
		c->wanted[c->nwanted++] = name;
		if (shard_has(&c->options->shard, name))
			status = add_measured_bench(c, &config->benchmarks[i], err);
	}
	if (!status && !c->nwanted)
		status = cg_fail(err, CG_EINVAL, config->path, 0,
				 "no benchmarks; add one as shown in irdiff.yml(5)");
	c->suite.complete = !names->count && !c->options->shard.of;
	c->suite.shard = c->options->shard.of;
	c->suite.whole = true;
	for (size_t i = 0; i < names->count; i++)
		c->suite.whole &= !strchr(names->items[i], '/');
	return status ? status : comparing_add_removed(c, err);
}

/* Before anything is built for them. */
static int check_compared_limits(const struct comparing *c, struct cg_error *err)
{
	const struct judging_options *o = &c->options->suite.compare.judging;
	const struct config *definitions = comparing_definitions(c);
	int status = CG_OK;

	for (size_t i = 0; !status && o->check && i < c->nbenches; i++) {
		const struct config_benchmark *b = c->benches[i].benchmark;
		if (!c->benches[i].removed)
			status = check_counted_limits(definitions, b, &o->limits, err);
	}
	return status;
}

/* Nor is anything built if the library that freezes is missing. */
static int check_freezing(const struct comparing *c, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < c->nbenches; i++)
		if (!c->benches[i].removed)
			status = revision_check_freeze(&c->area, c->benches[i].benchmark, err);
	return status;
}

/* ---- measuring ------------------------------------------------------------ */

static bool is_signal(enum ending ending)
{
	return ending_is_signal(ending);
}

void comparing_note_failure(struct comparing *c, const char *name, const struct revision *s,
			    enum ending ending)
{
	char *where;

	c->worst = ending > c->worst ? ending : c->worst;
	if (cg_grow(&c->failures, &c->failures_cap, c->nfailures + 1, sizeof *c->failures) ||
	    asprintf(&where, "%s (%.*s)", s->name, GIT_ID_SHORT, s->commit.id) < 0)
		return; /* the exit code reports it as well */
	c->failures[c->nfailures++] = (struct bench_failure){ name, where };
	c->suite.failures = c->failures;
	c->suite.nfailures = c->nfailures;
}

bool comparing_has_failed(const struct comparing *c, const char *name)
{
	for (size_t i = 0; i < c->nfailures; i++)
		if (strcmp(c->failures[i].name, name) == 0)
			return true;
	return false;
}

/* Of some cases only. */
static enum ending note_lost_cases(struct comparing *c, const struct config_benchmark *b,
				   const struct revision *s, enum ending ending)
{
	const struct path_list *cases = revision_lost_cases(s, b);

	for (size_t i = 0; i < cases->count; i++)
		if (is_named_benchmark(&c->names, cases->paths[i]))
			comparing_note_failure(c, cases->paths[i], s, ending);
	return ENDED_FINE;
}

static enum ending measure_base(struct comparing *c, struct measured_bench *b)
{
	enum ending ending = revision_measure(&c->area, &c->base, b->benchmark, &b->base);

	if (!ending || is_signal(ending))
		return ending;
	if (revision_lost_cases(&c->base, b->benchmark))
		return note_lost_cases(c, b->benchmark, &c->base, ending);
	if (b->removed && c->options->suite.compare.judging.allow_removed) {
		notice_warning(c->project.notices,
			       "%s was removed, and can no longer be measured at %s",
			       b->benchmark->name, c->base.name);
		return ENDED_FINE;
	}
	if (comparing_is_new(c, b->benchmark)) {
		comparing_note_new(c, b);
		return ENDED_FINE;
	}
	b->base_failed = true;
	comparing_note_failure(c, b->benchmark->name, &c->base, ending);
	return c->base.failed ? ending : ENDED_FINE;
}

static enum ending take_base(const struct notices *n, const struct measured_bench *b,
			     struct path_list *out)
{
	struct cg_error err;
	int status = CG_OK;

	for (size_t i = 0; !status && i < b->base.count; i++)
		status = path_list_add(out, b->base.paths[i], &err);
	return status ? notice_error(n, &err) : ENDED_FINE;
}

static enum ending measure_head(struct comparing *c, struct measured_bench *b)
{
	if (b->base.count && !c->options->suite.baseline && revision_is_same(&c->base, &c->head))
		return take_base(c->project.notices, b, &b->head);
	enum ending ending = revision_measure(&c->area, &c->head, b->benchmark, &b->head);
	if (!ending || is_signal(ending))
		return ending;
	if (revision_lost_cases(&c->head, b->benchmark))
		return note_lost_cases(c, b->benchmark, &c->head, ending);
	b->head_failed = true;
	comparing_note_failure(c, b->benchmark->name, &c->head, ending);
	return c->head.failed ? ending : ENDED_FINE;
}

/* Measures what is not in the cache, several benchmarks, base and head at once; later steps find it
 * there. */
static enum ending measure_ahead(struct comparing *c, bool base, bool head)
{
	const struct config_benchmark **all = calloc(2 * c->nbenches + 1, sizeof *all);
	struct ahead_side sides[2];
	size_t count = 0;
	if (!all)
		return ENDED_FINE;
	if (base)
		sides[count++] = (struct ahead_side){ &c->base, all, 0 };
	for (size_t i = 0; base && i < c->nbenches; i++)
		all[sides[0].count++] = c->benches[i].benchmark;
	if (head)
		sides[count] = (struct ahead_side){ &c->head, all + c->nbenches, 0 };
	for (size_t i = 0; head && i < c->nbenches; i++)
		if (!c->benches[i].removed)
			all[c->nbenches + sides[count].count++] = c->benches[i].benchmark;
	enum ending ending = revision_measure_ahead(&c->area, sides, count + head);
	free(all);
	return ending;
}

/* Whether the entries of a side can be looked for again without a failure that was noted. */
static bool may_look_again(const struct revision *s, const struct config_benchmark *b,
			   const struct path_list *entries)
{
	return entries->count && !revision_lost_cases(s, b);
}

/* Files that are missing are known only of a side that was written out. Until then the cache gives
 * what was measured with all files, so that a change would be one of the files that are there:
 * each side is looked at, and all is looked for again. */
static enum ending measure_alike(struct comparing *c, bool has_base, bool has_head)
{
	enum ending ending = has_base ? revision_look_for_gaps(&c->area, &c->base) : ENDED_FINE;

	if (!ending && has_head)
		ending = revision_look_for_gaps(&c->area, &c->head);
	if (!ending)
		ending = measure_ahead(c, has_base, has_head);
	for (size_t i = 0; !ending && has_base && i < c->nbenches; i++) {
		struct measured_bench *b = &c->benches[i];
		if (!may_look_again(&c->base, b->benchmark, &b->base))
			continue;
		path_list_free(&b->base);
		ending = measure_base(c, b);
	}
	if (!ending && has_base && has_head)
		ending = measure_ahead(c, false, true);
	for (size_t i = 0; !ending && i < c->nbenches; i++) {
		struct measured_bench *b = &c->benches[i];
		if (!may_look_again(&c->head, b->benchmark, &b->head))
			continue;
		path_list_free(&b->head);
		ending = measure_head(c, b);
	}
	return ending;
}

/* If it was not done ahead, all of base comes first: in one place, one side is built at a time. */
static enum ending measure_both_sides(struct comparing *c)
{
	bool has_base = !c->options->suite.baseline;
	bool has_head = !(has_base && revision_is_same(&c->base, &c->head));

	c->head.first_hand = c->options->suite.compare.judging.check;
	c->base.may_lack = true;
	enum ending ending = has_base ? measure_ahead(c, true, has_head) : ENDED_FINE;
	for (size_t i = 0; !ending && has_base && i < c->nbenches; i++)
		ending = measure_base(c, &c->benches[i]);
	if (!ending && has_head)
		ending = measure_ahead(c, false, true);
	for (size_t i = 0; !ending && i < c->nbenches; i++)
		if (!c->benches[i].removed)
			ending = measure_head(c, &c->benches[i]);
	if (!ending && (c->base.gaps || c->head.gaps))
		ending = measure_alike(c, has_base, has_head);
	if (!ending)
		comparing_tell_new(c);
	build_area_record(&c->area);
	return ending;
}

/* ---- header ----------------------------------------------------------------- */

/* One that was named by its id has no other name. */
static char *describe_revision(const char *which, const struct revision *s)
{
	const bool is_id = strncmp(s->name, s->commit.id, strlen(s->name)) == 0;
	const char *name = is_id ? "" : s->name;
	const char *between = is_id ? "" : s->files.changed ? ", with changes on " : "  ";
	char *line;

	if (asprintf(&line, "%s  %s%s%.*s  %s", which, name, between, GIT_ID_SHORT, s->commit.id,
		     s->commit.subject) < 0)
		return NULL;
	return line;
}

static char *describe_baseline(const char *name)
{
	char *line;
	return asprintf(&line, "base  baseline %s", name) < 0 ? NULL : line;
}

int comparing_make_preface(struct comparing *c, struct cg_error *err)
{
	const char *baseline = c->options->suite.baseline;
	c->preface[0] = baseline ? describe_baseline(baseline)
				 : describe_revision("base", &c->base);
	c->preface[1] = describe_revision("head", &c->head);
	c->suite.preface = (const char *const *)c->preface;
	return c->preface[0] && c->preface[1] ? CG_OK : cg_fail_nomem(err);
}

/* ---- the whole ------------------------------------------------------------ */

/* Untracked files may be left by a job: if a gate took them for the change, it would compare the
 * commit with itself. */
static bool has_changes(const struct comparing *c)
{
	static const char *const equal[] = { "diff", "--quiet", "HEAD", "--", NULL };

	return c->head.files.changed && (!c->options->gate || !git_says_yes(c->area.git, equal));
}

/* A gate that compares a commit with itself always passes. */
static int check_range(const struct comparing *c, struct cg_error *err)
{
	const struct suite_options *o = &c->options->suite;

	if (o->baseline || !o->compare.judging.check || c->head.files.changed ||
	    strcmp(c->base.commit.id, c->head.commit.id) != 0)
		return CG_OK;
	return cg_fail(
		err, CG_EINVAL, NULL, 0,
		"base (%s) and head (%s) are the same commit, %.*s, so there is nothing to judge; name another base",
		c->base.name, c->head.name, GIT_ID_SHORT, c->head.commit.id);
}

/* The one case that is asked for. What may be a pattern needs the names of all. */
static const char *find_only_case(const struct text_list *names)
{
	const char *name = names->count == 1 ? names->items[0] : "";

	return strchr(name, '/') && !strpbrk(name, "*?[\\") ? name : NULL;
}

static int find_both_sides(struct comparing *c, struct cg_error *err)
{
	struct comparing_options *o = c->options;
	const struct config *config = c->project.config;

	if (o->build) {
		c->build_argv[0] = "/bin/sh";
		c->build_argv[1] = "-c";
		c->build_argv[2] = o->build;
		c->build = (struct config_command){ .argv = (char **)c->build_argv, .argc = 3 };
		o->area.build = &c->build;
	}
	o->area.only = find_only_case(&o->benches);
	int status = build_area_open(&c->area, &c->project, &o->area, err);
	bool of_work_tree = !range_names_head(o->range);
	if (!status && of_work_tree)
		status = revision_of_work_tree(&c->area, &c->head, err);
	if (status || o->suite.baseline)
		return status;
	/* Without benchmarks, a commit to compare with is not what is missing. */
	if (!o->range && !o->command)
		status = check_any_benchmark(config, err);
	if (!status)
		status = range_parse(c->area.git, o->range, config ? config->base.text : NULL,
				     of_work_tree && has_changes(c), &c->range, err);
	if (!status)
		status = revision_of_commit(&c->area, c->range.base_name, c->range.base, &c->base,
					    err);
	if (!status && c->range.head)
		status = revision_of_commit(&c->area, c->range.head_name, c->range.head, &c->head,
					    err);
	return status;
}

/* What shares the run of another commit may have been measured since (comparing_repeat). */
static void mark_not_run(struct comparing *c)
{
	for (size_t i = 0; i < c->npairs; i++)
		c->suite.benches[i]->c.not_run = c->pairs[i].head &&
						 cache_is_same_run(c->project.root,
								   c->pairs[i].head);
}

static enum ending report_comparing(struct comparing *c)
{
	struct cg_error err;
	int status = comparing_make_pairs(c, &err);

	if (!status)
		status = comparing_check_patterns(c, &err);
	if (!status && !c->suite.count)
		return c->worst;
	if (!status)
		status = comparing_make_preface(c, &err);
	if (!status)
		status = suite_compare(&c->suite, &c->judged, &err);
	if (!status)
		status = comparing_repeat(c, &err);
	if (!status)
		status = comparing_deepen(c, &err);
	build_area_clear(&c->area);
	if (!status && !c->suite.count)
		return c->worst;
	comparing_mark_new(c);
	mark_not_run(c);
	if (!status)
		status = suite_settle(&c->suite, &err);
	if (!status)
		status = comparing_remark_rules(c, &err);
	if (!status)
		status = c->options->write(&c->suite, &err);
	if (!status)
		status = suite_keep_last(&c->suite, c->project.root, &err);
	c->reported = !status;
	if (!status && c->suite.options->compare.judging.check)
		status = suite_keep_verdicts(&c->suite, &c->judged, &err);
	if (status)
		return notice_error(c->project.notices, &err);
	enum ending ending = suite_ending(&c->suite);
	return c->worst > ending ? c->worst : ending;
}

/* From here on, results of an older run must not be mistaken for those of this one. */
static void forget_last(const struct comparing *c)
{
	last_report_forget(c->project.root);
	if (c->options->suite.compare.judging.check)
		verdicts_file_forget(&c->project);
}

static const char *words_of_command(const struct comparing_options *options)
{
	return options->gate ? "check" : "compare";
}

void comparing_forget_last(const struct comparing_options *options)
{
	struct project project;
	struct cg_error err;

	if (project_open(&project, options->notices, &err))
		return;
	last_report_forget(project.root);
	verdicts_file_forget(&project);
	project_close(&project);
}

static enum ending run_comparing(struct comparing *c)
{
	struct cg_error err;
	int status = project_open(&c->project, c->options->notices, &err);

	if (!status)
		forget_last(c);
	if (!status && c->options->results)
		status = results_forget(c->options->results, &err);
	if (!status && c->options->suite.compare.judging.check)
		status = check_limits(c->project.config, &c->options->suite.compare.judging.limits,
				      &err);
	if (!status)
		status = find_both_sides(c, &err);
	if (!status)
		status = choose_compared_benchmarks(c, &err);
	if (!status)
		status = check_compared_limits(c, &err);
	if (!status) /* another base would not help who misspelt a benchmark */
		status = check_range(c, &err);
	if (!status)
		status = check_freezing(c, &err);
	if (status)
		return build_area_failed(&c->area, c->options->notices, &err);
	if (!c->nbenches)
		shard_tell_empty(c->project.notices, &c->options->shard, c->nwanted);
	enum ending ending = measure_both_sides(c);
	return ending ? ending : comparing_keep_results(c, report_comparing(c));
}

static void free_pairs(struct comparing *c)
{
	for (size_t i = 0; i < c->nbenches; i++) {
		path_list_free(&c->benches[i].base);
		path_list_free(&c->benches[i].head);
		free(c->benches[i].own);
	}
	for (size_t i = 0; i < c->npairs; i++) {
		free(c->pairs[i].base);
		free(c->pairs[i].head);
	}
	for (size_t i = 0; i < c->ndeeper; i++) {
		path_list_free(&c->deeper[i].base);
		path_list_free(&c->deeper[i].head);
	}
	free(c->deeper);
	free(c->benches);
	free(c->pairs);
	free(c->wanted);
	free(c->names.items);
	path_list_free(&c->named);
}

/* Nothing was compared. What is reported of that changes no exit code. */
static void report_nothing_compared(const struct comparing *c, enum ending ending, const char *said)
{
	const struct failed_run run = {
		.command = words_of_command(c->options),
		.exit_code = (int)ending,
		.failures = c->failures,
		.nfailures = c->nfailures,
		.said = said,
	};
	struct cg_error err;

	if (c->project.root)
		last_report_fail(c->project.root, &run);
	if (c->options->write_failed(&c->options->suite, &run, &err))
		notice_error(c->options->notices, &err);
}

enum ending compare_commits(struct comparing_options *options)
{
	struct comparing c = { .options = options, .suite = { .options = &options->suite } };
	struct said said;

	suite_options_complete(&options->suite);
	options->area.jobs.quiet = options->area.quiet;
	said_begin(&said, options->notices);
	options->notices = &said.notices;
	enum ending ending = run_comparing(&c);
	if (ending && !ending_is_signal(ending) && !c.reported)
		report_nothing_compared(&c, ending, said_text(&said));
	free_pairs(&c);
	for (size_t i = 0; i < c.nfailures; i++)
		free((char *)c.failures[i].where);
	free(c.failures);
	free(c.preface[0]);
	free(c.preface[1]);
	suite_free(&c.suite);
	revision_free(&c.base);
	revision_free(&c.head);
	range_free(&c.range);
	build_area_close(&c.area);
	project_close(&c.project);
	options->notices = said.outer;
	said_end(&said);
	return ending;
}

void comparing_options_free(struct comparing_options *options)
{
	free(options->benches.items);
	free(options->suite.include.items);
	free(options->suite.compare.judging.limits.items);
}
