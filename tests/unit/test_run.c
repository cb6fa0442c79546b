/* The parts of the driver that need no Valgrind. */
#include "tests/unit/harness.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/run/command.h"
#include "src/run/depth.h"
#include "src/run/fingerprint.h"
#include "src/run/hermetic.h"
#include "src/run/image.h"
#include "src/run/process.h"
#include "src/run/run.h"
#include "src/run/strings.h"
#include "src/run/workspace.h"
#include "tests/unit/scratch_files.h"

/* ---- hermetic ---- */

static void check_path(const char *path, const char *expected)
{
	char *got = hermetic_path(path);

	CHECK_STR(got, expected);
	free(got);
}

static void test_path(void)
{
	check_path("/usr/bin:/bin", "/usr/bin:/bin");
	check_path("/usr/bin/:/bin//:/usr/bin", "/usr/bin:/bin");
	check_path(":.:bin:/a b::/c:", "/a b:/c");
	check_path("/ab:/a:/abc:/a", "/ab:/a:/abc");
	check_path("/", "/");
	check_path("", "/usr/local/bin:/usr/bin:/bin");
	check_path(NULL, "/usr/local/bin:/usr/bin:/bin");
	check_path("relative", "/usr/local/bin:/usr/bin:/bin");
}

static void test_padded_path(void)
{
	char *shorter = hermetic_padded_path("/bin");
	char *longer = hermetic_padded_path("/usr/local/bin:/usr/bin:/bin:/opt/x");

	CHECK_U64(strlen(shorter), HERMETIC_PATH_STEP);
	CHECK_U64(strlen(longer), HERMETIC_PATH_STEP);
	CHECK(!strncmp(shorter, "/bin///", 7));
	free(shorter);
	free(longer);
}

static void test_environment(void)
{
	const char *pass[] = { "TEST_RUN_GIVEN", "TEST_RUN_ABSENT", "TZ=Asia/Tokyo",
			       "A=b=c",          "EMPTY=",          NULL };
	struct environment env;
	struct cg_error err;

	setenv("TEST_RUN_GIVEN", "yes", 1);
	setenv("TEST_RUN_OTHER", "leak", 1);
	unsetenv("TEST_RUN_ABSENT");
	REQUIRE(!hermetic_environment(pass, "/bin", "tun=1", &env, &err));
	CHECK_STR(environment_get(&env, "TEST_RUN_GIVEN"), "yes");
	CHECK_STR(environment_get(&env, "TEST_RUN_ABSENT"), NULL);
	CHECK_STR(environment_get(&env, "TEST_RUN_OTHER"), NULL);
	CHECK_STR(environment_get(&env, "TZ"), "Asia/Tokyo");
	CHECK_STR(environment_get(&env, "A"), "b=c");
	CHECK_STR(environment_get(&env, "EMPTY"), "");
	CHECK_STR(environment_get(&env, "HOME"), "/nonexistent");
	CHECK_STR(environment_get(&env, "LC_ALL"), "C");
	CHECK_STR(environment_get(&env, "GLIBC_TUNABLES"), "tun=1");
	CHECK(!strncmp(env.vars[0], "PATH=", 5));
	CHECK(env.vars[env.count] == NULL);
	environment_free(&env);

	const char *wrong[] = { "=value", NULL };
	CHECK_INT(hermetic_environment(wrong, "/bin", "", &env, &err), CG_EINVAL);
}

static void test_tunables(void)
{
	char *tunables = NULL;

	/* Something that is no ld.so, and none at all. */
	REQUIRE(!hermetic_tunables("/bin/true", NULL, &tunables, NULL));
	CHECK_STR(tunables, "");
	free(tunables);
	REQUIRE(!hermetic_tunables(NULL, NULL, &tunables, NULL));
	CHECK_STR(tunables, "");
	free(tunables);
}

/* ---- images and commands ---- */

static void test_image(void)
{
	char *dir = make_directory();
	struct image image;
	struct cg_error err;

	char *script = write_file(dir, "script", "#! /bin/sh  -e x \necho\n", 0755);
	REQUIRE(!image_read(script, &image, &err));
	CHECK_INT(image.kind, IMAGE_SCRIPT);
	CHECK_STR(image.interpreter, "/bin/sh");
	CHECK_STR(image.argument, "-e x");
	image_free(&image);
	free(script);

	char *bare = write_file(dir, "bare", "#!/bin/bash\n", 0755);
	REQUIRE(!image_read(bare, &image, &err));
	CHECK_STR(image.interpreter, "/bin/bash");
	CHECK_STR(image.argument, NULL);
	image_free(&image);
	free(bare);

	char *text = write_file(dir, "text", "hello", 0755);
	REQUIRE(!image_read(text, &image, &err));
	CHECK_INT(image.kind, IMAGE_OTHER);
	image_free(&image);
	free(text);

	char *empty = write_file(dir, "empty", "", 0755);
	REQUIRE(!image_read(empty, &image, &err));
	CHECK_INT(image.kind, IMAGE_OTHER);
	image_free(&image);
	free(empty);

	char *cut = write_file(dir, "cut", "\177ELF\2\1\1aaaaaaaaaaaaaaaaa", 0755);
	CHECK_INT(image_read(cut, &image, &err), CG_ESYNTAX);
	free(cut);
	CHECK_INT(image_read(dir, &image, &err), CG_EIO);
	CHECK_INT(image_read("/nonexistent/x", &image, &err), CG_EIO);

	REQUIRE(!image_read("/proc/self/exe", &image, &err));
	CHECK_INT(image.kind, IMAGE_ELF);
	CHECK(!image.foreign);
	CHECK_U64(image.bits, 8 * sizeof(void *));
	image_free(&image);
	remove_tree(dir);
}

/* Wherever it is, also where blocks that are read meet. */
static void test_image_text(void)
{
	enum { SIZE = 140000, NEAR = 65536 };
	static const char text[] = "some text";
	char *dir = make_directory(), *bytes = malloc(SIZE + 1);

	REQUIRE(bytes != NULL);
	for (size_t at = NEAR - sizeof text - 1; at < NEAR + 2; at++) {
		memset(bytes, 's', SIZE);
		bytes[SIZE] = '\0';
		memcpy(bytes + at, text, sizeof text - 1);
		char *file = write_file(dir, "file", bytes, 0644);
		CHECK(image_has_text(file, text));
		CHECK(!image_has_text(file, "some other text"));
		free(file);
	}
	memcpy(bytes + SIZE - sizeof text + 1, text, sizeof text - 1);
	memset(bytes, 's', SIZE / 2 + 100);
	char *file = write_file(dir, "file", bytes, 0644);
	CHECK(image_has_text(file, text));
	free(file);
	CHECK(!image_has_text("/nonexistent/x", text));
	CHECK(!image_has_text(dir, text));
	free(bytes);
	remove_tree(dir);
}

/* Every truncation and every changed byte of the header: no crash, no leak. */
static void test_image_damage(void)
{
	unsigned char bytes[4096];
	char *dir = make_directory(), *path;
	struct image image;

	int self = open("/proc/self/exe", O_RDONLY);
	REQUIRE(self >= 0 && read(self, bytes, sizeof bytes) == (ssize_t)sizeof bytes);
	close(self);
	path = write_file(dir, "elf", "", 0755);
	for (size_t i = 4; i < 512; i++) {
		int fd = open(path, O_WRONLY | O_TRUNC);
		unsigned char kept = bytes[i];
		bytes[i] = (unsigned char)(i % 3 ? 0xff : 0x80);
		REQUIRE(fd >= 0 && write(fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes);
		bytes[i] = kept;
		close(fd);
		if (!image_read(path, &image, NULL))
			image_free(&image);
		REQUIRE(!truncate(path, (off_t)i));
		if (!image_read(path, &image, NULL))
			image_free(&image);
	}
	free(path);
	remove_tree(dir);
	CHECK(true);
}

static void check_refused(const char *word, const char *cwd, const char *path, int code,
			  const char *words)
{
	struct found_command command;
	struct cg_error err = { 0 };

	CHECK_INT(command_find(word, cwd, path, &command, &err), code);
	CHECK(strstr(err.message, words) != NULL);
}

static void test_command(void)
{
	char *dir = make_directory(), *sub, *path;
	struct found_command command;
	struct cg_error err;

	REQUIRE(asprintf(&sub, "%s/su b'", dir) > 0 && !mkdir(sub, 0755));
	free(write_file(sub, "script", "#!/bin/sh\n", 0755));
	free(write_file(sub, "second", "#!./script\n", 0755));
	free(write_file(sub, "plain", "text", 0644));
	free(write_file(sub, "odd", "text", 0755));
	free(write_file(sub, "lost", "#!/nonexistent/interpreter\n", 0755));
	free(write_file(sub, "suid", "#!/bin/sh\n", 0755));
	REQUIRE(asprintf(&path, "%s/suid", sub) > 0 && !chmod(path, 04755));
	free(path);
	REQUIRE(asprintf(&path, "relative::%s:/usr/bin:/bin", sub) > 0);

	REQUIRE(!command_find("script", "/", path, &command, &err));
	CHECK_STR(command.directory, sub);
	CHECK_STR(command.name, "script");
	CHECK_STR(command.image_path, "/bin/sh");
	CHECK(!command_is_interpreter(&command));
	CHECK_INT(command.image.kind, IMAGE_ELF);
	CHECK(command.bound);
	command_free(&command);

	REQUIRE(!command_find("./su b'/script", dir, "", &command, &err));
	CHECK_STR(command.directory, sub);
	command_free(&command);

	free(write_file(sub, "bench", "#!/usr/bin/env python3\n", 0755));
	REQUIRE(!command_find("bench", "/", path, &command, &err));
	CHECK(command_is_interpreter(&command));
	CHECK(command_is_python(&command));
	CHECK(!command_may_vary(&command));
	CHECK_U64(depth_by_default(&command, false), RUN_DEPTH_INTERPRETED);
	CHECK_U64(depth_by_default(&command, true), RUN_DEPTH_NAMED);
	command_free(&command);
	free(write_file(sub, "bench", "#!/usr/bin/env pythonic\n", 0755));
	REQUIRE(!command_find("bench", "/", path, &command, &err));
	CHECK(!command_is_python(&command));
	CHECK_U64(depth_by_default(&command, false), RUN_DEPTH_COMPILED);
	command_free(&command);
	free(write_file(sub, "bench", "#!/usr/bin/env node\n", 0755));
	REQUIRE(!command_find("bench", "/", path, &command, &err));
	CHECK(command_is_interpreter(&command));
	CHECK(command_may_vary(&command));
	CHECK_U64(depth_by_default(&command, false), RUN_DEPTH_PATHS);
	command_free(&command);
	free(write_file(sub, "bench", "#!/usr/bin/env ruby3.1\n", 0755));
	REQUIRE(!command_find("bench", "/", path, &command, &err));
	CHECK(command_is_interpreter(&command));
	CHECK(!command_may_vary(&command));
	command_free(&command);

	/* A link keeps its name: busybox, rustup and pyenv go by it. */
	char *link;
	REQUIRE(asprintf(&link, "%s/called", dir) > 0 && !symlink("/bin/sh", link));
	REQUIRE(!command_find("./called", dir, "", &command, &err));
	CHECK_STR(command.directory, dir);
	CHECK_STR(command.name, "called");
	CHECK(!command.bound);
	command_free(&command);
	free(write_file(dir, "pyvenv.cfg", "", 0644));
	REQUIRE(!command_find("./called", dir, "", &command, &err));
	CHECK(command.bound);
	command_free(&command);
	free(link);

	check_refused("second", sub, "/usr/bin", CG_EIO, "put ./ before the name");
	check_refused("no-such-command", "/", path, CG_EIO, "command not found: no-such-command");
	check_refused("./plain", sub, path, CG_EIO, "not executable");
	check_refused("./nothing", sub, path, CG_EIO, "No such file");
	check_refused("/", sub, path, CG_EIO, "directory");
	check_refused("", sub, path, CG_EINVAL, "empty");
	check_refused("odd", "/", path, CG_EINVAL, "neither an ELF program nor a script");
	check_refused("lost", "/", path, CG_EINVAL, "/nonexistent/interpreter");
	check_refused("suid", "/", path, CG_EINVAL, "setuid");
	free(write_file(sub, "li\nne", "#!/bin/sh\n", 0755));
	check_refused("li\nne", "/", path, CG_EINVAL, "control character");
	free(write_file(sub, "be\033ll", "#!/bin/sh\n", 0755));
	check_refused("be\033ll", "/", path, CG_EINVAL, "control character");
	free(path);
	free(sub);
	remove_tree(dir);
}

static void test_launchers(void)
{
	CHECK(command_is_launcher("/usr/bin/dash", "/irdiff-run/w/x.sh"));
	CHECK(command_is_launcher("/home/me/.cargo/bin/rustup", "cargo bench"));
	CHECK(command_is_launcher("/bin/busybox", "/irdiff-run/p/sh -c x"));
	CHECK(!command_is_launcher("/bin/busybox", "gzip x"));
	CHECK(!command_is_launcher("/usr/bin/python3.11", "python3 x"));
	CHECK(!command_is_launcher("/home/me/shell", "sh"));
	CHECK(!command_is_launcher("", ""));
}

/* ---- the workspace ---- */

static void test_workspace_paths(void)
{
	struct workspace w = { .base = "/irdiff-run", .program = "/usr/bin" };
	struct seen_paths *places = &w.guest.places;

	REQUIRE(!seen_paths_add(places, "/irdiff-run/w", "/home/me/a", false, NULL));
	static const char *const pairs[][2] = {
		{ "/home/me/a", "/irdiff-run/w" },
		{ "/home/me/a/b c/d", "/irdiff-run/w/b c/d" },
		{ "/home/me/ab", "/home/me/ab" },
		{ "/", "/" },
	};

	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		char *inside = workspace_inside(&w, pairs[i][0]);
		char *outside = workspace_outside(&w, pairs[i][1]);
		CHECK_STR(inside, pairs[i][1]);
		CHECK_STR(outside, pairs[i][0]);
		free(inside);
		free(outside);
	}
	char *program = workspace_outside(&w, "/irdiff-run/p/perl");
	CHECK_STR(program, "/usr/bin/perl");
	free(program);
	char *other = workspace_outside(&w, "/irdiff-running/w/x");
	CHECK_STR(other, "/irdiff-running/w/x");
	free(other);
	seen_paths_free(places);
}

static void test_workspace_slots(void)
{
	char *dir = make_directory();
	struct workspace first, second;
	struct cg_error err;

	REQUIRE(!workspace_open(&first, dir, "/usr/bin", dir, WORKSPACE_LINKS, &err));
	REQUIRE(!workspace_open(&second, dir, "/usr/bin", dir, WORKSPACE_LINKS, &err));
	CHECK_INT(first.kind, WORKSPACE_LINKS);
	CHECK(strcmp(first.slot.path, second.slot.path) != 0);
	CHECK_U64(strlen(first.slot.path), strlen(second.slot.path));

	char *link = workspace_path(&first, "w", NULL), *real = realpath(link, NULL);
	CHECK_STR(real, dir);
	free(link);
	free(real);

	char *scratch = workspace_scratch(&first, "copy");
	REQUIRE(scratch != NULL);
	int fd = open(scratch, O_WRONLY | O_CREAT, 0600);
	REQUIRE(fd >= 0);
	close(fd);
	char *slot = strdup(first.slot.path);
	workspace_close(&first);
	CHECK(access(slot, F_OK) < 0 && errno == ENOENT);

	/* What a killed irdiff leaves is cleaned by the next one there. */
	free(scratch);
	REQUIRE(!mkdir(slot, 0700));
	free(write_file(slot, "w", "", 0600));
	REQUIRE(!workspace_open(&first, dir, "/usr/bin", dir, WORKSPACE_LINKS, &err));
	CHECK_STR(first.slot.path, slot);
	workspace_close(&first);
	workspace_close(&second);
	free(slot);
	CHECK_INT(workspace_open(&first, "/nonexistent", "/", "/", WORKSPACE_LINKS, &err), CG_EIO);
	remove_tree(dir);
}

/* ---- results ---- */

static void check_real(const struct run_result *result, const char *seen, const char *expected)
{
	char *real = NULL;

	CHECK_INT(run_real_path(result, seen, &real), CG_OK);
	CHECK_STR(real, expected);
	free(real);
}

static void test_real_path(void)
{
	char w[] = "/irdiff-run/w", root[] = "/home/me", lib[] = "/irdiff-run/w/lib.so",
	     copy[] = "/home/me/lib.so";
	struct run_mapping mappings[] = { { w, root, false }, { lib, copy, true } };
	struct run_result result = { .mappings = mappings, .nmappings = 2 };

	check_real(&result, "/irdiff-run/w/src/a.c", "/home/me/src/a.c");
	check_real(&result, "/irdiff-run/w", "/home/me");
	check_real(&result, "/irdiff-run/wx", "/irdiff-run/wx");
	check_real(&result, "/irdiff-run/w/lib.so", "/home/me/lib.so");
	check_real(&result, "/usr/lib/x.so", "/usr/lib/x.so");
	check_real(&result, "", "");
}

static void test_requests(void)
{
	struct run_request request;
	struct run_result result;
	struct cg_error err = { 0 };
	const char *argv[] = { "true", NULL };

	run_request_init(&request);
	CHECK_U64(request.depth, RUN_DEPTH_AUTO);
	CHECK(request.cache_sim);
	CHECK_INT(run_benchmark(&request, &result, &err), CG_EINVAL);
	CHECK_INT(result.failure, RUN_BAD_REQUEST);
	run_result_free(&result);

	request.argv = argv;
	request.workdir = "/nonexistent";
	CHECK(run_benchmark(&request, &result, &err) != CG_OK);
	CHECK_INT(result.failure, RUN_BAD_REQUEST);
	run_result_free(&result);

	static const char *const refused[] = { "--callgrind-out-file=/dev/null", "--version", "-h",
					       "--separate-threads=yes" };
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		const char *const options[] = { refused[i], NULL };
		request.valgrind_options = options;
		CHECK_INT(run_benchmark(&request, &result, &err), CG_EINVAL);
		CHECK_INT(result.failure, RUN_BAD_REQUEST);
		CHECK(strstr(err.message, "irdiff sets this Valgrind option itself") != NULL);
		run_result_free(&result);
	}
	request.valgrind_options = NULL;

	char *dir = make_directory();
	request.workdir = dir;
	request.valgrind = "/nonexistent/valgrind";
	CHECK(run_benchmark(&request, &result, &err) != CG_OK);
	CHECK_INT(result.failure, RUN_NO_VALGRIND);
	CHECK(strstr(err.message, "apt-get install valgrind") != NULL);
	run_result_free(&result);
	request.valgrind = "/bin/echo";
	CHECK(run_benchmark(&request, &result, &err) != CG_OK);
	CHECK_INT(result.failure, RUN_NO_VALGRIND);
	run_result_free(&result);
	remove_tree(dir);
	CHECK_STR(run_failure_name(RUN_ONLY_LAUNCHER), "only-launcher");
}

static void test_facts(void)
{
	struct fact_list list = { 0 };

	CHECK_INT(fact_list_set(&list, "b", "2"), CG_OK);
	CHECK_INT(fact_list_set(&list, "a", "1\n\033[31m"), CG_OK);
	CHECK_INT(fact_list_set(&list, "c", "3"), CG_OK);
	CHECK_INT(fact_list_set(&list, "b", "two"), CG_OK);
	REQUIRE_U64(list.count, 3);
	CHECK_STR(list.facts[0].key, "a");
	CHECK_STR(fact_list_get(&list, "a"), "1??[31m");
	CHECK_STR(fact_list_get(&list, "b"), "two");
	CHECK_STR(fact_list_get(&list, "d"), NULL);
	struct fingerprint fingerprint = { .environment = list };
	fingerprint_free(&fingerprint);
}

TEST_MAIN("run", { "PATH is normalised", test_path }, { "PATH is filled up", test_padded_path },
	  { "the environment is the recipe's", test_environment },
	  { "tunables of no ld.so", test_tunables }, { "kinds of executable files", test_image },
	  { "texts in files", test_image_text }, { "damaged ELF files", test_image_damage },
	  { "commands are found or refused", test_command }, { "launchers", test_launchers },
	  { "paths inside and outside", test_workspace_paths }, { "slots", test_workspace_slots },
	  { "paths of results", test_real_path }, { "requests that cannot be", test_requests },
	  { "facts", test_facts })
