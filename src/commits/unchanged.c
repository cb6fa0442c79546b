#include "src/commits/unchanged.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "callgrind/paths.h"
#include "cgprofile/reader.h"
#include "src/commits/listed_files.h"
#include "src/commits/revision_build.h"
#include "src/commits/revision_entry.h"
#include "src/commits/revision_key.h"
#include "src/commits/revision_plan.h"
#include "src/digest/digest.h"
#include "src/status/notice.h"
#include "src/store/cache.h"
#include "src/store/publish.h"
#include "src/store/sums.h"

/* ---- the files ---- */

/* A link is distinguished by where it leads, and by what is there. */
static int put_target(const char *path, FILE *to, char **real, struct cg_error *err)
{
	char target[4096];
	struct stat st;
	ssize_t n = readlink(path, target, sizeof target);

	*real = NULL;
	if (n < 0)
		return CG_OK;
	fprintf(to, "link to %zd bytes, %.*s ", n, (int)n, target);
	if (stat(path, &st) != 0)
		return CG_OK; /* it leads nowhere, as the benchmark will find */
	if (!S_ISREG(st.st_mode))
		return cg_fail(err, CG_EINVAL, path, 0,
			       "leads to no regular file; list the files themselves");
	*real = realpath(path, NULL);
	return *real ? CG_OK : cg_fail(err, CG_EIO, path, 0, "cannot read: %s", strerror(errno));
}

static int put_input(const char *directory, const char *name, FILE *to, struct cg_error *err)
{
	char *path, *real = NULL, digest[DIGEST_SIZE];
	struct stat st;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return cg_fail_nomem(err);
	int status = put_target(path, to, &real, err);
	bool leads_nowhere = !status && !real && lstat(path, &st) == 0 && S_ISLNK(st.st_mode);

	if (!status && !leads_nowhere)
		status = digest_of_file(real ? real : path, digest, err);
	if (!status && !leads_nowhere && stat(path, &st) == 0)
		fprintf(to, "%o %s ", (unsigned)st.st_mode & 0111, digest);
	fprintf(to, "%s\n", name);
	free(real);
	free(path);
	return status;
}

/* One digest of the names and contents of all files. */
static int digest_inputs(const char *directory, const struct strings *files,
			 char digest[DIGEST_SIZE], struct cg_error *err)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	int status = to ? CG_OK : cg_fail_nomem(err);

	for (size_t i = 0; !status && i < files->count; i++)
		status = put_input(directory, files->items[i], to, err);
	if (to && fclose(to) != 0 && !status)
		status = cg_fail_nomem(err);
	if (!status)
		digest_of_bytes(text, size, digest);
	free(text);
	return status;
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether it is one of these files, by whatever name. */
static bool is_among_files(const char *directory, const struct strings *files,
			   const struct stat *st)
{
	bool listed = false;

	for (size_t i = 0; !listed && i < files->count; i++) {
		struct stat other;
		char *path;
		if (asprintf(&path, "%s/%s", directory, files->items[i]) < 0)
			return false;
		listed = stat(path, &other) == 0 && is_same_file(st, &other);
		free(path);
	}
	return listed;
}

/* Whether a word of a command names a file that was written out or built, and is not listed. */
static bool names_unlisted_file(const struct build_area *w, const char *directory, const char *cwd,
				const char *word, const struct strings *files)
{
	struct stat st;
	char *path;

	if (asprintf(&path, "%s/%s/%s", directory, cwd, word) < 0)
		return false;
	char *real = realpath(path, NULL), *top = realpath(w->here.slot.path, NULL);
	bool unlisted = real && top && cg_path_below(real, top) && stat(real, &st) == 0 &&
			S_ISREG(st.st_mode) && !is_among_files(directory, files, &st);

	free(top);
	free(real);
	free(path);
	return unlisted;
}

/* A script, and the data that it is given, are seen nowhere else. */
static int check_command_words(const struct build_area *w, const char *directory,
			       const struct config_benchmark *b, const struct strings *files,
			       struct cg_error *err)
{
	const char *cwd = b->cwd.text ? b->cwd.text : ".";

	for (size_t i = 0; *cwd != '/' && i < b->command.argc; i++)
		if (names_unlisted_file(w, directory, cwd, b->command.argv[i], files))
			return cg_fail(err, CG_EINVAL, NULL, 0,
				       "inputs: does not list '%s', which its command names",
				       b->command.argv[i]);
	return CG_OK;
}

/* Once, not for base and head. */
static void warn_about_inputs(struct build_area *w, const struct config_benchmark *b,
			      const struct cg_error *why)
{
	for (size_t i = 0; i < w->said_inputs.count; i++)
		if (strcmp(w->said_inputs.items[i], b->name) == 0)
			return;
	notice_warning(w->project->notices, "%s always runs: %s", b->name, why->message);
	strings_add(&w->said_inputs, b->name, NULL);
}

/* Not only one case of it, and not what lacks some files. */
static bool may_be_unchanged(const struct build_area *w, const struct revision *side,
			     const struct config_benchmark *b)
{
	return b->inputs_given && !side->gaps && !revision_only_case(w, b);
}

int unchanged_look(struct build_area *w, const struct revision *side,
		   const struct config_benchmark *b, struct unchanged_inputs *out,
		   struct cg_error *err)
{
	char *directory, digest[DIGEST_SIZE];
	struct cg_error why;

	*out = (struct unchanged_inputs){ 0 };
	if (!may_be_unchanged(w, side, b))
		return CG_OK;
	if (!(directory = revision_project_directory(w)))
		return cg_fail_nomem(err);
	const struct listed_files listed = { directory, b->inputs, b->input_count,
					     "inputs:", w->project->config->path };
	int status = listed_files_find(&listed, &out->files, &why);
	if (!status)
		status = check_command_words(w, directory, b, &out->files, &why);
	if (!status)
		status = digest_inputs(directory, &out->files, digest, &why);
	if (!status)
		status = revision_key_of_inputs(w, side, b, digest, &out->key, &out->text, err);
	else if (status != CG_ENOMEM)
		warn_about_inputs(w, b, &why), status = CG_OK;
	free(directory);
	return status;
}

void unchanged_free(struct unchanged_inputs *inputs)
{
	strings_free(&inputs->files);
	free(inputs->key);
	free(inputs->text);
}

/* ---- what was measured with them ---- */

/* The caller's; NULL: out of memory. */
static char *name_of_inputs(const struct config_benchmark *b, const struct unchanged_inputs *inputs)
{
	return cache_name(b->name, "inputs", false, inputs->key);
}

/* Whether the list of entries is as it was written. */
static bool is_list_sound(const struct build_area *w, const char *name)
{
	char *directory = cache_path(w->project->root, name);
	bool sound = directory && !sums_check(directory, NULL);

	free(directory);
	return sound;
}

static bool may_be_used(const struct build_area *w, const struct revision *side,
			const struct config_benchmark *b, const char *entry)
{
	return !(side->first_hand && cache_is_fetched(w->project->root, entry)) &&
	       !entry_check(w, NULL, b, entry, NULL);
}

int unchanged_find(const struct build_area *w, const struct revision *side,
		   const struct config_benchmark *b, const struct unchanged_inputs *inputs,
		   struct path_list *entries, struct cg_error *err)
{
	bool whole = true;
	char *name = inputs->key ? name_of_inputs(b, inputs) : NULL;
	int status = inputs->key && !name ? cg_fail_nomem(err) : CG_OK;

	if (name && cache_has(w->project->root, name, inputs->text)) {
		status = cache_cases(w->project->root, name, entries, &whole, err);
		whole = whole && is_list_sound(w, name);
	}
	for (size_t i = 0; !status && whole && i < entries->count; i++)
		whole = may_be_used(w, side, b, entries->paths[i]);
	if (!whole)
		path_list_free(entries);
	free(name);
	return status;
}

/* ---- noting it ---- */

/* The path of an object below the project's directory; NULL: it is not of the project's
 * repository. "" if it is elsewhere in the repository. */
static const char *object_in_project(const struct build_area *w, const char *object)
{
	const size_t len = strlen(w->project->root);

	if (cg_path_below(object, w->project->root))
		return object[len] == '/' ? object + len + 1 : "";
	return cg_path_below(object, w->git->top) ? "" : NULL;
}

static bool is_among_inputs(const struct strings *files, const char *path)
{
	for (size_t i = 0; i < files->count; i++)
		if (strcmp(files->items[i], path) == 0)
			return true;
	return false;
}

/* An object that the inputs leave out; NULL: none. */
static const char *find_left_out(const struct build_area *w, const struct cg_profile *p,
				 const struct strings *files)
{
	cg_str last = 0;

	for (uint32_t f = 1; f < p->nfunctions; f++) {
		const cg_str object = p->functions[f].object;
		if (!object || object == last)
			continue;
		last = object;
		const char *path = object_in_project(w, cg_string(p, object));
		if (path && !is_among_inputs(files, path))
			return *path ? path : cg_string(p, object);
	}
	return NULL;
}

/* *all: the objects of a profile are inputs, as far as they are the project's. */
static int check_objects(struct build_area *w, const struct config_benchmark *b,
			 const struct unchanged_inputs *inputs, const char *entry, bool *all,
			 struct cg_error *err)
{
	struct profile_paths files = { 0 };
	struct cg_profile *p = NULL;
	char *directory = cache_path(w->project->root, entry);
	int status = directory ? work_paths_of(directory, &files, err) : cg_fail_nomem(err);

	if (!status)
		status = cg_read_file(files.callgrind, &(struct cg_read_options){ 0 }, &p, err);
	const char *left_out = status ? NULL : find_left_out(w, p, &inputs->files);
	if (left_out) {
		struct cg_error why;
		cg_fail(&why, CG_EINVAL, NULL, 0, "inputs: does not list '%s', whose code it runs",
			left_out);
		warn_about_inputs(w, b, &why);
		*all = false;
	}
	cg_profile_free(p);
	profile_paths_free(&files);
	free(directory);
	return status;
}

/* Looks again where the side was built: another benchmark, or this one, may have written to the
 * inputs before this one read them. *same stays false if that cannot be seen, which was said. */
static int look_again(struct build_area *w, struct revision *side, const struct config_benchmark *b,
		      const struct unchanged_inputs *inputs, bool *same, struct cg_error *err)
{
	struct unchanged_inputs now = { 0 };
	int status = revision_make(w, side) ? CG_OK : unchanged_look(w, side, b, &now, err);

	*same = !status && now.text && strcmp(now.text, inputs->text) == 0;
	if (now.text && !*same) {
		struct cg_error why;
		cg_fail(&why, CG_EINVAL, NULL, 0,
			"inputs: a benchmark has written to these files, or added one");
		warn_about_inputs(w, b, &why);
	}
	unchanged_free(&now);
	return status;
}

int unchanged_remember(struct build_area *w, struct revision *side,
		       const struct config_benchmark *b, const struct unchanged_inputs *inputs,
		       const struct path_list *entries, struct cg_error *err)
{
	struct work_directory work = { 0 };
	bool all;

	if (!inputs->key || !entries->count)
		return CG_OK;
	int status = look_again(w, side, b, inputs, &all, err);
	for (size_t i = 0; !status && all && i < entries->count; i++)
		status = check_objects(w, b, inputs, entries->paths[i], &all, err);
	if (status || !all)
		return status;
	char *name = name_of_inputs(b, inputs);
	status = name ? store_work_begin(w->project->root, &work, err) : cg_fail_nomem(err);
	if (!status)
		status = cache_publish_cases(w->project->root, name, work.path, inputs->text,
					     entries, err);
	store_work_end(&work);
	free(name);
	return status;
}
