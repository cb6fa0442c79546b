#include "src/store/packed.h"

#include <stdlib.h>
#include <unistd.h>

#include "callgrind/input.h"
#include "callgrind/support/grow.h"
#include "src/store/files.h"

static int write_unpacked(const char *path, void (*write)(const void *what, FILE *to),
			  const void *what, struct cg_error *err)
{
	struct new_file *file;
	FILE *to;
	int status = new_file_begin(path, &file, &to, err);
	if (status)
		return status;
	new_file_leave_unsynced(file);
	write(what, to);
	return new_file_commit(file, err);
}

int packed_write(const char *path, void (*write)(const void *what, FILE *to), const void *what,
		 struct cg_error *err)
{
	char *plain;
	if (asprintf(&plain, "%s.text", path) < 0)
		return cg_fail_nomem(err);
	int status = write_unpacked(plain, write, what, err);
	if (!status)
		status = store_compressed((const char *const[]){ plain }, 1, path, err);
	unlink(plain);
	free(plain);
	return status;
}

int packed_read(const char *path, size_t most, char **bytes, size_t *size, struct cg_error *err)
{
	struct cg_input *in = NULL;
	char *buffer = NULL;
	size_t cap = 0, used = 0, got = 1;
	int status = cg_input_open(&in, path, err);

	while (!status && got && used < most) {
		if (cg_grow(&buffer, &cap, used + 65536, 1))
			status = cg_fail_nomem(err);
		else
			status = cg_input_read(in, buffer + used, cap - used - 1, &got, err);
		if (!status)
			used += got;
	}
	cg_input_free(in);
	if (status) {
		free(buffer);
		return status;
	}
	buffer[used] = '\0';
	*bytes = buffer;
	*size = used;
	return CG_OK;
}
