/* Files that are complete or not there: written under a temporary name in the
 * same directory, synced, then renamed. Two writers at once do not mix; a
 * killed one leaves no half-written file under the final name, and what it leaves
 * is removed when the same file is written again. */
#ifndef IRDIFF_STORE_FILES_H
#define IRDIFF_STORE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "cgprofile/error.h"

/* Reports from errno why a file cannot be used: "cannot WHAT: …". */
int file_fail(const char *path, const char *what, struct cg_error *err);

struct new_file;

/* The umask. It is not changed while reading it, as other threads may create files. */
mode_t file_mask(void);

/* Begins to write `path`; the stream belongs to the file. A device or a pipe is
 * written in place; of a file that is replaced the mode stays. The path is one that the user has
 * named: a symbolic link stays, and where it leads is written. What irdiff keeps in a project is
 * written by src/store/beneath.h. */
int new_file_begin(const char *path, struct new_file **out, FILE **stream, struct cg_error *err);
/* The same for the file `name` in an open directory, which is taken over and closed; `path` is its
 * name in messages. Anything in its place that is not a regular file is replaced, links too. */
int new_file_begin_in(int directory, const char *name, const char *path, struct new_file **out,
		      FILE **stream, struct cg_error *err);
void new_file_sweep_in(int directory, const char *name);
/* Puts it in place under its name, or reports why it could not be written (a
 * full disk …). Frees it in both cases. */
int new_file_commit(struct new_file *f, struct cg_error *err);
/* Before it is committed: does not sync the file, as it would be useless after a crash of the
 * machine, or is synced later with its directory (sync_directory). */
void new_file_leave_unsynced(struct new_file *f);
/* Forgets it, on failure elsewhere. NULL is allowed. */
void new_file_abandon(struct new_file *f);

/* Reads all of a file and adds a NUL; *text is the caller's. Errors: CG_EIO, CG_ENOMEM. */
int file_read(const char *path, char **text, size_t *size, struct cg_error *err);

/* The same for an open file of at most `max` bytes (CG_EINVAL), which is closed; `path` is for
 * messages. */
int stream_read(FILE *from, const char *path, size_t max, char **text, size_t *size,
		struct cg_error *err);

/* The same for a file from an untrusted source: CG_EINVAL unless it is a regular file of at most
 * `max` bytes. Symbolic links are refused, and pipes are not waited for. */
int foreign_file_read(const char *path, size_t max, char **text, size_t *size,
		      struct cg_error *err);

/* Syncs all files of a directory. Cheaper than to sync each when it is written: file systems with a
 * journal write it once. */
int sync_directory(const char *path, struct cg_error *err);

/* Writes `to` (as above, unsynced) with the contents of all files of `from`, one after the
 * other, compressed with zstd. */
int store_compressed(const char *const *from, size_t count, const char *to, struct cg_error *err);

/* Writes `to` (as above) with the bytes of `from`. */
int store_copy(const char *from, const char *to, struct cg_error *err);
/* Writes what is left of `source`, which is closed and called `from`, and commits or abandons the
 * file. */
int stream_copy(FILE *source, const char *from, struct new_file *file, FILE *stream,
		struct cg_error *err);

/* Creates a directory and its parents, if they are not there. */
int make_directories(const char *path, struct cg_error *err);

/* Removes a directory with all its contents, or a file or symbolic link of that name. Links are not
 * followed. It is no error if it does not exist. */
int remove_directory(const char *path, struct cg_error *err);

/* The same in an open directory. 0, or -1 and errno. */
int remove_in(int directory, const char *name);

/* The directory `from` becomes `to`; an existing `to` may be at `from` afterwards. If the kernel
 * and the file system can exchange names, `to` exists at every moment. 0, or -1 and errno. */
int replace_directory_in(int from_directory, const char *from, int to_directory, const char *to);

/* The directory of a path, as O_PATH opens it, and the name in it, which is a part of the path. -1
 * and errno. */
int open_directory_of(const char *path, const char **name);

/* Whether a relative path without ".." in one of irdiff's directories leads through directories
 * only: others may have put symbolic links there. Missing parts are fine. */
bool path_stays_below(const char *directory, const char *path);

/* Whether the rest of both streams is the same; false if one is NULL. Closes them. */
bool streams_are_same(FILE *a, FILE *b);

/* Removes all contents of a directory, but not the directory. */
int empty_directory(const char *path, struct cg_error *err);

/* The sizes of all files in a directory and those in it; links are not followed. */
uint64_t directory_bytes(const char *path);

/* Syncs all files of a directory and of those in it. */
int sync_tree(const char *path, struct cg_error *err);

/* Syncs all that was written on the file system of a directory: for many files, one call instead of
 * one for each. */
int sync_file_system(const char *path, struct cg_error *err);

#endif
