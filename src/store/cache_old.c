#include "src/store/cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/store/beneath.h"

/* The version of an entry's rules, from "key: 2"; 0: it is not known. */
static unsigned long version_of(const char *root, const char *name)
{
	static const char begin[] = "key: ";
	char *directory = cache_path(root, name), *path = NULL, line[40] = "";

	if (directory && asprintf(&path, "%s/" CACHE_KEY_FILE, directory) < 0)
		path = NULL;
	free(directory);
	int fd = path ? beneath_open(root, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0) : -1;
	free(path);
	ssize_t n = fd < 0 ? 0 : read(fd, line, sizeof line - 1);
	if (fd >= 0)
		close(fd);
	return n > 0 && strncmp(line, begin, sizeof begin - 1) == 0
		       ? strtoul(line + sizeof begin - 1, NULL, 10)
		       : 0;
}

int cache_remove_old(const char *root, size_t *removed, struct cg_error *err)
{
	struct cache_list list = { 0 };
	int status = cache_list(root, &list, err);

	*removed = 0;
	for (size_t i = 0; !status && i < list.count; i++) {
		unsigned long version = version_of(root, list.items[i].name);
		if (!version || version >= CACHE_KEY_VERSION)
			continue;
		status = cache_remove(root, list.items[i].name, err);
		*removed += !status;
	}
	cache_list_free(&list);
	return status;
}
