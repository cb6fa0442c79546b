/* Verdicts on several functions of one name. */
#include "src/diff/same_subject.h"

#include <stdlib.h>

#include "tests/unit/harness.h"

struct place_case {
	const char *subject, *object, *file, *place;
};

static void check_places(const struct place_case *cases, size_t count)
{
	struct limit_verdict *verdicts = calloc(count, sizeof *verdicts);

	REQUIRE(verdicts != NULL);
	for (size_t i = 0; i < count; i++)
		verdicts[i] = (struct limit_verdict){ .subject = cases[i].subject,
						      .object = cases[i].object,
						      .file = cases[i].file,
						      .place = "before" };
	REQUIRE_INT(same_subject_tell_apart(verdicts, count), CG_OK);
	for (size_t i = 0; i < count; i++)
		CHECK_STR(verdicts[i].place ? verdicts[i].place : "-", cases[i].place);
	free(verdicts);
}

/* Verdicts on other names may be between them, and keep their order. */
static void test_places(void)
{
	static const struct place_case one_object[] = {
		{ "init", "/bin/prog", "src/a.c", "a.c" }, { "main", "/bin/prog", "src/a.c", "-" },
		{ "init", "/bin/prog", "src/b.c", "b.c" }, { NULL, NULL, NULL, "-" },
		{ "init", "/bin/prog", "???", "prog" },
	};
	static const struct place_case of_one_base_name[] = {
		{ "f", "/bin/prog", "z/mod.rs", "z/mod.rs" },
		{ "f", "/bin/prog", "a/mod.rs", "a/mod.rs" },
		{ "f", "/bin/prog", "a/lib.rs", "lib.rs" },
	};
	/* Most places are there twice. */
	static const struct place_case objects[] = {
		{ "f", "/lib/liba.so", "x/f.c", "x/f.c" },
		{ "f", "/lib/libb.so", "y/f.c", "libb.so" },
		{ "f", "/lib/liba.so", "w/f.c", "w/f.c" },
		{ "f", "/lib/libb.so", "y/g.c", "g.c" },
		{ "f", "/lib/libc.so", "y/f.c", "libc.so" },
	};
	/* Nothing is their own: the first by which they differ. */
	static const struct place_case shared[] = {
		{ "f", "/lib/liba.so", "f.c", "liba.so" },
		{ "f", "/lib/liba.so", "f.c", "liba.so" },
		{ "f", "/lib/libb.so", "f.c", "libb.so" },
		{ "g", "/lib/libb.so", "g.c", "-" },
		{ "g", "/lib/libb.so", "g.c", "-" },
	};

	check_places(one_object, sizeof one_object / sizeof *one_object);
	check_places(of_one_base_name, sizeof of_one_base_name / sizeof *of_one_base_name);
	check_places(objects, sizeof objects / sizeof *objects);
	check_places(shared, sizeof shared / sizeof *shared);
	check_places(NULL, 0);
}

static void test_excused(void)
{
	struct limit_verdict verdicts[] = {
		{ .subject = "min", .object = "a", .status = LIMIT_UNCOUNTED, .of_library = true },
		{ .subject = "max", .object = "a", .status = LIMIT_UNCOUNTED, .of_library = true },
		{ .subject = "abs", .object = "a", .status = LIMIT_UNCOUNTED, .of_library = true },
		{ .subject = "max", .object = "b", .status = LIMIT_PASS },
		{ .subject = "min", .object = "b", .status = LIMIT_PASS, .counts.head = 1 },
		{ .subject = "min", .object = "c", .status = LIMIT_UNCOUNTED },
	};
	static const bool fails[] = { false, true, false, true, true, true };
	size_t excused;

	verdicts[2].uncounted_before = true;
	for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
		verdicts[i].fails = true;
	REQUIRE_INT(same_subject_excuse(verdicts, sizeof verdicts / sizeof *verdicts, &excused),
		    CG_OK);
	CHECK_U64(excused, 2);
	for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
		CHECK_INT(verdicts[i].fails, fails[i]);
}

TEST_MAIN("verdicts on one name", { "places that tell functions apart", test_places },
	  { "calls of what libraries inline", test_excused })
