/*
 * The cache: profiles that need not be measured again.
 *
 *     .irdiff/cache/BENCH@COMMIT-KEY/     files as in a work directory (profiles.h), without the
 *                                         raw one and what people read, and key.txt
 *     .irdiff/cache/failed/KEY.log        what a build said that failed
 *     .irdiff/cache/kept/KEY/             what builds need not make again (kept.h)
 *
 * KEY is the beginning of a digest of everything that a count depends on and that is known before
 * the measurement: files, build, benchmark, tools (key.txt lists them). COMMIT is the one for
 * which it was first measured, with a + after it for a work tree with changes.
 *
 * A benchmark that measured several cases has an entry for each, and one that lists their names
 * (cases.txt) and has no profile.
 *
 * An entry appears as a whole, by rename(2), and is never changed; a later command may only add
 * counted_before.txt. Its modification time is when it was last
 * used. The name of an entry, or an unambiguous prefix of BENCH@COMMIT, works as the operand of
 * commands.
 */
#ifndef IRDIFF_STORE_CACHE_H
#define IRDIFF_STORE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cgprofile/error.h"
#include "src/store/meta.h"
#include "src/store/profiles.h"

#define CACHE_KEY_DIGITS 12

/* The first line of key.txt has the version of its rules: "key: 5". */
#define CACHE_KEY_VERSION 5
/* A line of key.txt: the entry is of a command line, and stays on this machine. */
#define CACHE_KEY_UNSHARED "of: the command line\n"

#define CACHE_FAILED "failed"                          /* the directory of logs of failed builds */
#define CACHE_FETCHED_FILE "fetched"                   /* in an entry that others have measured */
#define CACHE_COUNTED_BEFORE_FILE "counted_before.txt" /* src/compare/counted_before.h */

/* Checks that the cache and the directories in it are directories, inside the project. */
int cache_check_places(const char *root, struct cg_error *err);

/* Creates the directories that it needs. */
int cache_prepare(const char *root, struct cg_error *err);

/* When an entry was measured, in seconds since 1970: according to its meta.json, or else when it
 * was written; 0: unknown. */
int64_t cache_measured(const char *root, const char *name);

/* How the program ran when the benchmark was measured last, for the cache or for its label; of one
 * with cases, how it ran for all of them. */
struct meta_run cache_last_run(const char *root, const char *benchmark);
/* The same with names that were read. */
struct meta_run cache_last_run_among(const char *root, const struct path_list *names,
				     const char *benchmark);

/* The name of an entry of a benchmark, or of one of its cases; the caller's. NULL: out of
 * memory. */
char *cache_name(const char *benchmark, const char *commit, bool changed, const char *key);

/* The name of the entry of a case ("BENCH/CASE"), made from that of its benchmark; the caller's.
 * NULL: out of memory. */
char *cache_name_of_case(const char *name, const char *label);

/* The benchmark or case whose entry it is; the caller's. NULL: out of memory. */
char *cache_benchmark(const char *name);

/* Whether it is the name of an entry of a commit, as cache_name makes it, and not of a work tree
 * with changes. */
bool cache_is_of_commit(const char *name);

/* Where an entry of that name is or would be, or the cache itself without a name; the caller's.
 * NULL: out of memory. */
char *cache_path(const char *root, const char *name);

/* Whether there is a complete entry of this name, whose key is the digest of exactly `text`; if so,
 * it counts as used now. */
bool cache_has(const char *root, const char *name, const char *text);

/* The names of all entries, sorted: read once for what looks for many of them. On failure it is
 * empty. */
int cache_names_read(const char *root, struct path_list *names, struct cg_error *err);

/* The names of the entries of a benchmark, the last used first. On failure it is empty. */
int cache_names_by_use(const char *root, const char *benchmark, struct path_list *names,
		       struct cg_error *err);

/* Turns a work directory into an entry; `key` becomes its key.txt. An existing entry of that name
 * stays, and the work directory is left over; with `replace` they change places. */
int cache_publish(const char *root, const char *name, const char *work, const char *key,
		  bool replace, struct cg_error *err);

/* The same, with `replace`, in two steps, between which whoever has many entries syncs all of them
 * at once: the first one makes the work directory complete, and the second one puts it in place. */
int cache_complete(const char *work, const char *key, struct cg_error *err);
int cache_put(const char *root, const char *name, const char *work, struct cg_error *err);

/* The same as cache_publish for a measurement shared by others; a mark shows it, as they may have
 * made it up. */
int cache_publish_fetched(const char *root, const char *name, const char *work, const char *key,
			  struct cg_error *err);
bool cache_is_fetched(const char *root, const char *name);

/* Turns a work directory into an entry with the files of another one, for a commit at which the run
 * would be the same, but for the list of the files that were used: if that is known, it is in the
 * work directory. It replaces an entry of that name, and has the mark of what was shared by others
 * if that has. */
int cache_publish_same_run(const char *root, const char *name, const char *work, const char *key,
			   const char *of, struct cg_error *err);
/* Whether the entry is such a one. */
bool cache_is_same_run(const char *root, const char *name);
/* The text of an entry's key; the caller's. */
int cache_read_key(const char *root, const char *name, char **text, struct cg_error *err);
/* The commit of the key in an entry's directory. The caller's; NULL: it cannot be read. */
char *cache_commit_of_key(const char *root, const char *directory);
/* The commit that such an entry is for, which its profile does not tell; `path` is that of the
 * profile. The caller's; NULL: it is no such entry, or cannot be read. */
char *cache_commit_of_same_run(const char *root, const char *path);

/* Whether the path of a profile is in an entry of a work tree with changes. */
bool cache_is_of_changes(const char *path);

/* Turns a work directory into the entry of a benchmark that lists these existing entries of cases.
 * It replaces an entry of that name. */
int cache_publish_cases(const char *root, const char *name, const char *work, const char *key,
			const struct path_list *entries, struct cg_error *err);

/* Appends the names of the entries of a benchmark's cases, if it has cases. *whole: all of them are
 * complete. */
int cache_cases(const char *root, const char *name, struct path_list *out, bool *whole,
		struct cg_error *err);

/* Whether there is a complete entry of a profile; if so, it counts as used now. */
bool cache_use(const char *root, const char *name);

/* Whether an operand is the whole name of an entry; then it is no label. */
bool cache_is_name(const char *operand);

/* The directory of the entry that an operand means: its name, or BENCH@BEGINNING-OF-COMMIT; of
 * several, the one used last. *path is the caller's, NULL if there is no such entry. */
int cache_find_operand(const char *root, const char *operand, char **path, struct cg_error *err);

/* A shorter name of an entry, BENCH@COMMIT, if it is not ambiguous; else the entry's name; the
 * caller's. */
int cache_operand(const char *root, const char *name, char **operand, struct cg_error *err);
/* The same with names that were read. */
int cache_operand_among(const char *root, const struct path_list *names, const char *name,
			char **operand, struct cg_error *err);

/* Builds that failed. *path is where the log of this key is kept; the caller's. */
int cache_failure_path(const char *root, const char *key, char **path, struct cg_error *err);

struct cache_entry {
	char *name;   /* or "failed/KEY.log", "kept/KEY" */
	int64_t used; /* seconds since 1970 */
	uint64_t bytes;
};

struct cache_list {
	struct cache_entry *items;
	size_t count, cap;
};

/* All entries, the last used first. Free with cache_list_free, also on failure. */
int cache_list(const char *root, struct cache_list *out, struct cg_error *err);
void cache_list_free(struct cache_list *list);

/* Removes the entries of older irdiffs, which measured by other rules; the keys of the oldest have
 * values of variables. */
int cache_remove_old(const char *root, size_t *removed, struct cg_error *err);

/* Removes one, named as in cache_list. */
int cache_remove(const char *root, const char *name, struct cg_error *err);

#endif
