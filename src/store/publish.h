/*
 * How a measured profile gets its label: everything is written to a work directory first and moved
 * when it is complete.
 *
 * Work directories are in .irdiff/tmp/ and are locked as long as their irdiff runs. The lock works
 * across pid namespaces (containers that share a project), where a pid is meaningless.
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

/* Locks the store, while work directories are made and removed, profiles move, and directories that
 * became empty are removed: close *fd to unlock it. Who holds it finishes what killed irdiffs had
 * begun. Needs .irdiff (store_prepare_data); do not lock it twice. */
int store_lock(const char *root, int *fd, struct cg_error *err);

/* Makes a directory for one run; files in it need not be synced (new_file_leave_unsynced), as
 * publishing does that. Directories of dead irdiffs are removed first. End it with store_work_end
 * in any case; *out is untouched on failure. */
int store_work_begin(const char *root, struct work_directory *out, struct cg_error *err);

/* Removes what is left of the directory. A zeroed one is allowed. */
void store_work_end(struct work_directory *work);

/* How many work directories killed irdiffs left; the next store_work_begin removes them. It only
 * looks, and does not wait; also 0 if unknown, for example while another irdiff creates one. */
size_t store_work_left(const char *root);

/* Whether a profile may be published under this label: files that would be replaced must be
 * irdiff's. Call it before a long measurement; store_publish checks again. CG_EINVAL if irdiff
 * did not write a file. */
int store_check_label(const char *root, const char *label, struct cg_error *err);

/*
 * Publishes a finished profile: its files move from the work directory to those of the label and to
 * the label's data; everything else in the work directory is deleted. The profile that had the
 * label becomes LABEL.old, and replaces the one before it. Other irdiffs wait. LABEL.callgrind
 * exists at every moment. On failure the label is as it was; if irdiff is killed, the next one
 * finishes.
 */
int store_publish(const char *root, const char *label, const char *work, struct cg_error *err);

/* For a label that could not be measured again: its profile, if it has one, becomes LABEL.old as
 * if it had been replaced; then *retired is true. */
int store_retire(const char *root, const char *label, bool *retired, struct cg_error *err);

/* Finishes what killed irdiffs were publishing, and waits for those that still are, as far as
 * possible: afterwards labels have whole profiles. */
void store_finish(const char *root);

#endif
