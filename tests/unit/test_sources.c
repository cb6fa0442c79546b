#include "src/store/sources.h"

#include <unistd.h>

#include "tests/unit/harness.h"

static char path[] = "/tmp/irdiff-sources-XXXXXX";

static void write_text(const char *text)
{
	FILE *to = fopen(path, "w");
	REQUIRE(to != NULL);
	fputs(text, to);
	fclose(to);
}

static void test_round_trip(void)
{
	const struct stored_source items[] = {
		{ "/src/a b.c", "int a;\n\nint b;\n", 15, false },
		{ "new\nline.c", "x", 1, false },
		{ "empty.c", "", 0, true },
		{ "no-end.c", "1 x.c\nint c;", 12, false },
	};
	struct stored_sources s = { 0 };
	struct cg_error err = { 0 };

	REQUIRE_INT(sources_save(path, items, 4, &err), CG_OK);
	REQUIRE_INT(sources_load(path, &s, &err), CG_OK);
	CHECK_U64(s.count, 3);
	REQUIRE(sources_find(&s, "/src/a b.c") != NULL);
	CHECK_STR(sources_find(&s, "/src/a b.c")->bytes, items[0].bytes);
	CHECK_U64(sources_find(&s, "/src/a b.c")->size, 15);
	REQUIRE(sources_find(&s, "empty.c") != NULL);
	CHECK_U64(sources_find(&s, "empty.c")->size, 0);
	CHECK(sources_find(&s, "empty.c")->newer && !sources_find(&s, "/src/a b.c")->newer);
	REQUIRE(sources_find(&s, "no-end.c") != NULL);
	CHECK_STR(sources_find(&s, "no-end.c")->bytes, items[3].bytes);
	CHECK(sources_find(&s, "new\nline.c") == NULL);
	CHECK(sources_find(&s, "a b.c") == NULL);
	sources_free(&s);

	REQUIRE_INT(sources_save(path, items, 0, &err), CG_OK);
	REQUIRE_INT(sources_load(path, &s, &err), CG_OK);
	CHECK_U64(s.count, 0);
	sources_free(&s);
}

static void check_damaged(const char *text)
{
	struct stored_sources s = { 0 };
	struct cg_error err = { 0 };
	write_text(text);
	CHECK_INT(sources_load(path, &s, &err), CG_ESYNTAX);
	CHECK_STR(err.file, path);
	CHECK(s.bytes == NULL);
}

static void test_damaged(void)
{
	check_damaged("");
	check_damaged("irdiff sources 2\n");
	check_damaged("irdiff sources 1\n5 a.c\nabc\n");
	check_damaged("irdiff sources 1\n2 a.c\nabc\n");
	check_damaged("irdiff sources 1\n3 a.c\nabc");
	check_damaged("irdiff sources 1\n3 a.c");
	check_damaged("irdiff sources 1\nx a.c\nabc\n");
	check_damaged("irdiff sources 1\n3a.c\nabc\n");
	check_damaged("irdiff sources 1\n18446744073709551615 a.c\nabc\n");
	check_damaged("irdiff sources 1\n-1 a.c\nabc\n");
	check_damaged("irdiff sources 1\n99999999999999999999999 a.c\nabc\n");
	check_damaged("irdiff sources 1\n3 a.c\nabc\n\n");
}

static void test_missing(void)
{
	struct stored_sources s = { 0 };
	struct cg_error err = { 0 };
	CHECK_INT(sources_load("/nonexistent/sources.zst", &s, &err), CG_EIO);
}

int main(void)
{
	static const struct test tests[] = {
		{ "what was stored is found again, byte by byte", test_round_trip },
		{ "a damaged file is refused", test_damaged },
		{ "a missing one, too", test_missing },
	};
	int fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	int status = test_main("sources", tests, sizeof tests / sizeof *tests);
	unlink(path);
	return status;
}
