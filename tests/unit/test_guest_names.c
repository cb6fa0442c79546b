/* Which paths traced programs are said to name. */
#include "tests/unit/guest_trial.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

static bool has_line(const char *text, const char *kind, const char *directory, const char *name)
{
	char line[2 * PATH_MAX];

	snprintf(line, sizeof line, "\n%s%s%s\n", kind, directory, name);
	return strstr(text, line) != NULL;
}

static char *read_names(const char *path)
{
	char *text = calloc(1, OUTPUT_MAX);
	FILE *from = fopen(path, "r");

	REQUIRE(text != NULL && from != NULL);
	CHECK(fread(text, 1, OUTPUT_MAX - 1, from) > 0);
	fclose(from);
	return text;
}

/* Paths are the host's, and what is only for this run is left out. */
static void test_names(void)
{
	struct trial t;
	char path[PATH_MAX + 64];
	const char *const argv[] = {
		"sh", "-c",
		"cat many/../many/000-name none /proc/self/stat; ls many; cd many; "
		"echo > made; echo > /irdiff-run/o/own; rm 001-name; : </dev/null; "
		"mv 002-name other; ln 003-name two; ln -s ../many/004-name ../link; "
		"ln -s /irdiff-run/w/none link",
		NULL
	};

	begin_trial(&t, "project", false);
	snprintf(path, sizeof path, "%s/names", t.top);
	t.workspace.guest.names = path;
	run_in_trial(&t, "/bin/sh", argv, 20);
	char *text = read_names(path);
	CHECK(strncmp(text, "<\n", 2) == 0);
	CHECK(strlen(text) > 2 && strcmp(text + strlen(text) - 2, ">\n") == 0);
	CHECK(has_line(text, "+", "", "/bin/sh") || has_line(text, "+", "", "/usr/bin/sh"));
	CHECK(has_line(text, "+", t.project, "/many/../many/000-name"));
	CHECK(has_line(text, "+", t.project, "/many"));
	CHECK(has_line(text, "-", t.project, "/none"));
	CHECK(has_line(text, "*", t.project, "/many"));
	CHECK(has_line(text, "-", t.project, "/many/made"));
	CHECK(has_line(text, "=", t.project, "/many/made"));
	CHECK(has_line(text, "+", t.project, "/many/001-name"));
	CHECK(has_line(text, "=", t.project, "/many/001-name"));
	CHECK(!has_line(text, "=", t.project, "/many/000-name"));
	CHECK(has_line(text, "~", t.project, "/many/002-name"));
	CHECK(has_line(text, "~", t.project, "/many/003-name"));
	CHECK(has_line(text, "~", t.project, "/many/../../many/004-name"));
	CHECK(has_line(text, "~", t.project, "/none"));
	CHECK(!has_line(text, "~", t.project, "/many/other"));
	CHECK(!strstr(text, "/proc/") && !strstr(text, "/own") && !strstr(text, "/dev/null"));
	CHECK(!strstr(text, "\n!"));
	free(text);
	end_trial(&t);
}

/* Where links led that are no longer there, or lead elsewhere. */
static void test_removed_links(void)
{
	struct trial t;
	char path[PATH_MAX + 64];
	const char *const argv[] = { "sh", "-c",
				     "cat to-1/000-name; rm to-1 many/001-name; mv to-2 to-9; "
				     "echo >new; mv new to-3; touch -h to-4; rm to-nothing",
				     NULL };

	begin_trial(&t, "project", false);
	for (int n = 1; n <= 4; n++) {
		char target[20];
		snprintf(path, sizeof path, "%s/many/%d", t.project, n);
		REQUIRE(mkdir(path, 0777) == 0);
		snprintf(path, sizeof path, "%s/to-%d", t.project, n);
		snprintf(target, sizeof target, "many/%d", n);
		REQUIRE(symlink(target, path) == 0);
	}
	snprintf(path, sizeof path, "%s/to-nothing", t.project);
	REQUIRE(symlink("nothing", path) == 0);
	t.workspace.guest.only_paths = true;
	snprintf(path, sizeof path, "%s/names", t.top);
	t.workspace.guest.names = path;
	run_in_trial(&t, "/bin/sh", argv, 20);
	char *text = read_names(path);
	CHECK(has_line(text, "~", t.project, "/many/1"));
	CHECK(has_line(text, "~", t.project, "/many/2"));
	CHECK(has_line(text, "~", t.project, "/many/3"));
	CHECK(!has_line(text, "~", t.project, "/many/4"));
	CHECK(!has_line(text, "~", t.project, "/many/001-name"));
	CHECK(!has_line(text, "~", t.project, "/nothing"));
	CHECK(!strstr(text, "\n!"));
	free(text);
	end_trial(&t);
}

/* Whether a program is said to depend on more than the paths that it names. */
static bool tells_more(const char *path, const char *const *argv, bool only_paths)
{
	struct trial t;
	char log[PATH_MAX + 64];

	begin_trial(&t, "project", false);
	t.workspace.guest.only_paths = only_paths;
	snprintf(log, sizeof log, "%s/names", t.top);
	t.workspace.guest.names = log;
	run_in_trial(&t, path, argv, 20);
	char *text = read_names(log);
	const bool more = strstr(text, "\n!\n") != NULL;
	free(text);
	end_trial(&t);
	return more;
}

static bool depends_on_more(const char *path, const char *const *argv)
{
	return tells_more(path, argv, false);
}

/* Others may answer differently the next time, and paths mean something only to the process. */
static bool socket_tells_more(const char *domain, const char *type)
{
	char script[64];

	snprintf(script, sizeof script, "socket(my $s, %s, %s, 0)", domain, type);
	return depends_on_more("/usr/bin/perl",
			       (const char *const[]){ "perl", "-MSocket", "-e", script, NULL });
}

static void test_more_than_names(void)
{
	static const char *const scripts[] = { "read line </proc/self/cwd/many/000-name",
					       "exec 3<many; read line </proc/self/fd/3/000-name",
					       "exec 3<many; read line </dev/fd/3/000-name" };
	char mount[64];

	snprintf(mount, sizeof mount, "my $no = 'none'; syscall(%d, $no, $no, 0, 0, 0)", SYS_mount);
	CHECK(depends_on_more("/usr/bin/perl", (const char *const[]){ "perl", "-e", mount, NULL }));
	CHECK(socket_tells_more("AF_INET", "SOCK_DGRAM"));
	CHECK(socket_tells_more("AF_INET6", "SOCK_STREAM"));
	CHECK(socket_tells_more("AF_UNIX", "SOCK_DGRAM"));
	CHECK(!socket_tells_more("AF_UNIX", "SOCK_STREAM"));
	const char *const lock[] = { "perl", "-e", "flock(STDIN, 8)", NULL };
	CHECK(tells_more("/usr/bin/perl", lock, false));
	CHECK(!tells_more("/usr/bin/perl", lock, true)); /* a build */
	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
		CHECK(depends_on_more("/bin/sh",
				      (const char *const[]){ "sh", "-c", scripts[i], NULL }));
	CHECK(!depends_on_more(
		"/bin/sh",
		(const char *const[]){ "sh", "-c", "exec 3<many; read line </dev/fd/3", NULL }));
}

static bool script_tells_more(const char *script)
{
	return tells_more("/bin/sh", (const char *const[]){ "sh", "-c", script, NULL }, true);
}

/* Nobody can tell later what was named through links in a directory that was there before. */
static void test_moved_directories(void)
{
	CHECK(script_tells_more("mv many more"));
	CHECK(!script_tells_more("mv many/000-name more; rm -r many; mkdir many; rmdir many"));
	CHECK(!script_tells_more("mkdir new; mv new newer; mv newer many; ln -s many link"));
}

static void test_pipes(void)
{
	char directory[] = "/tmp/irdiff-test-XXXXXX", pipe[64], link[64], script[128];

	REQUIRE(mkdtemp(directory) != NULL);
	snprintf(pipe, sizeof pipe, "%s/pipe", directory);
	REQUIRE(mkfifo(pipe, 0666) == 0);
	snprintf(script, sizeof script, "exec 3<>%s", pipe);
	CHECK(script_tells_more(script));
	snprintf(link, sizeof link, "%s/link", directory);
	REQUIRE(symlink("pipe", link) == 0);
	snprintf(script, sizeof script, "exec 3<>%s", link);
	CHECK(script_tells_more(script));
	CHECK(!script_tells_more("mkfifo own; exec 3<>own"));
	unlink(link);
	unlink(pipe);
	rmdir(directory);
}

TEST_MAIN("names", { "which paths programs name", test_names },
	  { "links that are gone", test_removed_links },
	  { "what has no path", test_more_than_names },
	  { "directories that are renamed", test_moved_directories },
	  { "pipes to others", test_pipes })
