#include "src/commits/listed_files.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FILES = 100000 };

/* Files below the directory, in the order in which they were found. */
struct found {
	const struct listed_files *of;
	struct strings paths; /* directories become what is in them */
};

static int add_path(struct found *f, const char *path, struct cg_error *err)
{
	if (f->paths.count == MOST_FILES)
		return cg_fail(err, CG_ERANGE, NULL, 0, "%s lists more than %d files", f->of->list,
			       MOST_FILES);
	return strings_add(&f->paths, path, err);
}

static int compare_file_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_directory_to_list(const struct listed_files *of, const char *path)
{
	struct stat st;
	char *whole;

	if (asprintf(&whole, "%s/%s", of->directory, path) < 0)
		return false;
	bool is = lstat(whole, &st) == 0 && S_ISDIR(st.st_mode);
	free(whole);
	return is;
}

static int add_directory_entries(struct found *f, const char *path, struct cg_error *err)
{
	char *whole;

	if (asprintf(&whole, "%s/%s", f->of->directory, path) < 0)
		return cg_fail_nomem(err);
	DIR *dir = opendir(whole);
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

/* The directory is not a pattern. */
static char *pattern_in(const char *directory, const char *pattern)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	if (!to)
		return NULL;
	for (const char *at = directory; *at; at++)
		fprintf(to, "%s%c", strchr("*?[]\\", *at) ? "\\" : "", *at);
	fprintf(to, "/%s", pattern);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

static int expand_listed_pattern(struct found *f, const struct config_text *pattern,
				 struct cg_error *err)
{
	char *whole = pattern_in(f->of->directory, pattern->text);
	size_t root = strlen(f->of->directory) + 1;
	glob_t found;
	if (!whole)
		return cg_fail_nomem(err);
	int status = CG_OK, result = glob(whole, 0, NULL, &found);
	free(whole);
	if (result == GLOB_NOMATCH)
		return cg_fail(err, CG_EINVAL, f->of->config, pattern->line,
			       "%s '%s' does not exist", f->of->list, pattern->text);
	if (result)
		return cg_fail(err, CG_EIO, f->of->config, pattern->line,
			       "%s cannot search for '%s'", f->of->list, pattern->text);
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
		status = is_directory_to_list(f->of, f->paths.items[i])
				 ? add_directory_entries(f, f->paths.items[i], err)
				 : strings_add(files, f->paths.items[i], err);
	if (files->count)
		qsort(files->items, files->count, sizeof *files->items, compare_file_names);
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

int listed_files_find(const struct listed_files *of, struct strings *files, struct cg_error *err)
{
	struct found f = { .of = of };
	int status = CG_OK;

	for (size_t i = 0; !status && i < of->count; i++)
		status = expand_listed_pattern(&f, &of->patterns[i], err);
	if (!status)
		status = flatten_directories(&f, files, err);
	for (size_t i = 0; !status && i < files->count; i++)
		if (strchr(files->items[i], '\n'))
			status = cg_fail(err, CG_EINVAL, of->config, of->patterns[0].line,
					 "%s a file name contains a line break", of->list);
	strings_free(&f.paths);
	return status;
}
