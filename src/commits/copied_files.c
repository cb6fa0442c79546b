#include "src/commits/copied_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/status/notice.h"
#include "src/store/files.h"

enum { MOST_FILES = 100000 };

/* Files below the project's root, in the order in which they were found. */
struct found {
	const struct build_area *w;
	struct strings paths; /* directories become what is in them */
};

static int add_path(struct found *f, const char *path, struct cg_error *err)
{
	if (f->paths.count == MOST_FILES)
		return cg_fail(err, CG_ERANGE, NULL, 0, "copy: lists more than %d files",
			       MOST_FILES);
	return strings_add(&f->paths, path, err);
}

static char *in_project(const struct build_area *w, const char *path)
{
	char *whole;
	return asprintf(&whole, "%s/%s", w->project->root, path) < 0 ? NULL : whole;
}

static int compare_copied_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Symbolic links are copied as such. */
static bool is_directory_to_copy(const struct build_area *w, const char *path)
{
	struct stat st;
	char *whole = in_project(w, path);
	bool is = whole && lstat(whole, &st) == 0 && S_ISDIR(st.st_mode);
	free(whole);
	return is;
}

static int add_directory_entries(struct found *f, const char *path, struct cg_error *err)
{
	char *whole = in_project(f->w, path);
	DIR *dir = whole ? opendir(whole) : NULL;
	int status = dir ? CG_OK
			 : cg_fail(err, CG_EIO, path, 0, "cannot read: %s", strerror(errno));

	for (struct dirent *e; !status && (e = readdir(dir));) {
		char *entry;
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (asprintf(&entry, "%s/%s", path, e->d_name) < 0) {
			status = cg_fail_nomem(err);
		} else {
			status = add_path(f, entry, err);
			free(entry);
		}
	}
	if (dir)
		closedir(dir);
	free(whole);
	return status;
}

/* The project's own directory is not a pattern. */
static char *pattern_in(const struct build_area *w, const char *pattern)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	if (!to)
		return NULL;
	for (const char *at = w->project->root; *at; at++)
		fprintf(to, "%s%c", strchr("*?[]\\", *at) ? "\\" : "", *at);
	fprintf(to, "/%s", pattern);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

static int expand_copy_pattern(struct found *f, const struct config_text *pattern,
			       struct cg_error *err)
{
	char *whole = pattern_in(f->w, pattern->text);
	size_t root = strlen(f->w->project->root) + 1;
	glob_t found;
	if (!whole)
		return cg_fail_nomem(err);
	int status = CG_OK, result = glob(whole, 0, NULL, &found);
	free(whole);
	if (result == GLOB_NOMATCH)
		return cg_fail(err, CG_EINVAL, f->w->project->config->path, pattern->line,
			       "copy: '%s' does not exist", pattern->text);
	if (result)
		return cg_fail(err, CG_EIO, f->w->project->config->path, pattern->line,
			       "copy: cannot search for '%s'", pattern->text);
	for (size_t i = 0; !status && i < found.gl_pathc; i++) {
		const char *path = found.gl_pathv[i] + root, *name = strrchr(path, '/');
		name = name ? name + 1 : path;
		if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
			status = add_path(f, path, err);
	}
	globfree(&found);
	return status;
}

/* Leaves files only, each once, sorted. */
static int flatten_directories(struct found *f, struct strings *files, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < f->paths.count; i++)
		status = is_directory_to_copy(f->w, f->paths.items[i])
				 ? add_directory_entries(f, f->paths.items[i], err)
				 : strings_add(files, f->paths.items[i], err);
	if (files->count)
		qsort(files->items, files->count, sizeof *files->items, compare_copied_names);
	size_t kept = 0;
	for (size_t i = 0; i < files->count; i++) {
		if (kept && strcmp(files->items[kept - 1], files->items[i]) == 0)
			free(files->items[i]);
		else
			files->items[kept++] = files->items[i];
	}
	files->count = kept;
	return status;
}

/* ---- copying -------------------------------------------------------------- */

static int copy_link(const char *from, const char *to, size_t size, struct cg_error *err)
{
	char *target = calloc(1, size + 2);
	if (!target)
		return cg_fail_nomem(err);
	int status = CG_OK;
	if (readlink(from, target, size + 1) < 0 || symlink(target, to) != 0)
		status = cg_fail(err, CG_EIO, to, 0, "cannot copy: %s", strerror(errno));
	free(target);
	return status;
}

static int copy_bytes(const char *from, const char *to, mode_t mode, struct cg_error *err)
{
	int in = open(from, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int out = in < 0 ? -1
			 : open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
				mode & 0777);
	ssize_t n = out < 0 ? -1 : 1;

	while (n > 0)
		n = sendfile(out, in, NULL, 1 << 30);
	int status = n < 0 ? cg_fail(err, CG_EIO, from, 0, "cannot copy to the build area: %s",
				     strerror(errno))
			   : CG_OK;
	if (out >= 0 && close(out) != 0 && !status)
		status = cg_fail(err, cg_io_status(errno), to, 0, "cannot write: %s",
				 strerror(errno));
	if (in >= 0)
		close(in);
	return status;
}

static int copy_file_or_link(const char *from, const char *to, struct cg_error *err)
{
	struct stat st;
	char *parent = strndup(to, (size_t)(strrchr(to, '/') - to));
	int status = parent ? make_directories(parent, err) : cg_fail_nomem(err);

	free(parent);
	if (status)
		return status;
	if (lstat(from, &st) != 0)
		return cg_fail(err, CG_EIO, from, 0, "cannot copy: %s", strerror(errno));
	unlink(to);
	if (S_ISLNK(st.st_mode))
		return copy_link(from, to, (size_t)st.st_size, err);
	return S_ISREG(st.st_mode) ? copy_bytes(from, to, st.st_mode, err)
				   : cg_fail(err, CG_EINVAL, from, 0, "copy: not a regular file");
}

static int copy_one(const char *from_directory, const char *to_directory, const char *path,
		    struct cg_error *err)
{
	char *from = NULL, *to = NULL;

	if (!path_stays_below(to_directory, path))
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "copy: '%s' leads through a symbolic link of the commit", path);
	if (asprintf(&from, "%s/%s", from_directory, path) < 0)
		return cg_fail_nomem(err);
	if (asprintf(&to, "%s/%s", to_directory, path) < 0) {
		free(from);
		return cg_fail_nomem(err);
	}
	int status = copy_file_or_link(from, to, err);
	free(from);
	free(to);
	return status;
}

/* ---- digests -------------------------------------------------------------- */

/* The ids that git gives to the contents of all files, one per line; put_digest_of_copy
 * distinguishes links by their targets. */
static int hash_files(const struct build_area *w, const struct strings *files, char **ids,
		      struct cg_error *err)
{
	static const char *const args[] = { "hash-object", "--no-filters", "--stdin-paths", NULL };
	struct git_call call = { .args = args };
	char *paths = NULL;
	FILE *to = open_memstream(&paths, &call.input_size);
	if (!to)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < files->count; i++) {
		char *path, target[2];
		if (asprintf(&path, "%s/%s", w->copied_from, files->items[i]) < 0)
			continue;
		if (readlink(path, target, sizeof target) < 0)
			fprintf(to, "%s\n", path);
		free(path);
	}
	if (fclose(to) != 0)
		return cg_fail_nomem(err);
	call.input = paths;
	int status = git_run(w->git, &call, ids, NULL, err);
	free(paths);
	return status;
}

static int put_digest_of_copy(const struct build_area *w, const char *path, char **ids, FILE *to,
			      struct cg_error *err)
{
	struct stat st;
	char *whole, target[4096];
	if (asprintf(&whole, "%s/%s", w->copied_from, path) < 0)
		return cg_fail_nomem(err);
	ssize_t n = readlink(whole, target, sizeof target);
	int status = lstat(whole, &st) == 0 ? CG_OK
					    : cg_fail(err, CG_EIO, whole, 0, "no longer exists");
	if (!status && n >= 0) {
		fprintf(to, "link to %.*s: %s\n", (int)n, target, path);
	} else if (!status) {
		size_t len = strcspn(*ids, "\n");
		fprintf(to, "%o %.*s %s\n", (unsigned)st.st_mode & 0111, (int)len, *ids, path);
		*ids += len + ((*ids)[len] == '\n');
	}
	free(whole);
	return status;
}

static int put_digests(struct build_area *w, const struct strings *files, struct cg_error *err)
{
	char *ids, *text = NULL;
	size_t size;
	int status = hash_files(w, files, &ids, err);
	if (status)
		return status;
	FILE *to = open_memstream(&text, &size);
	char *at = ids;
	if (!to)
		status = cg_fail_nomem(err);
	for (size_t i = 0; !status && i < files->count; i++)
		status = put_digest_of_copy(w, files->items[i], &at, to, err);
	if (to && fclose(to) != 0 && !status)
		status = cg_fail_nomem(err);
	free(ids);
	if (status)
		free(text);
	else
		w->copied = text;
	return status;
}

/* ---- the whole ------------------------------------------------------------ */

static int list_copied_files(const struct build_area *w, struct strings *files,
			     struct cg_error *err)
{
	const struct config *config = w->project->config;
	struct found f = { .w = w };
	int status = CG_OK;

	for (size_t i = 0; !status && config && i < config->copy_count; i++)
		status = expand_copy_pattern(&f, &config->copy[i], err);
	if (!status)
		status = flatten_directories(&f, files, err);
	for (size_t i = 0; !status && i < files->count; i++)
		if (strchr(files->items[i], '\n'))
			status = cg_fail(err, CG_EINVAL, config->path, config->copy[0].line,
					 "copy: a file name contains a line break");
	strings_free(&f.paths);
	return status;
}

int copied_files_find(struct build_area *w, struct cg_error *err)
{
	struct strings *files = &w->copied_files;
	if (w->copied || !w->project->config || !w->project->config->copy_count)
		return CG_OK;
	int status = list_copied_files(w, files, err);
	if (!status)
		status = build_area_scratch(w, &w->copied_from, err);
	for (size_t i = 0; !status && i < files->count; i++)
		status = copy_one(w->project->root, w->copied_from, files->items[i], err);
	return status ? status : put_digests(w, files, err);
}

static bool is_there_already(const char *directory, const char *path)
{
	struct stat st;
	char *whole;

	if (asprintf(&whole, "%s/%s", directory, path) < 0)
		return false;
	bool there = lstat(whole, &st) == 0;
	free(whole);
	return there;
}

/* The commit's own files are what is compared: a copy would make base and head equal. */
int copied_files_put(const struct build_area *w, const char *directory, const char *name,
		     bool changed, struct cg_error *err)
{
	const char *own = NULL;
	size_t kept = 0;
	int status = CG_OK;

	for (size_t i = 0; !status && i < w->copied_files.count; i++) {
		const char *path = w->copied_files.items[i];
		if (path_stays_below(directory, path) && is_there_already(directory, path)) {
			own = kept++ ? own : path;
			continue;
		}
		status = copy_one(w->copied_from, directory, path, err);
	}
	/* A snapshot of the work tree has its untracked files in any case. */
	if (!status && kept && !changed)
		notice_warning(w->project->notices,
			       "copy: in " CONFIG_NAME
			       " lists %s%s, but %s has its own, which is kept",
			       own, kept > 1 ? " and others" : "", name);
	return status;
}
