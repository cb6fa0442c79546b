#include "src/store/files.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <unistd.h>

/* Walks a directory without following links, on its own file system. */
static FTS *walk_tree(const char *path)
{
	char *const paths[] = { (char *)path, NULL };

	return fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
}

uint64_t directory_bytes(const char *path)
{
	FTS *walk = walk_tree(path);
	uint64_t bytes = 0;

	for (FTSENT *e; walk && (e = fts_read(walk));)
		if (e->fts_info == FTS_F)
			bytes += (uint64_t)e->fts_statp->st_size;
	if (walk)
		fts_close(walk);
	return bytes;
}

static int sync_one(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0)
		return -1;
	int result = fdatasync(fd), error = errno;
	close(fd);
	errno = error;
	return result;
}

int sync_tree(const char *path, struct cg_error *err)
{
	FTS *walk = walk_tree(path);
	int status = walk ? CG_OK : file_fail(path, "open", err);

	for (FTSENT *e; !status && walk && (e = fts_read(walk));)
		if (e->fts_info == FTS_F && sync_one(e->fts_accpath) != 0)
			status = file_fail(e->fts_path, "write", err);
	if (walk)
		fts_close(walk);
	return status;
}

int sync_file_system(const char *path, struct cg_error *err)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int status = fd >= 0 && syncfs(fd) == 0 ? CG_OK : file_fail(path, "write", err);

	if (fd >= 0)
		close(fd);
	return status;
}
