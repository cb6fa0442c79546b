/*
 * How a measured profile gets to its label: everything is written in a work
 * directory first and put in place when it is complete.
 *
 * Work directories live in .irdiff/tmp/ and are locked as long as their irdiff
 * lives. The lock says so across pid namespaces (containers that share a
 * project), where a pid says nothing.
 */
#ifndef IRDIFF_STORE_PUBLISH_H
#define IRDIFF_STORE_PUBLISH_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"

struct work_directory {
	char *path, *root;
	int lock; /* descriptor of the directory, which holds the lock */
};

/* Makes a directory for one run; what is written there need not be synced
 * (new_file_leave_unsynced): publishing does. Those of runs that died are removed on the
 * way. End it with store_work_end, whatever became of it; *out is untouched on
 * failure. */
int store_work_begin(const char *root, struct work_directory *out, struct cg_error *err);

/* Removes what is left of it. A zeroed one is allowed. */
void store_work_end(struct work_directory *work);

/* How many work directories irdiffs that were killed have left; the next store_work_begin removes
 * them. It only looks, and waits for nobody: 0 as well where that cannot be told, as while another
 * irdiff makes one. */
size_t store_work_left(const char *root);

/* Whether a profile may be put under this label: what would be replaced must be
 * irdiff's own. Good to know before a long measurement; store_publish looks
 * again. CG_EINVAL if a file is somebody else's. */
int store_check_label(const char *root, const char *label, struct cg_error *err);

/* Removes from a work directory all but the files of profiles.h. */
void store_work_tidy(const char *work);

/*
 * Puts a finished profile in place: its files move from the work directory to
 * those of the label and to the label's data, everything else in the work directory
 * is deleted. The profile that had the label
 * stays as LABEL.old; the LABEL.old before it goes. Other irdiffs wait. At no
 * moment is there no LABEL.callgrind. On failure
 * the label is as it was; of what is killed on the way the next irdiff does the rest.
 */
int store_publish(const char *root, const char *label, const char *work, struct cg_error *err);

/* Of a label that could not be measured again: its profile, if it has one, becomes LABEL.old as if it
 * had been replaced, and *retired says so. */
int store_retire(const char *root, const char *label, bool *retired, struct cg_error *err);

/* Puts in place what was published by irdiffs that were killed, and waits for those that are
 * still at it; as far as that can be done: whoever reads labels finds whole profiles then. */
void store_finish(const char *root);

#endif
