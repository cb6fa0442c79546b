/* What the cache holds, the last used first, and how much room it takes. */
#include "src/store/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "callgrind/support/grow.h"
#include "src/store/beneath.h"
#include "src/store/kept.h"
#include "src/store/profiles.h"

/* Of a set, which has directories. */
static uint64_t kept_set_bytes(const char *root, const char *where, const char *name)
{
	char *parent = cache_path(root, where), *path = NULL;
	uint64_t bytes = 0;

	if (parent && asprintf(&path, "%s/%s", parent, name) >= 0) {
		bytes = directory_bytes(path);
		free(path);
	}
	free(parent);
	return bytes;
}

static uint64_t entry_size(int parent, const char *name)
{
	struct stat st;
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	uint64_t bytes = 0;

	if (!dir)
		return fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) ? 0 : (uint64_t)st.st_size;
	for (struct dirent *e; (e = readdir(dir));)
		if (fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
			bytes += (uint64_t)st.st_size;
	closedir(dir);
	return bytes;
}

static int add_listed_entry(struct cache_list *list, int parent, const char *prefix,
			    const char *name, uint64_t bytes, struct cg_error *err)
{
	struct stat st;
	struct cache_entry entry = { .bytes = bytes };

	if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW))
		return CG_OK;
	entry.used = st.st_mtime;
	if (asprintf(&entry.name, "%s%s", prefix, name) < 0)
		return cg_fail_nomem(err);
	if (cg_grow(&list->items, &list->cap, list->count + 1, sizeof *list->items)) {
		free(entry.name);
		return cg_fail_nomem(err);
	}
	list->items[list->count++] = entry;
	return CG_OK;
}

/* "0123456789ab.log" */
static bool is_failure_log(const char *name)
{
	return strspn(name, "0123456789abcdef") == CACHE_KEY_DIGITS &&
	       strcmp(name + CACHE_KEY_DIGITS, ".log") == 0;
}

/* The directories of a cache, and what is an entry in each. */
static const struct cache_place {
	const char *name, *prefix;
	bool (*has)(const char *name);
	bool deep; /* entries have directories */
} cache_places[] = {
	{ NULL, "", cache_is_name, false },
	{ CACHE_FAILED, CACHE_FAILED "/", is_failure_log, false },
	{ KEPT, KEPT "/", kept_is_name, true },
};

static int add_listed_entries(struct cache_list *list, const char *root,
			      const struct cache_place *place, struct cg_error *err)
{
	char *path = cache_path(root, place->name);
	if (!path)
		return cg_fail_nomem(err);
	DIR *dir = beneath_list(root, path);
	free(path);
	int status = CG_OK;
	for (struct dirent *e; !status && dir && (e = readdir(dir));) {
		if (!place->has(e->d_name))
			continue;
		uint64_t bytes = place->deep ? kept_set_bytes(root, place->name, e->d_name)
					     : entry_size(dirfd(dir), e->d_name);
		status = add_listed_entry(list, dirfd(dir), place->prefix, e->d_name, bytes, err);
	}
	if (dir)
		closedir(dir);
	return status;
}

static int compare_last_used(const void *left, const void *right)
{
	const struct cache_entry *a = left, *b = right;
	if (a->used != b->used)
		return (a->used < b->used) - (a->used > b->used);
	return strcmp(a->name, b->name);
}

int cache_list(const char *root, struct cache_list *out, struct cg_error *err)
{
	int status = cache_check_places(root, err);
	for (size_t i = 0; !status && i < sizeof cache_places / sizeof *cache_places; i++)
		status = add_listed_entries(out, root, &cache_places[i], err);
	if (out->count)
		qsort(out->items, out->count, sizeof *out->items, compare_last_used);
	return status;
}

void cache_list_free(struct cache_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].name);
	free(list->items);
	*list = (struct cache_list){ 0 };
}

/* ---- those of a benchmark ---- */

struct used_name {
	char *name; /* of a list */
	struct timespec used;
};

static int compare_used_names(const void *left, const void *right)
{
	const struct used_name *a = left, *b = right;
	int order = (a->used.tv_sec < b->used.tv_sec) - (a->used.tv_sec > b->used.tv_sec);

	if (!order)
		order = (a->used.tv_nsec < b->used.tv_nsec) - (a->used.tv_nsec > b->used.tv_nsec);
	return order ? order : strcmp(a->name, b->name);
}

static bool is_entry_of(const char *name, const char *benchmark)
{
	char *of = cache_benchmark(name);
	const bool is = of && strcmp(of, benchmark) == 0;

	free(of);
	return is;
}

int cache_names_by_use(const char *root, const char *benchmark, struct path_list *names,
		       struct cg_error *err)
{
	struct path_list all = { 0 };
	int status = cache_names_read(root, &all, err);
	struct used_name *used = calloc(all.count + 1, sizeof *used);
	size_t count = 0;

	if (!status && !used)
		status = cg_fail_nomem(err);
	for (size_t i = 0; !status && i < all.count; i++) {
		struct stat st;
		char *path;
		if (!is_entry_of(all.paths[i], benchmark))
			continue;
		path = cache_path(root, all.paths[i]);
		if (path && beneath_stat(root, path, &st) == 0)
			used[count++] = (struct used_name){ all.paths[i], st.st_mtim };
		free(path);
	}
	if (count)
		qsort(used, count, sizeof *used, compare_used_names);
	for (size_t i = 0; !status && i < count; i++)
		status = path_list_add(names, used[i].name, err);
	if (status)
		path_list_free(names);
	free(used);
	path_list_free(&all);
	return status;
}
