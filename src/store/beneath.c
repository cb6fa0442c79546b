#include "src/store/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "callgrind/support/beneath.h"

int beneath_fail(const char *path, const char *what, struct cg_error *err)
{
	if (errno == ELOOP)
		return cg_fail(
			err, CG_EINVAL, path, 0,
			"cannot %s: irdiff follows no symbolic link here, since it may lead out of the project; "
			"replace the link with a directory or a file",
			what);
	return file_fail(path, what, err);
}

/* Closes a descriptor without changing errno, and returns `result`. */
static int keep_errno(int fd, int result)
{
	int error = errno;

	close(fd);
	errno = error;
	return result;
}

/* The part of a path below the root, "." for the root itself; NULL: the path is elsewhere. */
static const char *rest_of(const char *root, const char *path)
{
	size_t len = strlen(root);

	while (len && root[len - 1] == '/')
		len--;
	if (strncmp(path, root, len) != 0 || (path[len] && path[len] != '/')) {
		errno = EINVAL;
		return NULL;
	}
	path += len;
	path += strspn(path, "/");
	return *path ? path : ".";
}

static int open_rest(const char *root, const char *rest, int flags, mode_t mode)
{
	int top = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return top < 0 ? -1 : keep_errno(top, cg_beneath_open(top, rest, flags, mode));
}

int beneath_open(const char *root, const char *path, int flags, mode_t mode)
{
	const char *rest = rest_of(root, path);

	return rest ? open_rest(root, rest, flags, mode) : -1;
}

/* Opens the directory of a file to be made, renamed or removed; *name is its name there. */
static int open_parent(const char *root, const char *path, const char **name)
{
	const char *rest = rest_of(root, path), *slash = rest ? strrchr(rest, '/') : NULL;

	if (!rest)
		return -1;
	*name = slash ? slash + 1 : rest;
	if (!**name || strcmp(*name, ".") == 0 || strcmp(*name, "..") == 0) {
		errno = EINVAL;
		return -1;
	}
	char *parent = slash ? strndup(rest, (size_t)(slash - rest)) : strdup(".");
	int fd = parent ? open_rest(root, parent, O_PATH | O_DIRECTORY, 0) : -1;
	free(parent);
	return fd;
}

/* ---- looking and reading ---- */

DIR *beneath_list(const char *root, const char *path)
{
	int fd = beneath_open(root, path, O_RDONLY | O_DIRECTORY | O_NONBLOCK, 0);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !dir)
		keep_errno(fd, -1);
	return dir;
}

int beneath_stat(const char *root, const char *path, struct stat *st)
{
	int fd = beneath_open(root, path, O_PATH, 0);

	return fd < 0 ? -1 : keep_errno(fd, fstat(fd, st));
}

bool beneath_is_there(const char *root, const char *path)
{
	struct stat st;
	return beneath_stat(root, path, &st) == 0 || errno == ELOOP;
}

int beneath_check(const char *root, const char *path, struct cg_error *err)
{
	struct stat st;

	if (beneath_stat(root, path, &st) != 0)
		return beneath_fail(path, "read", err);
	if (!S_ISREG(st.st_mode))
		return cg_fail(err, CG_EINVAL, path, 0, "not a regular file");
	return CG_OK;
}

FILE *beneath_open_regular(const char *root, const char *path)
{
	const char *rest = rest_of(root, path);
	int top = rest ? open(root, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	int fd = top < 0 ? -1 : keep_errno(top, cg_beneath_open_regular(top, rest, NULL));
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");

	if (fd >= 0 && !file)
		keep_errno(fd, -1);
	return file;
}

static int fail_to_open(const char *path, struct cg_error *err)
{
	return errno == EINVAL ? cg_fail(err, CG_EINVAL, path, 0, "not a regular file")
			       : beneath_fail(path, "open", err);
}

int beneath_read(const char *root, const char *path, size_t max, char **text, size_t *size,
		 struct cg_error *err)
{
	FILE *from = beneath_open_regular(root, path);

	return from ? stream_read(from, path, max, text, size, err) : fail_to_open(path, err);
}

/* ---- writing ---- */

int beneath_new_file(const char *root, const char *path, struct new_file **out, FILE **stream,
		     struct cg_error *err)
{
	const char *name;
	int directory = open_parent(root, path, &name);

	return directory < 0 ? beneath_fail(path, "create", err)
			     : new_file_begin_in(directory, name, path, out, stream, err);
}

void beneath_sweep(const char *root, const char *path)
{
	const char *name;
	int directory = open_parent(root, path, &name);

	if (directory < 0)
		return;
	new_file_sweep_in(directory, name);
	close(directory);
}

int beneath_copy(const char *root, const char *from, const char *to, struct cg_error *err)
{
	struct new_file *file;
	FILE *stream;
	FILE *source = beneath_open_regular(root, from);

	if (!source)
		return fail_to_open(from, err);
	int status = beneath_new_file(root, to, &file, &stream, err);
	if (status) {
		fclose(source);
		return status;
	}
	return stream_copy(source, from, file, stream, err);
}

static int mkdir_as(const char *root, const char *path, mode_t mode)
{
	const char *name;
	int directory = open_parent(root, path, &name);

	return directory < 0 ? -1 : keep_errno(directory, mkdirat(directory, name, mode));
}

int beneath_mkdir(const char *root, const char *path)
{
	return mkdir_as(root, path, 0777);
}

int beneath_mkdir_private(const char *root, const char *path)
{
	return mkdir_as(root, path, 0700);
}

/* Makes a directory. A link to a directory of the project counts as one. */
static int make_project_directory(const char *root, const char *path, struct cg_error *err)
{
	struct stat st;

	if (beneath_mkdir(root, path) == 0)
		return CG_OK;
	if (errno == EEXIST && beneath_stat(root, path, &st) == 0) {
		if (S_ISDIR(st.st_mode))
			return CG_OK;
		errno = EEXIST;
	}
	return beneath_fail(path, "create the directory", err);
}

int beneath_make_directories(const char *root, const char *path, struct cg_error *err)
{
	const char *rest = rest_of(root, path);
	char *copy = rest ? strdup(path) : NULL;
	int status = copy   ? CG_OK
		     : rest ? cg_fail_nomem(err)
			    : beneath_fail(path, "create the directory", err);

	for (char *slash = copy ? copy + (rest - path) : NULL;
	     !status && slash && (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		status = make_project_directory(root, copy, err);
		*slash = '/';
	}
	if (!status)
		status = make_project_directory(root, copy, err);
	free(copy);
	return status;
}

/* ---- moving and removing ---- */

typedef int with_two(int from_directory, const char *from, int to_directory, const char *to);

static int do_with_two(const char *root, const char *from, const char *to, with_two *what)
{
	const char *old, *new;
	int source = open_parent(root, from, &old);
	int target = source < 0 ? -1 : open_parent(root, to, &new);

	if (source < 0)
		return -1;
	if (target < 0)
		return keep_errno(source, -1);
	return keep_errno(source, keep_errno(target, what(source, old, target, new)));
}

int beneath_rename(const char *root, const char *from, const char *to)
{
	return do_with_two(root, from, to, renameat);
}

static int link_in(int from_directory, const char *from, int to_directory, const char *to)
{
	return linkat(from_directory, from, to_directory, to, 0);
}

int beneath_link(const char *root, const char *from, const char *to)
{
	return do_with_two(root, from, to, link_in);
}

int beneath_replace(const char *root, const char *from, const char *to)
{
	return do_with_two(root, from, to, replace_directory_in);
}

static int unlink_as(const char *root, const char *path, int flags)
{
	const char *name;
	int directory = open_parent(root, path, &name);

	return directory < 0 ? -1 : keep_errno(directory, unlinkat(directory, name, flags));
}

int beneath_unlink(const char *root, const char *path)
{
	return unlink_as(root, path, 0);
}

int beneath_rmdir(const char *root, const char *path)
{
	return unlink_as(root, path, AT_REMOVEDIR);
}

int beneath_remove(const char *root, const char *path, struct cg_error *err)
{
	const char *name;
	int directory = open_parent(root, path, &name);
	int result = directory < 0 ? -1 : keep_errno(directory, remove_in(directory, name));

	return result == 0 || errno == ENOENT ? CG_OK : beneath_fail(path, "remove", err);
}
