/* Which part of a command line is being completed. */
#include "src/cli/completion_position.h"

#include "cgprofile/error.h"
#include "tests/unit/harness.h"

static const struct option_spec specs[] = {
	{ "view", 0, OPTION_CHOICE, NULL, "flat|tree", "" },
	{ "inclusive", 'i', OPTION_SWITCH, NULL, NULL, "" },
	{ "include", 'I', OPTION_LIST, NULL, "DIR", "" },
	{ "output", 'o', OPTION_TEXT, NULL, "FILE", "" },
	{ "out", 0, OPTION_TEXT, NULL, "FILE", "" },
	{ "warm-up", 'w', OPTION_MAYBE, NULL, NULL, "" },
};

enum { MOST = 12 };

/* The cursor after the last of the words of a line, which are parted by single spaces. */
static struct completion_position at(char *line, bool takes_command)
{
	char *argv[MOST + 1] = { line };
	int argc = 1;
	struct completion_position c = { 0 };

	for (char *space = line; (space = strchr(space, ' ')) && argc < MOST;) {
		*space++ = '\0';
		argv[argc++] = space;
	}
	REQUIRE_INT(completion_position_find(specs, sizeof specs / sizeof *specs, takes_command,
					     argc, argv, &c),
		    CG_OK);
	return c;
}

/* "PLACE OPTION STEM|TYPED OPERANDS GIVEN REST" of a line, with - for what there is none of. */
static void is_at(const char *line, bool takes_command, const char *expected)
{
	static const char *const places[] = { "nowhere", "option", "value", "operand", "rest" };
	char copy[200], found[400];
	size_t used;

	snprintf(copy, sizeof copy, "%s", line);
	struct completion_position c = at(copy, takes_command);
	used = (size_t)snprintf(found, sizeof found, "%s %s %.*s|%s", places[c.place],
				c.option ? c.option->name : "-", (int)c.stem, c.word,
				c.word + c.stem);
	for (size_t i = 0; i < c.count; i++)
		used += (size_t)snprintf(found + used, sizeof found - used, " %s", c.operands[i]);
	for (size_t i = 0; i < c.ngiven; i++)
		used += (size_t)snprintf(found + used, sizeof found - used, " +%s", c.given[i]);
	if (c.rest)
		snprintf(found + used, sizeof found - used, " @%d", c.rest);
	test_report(strcmp(found, expected) == 0, false, __FILE__, __LINE__, "%s: is %s, not %s",
		    line, found, expected);
	completion_position_free(&c);
}

static void test_operands(void)
{
	is_at("show ", false, "operand - |");
	is_at("show a", false, "operand - |a");
	is_at("show a b", false, "operand - |b a");
	is_at("show a - c", false, "operand - |c a -");
	is_at("show a  c", false, "operand - |c a ");
}

static void test_options(void)
{
	is_at("show -", false, "option - |-");
	is_at("show --", false, "option - |--");
	is_at("show a --vi", false, "option - |--vi a");
	is_at("show --wide --x", false, "option - |--x");
	is_at("show --inclusive --vi", false, "option - |--vi +inclusive");
	is_at("show -iw --", false, "option - |-- +inclusive +warm-up");
	is_at("show -iw", false, "option - |-iw"); /* which are being typed */
	is_at("show -z", false, "option - |-z");
	is_at("show -i -i --inclusive -", false, "option - |- +inclusive");
}

static void test_values(void)
{
	is_at("show --view ", false, "value view | +view");
	is_at("show --view te", false, "value view |te +view");
	is_at("show --view --te", false, "value view |--te +view");
	is_at("show --view=te", false, "value view --view=|te");
	is_at("show --view=a=b", false, "value view --view=|a=b");
	is_at("show --view=tree te", false, "operand - |te +view");
	is_at("show --view tree te", false, "operand - |te +view");
	is_at("show -o ", false, "value output | +output");
	is_at("show -io te", false, "value output |te +inclusive +output");
	is_at("show -iote", false, "value output -io|te");
	is_at("show -ote x", false, "operand - |x +output");
	is_at("show --nonsense=te", false, "nowhere - --nonsense=|te");
}

/* A switch takes a value only after an equals sign. */
static void test_switches(void)
{
	is_at("show --inclusive te", false, "operand - |te +inclusive");
	is_at("show --inclusive=te", false, "value inclusive --inclusive=|te");
	is_at("show --warm-up=", false, "value warm-up --warm-up=|");
}

static void test_abbreviations(void)
{
	is_at("show --vi te", false, "value view |te +view");
	is_at("show --inc te", false, "operand - |te"); /* of two */
	is_at("show --out=te", false, "value out --out=|te");
	is_at("show --outp=te", false, "value output --outp=|te");
}

static void test_end_of_options(void)
{
	is_at("show a -- -o", false, "operand - |-o a");
	is_at("show -- --view -- x", false, "operand - |x --view --");
	is_at("run a -i -- ls -", true, "rest - |- a +inclusive @4");
	is_at("run -- ", true, "rest - | @2");
	is_at("run --view -- x", true, "rest - |x +view @3");
	is_at("run a --", true, "option - |-- a");
}

TEST_MAIN("cursor", { "operands", test_operands }, { "options", test_options },
	  { "values", test_values }, { "switches", test_switches },
	  { "abbreviations", test_abbreviations }, { "after --", test_end_of_options })
