/* Rows and entries of one side: of this project, or of a remote. */
#ifndef IRDIFF_SHARE_CONTENT_H
#define IRDIFF_SHARE_CONTENT_H

#include "src/git/objects.h"
#include "src/share/share.h"
#include "src/store/cache.h"
#include "src/store/history_row.h"
#include "src/store/profiles.h"

#define SHARE_MOST_FILE 100000000ull /* bytes; GitHub takes no larger file */

enum {
	SHARE_FILES = PROFILE_SHARED + 2,
	SHARE_SUMS = PROFILE_SHARED,
	SHARE_KEY = PROFILE_SHARED + 1
};

struct shared_row {
	char *path; /* below history/ */
	char *text; /* without a line end */
	struct history_run run;
	char id[GIT_ID_SIZE]; /* of its file; "": not written yet */
};

struct shared_entry {
	char *path;       /* below cache/ */
	const char *name; /* in `path`: its name in the cache */
	int64_t measured;
	char id[GIT_ID_SIZE];                 /* of its tree; "": not written yet */
	struct git_object files[SHARE_FILES]; /* of another machine: those that it has have an id */
};

struct shared {
	struct shared_row *rows; /* by path */
	size_t nrows, rows_cap;
	struct shared_entry *entries; /* by name */
	size_t nentries, entries_cap;
};

void shared_free(struct shared *s);

/* Reads a commit of another machine. An error is one of this machine; faults of the commit are
 * refused. */
int shared_of_commit(const struct git *git, const char *id, struct shared *out,
		     struct share_refused *refused, struct cg_error *err);

/* Reads what this project has. */
int shared_of_project(const struct share_request *request, struct shared *out,
		      struct share_refused *refused, struct cg_error *err);

/* "profile.callgrind", … "sums.txt", "key.txt" */
const char *shared_file_name(size_t i);

/* Sorts both, and refuses duplicates. */
void shared_sort(struct shared *s, struct share_refused *refused);

/* NULL: it has no such row. */
struct shared_row *shared_find_row(const struct shared *s, const char *path);
struct shared_entry *shared_find_entry(const struct shared *s, const char *name);

/* Whether the row has digests of variables without a key, as irdiff once wrote them: the values
 * could be found by trying, so the row is not shared. */
bool shared_row_tells(const struct history_run *run);

/* Whether the first of two rows of one path stays; it is the same on every machine. */
bool shared_row_wins(const struct shared_row *row, const struct shared_row *other);

/* Append, and take over the contents, also on failure. */
int shared_add_row(struct shared *s, struct shared_row *row, struct cg_error *err);
int shared_add_entry(struct shared *s, struct shared_entry *entry, struct cg_error *err);

void share_refuse(struct share_refused *refused, const char *where, const char *name,
		  const char *why);

#endif
