#include "src/store/results.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST = 16 };

/* "callgrind.NAME.out" */
static bool is_last_run(const char *name)
{
	static const char begin[] = "callgrind.", end[] = ".out";
	size_t len = strlen(name);

	return len > sizeof begin + sizeof end - 2 && strncmp(name, begin, sizeof begin - 1) == 0 &&
	       strcmp(name + len - (sizeof end - 1), end) == 0;
}

/* Links are not followed: they could lead in circles. */
static int find(const char *directory, int depth, struct path_list *out, struct cg_error *err)
{
	DIR *dir = opendir(directory);
	int status = CG_OK;

	if (!dir)
		return cg_fail(err, CG_EIO, directory, 0, "cannot read: %s", strerror(errno));
	for (struct dirent *e; !status && (e = readdir(dir));) {
		struct stat st;
		char *path;
		if (*e->d_name == '.' || fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		if (asprintf(&path, "%s/%s", directory, e->d_name) < 0) {
			status = cg_fail_nomem(err);
			break;
		}
		if (S_ISDIR(st.st_mode) && depth < DEEPEST)
			status = find(path, depth + 1, out, err);
		else if (S_ISREG(st.st_mode) && is_last_run(e->d_name))
			status = path_list_add(out, path, err);
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
		   find(directory, 0, &found, NULL) == CG_OK && found.count;

	path_list_free(&found);
	return are;
}

static int add_base(const char *last, const char *baseline, struct path_list *base, bool *there,
		    struct cg_error *err)
{
	char *path;
	int length = baseline ? asprintf(&path, "%s.base@%s", last, baseline) :
				asprintf(&path, "%s.old", last);
	if (length < 0)
		return cg_fail_nomem(err);
	*there = access(path, F_OK) == 0;
	int status = *there ? path_list_add(base, path, err) : CG_OK;
	free(path);
	return status;
}

int results_list(const char *directory, const char *baseline, struct path_list *base,
		 struct path_list *last, size_t *alone, struct cg_error *err)
{
	struct path_list found = { 0 };
	int status = find(directory, 0, &found, err);

	*alone = 0;
	path_list_sort(&found, 0);
	for (size_t i = 0; !status && i < found.count; i++) {
		bool there = false;
		status = add_base(found.paths[i], baseline, base, &there, err);
		if (!status && there)
			status = path_list_add(last, found.paths[i], err);
		*alone += !status && !there;
	}
	path_list_free(&found);
	return status;
}
