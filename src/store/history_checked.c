#include "src/store/history_checked.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/store/beneath.h"

enum { MOST = 200 };

/* What changes with every write: size, and times in nanoseconds. */
static bool describe_database(const char *root, const char *path, char text[MOST])
{
	struct stat st;

	if (beneath_stat(root, path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	snprintf(text, MOST, "%jd %ju %jd.%09ld %jd.%09ld\n", (intmax_t)st.st_size,
		 (uintmax_t)st.st_ino, (intmax_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
		 (intmax_t)st.st_ctim.tv_sec, st.st_ctim.tv_nsec);
	return true;
}

static int open_record(const char *root, int flags)
{
	char *path;
	if (asprintf(&path, "%s/.irdiff/history.checked", root) < 0)
		return -1;
	int fd = beneath_open(root, path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
	free(path);
	return fd;
}

bool history_was_checked(const char *root, const char *path)
{
	char now[MOST], then[MOST];
	int fd = describe_database(root, path, now) ? open_record(root, O_RDONLY) : -1;

	if (fd < 0)
		return false;
	ssize_t size = read(fd, then, sizeof then);
	close(fd);
	return size >= 0 && (size_t)size == strlen(now) && memcmp(now, then, strlen(now)) == 0;
}

void history_set_checked(const char *root, const char *path)
{
	char now[MOST];
	int fd = -1;

	if (!history_was_checked(root, path) && describe_database(root, path, now))
		fd = open_record(root, O_WRONLY | O_CREAT | O_TRUNC);
	if (fd < 0)
		return;
	/* A part of it is no record. */
	ssize_t written = write(fd, now, strlen(now));
	(void)written;
	close(fd);
}
