#include "src/store/find_profile.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgprofile/error.h"
#include "src/store/baselines.h"
#include "src/store/beneath.h"
#include "src/store/cache.h"
#include "src/store/label.h"
#include "src/store/label_tree.h"
#include "src/store/near_file.h"
#include "src/store/publish.h"
#include "src/store/sums.h"
#include "src/text/suggest.h"

int store_list_labels(const char *root, struct path_list *out, struct cg_error *err)
{
	size_t first = out->count;
	char *parent;
	store_finish(root);
	if (asprintf(&parent, "%s/profiles", root) < 0)
		return cg_fail_nomem(err);
	int status = label_tree_list(root, parent, false, out, err);
	free(parent);
	path_list_sort(out, first);
	return status;
}

/* "a, b, c" for a message, cut when there are many: the cases of a benchmark. */
static size_t print_case_names(const char *root, const char *bench, char *text, size_t size)
{
	enum { MANY = 12 };
	struct path_list labels = { 0 };
	size_t used = 0, count = 0;

	text[0] = '\0';
	store_list_labels(root, &labels, NULL);
	for (size_t i = 0; i < labels.count && count <= MANY && used < size; i++) {
		const char *label = labels.paths[i];
		if (!label_is_case_of(label, bench, strlen(bench)) || label_is_old(label))
			continue;
		used += (size_t)snprintf(text + used, size - used, "%s%s", count ? ", " : "",
					 count < MANY ? label : "…");
		count++;
	}
	path_list_free(&labels);
	return count;
}

/* Adds "BENCH/CASE@COMMIT" of an entry, if the operand is BENCH@COMMIT or has its beginning. */
static int add_case_of_commit(const char *operand, const char *entry, struct path_list *out)
{
	size_t bench = (size_t)(strrchr(operand, '@') - operand);
	const char *commit = operand + bench + 1;
	char *label = label_of_file(entry);
	char *at = label ? strrchr(label, '@') : NULL, *key = at ? strrchr(at, '-') : NULL;
	int status = CG_OK;

	if (key && *commit && strncmp(at + 1, commit, strlen(commit)) == 0) {
		bool other = key[-1] == '+' && !strchr(commit, '+'); /* with changes */
		*at = *key = '\0';
		bool is_case = !other && label_is_case_of(label, operand, bench);
		*at = '@';
		if (is_case && !path_list_has(out, label))
			status = path_list_add(out, label, NULL);
	}
	free(label);
	return status;
}

/* The cases of a benchmark that were measured at a commit, as in print_case_names. */
static size_t print_cases_of_commit(const char *root, const char *operand, char *text, size_t size)
{
	enum { MANY = 6 };
	struct cache_list entries = { 0 };
	struct path_list cases = { 0 };
	size_t used = 0, count;

	text[0] = '\0';
	int status = cache_list(root, &entries, NULL);
	for (size_t i = 0; !status && i < entries.count; i++)
		status = add_case_of_commit(operand, entries.items[i].name, &cases);
	path_list_sort(&cases, 0);
	for (size_t i = 0; i < cases.count && i <= MANY && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
					 i < MANY ? cases.paths[i] : "…");
	count = cases.count;
	path_list_free(&cases);
	cache_list_free(&entries);
	return count;
}

/* Whether a list "A, B" has a label. */
static bool lists_label(const char *list, const char *label)
{
	const size_t len = strlen(label);
	const char *at = list;

	while ((at = strstr(at, label)) && at[len] != ',' && at[len] != '\0')
		at += len;
	return at != NULL;
}

/* The commits at which a benchmark was measured, the last ones first: "BENCH@COMMIT, …". */
static size_t print_commits_of_bench(const char *root, const char *bench, char *text, size_t size)
{
	enum { MANY = 3 };
	struct cache_list entries = { 0 };
	size_t len = strlen(bench), used = 0, count = 0;

	text[0] = '\0';
	int status = cache_list(root, &entries, NULL);
	for (size_t i = 0; !status && i < entries.count && count <= MANY && used < size; i++) {
		char *label = label_of_file(entries.items[i].name);
		char *key = label ? strrchr(label, '-') : NULL;
		if (key && strncmp(label, bench, len) == 0 && label[len] == '@') {
			*key = '\0';
			if (lists_label(text, label)) {
				free(label);
				continue;
			}
			used += (size_t)snprintf(text + used, size - used, "%s%s",
						 count ? ", " : "", count < MANY ? label : "…");
			count++;
		}
		free(label);
	}
	cache_list_free(&entries);
	return count;
}

/* The labels of profiles, and benchmarks that were only measured at commits. */
static int list_known_profiles(const char *root, struct path_list *out, struct cg_error *err)
{
	struct cache_list entries = { 0 };
	int status = store_list_labels(root, out, err);

	if (!status)
		status = cache_list(root, &entries, err);
	for (size_t i = 0; !status && i < entries.count; i++) {
		if (!cache_is_name(entries.items[i].name))
			continue; /* what builds left there */
		char *bench = cache_benchmark(entries.items[i].name);
		if (!bench)
			status = cg_fail_nomem(err);
		else if (!path_list_has(out, bench))
			status = path_list_add(out, bench, err);
		free(bench);
	}
	cache_list_free(&entries);
	path_list_sort(out, 0);
	return status;
}

/* The end of the message; NULL: nothing to say. A word without a dot or slash is no path. */
static char *suggest_profile(const char *root, const char *operand)
{
	struct path_list names = { 0 };
	char *text = NULL, *file = NULL;

	if (list_known_profiles(root, &names, NULL) == CG_OK) {
		const char *const *known = (const char *const *)names.paths;
		if (strpbrk(operand, "./") && !suggest(operand, known, names.count))
			file = near_file(operand);
		if (!file)
			text = suggest_known(operand, known, names.count, "irdiff show");
		else if (asprintf(&text, "; did you mean '%s'?", file) < 0)
			text = NULL;
	}
	free(file);
	path_list_free(&names);
	return text;
}

static int fail_no_profile(const char *root, const char *operand, struct cg_error *err)
{
	char names[400];

	if (strchr(operand, '@') && print_cases_of_commit(root, operand, names, sizeof names))
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "%s has cases, each with its own profile; name one of them: %s",
			       operand, names);
	if (strchr(operand, '@'))
		return cg_fail(
			err, CG_EINVAL, NULL, 0,
			"no profile %s: after @ comes the beginning of a commit's id (see 'irdiff cache list'); "
			"'irdiff compare' takes other names of commits and measures them",
			operand);
	if (print_commits_of_bench(root, operand, names, sizeof names))
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "%s was only measured at commits; name one of its profiles: %s",
			       operand, names);
	char *known = suggest_profile(root, operand);
	int status = cg_fail(err, CG_EINVAL, NULL, 0, "%s is neither a file nor a profile label%s",
			     operand, known ? known : "");
	free(known);
	return status;
}

static int copy_path(const char *operand, char **path, struct cg_error *err)
{
	*path = strdup(operand);
	return *path ? CG_OK : cg_fail_nomem(err);
}

/* Of a path that can be no label. A file that is there may still be refused, by who opens it. */
static int take_path(const char *operand, char **path, struct cg_error *err)
{
	char *file = access(operand, F_OK) != 0 && errno == ENOENT ? near_file(operand) : NULL;

	if (!file)
		return copy_path(operand, path, err);
	int status = cg_fail(err, cg_io_status(ENOENT), operand, 0,
			     "cannot open: %s; did you mean '%s'?", strerror(ENOENT), file);
	free(file);
	return status;
}

/* Whether an operand is the path of a file, which may look like the label of a case. */
static bool is_path_of_file(const char *operand)
{
	return strchr(operand, '/') && access(operand, F_OK) == 0;
}

/* Checks files that are read by their paths, which may not lead out of the project. On failure *p
 * is empty. */
static int check_profile_files(const char *root, struct profile_paths *p, struct cg_error *err)
{
	const char *const files[] = { p->callgrind, p->lines,        p->contexts,
				      p->sources,   p->instructions, p->code };
	int status = CG_OK;

	for (size_t i = 0; !status && i < sizeof files / sizeof *files; i++)
		if (files[i] && beneath_is_there(root, files[i]))
			status = beneath_check(root, files[i], err);
	if (status)
		profile_paths_free(p);
	return status;
}

static int find_baseline(const char *root, const char *operand, struct profile_paths *out,
			 struct cg_error *err)
{
	int status = baseline_find(root, operand, out, err);
	return status ? status : check_profile_files(root, out, err);
}

/* Finds the files of an operand that is not a file itself: a label, the name of a cache entry, or a
 * benchmark of a baseline. If `callgrind` is not set, no such profile exists, or it is another
 * operand. */
static int find_stored(const char *root, const char *operand, struct profile_paths *out,
		       struct cg_error *err)
{
	char *entry = NULL;

	*out = (struct profile_paths){ 0 };
	if (baseline_is_operand(operand))
		return find_baseline(root, operand, out, err);
	if (label_check(operand, NULL) || is_path_of_file(operand))
		return CG_OK;
	store_finish(root);
	int status = profile_paths_of(root, operand, out, err);
	if (status)
		return status;
	if (!cache_is_name(operand) && beneath_is_there(root, out->callgrind))
		return check_profile_files(root, out, err);
	profile_paths_free(out);
	status = cache_find_operand(root, operand, &entry, err);
	if (!status && entry)
		status = sums_check(entry, err);
	if (!status && entry)
		status = work_paths_of(entry, out, err);
	if (!status && entry)
		status = check_profile_files(root, out, err);
	free(entry);
	return status;
}

/* Finds the profile of a label; *path is NULL if it has no profile. */
static int find_label(const char *root, const char *operand, char **path, struct cg_error *err)
{
	struct profile_paths paths;
	int status = find_stored(root, operand, &paths, err);

	*path = paths.callgrind;
	paths.callgrind = NULL;
	profile_paths_free(&paths);
	return status;
}

int store_find_profile(const char *root, const char *operand, char **path, struct cg_error *err)
{
	char known[400], *found;

	if (strcmp(operand, "-") == 0)
		return copy_path(operand, path, err);
	/* Labels come first: they often have the name of the program that was measured. */
	int status = find_label(root, operand, &found, err);
	if (status)
		return status;
	if (found) {
		*path = found;
		return CG_OK;
	}
	if (is_path_of_file(operand) || (strchr(operand, '/') && label_check(operand, NULL)))
		return take_path(operand, path, err);
	/* Benchmarks often have the name of their program, and the program is not a profile. */
	if (access(operand, F_OK) == 0 && !print_case_names(root, operand, known, sizeof known))
		return copy_path(operand, path, err);
	status = label_check(operand, err);
	if (status)
		return status;
	if (print_case_names(root, operand, known, sizeof known))
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "%s has cases, each with its own profile; name one of them: %s",
			       operand, known);
	return fail_no_profile(root, operand, err);
}

/* Whether two paths lead to one file. */
static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* The label whose file has this path, by as many of its last names as it takes; NULL: no label. */
static char *label_of_own_file(const char *root, const char *path)
{
	const size_t len = strlen(path), suffix = strlen(LABEL_SUFFIX);
	char *own = NULL;

	if (len <= suffix || strcmp(path + len - suffix, LABEL_SUFFIX) != 0)
		return NULL;
	for (size_t at = len; !own && at-- > 0;) {
		if (at && path[at - 1] != '/')
			continue;
		char *name = strndup(path + at, len - suffix - at);
		char *label = name ? label_of_path(name) : NULL;
		struct profile_paths paths = { 0 };
		if (label && profile_paths_of(root, label, &paths, NULL) == CG_OK &&
		    is_same_file(path, paths.callgrind)) {
			own = label;
			label = NULL;
		}
		profile_paths_free(&paths);
		free(label);
		free(name);
	}
	return own;
}

/* The same as find_stored, but the path of a label's file means that label, too. */
static int find_kept(const char *root, const char *operand, struct profile_paths *out,
		     struct cg_error *err)
{
	char *own = is_path_of_file(operand) ? label_of_own_file(root, operand) : NULL;
	int status = find_stored(root, own ? own : operand, out, err);

	free(own);
	return status;
}

static char *take_if_there(char **path)
{
	char *taken = *path && access(*path, R_OK) == 0 ? *path : NULL;
	if (taken)
		*path = NULL;
	return taken;
}

int store_find_inlined(const char *root, const char *operand, char **lines, char **contexts,
		       struct cg_error *err)
{
	struct profile_paths paths;
	int status = find_kept(root, operand, &paths, err);

	*lines = take_if_there(&paths.lines);
	*contexts = take_if_there(&paths.contexts);
	profile_paths_free(&paths);
	return status;
}

int store_find_sources(const char *root, const char *operand, char **path, struct cg_error *err)
{
	struct profile_paths paths;
	int status = find_kept(root, operand, &paths, err);

	*path = take_if_there(&paths.sources);
	profile_paths_free(&paths);
	return status;
}

int store_find_used_files(const char *root, const char *operand, char **path, struct cg_error *err)
{
	struct profile_paths paths;
	int status = find_kept(root, operand, &paths, err);

	*path = take_if_there(&paths.used_files);
	profile_paths_free(&paths);
	return status;
}

int store_find_instructions(const char *root, const char *operand, char **instructions, char **code,
			    struct cg_error *err)
{
	struct profile_paths paths;
	int status = find_kept(root, operand, &paths, err);

	*instructions = take_if_there(&paths.instructions);
	*code = take_if_there(&paths.code);
	profile_paths_free(&paths);
	return status;
}

static int expand_pattern(const char *pattern, struct path_list *out, struct cg_error *err)
{
	glob_t found;
	int status = CG_OK;

	switch (glob(pattern, 0, NULL, &found)) {
	case 0:
		break;
	case GLOB_NOMATCH:
		return cg_fail(err, CG_EINVAL, NULL, 0, "no file matches %s", pattern);
	case GLOB_NOSPACE:
		return cg_fail_nomem(err);
	default:
		return cg_fail(err, CG_EIO, pattern, 0, "cannot search for files: %s",
			       strerror(errno));
	}
	for (size_t i = 0; !status && i < found.gl_pathc; i++)
		status = path_list_add(out, found.gl_pathv[i], err);
	globfree(&found);
	return status;
}

int store_find_profiles(const char *root, const char *operand, struct path_list *out,
			struct cg_error *err)
{
	char *path = NULL;
	int status = find_label(root, operand, &path, err);

	if (!status && !path && strpbrk(operand, "*?[") && access(operand, F_OK) != 0)
		return expand_pattern(operand, out, err);
	if (!status && !path)
		status = store_find_profile(root, operand, &path, err);
	if (!status)
		status = path_list_add(out, path, err);
	free(path);
	return status;
}
