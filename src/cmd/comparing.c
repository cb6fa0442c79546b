#include "src/cmd/comparing.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/names.h"
#include "callgrind/support/grow.h"
#include "src/cmd/baselines.h"
#include "src/cmd/plan.h"
#include "src/store/label.h"

/* One benchmark on both sides, by the names of cache entries. */
struct pair {
	const struct config_benchmark *benchmark;
	char *base, *head; /* NULL: it is not there, or could not be measured */
};

struct comparing {
	struct comparing_options *options;
	struct project project;
	struct project judged; /* the same, with the irdiff.yml that asks the question */
	struct workshop workshop;
	struct range range;
	struct side base, head;
	struct config_benchmark command; /* of the command line */
	struct config_command build;
	const char *build_argv[4];
	struct pair *pairs;
	size_t npairs, cap;
	struct suite suite;
	char *preface[3];
	struct bench_failure *failures; /* `where` is owned */
	size_t nfailures, failures_cap;
	int worst; /* exit code of what could not be measured */
};

/* ---- which benchmarks ----------------------------------------------------- */

static int add_pair(struct comparing *c, const struct config_benchmark *b, struct cg_error *err)
{
	if (cg_grow(&c->pairs, &c->cap, c->npairs + 1, sizeof *c->pairs))
		return cg_fail_nomem(err);
	c->pairs[c->npairs++] = (struct pair){ .benchmark = b };
	return CG_OK;
}

/* The question is asked by head: its definitions hold for both sides. */
static struct config *definitions(const struct comparing *c)
{
	return c->range.head && c->head.own_config ? c->head.own_config : c->project.config;
}

static bool is_wanted(const struct text_list *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->items[i], name) == 0 || fnmatch(names->items[i], name, 0) == 0)
			return true;
	return names->count == 0;
}

static int check_names(const struct config *config, const struct text_list *names,
		       struct cg_error *err)
{
	for (size_t i = 0; i < names->count; i++) {
		bool found = false;
		for (size_t k = 0; !found && k < config->benchmark_count; k++)
			found = fnmatch(names->items[i], config->benchmarks[k].name, 0) == 0 ||
				strcmp(names->items[i], config->benchmarks[k].name) == 0;
		if (!found)
			return no_benchmark(config, names->items[i], err);
	}
	return CG_OK;
}

static int take_command(struct comparing *c, struct cg_error *err)
{
	const char *const *words = c->options->command;
	struct config_benchmark *b = &c->command;

	b->name = cg_base_name(words[0]);
	b->depth = -1;
	b->command.argv = (char **)words;
	while (words[b->command.argc])
		b->command.argc++;
	int status = label_check_new(b->name, err);
	return status ? status : add_pair(c, b, err);
}

static int choose_benchmarks(struct comparing *c, struct cg_error *err)
{
	struct config *config = definitions(c);
	const struct text_list *names = &c->options->benches;

	c->judged = (struct project){ c->project.root, config };
	if (c->options->command)
		return take_command(c, err);
	if (!config)
		return cg_fail(err, CG_EINVAL, NULL, 0, "there are no benchmarks: no " CONFIG_NAME " was "
			       "found ('irdiff init' writes one); to compare a command, write it behind --");
	int status = check_names(config, names, err);
	for (size_t i = 0; !status && i < config->benchmark_count; i++)
		if (is_wanted(names, config->benchmarks[i].name))
			status = add_pair(c, &config->benchmarks[i], err);
	if (!status && !c->npairs)
		status = cg_fail(err, CG_EINVAL, config->path, 0, "there are no benchmarks in it: add one, as "
				 "irdiff.yml(5) shows");
	return status;
}

/* ---- measuring ------------------------------------------------------------ */

static bool is_signal(int exit_code)
{
	return exit_code > 128;
}

static void note_failure(struct comparing *c, const struct pair *p, const struct side *s,
			 int exit_code)
{
	char *where;

	c->worst = exit_code > c->worst ? exit_code : c->worst;
	if (cg_grow(&c->failures, &c->failures_cap, c->nfailures + 1, sizeof *c->failures) ||
	    asprintf(&where, "%s (%.*s)", s->name, GIT_ID_SHORT, s->commit.id) < 0)
		return; /* the exit code says it as well */
	c->failures[c->nfailures++] = (struct bench_failure){ p->benchmark->name, where };
	c->suite.failures = c->failures;
	c->suite.nfailures = c->nfailures;
}

/* A benchmark that base does not know may fail there: then it is new. */
static bool is_new(const struct comparing *c, const struct config_benchmark *b)
{
	const struct config *config = c->base.own_config;
	if (c->options->suite.baseline)
		return true;
	return !c->base.failed && b != &c->command && !(config && config_benchmark(config, b->name));
}

static int take_baseline(struct comparing *c, struct pair *p)
{
	struct cg_error err;
	return baseline_base(&c->project, c->options->suite.baseline, p->benchmark->name, &p->base, &err) ?
		       print_error(&err) : EXIT_FINE;
}

static int measure_base(struct comparing *c, struct pair *p)
{
	if (c->options->suite.baseline)
		return take_baseline(c, p);
	int exit_code = side_measure(&c->workshop, &c->base, p->benchmark, &p->base);

	if (!exit_code || is_signal(exit_code))
		return exit_code;
	if (is_new(c, p->benchmark)) {
		print_warning("%s cannot be measured at %s, whose " CONFIG_NAME " does not have it: it "
			      "counts as new", p->benchmark->name, c->base.name);
		return EXIT_FINE;
	}
	note_failure(c, p, &c->base, exit_code);
	return c->base.failed ? exit_code : EXIT_FINE;
}

static int measure_head(struct comparing *c, struct pair *p)
{
	if (p->base && !c->options->suite.baseline && side_is_same(&c->base, &c->head)) {
		p->head = strdup(p->base);
		return p->head ? EXIT_FINE : EXIT_USAGE;
	}
	int exit_code = side_measure(&c->workshop, &c->head, p->benchmark, &p->head);
	if (!exit_code || is_signal(exit_code))
		return exit_code;
	note_failure(c, p, &c->head, exit_code);
	return c->head.failed ? exit_code : EXIT_FINE;
}

/* All of base first: both are built at one place. */
static int measure_both(struct comparing *c)
{
	int exit_code = EXIT_FINE;

	for (size_t i = 0; !exit_code && i < c->npairs; i++)
		exit_code = measure_base(c, &c->pairs[i]);
	for (size_t i = 0; !exit_code && i < c->npairs; i++)
		exit_code = measure_head(c, &c->pairs[i]);
	return exit_code;
}

/* ---- comparing ------------------------------------------------------------ */

static int put_pair(struct comparing *c, const struct pair *p, size_t place, struct cg_error *err)
{
	return place < c->suite.count ? suite_replace(&c->suite, place, p->base, p->head, err) :
					suite_add(&c->suite, p->base, p->head, err);
}

/* Without head there is nothing to say: it failed, which was said. */
static int fill_suite(struct comparing *c, struct cg_error *err)
{
	int status = CG_OK;
	size_t kept = 0;

	for (size_t i = 0; !status && i < c->npairs; i++) {
		struct pair *p = &c->pairs[i];
		if (!p->head || (!p->base && !is_new(c, p->benchmark)))
			continue;
		struct pair swapped = c->pairs[kept];
		c->pairs[kept] = *p;
		*p = swapped;
		status = put_pair(c, &c->pairs[kept], kept, err);
		kept++;
	}
	return status;
}

/* Something in the cache was measured elsewhere, or before the machine changed: that it differs says
 * nothing of the commits. Measured again, both are comparable. */
static int repeat_where_environments_differ(struct comparing *c, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < c->suite.count; i++) {
		struct pair *p = &c->pairs[i];
		if (!p->base || !p->head || c->options->suite.baseline ||
		    !c->suite.benches[i].c.environment.count)
			continue;
		if (!c->workshop.options.quiet)
			fprintf(stderr, "irdiff: %s was measured in another environment before: measuring "
				"it again\n", p->benchmark->name);
		int exit_code = side_measure_again(&c->workshop, &c->base, p->benchmark, &p->base);
		if (!exit_code)
			exit_code = side_measure_again(&c->workshop, &c->head, p->benchmark, &p->head);
		if (exit_code) {
			note_failure(c, p, &c->head, exit_code);
			continue;
		}
		status = put_pair(c, p, i, err);
	}
	return status ? status : suite_compare(&c->suite, &c->judged, err);
}

/* ---- what is said above ---------------------------------------------------- */

static char *describe(const char *which, const struct side *s)
{
	char *line;
	bool changed = s->files.changed;
	if (asprintf(&line, "%s  %s%s%.*s  %s", which, s->name, changed ? ", with changes on " : "  ",
		     GIT_ID_SHORT, s->commit.id, s->commit.subject) < 0)
		return NULL;
	return line;
}

static char *describe_baseline(const char *name)
{
	char *line;
	return asprintf(&line, "base  baseline %s", name) < 0 ? NULL : line;
}

static int make_preface(struct comparing *c, struct cg_error *err)
{
	const char *baseline = c->options->suite.baseline;
	c->preface[0] = baseline ? describe_baseline(baseline) : describe("base", &c->base);
	c->preface[1] = describe("head", &c->head);
	c->suite.preface = (const char *const *)c->preface;
	return c->preface[0] && c->preface[1] ? CG_OK : cg_fail_nomem(err);
}

/* ---- the whole ------------------------------------------------------------ */

static int find_sides(struct comparing *c, struct cg_error *err)
{
	struct comparing_options *o = c->options;
	const struct config *config = c->project.config;

	if (o->build) {
		c->build_argv[0] = "/bin/sh";
		c->build_argv[1] = "-c";
		c->build_argv[2] = o->build;
		c->build = (struct config_command){ .argv = (char **)c->build_argv, .argc = 3 };
		o->workshop.build = &c->build;
	}
	int status = workshop_open(&c->workshop, &c->project, &o->workshop, err);
	bool of_work_tree = !range_names_head(o->range);
	if (!status && of_work_tree)
		status = side_of_work_tree(&c->workshop, &c->head, err);
	if (status || o->suite.baseline)
		return status;
	status = range_parse(c->workshop.git, o->range, config ? config->base.text : NULL,
			     of_work_tree && c->head.files.changed, &c->range, err);
	if (!status)
		status = side_of_commit(&c->workshop, c->range.base_name, c->range.base, &c->base, err);
	if (!status && c->range.head)
		status = side_of_commit(&c->workshop, c->range.head_name, c->range.head, &c->head, err);
	return status;
}

static int report(struct comparing *c)
{
	struct cg_error err;
	int status = fill_suite(c, &err);

	if (!status && !c->suite.count)
		return c->worst;
	if (!status)
		status = make_preface(c, &err);
	if (!status)
		status = suite_compare(&c->suite, &c->judged, &err);
	if (!status)
		status = repeat_where_environments_differ(c, &err);
	workshop_clear(&c->workshop);
	if (!status)
		status = suite_write(&c->suite, &err);
	if (!status)
		status = suite_keep_last(&c->suite, c->project.root, &err);
	if (!status && c->suite.options->compare.judging.check)
		status = suite_keep_verdicts(&c->suite, &c->judged, &err);
	if (status)
		return print_error(&err);
	int exit_code = suite_exit_code(&c->suite);
	return c->worst > exit_code ? c->worst : exit_code;
}

static int run(struct comparing *c)
{
	struct cg_error err;
	int status = project_open(&c->project, &err);

	if (!status)
		status = find_sides(c, &err);
	if (!status)
		status = choose_benchmarks(c, &err);
	if (status)
		return c->workshop.interrupts.signal ? 128 + c->workshop.interrupts.signal :
						       print_error(&err);
	int exit_code = measure_both(c);
	return exit_code ? exit_code : report(c);
}

int compare_commits(struct comparing_options *options)
{
	struct comparing c = { .options = options, .suite = { .options = &options->suite } };

	suite_options_complete(&options->suite);
	int exit_code = run(&c);
	for (size_t i = 0; i < c.npairs; i++) {
		free(c.pairs[i].base);
		free(c.pairs[i].head);
	}
	free(c.pairs);
	for (size_t i = 0; i < c.nfailures; i++)
		free((char *)c.failures[i].where);
	free(c.failures);
	free(c.preface[0]);
	free(c.preface[1]);
	suite_free(&c.suite);
	side_free(&c.base);
	side_free(&c.head);
	range_free(&c.range);
	workshop_close(&c.workshop);
	project_close(&c.project);
	return exit_code;
}

bool comparing_check_usage(const char *name, struct comparing_options *options,
			   const struct arguments *args, int *exit_code)
{
	static const char *const benches[] = { "bench", NULL }, *const views[] = { "view", NULL };

	if (args->count > 1)
		*exit_code = usage_error(name, "expected one range of commits: BASE, BASE..HEAD or "
					 "BASE...HEAD");
	else if (args->count && !*args->operands[0])
		*exit_code = usage_error(name, "the range of commits is an empty word");
	else if (args->count && options->suite.baseline)
		*exit_code = usage_error(name, "--baseline goes without a range of commits");
	else if (args->has_rest && !args->rest[0])
		*exit_code = usage_error(name, "there is no command behind --");
	else if (args->has_rest && options_given(args, benches))
		*exit_code = usage_error(name, "--bench goes without a command behind --");
	else if (strcmp(options->suite.format, "text") != 0 && options_given(args, views))
		*exit_code = usage_error(name, "--view goes with --format=text");
	else if (!suite_check_usage(name, &options->suite, args, exit_code))
		return false;
	else {
		options->range = args->count ? args->operands[0] : NULL;
		options->command = args->has_rest ? args->rest : NULL;
		return true;
	}
	return false;
}

void comparing_options_free(struct comparing_options *options)
{
	free(options->benches.items);
	free(options->suite.include.items);
	free(options->suite.compare.judging.limits.items);
}
