/* Adds measurements to the project's history. */
#ifndef IRDIFF_RECORD_RECORD_RUN_H
#define IRDIFF_RECORD_RECORD_RUN_H

#include <stdbool.h>

#include "cgprofile/profile.h"
#include "src/status/notice.h"
#include "src/store/history_row.h"

/* The digest of the environment in which a profile was measured, as rows have it. False: it is
 * not recorded, or memory ran out. */
bool environment_of_profile(const struct cg_profile *p, char digest[HISTORY_DIGEST]);

/* The commit whose files, all of them and without changes, were measured; NULL: none, or that is
 * not known. The profile's text. */
const char *commit_of_profile(const struct cg_profile *p);

/* Adds that row to the history of the project in `root`. It is for profiles that were measured
 * now. Warns if the row cannot be added, and if a count differs from the one of the same commit in
 * the same environment. */
void record_run(const struct notices *n, const char *root, const struct cg_profile *p,
		int64_t measured);

/* The same for a measurement that was repeated because counts may differ by chance: that they do is
 * no warning. */
void record_repeat(const struct notices *n, const char *root, const struct cg_profile *p,
		   int64_t measured);

/* The same for a program that irdiff did not build: nobody knows whether it is that of the commit.
 * If the history has other counts, which irdiff measured in its own build of the commit, the row is
 * not added, and the warning says so. With `builds`, where irdiff can build commits, no row is
 * added at all: a build in another directory may count otherwise, as of a longer __FILE__, which
 * would look like a step. */
void record_work_tree(const struct notices *n, const char *root, const struct cg_profile *p,
		      int64_t measured, bool builds);

/* Entries of the cache that may have no row: the history may have been lost, or belong to another
 * machine. A zeroed list is empty. */
struct found_entries {
	struct found_entry {
		char *entry, *benchmark, *commit;
		char definition[HISTORY_DIGEST];
		bool elsewhere;
	} * items;
	size_t count, cap;
};

/* Appends an entry, of a benchmark by this definition. It was measured at this commit or, with
 * `elsewhere`, would count the same there. Out of memory it is not added. */
int record_later(struct found_entries *list, const char *entry, const char *definition,
		 const char *commit, bool elsewhere);

/* Adds the rows of these entries that the history does not have in their environment, at once, and
 * empties the list. As the cache has the counts, nothing is lost if irdiff is killed before: the
 * next irdiff that finds the entries adds their rows. */
void record_found(const struct notices *n, const char *root, struct found_entries *list);

#endif
