/* Which options of a command line may stand together. */
#include "src/cli/option_rules.h"
#include "tests/unit/harness.h"

#include <string.h>

/* A command line that was parsed: what the options hold, and which it set itself. */
struct line {
	bool check;
	const char *view, *fix;
	struct text_list limits;
	uint64_t width;
	const char *given[4];     /* NULL-terminated */
	const char *variables[4]; /* whose variables set them, NULL-terminated */
	size_t operands;
	bool has_command;
};

static bool is_named(const char *const *names, const char *name)
{
	for (; *names; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

/* What the options hold afterwards is in *l. */
static bool holds(struct line *l, const struct option_rule *rule, const struct option_range *ranges)
{
	const struct option_spec specs[] = {
		{ "check", 0, OPTION_SWITCH, &l->check, NULL, "" },
		{ "view", 0, OPTION_CHOICE, &l->view, "flat|tree|source", "" },
		{ "fix", 0, OPTION_TEXT, &l->fix, "FILE", "" },
		{ "limit", 0, OPTION_LIST, &l->limits, "LIMIT", "" },
		{ "width", 0, OPTION_NUMBER, &l->width, "N", "" },
	};
	enum { NSPECS = sizeof specs / sizeof *specs };
	struct option_state states[NSPECS] = { 0 };
	const struct option_rule rules[] = { rule ? *rule : (struct option_rule){ 0 }, { 0 } };
	const struct command_help help = { .name = "show", .ranges = ranges, .rules = rules };
	const struct arguments args = { .count = l->operands, .has_rest = l->has_command };

	for (size_t i = 0; i < NSPECS; i++) {
		states[i].given = is_named(l->given, specs[i].name);
		states[i].from_variable = is_named(l->variables, specs[i].name);
	}
	states[1].standard.text = "flat";
	return option_rules_hold(&help, specs, NSPECS, states, &args);
}

static bool rule_holds(struct line *l, struct option_rule rule)
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

/* A rule about values is about these alone. */
static void test_values(void)
{
	const struct option_rule rule = { "--view=tree|source", EXCLUDES, "--check", NULL };

	CHECK(!rule_holds(&(struct line){ .view = "tree", .given = { "view" }, .check = true },
			  rule));
	CHECK(rule_holds(&(struct line){ .view = "flat", .given = { "view" }, .check = true },
			 rule));
	CHECK(rule_holds(&(struct line){ .view = "tree", .given = { "view" } }, rule));
	/* What nobody has set is no choice of the user's. */
	CHECK(rule_holds(&(struct line){ .view = "tree", .check = true }, rule));
}

/* What a variable sets against a rule is as if it had not. */
static void test_variables(void)
{
	const struct option_rule fix = { "--fix", REQUIRES, "--view=flat", NULL };
	const struct option_rule both = { "--fix", EXCLUDES, "--limit --check", NULL };
	const char *items[2] = { "+1%", NULL };

	struct line used = {
		.fix = "a", .variables = { "fix" }, .view = "tree", .given = { "view" }
	};
	CHECK(rule_holds(&used, fix));
	CHECK(used.fix == NULL && strcmp(used.view, "tree") == 0);

	struct line needed = {
		.fix = "a", .given = { "fix" }, .view = "tree", .variables = { "view" }
	};
	CHECK(rule_holds(&needed, fix));
	CHECK(strcmp(needed.fix, "a") == 0 && strcmp(needed.view, "flat") == 0);

	struct line list = { .fix = "a",
			     .given = { "fix", "check" },
			     .check = true,
			     .limits = { .items = items, .count = 1 },
			     .variables = { "limit" } };
	CHECK(rule_holds(&list, both));
	CHECK(list.limits.count == 0 && items[0] == NULL && list.check);

	struct line nobody = { .fix = "a", .given = { "fix", "view" }, .view = "tree" };
	CHECK(!rule_holds(&nobody, fix));
}

static void test_variable_names(void)
{
	char name[OPTION_VARIABLE_SIZE];

	CHECK(strcmp(option_variable("min-delta", name), "IRDIFF_MIN_DELTA") == 0);
	CHECK(option_variable("an-option-whose-name-is-longer-than-all-names-of-variables-may-be",
			      name) == name &&
	      strlen(name) == OPTION_VARIABLE_SIZE - 1);
}

static void test_operands(void)
{
	const struct option_rule two = { "--fix", REQUIRES, "BASE HEAD", NULL };
	const struct option_rule third = { "--fix", EXCLUDES, "--check BENCH FILTER", NULL };

	CHECK(!rule_holds(&(struct line){ .given = { "fix" }, .operands = 1 }, two));
	CHECK(rule_holds(&(struct line){ .given = { "fix" }, .operands = 2 }, two));
	CHECK(rule_holds(&(struct line){ .given = { "fix" }, .operands = 3 }, two));
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
	  { "values", test_values }, { "variables", test_variables },
	  { "names of variables", test_variable_names }, { "operands", test_operands },
	  { "commands", test_commands }, { "ranges", test_ranges })
