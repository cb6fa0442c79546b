#include "src/load/keep_sources.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "callgrind/paths.h"
#include "callgrind/support/number.h"
#include "cgprofile/names.h"
#include "src/load/commit_source.h"
#include "src/load/project.h"
#include "src/load/work_tree.h"
#include "src/store/sources.h"

/* What is kept: of the costliest files those that are there, and what lies beside them. The
 * libraries of the system may be first, and are not. */
enum { MOST_LOOKED_FOR = 2000, MOST_COSTLY = 200, MOST_FILES = 400, MOST_BYTES = 16 << 20 };

struct file_cost {
	cg_str file;
	uint64_t cost; /* of the first event */
};

static int compare_files(const void *left, const void *right)
{
	const struct file_cost *a = left, *b = right;
	return (a->file > b->file) - (a->file < b->file);
}

static int compare_costs(const void *left, const void *right)
{
	const struct file_cost *a = left, *b = right;
	return a->cost != b->cost ? (a->cost < b->cost) - (a->cost > b->cost) : compare_files(a, b);
}

/* One entry per file, the costliest first. Returns how many. What is inlined into a function may be
 * all that it costs: then its file has no lines. */
static size_t rank_files(const struct cg_profile *p, struct file_cost *files)
{
	size_t count = 0, kept = 0;

	for (uint32_t i = 1; i < p->nfunctions; i++)
		if (p->functions[i].file)
			files[count++] = (struct file_cost){ .file = p->functions[i].file };

	for (uint32_t i = 1; i < p->nlines; i++)
		if (p->lines[i].file && p->lines[i].line)
			files[count++] = (struct file_cost){
				p->lines[i].file, cg_magnitude(p->line_self[(size_t)i * p->nevents])
			};
	qsort(files, count, sizeof *files, compare_files);
	for (size_t i = 0; i < count; i++) {
		if (kept && files[kept - 1].file == files[i].file)
			files[kept - 1].cost += files[i].cost;
		else
			files[kept++] = files[i];
	}
	qsort(files, kept, sizeof *files, compare_costs);
	return kept;
}

/* ---- which files are kept ---- */

/* Headers and libraries, as they are installed. What else a program's debug information names
 * outside of the project may be anything. */
static const char *const installed[] = {
	"/usr/include",   "/usr/lib",          "/usr/lib64", "/usr/src",   "/usr/local/include",
	"/usr/local/src", "/usr/local/go/src", "/nix/store", "/gnu/store",
};

/* Where tools of a language keep what they download: below one of these variables, or else of a
 * directory in the user's home. */
static const char *const variables[] = { "CARGO_HOME", "CARGO_HOME", "RUSTUP_HOME", "GOPATH" };
static const char *const at_home[] = { ".cargo", ".cargo", ".rustup", "go" };
static const char *const downloaded[] = { "registry/src", "git/checkouts", "toolchains",
					  "pkg/mod" };

enum {
	INSTALLED = sizeof installed / sizeof *installed,
	DOWNLOADED = sizeof downloaded / sizeof *downloaded
};

struct kept_places {
	char *tree;
	const char *public[INSTALLED + DOWNLOADED + 1];
	char *owned[DOWNLOADED];
};

/* NULL if it is missing. */
static char *name_downloaded(size_t i)
{
	const char *set = getenv(variables[i]), *home = getenv("HOME");
	char *path = NULL;
	int len = 0;

	if (set && *set == '/')
		len = asprintf(&path, "%s/%s", set, downloaded[i]);
	else if (home && *home == '/')
		len = asprintf(&path, "%s/%s/%s", home, at_home[i], downloaded[i]);
	return len < 0 ? NULL : path;
}

static int find_places(const char *root, const struct cg_path_map *moved, struct kept_places *out,
		       struct cg_error *err)
{
	size_t count = 0;

	for (size_t i = 0; i < INSTALLED; i++)
		out->public[count++] = installed[i];
	for (size_t i = 0; i < DOWNLOADED; i++)
		if ((out->owned[i] = name_downloaded(i)))
			out->public[count++] = out->owned[i];
	if (!moved->real)
		return work_tree_find(root, &out->tree, err);
	out->tree = strdup(moved->seen);
	return out->tree ? CG_OK : cg_fail_nomem(err);
}

static void free_places(struct kept_places *places)
{
	for (size_t i = 0; i < DOWNLOADED; i++)
		free(places->owned[i]);
	free(places->tree);
}

struct source_keeping {
	struct stored_source items[MOST_FILES];
	struct source_text texts[MOST_FILES];
	size_t count, bytes;
	char *beside[MOST_FILES]; /* names that are not the profile's */
	size_t nbeside;
	struct kept_places places;
};

static int find_source_to_keep(const struct kept_places *kept, const struct cg_path_map *moved,
			       const char *name, struct source_text *text, struct cg_error *err)
{
	const struct source_places places = { .tree = kept->tree, .public = kept->public };
	const char *rest = moved->real ? cg_path_below(name, moved->real) : NULL;
	char *path;
	if (!rest)
		return source_text_find(name, &places, text, err);
	if (asprintf(&path, "%s%s", moved->seen, rest) < 0)
		return cg_fail_nomem(err);
	int status = source_text_find(path, &places, text, err);
	free(path);
	return status;
}

static int add_source_to_keep(struct source_keeping *k, const struct cg_path_map *moved,
			      const char *name, struct cg_error *err)
{
	struct source_text *text = &k->texts[k->count];
	int status = find_source_to_keep(&k->places, moved, name, text, err);

	if (status || !text->path)
		return status;
	if (k->bytes + text->size > MOST_BYTES) {
		source_text_free(text);
		return CG_OK;
	}
	k->bytes += text->size;
	k->items[k->count++] = (struct stored_source){ name, text->bytes, text->size, false };
	return CG_OK;
}

/* ---- what lies beside them ---- */

static bool is_kept_source(const struct source_keeping *k, const char *name)
{
	for (size_t i = 0; i < k->count; i++)
		if (strcmp(k->items[i].name, name) == 0)
			return true;
	return false;
}

/* The directory of a file, with the slash. */
static size_t directory_length(const char *path)
{
	return (size_t)(cg_base_name(path) - path);
}

/* Whether an earlier file lies in the same directory. */
static bool is_listed_directory(const struct source_keeping *k, size_t file)
{
	const char *name = k->items[file].name;
	size_t len = directory_length(name);

	for (size_t i = 0; i < file; i++)
		if (directory_length(k->items[i].name) == len &&
		    strncmp(k->items[i].name, name, len) == 0)
			return true;
	return false;
}

/* Takes over the name. */
static int add_file_beside(struct source_keeping *k, const struct cg_path_map *moved, char *name,
			   struct cg_error *err)
{
	const size_t count = k->count;
	int status = CG_OK;

	if (count < MOST_FILES && !is_kept_source(k, name))
		status = add_source_to_keep(k, moved, name, err);
	if (k->count == count)
		free(name);
	else
		k->beside[k->nbeside++] = name;
	return status;
}

static int is_source_entry(const struct dirent *entry)
{
	return source_is_code(entry->d_name);
}

/* Macros and types that functions use are declared in files in which nothing is executed. */
static int add_files_beside(struct source_keeping *k, const struct cg_path_map *moved, size_t file,
			    struct cg_error *err)
{
	const char *name = k->items[file].name, *path = k->texts[file].path;
	struct dirent **entries = NULL;
	char *directory = strndup(path, directory_length(path)), *beside;
	int status = directory ? CG_OK : cg_fail_nomem(err);
	int n = status ? -1 : scandir(directory, &entries, is_source_entry, alphasort);

	for (int i = 0; i < n; i++) {
		if (status || asprintf(&beside, "%.*s%s", (int)directory_length(name), name,
				       entries[i]->d_name) < 0)
			status = status ? status : cg_fail_nomem(err);
		else
			status = add_file_beside(k, moved, beside, err);
		free(entries[i]);
	}
	free(entries);
	free(directory);
	return status;
}

/* Only in the work tree: who installed headers does not edit them. */
static int add_all_beside(struct source_keeping *k, const struct cg_path_map *moved,
			  struct cg_error *err)
{
	const size_t count = k->count;
	int status = CG_OK;

	for (size_t i = 0; !status && i < count; i++)
		if (k->places.tree && cg_path_below(k->texts[i].path, k->places.tree) &&
		    !is_listed_directory(k, i))
			status = add_files_beside(k, moved, i, err);
	return status;
}

/* ---- which are newer than the program ---- */

static bool is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

/* When the objects with the code of a file were written, the newest of them. False: unknown. */
static bool time_of_objects(const struct cg_profile *p, const char *file, struct timespec *out)
{
	cg_str last = 0;
	bool found = false;

	for (uint32_t i = 1; i < p->nfunctions; i++) {
		const struct cg_function *f = &p->functions[i];
		struct stat st;
		if (!f->file || f->object == last || cg_string(p, f->file) != file)
			continue;
		last = f->object;
		if (stat(cg_string(p, f->object), &st) || (found && !is_before(out, &st.st_mtim)))
			continue;
		*out = st.st_mtim;
		found = true;
	}
	return found;
}

static void mark_if_newer(struct source_keeping *k, size_t i, const struct timespec *program)
{
	struct stat st;

	k->items[i].newer = k->places.tree && cg_path_below(k->texts[i].path, k->places.tree) &&
			    stat(k->texts[i].path, &st) == 0 && is_before(program, &st.st_mtim);
}

/* Whoever edits and forgets to build measures code of another source. The first `own` files have
 * code of their own in the program. */
static void mark_newer(struct source_keeping *k, const struct cg_profile *p, size_t own)
{
	struct timespec newest = { 0 }, time;

	for (size_t i = 0; i < own; i++) {
		if (!time_of_objects(p, k->items[i].name, &time))
			continue;
		mark_if_newer(k, i, &time);
		if (is_before(&newest, &time))
			newest = time;
	}
	for (size_t i = own; newest.tv_sec && i < k->count; i++)
		mark_if_newer(k, i, &newest);
}

/* ---- the whole ---- */

/* *own gets how many of them have code of their own in the program: the first ones. */
static int collect_sources(struct source_keeping *k, const struct cg_profile *p, const char *root,
			   const struct cg_path_map *moved, size_t *own, struct cg_error *err)
{
	struct file_cost *files = calloc((size_t)p->nlines + p->nfunctions + 1, sizeof *files);
	int status = files ? CG_OK : cg_fail_nomem(err);
	size_t count = status ? 0 : rank_files(p, files);

	if (!status)
		status = find_places(root, moved, &k->places, err);
	if (count > MOST_LOOKED_FOR)
		count = MOST_LOOKED_FOR;
	for (size_t i = 0; !status && i < count && k->count < MOST_COSTLY; i++)
		status = add_source_to_keep(k, moved, cg_string(p, files[i].file), err);
	*own = k->count;
	free(files);
	return status;
}

static void free_source_keeping(struct source_keeping *k)
{
	for (size_t i = 0; k && i < k->count; i++)
		source_text_free(&k->texts[i]);
	for (size_t i = 0; k && i < k->nbeside; i++)
		free(k->beside[i]);
	if (k)
		free_places(&k->places);
	free(k);
}

int keep_sources(const struct cg_profile *p, const char *root, const struct cg_path_map *moved,
		 const char *path, struct cg_error *err)
{
	struct source_keeping *k = calloc(1, sizeof *k);
	size_t own = 0;
	int status = k ? collect_sources(k, p, root, moved, &own, err) : cg_fail_nomem(err);

	if (!status)
		status = add_all_beside(k, moved, err);
	if (!status && !moved->real)
		mark_newer(k, p, own);
	if (!status && k->count)
		status = sources_save(path, k->items, k->count, err);
	free_source_keeping(k);
	return status;
}

int newer_source_find(const struct cg_profile *p, const char *root, char **out,
		      struct cg_error *err)
{
	static const struct cg_path_map nowhere;
	struct source_keeping *k = calloc(1, sizeof *k);
	size_t own = 0;
	int status = k ? collect_sources(k, p, root, &nowhere, &own, err) : cg_fail_nomem(err);

	*out = NULL;
	if (!status)
		mark_newer(k, p, own);
	for (size_t i = 0; !status && !*out && i < own; i++)
		if (k->items[i].newer && !(*out = strdup(k->items[i].name)))
			status = cg_fail_nomem(err);
	free_source_keeping(k);
	return status;
}

/* Whether a file was written after it was measured. */
static bool is_newer_than_profile(const char *path, const struct loaded *measured)
{
	struct stat source, profile;
	return measured->files.count && stat(path, &source) == 0 &&
	       stat(measured->files.paths[0], &profile) == 0 && source.st_mtime > profile.st_mtime;
}

int loaded_source_text(const struct loaded *l, const char *file, const char *const *dirs,
		       struct source_text *out, struct cg_error *err)
{
	const struct stored_source *stored = sources_find(&l->sources, file);
	if (stored) {
		int status = source_text_of(file, stored->bytes, stored->size, out, err);
		if (!status && stored->newer)
			out->origin = SOURCE_TEXT_NEWER;
		return status;
	}
	const struct source_places places = { .tree = l->tree, .dirs = dirs };
	int status = commit_source_text(l->at_commit, file, out, err);
	if (status || out->path)
		return status;
	status = source_text_find(file, &places, out, err);
	if (!status && out->path && is_newer_than_profile(out->path, l))
		out->origin = SOURCE_TEXT_NEWER;
	return status;
}

int loaded_may_know_source(const struct project *project, const char *operand,
			   const struct loaded *l, bool *out, struct cg_error *err)
{
	struct stored_variant found = { 0 };

	*out = l->origin.commit != NULL;
	if (*out || !l->path)
		return CG_OK;
	int status = stored_variant_find(project->root, operand, STORED_LINES, l->path, &found,
					 err);
	*out = found.is_label;
	stored_variant_free(&found);
	return status;
}
