#include "src/cmd/side_copy.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 100000 };

/* Files below the project's root, in the order in which they were found. */
struct found {
	const struct workshop *w;
	struct strings paths; /* directories become what is in them */
};

static int add_path(struct found *f, const char *path, struct cg_error *err)
{
	if (f->paths.count == MOST_FILES)
		return cg_fail(err, CG_ERANGE, NULL, 0, "copy: names more than %d files", MOST_FILES);
	return strings_add(&f->paths, path, err);
}

static char *in_project(const struct workshop *w, const char *path)
{
	char *whole;
	return asprintf(&whole, "%s/%s", w->project->root, path) < 0 ? NULL : whole;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Symbolic links are copied as such. */
static bool is_directory(const struct workshop *w, const char *path)
{
	struct stat st;
	char *whole = in_project(w, path);
	bool is = whole && lstat(whole, &st) == 0 && S_ISDIR(st.st_mode);
	free(whole);
	return is;
}

static int add_entries(struct found *f, const char *path, struct cg_error *err)
{
	char *whole = in_project(f->w, path);
	DIR *dir = whole ? opendir(whole) : NULL;
	int status = dir ? CG_OK : cg_fail(err, CG_EIO, path, 0, "cannot read: %s", strerror(errno));

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

static int expand(struct found *f, const struct config_text *pattern, struct cg_error *err)
{
	char *whole = in_project(f->w, pattern->text);
	size_t root = strlen(f->w->project->root) + 1;
	glob_t found;
	if (!whole)
		return cg_fail_nomem(err);
	int status = CG_OK, result = glob(whole, 0, NULL, &found);
	free(whole);
	if (result == GLOB_NOMATCH)
		return cg_fail(err, CG_EINVAL, f->w->project->config->path, pattern->line,
			       "copy: '%s' is not there", pattern->text);
	if (result)
		return cg_fail(err, CG_EIO, f->w->project->config->path, pattern->line,
			       "copy: cannot look for '%s'", pattern->text);
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
static int flatten(struct found *f, struct strings *files, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < f->paths.count; i++)
		status = is_directory(f->w, f->paths.items[i]) ? add_entries(f, f->paths.items[i], err) :
			 strings_add(files, f->paths.items[i], err);
	if (files->count)
		qsort(files->items, files->count, sizeof *files->items, compare_names);
	return status;
}

/* The id that git would give to the contents. */
static int digest(const struct workshop *w, const char *path, char **id, struct cg_error *err)
{
	char *whole = in_project(w, path);
	if (!whole)
		return cg_fail_nomem(err);
	const char *const args[] = { "hash-object", "--no-filters", "--", whole, NULL };
	int status = git_line(w->git, args, id, err);
	free(whole);
	return status;
}

int side_find_copied(const struct workshop *w, char **digests, struct cg_error *err)
{
	const struct config *config = w->project->config;
	struct found f = { .w = w };
	struct strings files = { 0 };
	char *text = NULL;
	size_t size;
	int status = CG_OK;

	*digests = NULL;
	if (!config || !config->copy_count)
		return CG_OK;
	for (size_t i = 0; !status && i < config->copy_count; i++)
		status = expand(&f, &config->copy[i], err);
	if (!status)
		status = flatten(&f, &files, err);
	FILE *to = status ? NULL : open_memstream(&text, &size);
	if (!status && !to)
		status = cg_fail_nomem(err);
	for (size_t i = 0; !status && i < files.count; i++) {
		char *id;
		if ((i && strcmp(files.items[i], files.items[i - 1]) == 0) ||
		    strchr(files.items[i], '\n'))
			continue;
		status = digest(w, files.items[i], &id, err);
		if (status)
			break;
		fprintf(to, "%s %s\n", id, files.items[i]);
		free(id);
	}
	if (to && fclose(to) != 0 && !status)
		status = cg_fail_nomem(err);
	strings_free(&f.paths);
	strings_free(&files);
	if (status)
		free(text);
	else
		*digests = text;
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
	int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
				     mode & 0777);
	ssize_t n = out < 0 ? -1 : 1;

	while (n > 0)
		n = sendfile(out, in, NULL, 1 << 30);
	int status = n < 0 ? cg_fail(err, CG_EIO, from, 0, "cannot copy it to where it is built: %s",
				     strerror(errno)) : CG_OK;
	if (out >= 0 && close(out) != 0 && !status)
		status = cg_fail(err, CG_EIO, to, 0, "cannot write: %s", strerror(errno));
	if (in >= 0)
		close(in);
	return status;
}

static int copy_file(const char *from, const char *to, struct cg_error *err)
{
	struct stat st;
	char *parent = strndup(to, (size_t)(strrchr(to, '/') - to));
	int status = parent ? make_directories(parent, err) : cg_fail_nomem(err);

	free(parent);
	if (status)
		return status;
	if (lstat(from, &st) != 0)
		return cg_fail(err, CG_EIO, from, 0, "cannot copy it: %s", strerror(errno));
	unlink(to);
	if (S_ISLNK(st.st_mode))
		return copy_link(from, to, (size_t)st.st_size, err);
	return S_ISREG(st.st_mode) ? copy_bytes(from, to, st.st_mode, err) :
				     cg_fail(err, CG_EINVAL, from, 0, "copy: is no file");
}

static int copy_one(const struct workshop *w, const char *directory, const char *path, int len,
		    struct cg_error *err)
{
	char *from = NULL, *to = NULL;

	if (asprintf(&from, "%s/%.*s", w->project->root, len, path) < 0)
		return cg_fail_nomem(err);
	if (asprintf(&to, "%s/%.*s", directory, len, path) < 0) {
		free(from);
		return cg_fail_nomem(err);
	}
	int status = copy_file(from, to, err);
	free(from);
	free(to);
	return status;
}

int side_put_copied(const struct workshop *w, const char *digests, const char *directory,
		    struct cg_error *err)
{
	int status = CG_OK;

	for (const char *line = digests; !status && line && *line;) {
		size_t len = strcspn(line, "\n");
		const char *path = memchr(line, ' ', len);
		status = copy_one(w, directory, path + 1, (int)(line + len - path - 1), err);
		line += len + (line[len] == '\n');
	}
	return status;
}
