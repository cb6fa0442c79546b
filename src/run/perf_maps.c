#include "src/run/perf_maps.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgprofile/names.h"
#include "src/guest/guest.h"
#include "src/run/strings.h"

#define SHARED "/tmp" /* where programs write their maps */

/* ---- files ---- */

static bool names_perf_map(const char *name)
{
	const char *rest = text_after(name, COLLECT_MAP_PREFIX);

	return rest && isdigit((unsigned char)*rest) &&
	       !strcmp(rest + strspn(rest, "0123456789"), ".map");
}

void perf_maps_discard(const char *directory)
{
	DIR *dir = opendir(directory);

	for (struct dirent *entry; dir && (entry = readdir(dir));)
		if (names_perf_map(entry->d_name))
			unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
}

static bool is_since(const struct stat *st, const struct timespec *since)
{
	return st->st_mtim.tv_sec != since->tv_sec ? st->st_mtim.tv_sec > since->tv_sec
						   : st->st_mtim.tv_nsec >= since->tv_nsec;
}

/* Another user may have put something of this name there before. */
static int open_own(const char *path, const struct timespec *since)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() && st.st_nlink == 1 &&
	    is_since(&st, since))
		return fd;
	close(fd);
	return -1;
}

static void copy_open_file(int from, const char *path)
{
	char buffer[1 << 16];
	ssize_t n;
	int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);

	while (to >= 0 && (n = read(from, buffer, sizeof buffer)) > 0)
		if (write(to, buffer, (size_t)n) != n)
			break;
	if (to >= 0)
		close(to);
}

/* A map that cannot be moved is one that was not written: functions stay without names. */
static void fetch(const char *directory, pid_t pid, pid_t as, const struct timespec *since)
{
	char from[64], *to;

	snprintf(from, sizeof from, SHARED "/" COLLECT_MAP_PREFIX "%d.map", (int)pid);
	int fd = open_own(from, since);
	if (fd < 0)
		return;
	if (asprintf(&to, "%s/" COLLECT_MAP_PREFIX "%d.map", directory, (int)as) >= 0) {
		copy_open_file(fd, to);
		free(to);
	}
	close(fd);
	unlink(from);
}

void perf_maps_fetch(const char *directory, const struct collection *collection,
		     const struct timespec *since)
{
	for (size_t i = 0; i < collection->nlogs; i++)
		fetch(directory, collection->logs[i].pid, collection->logs[i].pid, since);
	/* The first process may be told this pid instead of its own (freeze/pid.c). */
	if (collection->nlogs)
		fetch(directory, GUEST_FIRST, collection->logs[0].pid, since);
}

/* ---- whose they are ---- */

static int find_map(const char *directory, pid_t pid, char **map, struct cg_error *err)
{
	struct stat st;
	char *path;

	if (asprintf(&path, "%s/" COLLECT_MAP_PREFIX "%d.map", directory, (int)pid) < 0)
		return cg_fail_nomem(err);
	if (!lstat(path, &st) && S_ISREG(st.st_mode))
		*map = path;
	else
		free(path);
	return CG_OK;
}

static int assign(const char *directory, const struct collection *c, struct run_profile *profile,
		  struct cg_error *err)
{
	pid_t pid = profile->pid;
	const struct valgrind_log *log = collection_log(c, pid);
	int status = find_map(directory, pid, &profile->map, err);

	/* A chain of parents cannot be longer than there are logs. */
	for (size_t i = 0; !status && !profile->map && i < c->nlogs; i++) {
		if (!log || log->nobjects)
			break;
		log = collection_log(c, log->parent);
		if (log)
			status = find_map(directory, log->pid, &profile->map, err);
	}
	return status;
}

int perf_maps_assign(const char *directory, struct collection *collection, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < collection->nprofiles; i++)
		status = assign(directory, collection, &collection->profiles[i], err);
	return status;
}

/* ---- what they say ---- */

/* NULL if it cannot be read; *size becomes its size. */
static char *read_map(const char *path, size_t *size)
{
	const off_t most = 1 << 28;
	struct stat st;
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool fits = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= most;
	char *text = fits ? malloc((size_t)st.st_size + 1) : NULL;
	ssize_t n;

	*size = 0;
	while (text && *size < (size_t)st.st_size &&
	       (n = read(fd, text + *size, (size_t)st.st_size - *size)) > 0)
		*size += (size_t)n;
	if (fd >= 0)
		close(fd);
	return text;
}

static int add_map(struct perf_maps *maps, const struct run_profile *profile,
		   const struct run_profile *before)
{
	struct cg_perf_map *map = NULL;
	size_t size;

	if (!profile->map)
		return CG_OK;
	const struct cg_file_map *last = maps->count ? &maps->items[maps->count - 1] : NULL;
	if (before && before->map && !strcmp(before->map, profile->map)) {
		map = last && last->file == before->path ? last->map : NULL;
	} else {
		char *text = read_map(profile->map, &size);
		int status = text ? cg_perf_map_parse(text, size, &map) : CG_OK;
		free(text);
		if (status)
			return status;
	}
	if (map)
		maps->items[maps->count++] = (struct cg_file_map){ profile->path, map };
	return CG_OK;
}

int perf_maps_read(const struct run_result *result, const size_t *which, size_t count,
		   struct perf_maps *out)
{
	struct perf_maps maps = { calloc(count + 1, sizeof *maps.items), 0 };
	int status = maps.items ? CG_OK : CG_ENOMEM;

	for (size_t i = 0; !status && i < count; i++)
		status = add_map(&maps, &result->profiles[which[i]],
				 i ? &result->profiles[which[i - 1]] : NULL);
	if (status)
		perf_maps_free(&maps);
	else
		*out = maps;
	return status;
}

void perf_maps_free(struct perf_maps *maps)
{
	for (size_t i = 0; i < maps->count; i++)
		if (i == 0 || maps->items[i].map != maps->items[i - 1].map)
			cg_perf_map_free(maps->items[i].map);
	free(maps->items);
	*maps = (struct perf_maps){ 0 };
}

/* ---- interpreters ---- */

/* "python3.12" and later; not "python3.11". */
static bool has_trampolines(const char *name)
{
	enum { FIRST = 12 };
	const char *minor = text_after(name, "python3.");

	return minor && isdigit((unsigned char)*minor) && strtoul(minor, NULL, 10) >= FIRST;
}

bool perf_maps_can_ask(const char *image)
{
	char *real = realpath(image, NULL);
	bool can = real && has_trampolines(cg_base_name(real));

	free(real);
	return can;
}

int perf_maps_ask(const char *image, struct environment *environment, struct cg_error *err)
{
	return perf_maps_can_ask(image) && !environment_get(environment, "PYTHONPERFSUPPORT")
		       ? environment_set(environment, "PYTHONPERFSUPPORT", "1", err)
		       : CG_OK;
}

bool perf_maps_may_ask(const char *set)
{
	return !set || !strcmp(set, "1");
}

bool perf_maps_are_asked(const char *image, const struct environment *environment)
{
	const char *value = environment_get(environment, "PYTHONPERFSUPPORT");

	return value && perf_maps_may_ask(value) && perf_maps_can_ask(image);
}
