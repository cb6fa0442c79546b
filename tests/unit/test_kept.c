#include "src/store/kept.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "src/store/cache.h"
#include "src/store/files.h"
#include "tests/unit/harness.h"

static char root[] = "/tmp/irdiff-kept-XXXXXX";

static char *path_of(const char *name)
{
	static char path[600];

	snprintf(path, sizeof path, "%s/%s", root, name);
	return path;
}

static bool there(const char *name)
{
	return access(path_of(name), F_OK) == 0;
}

/* A set of one directory with one file. */
static int put(const char *key, const char *text, const char *content)
{
	struct cg_error err;
	char from[600];

	snprintf(from, sizeof from, "%s/.irdiff/tmp/set", root);
	REQUIRE(make_directories(path_of(".irdiff/tmp/set/0/deep"), NULL) == CG_OK);
	FILE *to = fopen(path_of(".irdiff/tmp/set/0/deep/file"), "w");
	REQUIRE(to != NULL);
	fputs(content, to);
	fclose(to);
	int status = kept_put(root, key, text, from, &err);
	remove_directory(from, NULL);
	return status;
}

/* Takes it, and leaves it to the next call to remove it. */
static bool take(const char *key, const char *text)
{
	struct cg_error err;
	char to[600];
	bool taken = false;

	snprintf(to, sizeof to, "%s/.irdiff/tmp/taken", root);
	remove_directory(to, NULL);
	REQUIRE(kept_take(root, key, text, to, &taken, &err) == CG_OK);
	CHECK(taken == there(".irdiff/tmp/taken/0/deep/file"));
	CHECK(taken == there(".irdiff/tmp/taken"));
	return taken;
}

#define KEY "0123456789abcdef0123"
#define SET ".irdiff/cache/kept/0123456789ab"

static void test_take_and_put(void)
{
	CHECK(!take(KEY, "text\n"));
	CHECK(put(KEY, "text\n", "1") == CG_OK);
	CHECK(there(SET "/key.txt") && there(SET "/0/deep/file"));
	CHECK(take(KEY, "text\n"));
	CHECK(!there(SET));
	CHECK(!take(KEY, "text\n")); /* it has one user */

	CHECK(put(KEY, "text\n", "1") == CG_OK && put(KEY, "text\n", "23") == CG_OK);
	CHECK(take(KEY, "text\n"));
	char *text;
	size_t size;
	REQUIRE(file_read(path_of(".irdiff/tmp/taken/0/deep/file"), &text, &size, NULL) == CG_OK);
	CHECK_STR(text, "23");
	free(text);
}

/* They are removed, not left to be found again. */
static void test_not_trusted(void)
{
	CHECK(put(KEY, "text\n", "1") == CG_OK);
	CHECK(!take(KEY, "other\n") && !there(SET));
	CHECK(put(KEY, "text\n", "1") == CG_OK);
	unlink(path_of(SET "/key.txt"));
	CHECK(!take(KEY, "text\n") && !there(SET));
	CHECK(put(KEY, "text\n", "1") == CG_OK);
	const struct timespec later[2] = { { time(NULL) + 100, 0 }, { time(NULL) + 100, 0 } };
	utimensat(AT_FDCWD, path_of(SET "/key.txt"), later, 0);
	CHECK(!take(KEY, "text\n") && !there(SET));

	char to[600];
	struct cg_error err;
	bool taken;
	remove_directory(path_of(".irdiff/cache/kept"), NULL);
	REQUIRE(symlink("/tmp", path_of(".irdiff/cache/kept")) == 0);
	snprintf(to, sizeof to, "%s/.irdiff/tmp/taken", root);
	CHECK(kept_take(root, KEY, "text\n", to, &taken, &err) == CG_EINVAL);
	CHECK(put(KEY, "text\n", "1") != CG_OK);
	unlink(path_of(".irdiff/cache/kept"));
}

static void test_list(void)
{
	struct cache_list list = { 0 };
	struct cg_error err;
	char key[20], set[100];

	for (int i = 0; i < KEPT_SETS_MAX + 2; i++) {
		snprintf(key, sizeof key, "%012x", i);
		CHECK(put(key, "text\n", "12345") == CG_OK);
		snprintf(set, sizeof set, ".irdiff/cache/kept/%s", key);
		const struct timespec used[2] = { { 1000 + i, 0 }, { 1000 + i, 0 } };
		utimensat(AT_FDCWD, path_of(set), used, 0);
	}
	REQUIRE(cache_list(root, &list, &err) == CG_OK);
	REQUIRE_U64(list.count, KEPT_SETS_MAX);
	CHECK_STR(list.items[0].name, "kept/000000000004");
	CHECK_STR(list.items[KEPT_SETS_MAX - 1].name, "kept/000000000002");
	CHECK_U64(list.items[0].bytes, 10); /* the key, and the file in directories */
	CHECK(cache_remove(root, list.items[0].name, &err) == CG_OK);
	cache_list_free(&list);
	CHECK(!there(".irdiff/cache/kept/000000000004"));
	CHECK(kept_is_name("0123456789ab") && !kept_is_name("0123456789abc"));
	CHECK(!kept_is_name("0123456789a") && !kept_is_name("../456789abcd"));
}

int main(void)
{
	static const struct test tests[] = {
		{ "a set has one user", test_take_and_put },
		{ "what is not used", test_not_trusted },
		{ "list and limits", test_list },
	};
	struct cg_error err;

	if (!mkdtemp(root) || cache_prepare(root, &err))
		return 1;
	int result = test_main("kept", tests, sizeof tests / sizeof *tests);
	remove_directory(root, NULL);
	return result;
}
