#include "src/store/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "callgrind/support/grow.h"

/* Directories below the one that is removed, without recursion: each with its name in the one
 * above. */
struct removing {
	struct removed {
		char *name;
		dev_t device;
		ino_t inode; /* of the one above */
	} * levels;
	size_t depth, cap;
	int at;       /* the directory that is emptied */
	dev_t device; /* of all of them: other mounted file systems stay */
};

/* Some programs make directories that even their owner may not write to, such as Go's modules. Only
 * directories that are removed as well are made writable. */
static int unlink_in(const struct removing *r, const char *name, int flags)
{
	struct stat st;

	if (unlinkat(r->at, name, flags) == 0 || errno == ENOENT)
		return 0;
	if (errno != EACCES || r->depth == 0 || fstat(r->at, &st) != 0 ||
	    fchmod(r->at, (st.st_mode & 07777) | S_IRWXU) != 0)
		return -1;
	return unlinkat(r->at, name, flags);
}

static int enter_removed(struct removing *r, const char *name)
{
	struct stat above, st;
	char *copy = strdup(name);
	int fd = copy ? openat(r->at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;

	if (fd < 0 || fstat(fd, &st) != 0 || fstat(r->at, &above) != 0 ||
	    cg_grow(&r->levels, &r->cap, r->depth + 1, sizeof *r->levels)) {
		if (fd >= 0)
			close(fd);
		free(copy);
		return -1;
	}
	if (r->depth == 0)
		r->device = st.st_dev;
	if (st.st_dev != r->device) {
		close(fd);
		free(copy);
		errno = EBUSY;
		return -1;
	}
	r->levels[r->depth++] = (struct removed){ copy, above.st_dev, above.st_ino };
	close(r->at);
	r->at = fd;
	return 0;
}

/* The directory may have been moved meanwhile, so that ".." is another one. */
static int leave_removed(struct removing *r)
{
	struct removed level = r->levels[--r->depth];
	struct stat st;
	int fd = openat(r->at, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool same = fd >= 0 && fstat(fd, &st) == 0 && st.st_dev == level.device &&
		    st.st_ino == level.inode;

	if (same) {
		close(r->at);
		r->at = fd;
	} else if (fd >= 0) {
		close(fd);
	}
	int result = same ? unlink_in(r, level.name, AT_REMOVEDIR) : -1;
	free(level.name);
	return result;
}

static bool is_directory_entry(int directory, const struct dirent *e)
{
	struct stat st;
	if (e->d_type != DT_UNKNOWN)
		return e->d_type == DT_DIR;
	return fstatat(directory, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

/* Removes files up to the first directory; *next becomes its name, the caller's, or NULL. */
static int remove_files(const struct removing *r, char **next)
{
	int result = 0, fd = openat(r->at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	*next = NULL;
	if (!dir)
		return -1;
	for (struct dirent *e; !result && !*next && (e = readdir(dir));) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (!is_directory_entry(fd, e))
			result = unlink_in(r, e->d_name, 0);
		else if (!(*next = strdup(e->d_name)))
			result = -1;
	}
	closedir(dir);
	return result;
}

static int remove_tree(struct removing *r, const char *name)
{
	char *next;
	int result = enter_removed(r, name);

	while (!result && r->depth) {
		result = remove_files(r, &next);
		if (!result)
			result = next ? enter_removed(r, next) : leave_removed(r);
		free(next);
	}
	return result;
}

int remove_in(int directory, const char *name)
{
	struct removing r = { .at = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) };

	if (r.at < 0)
		return -1;
	int result = unlinkat(r.at, name, 0);
	if (result != 0 && (errno == EISDIR || errno == EPERM))
		result = remove_tree(&r, name);
	if (result != 0 && errno == ENOENT)
		result = 0;
	int error = errno;
	for (size_t i = 0; i < r.depth; i++)
		free(r.levels[i].name);
	free(r.levels);
	close(r.at);
	errno = error;
	return result;
}

int remove_directory(const char *path, struct cg_error *err)
{
	const char *name;
	int directory = open_directory_of(path, &name);

	if (directory < 0)
		return errno == ENOENT ? CG_OK : file_fail(path, "remove", err);
	int status = remove_in(directory, name) == 0 ? CG_OK : file_fail(path, "remove", err);
	close(directory);
	return status;
}

int empty_directory(const char *path, struct cg_error *err)
{
	DIR *dir = opendir(path);
	int result = dir ? 0 : -1;

	for (struct dirent *e; !result && (e = readdir(dir));)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			result = remove_in(dirfd(dir), e->d_name);
	int status = result == 0 ? CG_OK : file_fail(path, dir ? "empty" : "open", err);
	if (dir)
		closedir(dir);
	return status;
}
