/*
 * What a run left behind in its directory: raw callgrind files and Valgrind's
 * logs, one of each per process.
 *
 * How images, processes and files belong together (Valgrind 3.19, found by
 * experiment): an exec keeps the pid, and the new image writes to the same
 * names, so that the old one's counts and log are lost. Only with
 * --dump-before=execve the old image has by then written a part of its own,
 * callgrind.out.PID.1, and the new one counts its parts from 1 again, and
 * replaces those of the old one. collect_set_aside() keeps them, by numbers above
 * COLLECT_ASIDE.
 * So callgrind.out.PID is the last image's; if it is part N > 1, PID.1 … PID.N-1
 * are the same image's earlier parts; all others belong to images before it.
 */
#ifndef IRDIFF_RUN_COLLECT_H
#define IRDIFF_RUN_COLLECT_H

#include <stddef.h>

#include "cgprofile/error.h"
#include "src/run/process.h"
#include "src/run/result.h"
#include "src/run/valgrind_log.h"

#define COLLECT_PROFILE_PREFIX "callgrind.out."
#define COLLECT_LOG_PREFIX "valgrind.log."
#define COLLECT_LOST_PREFIX "lost.log." /* PID.N */
#define COLLECT_MAP_PREFIX "perf-"      /* PID.map */
#define DUMP_AT_EXEC "execve"           /* the function before which counts are written */
#define COLLECT_ASIDE 100000            /* parts that one image may write */

struct collection {
	/* sorted by pid, generation, part; all fields but image and launcher are set */
	struct run_profile *profiles;
	size_t nprofiles, profiles_cap;
	struct valgrind_log *logs; /* sorted by pid */
	size_t nlogs, logs_cap;
	struct valgrind_log *lost; /* of images that were replaced, and whose counts are lost */
	size_t nlost, lost_cap;
};

/* `over` lists the traced processes that have ended, with their parents. If it is empty, the
 * parents come from the logs. */
int collect(const char *directory, const struct process_list *over, struct collection *collection,
	    struct cg_error *err);

/* To be called when a process becomes another program, before that runs: renames the parts that the
 * old one has written, so that the new one does not replace them. Part N of the image number K
 * becomes PID.(K * COLLECT_ASIDE + N). What cannot be renamed is missed by collect_missing().
 *
 * An image that did not call execve(3), but made the system call by itself, has not written its
 * last counts: its log is kept in `lost`. */
void collect_set_aside(const char *directory, pid_t pid);

/* A profile before which parts of its image are missing: they were removed, or replaced. NULL: all
 * parts are there. */
const struct run_profile *collect_missing(const struct run_profile *profiles, size_t nprofiles);

/* The log of a pid, or NULL. */
const struct valgrind_log *collection_log(const struct collection *collection, pid_t pid);

/* The log of the process that loaded the image which `pid` runs: its own, or
 * that of the parent it was forked from, and so on. NULL if not known. */
const struct valgrind_log *collection_image_log(const struct collection *collection, pid_t pid);
/* Adds what `from` has, which is empty afterwards. CG_ENOMEM: both are as they were. */
int collection_move(struct collection *to, struct collection *from);

void collection_free(struct collection *collection);

/* Removes all raw files, logs and maps of generated code from a directory; *count (may be NULL)
 * becomes their number. With `only_count` it leaves them. */
int collect_discard(const char *directory, bool only_count, size_t *count, struct cg_error *err);

#endif
