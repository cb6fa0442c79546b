/* Files that are complete or not there: written under a temporary name in the
 * same directory, synced, then renamed. Two writers at once do not mix; a
 * killed one leaves no half-written file under the final name, and what it leaves
 * is removed when the same file is written again. */
#ifndef IRDIFF_STORE_FILES_H
#define IRDIFF_STORE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "cgprofile/error.h"

/* Says why a file cannot be dealt with, from errno: "cannot WHAT: …". */
int file_fail(const char *path, const char *what, struct cg_error *err);

struct new_file;

/* The umask, which stays as it is: other threads may create files. */
mode_t file_mask(void);

/* Removes what irdiffs have left that were killed while they wrote this file, as whoever writes it does. */
void new_file_sweep(const char *path);

/* Begins to write `path`; the stream belongs to the file. A device or a pipe is
 * written in place; of a file that is replaced the mode stays. The path is one that the user has named: a
 * symbolic link stays, and where it leads is written. What irdiff keeps in a project is written by
 * src/store/beneath.h. */
int new_file_begin(const char *path, struct new_file **out, FILE **stream, struct cg_error *err);
/* The same of the file `name` in an open directory, which is taken over and closed; `path` is what messages
 * call it. What is there and no regular file is replaced, links too. */
int new_file_begin_in(int directory, const char *name, const char *path, struct new_file **out,
		      FILE **stream, struct cg_error *err);
void new_file_sweep_in(int directory, const char *name);
/* Puts it in place under its name, or reports why it could not be written (a
 * full disk …). Frees it in both cases. */
int new_file_commit(struct new_file *f, struct cg_error *err);
/* Before it is committed: it need not be on the disk then, as it is of no use after a crash of the
 * machine, or is synced later with its directory (sync_directory). */
void new_file_leave_unsynced(struct new_file *f);
/* Forgets it, on failure elsewhere. NULL is allowed. */
void new_file_abandon(struct new_file *f);

/* All of a file, with a NUL behind it; *text is the caller's. Errors: CG_EIO, CG_ENOMEM. */
int file_read(const char *path, char **text, size_t *size, struct cg_error *err);

/* The same of an open file of at most `max` bytes (CG_EINVAL), which is closed; `path` is for messages. */
int stream_read(FILE *from, const char *path, size_t max, char **text, size_t *size,
		struct cg_error *err);

/* The same for a file that somebody else has put into a directory: a regular file of at most `max`
 * bytes, or else CG_EINVAL. A symbolic link is none, and nothing is waited for. */
int foreign_file_read(const char *path, size_t max, char **text, size_t *size,
		      struct cg_error *err);

/* All files of a directory are on the disk when it returns. Cheaper than to sync each when it is
 * written: file systems with a journal write it once. */
int sync_directory(const char *path, struct cg_error *err);

/* Writes `to` (as above, unsynced) with the contents of all files of `from`, one after the
 * other, compressed with zstd. */
int store_compressed(const char *const *from, size_t count, const char *to, struct cg_error *err);

/* Writes `to` (as above) with the bytes of `from`. */
int store_copy(const char *from, const char *to, struct cg_error *err);
/* Writes what is left of `source`, which is closed and called `from`, and commits or abandons the file. */
int stream_copy(FILE *source, const char *from, struct new_file *file, FILE *stream,
		struct cg_error *err);

/* Creates a directory and its parents, if they are not there. */
int make_directories(const char *path, struct cg_error *err);

/* Removes a directory with all that is in it, or a file or symbolic link of that
 * name. Links are not followed. It is no error if there is none. */
int remove_directory(const char *path, struct cg_error *err);

/* The same in an open directory. 0, or -1 and errno. */
int remove_in(int directory, const char *name);

/* The directory `from` becomes `to`. If there is one, that may be at `from` afterwards; at no
 * moment is there none, where the kernel and the file system can exchange names. 0, or -1 and
 * errno. */
int replace_directory_in(int from_directory, const char *from, int to_directory, const char *to);

/* The directory of a path, as O_PATH opens it, and the name in it, which is a part of the path. -1 and
 * errno. */
int open_directory_of(const char *path, const char **name);

/* Whether a relative path, without "..", below a directory of ours leads through directories
 * only: what somebody else has put there may have symbolic links in it. What is not there yet
 * does. */
bool path_stays_below(const char *directory, const char *path);

/* Removes all that is in a directory, but not the directory. */
int empty_directory(const char *path, struct cg_error *err);

#endif
