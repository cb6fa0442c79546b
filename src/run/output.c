#include "src/run/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* bytes kept of the end, which often has the reason of a failure */
enum { END = 64 << 10 };

/* Whether it is a regular file larger than `most` bytes and its end. */
static bool is_beyond(int fd, uint64_t most, off_t *size)
{
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size <= (off_t)most + END)
		return false;
	*size = st.st_size;
	return true;
}

void output_hold(int fd, uint64_t most)
{
	off_t size;

	if (!is_beyond(fd, most, &size))
		return;
	/* If the file system cannot make holes, the file is cut: the program appends to it. */
	if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)most,
		      size - END - (off_t)most) != 0 &&
	    errno == EOPNOTSUPP && ftruncate(fd, (off_t)most) != 0)
		return; /* it is tried again soon */
}

static size_t read_end(int fd, off_t size, char end[END])
{
	char path[40];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	int again = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = again < 0 ? 0 : pread(again, end, END, size - END);
	if (again >= 0)
		close(again);
	return n > 0 ? (size_t)n : 0;
}

void output_cut(int fd, uint64_t most)
{
	char end[END], line[100];
	off_t size;

	if (!is_beyond(fd, most, &size))
		return;
	size_t len = read_end(fd, size, end);
	int said = snprintf(line, sizeof line,
			    "\n[irdiff: output after the first %" PRIu64
			    " MiB was dropped, except for its end:]\n",
			    most >> 20);
	if (ftruncate(fd, (off_t)most) != 0 ||
	    pwrite(fd, line, (size_t)said, (off_t)most) != said ||
	    pwrite(fd, end, len, (off_t)most + said) != (ssize_t)len)
		return; /* then less of the file is kept */
}
