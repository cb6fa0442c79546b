#include "src/store/kept.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "src/store/beneath.h"
#include "src/store/cache.h"
#include "src/store/profiles.h"

#define KEPT_TEXT_MAX ((size_t)64 << 20)

bool kept_is_name(const char *name)
{
	return strspn(name, "0123456789abcdef") == CACHE_KEY_DIGITS && !name[CACHE_KEY_DIGITS];
}

/* Where the set is, or the directory of all sets without a key. */
static char *kept_path(const char *root, const char *key)
{
	char name[sizeof KEPT + 1 + CACHE_KEY_DIGITS];

	snprintf(name, sizeof name, KEPT "%s%.*s", key ? "/" : "", CACHE_KEY_DIGITS,
		 key ? key : "");
	return cache_path(root, name);
}

/* A set is named after the beginning of a digest; the digested text decides. */
static bool is_set_of(const char *root, const char *set, const char *text)
{
	char *path, *found = NULL;
	struct stat st;
	struct timespec now;
	size_t size;

	if (asprintf(&path, "%s/" CACHE_KEY_FILE, set) < 0)
		return false;
	/* Files have the exact time of the kernel, and time() may still return an earlier one. */
	clock_gettime(CLOCK_REALTIME, &now);
	bool same = beneath_stat(root, path, &st) == 0 && st.st_mtime <= now.tv_sec &&
		    beneath_read(root, path, KEPT_TEXT_MAX, &found, &size, NULL) == CG_OK &&
		    strcmp(found, text) == 0;
	free(found);
	free(path);
	return same;
}

int kept_take(const char *root, const char *key, const char *text, const char *to, bool *taken,
	      struct cg_error *err)
{
	char *path = kept_path(root, key);
	int status = path ? CG_OK : cg_fail_nomem(err);

	*taken = false;
	if (!status && beneath_rename(root, path, to) == 0) {
		*taken = is_set_of(root, to, text);
		if (!*taken)
			status = beneath_remove(root, to, err);
	} else if (!status && errno != ENOENT) {
		status = beneath_fail(path, "use what is kept of builds", err);
	}
	free(path);
	return status;
}

static int write_set_key(const char *root, const char *set, const char *text, struct cg_error *err)
{
	char *path;
	struct new_file *file;
	FILE *to;

	if (asprintf(&path, "%s/" CACHE_KEY_FILE, set) < 0)
		return cg_fail_nomem(err);
	int status = beneath_new_file(root, path, &file, &to, err);
	if (!status) {
		fputs(text, to);
		status = new_file_commit(file, err);
	}
	free(path);
	return status;
}

/* The list begins with the set used last. */
static int remove_oldest(const char *root, struct cg_error *err)
{
	struct cache_list list = { 0 };
	size_t sets = 0;
	int status = cache_list(root, &list, err);

	for (size_t i = 0; !status && i < list.count; i++)
		if (strncmp(list.items[i].name, KEPT "/", sizeof KEPT) == 0 &&
		    ++sets > KEPT_SETS_MAX)
			status = cache_remove(root, list.items[i].name, err);
	cache_list_free(&list);
	return status;
}

int kept_put(const char *root, const char *key, const char *text, const char *from,
	     struct cg_error *err)
{
	char *parent = kept_path(root, NULL), *path = kept_path(root, key);
	int status = parent && path ? beneath_make_directories(root, parent, err)
				    : cg_fail_nomem(err);

	if (!status)
		status = write_set_key(root, from, text, err);
	if (!status && beneath_replace(root, from, path) != 0)
		status = beneath_fail(path, "keep what was built", err);
	free(parent);
	free(path);
	return status ? status : remove_oldest(root, err);
}
