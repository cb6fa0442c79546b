#include "src/config/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads until the end or `size` bytes; -1 with errno set. */
static ssize_t read_up_to(int fd, char *buffer, size_t size)
{
	size_t at = 0;

	while (at < size) {
		ssize_t n = read(fd, buffer + at, size - at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		at += (size_t)n;
	}
	return (ssize_t)at;
}

static int read_open(int fd, const char *path, size_t max, char **text, size_t *len,
		     struct cg_error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return cg_fail(err, CG_EIO, path, 0, "cannot read: %s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return cg_fail(err, CG_EIO, path, 0, "not a regular file");

	char *buffer = malloc(max + 1);
	if (!buffer)
		return cg_fail_nomem(err);
	ssize_t n = read_up_to(fd, buffer, max + 1);
	if (n < 0) {
		free(buffer);
		return cg_fail(err, CG_EIO, path, 0, "cannot read: %s", strerror(errno));
	}
	*text = buffer;
	*len = (size_t)n;
	return CG_OK;
}

int config_file_read(const char *path, size_t max, char **text, size_t *len, struct cg_error *err)
{
	/* Without O_NONBLOCK, opening a pipe would wait for a writer. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return cg_fail(err, CG_EIO, path, 0, "cannot open: %s", strerror(errno));

	int rc = read_open(fd, path, max, text, len, err);
	close(fd);
	return rc;
}
