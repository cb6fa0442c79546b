#include "src/run/gungraun.h"

#include <stdlib.h>

#include "src/run/bincode.h"
#include "tests/unit/harness.h"

/* ---- bincode ---- */

/* Writes down what is read, each value with its name. */
struct written {
	char text[500];
	int fail_at; /* the structure whose end fails */
};

static const char *fields_of(void *to, char structure)
{
	(void)to;
	return structure == 'S'   ? "b=b e=e n=n s=s ?s=o [(n=l s) ?P"
	       : structure == 'P' ? "{|s|(n=m ?b)}=v ?{n|}=w"
				  : NULL;
}

static int begin_structure(void *to, char structure)
{
	struct written *w = to;
	sprintf(w->text + strlen(w->text), "<%c", structure);
	return CG_OK;
}

static int end_structure(void *to, char structure)
{
	struct written *w = to;
	sprintf(w->text + strlen(w->text), ">");
	return structure == w->fail_at ? CG_EINVAL : CG_OK;
}

static int write_value(void *to, char name, const struct bincode_value *value)
{
	struct written *w = to;
	sprintf(w->text + strlen(w->text), " %c%s%s%" PRIu64 ":%.*s", name, value->given ? "!" : "",
		"=", value->number, (int)value->len, value->text ? value->text : "");
	return CG_OK;
}

static int read_bytes(const char *bytes, size_t size, char structure, struct written *w)
{
	const struct bincode_reader reader = { fields_of, begin_structure, write_value,
					       end_structure, w };
	char *copy = malloc(size ? size : 1);

	REQUIRE(copy != NULL);
	memcpy(copy, bytes, size);
	int status = bincode_read(&reader, structure, copy, size);
	free(copy);
	return status;
}

#define LONG "\0\0\0\0\0\0\0"
#define WHOLE \
	"\1" \
	"\2\0\0\0" \
	"\3\1\0\0\0\0\0\0" \
	"\2" LONG "hi" \
	"\1\3" LONG "yes" \
	"\2" LONG "\7" LONG "\0\0\0\0\0\0\0\0" \
	"\10" LONG "\1" LONG "x" \
	"\1\2\0\0\0\11" LONG "\1\0" \
	"\1\1\0\0\0"

static void test_values(void)
{
	static const char whole[] = WHOLE;
	struct written w = { 0 };

	CHECK_INT(read_bytes(whole, sizeof whole - 1, 'S', &w), CG_OK);
	CHECK_STR(w.text, "<S b=1: e=2: n=259: s=0:hi o!=0:yes l=7: l=8:<P m=9: v=2: w!=1:>>");
}

/* Not one byte less, and not one more. */
static void test_lengths(void)
{
	static const char whole[] = WHOLE;

	for (size_t len = 0; len < sizeof whole - 1; len++) {
		struct written w = { 0 };
		CHECK_INT(read_bytes(whole, len, 'S', &w), CG_ESYNTAX);
	}
	struct written w = { 0 };
	CHECK_INT(read_bytes(whole, sizeof whole, 'S', &w), CG_ESYNTAX);
}

static void test_hostile_values(void)
{
	static const struct {
		size_t at;
		char byte;
	} changes[] = {
		{ 0, 2 },   /* neither false nor true */
		{ 20, -1 }, /* a text of 2^63 bytes */
		{ 23, 3 },  /* an option that is neither */
		{ 42, -1 }, /* a list of 2^63 elements */
		{ 79, 3 },  /* a variant that does not exist */
	};

	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		char whole[] = WHOLE;
		struct written w = { 0 };
		whole[changes[i].at] = changes[i].byte;
		CHECK_INT(read_bytes(whole, sizeof whole - 1, 'S', &w), CG_ESYNTAX);
	}
	struct written w = { 0 };
	CHECK_INT(read_bytes("", 0, 'Q', &w), CG_ESYNTAX);
	w.fail_at = 'P';
	CHECK_INT(read_bytes(WHOLE, sizeof WHOLE - 1, 'S', &w), CG_EINVAL);
}

/* ---- what programs tell ---- */

static void add_joined(char *all, const struct strings *texts, const char *end)
{
	char *joined = strings_join(texts);
	REQUIRE(joined != NULL);
	strcat(strcat(all, joined), end);
	free(joined);
}

/* What a real program told its runner, in tests/fuzz/seeds/told. */
static char *read_seed(const char *name, size_t *size)
{
	char path[500], *bytes = malloc(20000);

	snprintf(path, sizeof path, TEST_DATA "/../fuzz/seeds/told/%s", name);
	FILE *from = fopen(path, "r");
	REQUIRE(from != NULL && bytes != NULL);
	*size = fread(bytes, 1, 20000, from);
	fclose(from);
	return bytes;
}

static void check_seed(const char *name, const char *expected)
{
	struct gungraun g = { 0 };
	struct cg_error err = { 0 };
	char all[4000] = "";
	size_t size;
	char *bytes = read_seed(name, &size);

	if (gungraun_read(bytes, size, &g, &err))
		strcpy(all, err.message);
	for (size_t i = 0; i < g.count; i++) {
		struct gungraun_case *c = &g.cases[i];
		struct strings marks = { 0 };
		REQUIRE_INT(gungraun_add_marks(&g, c, &marks, &err), CG_OK);
		sprintf(all + strlen(all), "%zu %s: ", c->group, c->name);
		add_joined(all, &c->arguments, " / ");
		add_joined(all, &c->environment, " / ");
		add_joined(all, &marks, "\n");
		strings_free(&marks);
	}
	for (size_t i = 0; i < g.ngroups; i++) {
		sprintf(all + strlen(all), "%s%s", g.groups[i].setup ? "setup " : "",
			g.groups[i].teardown ? "teardown " : "");
		add_joined(all, &g.groups[i].arguments, " / ");
		add_joined(all, &g.groups[i].environment, "\n");
	}
	CHECK_STR(all, expected);
	gungraun_free(&g);
	free(bytes);
}

#define TOGGLE(name) "--toggle-collect=*::__gungraun_wrapper_mod::" name
#define ALL TOGGLE("level") " " TOGGLE("custom") " " TOGGLE("none") " " TOGGLE("iter")

static void test_newest(void)
{
	check_seed(
		"gungraun-0.20.0",
		"1 rich::configs::level one: --gungraun-run d:d:000000 00000 00000 00000 / "
		"GROUP=yes LEVEL=function / " ALL "\n"
		"1 rich::configs::level two: --gungraun-run d:d:000000 00000 00000 00001 / "
		"GROUP=yes LEVEL=function LEVEL=bench / " ALL "\n"
		"1 rich::configs::custom custom: --gungraun-run d:d:000000 00000 00001 00000 / "
		"GROUP=yes / --toggle-collect=*::slow --toggle-collect=none::such\n"
		"1 rich::configs::none: --gungraun-run d:d:000000 00000 00002 00000 / GROUP=yes "
		"/ " ALL "\n"
		"2 rich::iters::iter iter_0: --gungraun-run d:d:000000 00001 00000 00000 00000 /  "
		"/ " ALL "\n"
		"2 rich::iters::iter iter_1: --gungraun-run d:d:000000 00001 00000 00000 00001 /  "
		"/ " ALL "\n"
		"2 rich::iters::iter iter_2: --gungraun-run d:d:000000 00001 00000 00000 00002 /  "
		"/ " ALL "\n"
		"setup teardown --gungraun-run d:d:000000 / \n"
		"setup teardown --gungraun-run d:d:000000 0 / GROUP=yes\n"
		"--gungraun-run d:d:000000 1 / \n");
}

/* The last of the cases. */
static void check_last(const char *seed, size_t count, const char *name, const char *arguments,
		       const char *root)
{
	struct gungraun g = { 0 };
	struct cg_error err = { 0 };
	size_t size;
	char *bytes = read_seed(seed, &size), all[500] = "";

	REQUIRE_INT(gungraun_read(bytes, size, &g, &err), CG_OK);
	REQUIRE(g.count == count && g.functions.count == 5);
	CHECK_STR(g.cases[count - 1].name, name);
	add_joined(all, &g.cases[count - 1].arguments, "");
	CHECK_STR(all, arguments);
	CHECK_STR(g.functions.items[4], root);
	gungraun_free(&g);
	free(bytes);
}

static void test_older(void)
{
	check_last("gungraun-0.17.0", 8, "lib_bench::second::calls closure",
		   "--gungraun-run second 2 0 lib_bench::second::calls", TOGGLE("calls"));
	check_last("iai-callgrind-0.16.1", 8, "lib_bench::second::calls closure",
		   "--iai-run second 2 0 lib_bench::second::calls",
		   "--toggle-collect=*::__iai_callgrind_wrapper_mod::calls");
}

/* The first two get one name, and the second one keeps its number. */
static void test_same_names(void)
{
	const bool kept[] = { false, true, false, false, true, false, false };
	struct gungraun g = { 0 };
	struct cg_error err = { 0 };
	size_t size;
	char *bytes = read_seed("gungraun-0.20.0", &size), all[500] = "";

	for (char *at = bytes; (at = memmem(at, size - (size_t)(at - bytes), "two", 3));)
		memcpy(at, "one", 3);
	REQUIRE_INT(gungraun_read(bytes, size, &g, &err), CG_OK);
	REQUIRE(g.count == sizeof kept / sizeof *kept);
	CHECK_STR(g.cases[0].name, "rich::configs::level one");
	CHECK_STR(g.cases[1].name, "rich::configs::level one (2)");
	gungraun_keep(&g, kept);
	CHECK_INT(g.count, 2);
	CHECK_STR(g.cases[0].name, "rich::configs::level one (2)");
	add_joined(all, &g.cases[0].arguments, "");
	CHECK_STR(all, "--gungraun-run d:d:000000 00000 00000 00001");
	CHECK_STR(g.cases[1].name, "rich::iters::iter iter_0");
	gungraun_free(&g);
	free(bytes);
}

/* ---- what is refused ---- */

static void check_refused(const char *told, size_t size, const char *why)
{
	struct gungraun g = { 0 };
	struct cg_error err = { 0 };

	CHECK_INT(gungraun_read(told, size, &g, &err), CG_EINVAL);
	if (!strstr(err.message, why))
		CHECK_STR(err.message, why);
	gungraun_free(&g);
}

#define REFUSED(told, why) check_refused(told, sizeof(told) - 1, why)
#define WORDS(version, kind) "7\0" version "\0" kind "\0/p\0p\0f.rs\0f\0 12\0"

static void test_refused(void)
{
	REFUSED("", "unknown arguments");
	REFUSED("7", "unknown arguments");
	REFUSED("5\0"
		"a\0b\0c\0d\0e\0",
		"unknown arguments");
	REFUSED("999999999999999999999\0"
		"0.20.0\0",
		"unknown arguments");
	REFUSED(WORDS("0.13.4", "--lib-bench"), "irdiff knows iai-callgrind 0.14");
	REFUSED(WORDS("0.21.0", "--lib-bench"), "uses gungraun 0.21.0");
	REFUSED(WORDS("1.0.0", "--lib-bench"), "uses gungraun 1.0.0");
	REFUSED(WORDS("0.20.0-rc.1", "--lib-bench"), "uses gungraun 0.20.0-rc.1");
	REFUSED(WORDS("0.20.0", "--bin-bench"), "binary_benchmark_group!");
	REFUSED(WORDS("0.20.0", "--lib-bench"), "in a form that irdiff does not know");
}

TEST_MAIN("gungraun", { "values", test_values }, { "lengths", test_lengths },
	  { "hostile values", test_hostile_values }, { "0.20", test_newest },
	  { "older versions", test_older }, { "same names", test_same_names },
	  { "what is refused", test_refused })
