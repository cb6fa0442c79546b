#include "src/store/profiles.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "callgrind/support/grow.h"
#include "src/store/beneath.h"
#include "src/store/files.h"
#include "src/store/label.h"

#define PROFILE "profile.callgrind"
#define RAW "raw.callgrind.zst"
#define LINES "lines.callgrind.zst"
#define CONTEXTS "contexts.callgrind.zst"
#define SOURCES "sources.zst"
#define INSTRUCTIONS "instructions.callgrind.zst"
#define CODE "code.zst"
#define META "meta.json"
#define DEPENDENCIES "dependencies.zst"
#define STDOUT_LOG "stdout.log"
#define STDERR_LOG "stderr.log"

/* One path of a struct profile_paths: "BASE/DIR" + the path of the label + "END". */
struct path_part {
	size_t offset;
	const char *dir, *end;
};

#define PART(field, dir, end) \
	{ \
		offsetof(struct profile_paths, field), dir, end \
	}

static const struct path_part label_parts[] = {
	PART(callgrind, "profiles/", LABEL_SUFFIX),
	PART(flat, "profiles/", LABEL_SUFFIX ".flat.txt"),
	PART(tree, "profiles/", LABEL_SUFFIX ".tree.txt"),
	PART(data, ".irdiff/profiles/", LABEL_SUFFIX),
	PART(raw, ".irdiff/profiles/", LABEL_SUFFIX "/" RAW),
	PART(lines, ".irdiff/profiles/", LABEL_SUFFIX "/" LINES),
	PART(contexts, ".irdiff/profiles/", LABEL_SUFFIX "/" CONTEXTS),
	PART(sources, ".irdiff/profiles/", LABEL_SUFFIX "/" SOURCES),
	PART(instructions, ".irdiff/profiles/", LABEL_SUFFIX "/" INSTRUCTIONS),
	PART(code, ".irdiff/profiles/", LABEL_SUFFIX "/" CODE),
	PART(meta, ".irdiff/profiles/", LABEL_SUFFIX "/" META),
	PART(dependencies, ".irdiff/profiles/", LABEL_SUFFIX "/" DEPENDENCIES),
	PART(used_files, ".irdiff/profiles/", LABEL_SUFFIX "/" USED_FILES_FILE),
	PART(same_run, ".irdiff/profiles/", LABEL_SUFFIX "/" CACHE_SAME_RUN_FILE),
	PART(stdout_log, ".irdiff/profiles/", LABEL_SUFFIX "/" STDOUT_LOG),
	PART(stderr_log, ".irdiff/profiles/", LABEL_SUFFIX "/" STDERR_LOG),
};

static const struct path_part work_parts[] = {
	PART(callgrind, PROFILE, ""),
	PART(flat, "flat.txt", ""),
	PART(tree, "tree.txt", ""),
	PART(raw, RAW, ""),
	PART(lines, LINES, ""),
	PART(contexts, CONTEXTS, ""),
	PART(sources, SOURCES, ""),
	PART(instructions, INSTRUCTIONS, ""),
	PART(code, CODE, ""),
	PART(meta, META, ""),
	PART(dependencies, DEPENDENCIES, ""),
	PART(used_files, USED_FILES_FILE, ""),
	PART(same_run, CACHE_SAME_RUN_FILE, ""),
	PART(stdout_log, STDOUT_LOG, ""),
	PART(stderr_log, STDERR_LOG, ""),
};

const char *const profile_file_names[PROFILE_FILES + 1] = {
	PROFILE,    LINES,      CONTEXTS,     SOURCES,         INSTRUCTIONS,
	CODE,       META,       DEPENDENCIES, USED_FILES_FILE, CACHE_SAME_RUN_FILE,
	STDOUT_LOG, STDERR_LOG, NULL
};

static int fill_paths(const char *base, const char *name, const struct path_part *parts,
		      size_t count, struct profile_paths *out, struct cg_error *err)
{
	struct profile_paths p = { 0 };

	for (size_t i = 0; i < count; i++) {
		char **path = (char **)((char *)&p + parts[i].offset);
		if (asprintf(path, "%s/%s%s%s", base, parts[i].dir, name, parts[i].end) < 0) {
			*path = NULL;
			profile_paths_free(&p);
			return cg_fail_nomem(err);
		}
	}
	*out = p;
	return CG_OK;
}

int profile_paths_of(const char *root, const char *label, struct profile_paths *out,
		     struct cg_error *err)
{
	int status = label_check(label, err);
	if (status)
		return status;
	char *name = label_path(label);
	status = name ? fill_paths(root, name, label_parts,
				   sizeof label_parts / sizeof *label_parts, out, err)
		      : cg_fail_nomem(err);
	free(name);
	return status;
}

int work_paths_of(const char *work, struct profile_paths *out, struct cg_error *err)
{
	return fill_paths(work, "", work_parts, sizeof work_parts / sizeof *work_parts, out, err);
}

void profile_paths_free(struct profile_paths *p)
{
	free(p->callgrind);
	free(p->flat);
	free(p->tree);
	free(p->data);
	free(p->raw);
	free(p->lines);
	free(p->contexts);
	free(p->sources);
	free(p->instructions);
	free(p->code);
	free(p->meta);
	free(p->dependencies);
	free(p->used_files);
	free(p->same_run);
	free(p->stdout_log);
	free(p->stderr_log);
	*p = (struct profile_paths){ 0 };
}

/* Removes all files of a run except those that people read, and the data. */
static void keep_only(const struct profile_paths *p, const char *work)
{
	const char *const kept[] = { p->callgrind,  p->flat,       p->tree,         p->raw,
				     p->lines,      p->contexts,   p->sources,      p->instructions,
				     p->code,       p->meta,       p->dependencies, p->used_files,
				     p->stdout_log, p->stderr_log, p->same_run };
	DIR *dir = opendir(work);
	if (!dir)
		return;
	for (struct dirent *e; (e = readdir(dir));) {
		bool keep = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0;
		char *path;
		for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
			keep |= strcmp(e->d_name, strrchr(kept[i], '/') + 1) == 0;
		if (keep || asprintf(&path, "%s/%s", work, e->d_name) < 0)
			continue;
		remove_directory(path, NULL);
		free(path);
	}
	closedir(dir);
	chmod(work, 0777 & ~file_mask());
}

void store_work_tidy(const char *work)
{
	struct profile_paths p;
	if (work_paths_of(work, &p, NULL))
		return;
	keep_only(&p, work);
	profile_paths_free(&p);
}

bool store_is_ours(const char *root, const char *path)
{
	static const char creator[] = "creator: irdiff-";
	enum { HEADER_LINES = 10 };
	char line[256];
	bool ours = false;
	FILE *f = beneath_open_regular(root, path);

	for (int i = 0; f && !ours && i < HEADER_LINES && fgets(line, sizeof line, f); i++)
		ours = strncmp(line, creator, sizeof creator - 1) == 0;
	if (f)
		fclose(f);
	return ours;
}

static int path_below_root(const char *root, const char *name, char **path, struct cg_error *err)
{
	return asprintf(path, "%s/%s", root, name) < 0 ? cg_fail_nomem(err) : CG_OK;
}

static int make_below(const char *root, const char *name, struct cg_error *err)
{
	char *path;
	int status = path_below_root(root, name, &path, err);
	if (status)
		return status;
	status = beneath_make_directories(root, path, err);
	free(path);
	return status;
}

static int write_ignore_file(const char *root, struct cg_error *err)
{
	struct new_file *file;
	FILE *stream;
	char *path;
	int status = path_below_root(root, ".irdiff/.gitignore", &path, err);
	if (status)
		return status;
	if (!beneath_is_there(root, path)) {
		status = beneath_new_file(root, path, &file, &stream, err);
		if (!status) {
			fputs("*\n", stream);
			status = new_file_commit(file, err);
		}
	}
	free(path);
	return status;
}

/* Profiles are put in place by rename(2), which works on one file system only; it is better to know
 * before a long measurement. */
static int check_file_system(const char *root, struct cg_error *err)
{
	static const char *const names[] = { ".irdiff/tmp", ".irdiff/profiles", "profiles" };
	struct stat first = { 0 }, st;
	char *path;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		int status = path_below_root(root, names[i], &path, err);
		if (status)
			return status;
		if (beneath_stat(root, path, &st) != 0)
			status = beneath_fail(path, "access it", err);
		else if (i && st.st_dev != first.st_dev)
			status = cg_fail(
				err, CG_EINVAL, path, 0,
				"on another file system than .irdiff/tmp, which is not supported; make it a directory inside the project");
		free(path);
		if (status)
			return status;
		if (!i)
			first = st;
	}
	return CG_OK;
}

int store_prepare_data(const char *root, struct cg_error *err)
{
	int status = make_below(root, ".irdiff/tmp", err);
	return status ? status : write_ignore_file(root, err);
}

int store_prepare(const char *root, struct cg_error *err)
{
	int status = store_prepare_data(root, err);
	if (!status)
		status = make_below(root, "profiles", err);
	if (!status)
		status = make_below(root, ".irdiff/profiles", err);
	return status ? status : check_file_system(root, err);
}

int path_list_add(struct path_list *list, const char *path, struct cg_error *err)
{
	char *copy = strdup(path);
	if (!copy || cg_grow(&list->paths, &list->cap, list->count + 1, sizeof *list->paths)) {
		free(copy);
		return cg_fail_nomem(err);
	}
	list->paths[list->count++] = copy;
	return CG_OK;
}

bool path_list_has(const struct path_list *list, const char *path)
{
	for (size_t i = 0; list && i < list->count; i++)
		if (strcmp(list->paths[i], path) == 0)
			return true;
	return false;
}

static int compare_labels(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void path_list_sort(struct path_list *list, size_t first)
{
	if (list->count > first)
		qsort(list->paths + first, list->count - first, sizeof *list->paths,
		      compare_labels);
}

void path_list_free(struct path_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->paths[i]);
	free(list->paths);
	*list = (struct path_list){ 0 };
}
