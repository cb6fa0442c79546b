/*
 * What a count depends on: two states have one key exactly if nothing that is known before a
 * measurement tells them apart.
 */
#include "tests/unit/repository.h"

#include "src/commits/key_text.h"
#include "src/commits/revision_key.h"
#include "src/run/freeze.h"
#include "src/store/cache.h"

static char *build_words[] = { (char *)"make", (char *)"-j", NULL };
static char *run_words[] = { (char *)"./bench", (char *)"a b", NULL };

/* All that a key is made of. */
struct facts {
	struct build_area area;
	struct git git;
	struct revision side;
	struct snapshot_part parts[2];
	struct config_command build;
	struct config_benchmark benchmark;
	struct config_env env[2];
};

static struct git *asked; /* makes the digests */

static struct facts *new_facts(void)
{
	struct facts *f = calloc(1, sizeof *f);

	REQUIRE(f != NULL);
	f->git = *asked;
	f->git.prefix = (char *)"sub/";
	f->area = (struct build_area){ .git = &f->git,
				       .tools = (char *)"tool: cc 12\nvalgrind: 3.19\n",
				       .copied = (char *)"copied 1\n",
				       .secret = { "secret" } };
	f->parts[0] = (struct snapshot_part){ .path = (char *)"",
					      .tree = (char *)"1111",
					      .directory = (char *)"/repository/.git" };
	f->parts[1] = (struct snapshot_part){
		.path = (char *)"third",
		.tree = (char *)"2222",
		.directory = (char *)"/repository/.git/modules/third"
	};
	f->build = (struct config_command){ .argv = build_words, .argc = 2, .line = 1 };
	f->side = (struct revision){
		.name = (char *)"main",
		.commit.id = (char *)"abcd",
		.build = &f->build,
		.files = { .commit = (char *)"abcd", .parts = f->parts, .nparts = 2 }
	};
	f->env[0] = (struct config_env){ .name = "SAID", .value = "yes" };
	f->env[1] = (struct config_env){ .name = "KEY_PASSED" };
	f->benchmark = (struct config_benchmark){ .name = "bench",
						  .line = 2,
						  .command = { .argv = run_words, .argc = 2 },
						  .root = { "parse", 3 },
						  .cwd = { "data", 4 },
						  .env = f->env,
						  .env_count = 2,
						  .depth = -1 };
	return f;
}

/* Frees the facts. *key (NULL: dropped) is the caller's. */
static char *text_of(struct facts *f, bool of_build, char **key)
{
	char *text = NULL, *digest = NULL;
	struct cg_error err = { 0 };
	int status = revision_key(&f->area, &f->side, of_build ? NULL : &f->benchmark, &digest,
				  &text, &err);

	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	if (key)
		*key = digest;
	else
		free(digest);
	free(f);
	return text;
}

static char *key_of(struct facts *f, bool of_build)
{
	char *key;
	free(text_of(f, of_build, &key));
	return key;
}

static char *usual_key(bool of_build)
{
	return key_of(new_facts(), of_build);
}

/* Frees the facts. */
static void check_same(struct facts *f, bool of_build, bool same, int line)
{
	char *usual = usual_key(of_build), *key = key_of(f, of_build);

	test_report((strcmp(key, usual) == 0) == same, false, __FILE__, line,
		    same ? "it is in the key of a %s" : "it is not in the key of a %s",
		    of_build ? "build" : "profile");
	free(usual);
	free(key);
}

/* One fact is changed, of what keys of builds and of profiles both must tell apart, or of profiles
 * only, or of neither. */
#define IN_BOTH(change) \
	do { \
		for (int build = 0; build < 2; build++) { \
			struct facts *f = new_facts(); \
			change; \
			check_same(f, build, false, __LINE__); \
		} \
	} while (0)
#define IN_PROFILES(change) \
	do { \
		for (int build = 0; build < 2; build++) { \
			struct facts *f = new_facts(); \
			change; \
			check_same(f, build, build, __LINE__); \
		} \
	} while (0)
#define IN_NEITHER(change) \
	do { \
		for (int build = 0; build < 2; build++) { \
			struct facts *f = new_facts(); \
			change; \
			check_same(f, build, true, __LINE__); \
		} \
	} while (0)

static void test_sides(void)
{
	static char *more[] = { (char *)"make", (char *)"-j", (char *)"all", NULL };
	static char *joined[] = { (char *)"make -j", NULL };
	static char *lines[] = { (char *)"make\nbuild: -j", NULL };

	IN_NEITHER((void)f);
	IN_BOTH(f->side.commit.id = (char *)"abce");
	IN_BOTH(f->parts[0].tree = (char *)"1112");
	IN_BOTH(f->parts[1].tree = (char *)"2223");
	IN_BOTH(f->parts[1].path = (char *)"other");
	IN_BOTH(f->parts[1].directory = NULL); /* its files are missing */
	IN_BOTH(f->side.files.nparts = 1);
	IN_BOTH(f->git.prefix = (char *)"");
	IN_BOTH(f->area.tools = (char *)"tool: cc 13\nvalgrind: 3.19\n");
	IN_BOTH(f->area.copied = (char *)"copied 2\n");
	IN_BOTH(f->area.copied = NULL);
	IN_BOTH((f->build.argv = more, f->build.argc = 3));
	IN_BOTH((f->build.argv = joined, f->build.argc = 1));
	IN_BOTH((f->build.argv = lines, f->build.argc = 1));
	IN_BOTH(f->build.argc = 0);
	IN_BOTH(f->area.options.build = &f->build); /* --build, even with the same words */
	/* What it is called, and where it stands, is another matter. */
	IN_NEITHER(f->side.name = (char *)"topic");
	IN_NEITHER(f->build.line = 7);
	IN_NEITHER(f->side.files.changed = true);
	IN_NEITHER(f->parts[1].directory = (char *)"/elsewhere");
	IN_NEITHER(f->area.options.fresh = true);
}

static void test_benchmarks(void)
{
	static char *more[] = { (char *)"./bench", (char *)"a", (char *)"b", NULL };

	IN_PROFILES((f->benchmark.command.argv = more, f->benchmark.command.argc = 3));
	IN_PROFILES(f->benchmark.command.argc = 1);
	IN_PROFILES(f->benchmark.root.text = "print");
	IN_PROFILES(f->benchmark.root.text = NULL);
	IN_PROFILES(f->benchmark.cwd.text = "other");
	IN_PROFILES(f->benchmark.cwd.text = NULL);
	IN_PROFILES(f->benchmark.depth = 0);
	IN_PROFILES(f->benchmark.depth = 100);
	IN_PROFILES(f->benchmark.warm_up = true);
	IN_PROFILES(f->benchmark.no_presets = true);
	IN_PROFILES(f->benchmark.image = "prog");
	IN_PROFILES(f->benchmark.cases = "irdiff");
	IN_PROFILES(f->benchmark.processes = "each");
	IN_PROFILES(f->benchmark.threads = "each");
	IN_PROFILES(f->benchmark.signals = 1 << 9);
	IN_PROFILES(f->benchmark.signals = UINT64_C(1) << 63);
	IN_PROFILES(f->benchmark.freeze = FREEZE_TIME);
	IN_PROFILES(f->benchmark.line = 0); /* of the command line */
	/* What is so anyway. */
	IN_NEITHER(f->benchmark.cases = "auto");
	IN_NEITHER(f->benchmark.processes = "forked");
	IN_NEITHER(f->benchmark.threads = "together");
	/* What moves no count. */
	IN_NEITHER(f->benchmark.name = "other");
	IN_NEITHER(f->benchmark.filter.text = "^x");
	IN_NEITHER(f->benchmark.timeout = 60);
	IN_NEITHER(f->benchmark.line = 8);
	IN_NEITHER(f->benchmark.root.line = 8);
}

static void test_kinds_of_freezing(void)
{
	static const unsigned kinds[] = { FREEZE_PID, FREEZE_TIME, FREEZE_PID | FREEZE_TIME };
	char *keys[3];

	for (size_t i = 0; i < 3; i++) {
		struct facts *f = new_facts();
		f->benchmark.freeze = kinds[i];
		keys[i] = key_of(f, false);
	}
	CHECK(strcmp(keys[0], keys[1]) != 0);
	CHECK(strcmp(keys[0], keys[2]) != 0);
	CHECK(strcmp(keys[1], keys[2]) != 0);
	for (size_t i = 0; i < 3; i++)
		free(keys[i]);
}

static char *frozen_key(void)
{
	struct facts *f = new_facts();
	f->benchmark.freeze = FREEZE_PID;
	return key_of(f, false);
}

/* Instructions of the library that freezes are counted. */
static void test_freezing_library(void)
{
	char *path;

	REQUIRE(asprintf(&path, "%s/library.so", repository) > 0);
	setenv("IRDIFF_FREEZE_LIBRARY", path, 1);
	shell("echo one >library.so");
	char *one = frozen_key(), *unfrozen = usual_key(false);
	shell("echo another >library.so");
	char *other = frozen_key(), *still = usual_key(false);
	CHECK(strcmp(one, other) != 0);
	CHECK_STR(still, unfrozen); /* whatever it is, where nothing is frozen */
	unsetenv("IRDIFF_FREEZE_LIBRARY");
	free(path);
	free(one);
	free(other);
	free(unfrozen);
	free(still);
}

static void test_variables(void)
{
	char *first, *text;

	IN_PROFILES(f->env[0].value = "no");
	IN_PROFILES(f->env[0].value = "");
	IN_PROFILES(f->env[0].name = "OTHER");
	IN_PROFILES(f->benchmark.env_count = 1);
	/* What is passed through is told apart, and not shown. */
	setenv("KEY_PASSED", "hunter2", 1);
	text = text_of(new_facts(), false, &first);
	CHECK(strstr(text, "env KEY_PASSED: hmac:") != NULL);
	CHECK(strstr(text, "hunter2") == NULL);
	free(text);
	setenv("KEY_PASSED", "hunter3", 1);
	char *second = usual_key(false);
	setenv("KEY_PASSED", "", 1);
	char *empty = usual_key(false);
	unsetenv("KEY_PASSED");
	char *missing = usual_key(false);
	setenv("KEY_PASSED", "hunter2", 1);
	char *again = usual_key(false);
	CHECK(strcmp(first, second) != 0);
	CHECK(strcmp(empty, missing) != 0);
	CHECK(strcmp(first, missing) != 0);
	CHECK_STR(again, first);
	/* Another machine's digests say nothing of it. */
	IN_PROFILES(f->area.secret.bytes[0] ^= 1);
	unsetenv("KEY_PASSED");
	IN_NEITHER(f->area.secret.bytes[0] ^= 1);
	/* The line of the environment has those of builds. */
	setenv("CFLAGS", "-O1", 1);
	struct facts *f = new_facts();
	f->env[1].name = "CFLAGS";
	text = text_of(f, false, NULL);
	CHECK(strstr(text, "env CFLAGS: (of the environment)\n") != NULL);
	free(text);
	unsetenv("CFLAGS");
	free(first);
	free(second);
	free(empty);
	free(missing);
	free(again);
}

static void test_text(void)
{
	char line[30], *text = text_of(new_facts(), false, NULL);

	/* Each fact is a line, in this order: other machines compare the text. */
	snprintf(line, sizeof line, "key: %d\n", CACHE_KEY_VERSION);
	CHECK(strncmp(text, line, strlen(line)) == 0);
	CHECK_STR(text + strlen(line), "tool: cc 12\nvalgrind: 3.19\n"
				       "commit: abcd\n"
				       "files: 1111 \\n2222 third\\n\n"
				       "project: sub/\n"
				       "copied: copied 1\\n\n"
				       "build: make\nbuild: -j\n"
				       "command: ./bench\ncommand: a b\n"
				       "root: parse\ncwd: data\n"
				       "env SAID: yes\nenv KEY_PASSED: (not set)\n"
				       "warm_up: 0\n");
	free(text);
	/* Only what is of the command line stays on this machine. */
	text = text_of(new_facts(), true, NULL);
	CHECK(strstr(text, CACHE_KEY_UNSHARED) == NULL);
	free(text);
	struct facts *f = new_facts();
	f->benchmark.line = 0;
	text = text_of(f, false, NULL);
	CHECK(strstr(text, CACHE_KEY_UNSHARED) != NULL);
	free(text);
	f = new_facts();
	f->area.options.build = &f->build;
	text = text_of(f, true, NULL);
	CHECK(strstr(text, CACHE_KEY_UNSHARED) != NULL);
	free(text);
}

/* The key is the id that git gives to the text: shares check it by that. */
static void test_digest(void)
{
	char *key, *text = text_of(new_facts(), false, &key), *path;
	struct cg_error err = { 0 };
	char *id = NULL;

	CHECK(git_is_id(key));
	REQUIRE(asprintf(&path, "%s/key", repository) > 0);
	FILE *to = fopen(path, "w");
	REQUIRE(to != NULL);
	fputs(text, to);
	fclose(to);
	const char *const of_file[] = { "hash-object", path, NULL };
	REQUIRE_INT(git_line(asked, of_file, &id, &err), CG_OK);
	CHECK_STR(key, id);
	free(path);
	free(id);
	free(key);
	free(text);
}

/* ---- definitions ---- */

static void definition(struct config_benchmark *b, char digest[HISTORY_DIGEST])
{
	struct cg_error err;
	REQUIRE_INT(definition_of(b, digest, &err), CG_OK);
}

static void check_definition(struct facts *f, bool same, int line)
{
	struct facts *usual = new_facts();
	char one[HISTORY_DIGEST], other[HISTORY_DIGEST];

	definition(&usual->benchmark, one);
	definition(&f->benchmark, other);
	test_report((strcmp(one, other) == 0) == same, false, __FILE__, line,
		    "the definition is %s", same ? "another one" : "the same");
	free(usual);
	free(f);
}

#define DEFINES(same, change) \
	do { \
		struct facts *f = new_facts(); \
		change; \
		check_definition(f, same, __LINE__); \
	} while (0)

static void test_definitions(void)
{
	char one[HISTORY_DIGEST], other[HISTORY_DIGEST];
	struct facts *usual = new_facts();

	DEFINES(true, (void)f);
	DEFINES(false, f->benchmark.command.argc = 1);
	DEFINES(false, f->benchmark.root.text = NULL);
	DEFINES(false, f->benchmark.cwd.text = NULL);
	DEFINES(false, f->env[0].value = "no");
	DEFINES(false, f->env[1].name = "OTHER");
	DEFINES(false, f->benchmark.depth = 7);
	DEFINES(false, f->benchmark.warm_up = true);
	DEFINES(false, f->benchmark.no_presets = true);
	DEFINES(false, f->benchmark.cases = "dumps");
	DEFINES(false, f->benchmark.processes = "all");
	DEFINES(false, f->benchmark.threads = "each");
	DEFINES(false, f->benchmark.signals = 1 << 9);
	DEFINES(false, f->benchmark.freeze = FREEZE_PID);
	DEFINES(true, f->benchmark.name = "other");
	DEFINES(true, f->benchmark.timeout = 7);
	DEFINES(true, f->benchmark.filter.text = "x");
	/* A value that is passed through is the environment's. */
	setenv("KEY_PASSED", "one", 1);
	definition(&usual->benchmark, one);
	setenv("KEY_PASSED", "two", 1);
	definition(&usual->benchmark, other);
	unsetenv("KEY_PASSED");
	CHECK_STR(one, other);
	CHECK_U64(strlen(one), HISTORY_DIGEST - 1);
	free(usual);
}

int main(void)
{
	static const struct test tests[] = {
		{ "what is built, and how", test_sides },
		{ "what is measured, and how", test_benchmarks },
		{ "what is frozen", test_kinds_of_freezing },
		{ "what freezes it", test_freezing_library },
		{ "variables", test_variables },
		{ "a text of one fact a line", test_text },
		{ "the digest of that text", test_digest },
		{ "definitions", test_definitions },
	};
	struct cg_error err;
	if (!repository_begin())
		return TEST_SKIPPED;
	if (git_open(repository, NULL, &asked, &err))
		return 1;
	int failed = test_main("revision_key", tests, sizeof tests / sizeof *tests);
	git_close(asked);
	repository_end();
	return failed;
}
