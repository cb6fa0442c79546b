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
#define TEXT_MAX ((size_t)64 << 20) /* of a text that irdiff keeps in the cache */

char *cache_path(const char *root, const char *name)
{
	char *path;
	return asprintf(&path, "%s/" CACHE "%s%s", root, name ? "/" : "", name ? name : "") < 0
		       ? NULL
		       : path;
}

int cache_check_places(const char *root, struct cg_error *err)
{
	static const char *const places[] = { NULL, CACHE_FAILED, KEPT };
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
	char *path = cache_path(root, CACHE_FAILED);
	if (!path)
		return cg_fail_nomem(err);
	int status = store_prepare_data(root, err);
	if (!status)
		status = cache_check_places(root, err);
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
	const char *commit; /* its beginning; NULL: any */
	bool with_cases;    /* also what lists the entries of cases */
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

int cache_names_read(const char *root, struct path_list *names, struct cg_error *err)
{
	char *parent = cache_path(root, NULL);
	DIR *dir = parent ? beneath_list(root, parent) : NULL;
	int status = parent ? CG_OK : cg_fail_nomem(err);

	free(parent);
	for (struct dirent *e; !status && dir && (e = readdir(dir));)
		if (cache_is_name(e->d_name))
			status = path_list_add(names, e->d_name, err);
	if (dir)
		closedir(dir);
	if (status)
		path_list_free(names);
	else
		path_list_sort(names, 0);
	return status;
}

/* The first of sorted names that is not less than this beginning. */
static size_t find_beginning(const struct path_list *names, const char *begin, size_t len)
{
	size_t low = 0, high = names->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (strncmp(names->paths[middle], begin, len) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Of all that fits, what was used last. */
static int search_entries(struct entry_search *s, const struct path_list *names,
			  struct cg_error *err)
{
	char *parent = cache_path(s->root, NULL);
	int fd = parent ? beneath_open(s->root, parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) : -1;
	int status = parent ? CG_OK : cg_fail_nomem(err);

	free(parent);
	for (size_t i = find_beginning(names, s->benchmark, s->benchmark_len);
	     !status && fd >= 0 && i < names->count &&
	     strncmp(names->paths[i], s->benchmark, s->benchmark_len) == 0;
	     i++) {
		struct stat st;
		if (!fits(s, names->paths[i]) ||
		    fstatat(fd, names->paths[i], &st, AT_SYMLINK_NOFOLLOW) ||
		    (s->found && !is_used_later(&st.st_mtim, &s->used)) ||
		    !is_whole_entry(fd, names->paths[i], s->with_cases))
			continue;
		free(s->found);
		s->found = strdup(names->paths[i]);
		s->used = st.st_mtim;
		status = s->found ? CG_OK : cg_fail_nomem(err);
	}
	if (fd >= 0)
		close(fd);
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

bool cache_has(const char *root, const char *name, const char *text)
{
	char *parent = cache_path(root, NULL), *path = cache_path(root, name);
	int fd = parent ? beneath_open(root, parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) : -1;
	bool has = path && fd >= 0 && is_whole_entry(fd, name, true) && has_key(root, path, text);

	if (has)
		utimensat(fd, name, NULL, AT_SYMLINK_NOFOLLOW);
	if (fd >= 0)
		close(fd);
	free(parent);
	free(path);
	return has;
}

static bool read_entry_run(const char *root, const char *name, struct meta_run *run)
{
	char *path;

	if (asprintf(&path, "%s/" CACHE "/%s/meta.json", root, name) < 0)
		return false;
	bool known = meta_read_run(root, path, run);
	free(path);
	return known;
}

/* Of a benchmark with cases: the time of all, and what any of them changed. */
static bool read_run_of_cases(const char *root, const char *name, struct meta_run *run)
{
	struct path_list cases = { 0 };
	struct meta_run all = { 0 };
	bool whole, known = !cache_cases(root, name, &cases, &whole, NULL) && cases.count;

	for (size_t i = 0; known && i < cases.count; i++) {
		struct meta_run one;
		known = cache_is_name(cases.paths[i]) && read_entry_run(root, cases.paths[i], &one);
		all.seconds += known ? one.seconds : 0;
		all.changes |= known ? one.changes : 0;
	}
	path_list_free(&cases);
	if (known)
		*run = all;
	return known;
}

struct meta_run cache_last_run_among(const char *root, const struct path_list *names,
				     const char *benchmark)
{
	char *file = label_file(benchmark);
	struct profile_paths of_label;
	struct meta_run run = META_RUN_UNKNOWN;
	bool known = false;
	if (!file)
		return run;
	struct entry_search s = {
		.root = root, .benchmark = file, .benchmark_len = strlen(file), .with_cases = true
	};

	if (!search_entries(&s, names, NULL) && s.found)
		known = read_entry_run(root, s.found, &run) ||
			read_run_of_cases(root, s.found, &run);
	free(s.found);
	free(file);
	if (!known && profile_paths_of(root, benchmark, &of_label, NULL) == CG_OK) {
		meta_read_run(root, of_label.meta, &run);
		profile_paths_free(&of_label);
	}
	return run;
}

struct meta_run cache_last_run(const char *root, const char *benchmark)
{
	struct path_list names = { 0 };

	cache_names_read(root, &names, NULL);
	const struct meta_run run = cache_last_run_among(root, &names, benchmark);
	path_list_free(&names);
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

static int find_brief_among(const char *root, const struct path_list *names, const char *brief,
			    char **found, struct cg_error *err)
{
	const char *at = strrchr(brief, '@');
	struct entry_search s = { .root = root,
				  .benchmark = brief,
				  .benchmark_len = (size_t)(at - brief),
				  .commit = at + 1 };
	int status = search_entries(&s, names, err);

	*found = s.found;
	return status;
}

static int find_brief(const char *root, const char *brief, char **path, struct cg_error *err)
{
	struct path_list names = { 0 };
	char *found = NULL;
	int status = cache_names_read(root, &names, err);

	if (!status)
		status = find_brief_among(root, &names, brief, &found, err);
	if (!status && found && !(*path = cache_path(root, found)))
		status = cg_fail_nomem(err);
	free(found);
	path_list_free(&names);
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

int cache_operand_among(const char *root, const struct path_list *names, const char *name,
			char **operand, struct cg_error *err)
{
	char *label = label_of_file(name), *found = NULL;
	if (!label) /* a fetched entry may have a name that no label has */
		return (*operand = strdup(name)) ? CG_OK : cg_fail_nomem(err);
	char *brief = strndup(name, (size_t)(strrchr(name, '-') - name));
	int status = brief ? find_brief_among(root, names, brief, &found, err) : cg_fail_nomem(err);

	if (!status && found && strcmp(found, name) == 0)
		*strrchr(label, '-') = '\0';
	free(found);
	free(brief);
	if (status)
		free(label);
	else
		*operand = label;
	return status;
}

int cache_operand(const char *root, const char *name, char **operand, struct cg_error *err)
{
	struct path_list names = { 0 };
	int status = cache_names_read(root, &names, err);

	if (!status)
		status = cache_operand_among(root, &names, name, operand, err);
	path_list_free(&names);
	return status;
}

int cache_failure_path(const char *root, const char *key, char **path, struct cg_error *err)
{
	if (asprintf(path, "%s/" CACHE "/" CACHE_FAILED "/%.*s.log", root, CACHE_KEY_DIGITS, key) <
	    0)
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

static int put_entry(const char *root, const char *name, const char *work, bool replace,
		     struct cg_error *err)
{
	char *path = cache_path(root, name);
	if (!path)
		return cg_fail_nomem(err);
	bool put = replace ? beneath_replace(root, work, path) == 0
			   : beneath_rename(root, work, path) == 0 || errno == ENOTEMPTY ||
				     errno == EEXIST;
	int status = put ? CG_OK : beneath_fail(path, "store the profile", err);
	free(path);
	return status;
}

static int complete_entry(const char *work, const char *key, struct cg_error *err)
{
	int status = write_entry_key(work, key, err);

	return status ? status : sums_write(work, err);
}

static int publish_entry(const char *root, const char *name, const char *work, const char *key,
			 bool replace, struct cg_error *err)
{
	int status = complete_entry(work, key, err);

	if (!status)
		status = sync_directory(work, err);
	return status ? status : put_entry(root, name, work, replace, err);
}

int cache_publish(const char *root, const char *name, const char *work, const char *key,
		  bool replace, struct cg_error *err)
{
	drop_files(work);
	return publish_entry(root, name, work, key, replace, err);
}

int cache_complete(const char *work, const char *key, struct cg_error *err)
{
	drop_files(work);
	return complete_entry(work, key, err);
}

int cache_put(const char *root, const char *name, const char *work, struct cg_error *err)
{
	return put_entry(root, name, work, true, err);
}

/* A mark next to the files shows that they come from another machine. */
int cache_publish_fetched(const char *root, const char *name, const char *work, const char *key,
			  struct cg_error *err)
{
	char *mark;

	drop_files(work);
	if (asprintf(&mark, "%s/" CACHE_FETCHED_FILE, work) < 0)
		return cg_fail_nomem(err);
	int fd = beneath_open(root, mark, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
	int status = fd >= 0 && close(fd) == 0 ? CG_OK : beneath_fail(mark, "write", err);
	free(mark);
	return status ? status : publish_entry(root, name, work, key, false, err);
}

bool cache_is_fetched(const char *root, const char *name)
{
	char *directory = cache_path(root, name), *mark = NULL;
	bool fetched = !directory || asprintf(&mark, "%s/" CACHE_FETCHED_FILE, directory) < 0 ||
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
	int status = path ? cache_check_places(root, err) : cg_fail_nomem(err);

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
