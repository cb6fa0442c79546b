#include "src/commits/changed_value.h"

#include <stdlib.h>

#include "tests/unit/harness.h"

static void check_value(const char *old, const char *now, const char *expected)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	REQUIRE(to != NULL);
	changed_value_print(to, old, now);
	fclose(to);
	CHECK_STR(text, expected);
	free(text);
}

/* Long values without the words that both have. */
static void test_values(void)
{
	char old[400] = "", now[400] = "", expected[400];

	check_value("main", "dev", "was \"main\" and is \"dev\"");
	check_value(NULL, "dev", "was none and is \"dev\"");
	check_value("dev", NULL, "was \"dev\" and is none");
	check_value("cc -O2 x.c", "cc -O1 x.c", "was \"cc -O2 x.c\" and is \"cc -O1 x.c\"");
	check_value("cc -O2 -g -Iinclude -o program program.c list.c",
		    "cc -O1 -g -Iinclude -o program program.c list.c",
		    "was \"… -O2 …\" and is \"… -O1 …\"");
	check_value("cc -O2 -g -Iinclude -o program program.c list.c",
		    "cc -O2 -Iinclude -o program program.c list.c",
		    "was \"… -g -Iinclude …\" and is \"… -Iinclude …\"");
	check_value("cc -O2 -g -Iinclude -o program program.c",
		    "cc -O2 -g -Iinclude -o program program.c list.c",
		    "was \"… program.c\" and is \"… program.c list.c\"");
	/* Not within a character. */
	for (int i = 0; i < 66; i++) {
		strcat(old, "ä");
		strcat(now, "ö");
	}
	snprintf(expected, sizeof expected, "was \"%.100s …\" and is \"%.100s …\"", old, now);
	check_value(old, now, expected);
	memmove(old + 1, old, strlen(old));
	memmove(now + 1, now, strlen(now));
	old[0] = now[0] = 'x';
	snprintf(expected, sizeof expected, "was \"%.99s …\" and is \"%.99s …\"", old, now);
	check_value(old, now, expected);
	/* A word that differs where it is no longer shown. */
	memset(old, 'x', 150);
	snprintf(old + 150, sizeof old - 150, "ä y");
	memcpy(now, old, sizeof now);
	now[151]++;
	snprintf(expected, sizeof expected, "was \"… %.2s …\" and is \"… %.2s …\"", old + 150,
		 now + 150);
	check_value(old, now, expected);
	check_value("a b", "a b", "is divided into other parts");
}

static const char *const words[] = { "./work", "a b", NULL };

static void test_commands(void)
{
	char *argv[] = { (char *)words[0], (char *)words[1], NULL };
	const struct config_command none = { 0 }, plain = { .argv = argv, .argc = 2 },
				    shell = { .argv = argv, .argc = 2, .shell = true };
	struct cg_error err;
	char *text;

	REQUIRE(changed_value_command(&none, &text, &err) == CG_OK);
	CHECK(text == NULL);
	REQUIRE(changed_value_command(&plain, &text, &err) == CG_OK);
	CHECK_STR(text, "./work 'a b'");
	free(text);
	REQUIRE(changed_value_command(&shell, &text, &err) == CG_OK);
	CHECK_STR(text, "a b");
	free(text);
	CHECK(changed_value_same_command(&plain, &shell));
	CHECK(!changed_value_same_command(&plain, &none));
}

/* Two may have one text. */
static void test_lists(void)
{
	const struct config_text one[] = { { .text = "a, b" } },
				 two[] = { { .text = "a" }, { .text = "b" } };
	struct cg_error err;
	char *x, *y;

	CHECK(changed_value_same_list(one, 1, one, 1));
	CHECK(!changed_value_same_list(one, 1, two, 2));
	CHECK(!changed_value_same_list(two, 1, two, 2));
	REQUIRE(changed_value_list(one, 1, &x, &err) == CG_OK);
	REQUIRE(changed_value_list(two, 2, &y, &err) == CG_OK);
	CHECK_STR(x, y);
	free(x);
	free(y);
}

static void check_definition(const struct config_benchmark *old, const struct config_benchmark *now,
			     const char *expected)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	struct cg_error err;

	REQUIRE(to != NULL);
	CHECK(changed_value_definition(to, old, now, &err) == CG_OK);
	fclose(to);
	CHECK_STR(text, expected);
	free(text);
}

static void test_definitions(void)
{
	char *argv[] = { (char *)words[0], (char *)words[1], NULL };
	struct config_env env[] = { { .name = "A", .value = "1" }, { .name = "B", .value = "2" } };
	struct config_benchmark old = { .command = { .argv = argv, .argc = 2 },
					.depth = -1,
					.root = { .text = "scan" },
					.env = env,
					.env_count = 2 };
	struct config_benchmark now = old;

	check_definition(&old, &now, "");
	/* Words that a terminal would act on are not quoted. */
	char *one[] = { (char *)"a\n b", NULL }, *two[] = { (char *)"a\n", (char *)"b", NULL };
	old.command = (struct config_command){ .argv = one, .argc = 1 };
	now.command = (struct config_command){ .argv = two, .argc = 2 };
	check_definition(&old, &now, "command is divided into other parts");
	now = old;
	old.command = now.command = (struct config_command){ .argv = argv, .argc = 2 };
	now.command.argc = 1;
	now.root.text = "parse";
	now.depth = 4;
	now.env_count = 1;
	check_definition(&old, &now,
			 "command was \"./work 'a b'\" and is \"./work\", root was \"scan\" and is "
			 "\"parse\", env B was \"2\" and is none, depth was none and is \"4\"");
}

TEST_MAIN("changed values", { "values", test_values }, { "commands", test_commands },
	  { "lists", test_lists }, { "definitions", test_definitions })
