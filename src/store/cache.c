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
#include "src/store/label.h"
#include "src/store/meta.h"
#include "src/store/profiles.h"
#include "src/store/publish.h"
#include "src/store/sums.h"

#define CACHE ".irdiff/cache"
#define FAILED "failed"
#define TEXT_MAX ((size_t)64 << 20) /* of a text that irdiff keeps in the cache */
#define FETCHED_FILE "fetched"

char *cache_path(const char *root, const char *name)
{
	char *path;
	return asprintf(&path, "%s/" CACHE "%s%s", root, name ? "/" : "", name ? name : "") < 0
		       ? NULL
		       : path;
}

/* Checks that the cache and the directories in it are directories, inside the project. */
static int check_places(const char *root, struct cg_error *err)
{
	static const char *const places[] = { NULL, FAILED, KEPT };
	int status = CG_OK;

	for (size_t i = 0; !status && i < sizeof places / sizeof *places; i++) {
		struct stat st;
		char *path = cache_path(root, places[i]);
		if (!path)
			return cg_fail_nomem(err);
		if (beneath_stat(root, path, &st) == 0)
			status = S_ISDIR(st.st_mode) ? CG_OK
						     : cg_fail(err, CG_EINVAL, path, 0,
							       "not a directory; remove it");
		else if (errno == ELOOP)
			status = beneath_fail(path, "use the cache", err);
		free(path);
	}
	return status;
}

int cache_prepare(const char *root, struct cg_error *err)
{
	char *path = cache_path(root, FAILED);
	if (!path)
		return cg_fail_nomem(err);
	int status = store_prepare_data(root, err);
	if (!status)
		status = check_places(root, err);
	if (!status)
		status = beneath_make_directories(root, path, err);
	free(path);
	return status;
}

enum { COMMIT_DIGITS = 10 };

char *cache_name(const char *benchmark, const char *commit, bool changed, const char *key)
{
	char *name, *file = label_file(benchmark);
	if (!file || asprintf(&name, "%s@%.*s%s-%.*s", file, COMMIT_DIGITS, commit,
			      changed ? "+" : "", CACHE_KEY_DIGITS, key) < 0)
		name = NULL;
	free(file);
	return name;
}

char *cache_name_of_case(const char *name, const char *label)
{
	const char *at = strrchr(name, '@');
	char *made, *file = label ? label_file(label) : NULL;

	if (!file || asprintf(&made, "%s%s", file, at) < 0)
		made = NULL;
	free(file);
	return made;
}

char *cache_benchmark(const char *name)
{
	const char *at = strrchr(name, '@');
	char *file = strndup(name, at ? (size_t)(at - name) : strlen(name));
	char *label = file ? label_of_file(file) : NULL;

	free(file);
	return label;
}

int64_t cache_measured(const char *root, const char *name)
{
	char *directory = cache_path(root, name), *path;
	struct stat st;
	int64_t seconds = 0;

	if (!directory || asprintf(&path, "%s/meta.json", directory) < 0) {
		free(directory);
		return 0;
	}
	if (!meta_measured(root, path, &seconds) && beneath_stat(root, directory, &st) == 0)
		seconds = (int64_t)st.st_mtime;
	free(path);
	free(directory);
	return seconds;
}

/* Finds the parts of "BENCH@COMMIT-KEY"; false: it is not the name of an entry. */
static bool take_apart(const char *name, const char **commit, const char **key)
{
	const char *at = strrchr(name, '@'), *dash = strrchr(name, '-');
	if (!at || at == name || !dash || dash < at || strlen(dash + 1) != CACHE_KEY_DIGITS)
		return false;
	*commit = at + 1;
	*key = dash + 1;
	return true;
}

bool cache_is_of_commit(const char *name)
{
	static const char digits[] = "0123456789abcdef";
	char benchmark[LABEL_MAX + 1];
	const char *commit, *key;

	if (!take_apart(name, &commit, &key) || strspn(commit, digits) != COMMIT_DIGITS ||
	    commit + COMMIT_DIGITS + 1 != key || strspn(key, digits) != CACHE_KEY_DIGITS)
		return false;
	size_t len = (size_t)(commit - 1 - name);
	if (len > LABEL_MAX)
		return false;
	memcpy(benchmark, name, len);
	benchmark[len] = '\0';
	char *label = label_of_file(benchmark), *file = label ? label_file(label) : NULL;
	bool is_file = file && strcmp(file, benchmark) == 0 && label_check(label, NULL) == CG_OK;
	free(label);
	free(file);
	return is_file;
}

/* ---- looking for entries -------------------------------------------------- */

struct entry_search {
	const char *root;
	const char *benchmark; /* as in names of entries, not NUL-terminated */
	size_t benchmark_len;
	const char *commit, *key; /* either may be NULL */
	char *found;
	struct timespec used;
};

static bool is_used_later(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

static bool fits(const struct entry_search *s, const char *name)
{
	const char *commit, *key;
	if (!take_apart(name, &commit, &key) || (size_t)(commit - 1 - name) != s->benchmark_len ||
	    strncmp(name, s->benchmark, s->benchmark_len) != 0)
		return false;
	if (s->key && strncmp(key, s->key, CACHE_KEY_DIGITS) != 0)
		return false;
	if (!s->commit)
		return true;
	/* An entry of a work tree with changes, which has a + after the commit, does not match the
	 * commit. */
	size_t len = strlen(s->commit);
	bool changed = key[-2] == '+';
	return strncmp(commit, s->commit, len) == 0 && (strchr(s->commit, '+') != NULL || !changed);
}

static bool has_all_files(int directory, const char *const *files)
{
	struct stat st;

	for (; *files; files++)
		if (fstatat(directory, *files, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
		    !S_ISREG(st.st_mode) || faccessat(directory, *files, R_OK, 0) != 0)
			return false;
	return true;
}

/* Whether a profile, or a list of cases, is complete: a full disk may have interrupted it, or a
 * user removed a part. */
static bool is_whole_entry(int parent, const char *name, bool with_cases)
{
	static const char *const profile[] = { "profile.callgrind",
					       "lines.callgrind.zst",
					       "contexts.callgrind.zst",
					       "meta.json",
					       CACHE_KEY_FILE,
					       SUMS_FILE,
					       NULL };
	static const char *const cases[] = { CACHE_CASES_FILE, CACHE_KEY_FILE, SUMS_FILE, NULL };
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool whole = fd >= 0 &&
		     (has_all_files(fd, profile) || (with_cases && has_all_files(fd, cases)));

	if (fd >= 0)
		close(fd);
	return whole;
}

static int search_entries(struct entry_search *s, struct cg_error *err)
{
	char *parent = cache_path(s->root, NULL);
	if (!parent)
		return cg_fail_nomem(err);
	DIR *dir = beneath_list(s->root, parent);
	free(parent);
	int status = CG_OK;
	for (struct dirent *e; !status && dir && (e = readdir(dir));) {
		struct stat st;
		if (!fits(s, e->d_name) ||
		    fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
		    (s->found && !is_used_later(&st.st_mtim, &s->used)) ||
		    !is_whole_entry(dirfd(dir), e->d_name, s->key != NULL))
			continue;
		free(s->found);
		s->found = strdup(e->d_name);
		s->used = st.st_mtim;
		status = s->found ? CG_OK : cg_fail_nomem(err);
	}
	if (dir)
		closedir(dir);
	return status;
}

/* An entry is named after the beginning of a digest; the digested text decides. */
static bool has_key(const char *root, const char *path, const char *text)
{
	char *file, *found = NULL;
	size_t size;
	if (asprintf(&file, "%s/" CACHE_KEY_FILE, path) < 0)
		return false;
	bool same = beneath_read(root, file, TEXT_MAX, &found, &size, NULL) == CG_OK &&
		    strcmp(found, text) == 0;
	free(file);
	free(found);
	return same;
}

int cache_find(const char *root, const char *benchmark, const char *key, const char *text,
	       char **name, struct cg_error *err)
{
	char *file = label_file(benchmark);
	if (!file)
		return cg_fail_nomem(err);
	struct entry_search s = {
		.root = root, .benchmark = file, .benchmark_len = strlen(file), .key = key
	};
	int status = search_entries(&s, err);
	free(file);
	if (status)
		return status;
	char *path = s.found ? cache_path(root, s.found) : NULL;
	if (path && has_key(root, path, text)) {
		utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
	} else {
		free(s.found);
		s.found = NULL;
	}
	free(path);
	*name = s.found;
	return CG_OK;
}

struct meta_run cache_last_run(const char *root, const char *benchmark)
{
	char *file = label_file(benchmark), *path;
	struct profile_paths of_label;
	struct meta_run run = META_RUN_UNKNOWN;
	bool known = false;
	if (!file)
		return run;
	struct entry_search s = { .root = root, .benchmark = file, .benchmark_len = strlen(file) };

	if (!search_entries(&s, NULL) && s.found &&
	    asprintf(&path, "%s/" CACHE "/%s/meta.json", root, s.found) >= 0) {
		known = meta_read_run(root, path, &run);
		free(path);
	}
	free(s.found);
	free(file);
	if (!known && profile_paths_of(root, benchmark, &of_label, NULL) == CG_OK) {
		meta_read_run(root, of_label.meta, &run);
		profile_paths_free(&of_label);
	}
	return run;
}

bool cache_is_name(const char *operand)
{
	const char *commit, *key;
	return take_apart(operand, &commit, &key) &&
	       strspn(key, "0123456789abcdef") == CACHE_KEY_DIGITS;
}

static int find_entry_path(const char *root, const char *name, char **path, struct cg_error *err)
{
	char *found = cache_path(root, name);
	if (!found)
		return cg_fail_nomem(err);
	if (beneath_is_there(root, found)) {
		*path = found;
	} else {
		free(found);
	}
	return CG_OK;
}

static int find_brief(const char *root, const char *name, char **path, struct cg_error *err)
{
	const char *at = strrchr(name, '@');
	struct entry_search s = { .root = root,
				  .benchmark = name,
				  .benchmark_len = (size_t)(at - name),
				  .commit = at + 1 };
	int status = search_entries(&s, err);
	if (!status && s.found && !(*path = cache_path(root, s.found)))
		status = cg_fail_nomem(err);
	free(s.found);
	return status;
}

/* The benchmark may be written as people write it, or as in the entry's name. */
int cache_find_operand(const char *root, const char *operand, char **path, struct cg_error *err)
{
	const char *at = strrchr(operand, '@');

	*path = NULL;
	if (!at || at == operand || !at[1])
		return CG_OK;
	char *name = label_file(operand);
	if (!name)
		return cg_fail_nomem(err);
	int status = CG_OK;
	if (cache_is_name(operand) && !strchr(operand, '/'))
		status = find_entry_path(root, operand, path, err);
	if (!status && !*path)
		status = cache_is_name(operand) ? find_entry_path(root, name, path, err)
						: find_brief(root, name, path, err);
	free(name);
	return status;
}

int cache_operand(const char *root, const char *name, char **operand, struct cg_error *err)
{
	char *label = label_of_file(name), *path = NULL;
	if (!label) /* a fetched entry may have a name that no label has */
		return (*operand = strdup(name)) ? CG_OK : cg_fail_nomem(err);
	char *brief = strndup(label, (size_t)(strrchr(label, '-') - label));
	int status = brief ? cache_find_operand(root, brief, &path, err) : cg_fail_nomem(err);

	if (!status && (!path || strcmp(strrchr(path, '/') + 1, name) != 0)) {
		free(brief);
		brief = strdup(label);
		status = brief ? CG_OK : cg_fail_nomem(err);
	}
	free(path);
	free(label);
	if (status)
		free(brief);
	else
		*operand = brief;
	return status;
}

int cache_failure_path(const char *root, const char *key, char **path, struct cg_error *err)
{
	if (asprintf(path, "%s/" CACHE "/" FAILED "/%.*s.log", root, CACHE_KEY_DIGITS, key) < 0)
		return cg_fail_nomem(err);
	return CG_OK;
}

/* ---- entries -------------------------------------------------------------- */

/* Removes the text reports, which the cache does not need, and the raw file, by far the largest. */
static void drop_files(const char *work)
{
	struct profile_paths p;
	store_work_tidy(work);
	if (work_paths_of(work, &p, NULL))
		return;
	unlink(p.raw);
	unlink(p.flat);
	unlink(p.tree);
	profile_paths_free(&p);
}

static int write_entry_key(const char *work, const char *key, struct cg_error *err)
{
	char *path;
	struct new_file *file;
	FILE *to;
	if (asprintf(&path, "%s/" CACHE_KEY_FILE, work) < 0)
		return cg_fail_nomem(err);
	int status = new_file_begin(path, &file, &to, err);
	if (!status) {
		new_file_leave_unsynced(file);
		fputs(key, to);
		status = new_file_commit(file, err);
	}
	free(path);
	return status;
}

static int put_entry(const char *root, const char *work, const char *path, bool replace)
{
	if (replace)
		return beneath_replace(root, work, path);
	return beneath_rename(root, work, path) == 0 || errno == ENOTEMPTY || errno == EEXIST ? 0
											      : -1;
}

static int publish_entry(const char *root, const char *name, const char *work, const char *key,
			 bool replace, struct cg_error *err)
{
	char *path = cache_path(root, name);
	if (!path)
		return cg_fail_nomem(err);

	int status = write_entry_key(work, key, err);
	if (!status)
		status = sums_write(work, err);
	if (!status)
		status = sync_directory(work, err);
	if (!status && put_entry(root, work, path, replace) != 0)
		status = beneath_fail(path, "store the profile", err);
	free(path);
	return status;
}

int cache_publish(const char *root, const char *name, const char *work, const char *key,
		  bool replace, struct cg_error *err)
{
	drop_files(work);
	return publish_entry(root, name, work, key, replace, err);
}

/* A mark next to the files shows that they come from another machine. */
int cache_publish_fetched(const char *root, const char *name, const char *work, const char *key,
			  struct cg_error *err)
{
	char *mark;

	drop_files(work);
	if (asprintf(&mark, "%s/" FETCHED_FILE, work) < 0)
		return cg_fail_nomem(err);
	int fd = beneath_open(root, mark, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
	int status = fd >= 0 && close(fd) == 0 ? CG_OK : beneath_fail(mark, "write", err);
	free(mark);
	return status ? status : publish_entry(root, name, work, key, false, err);
}

bool cache_is_fetched(const char *root, const char *name)
{
	char *directory = cache_path(root, name), *mark = NULL;
	bool fetched = !directory || asprintf(&mark, "%s/" FETCHED_FILE, directory) < 0 ||
		       beneath_is_there(root, mark);

	free(mark);
	free(directory);
	return fetched;
}

/* Writes the names of the entries, one a line. */
static int write_case_names(const char *work, const struct path_list *entries, struct cg_error *err)
{
	char *path;
	struct new_file *file;
	FILE *to;
	if (asprintf(&path, "%s/" CACHE_CASES_FILE, work) < 0)
		return cg_fail_nomem(err);
	int status = new_file_begin(path, &file, &to, err);
	if (!status) {
		new_file_leave_unsynced(file);
		for (size_t i = 0; i < entries->count; i++)
			fprintf(to, "%s\n", entries->paths[i]);
		status = new_file_commit(file, err);
	}
	free(path);
	return status;
}

int cache_publish_cases(const char *root, const char *name, const char *work, const char *key,
			const struct path_list *entries, struct cg_error *err)
{
	store_work_tidy(work);
	int status = write_case_names(work, entries, err);
	return status ? status : publish_entry(root, name, work, key, true, err);
}

bool cache_use(const char *root, const char *name)
{
	char *parent = cache_path(root, NULL);
	int fd = parent ? beneath_open(root, parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) : -1;
	bool there = fd >= 0 && is_whole_entry(fd, name, false);

	if (there)
		utimensat(fd, name, NULL, AT_SYMLINK_NOFOLLOW);
	if (fd >= 0)
		close(fd);
	free(parent);
	return there;
}

int cache_cases(const char *root, const char *name, struct path_list *out, bool *whole,
		struct cg_error *err)
{
	char *directory = cache_path(root, name), *path = NULL, *text = NULL;
	size_t size;
	int status = CG_OK;

	*whole = true;
	if (!directory || asprintf(&path, "%s/" CACHE_CASES_FILE, directory) < 0) {
		free(directory);
		return cg_fail_nomem(err);
	}
	free(directory);
	if (beneath_is_there(root, path))
		status = beneath_read(root, path, TEXT_MAX, &text, &size, err);
	char *line = text;
	for (char *end; !status && line && (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		*whole = *whole && cache_is_name(line) && cache_use(root, line);
		status = path_list_add(out, line, err);
	}
	*whole = *whole && (!line || !*line); /* the last line may be cut off */
	free(text);
	free(path);
	return status;
}

int cache_remove(const char *root, const char *name, struct cg_error *err)
{
	struct work_directory work;
	char *path = cache_path(root, name), *gone = NULL;
	int status = path ? check_places(root, err) : cg_fail_nomem(err);

	if (!status)
		status = store_work_begin(root, &work, err);
	if (status) {
		free(path);
		return status;
	}
	/* It is moved away first, because a partly removed profile is not a profile. */
	if (asprintf(&gone, "%s/gone", work.path) < 0)
		status = cg_fail_nomem(err);
	else if (beneath_rename(root, path, gone) != 0 && errno != ENOENT)
		status = beneath_fail(path, "remove", err);
	store_work_end(&work);
	free(gone);
	free(path);
	return status;
}

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
	{ FAILED, FAILED "/", is_failure_log, false },
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
	int status = check_places(root, err);
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
