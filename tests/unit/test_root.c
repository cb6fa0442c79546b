#include "src/run/root.h"

#include <stdlib.h>

#include "tests/unit/profiles.h"

/* What a pattern matches in a profile: "+name", or "-name<caller" if it is called only by another
 * match, or "?name<caller" if it has other callers, too. */
static void check_matches(const char *pattern, const char *expected)
{
	static const char text[] =
		"events: Ir\n"
		"fn=(1) main\n1 5\ncfn=(2) work_outer'main\ncalls=1 1\n1 100\n"
		"cfn=(4) work_leaf'main\ncalls=1 1\n1 7\ncfn=(6) f(char*)'main\ncalls=1 1\n1 3\n"
		"fn=(2)\n1 10\ncfn=(3) mid'work_outer'main\ncalls=1 1\n1 90\n"
		"fn=(3)\n1 30\ncfn=(5) work_leaf'mid'work_outer'main\ncalls=1 1\n1 60\n"
		"cfn=(7) work_only'mid'work_outer'main\ncalls=1 1\n1 0\n"
		"fn=(4)\n1 7\nfn=(5)\n1 50\ncfn=(8) work_leaf'2'mid'work_outer'main\ncalls=1 1\n1 10\n"
		"fn=(8)\n1 10\nfn=(6)\n1 3\nfn=(7)\n1 1\n";
	const struct cg_read_options options = { .detail = { .contexts = true } };
	struct root_matches m = { 0 };
	struct cg_profile *p;
	struct cg_error err = { 0 };
	char all[500] = "";

	REQUIRE_INT(cg_read_memory(text, strlen(text), "test", &options, &p, &err), CG_OK);
	REQUIRE_INT(root_add(&m, pattern, p), CG_OK);
	for (size_t i = 0; i < m.count; i++) {
		const struct root_match *match = &m.items[i];
		size_t used = strlen(all);
		snprintf(all + used, sizeof all - used, "%s%s%s%s%s", i ? " " : "",
			 !match->caller     ? "+"
			 : match->outermost ? "?"
					    : "-",
			 match->name, match->caller ? "<" : "", match->caller ? match->caller : "");
	}
	CHECK_STR(all, expected);
	root_free(&m);
	cg_profile_free(p);
}

static void test_matches(void)
{
	check_matches("work_*", "?work_leaf<work_outer -work_only<work_outer +work_outer");
	check_matches("work_o*", "-work_only<work_outer +work_outer");
	check_matches("*_leaf", "+work_leaf");
	check_matches("f(char*)", "+f(char*)");
	check_matches("m??", "+mid");
	check_matches("m?", "");
	check_matches("w*k*m*d*", "");
	check_matches("w*k*_*t*r", "+work_outer");
	check_matches("*", "-f(char*)<main +main -mid<work_outer -work_leaf<main -work_only<mid "
			   "-work_outer<main");
}

static void test_names(void)
{
	struct root_match items[] = {
		{ .name = "a", .outermost = true },
		{ .name = "b", .caller = "a" },
		{ .name = "c(char*)", .outermost = true },
	};
	const struct root_matches m = { .items = items, .count = 3 };
	struct strings names = { 0 };
	struct cg_error err = { 0 };

	CHECK(root_ambiguous(&m) == NULL);
	REQUIRE_INT(root_names(&m, &names, &err), CG_OK);
	REQUIRE_U64(names.count, 2);
	CHECK_STR(names.items[0], "a");
	CHECK_STR(names.items[1], "c(char?)");
	CHECK(root_has_nested(&m));
	strings_free(&names);
	items[1].outermost = true;
	CHECK(root_ambiguous(&m) == &items[1]);
	CHECK(root_is_pattern("a*") && root_is_pattern("a?") && !root_is_pattern("a[b]"));
}

/* A match that is confused with a name; NULL: there is no such match. */
static void check_blurred(const char *nested, const char *outermost, const char *expected)
{
	struct root_match items[] = {
		{ .name = "f(char*)", .outermost = true },
		{ .name = (char *)outermost, .outermost = true },
		{ .name = (char *)nested, .caller = "f(char*)" },
	};
	const struct root_matches m = { .items = items, .count = 3 };
	struct strings names = { 0 };
	struct cg_error err = { 0 };
	const char *name;

	REQUIRE_INT(root_names(&m, &names, &err), CG_OK);
	const struct root_match *match = root_blurred(&m, &names, &name);
	if (expected && match) {
		CHECK_STR(match->name, expected);
		CHECK_STR(name, "f(char?)");
	}
	CHECK(!expected == !match);
	strings_free(&names);
}

/* Callgrind takes names for patterns, and misses some that begin alike. */
static void test_blurred(void)
{
	check_blurred("f(char*, int*)", "g(char*)", NULL);
	check_blurred("f(char&)", "g(char*)", "f(char&)");
	check_blurred("h()", "f(char*, int)", "f(char*, int)");
	check_blurred("h()", "f()", NULL);
}

TEST_MAIN("root", { "matches", test_matches }, { "names", test_names },
	  { "names that are patterns", test_blurred })
