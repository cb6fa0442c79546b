/* Entries of commits at which a run would be the same as that of another entry. */
#include "src/store/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/store/beneath.h"
#include "src/store/files.h"

enum { KEY_MAX = 1 << 20 };

/* Files of entries are never changed, so two entries may have them in common. */
static int link_entry_file(const char *root, const char *from, const char *to, const char *name,
			   struct cg_error *err)
{
	char *old = NULL, *new = NULL;
	int status = CG_OK;

	if (asprintf(&old, "%s/%s", from, name) < 0 || asprintf(&new, "%s/%s", to, name) < 0)
		status = cg_fail_nomem(err);
	else if (beneath_is_there(root, old) && beneath_link(root, old, new) != 0)
		status = beneath_copy(root, old, new, err);
	free(old);
	free(new);
	return status;
}

static int link_entry_files(const char *root, const char *from, const char *to,
			    struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < PROFILE_FILES; i++)
		if (strcmp(profile_file_names[i], USED_FILES_FILE) != 0)
			status = link_entry_file(root, from, to, profile_file_names[i], err);
	return status;
}

/* One that shares the run of a third says that. */
static int write_same_run(const char *work, const char *of, struct cg_error *err)
{
	struct profile_paths files;
	struct new_file *file;
	FILE *to;
	int status = work_paths_of(work, &files, err);

	if (status)
		return status;
	if (access(files.same_run, F_OK) != 0 &&
	    !(status = new_file_begin(files.same_run, &file, &to, err))) {
		new_file_leave_unsynced(file);
		fprintf(to, "%s\n", of);
		status = new_file_commit(file, err);
	}
	profile_paths_free(&files);
	return status;
}

int cache_publish_same_run(const char *root, const char *name, const char *work, const char *key,
			   const char *of, struct cg_error *err)
{
	char *from = cache_path(root, of);
	int status = from ? link_entry_files(root, from, work, err) : cg_fail_nomem(err);

	if (!status)
		status = write_same_run(work, of, err);
	if (!status)
		status = cache_complete(work, key, err);
	if (!status)
		status = link_entry_file(root, from, work, CACHE_FETCHED_FILE, err);
	if (!status)
		status = link_entry_file(root, from, work, CACHE_COUNTED_BEFORE_FILE, err);
	free(from);
	if (!status)
		status = sync_directory(work, err);
	return status ? status : cache_put(root, name, work, err);
}

bool cache_is_same_run(const char *root, const char *name)
{
	char *directory = cache_path(root, name), *path = NULL;
	const bool is = directory &&
			asprintf(&path, "%s/%s", directory, CACHE_SAME_RUN_FILE) >= 0 &&
			beneath_is_there(root, path);

	free(path);
	free(directory);
	return is;
}

static int read_key_in(const char *root, const char *directory, char **text, struct cg_error *err)
{
	char *path;
	size_t size;

	if (asprintf(&path, "%s/" CACHE_KEY_FILE, directory) < 0)
		return cg_fail_nomem(err);
	int status = beneath_read(root, path, KEY_MAX, text, &size, err);
	free(path);
	return status;
}

int cache_read_key(const char *root, const char *name, char **text, struct cg_error *err)
{
	char *directory = cache_path(root, name);
	int status = directory ? read_key_in(root, directory, text, err) : cg_fail_nomem(err);

	free(directory);
	return status;
}

char *cache_commit_of_key(const char *root, const char *directory)
{
	static const char line[] = "\ncommit: ";
	char *text = NULL, *commit = NULL;

	if (!read_key_in(root, directory, &text, NULL)) {
		const char *at = strstr(text, line);
		at = at ? at + sizeof line - 1 : "";
		commit = *at ? strndup(at, strcspn(at, "\n")) : NULL;
	}
	free(text);
	return commit;
}

char *cache_commit_of_same_run(const char *root, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *directory = strndup(path, slash ? (size_t)(slash - path) : 0), *mark = NULL,
	     *commit = NULL;

	if (directory && asprintf(&mark, "%s/" CACHE_SAME_RUN_FILE, directory) >= 0 &&
	    beneath_is_there(root, mark))
		commit = cache_commit_of_key(root, directory);
	free(mark);
	free(directory);
	return commit;
}

bool cache_is_of_changes(const char *path)
{
	const char *end = strrchr(path, '/'), *dash = end;

	while (dash && dash > path && dash[-1] != '/' && *dash != '-')
		dash--;
	return dash && *dash == '-' && dash > path && dash[-1] == '+';
}
