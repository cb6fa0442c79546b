#include "src/store/near_file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/store/profiles.h"
#include "src/text/suggest.h"

enum { MOST_FILES = 10000 };

static int list_near_files(const char *directory, struct path_list *out)
{
	DIR *dir = opendir(directory);
	const struct dirent *entry;
	int status = dir ? CG_OK : CG_EIO;

	while (!status && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || entry->d_type == DT_DIR)
			continue;
		status = out->count < MOST_FILES ? path_list_add(out, entry->d_name, NULL)
						 : CG_ERANGE;
	}
	if (dir)
		closedir(dir);
	path_list_sort(out, 0);
	return status;
}

char *near_file(const char *path)
{
	const char *slash = strrchr(path, '/');
	const size_t before = slash ? (size_t)(slash - path) + 1 : 0; /* of the name */
	char *directory = before ? strndup(path, before) : strdup(".");
	struct path_list files = { 0 };
	char *near = NULL;

	const char *name = directory && list_near_files(directory, &files) == CG_OK
				   ? suggest(path + before, (const char *const *)files.paths,
					     files.count)
				   : NULL;
	if (name && asprintf(&near, "%.*s%s", (int)before, path, name) < 0)
		near = NULL;
	path_list_free(&files);
	free(directory);
	return near;
}
