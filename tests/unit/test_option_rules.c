/* Which options of a command line may stand together. */
#include "src/cli/option_rules.h"
#include "tests/unit/harness.h"

/* A command line that was parsed: what the options hold, and which it set itself. */
struct line {
	bool check;
	const char *view, *fix;
	struct text_list limits;
	uint64_t width;
	const char *given[4]; /* NULL-terminated */
	size_t operands;
	bool has_command;
};

static bool holds(const struct line *l, const struct option_rule *rule,
		  const struct option_range *ranges)
{
	struct line copy = *l;
	const struct option_spec specs[] = {
		{ "check", 0, OPTION_SWITCH, &copy.check, NULL, "" },
		{ "view", 0, OPTION_CHOICE, &copy.view, "flat|tree|source", "" },
		{ "fix", 0, OPTION_TEXT, &copy.fix, "FILE", "" },
		{ "limit", 0, OPTION_LIST, &copy.limits, "LIMIT", "" },
		{ "width", 0, OPTION_NUMBER, &copy.width, "N", "" },
	};
	const struct option_rule rules[] = { rule ? *rule : (struct option_rule){ 0 }, { 0 } };
	const struct command_help help = { .name = "show", .ranges = ranges, .rules = rules };
	struct arguments args = { .given = copy.given,
				  .count = l->operands,
				  .has_rest = l->has_command };
	while (args.ngiven < 4 && copy.given[args.ngiven])
		args.ngiven++;
	return option_rules_hold(&help, specs, sizeof specs / sizeof *specs, &args);
}

static bool rule_holds(const struct line *l, struct option_rule rule)
{
	return holds(l, &rule, NULL);
}

static void test_requires(void)
{
	const struct option_rule check = { "--limit --fix", REQUIRES, "--check", NULL };
	const struct option_rule tree = { "--width", REQUIRES, "--view=tree|source --check", NULL };

	CHECK(rule_holds(&(struct line){ .view = "flat" }, check));
	CHECK(!rule_holds(&(struct line){ .given = { "limit" } }, check));
	CHECK(!rule_holds(&(struct line){ .given = { "view", "fix" } }, check));
	CHECK(rule_holds(&(struct line){ .check = true, .given = { "fix", "check" } }, check));

	/* Each word must hold. */
	CHECK(rule_holds(&(struct line){ .view = "source", .check = true, .given = { "width" } },
			 tree));
	CHECK(!rule_holds(&(struct line){ .view = "source", .given = { "width" } }, tree));
	CHECK(!rule_holds(&(struct line){ .view = "flat", .check = true, .given = { "width" } },
			  tree));
	CHECK(!rule_holds(&(struct line){ .check = true, .given = { "width" } }, tree));
	/* A value is one whole word. */
	CHECK(!rule_holds(&(struct line){ .view = "sourc", .check = true, .given = { "width" } },
			  tree));
	CHECK(!rule_holds(&(struct line){ .view = "sources", .check = true, .given = { "width" } },
			  tree));
}

static void test_excludes(void)
{
	const struct option_rule both = { "--limit", EXCLUDES, "--view=tree --check", NULL };

	CHECK(rule_holds(&(struct line){ .view = "tree", .given = { "limit" } }, both));
	CHECK(rule_holds(&(struct line){ .view = "flat", .check = true, .given = { "limit" } },
			 both));
	CHECK(!rule_holds(&(struct line){ .view = "tree", .check = true, .given = { "limit" } },
			  both));
	CHECK(rule_holds(&(struct line){ .view = "tree", .check = true, .given = { "fix" } },
			 both));
}

/* What a variable sets need not apply, unless a rule names values. */
static void test_variables(void)
{
	const struct option_rule given = { "--fix", REQUIRES, "--check", NULL };
	const struct option_rule any = { "--fix=*", REQUIRES, "--check", NULL };
	const struct option_rule value = { "--view=tree", EXCLUDES, "--check", NULL };

	CHECK(rule_holds(&(struct line){ .fix = "a" }, given));
	CHECK(!rule_holds(&(struct line){ .fix = "a" }, any));
	CHECK(rule_holds(&(struct line){ .fix = "" }, any));
	CHECK(!rule_holds(&(struct line){ .view = "tree", .check = true }, value));
	CHECK(rule_holds(&(struct line){ .view = "flat", .check = true }, value));
}

static void test_operands(void)
{
	const struct option_rule two = { "--fix", REQUIRES, "BASE HEAD", NULL };
	const struct option_rule third = { "--fix", EXCLUDES, "--check BENCH FILTER", NULL };

	CHECK(!rule_holds(&(struct line){ .given = { "fix" }, .operands = 1 }, two));
	CHECK(rule_holds(&(struct line){ .given = { "fix" }, .operands = 2 }, two));
	CHECK(!rule_holds(&(struct line){ .given = { "fix" }, .operands = 3 }, two));
	CHECK(rule_holds(&(struct line){ .given = { "fix" }, .operands = 2 }, third));
	CHECK(!rule_holds(&(struct line){ .check = true, .given = { "fix" }, .operands = 2 },
			  third));
}

static void test_commands(void)
{
	const struct option_rule none = { "--fix", EXCLUDES, "-- COMMAND", NULL };

	CHECK(rule_holds(&(struct line){ .given = { "fix" }, .operands = 1 }, none));
	CHECK(!rule_holds(&(struct line){ .given = { "fix" }, .has_command = true }, none));
}

static void test_ranges(void)
{
	const struct option_range some[] = { { "width", 3, 5 }, { 0 } };
	const struct option_range least[] = { { "width", 3, UINT64_MAX }, { 0 } };
	const struct {
		uint64_t width;
		bool in_some, at_least;
	} cases[] = { { 2, false, false },
		      { 3, true, true },
		      { 5, true, true },
		      { 6, false, true },
		      { UINT64_MAX, false, true } };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CHECK(holds(&(struct line){ .width = cases[i].width }, NULL, some) ==
		      cases[i].in_some);
		CHECK(holds(&(struct line){ .width = cases[i].width }, NULL, least) ==
		      cases[i].at_least);
	}
}

TEST_MAIN("option rules", { "requires", test_requires }, { "excludes", test_excludes },
	  { "variables", test_variables }, { "operands", test_operands },
	  { "commands", test_commands }, { "ranges", test_ranges })
