#include "src/init/project_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "callgrind/support/beneath.h"
#include "callgrind/support/grow.h"
#include "src/init/build_file.h"

/* Directories of results, and of the code of others; a dash stands for itself and all that follows
 * it. */
static bool is_foreign_directory(const char *name)
{
	static const char *const names[] = {
		"_build",     "build",         "build-",       "builddir",   "cmake-build-",
		"CMakeFiles", "dist",          "node_modules", "out",        "target",
		"3rdparty",   "extern",        "external",     "submodules", "subprojects",
		"thirdparty", "third-party",   "third_party",  "vendor",     "debian",
		"fixtures",   "site-packages", "testdata",     "venv",       "virtualenv",
		"profiles",   "__pycache__",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t len = strlen(names[i]);
		bool begins = names[i][len - 1] == '-' && strlen(name) > len;
		if (begins ? strncmp(name, names[i], len) == 0 : strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

static bool is_harmless_name(const char *name)
{
	return *name != '.' && *name != '-' && name[strspn(name, NAME_SIGNS)] == '\0';
}

static int is_wanted(const struct dirent *entry)
{
	return is_harmless_name(entry->d_name);
}

/* Directories that are still to be read, with their depths. */
struct project_listing {
	struct project_files *files;
	char **directories; /* "" or "src/" */
	unsigned *depths;
	size_t count, cap, depths_cap;
};

static int add_listed_path(char ***paths, size_t *cap, size_t *count, char *path)
{
	if (cg_grow(paths, cap, *count + 1, sizeof **paths)) {
		free(path);
		return CG_ENOMEM;
	}
	(*paths)[(*count)++] = path;
	return CG_OK;
}

static int add_directory(struct project_listing *l, char *path, unsigned depth)
{
	if (cg_grow(&l->depths, &l->depths_cap, l->count + 1, sizeof *l->depths)) {
		free(path);
		return CG_ENOMEM;
	}
	l->depths[l->count] = depth;
	return add_listed_path(&l->directories, &l->cap, &l->count, path);
}

static int add_entry(struct project_listing *l, int fd, const char *directory, unsigned depth,
		     const char *name)
{
	struct stat st;
	char *path;

	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
	    strlen(directory) + strlen(name) + 2 > BUILD_PATH_MAX)
		return CG_OK;
	bool is_directory = S_ISDIR(st.st_mode);
	if (!is_directory && !S_ISREG(st.st_mode))
		return CG_OK;
	if (is_directory && (depth == PROJECT_DEPTH_MAX || is_foreign_directory(name)))
		return CG_OK;
	if (l->count == PROJECT_DIRECTORIES_MAX || l->files->count == PROJECT_FILES_MAX) {
		l->files->cut = true;
		return CG_OK;
	}
	if (asprintf(&path, "%s%s%s", directory, name, is_directory ? "/" : "") < 0)
		return CG_ENOMEM;
	return is_directory
		       ? add_directory(l, path, depth + 1)
		       : add_listed_path(&l->files->paths, &l->files->cap, &l->files->count, path);
}

static int list_directory(struct project_listing *l, int top, const char *directory, unsigned depth)
{
	struct dirent **entries = NULL;
	int status = CG_OK;
	int fd = cg_beneath_open(top, *directory ? directory : ".",
				 O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
	int n = fd < 0 ? 0 : scandirat(fd, ".", &entries, is_wanted, alphasort);

	for (int i = 0; i < n; i++) {
		if (!status)
			status = add_entry(l, fd, directory, depth, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	if (fd >= 0)
		close(fd);
	return status;
}

int project_files_list(const char *dir, struct project_files *out, struct cg_error *err)
{
	struct project_listing l = { .files = out };
	char *first = strdup("");

	*out = (struct project_files){ 0 };
	int top = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int status = !first ? CG_ENOMEM : add_directory(&l, first, 0);
	/* The list grows while this goes through it. */
	for (size_t i = 0; !status && top >= 0 && i < l.count; i++)
		status = list_directory(&l, top, l.directories[i], l.depths[i]);
	for (size_t i = 0; i < l.count; i++)
		free(l.directories[i]);
	free(l.directories);
	free(l.depths);
	if (top >= 0)
		close(top);
	if (!status)
		return CG_OK;
	project_files_free(out);
	return cg_fail_nomem(err);
}

void project_files_free(struct project_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->paths[i]);
	free(files->paths);
	*files = (struct project_files){ 0 };
}

const char *project_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

bool project_file_ends(const char *path, const char *end)
{
	const char *name = project_file_name(path);
	size_t len = strlen(name), n = strlen(end);

	return len > n && strcmp(name + len - n, end) == 0;
}

bool project_file_directory(const char *path, char *directory, size_t size)
{
	size_t len = (size_t)(project_file_name(path) - path);

	if (len >= size)
		return false;
	memcpy(directory, path, len);
	directory[len] = '\0';
	return true;
}
