/* A directory for a test, and files in it. */
#ifndef TESTS_UNIT_SCRATCH_FILES_H
#define TESTS_UNIT_SCRATCH_FILES_H

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/harness.h"

TEST_UNUSED static char *make_directory(void)
{
	char template[] = "/tmp/irdiff-test-XXXXXX";
	char *made = mkdtemp(template);
	char *real = made ? realpath(made, NULL) : NULL;

	REQUIRE(real != NULL);
	return real;
}

TEST_UNUSED static void remove_tree(char *path)
{
	char command[256];

	snprintf(command, sizeof command, "rm -rf %s", path);
	CHECK_INT(system(command), 0);
	free(path);
}

TEST_UNUSED static char *write_file(const char *dir, const char *name, const char *text,
				    mode_t mode)
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

#endif
