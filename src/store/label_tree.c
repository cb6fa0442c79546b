#include "src/store/label_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/store/beneath.h"
#include "src/store/label.h"

/* ---- listing ---- */

struct label_walk {
	const char *root, *top;
	bool directories;
	struct path_list open; /* directories below `top`, "" for itself */
	struct path_list *out;
};

static bool is_directory_in(int parent, const char *name)
{
	struct stat st;
	return fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

/* "DIRECTORY/NAME" + END; the caller's. */
static int join_relative(char **path, const char *directory, const char *name, const char *end,
			 struct cg_error *err)
{
	if (asprintf(path, "%s%s%s%s", directory, *directory ? "/" : "", name, end) >= 0)
		return CG_OK;
	*path = NULL;
	return cg_fail_nomem(err);
}

static bool is_path_of_label(const char *path)
{
	char *label = label_of_path(path);
	bool is = label && label_check(label, NULL) == CG_OK;

	free(label);
	return is;
}

/* Remembers a directory that may hold files of labels: a label is short, so depth is limited. */
static int open_later(struct label_walk *w, const char *directory, const char *name,
		      struct cg_error *err)
{
	char *path, *within = NULL;
	int status = join_relative(&path, directory, name, "", err);

	if (!status)
		status = join_relative(&within, path, "x", "", err);
	if (!status && is_path_of_label(within))
		status = path_list_add(&w->open, path, err);
	free(within);
	free(path);
	return status;
}

static int add_label_at(struct label_walk *w, const char *directory, const char *name,
			struct cg_error *err)
{
	char *path, *label = NULL;
	int status = join_relative(&path, directory, name, "", err);

	if (!status) {
		path[strlen(path) - strlen(LABEL_SUFFIX)] = '\0';
		label = label_of_path(path);
	}
	if (label && label_check(label, NULL) == CG_OK)
		status = path_list_add(w->out, label, err);
	free(label);
	free(path);
	return status;
}

static int visit_name(struct label_walk *w, int parent, const char *directory, const char *name,
		      struct cg_error *err)
{
	size_t len = strlen(name), n = strlen(LABEL_SUFFIX);
	bool is_label = len > n && strcmp(name + len - n, LABEL_SUFFIX) == 0;

	if (*name == '.' || (!is_label && strstr(name, LABEL_SUFFIX)))
		return CG_OK;
	bool is_directory = is_directory_in(parent, name);
	if (is_label)
		return is_directory == w->directories ? add_label_at(w, directory, name, err)
						      : CG_OK;
	return is_directory ? open_later(w, directory, name, err) : CG_OK;
}

static int visit_directory(struct label_walk *w, const char *directory, struct cg_error *err)
{
	char *path;
	if (asprintf(&path, "%s/%s", w->top, directory) < 0)
		return cg_fail_nomem(err);
	DIR *dir = beneath_list(w->root, path);
	int status = CG_OK;

	for (struct dirent *e; !status && dir && (e = readdir(dir));)
		status = visit_name(w, dirfd(dir), directory, e->d_name, err);
	if (dir)
		closedir(dir);
	free(path);
	return status;
}

int label_tree_list(const char *root, const char *top, bool directories, struct path_list *out,
		    struct cg_error *err)
{
	struct label_walk w = { .root = root, .top = top, .directories = directories, .out = out };
	int status = path_list_add(&w.open, "", err);

	/* The list grows while it is walked. */
	for (size_t i = 0; !status && i < w.open.count; i++)
		status = visit_directory(&w, w.open.paths[i], err);
	path_list_free(&w.open);
	return status;
}

/* ---- directories of a file ---- */

/* Cuts the last part off a path below the root; false: it has no other. */
static bool cut_last(const char *root, char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash || (size_t)(slash - path) <= strlen(root))
		return false;
	*slash = '\0';
	return true;
}

int label_tree_check(const char *root, const char *path, struct cg_error *err)
{
	char *above = strdup(path);
	int status = above ? CG_OK : cg_fail_nomem(err);

	while (!status && cut_last(root, above)) {
		struct stat st;
		bool found = beneath_stat(root, above, &st) == 0;
		if (!found && errno == ELOOP)
			status = beneath_fail(above, "store a profile there", err);
		else if (found && !S_ISDIR(st.st_mode))
			status = cg_fail(err, CG_EINVAL, above, 0,
					 "not a directory; move it away, or choose another label");
		if (found)
			break;
	}
	free(above);
	return status;
}

int label_tree_make(const char *root, const char *path, struct cg_error *err)
{
	char *above = strdup(path);
	int status = above ? CG_OK : cg_fail_nomem(err);

	if (!status && cut_last(root, above))
		status = beneath_make_directories(root, above, err);
	free(above);
	return status;
}

void label_tree_prune(const char *root, const char *top, const char *path)
{
	char *above = strdup(path);

	while (above && cut_last(root, above) && strlen(above) > strlen(top) &&
	       beneath_rmdir(root, above) == 0)
		;
	free(above);
}
