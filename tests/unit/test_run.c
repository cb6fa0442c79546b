/* The parts of the driver that need no Valgrind. */
#include "tests/unit/harness.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/run/collect.h"
#include "src/run/command.h"
#include "src/run/fingerprint.h"
#include "src/run/hermetic.h"
#include "src/run/image.h"
#include "src/run/process.h"
#include "src/run/run.h"
#include "src/run/strings.h"
#include "src/run/valgrind_log.h"
#include "src/run/workspace.h"

/* ---- a directory for files ---- */

static char *make_directory(void)
{
	char template[] = "/tmp/test_run-XXXXXX";
	char *made = mkdtemp(template);
	char *real = made ? realpath(made, NULL) : NULL;

	REQUIRE(real != NULL);
	return real;
}

static void remove_tree(char *path)
{
	const char *argv[] = { "/bin/rm", "-rf", path, NULL };
	char *output = NULL;

	CHECK_INT(
		process_output("/bin/rm", argv, (const char *[]){ NULL }, "/", NULL, &output, NULL),
		CG_OK);
	free(output);
	free(path);
}

static char *write_file(const char *dir, const char *name, const char *text, mode_t mode)
{
	char *path;

	REQUIRE(asprintf(&path, "%s/%s", dir, name) > 0);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
	REQUIRE(fd >= 0);
	REQUIRE(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	fchmod(fd, mode);
	close(fd);
	return path;
}

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
	command_free(&command);
	free(write_file(sub, "bench", "#!/usr/bin/env pythonic\n", 0755));
	REQUIRE(!command_find("bench", "/", path, &command, &err));
	CHECK(!command_is_python(&command));
	command_free(&command);
	free(write_file(sub, "bench", "#!/usr/bin/env ruby3.1\n", 0755));
	REQUIRE(!command_find("bench", "/", path, &command, &err));
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

/* ---- what a run leaves ---- */

static void write_profile(const char *dir, const char *name, const char *command, unsigned part,
			  unsigned total)
{
	char *text;

	REQUIRE(asprintf(&text,
			 "version: 1\npid: 1\ncmd:  %s\npart: %u\n\nevents: Ir Dr\n"
			 "fn=main\n1 %u 0\ntotals: %u 7\n",
			 command, part, total, total) > 0);
	free(write_file(dir, name, text, 0600));
	free(text);
}

static void write_log(const char *dir, const char *name, const char *body)
{
	free(write_file(dir, name, body, 0600));
}

static const struct process_list nobody;

/* Who made a process is told by its tracer, if that knows: a log may have who has adopted it. */
static void test_collect_adopted(void)
{
	struct process_over ended[] = { { .pid = 20, .parent = 3 }, { .pid = 21 }, { .pid = 3 } };
	struct process_list over = { .items = ended, .count = 3 };
	char *dir = make_directory();
	struct collection c;
	struct cg_error err;

	write_log(dir, "valgrind.log.3", "==3== Parent PID: 1\n--3-- Reading syms from /bin/a\n");
	write_log(dir, "valgrind.log.20", "==20== Parent PID: 1\n");
	write_log(dir, "valgrind.log.21", "==21== Parent PID: 20\n");
	write_log(dir, "valgrind.log.22", "==22== Parent PID: 21\n");
	for (const char *const *name = (const char *const[]){ "3", "20", "21", "22", NULL }; *name;
	     name++) {
		char file[32];
		snprintf(file, sizeof file, "callgrind.out.%s", *name);
		write_profile(dir, file, "./a", 1, 1);
	}
	REQUIRE(!collect(dir, &over, &c, &err));
	REQUIRE_U64(c.nprofiles, 4);
	CHECK_INT(c.profiles[0].parent, 1);
	CHECK_INT(c.profiles[1].parent, 3);
	CHECK_INT(c.profiles[2].parent, 20);
	CHECK_INT(c.profiles[3].parent, 21);
	CHECK(collection_image_log(&c, 22) == &c.logs[0]);
	collection_free(&c);
	REQUIRE(!collect(dir, &nobody, &c, &err));
	CHECK_INT(c.profiles[1].parent, 1);
	collection_free(&c);
	remove_tree(dir);
}

static void test_collect_threads(void)
{
	static const unsigned threads[] = { 1, 2, 1, 2, 3 }, parts[] = { 1, 1, 2, 2, 2 };
	char *dir = make_directory();
	struct collection c;
	struct cg_error err;

	/* As --separate-threads=yes leaves them: of a dump, and of the end. */
	free(write_file(dir, "callgrind.out.20", "", 0600));
	write_profile(dir, "callgrind.out.20-01", "./b", 2, 100);
	write_profile(dir, "callgrind.out.20-02", "./b", 2, 10);
	write_profile(dir, "callgrind.out.20-03", "./b", 2, 1);
	write_profile(dir, "callgrind.out.20.1-01", "./b", 1, 200);
	write_profile(dir, "callgrind.out.20.1-02", "./b", 1, 20);

	REQUIRE(!collect(dir, &nobody, &c, &err));
	REQUIRE_U64(c.nprofiles, 5);
	for (size_t i = 0; i < 5; i++) {
		CHECK_U64(c.profiles[i].generation, 0);
		CHECK_U64(c.profiles[i].thread, threads[i]);
		CHECK_U64(c.profiles[i].part, parts[i]);
		CHECK(!c.profiles[i].replaced);
		CHECK_STR(c.profiles[i].trigger, "");
	}
	collection_free(&c);
	remove_tree(dir);
}

/* Only the end of a long body is read, from the middle of a line, whatever that looks like. */
static void test_collect_long(void)
{
	enum { TAIL = 1 << 16 };
	static const char head[] = "version: 1\npart: 1\nevents: Ir\nsummary: 9\nfn=",
			  end[] = "\n1 5\ntotals: 5\n", trap[] = "totals: 77";
	char *dir = make_directory(), *text = malloc(3 * TAIL);
	struct collection c;
	struct cg_error err;

	REQUIRE(text != NULL);
	strcpy(text, head);
	memset(text + sizeof head - 1, 'x', 2 * TAIL);
	strcpy(text + sizeof head - 1 + 2 * TAIL, end);
	memcpy(text + strlen(text) - TAIL, trap, sizeof trap - 1);
	free(write_file(dir, "callgrind.out.20", text, 0600));
	free(text);
	REQUIRE(!collect(dir, &nobody, &c, &err));
	REQUIRE_U64(c.nprofiles, 1);
	CHECK_U64(c.profiles[0].collected, 5);
	collection_free(&c);
	remove_tree(dir);
}

static void test_collect(void)
{
	char *dir = make_directory();
	struct collection c;
	struct cg_error err;

	write_profile(dir, "callgrind.out.20", "./b x", 3, 100); /* with two earlier parts */
	write_profile(dir, "callgrind.out.20.1", "./b x", 1, 10);
	write_profile(dir, "callgrind.out.20.2", "./b x", 2, 20);
	write_profile(dir, "callgrind.out.20.10", "./a", 10, 5); /* of an image before */
	write_profile(dir, "callgrind.out.3", "sh", 1, 1);
	free(write_file(dir, "callgrind.out.4", "", 0600));
	free(write_file(dir, "callgrind.out.x", "", 0600));
	free(write_file(dir, "callgrind.out.5.", "", 0600));
	free(write_file(dir, "callgrind.out.99999999999", "", 0600));
	write_log(dir, "valgrind.log.3",
		  "==3== Parent PID: 1\n--3-- Reading syms from /bin/a b\n"
		  "--3-- Reading syms from /usr/libexec/valgrind/vgpreload_core-amd64-linux.so\n"
		  "--3-- Reading syms from /lib/libc.so.6\n");
	write_log(dir, "valgrind.log.20", "==20== Parent PID: 3\n");

	REQUIRE(!collect(dir, &nobody, &c, &err));
	REQUIRE_U64(c.nprofiles, 6);
	CHECK_INT(c.profiles[0].pid, 3);
	CHECK_INT(c.profiles[0].parent, 1);
	CHECK(!c.profiles[0].forked);
	CHECK_U64(c.profiles[0].collected, 1);
	CHECK_INT(c.profiles[1].pid, 4);
	CHECK_U64(c.profiles[1].bytes, 0);
	CHECK_STR(c.profiles[2].command, "./a");
	CHECK(c.profiles[2].replaced);
	CHECK_U64(c.profiles[2].generation, 0);
	for (unsigned i = 0; i < 3; i++) {
		CHECK_STR(c.profiles[3 + i].command, "./b x");
		CHECK_U64(c.profiles[3 + i].generation, 1);
		CHECK_U64(c.profiles[3 + i].part, i + 1);
		CHECK(c.profiles[3 + i].forked);
		CHECK(!c.profiles[3 + i].replaced);
	}
	REQUIRE_U64(c.nlogs, 2);
	CHECK_U64(c.logs[0].nobjects, 2);
	CHECK_STR(c.logs[0].objects[0], "/bin/a b");
	CHECK(collection_image_log(&c, 20) == &c.logs[0]);
	CHECK(collection_log(&c, 99) == NULL);
	collection_free(&c);

	size_t count;
	REQUIRE(!collect_discard(dir, true, &count, &err));
	CHECK_U64(count, 11);
	REQUIRE(!collect_discard(dir, false, &count, &err));
	REQUIRE(!collect_discard(dir, true, &count, &err));
	CHECK_U64(count, 0);
	remove_tree(dir);
}

static void test_valgrind_log(void)
{
	char *dir = make_directory();
	struct valgrind_log log;
	struct cg_error err;

	char *path = write_file(dir, "log",
				"==7== Parent PID: 5\n"
				"--7-- Arch and hwcaps: AMD64, LittleEndian, amd64-avx2\n"
				"--7-- Reading syms from /x/prog\n"
				"### unhandled dwarf2 abbrev form code 0x25\n"
				"==7== Valgrind: debuginfo reader: ensure_valid failed:\n"
				"==7== Valgrind:   valid image size of 17144 for image:\n"
				"==7== Valgrind:   \"/x/a \"quoted\" lib.so\"\n",
				0600);
	REQUIRE(!valgrind_log_read(path, 7, &log, &err));
	CHECK_INT(log.parent, 5);
	CHECK_STR(log.hwcaps, "AMD64, LittleEndian, amd64-avx2");
	CHECK_STR(log.bad_object, "/x/a \"quoted\" lib.so");
	CHECK(log.death != NULL);
	valgrind_log_free(&log);
	free(path);

	path = write_file(dir, "log",
			  "vex amd64->IR: unhandled instruction bytes: 0x62 0xF1\n"
			  "==8== valgrind: Unrecognised instruction at address 0x10912d.\n"
			  "valgrind: the 'impossible' happened:\n   Killed by fatal signal\n",
			  0600);
	REQUIRE(!valgrind_log_read(path, 8, &log, &err));
	CHECK_STR(log.instruction, "0x62 0xF1");
	CHECK_STR(log.death, "valgrind: the 'impossible' happened:");
	CHECK_STR(log.bad_object, NULL);
	valgrind_log_free(&log);
	free(path);
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
	  { "files, pids and images", test_collect }, { "orphans", test_collect_adopted },
	  { "threads", test_collect_threads }, { "long bodies", test_collect_long },
	  { "Valgrind's log", test_valgrind_log }, { "paths of results", test_real_path },
	  { "requests that cannot be", test_requests }, { "facts", test_facts })
