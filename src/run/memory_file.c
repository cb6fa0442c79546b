#include "src/run/memory_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int memory_file_make(const char *name, const char *text, size_t size, int *fd, struct cg_error *err)
{
	int made = memfd_create(name, MFD_CLOEXEC);
	if (made < 0)
		return cg_fail(err, cg_io_status(errno), NULL, 0, "cannot make a memory file: %s",
			       strerror(errno));

	for (size_t done = 0; text && done < size;) {
		ssize_t n = pwrite(made, text + done, size - done, (off_t)done);
		if (n <= 0) {
			close(made);
			return cg_fail(err, cg_io_status(errno), NULL, 0,
				       "cannot write to a memory file: %s", strerror(errno));
		}
		done += (size_t)n;
	}
	*fd = made;
	return CG_OK;
}

char *memory_file_text(int fd, size_t most, size_t *size)
{
	struct stat st;
	if (fstat(fd, &st))
		return NULL;
	size_t len = (size_t)st.st_size > most ? most : (size_t)st.st_size, have = 0;
	char *text = malloc(len + 1);
	if (!text)
		return NULL;

	while (have < len) {
		ssize_t n = pread(fd, text + have, len - have, (off_t)have);
		if (n <= 0)
			break;
		have += (size_t)n;
	}
	text[have] = '\0';
	if (size)
		*size = have;
	return text;
}
