#include "src/store/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "callgrind/compress.h"
#include "callgrind/support/grow.h"

#define TEMPORARY ".irdiff-" /* and six letters, after the name */
#define LETTERS 6

struct new_file {
	char *path;             /* for messages */
	int directory;          /* where the file is made */
	char *name, *temporary; /* names there; temporary is NULL if the file is written in place */
	FILE *stream;           /* locked as long as its irdiff lives */
	char *block;            /* the stream's; NULL: it has its own */
	bool unsynced;
};

int file_fail(const char *path, const char *what, struct cg_error *err)
{
	return cg_fail(err, cg_io_status(errno), path, 0, "cannot %s: %s", what, strerror(errno));
}

static void free_file(struct new_file *f)
{
	if (f->directory >= 0)
		close(f->directory);
	free(f->path);
	free(f->name);
	free(f->temporary);
	free(f->block);
	free(f);
}

mode_t file_mask(void)
{
	char line[80];
	unsigned mask;
	bool found = false;
	FILE *status = fopen("/proc/self/status", "re");

	while (status && !found && fgets(line, sizeof line, status))
		found = sscanf(line, "Umask: %o", &mask) == 1;
	if (status)
		fclose(status);
	if (!found) { /* before Linux 4.7: not for several threads */
		mask = umask(0);
		umask((mode_t)mask);
	}
	return (mode_t)mask;
}

/* A temporary file is private. Gives it the mode of the file that it replaces, or else the mode
 * that the umask allows. */
static void open_to_others(int fd, int directory, const char *replaced)
{
	struct stat st;
	bool is_file = fstatat(directory, replaced, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		       S_ISREG(st.st_mode);
	fchmod(fd, is_file ? st.st_mode & 0777 : 0666 & ~file_mask());
}

/* A device or a pipe (/dev/null, /dev/stderr) must not be replaced by a file. */
static bool is_device(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* Whether it is BASE.irdiff-XXXXXX. */
static bool is_temporary(const char *name, const char *base)
{
	size_t len = strlen(base), mark = strlen(TEMPORARY);
	return strncmp(name, base, len) == 0 && strncmp(name + len, TEMPORARY, mark) == 0 &&
	       strlen(name + len + mark) == LETTERS;
}

/* A temporary file that can be locked was left by a dead irdiff. */
static void remove_if_dead(int directory, const char *name)
{
	struct stat st;
	int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0)
		unlinkat(directory, name, 0);
	close(fd);
}

void new_file_sweep_in(int directory, const char *name)
{
	int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	for (struct dirent *e; dir && (e = readdir(dir));)
		if (is_temporary(e->d_name, name))
			remove_if_dead(dirfd(dir), e->d_name);
	if (dir)
		closedir(dir);
}

int open_directory_of(const char *path, const char **name)
{
	const char *slash = strrchr(path, '/');
	char *parent = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	int fd = parent ? open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;

	free(parent);
	*name = slash ? slash + 1 : path;
	return fd;
}

/* As mkostemp(3) does, in a directory. */
static int open_temporary(int directory, char *name)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	enum { TRIES = 100 };
	char *mark = name + strlen(name) - LETTERS;
	unsigned char random[LETTERS];

	for (int i = 0; i < TRIES; i++) {
		if (getrandom(random, sizeof random, 0) != sizeof random)
			return -1;
		for (int k = 0; k < LETTERS; k++)
			mark[k] = letters[random[k] % (sizeof letters - 1)];
		int fd = openat(directory, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
				0600);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

/* Another irdiff may take the file for a leftover until it is locked. Where locks are not
 * supported, no irdiff does. */
static int open_locked(int directory, char *temporary)
{
	enum { TRIES = 100 };
	struct stat st;

	for (int i = 0; i < TRIES; i++) {
		int fd = open_temporary(directory, temporary);
		if (fd < 0)
			return -1;
		flock(fd, LOCK_EX);
		if (fstat(fd, &st) == 0 && st.st_nlink)
			return fd;
		close(fd);
	}
	errno = EBUSY;
	return -1;
}

static int open_new(struct new_file *f)
{
	if (!f->temporary)
		return open(f->path, O_WRONLY | O_CLOEXEC);
	new_file_sweep_in(f->directory, f->name);
	int fd = open_locked(f->directory, f->temporary);
	if (fd >= 0)
		open_to_others(fd, f->directory, f->name);
	return fd;
}

static void remove_temporary(const struct new_file *f)
{
	if (f->temporary)
		unlinkat(f->directory, f->temporary, 0);
}

/* Much may be written. In blocks of 4 kB, which the system would choose, a tenth of the time is its
 * own. */
static void write_large_blocks(struct new_file *f)
{
	enum { SIZE = 64 << 10 };

	f->block = malloc(SIZE);
	if (f->block)
		setvbuf(f->stream, f->block, _IOFBF, SIZE);
}

static int begin_new_file(struct new_file *f, struct new_file **out, FILE **stream,
			  struct cg_error *err)
{
	int fd = open_new(f);

	if (fd >= 0)
		f->stream = fdopen(fd, "w");
	if (!f->stream) {
		int status = file_fail(f->path, "create", err);
		if (fd >= 0) {
			close(fd);
			remove_temporary(f);
		}
		free_file(f);
		return status;
	}
	write_large_blocks(f);
	*out = f;
	*stream = f->stream;
	return CG_OK;
}

int new_file_begin_in(int directory, const char *name, const char *path, struct new_file **out,
		      FILE **stream, struct cg_error *err)
{
	struct new_file *f = calloc(1, sizeof *f);

	if (!f) {
		close(directory);
		return cg_fail_nomem(err);
	}
	f->directory = directory;
	f->path = strdup(path);
	f->name = strdup(name);
	if (asprintf(&f->temporary, "%s" TEMPORARY "XXXXXX", name) < 0)
		f->temporary = NULL;
	if (!f->path || !f->name || !f->temporary) {
		free_file(f);
		return cg_fail_nomem(err);
	}
	return begin_new_file(f, out, stream, err);
}

static int begin_in_place(const char *path, struct new_file **out, FILE **stream,
			  struct cg_error *err)
{
	struct new_file *f = calloc(1, sizeof *f);

	if (f)
		f->directory = -1;
	if (!f || !(f->path = strdup(path))) {
		free(f);
		return cg_fail_nomem(err);
	}
	return begin_new_file(f, out, stream, err);
}

/* Follows the symbolic links at the end of a path, which stay as they are; the caller's. NULL: out
 * of memory. */
static char *follow_links(const char *path)
{
	enum { MOST_LINKS = 40 };
	char link[PATH_MAX], *at = strdup(path);
	ssize_t len;

	for (int i = 0; at && i < MOST_LINKS && (len = readlink(at, link, sizeof link)) > 0 &&
			(size_t)len < sizeof link;
	     i++) {
		const char *slash = strrchr(at, '/');
		size_t before = *link == '/' || !slash ? 0 : (size_t)(slash - at) + 1;
		char *next;
		if (asprintf(&next, "%.*s%.*s", (int)before, at, (int)len, link) < 0)
			next = NULL;
		free(at);
		at = next;
	}
	return at;
}

int new_file_begin(const char *path, struct new_file **out, FILE **stream, struct cg_error *err)
{
	const char *name;

	if (is_device(path))
		return begin_in_place(path, out, stream, err);
	char *real = follow_links(path);
	if (!real)
		return cg_fail_nomem(err);
	int directory = open_directory_of(real, &name);
	int status = directory < 0 ? file_fail(path, "create", err)
				   : new_file_begin_in(directory, name, path, out, stream, err);
	free(real);
	return status;
}

void new_file_leave_unsynced(struct new_file *f)
{
	f->unsynced = true;
}

/* The file is renamed before it is closed, as closing ends the lock. */
int new_file_commit(struct new_file *f, struct cg_error *err)
{
	int status = CG_OK;
	bool failed = fflush(f->stream) != 0 || ferror(f->stream) ||
		      (f->temporary && !f->unsynced && fsync(fileno(f->stream)) != 0);

	if (failed)
		status = file_fail(f->path, "write", err);
	if (!status && f->temporary &&
	    renameat(f->directory, f->temporary, f->directory, f->name) != 0)
		status = file_fail(f->path, "put in place", err);
	if (status)
		remove_temporary(f);
	/* A file that was synced is safe, even if closing it fails. */
	if (fclose(f->stream) != 0 && !status && (!f->temporary || f->unsynced))
		status = file_fail(f->path, "write", err);
	free_file(f);
	return status;
}

void new_file_abandon(struct new_file *f)
{
	if (!f)
		return;
	if (f->stream) {
		remove_temporary(f);
		fclose(f->stream);
	}
	free_file(f);
}

static int compress_into(const char *from, FILE *to, const char *to_path, struct cg_error *err)
{
	FILE *source = fopen(from, "re");
	if (!source)
		return file_fail(from, "open", err);
	int status = cg_compress(source, to);
	fclose(source);
	if (status == CG_ENOMEM)
		return cg_fail_nomem(err);
	return status ? file_fail(to_path, "write", err) : CG_OK;
}

int store_compressed(const char *const *from, size_t count, const char *to, struct cg_error *err)
{
	struct new_file *file;
	FILE *stream;
	int status = new_file_begin(to, &file, &stream, err);
	if (status)
		return status;
	new_file_leave_unsynced(file);
	for (size_t i = 0; !status && i < count; i++)
		status = compress_into(from[i], stream, to, err);
	if (status) {
		new_file_abandon(file);
		return status;
	}
	return new_file_commit(file, err);
}

int stream_copy(FILE *source, const char *from, struct new_file *file, FILE *stream,
		struct cg_error *err)
{
	char block[1 << 16];
	int status = CG_OK;

	for (size_t n; (n = fread(block, 1, sizeof block, source)) > 0;)
		fwrite(block, 1, n, stream);
	if (ferror(source))
		status = file_fail(from, "read", err);
	fclose(source);
	if (status) {
		new_file_abandon(file);
		return status;
	}
	return new_file_commit(file, err);
}

int store_copy(const char *from, const char *to, struct cg_error *err)
{
	struct new_file *file;
	FILE *stream;
	FILE *source = fopen(from, "re");
	if (!source)
		return file_fail(from, "open", err);
	int status = new_file_begin(to, &file, &stream, err);
	if (status) {
		fclose(source);
		return status;
	}
	return stream_copy(source, from, file, stream, err);
}

/* Starts writing to the disk; only a sync shows whether that succeeds. */
static int start_writing(int fd)
{
	sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
	return 0;
}

static int with_entry(int directory, const char *name, int (*action)(int fd))
{
	struct stat st;
	if (fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
		return 0;
	int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	int result = fd < 0 ? -1 : action(fd);
	if (fd >= 0)
		close(fd);
	return result;
}

static int with_entries(DIR *dir, int (*action)(int fd))
{
	int result = 0;

	rewinddir(dir);
	for (struct dirent *e; !result && (e = readdir(dir));)
		result = with_entry(dirfd(dir), e->d_name, action);
	return result;
}

/* Files that are written all at once need one commit of the file system's journal, not one each. */
int sync_directory(const char *path, struct cg_error *err)
{
	DIR *dir = opendir(path);
	int status = CG_OK;

	if (!dir)
		return file_fail(path, "open", err);
	if (with_entries(dir, start_writing) != 0 || with_entries(dir, fsync) != 0)
		status = file_fail(path, "write", err);
	closedir(dir);
	return status;
}

static int make_one_directory(const char *path, struct cg_error *err)
{
	struct stat st;
	if (mkdir(path, 0777) == 0 ||
	    (errno == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode)))
		return CG_OK;
	return file_fail(path, "create the directory", err);
}

int make_directories(const char *path, struct cg_error *err)
{
	char *copy = strdup(path);
	int status = copy ? CG_OK : cg_fail_nomem(err);

	for (char *slash = copy; !status && (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		status = make_one_directory(copy, err);
		*slash = '/';
	}
	free(copy);
	return status ? status : make_one_directory(path, err);
}

int stream_read(FILE *from, const char *path, size_t max, char **text, size_t *size,
		struct cg_error *err)
{
	char *bytes = NULL;
	size_t used = 0, cap = 0;
	int status = CG_OK;

	for (size_t got = 1; !status && got;) {
		if (cg_grow(&bytes, &cap, used + BUFSIZ + 1, 1)) {
			status = cg_fail_nomem(err);
			break;
		}
		got = fread(bytes + used, 1, cap - used - 1, from);
		used += got;
		if (used > max)
			status = cg_fail(err, CG_EINVAL, path, 0, "larger than %zu bytes", max);
	}
	if (!status && ferror(from))
		status = file_fail(path, "read", err);
	fclose(from);
	if (status) {
		free(bytes);
		return status;
	}
	bytes[used] = '\0';
	*text = bytes;
	*size = used;
	return CG_OK;
}

int file_read(const char *path, char **text, size_t *size, struct cg_error *err)
{
	FILE *from = fopen(path, "re");

	return from ? stream_read(from, path, SIZE_MAX, text, size, err)
		    : file_fail(path, "open", err);
}

int foreign_file_read(const char *path, size_t max, char **text, size_t *size, struct cg_error *err)
{
	struct stat st;
	/* Without O_NONBLOCK, opening a pipe would wait for a writer. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return errno == ELOOP ? cg_fail(err, CG_EINVAL, path, 0, "is a symbolic link")
				      : file_fail(path, "open", err);
	bool regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	FILE *from = regular ? fdopen(fd, "r") : NULL;
	if (from)
		return stream_read(from, path, max, text, size, err);
	int status = regular ? file_fail(path, "open", err)
			     : cg_fail(err, CG_EINVAL, path, 0, "not a regular file");
	close(fd);
	return status;
}

#ifndef RENAME_EXCHANGE /* a C library without it, as musl */
#define RENAME_EXCHANGE (1u << 1)
static int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
	return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
}
#endif

int replace_directory_in(int from_directory, const char *from, int to_directory, const char *to)
{
	if (renameat(from_directory, from, to_directory, to) == 0)
		return 0;
	if (errno != ENOTEMPTY && errno != EEXIST)
		return -1;
	if (renameat2(from_directory, from, to_directory, to, RENAME_EXCHANGE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	return remove_in(to_directory, to) == 0 ? renameat(from_directory, from, to_directory, to)
						: -1;
}

bool streams_are_same(FILE *a, FILE *b)
{
	bool same = a && b;
	int c = 0;

	while (same && c != EOF) {
		c = getc(a);
		same = c == getc(b);
	}
	if (a)
		fclose(a);
	if (b)
		fclose(b);
	return same;
}

bool path_stays_below(const char *directory, const char *path)
{
	char *whole, *end;
	if (asprintf(&whole, "%s/%s", directory, path) < 0)
		return false;
	bool stays = true;
	for (end = whole + strlen(directory); stays && end; end = strchr(end + 1, '/')) {
		struct stat st;
		char *next = strchr(end + 1, '/');
		if (next)
			*next = '\0';
		stays = lstat(whole, &st) != 0 || S_ISDIR(st.st_mode) ||
			(!next && !S_ISLNK(st.st_mode));
		if (next)
			*next = '/';
	}
	free(whole);
	return stays;
}
