/*
 * Where profiles are kept below a project's root, LABEL as a path (label_path in label.h):
 *
 *     profiles/LABEL.callgrind            what people and other tools read
 *     profiles/LABEL.callgrind.flat.txt
 *     profiles/LABEL.callgrind.tree.txt
 *     .irdiff/profiles/LABEL.callgrind/   a directory:
 *         raw.callgrind.zst                  as Valgrind wrote it
 *         lines.callgrind.zst                the first file with inlined functions
 *         contexts.callgrind.zst             the same with calling contexts, not lines
 *         sources.zst                        the source files as they were (sources.h)
 *         instructions.callgrind.zst         like lines, with the addresses of instructions
 *         code.zst                           the machine code at these addresses (code_file.h)
 *         meta.json                          how it was measured
 *         dependencies.zst                   of a cache entry: the files that the run named, and
 *                                            what they were (src/run/dependencies.h)
 *         used_files.zst                     of a cache entry: the files of the project that its
 *                                            build and the run used (src/run/used_files.h)
 *         same_run.txt                       of a cache entry: the name of the one whose run it
 *                                            shares (cache_publish_same_run)
 *         stdout.log, stderr.log
 *     baselines/, .irdiff/baselines/      named ones to compare with (baselines.h)
 *     .irdiff/frames/                     what debug information said (callgrind/inlines_cache.h)
 *     .irdiff/tmp/                        work directories of runs (publish.h)
 *
 * .irdiff/ holds a .gitignore of its own, so that git never sees it.
 */
#ifndef IRDIFF_STORE_PROFILES_H
#define IRDIFF_STORE_PROFILES_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"

#define USED_FILES_FILE "used_files.zst"

/* The paths of one label; all strings are owned. */
struct profile_paths {
	char *callgrind, *flat, *tree;
	char *data; /* directory of the rest */
	char *raw, *lines, *contexts, *sources, *instructions, *code;
	char *meta, *dependencies, *used_files, *same_run, *stdout_log, *stderr_log;
};

/* Checks the label. Free with profile_paths_free. */
int profile_paths_of(const char *root, const char *label, struct profile_paths *out,
		     struct cg_error *err);
void profile_paths_free(struct profile_paths *p);

/* Creates the directories that the paths need; they must be on one file system. */
int store_prepare(const char *root, struct cg_error *err);

/* The same without profiles/, for what goes to the cache. */
int store_prepare_data(const char *root, struct cg_error *err);

/* Whether a profile was written by irdiff, by its first lines. False if it does not exist. */
bool store_is_ours(const char *root, const char *path);

/* The same paths inside a work directory, before they are published, or in a cache entry; `data` is
 * not set: it is the directory itself. */
int work_paths_of(const char *work, struct profile_paths *out, struct cg_error *err);

/* Removes from a work directory all but these files. */
void store_work_tidy(const char *work);

/* The names of the files that a cache entry and a work directory have in common, ended by NULL. All
 * but the first may be missing. The first PROFILE_SHARED may be shared with others; the rest is
 * what the program wrote, which may be anything. */
#define PROFILE_FILES 12
#define PROFILE_SHARED 10
extern const char *const profile_file_names[PROFILE_FILES + 1];

#define CACHE_KEY_FILE "key.txt"
#define CACHE_SAME_RUN_FILE "same_run.txt"
#define CACHE_CASES_FILE "cases.txt"

struct path_list {
	char **paths;
	size_t count, cap;
};

/* Appends a copy. */
int path_list_add(struct path_list *list, const char *path, struct cg_error *err);
/* NULL for the list: nothing. */
bool path_list_has(const struct path_list *list, const char *path);
/* Sorts the list from `first` on. */
void path_list_sort(struct path_list *list, size_t first);
void path_list_free(struct path_list *list);

#endif
