/* Names in the shared tree (share.h). */
#ifndef IRDIFF_SHARE_NAMES_H
#define IRDIFF_SHARE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "src/store/history_row.h"

/* What distinguishes the rows of a commit: "ENVIRONMENT-DEFINITION-BENCH"; the caller's. NULL: out
 * of memory. */
char *share_row_key(const struct history_run *run);

bool share_is_fan(const char *name);

/* "COMMIT.jsonl", below history/1a/, and the commit that such a name is of; NULL: it is none. */
#define SHARE_ROWS_NAME 72 /* bytes, with the NUL */
void share_rows_name(const char *commit, char name[SHARE_ROWS_NAME]);
char *share_commit_of(const char *name, char commit[SHARE_ROWS_NAME]);

/* "TIME-NAME" of an entry, below cache/; the caller's. NULL: out of memory. */
char *share_entry_path(int64_t measured, const char *name);

/* Reads such a path; false: it is not one, or of an entry that may not be shared. *name points
 * into it. */
bool share_entry_parse(const char *path, int64_t *measured, const char **name);

#define SHARE_TIME "%Y%m%dT%H%M%SZ" /* in paths */

#endif
