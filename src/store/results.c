#include "src/store/results.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/store/label.h"

enum { DEEPEST = 16 };

/* The length of NAME in "callgrind.NAME.out" followed by `suffix`; 0: not such a file. */
static size_t run_name_length(const char *name, const char *suffix)
{
	static const char begin[] = "callgrind.", end[] = ".out";
	size_t len = strlen(name), suffix_len = strlen(suffix);

	if (len < suffix_len || strcmp(name + len - suffix_len, suffix) != 0)
		return 0;
	len -= suffix_len;
	if (len <= sizeof begin + sizeof end - 2 || strncmp(name, begin, sizeof begin - 1) != 0 ||
	    strncmp(name + len - (sizeof end - 1), end, sizeof end - 1) != 0)
		return 0;
	return len;
}

/* The path of the last run for a directory entry that is one, or the base of one; NULL: it is
 * neither. */
static char *last_run_of(const char *directory, const char *name, const char *suffix)
{
	size_t len = run_name_length(name, "");
	char *path;

	if (!len)
		len = run_name_length(name, suffix);
	return len && asprintf(&path, "%s/%.*s", directory, (int)len, name) >= 0 ? path : NULL;
}

/* Links are not followed, as they could lead in circles. A run with a base is found twice. */
static int find_results(const char *directory, const char *suffix, int depth, struct path_list *out,
			struct cg_error *err)
{
	DIR *dir = opendir(directory);
	int status = CG_OK;

	if (!dir)
		return cg_fail(err, CG_EIO, directory, 0, "cannot read: %s", strerror(errno));
	for (struct dirent *e; !status && (e = readdir(dir));) {
		struct stat st;
		char *path = NULL;
		if (*e->d_name == '.' || fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		if (S_ISDIR(st.st_mode) && depth < DEEPEST) {
			status = asprintf(&path, "%s/%s", directory, e->d_name) < 0
					 ? cg_fail_nomem(err)
					 : find_results(path, suffix, depth + 1, out, err);
		} else if (S_ISREG(st.st_mode) &&
			   (path = last_run_of(directory, e->d_name, suffix))) {
			status = path_list_add(out, path, err);
		}
		free(path);
	}
	closedir(dir);
	return status;
}

bool results_are_in(const char *directory)
{
	struct path_list found = { 0 };
	struct stat st;
	bool are = stat(directory, &st) == 0 && S_ISDIR(st.st_mode) &&
		   find_results(directory, ".old", 0, &found, NULL) == CG_OK && found.count;

	path_list_free(&found);
	return are;
}

/* Appends the path if the file exists, else "". */
static int add_if_there(struct path_list *list, const char *path, const char *suffix,
			struct cg_error *err)
{
	struct stat st;
	char *whole;

	if (asprintf(&whole, "%s%s", path, suffix) < 0)
		return cg_fail_nomem(err);
	int status = path_list_add(list, lstat(whole, &st) == 0 && S_ISREG(st.st_mode) ? whole : "",
				   err);
	free(whole);
	return status;
}

int results_list(const char *directory, const char *baseline, struct path_list *base,
		 struct path_list *last, struct cg_error *err)
{
	struct path_list found = { 0 };
	char *suffix;

	if (asprintf(&suffix, "%s%s", baseline ? ".base@" : ".old", baseline ? baseline : "") < 0)
		return cg_fail_nomem(err);
	int status = find_results(directory, suffix, 0, &found, err);
	path_list_sort(&found, 0);
	for (size_t i = 0; !status && i < found.count; i++) {
		if (i && strcmp(found.paths[i], found.paths[i - 1]) == 0)
			continue;
		status = add_if_there(last, found.paths[i], "", err);
		if (!status)
			status = add_if_there(base, found.paths[i], suffix, err);
	}
	free(suffix);
	path_list_free(&found);
	return status;
}

/* ---- names ---- */

/* Cuts the last part off a path, and returns it; NULL: there is none. */
static char *cut_part(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash || !slash[1])
		return NULL;
	*slash = '\0';
	return slash + 1;
}

/* The length of what precedes ".out" in the name of a last run or of its base; 0: it is neither. */
static size_t length_before_end(const char *file)
{
	for (const char *p = file; (p = strstr(p, ".out")); p++)
		if (!p[4] || strcmp(p + 4, ".old") == 0 || strncmp(p + 4, ".base@", 6) == 0)
			return (size_t)(p - file);
	return 0;
}

/* By the file, its directory and the two above it. */
static char *name_of_parts(const char *file, char *directory, const char *group, const char *module)
{
	static const char begin[] = "callgrind.";
	const size_t len = strlen(directory), before = sizeof begin - 1 + len;
	const size_t end = length_before_end(file);
	char *id = strchr(directory, '.'), *name;

	if (end < before || strncmp(file, begin, sizeof begin - 1) != 0 ||
	    strncmp(file + sizeof begin - 1, directory, len) != 0 ||
	    (end > before && file[before] != '.'))
		return NULL;
	const bool more = end > before;
	if (id)
		*id++ = '\0';
	if (asprintf(&name, "%s::%s::%s%s%s%s%.*s", module, group, directory, id ? " " : "",
		     id ? id : "", more ? " " : "", more ? (int)(end - before - 1) : 0,
		     more ? file + before + 1 : "") < 0)
		return NULL;
	return name;
}

char *results_name(const char *path)
{
	char *whole = strdup(path), *file = whole ? cut_part(whole) : NULL;
	char *real = file ? realpath(whole, NULL) : NULL;
	char *directory = real ? cut_part(real) : NULL;
	char *group = directory ? cut_part(real) : NULL;
	char *module = group ? cut_part(real) : NULL;
	char *name = module ? name_of_parts(file, directory, group, module) : NULL;

	if (name && label_check(name, NULL)) {
		free(name);
		name = NULL;
	}
	free(real);
	free(whole);
	return name;
}
