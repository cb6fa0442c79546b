#include "src/store/cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/store/files.h"
#include "src/store/find_profile.h"
#include "src/store/profiles.h"
#include "tests/unit/harness.h"

static char root[] = "/tmp/irdiff-cache-XXXXXX";

static void put(const char *name, const char *text)
{
	char path[400];
	snprintf(path, sizeof path, "%s/%s", root, name);
	FILE *to = fopen(path, "w");
	REQUIRE(to != NULL);
	fputs(text, to);
	fclose(to);
}

static bool there(const char *name)
{
	char path[400];
	snprintf(path, sizeof path, "%s/%s", root, name);
	return access(path, F_OK) == 0;
}

static void used(const char *name, time_t when)
{
	const struct timespec times[2] = { { when, 0 }, { when, 0 } };
	char path[600];
	snprintf(path, sizeof path, "%s/.irdiff/cache/%s", root, name);
	REQUIRE(utimensat(AT_FDCWD, path, times, 0) == 0);
}

static int rename_file(const char *from, const char *to)
{
	char old[400], new[400];
	snprintf(old, sizeof old, "%s/.irdiff/cache/%s", root, from);
	snprintf(new, sizeof new, "%s/.irdiff/cache/%s", root, to);
	return rename(old, new);
}

/* An entry as a measurement leaves it; `when` is when it was last used. */
static void publish(const char *name, const char *text, time_t when)
{
	struct cg_error err;
	char work[400];

	snprintf(work, sizeof work, "%s/.irdiff/tmp/1-new", root);
	REQUIRE(mkdir(work, 0700) == 0);
	put(".irdiff/tmp/1-new/profile.callgrind", text);
	put(".irdiff/tmp/1-new/raw.callgrind.zst", "large");
	put(".irdiff/tmp/1-new/lines.callgrind.zst", "lines");
	put(".irdiff/tmp/1-new/contexts.callgrind.zst", "contexts");
	put(".irdiff/tmp/1-new/meta.json", "{}");
	put(".irdiff/tmp/1-new/flat.txt", "read by nobody");
	put(".irdiff/tmp/1-new/valgrind.log", "of the run");
	REQUIRE_INT(cache_publish(root, name, work, "key: 1\n", false, &err), CG_OK);
	remove_directory(work, NULL);
	used(name, when);
}

#define OLD "parse@1a2b3c4d5e-0123456789ab"
#define NEW "parse@1a2b3c4d5e-ba9876543210"
#define CHANGED "parse@1a2b3c4d5e+-00000000000f"
#define OTHER "a@b-c@ffffffffff-111111111111"

#define LISTS "lists@1a2b3c4d5e-222222222222"

static void test_entries(void)
{
	struct cg_error err;
	char *name;

	REQUIRE_INT(cache_prepare(root, &err), CG_OK);
	publish(OLD, "old", 1000);
	publish(NEW, "new", 2000);
	publish(CHANGED, "changed", 3000);
	publish(OTHER, "other", 500);
	CHECK(there(".irdiff/cache/" OLD "/profile.callgrind"));
	CHECK(there(".irdiff/cache/" OLD "/key.txt"));
	CHECK(!there(".irdiff/cache/" OLD "/raw.callgrind.zst"));
	CHECK(!there(".irdiff/cache/" OLD "/flat.txt"));
	CHECK(!there(".irdiff/cache/" OLD "/valgrind.log"));

	CHECK(cache_has(root, OLD, "key: 1\n"));
	CHECK(cache_has(root, OTHER, "key: 1\n"));
	CHECK(!cache_has(root, "pars@1a2b3c4d5e-0123456789ab", "key: 1\n"));
	CHECK(!cache_has(root, "parse@1a2b3c4d5e+-0123456789ab", "key: 1\n"));

	/* Another text that happens to begin with the same digest, and what is not whole. */
	CHECK(!cache_has(root, OLD, "key: 2\n"));
	REQUIRE(rename_file(NEW "/meta.json", NEW "/gone") == 0);
	CHECK(!cache_has(root, NEW, "key: 1\n"));
	REQUIRE(rename_file(NEW "/gone", NEW "/meta.json") == 0);

	name = cache_name("parse", "1a2b3c4d5e6f7890", true, "00000000000fff");
	CHECK_STR(name, CHANGED);
	free(name);
}

static void check_operand(const char *operand, const char *entry)
{
	struct cg_error err;
	char *path = NULL;

	REQUIRE_INT(cache_find_operand(root, operand, &path, &err), CG_OK);
	if (!entry)
		CHECK(path == NULL);
	else if (path)
		CHECK_STR(strrchr(path, '/') + 1, entry);
	else
		CHECK_STR(operand, "a name of the cache");
	free(path);
}

static void test_operands(void)
{
	cache_use(root, OLD);
	check_operand("parse@1a2b3c4d5e", OLD);
	check_operand("parse@1a2b", OLD);
	check_operand(NEW, NEW);
	check_operand("parse@1a2b3c4d5e+", CHANGED);
	check_operand("a@b-c@ff", OTHER);
	check_operand("parse@", NULL);
	check_operand("@1a2b", NULL);
	check_operand("parse@1b", NULL);
	check_operand("pars@1a2b", NULL);
	check_operand("../cache/parse@1a2b", NULL);
}

static void test_short_names(void)
{
	struct cg_error err;
	char *operand = NULL;

	REQUIRE_INT(cache_operand(root, OLD, &operand, &err), CG_OK);
	CHECK_STR(operand, "parse@1a2b3c4d5e");
	free(operand);
	REQUIRE_INT(cache_operand(root, NEW, &operand, &err), CG_OK);
	CHECK_STR(operand, NEW);
	free(operand);
	/* No label is called so. */
	REQUIRE_INT(cache_operand(root, "%zz@1a2b3c4d5e-0123456789ab", &operand, &err), CG_OK);
	CHECK_STR(operand, "%zz@1a2b3c4d5e-0123456789ab");
	free(operand);
}

static void test_cases(void)
{
	struct path_list entries = { 0 }, found = { 0 };
	struct cg_error err;
	char work[400];
	bool whole = false;

	snprintf(work, sizeof work, "%s/.irdiff/tmp/1-new", root);
	REQUIRE(mkdir(work, 0700) == 0);
	REQUIRE_INT(path_list_add(&entries, NEW, &err), CG_OK);
	REQUIRE_INT(path_list_add(&entries, OLD, &err), CG_OK);
	REQUIRE_INT(cache_publish_cases(root, LISTS, work, "key: 1\n", &entries, &err), CG_OK);
	REQUIRE_INT(cache_cases(root, LISTS, &found, &whole, &err), CG_OK);
	CHECK(whole && found.count == 2);
	CHECK(cache_last_run(root, "lists").seconds < 0); /* nothing says so of its cases */
	put(".irdiff/cache/" NEW "/meta.json", "{\"seconds\": 1.5, \"changes\": 4}");
	put(".irdiff/cache/" OLD "/meta.json", "{\"seconds\": 2, \"changes\": 1}");
	const struct meta_run run = cache_last_run(root, "lists");
	CHECK(run.seconds == 3.5);
	CHECK_INT(run.changes, 5);
	/* Cut off, in a name or between two. */
	put(".irdiff/cache/" LISTS "/cases.txt", NEW "\n" OLD);
	REQUIRE_INT(cache_cases(root, LISTS, &found, &whole, &err), CG_OK);
	CHECK(!whole);
	path_list_free(&found);
	path_list_free(&entries);
	REQUIRE_INT(cache_remove(root, LISTS, &err), CG_OK);
}

static void check_meta(const char *text, int64_t measured, double seconds)
{
	put(".irdiff/cache/" OTHER "/meta.json", text);
	used(OTHER, 500);
	CHECK_INT(cache_measured(root, OTHER), measured);
	CHECK(cache_last_run(root, "a@b-c").seconds == seconds);
}

/* It is JSON: what is a member of something else, or is written without spaces, is read as what it
 * is. */
static void test_meta(void)
{
	enum { WHEN = 1767323045 }; /* 2026-01-02T03:04:05Z */

	check_meta("{\n  \"measured\": \"2026-01-02T03:04:05Z\",\n  \"seconds\": 2.5\n}\n", WHEN,
		   2.5);
	check_meta("{\"seconds\":2,\"measured\":\"2026-01-02T03:04:05Z\"}", WHEN, 2);
	check_meta("{\"totals\": {\"measured\": \"2020-01-01T00:00:00Z\", \"seconds\": 7}, "
		   "\"measured\": \"2026-01-02T03:04:05Z\", \"seconds\": 2.5}",
		   WHEN, 2.5);
	check_meta("{\"totals\": {\"measured\": \"2020-01-01T00:00:00Z\", \"seconds\": 7}}", 500,
		   -1);
	check_meta("{\"measured\": \"2026-01-02T03:04:05Z and later\", \"seconds\": \"2\"}", 500,
		   -1);
	check_meta("{\"measured\": 3, \"seconds\": -2}", 500, -1);
	check_meta("{\"measured\": \"2026-01-02T03:04:05Z\", \"seconds\": 2.5", 500, -1);
	check_meta("{}", 500, -1);
}

/* A name of the cache works as that of a profile, and a label of the same name comes first. */
static void test_profiles(void)
{
	struct cg_error err;
	char *path = NULL;

	REQUIRE_INT(store_find_profile(root, "parse@1a2b3c4d5e+", &path, &err), CG_OK);
	CHECK(strstr(path, CHANGED "/profile.callgrind") != NULL);
	free(path);
	REQUIRE_INT(store_prepare(root, &err), CG_OK);
	put("profiles/parse@1a2b.callgrind", "a label");
	REQUIRE_INT(store_find_profile(root, "parse@1a2b", &path, &err), CG_OK);
	CHECK(strstr(path, "/profiles/parse@1a2b.callgrind") != NULL);
	free(path);
}

static void test_published_twice(void)
{
	publish(OLD, "another measurement of the same", 4000);
	CHECK(there(".irdiff/cache/" OLD "/profile.callgrind"));
	char *text;
	size_t size;
	char path[400];
	snprintf(path, sizeof path, "%s/.irdiff/cache/" OLD "/profile.callgrind", root);
	REQUIRE_INT(file_read(path, &text, &size, NULL), CG_OK);
	CHECK_STR(text, "old");
	CHECK_U64(size, 3);
	free(text);

	/* Or it is replaced as a whole. */
	char work[400];
	struct cg_error err;
	snprintf(work, sizeof work, "%s/.irdiff/tmp/1-new", root);
	REQUIRE(mkdir(work, 0700) == 0);
	put(".irdiff/tmp/1-new/profile.callgrind", "newer");
	REQUIRE_INT(cache_publish(root, OLD, work, "key: 1\n", true, &err), CG_OK);
	remove_directory(work, NULL);
	REQUIRE_INT(file_read(path, &text, &size, NULL), CG_OK);
	CHECK_STR(text, "newer");
	free(text);
	CHECK(!there(".irdiff/cache/" OLD "/meta.json"));
}

/* A link would have what is elsewhere removed. */
static void test_links(void)
{
	struct cache_list list = { 0 };
	struct cg_error err = { 0 };
	char path[400];

	snprintf(path, sizeof path, "%s/.irdiff/cache/failed", root);
	REQUIRE(rmdir(path) == 0);
	REQUIRE(symlink("/", path) == 0);
	CHECK_INT(cache_list(root, &list, &err), CG_EINVAL);
	CHECK(strstr(err.message, "symbolic link") != NULL);
	CHECK_INT(cache_remove(root, "failed/tmp", &err), CG_EINVAL);
	CHECK_INT(cache_prepare(root, &err), CG_EINVAL);
	cache_list_free(&list);
	REQUIRE(unlink(path) == 0);
	REQUIRE_INT(cache_prepare(root, &err), CG_OK);
}

static void test_list(void)
{
	struct cache_list list = { 0 };
	struct cg_error err;

	put(".irdiff/cache/failed/0123456789ab.log", "error");
	put(".irdiff/cache/no entry", "");
	used(OTHER, 500);
	used(OLD, 4000);
	used(NEW, 2000);
	REQUIRE_INT(cache_list(root, &list, &err), CG_OK);
	REQUIRE_U64(list.count, 5);
	CHECK_STR(list.items[0].name, "failed/0123456789ab.log");
	CHECK_U64(list.items[0].bytes, 5);
	CHECK_STR(list.items[1].name, OLD);
	CHECK_STR(list.items[2].name, CHANGED);
	CHECK_STR(list.items[3].name, NEW);
	CHECK_STR(list.items[4].name, OTHER);
	for (size_t i = 0; i < list.count; i++)
		CHECK_INT(cache_remove(root, list.items[i].name, &err), CG_OK);
	cache_list_free(&list);
	REQUIRE_INT(cache_list(root, &list, &err), CG_OK);
	CHECK_U64(list.count, 0);
	cache_list_free(&list);
	REQUIRE_INT(remove_directory(root, &err), CG_OK);
}

static void check_by_use(const char *benchmark, const char *const *expected, size_t count)
{
	struct path_list names = { 0 };
	struct cg_error err;

	REQUIRE_INT(cache_names_by_use(root, benchmark, &names, &err), CG_OK);
	REQUIRE_INT(names.count, count);
	for (size_t i = 0; i < count; i++)
		CHECK_STR(names.paths[i], expected[i]);
	path_list_free(&names);
}

static void test_by_use(void)
{
	static const char *const names[] = { "used@1a2b3c4d5e-0123456789ab",
					     "used@1a2b3c4d5e+-00000000000f",
					     "used@0a2b3c4d5e-ba9876543210" };
	static const char *const other[] = { "used@x@ffffffffff-111111111111" };

	publish(names[2], "first", 100);
	publish(names[0], "last", 300);
	publish(names[1], "changed", 200);
	publish(*other, "other", 400);
	check_by_use("used", names, 3);
	check_by_use("used@x", other, 1);
	check_by_use("use", NULL, 0);
	for (size_t i = 0; i < 3; i++)
		CHECK_INT(cache_remove(root, names[i], NULL), CG_OK);
	CHECK_INT(cache_remove(root, *other, NULL), CG_OK);
}

int main(void)
{
	static const struct test tests[] = {
		{ "entries are found by benchmark and key", test_entries },
		{ "operands name them", test_operands },
		{ "short names are not ambiguous", test_short_names },
		{ "benchmarks with cases", test_cases },
		{ "when they were measured, and for how long", test_meta },
		{ "they are profiles", test_profiles },
		{ "an entry never changes", test_published_twice },
		{ "links are refused", test_links },
		{ "those of a benchmark, by use", test_by_use },
		{ "the last used is the first of the list", test_list },
	};
	if (!mkdtemp(root))
		return 1;
	return test_main("cache", tests, sizeof tests / sizeof *tests);
}
