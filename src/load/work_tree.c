#include "src/load/work_tree.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* In a directory that others may write to, as /tmp, somebody else's .git makes no work tree of
 * ours. */
static bool has_git(const char *directory, uid_t owner)
{
	struct stat st;
	char *path;

	if (asprintf(&path, "%s/.git", directory) < 0)
		return false;
	bool has = lstat(path, &st) == 0 && (st.st_uid == geteuid() || st.st_uid == owner);
	free(path);
	return has;
}

/* Shortens `path` to the directory above it that is a work tree; false: none is. */
static bool cut_to_work_tree(char *path)
{
	struct stat st;
	uid_t owner = stat(path, &st) == 0 ? st.st_uid : geteuid();

	while (*path && !has_git(path, owner))
		*strrchr(path, '/') = '\0';
	return *path != '\0';
}

int work_tree_find(const char *root, char **out, struct cg_error *err)
{
	char *real = realpath(root, NULL), *above = real ? strdup(real) : NULL;

	if (real && !above) {
		free(real);
		return cg_fail_nomem(err);
	}
	if (above && strcmp(real, "/") != 0 && cut_to_work_tree(above)) {
		free(real);
		real = above;
		above = NULL;
	}
	free(above);
	if (real && strcmp(real, "/") == 0) {
		free(real);
		real = NULL;
	}
	*out = real;
	return CG_OK;
}
