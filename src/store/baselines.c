#include "src/store/baselines.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/store/beneath.h"
#include "src/store/label.h"
#include "src/store/label_tree.h"
#include "src/store/publish.h"
#include "src/text/suggest.h"

#define TEXTS "baselines"
#define STORED ".irdiff/baselines"
#define COPY "text.callgrind" /* the copy of the text, in the directory of all files */

bool baseline_is_operand(const char *operand)
{
	return strncmp(operand, BASELINE_PREFIX, strlen(BASELINE_PREFIX)) == 0;
}

static int print_path(char **path, struct cg_error *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static int print_path(char **path, struct cg_error *err, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int len = vasprintf(path, fmt, ap);
	va_end(ap);
	if (len >= 0)
		return CG_OK;
	*path = NULL;
	return cg_fail_nomem(err);
}

int baseline_operand(const char *name, const char *bench, char **operand, struct cg_error *err)
{
	return print_path(operand, err, BASELINE_PREFIX "%s/%s", name, bench);
}

/* The path of the files of a benchmark; the caller's. */
static int bench_path(const char *name, const char *bench, char **file, struct cg_error *err)
{
	int status = label_check_name(name, err);
	if (!status)
		status = label_check(bench, err);
	if (status)
		return status;
	*file = label_path(bench);
	return *file ? CG_OK : cg_fail_nomem(err);
}

int baseline_text_path(const char *root, const char *name, const char *bench, char **path,
		       struct cg_error *err)
{
	char *file;
	int status = bench_path(name, bench, &file, err);
	if (status)
		return status;
	status = print_path(path, err, "%s/" TEXTS "/%s/%s" LABEL_SUFFIX, root, name, file);
	free(file);
	return status;
}

/* The directory of all files, and the files. */
static int stored_paths(const char *root, const char *name, const char *bench, char **dir,
			struct profile_paths *out, struct cg_error *err)
{
	char *file;
	int status = bench_path(name, bench, &file, err);
	if (status)
		return status;
	status = print_path(dir, err, "%s/" STORED "/%s/%s" LABEL_SUFFIX, root, name, file);
	free(file);
	if (status)
		return status;
	status = work_paths_of(*dir, out, err);
	if (status)
		free(*dir);
	return status;
}

/* ---- lists ---- */

static bool same_bytes(const char *root, const char *left, const char *right)
{
	return streams_are_same(beneath_open_regular(root, left),
				beneath_open_regular(root, right));
}

int baseline_forms(const char *root, const char *name, const char *bench,
		   struct baseline_forms *out, struct cg_error *err)
{
	struct profile_paths paths = { 0 };
	char *text, *dir = NULL, *copy = NULL;
	int status = baseline_text_path(root, name, bench, &text, err);

	if (status)
		return status;
	status = stored_paths(root, name, bench, &dir, &paths, err);
	if (!status)
		status = print_path(&copy, err, "%s/" COPY, dir);
	if (!status) {
		*out = (struct baseline_forms){ beneath_is_there(root, text),
						beneath_is_there(root, paths.callgrind), false };
		out->usable = out->stored && (!out->text || same_bytes(root, text, copy));
	}
	profile_paths_free(&paths);
	free(copy);
	free(dir);
	free(text);
	return status;
}

/* Removes duplicates from a sorted list. */
static void drop_copies(struct path_list *list, size_t first)
{
	size_t kept = first;

	for (size_t i = first; i < list->count; i++) {
		if (kept > first && strcmp(list->paths[kept - 1], list->paths[i]) == 0)
			free(list->paths[i]);
		else
			list->paths[kept++] = list->paths[i];
	}
	list->count = kept;
}

/* Appends the names of a directory's files that may be those of baselines. */
static int list_names(const char *root, const char *parent, struct path_list *out,
		      struct cg_error *err)
{
	char *path;
	int status = print_path(&path, err, "%s/%s", root, parent);
	if (status)
		return status;
	DIR *dir = beneath_list(root, path);
	free(path);
	for (struct dirent *e; !status && dir && (e = readdir(dir));)
		if (!label_check_name(e->d_name, NULL))
			status = path_list_add(out, e->d_name, err);
	if (dir)
		closedir(dir);
	return status;
}

static int list_below(const char *root, const char *parent, const char *name, bool directories,
		      struct path_list *out, struct cg_error *err)
{
	char *path;
	int status = print_path(&path, err, "%s/%s/%s", root, parent, name);
	if (status)
		return status;
	status = label_tree_list(root, path, directories, out, err);
	free(path);
	return status;
}

int baseline_list_benches(const char *root, const char *name, struct path_list *out,
			  struct cg_error *err)
{
	size_t first = out->count;
	int status = label_check_name(name, err);

	if (!status)
		status = list_below(root, TEXTS, name, false, out, err);
	if (!status)
		status = list_below(root, STORED, name, true, out, err);
	path_list_sort(out, first);
	drop_copies(out, first);
	return status;
}

/* A user's directory without files of irdiff is not a baseline. */
int baseline_list(const char *root, struct path_list *out, struct cg_error *err)
{
	struct path_list names = { 0 };
	int status = list_names(root, TEXTS, &names, err);

	if (!status)
		status = list_names(root, STORED, &names, err);
	path_list_sort(&names, 0);
	drop_copies(&names, 0);
	for (size_t i = 0; !status && i < names.count; i++) {
		struct path_list benches = { 0 };
		status = baseline_list_benches(root, names.paths[i], &benches, err);
		if (!status && benches.count)
			status = path_list_add(out, names.paths[i], err);
		path_list_free(&benches);
	}
	path_list_free(&names);
	return status;
}

/* ---- operands ---- */

static int fail_missing(const char *root, const char *name, const char *bench, struct cg_error *err)
{
	struct path_list names = { 0 };
	char *known;
	int status = baseline_list_benches(root, name, &names, err);
	bool is_there = names.count > 0;

	if (!status && !is_there)
		status = baseline_list(root, &names, err);
	if (!status) {
		known = suggest_known(is_there ? bench : name, (const char *const *)names.paths,
				      names.count, "irdiff baseline list");
		status = is_there ? cg_fail(err, CG_EINVAL, NULL, 0,
					    "the baseline %s has no benchmark %s%s", name, bench,
					    known ? known : "")
				  : cg_fail(err, CG_EINVAL, NULL, 0, "unknown baseline %s%s", name,
					    known ? known : "");
		free(known);
	}
	path_list_free(&names);
	return status;
}

static int find_usable_baseline(const char *root, const char *name, const char *bench,
				struct profile_paths *out, struct cg_error *err)
{
	struct baseline_forms forms;
	char *dir;
	int status = baseline_forms(root, name, bench, &forms, err);

	if (status)
		return status;
	if (!forms.usable)
		return forms.text ? baseline_text_path(root, name, bench, &out->callgrind, err)
				  : fail_missing(root, name, bench, err);
	status = stored_paths(root, name, bench, &dir, out, err);
	if (!status)
		free(dir);
	return status;
}

int baseline_find(const char *root, const char *operand, struct profile_paths *out,
		  struct cg_error *err)
{
	const char *names = operand + strlen(BASELINE_PREFIX), *slash = strchr(names, '/');

	*out = (struct profile_paths){ 0 };
	if (!slash)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "%s: expected " BASELINE_PREFIX "NAME/BENCH", operand);
	char *name = strndup(names, (size_t)(slash - names));
	int status = name ? find_usable_baseline(root, name, slash + 1, out, err)
			  : cg_fail_nomem(err);
	free(name);
	return status;
}

/* ---- saving ---- */

int baseline_prepare_text(const char *root, const char *name, const char *bench,
			  struct cg_error *err)
{
	char *path;
	int status = baseline_text_path(root, name, bench, &path, err);

	if (status)
		return status;
	if (beneath_is_there(root, path) && !store_is_ours(root, path))
		status = cg_fail(
			err, CG_EINVAL, path, 0,
			"not written by irdiff; refusing to overwrite it: choose another name, or move it away");
	if (!status)
		status = label_tree_make(root, path, err);
	free(path);
	return status;
}

/* Copies all files that `from` has. */
static int copy_files(const char *root, const struct profile_paths *from,
		      const struct profile_paths *to, struct cg_error *err)
{
	const char *const pairs[][2] = {
		{ from->callgrind, to->callgrind }, { from->flat, to->flat },
		{ from->tree, to->tree },           { from->raw, to->raw },
		{ from->lines, to->lines },         { from->contexts, to->contexts },
		{ from->sources, to->sources },     { from->instructions, to->instructions },
		{ from->code, to->code },           { from->meta, to->meta },
	};
	int status = CG_OK;

	for (size_t i = 0; !status && i < sizeof pairs / sizeof *pairs; i++)
		if (beneath_is_there(root, pairs[i][0]))
			status = beneath_copy(root, pairs[i][0], pairs[i][1], err);
	return status;
}

static int copy_baseline_text(const char *root, const char *text, const char *dir,
			      struct cg_error *err)
{
	char *copy;
	int status = print_path(&copy, err, "%s/" COPY, dir);

	if (status)
		return status;
	status = beneath_copy(root, text, copy, err);
	free(copy);
	return status;
}

/* Nobody removes the directories above it meanwhile. */
static int move_to_place(const char *root, const char *new, const char *dir, struct cg_error *err)
{
	int lock, status = store_lock(root, &lock, err);

	if (status)
		return status;
	status = label_tree_make(root, dir, err);
	if (!status && beneath_replace(root, new, dir) != 0)
		status = beneath_fail(dir, "store the profile", err);
	close(lock);
	return status;
}

static int store_in(const char *root, const char *work, const struct profile_paths *from,
		    const char *text, const char *dir, struct cg_error *err)
{
	struct profile_paths to = { 0 };
	char *new;
	int status = print_path(&new, err, "%s/new", work);

	if (status)
		return status;
	status = beneath_make_directories(root, new, err);
	if (!status)
		status = work_paths_of(new, &to, err);
	if (!status)
		status = copy_files(root, from, &to, err);
	if (!status)
		status = copy_baseline_text(root, text, new, err);
	if (!status)
		status = move_to_place(root, new, dir, err);
	profile_paths_free(&to);
	free(new);
	return status;
}

int baseline_store(const char *root, const char *name, const char *bench, const char *label,
		   struct cg_error *err)
{
	struct work_directory work = { 0 };
	struct profile_paths from = { 0 }, unused = { 0 };
	char *dir = NULL, *text = NULL;
	int status = stored_paths(root, name, bench, &dir, &unused, err);

	if (status)
		return status;
	status = baseline_text_path(root, name, bench, &text, err);
	if (!status)
		status = profile_paths_of(root, label, &from, err);
	if (!status)
		status = store_prepare(root, err);
	if (!status)
		status = store_work_begin(root, &work, err);
	if (!status)
		status = store_in(root, work.path, &from, text, dir, err);
	store_work_end(&work);
	profile_paths_free(&from);
	profile_paths_free(&unused);
	free(text);
	free(dir);
	return status;
}

/* ---- removing ---- */

static int remove_text(const char *root, const char *name, const char *bench, struct cg_error *err)
{
	char *path;
	int status = baseline_text_path(root, name, bench, &path, err);

	if (status)
		return status;
	if (!store_is_ours(root, path))
		status = cg_fail(err, CG_EINVAL, path, 0,
				 "not written by irdiff; remove it yourself if you do not need it");
	else if (beneath_unlink(root, path) != 0)
		status = beneath_fail(path, "remove", err);
	free(path);
	return status;
}

/* Moves a directory away before it is removed, because a partly removed profile is not a
 * profile. */
static int move_away(const char *root, const char *dir, struct cg_error *err)
{
	struct work_directory work = { 0 };
	char *gone = NULL;
	int status = store_work_begin(root, &work, err);

	if (!status)
		status = print_path(&gone, err, "%s/gone", work.path);
	if (!status && beneath_rename(root, dir, gone) != 0 && errno != ENOENT)
		status = beneath_fail(dir, "remove", err);
	store_work_end(&work);
	free(gone);
	return status;
}

static int remove_stored(const char *root, const char *name, const char *bench,
			 struct cg_error *err)
{
	struct profile_paths unused;
	char *dir;
	int status = stored_paths(root, name, bench, &dir, &unused, err);

	if (status)
		return status;
	status = store_prepare_data(root, err);
	if (!status)
		status = move_away(root, dir, err);
	profile_paths_free(&unused);
	free(dir);
	return status;
}

/* Removes empty directories; other files keep a directory. A profile that is just moving there
 * waits for the lock. */
static void remove_empty(const char *root, const char *name, const char *bench)
{
	int lock;

	struct profile_paths unused = { 0 };
	char *text = NULL, *dir = NULL;

	if (store_prepare_data(root, NULL) || store_lock(root, &lock, NULL))
		return;
	if (baseline_text_path(root, name, bench, &text, NULL) == CG_OK)
		label_tree_prune(root, root, text);
	if (stored_paths(root, name, bench, &dir, &unused, NULL) == CG_OK)
		label_tree_prune(root, root, dir);
	close(lock);
	profile_paths_free(&unused);
	free(text);
	free(dir);
}

int baseline_remove(const char *root, const char *name, const char *bench,
		    const struct baseline_forms *forms, struct cg_error *err)
{
	int status = CG_OK;

	if (forms->text)
		status = remove_text(root, name, bench, err);
	if (!status && forms->stored)
		status = remove_stored(root, name, bench, err);
	remove_empty(root, name, bench);
	return status;
}
