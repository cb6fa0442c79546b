/* irdiff.yml as a file: where it is found, and how it is read. */
#include "tests/unit/harness.h"

#include <sys/stat.h>
#include <unistd.h>

#include "src/config/config.h"

static void write_file(const char *dir, const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	FILE *f = fopen(path, "w");
	REQUIRE(f != NULL);
	fputs(text, f);
	fclose(f);
}

static void make_dir(const char *dir, const char *name)
{
	char path[256];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	REQUIRE_INT(mkdir(path, 0777), 0);
}

static void finds(const char *dir, const char *start, const char *expected)
{
	char from[256], want[256], *path = (char *)1;

	snprintf(from, sizeof from, "%s/%s", dir, start);
	snprintf(want, sizeof want, "%s/%s", dir, expected ? expected : "");
	REQUIRE_INT(config_find(from, &path, NULL), CG_OK);
	CHECK_STR(path, expected ? want : NULL);
	free(path);
}

static void remove_all(const char *dir)
{
	static const char *const names[] = {
		"a/.git/x/irdiff.yml", "a/.git/x", "a/.git",    "a/b/c", "a/b/irdiff.yaml", "a/b",
		"a/irdiff.yml",        "a",        "irdiff.yml"
	};
	char path[256];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, names[i]);
		remove(path);
	}
	remove(dir);
}

static void test_find(void)
{
	char dir[] = "/tmp/irdiff-test-XXXXXX", from[64], *path = NULL;
	struct cg_error err = { 0 };

	REQUIRE(mkdtemp(dir) != NULL);
	make_dir(dir, "a");
	make_dir(dir, "a/b");
	make_dir(dir, "a/b/c");
	write_file(dir, "irdiff.yml", "");
	finds(dir, "", "irdiff.yml");
	finds(dir, "a/b/c", "irdiff.yml");
	finds(dir, "a/b/../b/c/", "irdiff.yml");
	make_dir(dir, "a/.git"); /* the git root ends the search */
	finds(dir, "a/b/c", NULL);
	write_file(dir, "a/irdiff.yml", "");
	finds(dir, "a/b/c", "a/irdiff.yml");

	write_file(dir, "a/b/irdiff.yaml", "");
	snprintf(from, sizeof from, "%s/a/b/c", dir);
	CHECK_INT(config_find(from, &path, &err), CG_EINVAL);
	CHECK(path == NULL);
	CHECK(strstr(err.file, "/a/b/irdiff.yaml") != NULL);
	CHECK(strstr(err.message, "rename it to irdiff.yml") != NULL);
	CHECK_INT(config_find("/nonexistent/x", &path, &err), CG_EIO);
	remove_all(dir);
}

static void test_load(void)
{
	char dir[] = "/tmp/irdiff-test-XXXXXX", path[64];
	struct config *config = NULL;
	struct cg_error err = { 0 };

	REQUIRE(mkdtemp(dir) != NULL);
	write_file(dir, "irdiff.yml", "benchmarks: {p: {command: x}}\n");
	snprintf(path, sizeof path, "%s/irdiff.yml", dir);
	REQUIRE_INT(config_load(path, &config, &err), CG_OK);
	CHECK_STR(config->dir, dir);
	CHECK_STR(config->benchmarks[0].name, "p");
	config_free(config);

	write_file(dir, "irdiff.yml", "\nbuild: a | b\n");
	CHECK_INT(config_load(path, &config, &err), CG_ESYNTAX);
	CHECK_STR(err.file, path);
	CHECK_U64(err.line, 2);
	CHECK_INT(config_load(dir, &config, &err), CG_EIO);
	CHECK_INT(config_load("/dev/zero", &config, &err), CG_EIO);
	CHECK_INT(config_load("/nonexistent", &config, &err), CG_EIO);
	remove(path);
	REQUIRE_INT(mkfifo(path, 0600), 0); /* must not wait for a writer */
	CHECK_INT(config_load(path, &config, &err), CG_EIO);
	remove_all(dir);
}

TEST_MAIN("config file", { "finding it", test_find }, { "loading it", test_load })
