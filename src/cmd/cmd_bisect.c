#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/cli/message.h"
#include "src/cli/write_suite.h"
#include "src/cmd/command.h"
#include "src/commits/bisecting.h"
#include "src/commits/deeper.h"
#include "src/commits/revision_measure.h"
#include "src/compare/suite.h"
#include "src/json/json.h"
#include "src/measure/plan.h"
#include "src/store/cache.h"
#include "src/text/shell.h"

struct bisect_settings {
	const char *good, *bad;
	const char *old, *newer; /* the same two, as git bisect also calls them; NULL: not given */
	double threshold;
	bool first_parent;
	struct build_area_options area;
	struct suite_options suite;
};

static const struct command_help help = {
	"bisect",
	(const char *const[]){ "BENCH[/CASE] --good=REF [--bad=REF] [OPTIONS]", NULL },
	"Finds the first commit that changed the count of a benchmark, by binary search between an old\n"
	"commit (--good) and a new one (--bad), and shows what that commit changed, be it a regression or\n"
	"an improvement. A commit counts as new if its count is at least half-way from that of the old one\n"
	"to that of the new one, or, with --threshold, at least PERCENT away from that of the old one. If\n"
	"the benchmark has cases and you name none, the one that changed most, in percent, is bisected.\n"
	"Commits that cannot be built or measured are skipped. Measurements are kept: to continue after an\n"
	"interruption, run the same command again.",
	.takes_command = false,
	.main_options = "good bad old new metric threshold top valgrind",
	.commands_with = commands_with_option,
	.operands = (const char *const[]){ "BENCH", NULL },
	.rules = (const struct option_rule[]){ { "--old", EXCLUDES, "--good", NULL },
					       { "--new", EXCLUDES, "--bad", NULL },
					       { 0 } },
};

static bool parse_bisect_options(struct bisect_settings *s, int argc, char **argv,
				 struct arguments *args, int *exit_code)
{
	struct comparison_options *c = &s->suite.compare;
	const struct option_spec specs[] = {
		{ "good", 0, OPTION_TEXT, &s->good, "REF", "a commit before the change" },
		{ "bad", 0, OPTION_TEXT, &s->bad, "REF", "a commit after the change (HEAD)" },
		{ "old", 0, OPTION_TEXT, &s->old, "REF", "the same as --good" },
		{ "new", 0, OPTION_TEXT, &s->newer, "REF", "the same as --bad" },
		{ "metric", 'm', OPTION_TEXT, &c->metric, "METRIC",
		  "event to compare, or EstCycles, CEst, L1hits, LLhits, RAMhits (Ir)" },
		{ "threshold", 0, OPTION_PERCENT, &s->threshold, "PERCENT",
		  "smallest change that counts as new (half of the change)" },
		{ "first-parent", 0, OPTION_SWITCH, &s->first_parent, NULL,
		  "follow only the first parent of merge commits" },
		{ "valgrind", 0, OPTION_TEXT, &s->area.valgrind, "PATH",
		  "the Valgrind to use (the one in $PATH)" },
		{ "format", 0, OPTION_CHOICE, &s->suite.format, "text|json",
		  "output format (text)" },
		{ "top", 'n', OPTION_NUMBER, &c->top, "N", "show at most N causes; 0: all (20)" },
		{ "color", 0, OPTION_CHOICE, &s->suite.color, "auto|always|never",
		  "use colours (auto)" },
		{ "wide", 'w', OPTION_SWITCH, &s->suite.wide, NULL, "show full names" },
		{ "quiet", 'q', OPTION_SWITCH, &s->area.quiet, NULL,
		  "print only errors and warnings, no progress" },
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args,
			     exit_code);
}

struct bisecting {
	struct bisect_settings *s;
	struct project project;
	struct build_area area;
	struct bisection search;
	char *good, *bad; /* ids */
};

static bool bisect_writes_text(const struct bisecting *b)
{
	return strcmp(b->s->suite.format, "text") == 0;
}

/* Written when it is known: a search may take hours. */
static void print_step(const struct bisect_step *step, size_t left, void *arg)
{
	/* An improvement is not bad: as in git bisect old, new. */
	static const char *const words[] = { "old", "new", "skipped" };
	const struct bisecting *b = arg;
	char count[TEXT_NUMBER];

	if (!bisect_writes_text(b))
		return;
	if (b->search.nsteps == 1 && b->search.chosen) {
		text_print_name(stdout, b->search.chosen, 0);
		printf(" changed most of %zu cases; searching for what changed it\n\n",
		       b->search.ncases);
	}
	printf("%.*s  %-7s  %15s  ", GIT_ID_SHORT, step->commit.id, words[step->verdict],
	       step->verdict == BISECT_SKIPPED ? "–" : text_cost(step->count, count));
	text_print_name(stdout, step->commit.subject, 0);
	if (left > 1)
		printf("  (1 of %zu candidates)", left);
	putchar('\n');
	fflush(stdout);
}

/* ---- what the commit did -------------------------------------------------- */

static int measure_name(struct bisecting *b, const struct config_benchmark *benchmark,
			const char *id, char **operand)
{
	struct revision side;
	struct cg_error err;
	char name[GIT_ID_SHORT + 1];

	snprintf(name, sizeof name, "%s", id);
	int status = revision_of_commit(&b->area, name, id, &side, &err);
	char *entry = NULL;
	int exit_code = status ? build_area_failed(&b->area, &terminal_notices, &err)
			       : revision_measure_one(&b->area, &side, benchmark, b->search.name,
						      &entry);
	build_area_leave(&b->area, &side);
	revision_free(&side);
	if (!exit_code && cache_operand(b->project.root, entry, operand, &err))
		exit_code = build_area_failed(&b->area, &terminal_notices, &err);
	free(entry);
	return exit_code;
}

/* If it cannot be measured again, what is known is shown. */
static int measure_deeper(struct bisecting *b, const char *parent, char **base, char **head)
{
	const struct config_benchmark deeper = deeper_benchmark(b->search.benchmark);
	int exit_code = measure_name(b, &deeper, parent, base);

	if (!exit_code)
		exit_code = measure_name(b, &deeper, b->search.bad, head);
	return exit_code > 128 ? exit_code : EXIT_FINE;
}

static int take_deeper_causes(struct bisecting *b, const char *parent, struct suite *suite)
{
	char *base = NULL, *head = NULL;
	struct cg_error err;
	unsigned percent;
	enum causes_taken taken = CAUSES_TAKEN;
	int status = CG_OK;

	/* It was asked for, however little it changed. */
	if (!deeper_is_wanted(&suite->benches[0]->c, b->search.benchmark, 0, &percent))
		return EXIT_FINE;
	if (!b->area.options.quiet)
		deeper_tell(&terminal_notices, b->search.benchmark, percent);
	int exit_code = measure_deeper(b, parent, &base, &head);
	if (base && head)
		status = suite_take_causes(suite, 0, base, head, &b->project, &taken, &err);
	if (status)
		exit_code = exit_code_of(build_area_failed(&b->area, &terminal_notices, &err));
	else if (taken != CAUSES_TAKEN)
		deeper_tell_unequal(&terminal_notices, b->search.name);
	free(base);
	free(head);
	return exit_code;
}

/* A comparison of the two commits shows them, and everything else. */
static void mention_small_causes(const struct bisecting *b, const char *parent,
				 const struct comparison *c)
{
	const char *metric = b->s->suite.compare.metric;

	if (!c->causes || !c->chosen_causes.smaller)
		return;
	printf("\nTo see the smaller causes, too:  irdiff compare %.*s..%.*s -b ", GIT_ID_SHORT,
	       parent, GIT_ID_SHORT, b->search.bad);
	shell_print_quoted(stdout, b->search.name);
	if (metric) {
		fputs(" --metric=", stdout);
		shell_print_quoted(stdout, metric);
	}
	puts(" --view=causes --top=0 --threshold=0 --min-delta=0");
}

static int write_difference(struct bisecting *b, const char *parent, const char *base,
			    const char *head)
{
	struct suite suite = { .options = &b->s->suite };
	struct cg_error err;
	int exit_code = EXIT_FINE, status = suite_add(&suite, base, head, &err);

	suite_options_complete(&b->s->suite);
	if (!status)
		status = suite_compare(&suite, &b->project, &err);
	if (!status)
		exit_code = take_deeper_causes(b, parent, &suite);
	if (!status && !exit_code)
		status = write_suite(&suite, &err);
	if (!status && !exit_code)
		mention_small_causes(b, parent, &suite.benches[0]->c);
	suite_free(&suite);
	return status ? exit_code_of(build_area_failed(&b->area, &terminal_notices, &err))
		      : exit_code;
}

/* Only one case was searched for, but the user may care about another. */
static int mention_cases(struct bisecting *b, const char *parent)
{
	enum { MOST = 20 };
	const struct bisection *search = &b->search;
	size_t count = 0;
	int exit_code = search->chosen ? bisect_compare_cases(&b->search, parent) : EXIT_FINE;

	for (size_t i = 0; !exit_code && i < search->ncases; i++) {
		const struct bisect_case *c = &search->cases[i];
		char before[TEXT_NUMBER], after[TEXT_NUMBER], change[TEXT_NUMBER];
		if (!c->crosses || strcmp(c->name, search->chosen) == 0 || count++ >= MOST)
			continue;
		fputs(count == 1 ? "\nThis commit also changed other cases:\n  " : "  ", stdout);
		text_print_name(stdout, c->name, 0);
		printf(": %s → %s (%s)\n", text_cost(c->before, before), text_cost(c->after, after),
		       text_change(c->before, c->after, change));
	}
	if (count > MOST)
		printf("  … and %zu more\n", count - MOST);
	return exit_code;
}

/* Only one of several changes in the range was searched for. */
static int mention_others(struct bisecting *b, const char *base, const char *head)
{
	enum { MOST = 9, OF = 10 };
	const struct bisection *search = &b->search;
	int64_t before = 0, after = 0;
	char its[TEXT_NUMBER], all[TEXT_NUMBER];
	struct cg_error err;

	if (bisect_count(search, base, &before, &err) || bisect_count(search, head, &after, &err))
		return print_error(&err);
	uint64_t here = cg_distance(before, after);
	uint64_t whole = cg_distance(search->good_count, search->bad_count);
	if (here / OF * OF >= whole / OF * MOST && here / OF * MOST <= whole / OF * OF)
		return EXIT_FINE;
	printf("\nThis commit accounts for %s of the %s between the ends; other commits changed the\n"
	       "count, too. To list them all:  irdiff history ",
	       text_delta(before, after, its),
	       text_delta(search->good_count, search->bad_count, all));
	shell_print_quoted(stdout, search->name);
	printf(" --measure=%.*s..%.*s --steps\n", GIT_ID_SHORT, b->good, GIT_ID_SHORT, b->bad);
	return EXIT_FINE;
}

/* The found commit's parent; it may not have been tried. */
static int find_parent(struct bisecting *b, char **parent)
{
	char *spec;
	struct cg_error err;

	if (asprintf(&spec, "%s^1", b->search.bad) < 0)
		return EXIT_USAGE;
	int status = git_resolve(b->area.git, spec, parent, &err);
	free(spec);
	return status ? build_area_failed(&b->area, &terminal_notices, &err) : EXIT_FINE;
}

static int show_difference(struct bisecting *b)
{
	char *parent = NULL, *base = NULL, *head = NULL;
	int exit_code = find_parent(b, &parent);

	if (!exit_code)
		exit_code = measure_name(b, b->search.benchmark, parent, &base);
	if (!exit_code)
		exit_code = measure_name(b, b->search.benchmark, b->search.bad, &head);
	if (!exit_code) {
		putchar('\n');
		fflush(stdout);
		exit_code = write_difference(b, parent, base, head);
	}
	if (!exit_code)
		exit_code = mention_cases(b, parent);
	if (!exit_code)
		exit_code = mention_others(b, base, head);
	free(parent);
	free(base);
	free(head);
	return exit_code;
}

/* ---- the result ----------------------------------------------------------- */

static const struct bisect_step *find_bisect_step(const struct bisection *search, const char *id)
{
	for (size_t i = 0; i < search->nsteps; i++)
		if (strcmp(search->steps[i].commit.id, id) == 0)
			return &search->steps[i];
	return NULL;
}

static int print_bisect_doubt(const struct bisection *search)
{
	printf("\nThe count changed in one of these %zu commits; only the newest could be measured:\n",
	       search->suspects.count);
	for (size_t i = 0; i < search->suspects.count; i++) {
		const struct bisect_step *step = find_bisect_step(search,
								  search->suspects.items[i]);
		printf("  %.*s  ", GIT_ID_SHORT, search->suspects.items[i]);
		text_print_name(stdout, step ? step->commit.subject : "", 0);
		putchar('\n');
	}
	printf("To see what they changed together:  irdiff compare %.*s..%.*s -b ", GIT_ID_SHORT,
	       search->good.items[search->good.count - 1], GIT_ID_SHORT, search->bad);
	shell_print_quoted(stdout, search->name);
	putchar('\n');
	return EXIT_BENCHMARK;
}

static int print_culprit_text(struct bisecting *b)
{
	const struct bisection *search = &b->search;
	const struct bisect_step *step = find_bisect_step(search, search->bad);

	if (search->suspects.count)
		return print_bisect_doubt(search);
	printf("\nThe count changed in commit %s\n  ", search->bad);
	text_print_name(stdout, step ? step->commit.subject : "", 0);
	putchar('\n');
	return show_difference(b);
}

/* Cases whose count the commit changed, including the one searched for; empty if in doubt. */
static void write_cases(const struct bisection *search, struct json *j)
{
	json_begin_array(j, "cases");
	for (size_t i = 0; i < search->ncases; i++) {
		const struct bisect_case *c = &search->cases[i];
		if (!c->crosses)
			continue;
		json_begin_object(j, NULL);
		json_text(j, "name", c->name);
		json_cost(j, "before", c->before);
		json_cost(j, "after", c->after);
		json_end(j);
	}
	json_end(j);
}

static int print_json(struct bisecting *b)
{
	const struct bisection *search = &b->search;
	char *parent = NULL;
	int exit_code = search->chosen && !search->suspects.count ? find_parent(b, &parent)
								  : EXIT_FINE;

	if (parent)
		exit_code = bisect_compare_cases(&b->search, parent);
	free(parent);
	if (exit_code > 128) /* else a message was printed, and the result still holds */
		return exit_code;
	struct json *j = json_new();
	if (!j)
		return EXIT_USAGE;
	json_text(j, "schema", "irdiff/bisect");
	json_count(j, "version", 2);
	json_text(j, "benchmark", search->name);
	json_text(j, "good", b->good);
	json_text(j, "bad", b->bad);
	json_cost(j, "good_count", search->good_count);
	json_cost(j, "bad_count", search->bad_count);
	json_cost(j, "mark", search->mark);
	json_text(j, "first", search->suspects.count ? NULL : search->bad);
	json_begin_array(j, "suspects");
	for (size_t i = 0; i < search->suspects.count; i++)
		json_text(j, NULL, search->suspects.items[i]);
	json_end(j);
	write_cases(search, j);
	json_begin_array(j, "steps");
	for (size_t i = 0; i < search->nsteps; i++) {
		const struct bisect_step *step = &search->steps[i];
		json_begin_object(j, NULL);
		json_text(j, "commit", step->commit.id);
		json_text(j, "subject", step->commit.subject);
		json_text(j, "verdict", bisect_verdict_name(step->verdict));
		if (step->verdict == BISECT_SKIPPED)
			json_none(j, "count");
		else
			json_cost(j, "count", step->count);
		json_end(j);
	}
	json_end(j);
	if (json_finish(j, stdout))
		return EXIT_USAGE;
	return search->suspects.count ? EXIT_BENCHMARK : EXIT_FINE;
}

/* ---- the whole ------------------------------------------------------------ */

static int open_all(struct bisecting *b, const char *name, struct cg_error *err)
{
	struct bisection *search = &b->search;
	int status = project_open(&b->project, &terminal_notices, err);

	if (!status)
		status = build_area_open(&b->area, &b->project, &b->s->area, err);
	if (!status)
		search->benchmark = b->project.config ? config_benchmark(b->project.config, name)
						      : NULL;
	if (!status && !search->benchmark)
		status = no_benchmark(b->project.config, name, err);
	if (!status)
		status = git_resolve(b->area.git, b->s->good, &b->good, err);
	return status ? status : git_resolve(b->area.git, b->s->bad, &b->bad, err);
}

static int run_bisect(struct bisecting *b, const char *name)
{
	struct cg_error err;
	if (open_all(b, name, &err))
		return build_area_failed(&b->area, &terminal_notices, &err);

	b->search = (struct bisection){ .area = &b->area,
					.benchmark = b->search.benchmark,
					.name = name,
					.metric = b->s->suite.compare.metric,
					.first_parent = b->s->first_parent,
					.threshold = b->s->threshold,
					.said = print_step,
					.said_arg = b };
	int exit_code = exit_code_of(bisect(&b->search, b->good, b->bad));
	if (exit_code > 128)
		print_message("interrupted; run the same command again to continue");
	if (exit_code)
		return exit_code;
	return bisect_writes_text(b) ? print_culprit_text(b) : print_json(b);
}

int cmd_bisect(int argc, char **argv)
{
	struct bisect_settings s = { .threshold = -1,
				     .area = { .trust_failures = true },
				     .suite = { .format = "text",
						.view = "causes",
						.color = "auto",
						.most_frames = SUITE_FRAMES,
						.compare = { COMPARISON_DEFAULTS,
							     .fixed_threshold = true } } };
	struct arguments args = { 0 };
	struct bisecting b = { .s = &s };
	int exit_code;

	if (parse_bisect_options(&s, argc, argv, &args, &exit_code)) {
		s.good = s.old ? s.old : s.good;
		s.bad = s.newer ? s.newer : s.bad ? s.bad : "HEAD";
		if (args.count != 1)
			exit_code = usage_error("bisect",
						"expected one benchmark, and the commits as "
						"--good=REF and --bad=REF");
		else if (!s.good)
			exit_code = usage_error(
				"bisect",
				"name a commit before the change with --good=REF or --old=REF");
		else
			exit_code = run_bisect(&b, args.operands[0]);
	}
	bisection_free(&b.search);
	free(b.good);
	free(b.bad);
	build_area_close(&b.area);
	project_close(&b.project);
	free(args.operands);
	return exit_code;
}
