/* Rows and entries of one side: of this project, or of a remote. */
#ifndef IRDIFF_SHARE_CONTENT_H
#define IRDIFF_SHARE_CONTENT_H

#include "src/git/objects.h"
#include "src/share/share.h"
#include "src/store/cache.h"
#include "src/store/history.h"
#include "src/store/history_fan.h"
#include "src/store/profiles.h"

#define SHARE_MOST_FILE 100000000ull /* bytes; GitHub takes no larger file */

enum {
	SHARE_FILES = PROFILE_SHARED + 2,
	SHARE_SUMS = PROFILE_SHARED,
	SHARE_KEY = PROFILE_SHARED + 1
};

/* A row as it is shared. */
struct shared_row {
	char *key;  /* share_row_key */
	char *text; /* without a line end */
	int64_t measured;
};

/* All rows of a commit: a file below history/1a/. */
struct shared_commit {
	char id[GIT_ID_SIZE];    /* of the commit */
	char blob[GIT_ID_SIZE];  /* of the file; "": not written yet */
	struct shared_row *rows; /* by key */
	size_t nrows, cap;
};

/* All rows of the commits whose ids begin so: a directory below history/. */
struct shared_fan {
	unsigned number;               /* history_fan.h */
	char tree[GIT_ID_SIZE];        /* "": not written yet, or none */
	struct shared_commit *commits; /* by id; of another machine, once it was read */
	size_t ncommits, cap;
	size_t nrows;
	bool refused; /* something in it, which is not among these */
};

struct shared_entry {
	char *path;       /* below cache/ */
	const char *name; /* in `path`: its name in the cache */
	int64_t measured;
	char id[GIT_ID_SIZE];                 /* of its tree; "": not written yet */
	struct git_object files[SHARE_FILES]; /* of another machine: those that it has have an id */
};

struct shared {
	struct shared_fan fans[HISTORY_FANS];
	struct shared_entry *entries; /* by name */
	size_t nentries, entries_cap;
};

void shared_free(struct shared *s);

/* Reads a commit of another machine, but of its fans only which trees they are. An error is one of
 * this machine; faults of the commit are refused. */
int shared_of_commit(const struct git *git, const char *id, struct shared *out,
		     struct share_refused *refused, struct cg_error *err);

/* Reads the rows of such fans that have a tree, all at once. */
int shared_read_fans(const struct git *git, struct shared_fan *const *fans, size_t count,
		     struct share_refused *refused, struct cg_error *err);

/* Reads the entries that this project has, and one fan of its rows. */
int shared_of_project(const struct share_request *request, struct shared *out,
		      struct share_refused *refused, struct cg_error *err);
int shared_fan_of_project(struct history *h, unsigned number, struct shared_fan *out,
			  struct cg_error *err);

void shared_fan_free(struct shared_fan *fan); /* its commits; number and tree stay */

/* "profile.callgrind", … "sums.txt", "key.txt" */
const char *shared_file_name(size_t i);

/* Sorts entries, and refuses duplicates. */
void shared_sort(struct shared *s, struct share_refused *refused);

/* NULL: it has no such entry. */
struct shared_entry *shared_find_entry(const struct shared *s, const char *name);

/* Whether the row has digests of variables without a key, as irdiff once wrote them: the values
 * could be found by trying, so the row is not shared. */
bool shared_row_tells(const struct history_run *run);

/* Whether the first of two rows of one key stays; it is the same on every machine. */
bool shared_row_wins(const struct shared_row *row, const struct shared_row *other);

/* Appends a row to its commit, which is added to the fan if it is not its last one. */
int shared_add_row(struct shared_fan *fan, const struct history_run *run, struct cg_error *err);

/* Sorts the rows of a commit; false: two of them have one key. */
bool shared_sort_rows(struct shared_commit *commit);

/* Appends, and takes over the contents, also on failure. */
int shared_add_entry(struct shared *s, struct shared_entry *entry, struct cg_error *err);

void share_refuse(struct share_refused *refused, const char *where, const char *name,
		  const char *why);

#endif
