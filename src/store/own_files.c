#include "src/store/own_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/index.h"
#include "src/store/beneath.h"
#include "src/store/files.h"

#define LIST_BEGIN "irdiff's files, version 1\n"
#define UNFINISHED "+" /* a line: new files follow, and the list was to be replaced */
#define MOST_LIST_BYTES ((size_t)1 << 28)

struct own_file {
	char *path;  /* below the directory */
	bool before; /* it was in the list */
	bool now;
};

struct own_files {
	char *directory;
	int lock;
	FILE *journal; /* the list, which new files enter before they are written; NULL: none */
	bool left;     /* a killed irdiff left the list */
	struct own_file *items;
	size_t count, cap;
	struct cg_index by_path; /* ids are numbers and 1 */
	size_t written;
};

/* ---- paths ---- */

static bool is_own_path(const char *path)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

	for (;;) {
		size_t len = strspn(path, letters);
		if (!len || *path == '.')
			return false;
		path += len;
		if (!*path)
			return true;
		if (*path++ != '/')
			return false;
	}
}

struct wanted_own_path {
	const struct own_files *f;
	const char *path;
};

static bool is_same_own_path(const void *context, uint32_t id)
{
	const struct wanted_own_path *w = context;
	return strcmp(w->f->items[id - 1].path, w->path) == 0;
}

static struct own_file *find_own(struct own_files *f, const char *path)
{
	const struct wanted_own_path w = { f, path };
	uint32_t hash = cg_hash_bytes(path, strlen(path));
	uint32_t id = cg_index_find(&f->by_path, hash, is_same_own_path, &w);
	return id ? &f->items[id - 1] : NULL;
}

static int add_own(struct own_files *f, const char *path, bool before, struct cg_error *err)
{
	char *copy = strdup(path);

	if (!copy || cg_index_reserve(&f->by_path) ||
	    cg_grow(&f->items, &f->cap, f->count + 1, sizeof *f->items)) {
		free(copy);
		return cg_fail_nomem(err);
	}
	f->items[f->count++] = (struct own_file){ .path = copy, .before = before };
	cg_index_insert(&f->by_path, cg_hash_bytes(path, strlen(path)), (uint32_t)f->count);
	return CG_OK;
}

/* The whole path; the caller's. NULL: out of memory. */
static char *own_path(const struct own_files *f, const char *path)
{
	char *whole;
	return asprintf(&whole, "%s/%s", f->directory, path) < 0 ? NULL : whole;
}

/* ---- the list ---- */

/* A last line without a line end is of a file that was not written yet. */
static int take_own_list(struct own_files *f, char *text, const char *path, struct cg_error *err)
{
	int status = CG_OK;

	if (strncmp(text, LIST_BEGIN, strlen(LIST_BEGIN)) != 0)
		return cg_fail(err, CG_EINVAL, path, 0,
			       "not a list of this version of irdiff; name another directory");
	text += strlen(LIST_BEGIN);
	for (char *end; !status && (end = strchr(text, '\n')); text = end + 1) {
		*end = '\0';
		if (strcmp(text, UNFINISHED) == 0)
			f->left = true;
		else if (!is_own_path(text))
			status = cg_fail(err, CG_EINVAL, path, 0,
					 "damaged; remove the directory, or name another one");
		else if (!find_own(f, text))
			status = add_own(f, text, true, err);
	}
	return status;
}

static int read_own_list(struct own_files *f, struct cg_error *err)
{
	char *path = own_path(f, OWN_FILES_LIST), *text = NULL;
	size_t size;

	if (!path)
		return cg_fail_nomem(err);
	int status = CG_OK;
	if (beneath_is_there(f->directory, path)) {
		status = beneath_read(f->directory, path, MOST_LIST_BYTES, &text, &size, err);
		if (!status)
			status = take_own_list(f, text, path, err);
	}
	free(text);
	free(path);
	return status;
}

static int open_journal(struct own_files *f, struct cg_error *err)
{
	char *path = own_path(f, OWN_FILES_LIST);

	if (!path)
		return cg_fail_nomem(err);
	int fd = beneath_open(f->directory, path,
			      O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
	char last = '\n';
	off_t size = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	if (size > 0 && pread(fd, &last, 1, size - 1) != 1)
		size = -1;
	f->journal = size < 0 ? NULL : fdopen(fd, "a");
	int status = f->journal ? CG_OK : beneath_fail(path, "write", err);
	if (status && fd >= 0)
		close(fd);
	/* A line that was not finished is of no file. */
	if (!status && fprintf(f->journal, "%s%s%s\n", size ? "" : LIST_BEGIN,
			       last == '\n' ? "" : "\n", UNFINISHED) < 0)
		status = file_fail(path, "write", err);
	free(path);
	return status;
}

/* A file is in the list before it is there. */
static int enter_own(struct own_files *f, const char *path, struct cg_error *err)
{
	int status = f->journal ? CG_OK : open_journal(f, err);

	if (!status && (fprintf(f->journal, "%s\n", path) < 0 || fflush(f->journal) != 0))
		status = file_fail(OWN_FILES_LIST, "write", err);
	if (!status && !(status = add_own(f, path, false, err)))
		f->items[f->count - 1].now = true;
	return status;
}

/* ---- files ---- */

int own_files_open(const char *directory, struct own_files **out, struct cg_error *err)
{
	struct own_files *f = calloc(1, sizeof *f);

	if (!f || !(f->directory = strdup(directory))) {
		free(f);
		return cg_fail_nomem(err);
	}
	for (size_t len = strlen(f->directory); len > 1 && f->directory[len - 1] == '/'; len--)
		f->directory[len - 1] = '\0';
	f->lock = beneath_open(f->directory, f->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	int status = CG_OK;
	if (f->lock < 0 || (flock(f->lock, LOCK_EX) != 0 && errno != EOPNOTSUPP))
		status = file_fail(f->directory, "lock", err);
	if (!status)
		status = read_own_list(f, err);
	if (status)
		own_files_close(f);
	else
		*out = f;
	return status;
}

void own_files_close(struct own_files *f)
{
	if (!f)
		return;
	if (f->journal)
		fclose(f->journal);
	if (f->lock >= 0)
		close(f->lock);
	for (size_t i = 0; i < f->count; i++)
		free(f->items[i].path);
	free(f->items);
	cg_index_free(&f->by_path);
	free(f->directory);
	free(f);
}

static bool has_bytes(const struct own_files *f, const char *whole, const char *bytes, size_t size)
{
	char buffer[1 << 14];
	FILE *from = beneath_open_regular(f->directory, whole);
	bool same = from != NULL;
	size_t n = 0;

	while (same && (n = fread(buffer, 1, sizeof buffer, from)) > 0) {
		same = n <= size && memcmp(buffer, bytes, n) == 0;
		bytes += same ? n : 0;
		size -= same ? n : 0;
	}
	same = same && size == 0 && !ferror(from);
	if (from)
		fclose(from);
	return same;
}

static int make_parent(const struct own_files *f, const char *whole, struct cg_error *err)
{
	const char *slash = strrchr(whole, '/');

	if (slash == whole + strlen(f->directory))
		return CG_OK;
	char *parent = strndup(whole, (size_t)(slash - whole));
	int status = parent ? beneath_make_directories(f->directory, parent, err)
			    : cg_fail_nomem(err);
	free(parent);
	return status;
}

/* All files are synced at the end. */
static int write_own(struct own_files *f, const char *whole, const char *bytes, size_t size,
		     struct cg_error *err)
{
	struct new_file *file;
	FILE *to;
	int status = make_parent(f, whole, err);

	if (!status)
		status = beneath_new_file(f->directory, whole, &file, &to, err);
	if (status)
		return status;
	new_file_leave_unsynced(file);
	fwrite(bytes, 1, size, to);
	status = new_file_commit(file, err);
	f->written += !status;
	return status;
}

static int check_own_place(const struct own_files *f, const struct own_file *own, const char *whole,
			   struct cg_error *err)
{
	if (own || !beneath_is_there(f->directory, whole))
		return CG_OK;
	return cg_fail(err, CG_EINVAL, whole, 0,
		       "irdiff has not written this file, and does not replace it; name another "
		       "directory, or move the file");
}

int own_files_check(struct own_files *f, const char *path, struct cg_error *err)
{
	char *whole = own_path(f, path);
	int status = whole ? check_own_place(f, find_own(f, path), whole, err) : cg_fail_nomem(err);

	free(whole);
	return status;
}

static int put_own(struct own_files *f, const char *path, const char *whole, const char *bytes,
		   size_t size, struct cg_error *err)
{
	struct own_file *own = find_own(f, path);
	int status = check_own_place(f, own, whole, err);

	if (status)
		return status;
	if (own)
		own->now = true;
	if (own && has_bytes(f, whole, bytes, size))
		return CG_OK;
	status = own ? CG_OK : enter_own(f, path, err);
	return status ? status : write_own(f, whole, bytes, size, err);
}

int own_files_put(struct own_files *f, const char *path, const char *bytes, size_t size,
		  struct cg_error *err)
{
	char *whole = own_path(f, path);
	int status = !whole ? cg_fail_nomem(err)
		     : is_own_path(path)
			     ? put_own(f, path, whole, bytes, size, err)
			     : cg_fail(err, CG_EINTERNAL, path, 0, "not a path of an own file");
	free(whole);
	return status;
}

bool own_files_keep(struct own_files *f, const char *path)
{
	struct own_file *own = find_own(f, path);
	char *whole = own ? own_path(f, path) : NULL;
	struct stat st;
	bool there = whole && beneath_stat(f->directory, whole, &st) == 0 && S_ISREG(st.st_mode);

	if (there)
		own->now = true;
	free(whole);
	return there;
}

int own_files_read(struct own_files *f, const char *path, size_t max, char **text, size_t *size,
		   struct cg_error *err)
{
	char *whole = own_path(f, path);
	int status = whole ? CG_OK : cg_fail_nomem(err);

	*text = NULL;
	*size = 0;
	if (whole && find_own(f, path) && beneath_is_there(f->directory, whole))
		status = beneath_read(f->directory, whole, max, text, size, err);
	free(whole);
	return status;
}

/* ---- the end ---- */

static int compare_own(const void *left, const void *right)
{
	const struct own_file *a = left, *b = right;
	return strcmp(a->path, b->path);
}

static int remove_own(const struct own_files *f, const struct own_file *own, struct cg_error *err)
{
	char *whole = own_path(f, own->path);
	int status = CG_OK;

	if (!whole)
		return cg_fail_nomem(err);
	beneath_sweep(f->directory, whole);
	/* Its directory may have become a file of others. */
	if (beneath_unlink(f->directory, whole) != 0 && errno != ENOENT && errno != ENOTDIR)
		status = beneath_fail(whole, "remove", err);
	/* A directory that has something else stays. */
	char *slash = strrchr(whole, '/');
	*slash = '\0';
	if (!status && strchr(own->path, '/'))
		beneath_rmdir(f->directory, whole);
	free(whole);
	return status;
}

/* What a killed irdiff had begun to write. */
static void sweep_own(const struct own_files *f)
{
	for (size_t i = 0; f->left && i < f->count; i++) {
		char *whole = own_path(f, f->items[i].path);
		if (whole)
			beneath_sweep(f->directory, whole);
		free(whole);
	}
}

static int replace_own_list(struct own_files *f, struct cg_error *err)
{
	char *path = own_path(f, OWN_FILES_LIST), *text = NULL;
	size_t size;
	FILE *to = path ? open_memstream(&text, &size) : NULL;

	if (!to) {
		free(path);
		return cg_fail_nomem(err);
	}
	fputs(LIST_BEGIN, to);
	for (size_t i = 0; i < f->count; i++)
		if (f->items[i].now)
			fprintf(to, "%s\n", f->items[i].path);
	int status = fclose(to) == 0 ? CG_OK : cg_fail_nomem(err);
	struct new_file *file;
	if (!status)
		status = beneath_new_file(f->directory, path, &file, &to, err);
	if (!status) {
		fwrite(text, 1, size, to);
		status = new_file_commit(file, err);
	}
	free(text);
	free(path);
	return status;
}

int own_files_finish(struct own_files *f, struct own_files_counts *counts, struct cg_error *err)
{
	int status = CG_OK;
	struct own_files_counts c = { .written = f->written };

	sweep_own(f);
	for (size_t i = 0; !status && i < f->count; i++) {
		c.total += f->items[i].now;
		c.removed += !f->items[i].now;
		if (!f->items[i].now)
			status = remove_own(f, &f->items[i], err);
	}
	if (!status && f->written)
		status = sync_tree(f->directory, err);
	if (f->count)
		qsort(f->items, f->count, sizeof *f->items, compare_own);
	if (!status && (f->journal || f->left || c.removed))
		status = replace_own_list(f, err);
	if (!status)
		*counts = c;
	return status;
}
