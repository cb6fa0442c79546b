#include "src/run/tail.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TAIL_BYTES 4096
#define TAIL_LINES 20

char *tail_of(const char *path)
{
	char *tail = calloc(1, TAIL_BYTES + 1);
	struct stat st;

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
	}
	close(fd);
	return tail;
}
