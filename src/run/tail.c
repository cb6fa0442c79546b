#include "src/run/tail.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TAIL_BYTES 4096
#define TAIL_LINES 20
#define TAIL_LINE 1024

/* *start: where it begins in the file. */
static char *read_tail(const char *path, off_t *start)
{
	char *tail = calloc(1, TAIL_BYTES + 1);
	struct stat st;

	*start = 0;
	int fd = tail && path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return tail;
	if (!fstat(fd, &st)) {
		off_t from = st.st_size > TAIL_BYTES ? st.st_size - TAIL_BYTES : 0;
		ssize_t n = pread(fd, tail, TAIL_BYTES, from);
		size_t len = n > 0 ? (size_t)n : 0, begin = len;
		for (size_t i = 0; i < len; i++)
			if (!tail[i])
				tail[i] = '?';
		tail[len] = '\0';
		for (int lines = 0; begin; begin--)
			if (tail[begin - 1] == '\n' && begin < len && ++lines == TAIL_LINES)
				break;
		memmove(tail, tail + begin, len - begin + 1);
		*start = from + (off_t)begin;
	}
	close(fd);
	return tail;
}

char *tail_of(const char *path)
{
	off_t start;
	return read_tail(path, &start);
}

/* What compilers write in the line of an error. */
static bool says_error(const char *line)
{
	return strstr(line, "error:") || strstr(line, "error[");
}

/* Finds the first line before `end` that says what an error is. What does not fit is left out. */
static bool find_first_error(const char *path, off_t end, char line[TAIL_LINE])
{
	FILE *from = fopen(path, "re");
	bool found = false, whole = true;
	off_t at = 0;

	while (from && !found && at < end && fgets(line, TAIL_LINE, from)) {
		size_t len = strlen(line);
		at = ftello(from);
		found = whole && at <= end && says_error(line);
		whole = len && line[len - 1] == '\n';
	}
	if (from)
		fclose(from);
	line[strcspn(line, "\n")] = '\0';
	return found;
}

char *tail_with_error(const char *path)
{
	char line[TAIL_LINE] = "", *tail, *both;
	off_t start;

	tail = read_tail(path, &start);
	if (!tail || !path || says_error(tail) || !find_first_error(path, start, line))
		return tail;
	if (asprintf(&both, "%s\n[...]\n%s", line, tail) < 0)
		both = NULL;
	free(tail);
	return both;
}
